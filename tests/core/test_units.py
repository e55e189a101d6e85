from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.core.units import (
    bytes_in_time,
    bytes_on_cable,
    ceil_div,
    format_bytes,
    format_length,
    length_m,
    parse_length_cm,
    parse_speed_gbps,
    round_up,
)


@pytest.mark.parametrize(
    ("text", "gbps"), [("400", 400), ("400G", 400), ("400 Gb/s", 400), ("400gbps", 400), ("1.6T", 1600), ("100g", 100)]
)
def test_speeds(text: str, gbps: int) -> None:
    assert parse_speed_gbps(text) == gbps


@pytest.mark.parametrize("text", ["", "fast", "2.5G", "-1", "0", "400M", "1e3"])
def test_what_is_no_speed(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a speed|not a whole number"):
        parse_speed_gbps(text)


@pytest.mark.parametrize(("text", "cm"), [("3", 300), ("1.5m", 150), ("50cm", 50), ("0.5", 50), ("30 m", 3000)])
def test_lengths(text: str, cm: int) -> None:
    assert parse_length_cm(text) == cm


@pytest.mark.parametrize("text", ["", "3ft", "1.005m", "-3m", "1:30"])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a length|finer than"):
        parse_length_cm(text)


def test_a_cable_holds_five_nanoseconds_per_metre() -> None:
    # 400 Gb/s for 5 ns is 2,000 bit
    assert bytes_on_cable(400, 100) == 250
    assert bytes_on_cable(800, 3000) == 15_000
    assert bytes_in_time(400, 5_000) == 250


def test_rounding_is_always_up() -> None:
    assert length_m(301) == 4
    assert bytes_on_cable(100, 1) == 1
    assert bytes_in_time(100, 1) == 1


@given(st.integers(0, 10**12), st.integers(1, 10**6))
def test_round_up_is_the_next_multiple(value: int, multiple: int) -> None:
    result = round_up(value, multiple)
    assert result % multiple == 0
    assert 0 <= result - value < multiple
    assert ceil_div(value, multiple) * multiple == result


@given(st.integers(1, 10**6))
def test_printed_lengths_read_back(cm: int) -> None:
    assert parse_length_cm(format_length(cm)) == cm or cm >= 10**8


def test_bytes_for_people() -> None:
    assert format_bytes(303104) == "303104 B (296.0 KiB)"
    assert format_bytes(64) == "64 B"

"""Places, and numbers as C reads them."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.platforms.opensm.scan import Word, begins, c_number, plain, trimmed


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("00", 0),
        ("017", 15),
        ("018", None),
        ("08", None),
        ("12", 12),
        ("0x1F", 31),
        ("0X1f", 31),
        ("0x", None),
        (" 7", 7),
        ("7 ", None),
        ("+7", 7),
        ("-1", 2**64 - 1),
        ("0x1ffffffffffffffff", 2**64 - 1),
        ("", None),
        ("1e3", None),
    ],
)
def test_c_number(text: str, number: int | None) -> None:
    assert c_number(text) == number


@given(st.text("0123456789abcxX+- ", max_size=22))
def test_c_number_is_strtoull(text: str) -> None:
    strtoull = ctypes.CDLL(None).strtoull
    strtoull.restype = ctypes.c_uint64
    raw = text.encode()
    buffer = ctypes.create_string_buffer(raw)
    end = ctypes.c_void_p()
    value = strtoull(buffer, ctypes.byref(end), 0)
    consumed = (end.value or 0) - ctypes.addressof(buffer)
    whole = consumed == len(raw) and consumed > 0
    assert c_number(text) == (value if whole else None)


def test_split_keeps_places() -> None:
    word = trimmed("  a = b ,c,", 3, 5)
    assert word == Word("a = b ,c,", 3, 7)
    assert word.split(",") == [Word("a = b", 3, 7), Word("c", 3, 14), Word("", 3, 16)]
    assert word.split("=", 1) == [Word("a", 3, 7), Word("b ,c,", 3, 11)]


@given(st.text("ab ,", max_size=12))
def test_split_places_are_true(text: str) -> None:
    for part in Word(text, 1, 1).split(","):
        assert text[part.column - 1 :].startswith(part.text)


def test_begins() -> None:
    assert begins("ALL_S", ("ALL", "ALL_SWITCHES")) == "ALL_SWITCHES"
    assert begins("A", ("ALL", "ALL_SWITCHES")) == "ALL"
    assert begins("all", ("ALL",)) is None


@pytest.mark.parametrize("text", ["", " a", "a ", 'a"', "a\tb", "a\nb", "xxxxxx", "ééé"])
def test_not_plain(text: str) -> None:
    assert not plain(text, 5, '"')


def test_plain() -> None:
    assert plain("a b'c", 5, '"')

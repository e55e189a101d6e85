from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.catalog import Asic, load_catalog
from fabricgen.planning.headroom import (
    PAUSE_QUANTA,
    Headroom,
    HeadroomUnknownError,
    minimum_headroom,
    plan_headroom,
)
from tests.planning.chips import CELL_FACTS, SERVER_CABLES, SPECTRUM_4, SPECTRUM_FACTS, TOMAHAWK_5, UNKNOWN_CHIP

SPEEDS = sorted(CELL_FACTS.fixed_wire_bytes)
UNIT_BYTES = {"spectrum-4": 1024, "tomahawk-5": 254}

chips = st.sampled_from([SPECTRUM_4, TOMAHAWK_5])
speeds = st.sampled_from(SPEEDS)
lengths_cm = st.integers(1, 200_000)
mtus = st.integers(1500, 9216)
lanes = st.sampled_from([1, 2, 4, 8])


def plan(
    asic: Asic, speed_gbps: int = 400, length_cm: int = 4000, mtu_bytes: int = 9216, lanes_of_port: int = 4
) -> Headroom:
    return plan_headroom(
        asic,
        speed_gbps=speed_gbps,
        lanes=lanes_of_port,
        length_cm=length_cm,
        mtu_bytes=mtu_bytes,
        origin=SERVER_CABLES,
    )


def terms(headroom: Headroom) -> dict[str, int | str]:
    return {term.name: term.value for term in headroom.basis.terms}


def test_minimum_is_the_sum_of_its_parts() -> None:
    # 2 x 9216 + 84 + 2 x (40 m x 5 ns x 50 B/ns = 10000) + 905 x 64
    assert minimum_headroom(speed_gbps=400, length_cm=4000, mtu_bytes=9216) == 18432 + 84 + 20000 + 57920
    assert minimum_headroom(speed_gbps=400, length_cm=4000, mtu_bytes=9216, cell_bytes=254) == 380 * 254


def test_spectrum_worked_example() -> None:
    # 1024 + (9216 + 20202 + 819 + 57920 + 6000) x 3, rounded up to 1024
    headroom = plan(SPECTRUM_4)
    assert (headroom.headroom_bytes, headroom.xon_bytes, headroom.size_bytes) == (283648, 19456, 303104)
    assert headroom.xon_offset_bytes is None
    assert terms(headroom)["cell occupancy"] == "3"
    assert terms(headroom)["active bound"] == "vendor's formula"


def test_spectrum_doubles_xon_on_eight_lanes() -> None:
    narrow, wide = plan(SPECTRUM_4, lanes_of_port=4), plan(SPECTRUM_4, lanes_of_port=8)
    assert wide.headroom_bytes == narrow.headroom_bytes
    assert wide.xon_bytes == 2 * narrow.xon_bytes
    assert wide.size_bytes == wide.headroom_bytes + wide.xon_bytes + 9216


def test_cells_keep_headroom_outside_the_guarantee() -> None:
    headroom = plan(TOMAHAWK_5)
    assert headroom.headroom_bytes == 1756 * 254
    assert (headroom.size_bytes, headroom.xon_bytes, headroom.xon_offset_bytes) == (18796, 0, 3556)


def test_basis_leads_to_the_inventory_line() -> None:
    lengths = [term for term in plan(SPECTRUM_4).basis.terms if term.name == "cable length"]
    assert [(term.value, term.unit, term.origin) for term in lengths] == [("40", "m", SERVER_CABLES)]


@pytest.mark.parametrize(
    "asic",
    [
        SPECTRUM_4.model_copy(
            update={
                "cell_bytes": 64,
                "headroom": SPECTRUM_FACTS.model_copy(update={"small_packet_percent": 0, "tile_bytes_per_gbps": 0}),
            }
        ),
        TOMAHAWK_5.model_copy(update={"headroom": CELL_FACTS.model_copy(update={"fixed_wire_bytes": {400: 84}})}),
    ],
    ids=["spectrum", "cells"],
)
def test_physics_wins_over_a_formula_that_is_too_small(asic: Asic) -> None:
    headroom = plan(asic, length_cm=100)
    assert headroom.headroom_bytes >= headroom.minimum_bytes
    assert terms(headroom)["active bound"] == "physical minimum"
    assert terms(headroom)["vendor's formula"] < terms(headroom)["physical minimum"]  # type: ignore[operator]


def test_unknown_chip_is_refused_at_its_origin() -> None:
    with pytest.raises(HeadroomUnknownError, match="Mystery") as caught:
        plan(UNKNOWN_CHIP)
    assert caught.value.origin is SERVER_CABLES
    assert "headroom" in caught.value.remedy


@pytest.mark.parametrize(("asic", "speed_gbps"), [(SPECTRUM_4, 1600), (TOMAHAWK_5, 1600), (TOMAHAWK_5, 50)])
def test_speed_without_figures_is_refused(asic: Asic, speed_gbps: int) -> None:
    with pytest.raises(HeadroomUnknownError, match=f"{speed_gbps}G") as caught:
        plan(asic, speed_gbps=speed_gbps)
    assert caught.value.numbers == {"speed_gbps": speed_gbps}
    assert "400G" in caught.value.remedy


@given(chips, speeds, lengths_cm, mtus, lanes)
def test_never_below_physics_and_always_whole_units(
    asic: Asic, speed_gbps: int, length_cm: int, mtu_bytes: int, lanes_of_port: int
) -> None:
    headroom = plan(asic, speed_gbps, length_cm, mtu_bytes, lanes_of_port)
    assert headroom.headroom_bytes >= minimum_headroom(speed_gbps=speed_gbps, length_cm=length_cm, mtu_bytes=mtu_bytes)
    assert headroom.headroom_bytes % UNIT_BYTES[asic.id] == 0
    assert headroom.size_bytes % UNIT_BYTES[asic.id] == 0


@given(chips, speeds, lengths_cm, st.integers(0, 50_000), mtus)
def test_grows_with_length(asic: Asic, speed_gbps: int, length_cm: int, more_cm: int, mtu_bytes: int) -> None:
    longer = plan(asic, speed_gbps, length_cm + more_cm, mtu_bytes)
    assert longer.headroom_bytes >= plan(asic, speed_gbps, length_cm, mtu_bytes).headroom_bytes


@given(chips, speeds, lengths_cm, mtus, st.integers(0, 7716))
def test_grows_with_mtu(asic: Asic, speed_gbps: int, length_cm: int, mtu_bytes: int, more_bytes: int) -> None:
    larger = plan(asic, speed_gbps, length_cm, mtu_bytes + more_bytes)
    assert larger.headroom_bytes >= plan(asic, speed_gbps, length_cm, mtu_bytes).headroom_bytes


@given(lengths_cm, mtus)
def test_grows_with_speed(length_cm: int, mtu_bytes: int) -> None:
    for asic, table in ((SPECTRUM_4, sorted(PAUSE_QUANTA)), (TOMAHAWK_5, SPEEDS)):
        found = [plan(asic, speed_gbps, length_cm, mtu_bytes).headroom_bytes for speed_gbps in table]
        assert found == sorted(found)


@pytest.mark.parametrize("asic", [SPECTRUM_4, TOMAHAWK_5])
def test_catalog_chips_plan_as_these_do(asic: Asic) -> None:
    catalog = load_catalog()
    for speed_gbps in SPEEDS:
        for length_m in (5, 40, 300):
            ours = plan(asic, speed_gbps, length_m * 100)
            theirs = plan(catalog.asics[asic.id], speed_gbps, length_m * 100)
            assert theirs.headroom_bytes == ours.headroom_bytes
            assert theirs.size_bytes == ours.size_bytes

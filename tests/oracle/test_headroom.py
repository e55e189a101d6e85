"""Headroom against figures that are not ours.

``sonic_headroom_tables.csv`` holds rows of ``pg_profile_lookup.ini`` files that SONiC ships (below ``device/`` of
sonic-net/sonic-buildimage, commit in the last column), ``sonic_headroom_script.csv`` what SONiC's own script
``cfgmgr/buffer_headroom_mellanox.lua`` (sonic-net/sonic-swss e6b0c5b5d2ab) prints for Spectrum-4 when run by Lua 5.1
with the constants of ``asic_table.j2``, 100 % small packets and a lossless MTU of 1024.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from fabricgen.core.units import bytes_on_cable, ceil_div, round_up
from fabricgen.planning.headroom import (
    cell_occupancy,
    minimum_headroom,
    peer_response_bytes,
    plan_headroom,
    small_packet_share,
    spectrum_xoff_bytes,
    worst_cell_factor,
)
from tests.planning.chips import SPECTRUM_4, SPECTRUM_FACTS, TOMAHAWK_5

DATA = Path(__file__).parent / "data"
MTU_BYTES = 9216


@dataclass(frozen=True)
class Row:
    sku: str
    cell_bytes: int
    speed_gbps: int
    cable_m: int
    size_bytes: int
    xon_bytes: int
    xon_offset_bytes: int | None
    xoff_bytes: int

    @property
    def key(self) -> tuple[str, int, int]:
        return (self.sku, self.speed_gbps, self.cable_m)


@cache
def rows() -> tuple[Row, ...]:
    with (DATA / "sonic_headroom_tables.csv").open(newline="") as file:
        return tuple(
            Row(
                sku=row["sku"],
                cell_bytes=int(row["cell_bytes"]),
                speed_gbps=int(row["speed_gbps"]),
                cable_m=int(row["cable_m"]),
                size_bytes=int(row["size_bytes"]),
                xon_bytes=int(row["xon_bytes"]),
                xon_offset_bytes=int(row["xon_offset_bytes"]) if row["xon_offset_bytes"] else None,
                xoff_bytes=int(row["xoff_bytes"]),
            )
            for row in csv.DictReader(file)
        )


def table(sku: str) -> list[Row]:
    found = [row for row in rows() if row.sku == sku]
    assert found
    return found


def below_flight(row: Row) -> bool:
    """Return whether a row keeps less than what is in flight on its own cable: no switch can work so."""
    return row.xoff_bytes < 2 * bytes_on_cable(row.speed_gbps, row.cable_m * 100)


# --- SONiC's script


def test_spectrum_is_what_sonics_script_computes() -> None:
    with (DATA / "sonic_headroom_script.csv").open(newline="") as file:
        runs = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(file)]
    assert len(runs) == 162
    for run in runs:
        headroom = plan_headroom(
            SPECTRUM_4,
            speed_gbps=run["speed_gbps"],
            lanes=run["lanes"],
            length_cm=run["cable_m"] * 100,
            mtu_bytes=run["mtu_bytes"],
        )
        expected = (run["xoff_bytes"], run["xon_bytes"], run["size_bytes"])
        assert (headroom.headroom_bytes, headroom.xon_bytes, headroom.size_bytes) == expected, run


# --- shipped tables


def test_sn5600_table() -> None:
    differing = {}
    for row in table("ACS-SN5600"):
        headroom = plan_headroom(
            SPECTRUM_4,
            speed_gbps=row.speed_gbps,
            lanes=8 if row.speed_gbps == 800 else 4,
            length_cm=row.cable_m * 100,
            mtu_bytes=MTU_BYTES,
        )
        assert (headroom.headroom_bytes, headroom.xon_bytes) == (row.xoff_bytes, row.xon_bytes)
        if headroom.size_bytes != row.size_bytes:
            differing[row.speed_gbps, row.cable_m] = headroom.size_bytes - row.size_bytes
    # Here the shipped size is not the rounded sum of its own row's xon and xoff (and MTU on eight lanes).
    assert differing == {(40, 5): 1024, (800, 5): 1024, (800, 300): 1024}


def test_sn5600_sizes_come_from_a_shorter_mac_delay() -> None:
    """The shipped sizes follow from 0.8 kB of 1000 instead of 0.8 KB of 1024, rounded once: that explains all 24."""
    for row in table("ACS-SN5600"):
        wide = row.speed_gbps == 800
        cable = Fraction(2 * 10**9 * row.speed_gbps * row.cable_m, 8 * 198 * 10**6)
        in_flight = MTU_BYTES + cable + 800 + peer_response_bytes(row.speed_gbps) + 15 * row.speed_gbps
        exact = 1024 + 3 * in_flight + row.xon_bytes + (MTU_BYTES if wide else 0)
        assert round_up(ceil_div(exact.numerator, exact.denominator), 1024) == row.size_bytes


@dataclass(frozen=True)
class Variant:
    """The constants of a table's time, where they are not those of today's script."""

    sku: str
    small_percent: int
    lossless_mtu_bytes: int
    by_bytes: bool = True
    whole_cells: bool = True
    tile_bytes_per_gbps: int = 0
    old_peer: bool = False

    def xoff_bytes(self, row: Row, mtu_bytes: int = MTU_BYTES) -> int:
        """Return the headroom of a row by the formula with these constants."""
        factor = worst_cell_factor(row.cell_bytes)
        if self.whole_cells:
            factor = Fraction(ceil_div(factor.numerator, factor.denominator))
        if self.by_bytes:
            share = small_packet_share(self.small_percent, self.lossless_mtu_bytes)
        else:
            share = Fraction(self.small_percent, 100)
        facts = SPECTRUM_FACTS.model_copy(
            update={
                "tile_bytes_per_gbps": self.tile_bytes_per_gbps,
                "lossless_mtu_bytes": self.lossless_mtu_bytes,
            }
        )
        return spectrum_xoff_bytes(
            facts,
            cell_occupancy(share, factor),
            speed_gbps=row.speed_gbps,
            length_cm=row.cable_m * 100,
            mtu_bytes=mtu_bytes,
            peer_bytes=facts.peer_response_bytes if self.old_peer else peer_response_bytes(row.speed_gbps),
        )


SN5600_C256S1 = Variant("Mellanox-SN5600-C256S1", 50, 4096, tile_bytes_per_gbps=15)


@pytest.mark.parametrize(
    ("variant", "differing_m"),
    [
        # Of before the standard's response times, 3.8 KB for every speed, and before cells were counted whole.
        (Variant("ACS-MSN2700", 100, 1024, whole_cells=False, old_peer=True), None),
        (Variant("ACS-MSN3700", 100, 1024, whole_cells=False, old_peer=True), None),
        (Variant("ACS-MSN4700", 100, 1024, whole_cells=False, old_peer=True), None),
        # Half as many small packets; the rows of 2000 m are faulty, see below.
        (Variant("Mellanox-SN2700", 50, 1024, by_bytes=False, whole_cells=False, old_peer=True), 2000),
        # The standard's response times.
        (Variant("Mellanox-SN4600C-C64", 50, 1024, by_bytes=False, whole_cells=False), 2000),
        (Variant("Mellanox-SN4600C-D24C52", 50, 1024, whole_cells=False), None),
        (Variant("Mellanox-SN5600-V256", 50, 4096, by_bytes=False, tile_bytes_per_gbps=15), None),
        (Variant("Mellanox-SN5640-C512S2", 50, 4096, tile_bytes_per_gbps=15), None),
        # The rows of 1000 m have another port MTU, see below.
        (SN5600_C256S1, 1000),
    ],
    ids=lambda value: value.sku if isinstance(value, Variant) else None,
)
def test_other_spectrum_tables(variant: Variant, differing_m: int | None) -> None:
    """The formula is right: other tables come out with the constants of their time.

    Which constants those are was found by trying, so this is strong but not independent evidence.
    """
    differing = {row.key for row in table(variant.sku) if variant.xoff_bytes(row) != row.xoff_bytes}
    assert differing == {row.key for row in table(variant.sku) if row.cable_m == differing_m}


def test_sn5600_c256s1_rows_of_1000_m_are_for_a_port_mtu_of_1024() -> None:
    found = [row for row in table(SN5600_C256S1.sku) if row.cable_m == 1000]
    assert len(found) == 8
    assert [SN5600_C256S1.xoff_bytes(row, 1024) for row in found] == [row.xoff_bytes for row in found]


def test_tomahawk_5_table() -> None:
    found = [row for row in table("Dell-Z9864f-O64") if row.speed_gbps >= 100]
    assert len(found) == 12
    for row in found:
        headroom = plan_headroom(
            TOMAHAWK_5, speed_gbps=row.speed_gbps, lanes=8, length_cm=row.cable_m * 100, mtu_bytes=MTU_BYTES
        )
        assert headroom.headroom_bytes == row.xoff_bytes
        assert (headroom.xon_bytes, headroom.xon_offset_bytes, headroom.size_bytes) == (
            row.xon_bytes,
            row.xon_offset_bytes,
            row.size_bytes,
        )


def test_arista_tomahawk_5_table_differs_by_its_fixed_part() -> None:
    """At 300 m Arista has Dell's rows; its shorter ones are within a few percent, at 400G the same for 5 m and 30 m."""
    found = [row for row in table("Arista-7060X6-64PE-B-P32O64") if row.speed_gbps in (400, 800)]
    assert {row.cable_m for row in found} >= {5, 30, 300}
    for row in found:
        ours = plan_headroom(
            TOMAHAWK_5, speed_gbps=row.speed_gbps, lanes=8, length_cm=row.cable_m * 100, mtu_bytes=MTU_BYTES
        ).headroom_bytes
        if row.cable_m == 300:
            assert row.xoff_bytes == ours
        assert 0.98 < row.xoff_bytes / ours < 1.09


@pytest.mark.parametrize("speed_gbps", [400, 800])
def test_nokia_tomahawk_5_table_counts_on_larger_packets(speed_gbps: int) -> None:
    """Nokia takes a cell for some 200 bytes on the wire where Dell takes one for 84, so its rows are smaller."""
    found = {row.cable_m: row.xoff_bytes for row in table("Nokia-IXR7220-H5-64O") if row.speed_gbps == speed_gbps}
    wire_bytes = 2 * (bytes_on_cable(speed_gbps, 30_000) - bytes_on_cable(speed_gbps, 500))
    assert 190 < wire_bytes / ((found[300] - found[5]) / 254) < 215
    for cable_m, xoff_bytes in found.items():
        ours = plan_headroom(TOMAHAWK_5, speed_gbps=speed_gbps, lanes=8, length_cm=cable_m * 100, mtu_bytes=MTU_BYTES)
        assert ours.minimum_bytes <= xoff_bytes < ours.headroom_bytes


# --- physics


def test_ours_is_never_below_physics_where_vendors_have_rows() -> None:
    for row in rows():
        for asic in (SPECTRUM_4, TOMAHAWK_5):
            if asic is TOMAHAWK_5 and row.speed_gbps < 100:
                continue
            headroom = plan_headroom(
                asic, speed_gbps=row.speed_gbps, lanes=4, length_cm=row.cable_m * 100, mtu_bytes=MTU_BYTES
            )
            assert headroom.headroom_bytes >= minimum_headroom(
                speed_gbps=row.speed_gbps, length_cm=row.cable_m * 100, mtu_bytes=MTU_BYTES
            )


def test_faulty_vendor_rows_are_recognised() -> None:
    assert {row.key for row in rows() if below_flight(row)} == {
        *(("Mellanox-SN2700", speed, 2000) for speed in (25, 40, 50, 100)),
        *(("Mellanox-SN4600C-C64", speed, 2000) for speed in (40, 50, 100)),
        ("Mellanox-SN4700-O32", 400, 1500),
        ("Mellanox-SN4700-O32", 400, 2000),
    }


def test_tables_of_the_chips_that_we_plan_for_are_above_physics() -> None:
    for row in (*table("ACS-SN5600"), *table("Dell-Z9864f-O64"), *table("DellEMC-Z9664f-O64")):
        assert row.xoff_bytes >= minimum_headroom(
            speed_gbps=row.speed_gbps, length_cm=row.cable_m * 100, mtu_bytes=MTU_BYTES, cell_bytes=row.cell_bytes
        )

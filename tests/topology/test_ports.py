from __future__ import annotations

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.topology.ports import capacity, divide, make_port, speeds_gbps, split_for

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("switch", "speed", "ports"),
    [
        ("qm9700", 400, 64),
        ("qm9700", 200, 128),
        ("sn5600", 800, 64),
        ("sn5600", 400, 128),
        ("sn5600", 200, 256),
        ("sn5600", 100, 256),  # an 8-way split takes the neighbouring cage
        ("sn5600", 50, 0),
        ("micas-m2-w6940-64oc", 400, 128),
        ("arista-7060x6-64pe", 800, 64),
    ],
)
def test_capacity_is_what_the_chip_serves(switch: str, speed: int, ports: int) -> None:
    assert capacity(CATALOG.switches[switch], speed) == ports


def test_speeds_fastest_first() -> None:
    assert speeds_gbps(CATALOG.switches["qm9700"]) == (400, 200)


@pytest.mark.parametrize(
    ("switch", "down", "up", "ratio", "down_capacity", "up_capacity"),
    [
        ("qm9700", 400, 400, (1, 1), 32, 32),
        ("qm9700", 400, 400, (3, 1), 48, 16),
        ("sn5600", 400, 400, (1, 1), 64, 64),
        ("sn5600", 400, 800, (1, 1), 64, 32),
        ("sn5600", 200, 800, (1, 1), 128, 32),
    ],
)
def test_a_leaf_divides_by_its_oversubscription(
    switch: str, down: int, up: int, ratio: tuple[int, int], down_capacity: int, up_capacity: int
) -> None:
    halves = divide(CATALOG.switches[switch], down, up, ratio)
    assert halves is not None
    assert (halves.down_capacity, halves.up_capacity) == (down_capacity, up_capacity)
    assert halves.down_capacity * down * ratio[1] <= halves.up_capacity * up * ratio[0]


def test_the_chips_limit_holds_across_both_halves() -> None:
    halves = divide(CATALOG.switches["sn5600"], 200, 200, (1, 1))
    assert halves is not None
    assert halves.down_capacity + halves.up_capacity <= 256


def test_ports_are_labelled_as_on_the_box() -> None:
    switch = CATALOG.switches["qm9700"]
    split = split_for(switch, 400)
    assert split is not None
    last = make_port("leaf-01", split, 16, 31, 33)
    assert (last.cage, last.leg, last.legs, last.number, last.label) == (32, 2, 2, 64, "32/2")
    whole = split_for(CATALOG.switches["sn5600"], 800)
    assert whole is not None
    assert make_port("leaf-01", whole, 32, 0, 65).label == "33"

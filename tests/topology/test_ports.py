from __future__ import annotations

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.catalog.models import Pipeline
from fabricgen.topology.ports import capacity, divide, speeds_gbps, whole_switch

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
    assert (halves.down.capacity, halves.up.capacity) == (down_capacity, up_capacity)
    assert halves.down.capacity * down * ratio[1] <= halves.up.capacity * up * ratio[0]


def test_the_chips_limit_holds_across_both_halves() -> None:
    halves = divide(CATALOG.switches["sn5600"], 200, 200, (1, 1))
    assert halves is not None
    assert halves.down.capacity + halves.up.capacity <= 256


def test_ports_are_labelled_as_on_the_box() -> None:
    halves = divide(CATALOG.switches["qm9700"], 400, 400, (1, 1))
    assert halves is not None
    last = halves.up.port("leaf-01", 31)
    assert (last.cage, last.leg, last.legs, last.number, last.label) == (32, 2, 2, 64, "32/2")
    whole = whole_switch(CATALOG.switches["sn5600"], 800)
    assert whole is not None
    assert whole.port("leaf-01", 32).label == "33"


def test_a_pipeline_limits_the_cages_of_its_own() -> None:
    switch = CATALOG.switches["sn5600"]
    cages = switch.data_cages[0].numbers
    pairs = [Pipeline(cages=cages[first : first + 2], max_ports=10) for first in range(0, len(cages), 2)]
    limited = switch.model_copy(update={"pipelines": tuple(pairs), "max_logical_ports": 320})
    assert capacity(limited, 800) == 64, "two ports of each pair"
    assert capacity(limited, 200) == 8 * 32, "two times four of ten"
    assert capacity(limited.model_copy(update={"pipelines": ()}), 200) == 256

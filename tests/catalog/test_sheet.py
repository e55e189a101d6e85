"""A catalog entry as a sheet."""

from __future__ import annotations

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.catalog.sheet import Line, sheet

CATALOG = load_catalog()


def by_figure(key: str, kind: str = "switches") -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in sheet(getattr(CATALOG, kind)[key]):
        found.setdefault(line.figure, []).append(line)
    return found


def test_a_figure_has_its_own_source_before_the_entrys() -> None:
    lines = by_figure("sn2201")
    assert lines["weight_kg"] == [Line("weight_kg", "7.41", ("netbox",))]
    assert lines["power_supplies"] == [Line("power_supplies", "2", ("sonic",))]


def test_the_source_of_a_part_is_that_of_the_whole_unless_it_has_its_own() -> None:
    lines = by_figure("spectrum-4", "asics")
    assert lines["headroom.mac_phy_delay_bytes"][0].sources == ("sonic-asic-table", "sonic-buffer-manager")
    assert lines["headroom.small_packet_percent"][0].sources == ("sonic",)


def test_what_is_not_known_is_said_and_has_no_source() -> None:
    line = by_figure("sn5600")["latency_ns"][0]
    assert line == Line("latency_ns", "unknown", ())
    assert not line.known


def test_what_is_left_at_its_default_is_not_shown() -> None:
    assert "extra_internal_ports" not in by_figure("sn5600")
    assert "extra_internal_ports" in by_figure("qm9700")


@pytest.mark.parametrize(
    ("key", "kind", "figure", "values"),
    [
        (
            "sn5600",
            "switches",
            "cages",
            [
                (
                    "1-64: OSFP, 8 lanes, 1x800G; splits 2x400G, 4x200G, 8x100G (the next cage stays dark); "
                    "optics up to 18 W"
                ),
                "65: SFP28, 1 lane, 1x25G; service",
            ],
        ),
        ("qfx5230-64cd", "switches", "cages", ["1-64: QSFP-DD, 8 lanes, 1x400G; splits unknown"]),
        (
            "qfx5240-64od",
            "switches",
            "cages",
            ["1-64: OSFP, 8 lanes, 1x800G; splits 2x400G; further splits unknown"],
        ),
        ("celestica-ds5000", "switches", "pipelines", ["32 of 2 cages with 10 ports each"]),
        (
            "sn5400",
            "switches",
            "sonic.ports",
            ["66 cages, from Ethernet0 on lanes 0-7 to Ethernet520 on lane 520"],
        ),
        ("ndr-dac", "cables", "near.top", ["finned"]),
        ("ndr-dac", "cables", "lengths_cm", ["50, 100, 150, 200"]),
        ("dgx-h100", "servers", "adapters.storage.adapter", ["connectx-7-2p400"]),
    ],
)
def test_values_are_in_words(key: str, kind: str, figure: str, values: list[str]) -> None:
    assert [line.value for line in by_figure(key, kind)[figure]] == values


def test_each_port_of_a_map_has_a_line() -> None:
    lines = by_figure("dgx-h100", "servers")["adapters.compute.map"]
    assert len(lines) == 8
    assert lines[1].value == "GPU 1, OSFP3 P2, 40:00.0, mlx5_3, ibp64s0"


def test_figures_that_a_part_cannot_have_are_not_called_unknown() -> None:
    assert "lengths_cm" not in by_figure("ndr-sr-twin", "cables")
    assert "reach_split_m" not in by_figure("ndr-dac", "cables")
    assert by_figure("ndr-dac-4-osfp", "cables")["lengths_cm"][0].value == "unknown"


@pytest.mark.parametrize("kind", ["switches", "asics", "adapters", "servers", "cables"])
def test_every_known_figure_has_a_source(kind: str) -> None:
    for entry in getattr(CATALOG, kind).values():
        for line in sheet(entry):
            assert line.known == bool(line.sources)
            assert line.value

"""Finding entries by what they are."""

from __future__ import annotations

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.catalog.query import Query, find, port_count, speeds_gbps, summary

CATALOG = load_catalog()


def ids(query: Query, kind: str | None = None) -> set[str]:
    return {entry.id for _, entry in find(CATALOG, query, kind)}


def test_without_filters_everything_is_found() -> None:
    everything = [*CATALOG.switches, *CATALOG.asics, *CATALOG.adapters, *CATALOG.servers, *CATALOG.cables]
    assert [entry.id for _, entry in find(CATALOG, Query())] == everything


def test_a_vendor_is_found_by_a_part_of_its_name_in_any_case() -> None:
    assert ids(Query(vendor="arIS")) == {key for key in CATALOG.switches if key.startswith("arista-")}


def test_an_operating_system_is_one_of_switches_only() -> None:
    assert ids(Query(nos="cumulus")) == {key for key, switch in CATALOG.switches.items() if "cumulus" in switch.nos}


def test_a_protocol_is_what_one_of_the_ports_speaks() -> None:
    assert ids(Query(protocol="infiniband"), "switch") == {"qm8700", "qm9700", "q3400-ra"}
    assert "connectx-8-2p400" not in ids(Query(protocol="infiniband"), "adapter")
    assert {"dgx-h100", "dgx-b300"} <= ids(Query(protocol="infiniband"), "server")
    assert ids(Query(protocol="ethernet"), "cable") == set(CATALOG.cables)
    assert ids(Query(protocol="ethernet"), "asic") == set()


def test_a_chip_finds_itself_and_its_switches() -> None:
    assert ids(Query(asic="spectrum-4")) == {"spectrum-4", "sn5400", "sn5600", "sn5610"}


def test_filters_add_up() -> None:
    assert ids(Query(nos="sonic", asic="spectrum-4", speed_gbps=800)) == {"sn5600", "sn5610"}


@pytest.mark.parametrize(
    ("key", "speed_gbps", "ports"),
    [
        ("sn5600", None, 64),
        ("sn5600", 400, 128),
        ("sn5600", 200, 256),
        ("sn5600", 100, 256),  # eight from every other cage
        ("sn5600", 25, 0),  # the service port is no data port
        ("celestica-ds5000", 100, 320),  # not 512: the chip serves no more
        ("qm9700", 400, 64),
        ("qm9700", 200, 128),
        ("sn2201", None, 52),
        ("sn2201", 1, 48),
        ("qfx5230-64cd", 400, 64),
    ],
)
def test_ports_of_a_switch_at_a_speed(key: str, speed_gbps: int | None, ports: int) -> None:
    assert port_count(CATALOG.switches[key], CATALOG, speed_gbps) == ports


def test_ports_of_other_kinds() -> None:
    assert port_count(CATALOG.adapters["connectx-8-2p400"], CATALOG) == 2
    assert port_count(CATALOG.servers["dgx-h100"], CATALOG) == 12
    assert port_count(CATALOG.servers["oci-bm-gpu-h100-8"], CATALOG, 200) == 16
    assert port_count(CATALOG.servers["oci-bm-gpu-h100-8"], CATALOG, 400) == 0
    assert port_count(CATALOG.cables["ndr-dac"], CATALOG) == 2
    assert port_count(CATALOG.asics["spectrum-4"], CATALOG) == 0


def test_speeds_by_kind() -> None:
    assert speeds_gbps(CATALOG.switches["sn5400"], CATALOG) == {100, 200, 400}
    assert speeds_gbps(CATALOG.adapters["connectx-8"], CATALOG) == {200, 400, 800}
    assert 800 in speeds_gbps(CATALOG.servers["dgx-b300"], CATALOG)
    assert speeds_gbps(CATALOG.cables["ndr-sr-single"], CATALOG) == {400}
    assert speeds_gbps(CATALOG.asics["spectrum-4"], CATALOG) == frozenset()


def test_a_summary_tells_entries_apart() -> None:
    assert summary(CATALOG.switches["q3400-ra"]) == "72 x 2x800G OSFP twin-port"
    assert summary(CATALOG.switches["sn2201"]) == "48 x 1G RJ45, 4 x 100G QSFP28"
    assert summary(CATALOG.asics["spectrum-4"]) == "51200 Gb/s"
    assert summary(CATALOG.adapters["bluefield-3-b3220"]) == "2 x 200G QSFP112"
    assert summary(CATALOG.servers["dgx-h100"]) == "8 GPUs, 8 compute, 2 storage"
    assert summary(CATALOG.cables["ndr-dac"]) == "cable DAC, 800G, 2 m"

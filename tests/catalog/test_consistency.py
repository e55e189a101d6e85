"""Entries that are valid field by field and still contradict themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen.catalog import load_catalog
from tests.catalog.directories import SERVER, SWITCH, errors, expected, write

TWO_CAGES = SWITCH.format(id="two-cages")

#: By name: what is replaced, by what, and what is then said.
SWITCHES = {
    "a source of no field": (
        "source: [datasheet]",
        "source: [datasheet]\nfield_source: {sonic.lanes: [datasheet], sonic.ports: [datasheet], latency: [datasheet]}",
        """
        switches/two-cages.yaml:28:29: FG115 field_source.sonic.lanes: `sonic.lanes` is not a field that this entry
          gives
            name a field of the entry, or one inside it as `field.inner`
        switches/two-cages.yaml:28:77: FG115 field_source.latency: `latency` is not a field that this entry gives
            name a field of the entry, or one inside it as `field.inner`
        """,
    ),
    "cages that overlap": (
        "first: 3",
        "first: 2",
        """
        switches/two-cages.yaml:8:3: FG115 cages: the cages are not numbered from 1 without gap or overlap
            order the groups and set `first` to the number after the last cage of the group before
        """,
    ),
    "more ports than the chip serves": (
        "max_logical_ports: 4",
        "max_logical_ports: 1",
        """
        switches/two-cages.yaml:10:20: FG115 max_logical_ports: the unsplit cages have 2 ports, the chip serves 1
            correct `max_logical_ports`, `count` or `ports`
        """,
    ),
    "ports that lanes cannot be shared out to": (
        "lanes: 8, speed_gbps: 800, ",
        "lanes: 8, ports: 3, speed_gbps: 800, ",
        """
        switches/two-cages.yaml:8:60: FG115 cages[0].ports: 8 lanes cannot be shared out to 3 ports
            correct `lanes` or `ports`
        switches/two-cages.yaml:10:20: FG115 max_logical_ports: the unsplit cages have 6 ports, the chip serves 4
            correct `max_logical_ports`, `count` or `ports`
        switches/two-cages.yaml:22:19: FG115 sonic.breakout_modes: `3x800G` has no mode
            add its whole name from `platform.json`, or the reason under `unsupported_breakouts`
        switches/two-cages.yaml:22:28: FG115 sonic.breakout_modes.1x800G: no cage is split `1x800G`
            add the split to the cages, or remove it here
        """,
    ),
    "a split that lanes cannot be shared out to": (
        "{ports: 2, speed_gbps: 400}",
        "{ports: 3, speed_gbps: 200}",
        """
        switches/two-cages.yaml:8:82: FG115 cages[0].breakouts[0]: 3x200G: 8 lanes cannot be shared out to 3 ports
            correct `ports`, or the cage's `lanes`
        switches/two-cages.yaml:22:19: FG115 sonic.breakout_modes: `3x200G` has no mode
            add its whole name from `platform.json`, or the reason under `unsupported_breakouts`
        switches/two-cages.yaml:22:52: FG115 sonic.breakout_modes.2x400G: no cage is split `2x400G`
            add the split to the cages, or remove it here
        """,
    ),
    "a split that is faster than the cage": (
        "{ports: 2, speed_gbps: 400}",
        "{ports: 4, speed_gbps: 400}",
        """
        switches/two-cages.yaml:8:82: FG115 cages[0].breakouts[0]: 4x400G needs 1600 Gb/s, the cage has 800 Gb/s
            correct `ports` or `speed_gbps`
        switches/two-cages.yaml:22:19: FG115 sonic.breakout_modes: `4x400G` has no mode
            add its whole name from `platform.json`, or the reason under `unsupported_breakouts`
        switches/two-cages.yaml:22:52: FG115 sonic.breakout_modes.2x400G: no cage is split `2x400G`
            add the split to the cages, or remove it here
        """,
    ),
    "a cage that SONiC does not know": (
        "    - Ethernet16 17\n",
        "",
        """
        switches/two-cages.yaml:24:5: FG115 sonic.ports: 2 cages here, 3 in `cages`, service cages included
            list every cage of `platform.json` once, in the order of the front panel
        """,
    ),
    "a lane of two cages": (
        "Ethernet8 1-8",
        "Ethernet8 9-16",
        """
        switches/two-cages.yaml:25:7: FG115 sonic.ports[1]: lane 9 belongs to cage 1 already
            take port and lanes from `platform.json`
        """,
    ),
    "a port of two cages": (
        "Ethernet8 1-8",
        "Ethernet4 1-8",
        """
        switches/two-cages.yaml:25:7: FG115 sonic.ports[1]: port 4 belongs to cage 1 already
            take port and lanes from `platform.json`
        """,
    ),
    "a cage with too few lanes": (
        "Ethernet8 1-8",
        "Ethernet8 1-4",
        """
        switches/two-cages.yaml:25:7: FG115 sonic.ports[1]: 4 lanes here, 8 in `cages`
            take the lanes from `platform.json`
        """,
    ),
    "a split without a mode": (
        ", 2x400G: 2x400G",
        "",
        """
        switches/two-cages.yaml:22:19: FG115 sonic.breakout_modes: `2x400G` has no mode
            add its whole name from `platform.json`, or the reason under `unsupported_breakouts`
        """,
    ),
    "a mode without a split": (
        "{ports: 2, speed_gbps: 400}",
        "",
        """
        switches/two-cages.yaml:22:52: FG115 sonic.breakout_modes.2x400G: no cage is split `2x400G`
            add the split to the cages, or remove it here
        """,
    ),
    "too few names of legs": (
        "  alias:",
        "  leg_names: [a]\n  alias:",
        """
        switches/two-cages.yaml:21:14: FG115 sonic.leg_names: 1 names for up to 2 ports of a cage
            name every port of the widest split
        """,
    ),
    "SONiC on InfiniBand": (
        "protocol: ethernet",
        "protocol: infiniband",
        """
        switches/two-cages.yaml:16:3: FG115 sonic: SONiC runs on Ethernet switches only
            remove `sonic`
        """,
    ),
}

SERVERS = {
    "a GPU without a port": (
        "gpus: 2",
        "gpus: 3",
        """
        servers/two-gpus.yaml:14:7: FG115 adapters.compute.map: not every GPU from 0 to 2 has a port
            give each GPU its nearest port
        """,
    ),
    "a GPU that does not exist": (
        "gpu: 1",
        "gpu: 5",
        """
        servers/two-gpus.yaml:14:7: FG115 adapters.compute.map: not every GPU from 0 to 1 has a port
            give each GPU its nearest port
        """,
    ),
    "a device that is named twice": (
        "mlx5_1",
        "mlx5_0",
        """
        servers/two-gpus.yaml:14:7: FG115 adapters.compute.map: rdma `mlx5_0` is given twice
            correct one of the two
        """,
    ),
    "ports that adapters do not divide by": (
        "count: 2",
        "count: 3",
        """
        servers/two-gpus.yaml:14:7: FG115 adapters.compute.map: 2 ports for 3 adapters
            list every port of every adapter
        """,
    ),
}


def test_the_entries_that_the_cases_change_are_in_order(tmp_path: Path) -> None:
    write(tmp_path, switches__two_cages=TWO_CAGES, servers__two_gpus=SERVER.format(id="two-gpus"))
    catalog = load_catalog(tmp_path)
    assert catalog.switches["two-cages"].sonic is not None
    assert len(catalog.servers["two-gpus"].adapters["compute"].map) == 2


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_must_not_contradict_itself(name: str, tmp_path: Path) -> None:
    old, new, findings = SWITCHES[name]
    assert old in TWO_CAGES
    write(tmp_path, switches__two_cages=TWO_CAGES.replace(old, new))
    assert errors(tmp_path, "switches", "two-cages") == expected(findings)


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_must_not_contradict_itself(name: str, tmp_path: Path) -> None:
    old, new, findings = SERVERS[name]
    server = SERVER.format(id="two-gpus")
    assert old in server
    write(tmp_path, servers__two_gpus=server.replace(old, new))
    assert errors(tmp_path, "servers", "two-gpus") == expected(findings)


def test_a_split_that_sonic_refuses_needs_the_reason_only(tmp_path: Path) -> None:
    entry = TWO_CAGES.replace(", 2x400G: 2x400G", "").replace(
        "  ports:\n", '  unsupported_breakouts: {2x400G: "no mode"}\n  ports:\n'
    )
    write(tmp_path, switches__two_cages=entry)
    sonic = load_catalog(tmp_path).switches["two-cages"].sonic
    assert sonic is not None
    assert sonic.unsupported_breakouts == {"2x400G": "no mode"}


def test_an_unknown_map_of_adapters_contradicts_nothing(tmp_path: Path) -> None:
    entry = SERVER.format(id="two-gpus")
    start, end = entry.index("    map:"), entry.index("source:")
    write(tmp_path, servers__two_gpus=f"{entry[:start]}    map: unknown\n{entry[end:]}")
    assert load_catalog(tmp_path).servers["two-gpus"].adapters["compute"].map == "unknown"

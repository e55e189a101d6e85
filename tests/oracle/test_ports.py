"""Ports of the catalog's switches against SONiC's, Hedgehog's and NetBox's own files.

``make_port_facts`` makes the CSVs; the first line of each is its source.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabricgen.catalog import Switch, breakout_name, load_catalog
from fabricgen.platforms.sonic.ports import port as sonic_port
from tests.oracle.make_port_facts import HEDGEHOG, NETBOX, netbox_rows

DATA = Path(__file__).parent / "data"
CATALOG = load_catalog()

#: Ports that NetBox has and ours has, where its library is wrong: P22.1 and P23.0 are missing from its QM9700.
NETBOX_MISTAKES = {"qm9700": (62, 64)}

#: Aliases that platform.json gives twice: those of the children of the SN4600C's cage 41 are cage 42's.
SONIC_MISTAKES = {("sn4600c", 41): ["etp42a", "etp42b"]}

#: Speed by NetBox's type of port.
GBPS = {
    "1000base-t": 1,
    "10gbase-x-sfpp": 10,
    "25gbase-sfp28": 25,
    "25gbase-x-sfp28": 25,
    "100gbase-x-qsfp28": 100,
    "200gbase-x-qsfp56": 200,
    "400gbase-x-osfp": 400,
    "400gbase-x-qsfpdd": 400,
    "800gbase-osfp800": 800,
    "800gbase-x-osfp": 800,
    "800gbase-x-qsfpdd": 800,
    "infiniband-xdr": 800,
}


def rows(name: str) -> list[dict[str, str]]:
    lines = (DATA / f"{name}_ports.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    return list(csv.DictReader(lines[1:]))


def facts(name: str) -> dict[str, dict[str, dict[str, str]]]:
    """Return by switch and kind of fact, the values by name, in the order of the file."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows(name):
        found.setdefault(row["switch"], {}).setdefault(row["fact"], {})[row["name"]] = row["value"]
    return found


SONIC = facts("sonic")
HEDGEHOG_FACTS = facts("hedgehog")


def splits(switch: Switch) -> dict[str, int]:
    """Return how many cages can be split so, or left whole so, by the split's name."""
    counts: Counter[str] = Counter()
    for group in switch.cages:
        for ports, speed_gbps in {(group.ports, group.speed_gbps)} | {(s.ports, s.speed_gbps) for s in group.breakouts}:
            counts[breakout_name(ports, speed_gbps)] += group.count
    return counts


def test_every_sonic_switch_is_compared() -> None:
    assert set(SONIC) == {key for key, switch in CATALOG.switches.items() if switch.sonic}


@pytest.mark.parametrize("key", SONIC)
def test_names_lanes_and_aliases_are_those_of_platform_json(key: str) -> None:
    switch = CATALOG.switches[key]
    ports = SONIC[key]["port"]
    assert len(ports) == sum(group.count for group in switch.cages)
    for cage, (name, text) in enumerate(ports.items(), start=1):
        index, lanes, *aliases = text.split()
        whole = sonic_port(switch, cage, 0, 1)
        assert (whole.name, str(whole.index)) == (name, index)
        assert f"{whole.lanes[0]}-{whole.lanes[-1]}" == lanes
        group = switch.cage_group(cage)
        assert group is not None
        if group.lanes == 1 or aliases[0] == whole.alias:
            assert whole.alias == aliases.pop(0)
        legs = len(aliases)
        ours = [sonic_port(switch, cage, leg, legs).alias for leg in range(legs)]
        if (key, cage) in SONIC_MISTAKES:
            assert aliases == SONIC_MISTAKES[key, cage] != ours
        else:
            assert ours == aliases


@pytest.mark.parametrize("key", SONIC)
def test_splits_are_modes_of_platform_json(key: str) -> None:
    switch = CATALOG.switches[key]
    assert switch.sonic is not None
    modes = SONIC[key]["mode"]
    for name, mode in switch.sonic.breakout_modes.items():
        assert mode in modes
        assert splits(switch)[name] == int(modes[mode])
    for name in switch.sonic.unsupported_breakouts:
        assert not any(mode == name or mode.startswith((f"{name}[", f"{name}(")) for mode in modes)


@pytest.mark.parametrize("key", HEDGEHOG.values())
def test_pipelines_are_those_of_hedgehog(key: str) -> None:
    switch, found = CATALOG.switches[key], HEDGEHOG_FACTS[key]
    theirs: dict[str, list[int]] = {}
    for cage, text in found["port"].items():
        theirs.setdefault(text.split()[1], []).append(int(cage))
    assert {tuple(cages): int(found["pipeline"][number]) for number, cages in theirs.items()} == {
        pipeline.cages: pipeline.max_ports for pipeline in switch.pipelines
    }


@pytest.mark.parametrize("key", HEDGEHOG.values())
def test_splits_are_among_hedgehogs(key: str) -> None:
    switch, found = CATALOG.switches[key], HEDGEHOG_FACTS[key]
    assert len(found["port"]) == sum(group.count for group in switch.data_cages)
    for group in switch.data_cages:
        for split in group.breakouts:
            offsets = found["split"][breakout_name(split.ports, split.speed_gbps)].split()
            assert offsets == [str(leg * group.lanes // split.ports) for leg in range(split.ports)]


@pytest.mark.parametrize("key", sorted(set(HEDGEHOG.values()) & set(SONIC)))
def test_hedgehog_and_sonic_call_the_cages_alike(key: str) -> None:
    names = [text.split()[0] for text in HEDGEHOG_FACTS[key]["port"].values()]
    assert names == list(SONIC[key]["port"])[: len(names)]


@pytest.mark.parametrize("key", NETBOX.values())
def test_ports_are_as_many_as_netbox_has(key: str) -> None:
    switch = CATALOG.switches[key]
    theirs: Counter[int] = Counter()
    for row in rows("netbox"):
        if row["switch"] == key:
            theirs[GBPS[row["type"]]] += int(row["ports"])
    ours: Counter[int] = Counter()
    for group in switch.data_cages:
        ours[group.speed_gbps] += group.count * group.ports
    service = sum(group.count for group in switch.cages if group.service)
    # The library's speeds of service ports differ (7060X6: 25G, SONiC 10G), and it leaves some out (SN5600).
    others = sum(count for speed_gbps, count in theirs.items() if speed_gbps not in ours)
    assert others in (0, service)
    if key in NETBOX_MISTAKES:
        assert (theirs.total(), ours.total()) == NETBOX_MISTAKES[key]
    else:
        assert {speed_gbps: theirs[speed_gbps] for speed_gbps in ours} == ours


def test_every_netbox_file_is_in_the_facts() -> None:
    assert {(row["device_type"], row["switch"]) for row in rows("netbox")} == set(NETBOX.items())


def test_management_ports_of_netbox_are_not_counted(tmp_path: Path) -> None:
    names = [("eth0", "1000base-t"), ("fnm1", "infiniband-xdr"), ("sw1p1", "infiniband-xdr"), ("mgmt0", "1000base-t")]
    document = {"interfaces": [{"name": name, "type": kind} for name, kind in names]}
    for name in NETBOX:
        file = tmp_path / "device-types" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = io.StringIO()
        YAML(typ="safe").dump(document, text)
        file.write_text(text.getvalue(), encoding="utf-8")
    assert {row[2:] for row in list(netbox_rows(tmp_path))[1:]} == {("infiniband-xdr", 1)}

"""Every entry of the shipped catalog passes the same suite."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from fabricgen.catalog import (
    UNKNOWN,
    CageGroup,
    CellHeadroom,
    SonicSupport,
    SpectrumHeadroom,
    Switch,
    breakout_name,
    check_catalog,
    load_catalog,
)
from fabricgen.catalog.loader import DATA, MODELS, entry_files
from fabricgen.catalog.models import Entry
from fabricgen.core.units import bytes_on_cable, ceil_div

CATALOG = load_catalog()
FILES = [(folder, file.stem) for folder in MODELS for file in entry_files(DATA / folder)]
SWITCHES = list(CATALOG.switches)
SERVERS = list(CATALOG.servers)
CABLES = list(CATALOG.cables)
SONIC_SWITCHES = [key for key, switch in CATALOG.switches.items() if switch.sonic]


def entry(folder: str, key: str) -> Entry:
    found: Entry = getattr(CATALOG, folder)[key]
    return found


def sonic(key: str) -> tuple[Switch, SonicSupport]:
    switch = CATALOG.switches[key]
    assert switch.sonic is not None
    return switch, switch.sonic


def figures(value: Any) -> list[Any]:
    """Return every scalar of an entry."""
    if isinstance(value, dict):
        return [figure for inner in value.values() for figure in figures(inner)]
    if isinstance(value, list | tuple):
        return [figure for inner in value for figure in figures(inner)]
    return [value]


def test_the_catalog_is_in_order() -> None:
    assert check_catalog(DATA) == ()


@pytest.mark.parametrize("key", ["qm9700", "sn5600", "arista-7060x6-64pe", "micas-m2-w6940-64oc"])
def test_the_switches_of_the_documentation_are_there(key: str) -> None:
    assert key in CATALOG.switches


@pytest.mark.parametrize(("folder", "key"), FILES)
def test_an_entry_is_read_by_its_file_name(folder: str, key: str) -> None:
    assert entry(folder, key).id == key


@pytest.mark.parametrize(("folder", "key"), FILES)
def test_every_source_is_a_document(folder: str, key: str) -> None:
    found = entry(folder, key)
    named = [*found.source, *(source for sources in found.field_source.values() for source in sources)]
    for source in named:
        assert CATALOG.sources[source].title
        assert re.match(r"https?://\S+", CATALOG.sources[source].ref)


def test_no_source_is_there_for_nothing() -> None:
    named: set[str] = set()
    for folder, key in FILES:
        found = entry(folder, key)
        named.update(found.source, *found.field_source.values())
    assert set(CATALOG.sources) == named


@pytest.mark.parametrize(("folder", "key"), FILES)
def test_a_field_with_a_source_of_its_own_has_a_figure(folder: str, key: str) -> None:
    found = entry(folder, key)
    for field in found.field_source:
        node: Any = found
        for part in field.split("."):
            assert part in type(node).model_fields
            node = getattr(node, part)
        assert node not in (None, UNKNOWN)


@pytest.mark.parametrize(("folder", "key"), FILES)
def test_what_is_not_known_is_said_so(folder: str, key: str) -> None:
    for text in figures(entry(folder, key).model_dump(exclude={"notes"})):
        assert text not in ("", "?", "-", "n/a", "tbd", "TBD")


@pytest.mark.parametrize("key", SWITCHES)
def test_the_parts_of_a_switch_exist(key: str) -> None:
    switch = CATALOG.switches[key]
    asic = CATALOG.asics[switch.asic]
    whole = sum(group.count * group.ports * group.speed_gbps for group in switch.data_cages)
    assert asic.capacity_gbps == UNKNOWN or whole <= asic.capacity_gbps
    assert (asic.priorities == 0) == (switch.protocol == "infiniband")


@pytest.mark.parametrize("key", SWITCHES)
def test_splits_fit_the_lanes_of_their_cage(key: str) -> None:
    for group in CATALOG.switches[key].cages:
        for split in group.breakouts:
            lane_gbps = group.ports * group.speed_gbps // group.lanes
            assert split.ports > group.ports
            assert group.lanes % split.ports == 0
            assert split.speed_gbps <= lane_gbps * (group.lanes // split.ports)


@pytest.mark.parametrize("key", SWITCHES)
def test_the_chip_serves_every_cage_unsplit_and_the_widest_split_of_some(key: str) -> None:
    switch = CATALOG.switches[key]
    if switch.max_logical_ports == UNKNOWN:
        return
    whole = sum(group.count * group.ports for group in switch.data_cages)
    widest = sum(most_ports(group) for group in switch.data_cages)
    assert whole <= switch.max_logical_ports <= widest


def most_ports(group: CageGroup) -> int:
    """Return the ports of a group whose cages are all split as widely as can be."""
    splits = [group.count // (2 if split.disables_next_cage else 1) * split.ports for split in group.breakouts]
    return max([group.count * group.ports, *splits])


@pytest.mark.parametrize("key", SWITCHES)
def test_pipelines_share_out_the_data_cages_and_the_ports_of_the_chip(key: str) -> None:
    switch = CATALOG.switches[key]
    if not switch.pipelines:
        return
    cages = [number for pipeline in switch.pipelines for number in pipeline.cages]
    assert sorted(cages) == [number for group in switch.data_cages for number in group.numbers]
    assert sum(pipeline.max_ports for pipeline in switch.pipelines) == switch.max_logical_ports


@pytest.mark.parametrize("key", SWITCHES)
def test_service_cages_come_after_the_data_cages(key: str) -> None:
    for before, after in pairwise(CATALOG.switches[key].cages):
        assert before.service <= after.service


@pytest.mark.parametrize("key", SONIC_SWITCHES)
def test_every_cage_has_its_own_lanes(key: str) -> None:
    switch, support = sonic(key)
    lanes: list[int] = []
    for group in switch.cages:
        for number in group.numbers:
            assert len(support.cage(number).lanes) == group.lanes
            lanes += support.cage(number).lanes
    assert len(set(lanes)) == len(lanes)
    assert len(support.ports) == sum(group.count for group in switch.cages)


@pytest.mark.parametrize("key", SONIC_SWITCHES)
def test_every_port_has_its_own_name_alias_and_index(key: str) -> None:
    switch, support = sonic(key)
    names: list[int] = []
    aliases: list[str] = []
    for group in switch.cages:
        legs = max((split.ports for split in group.breakouts), default=group.ports)
        for number in group.numbers:
            first, lanes = support.cage(number)
            names += [first + leg * len(lanes) // legs for leg in range(legs)]
            aliases += [support.alias_of(number, leg, legs) for leg in range(legs)]
            # Arista names a whole cage like its first child.
            aliases += [support.alias_of(number)] * (legs > 1 and not support.legs_by_lane)
    assert len(set(names)) == len(names)
    assert len(set(aliases)) == len(aliases)
    assert [support.index_of(number) for number in (1, 2)] == [support.first_index, support.first_index + 1]


@pytest.mark.parametrize("key", SONIC_SWITCHES)
def test_every_split_has_a_mode_or_a_reason(key: str) -> None:
    switch, support = sonic(key)
    for group in switch.cages:
        for ports, speed in [(group.ports, group.speed_gbps), *((s.ports, s.speed_gbps) for s in group.breakouts)]:
            name = breakout_name(ports, speed)
            assert (name in support.breakout_modes) != (name in support.unsupported_breakouts)
            if name in support.breakout_modes:
                # Below 10G SONiC writes the speed in Mb/s: 1x1000[100,10].
                assert support.breakout_modes[name].startswith((name, f"{ports}x{speed * 1000}["))


@pytest.mark.parametrize("key", SONIC_SWITCHES)
def test_a_sku_names_one_switch(key: str) -> None:
    _, support = sonic(key)
    for sku in support.hwskus:
        found = CATALOG.switch_of_sku(sku)
        assert found is not None
        assert found.id == key


@pytest.mark.parametrize("key", SONIC_SWITCHES)
def test_a_switch_that_looks_headroom_up_has_rows(key: str) -> None:
    switch, support = sonic(key)
    if support.buffer_model == "dynamic":
        assert isinstance(CATALOG.asics[switch.asic].headroom, SpectrumHeadroom)
        return
    # Without rows a lossless plan is refused, so the entry must say that it knows.
    assert support.cable_lengths_m or any("headroom table" in note for note in switch.notes)
    for lengths in support.cable_lengths_m.values():
        assert lengths
        assert list(lengths) == sorted(set(lengths))


@pytest.mark.parametrize("key", CABLES)
def test_a_cable_is_sold_in_lengths_that_it_reaches(key: str) -> None:
    cable = CATALOG.cables[key]
    if cable.lengths_cm != UNKNOWN:
        assert cable.form != "transceiver"
        assert cable.reach_max_m != UNKNOWN
        assert cable.reach_min_m * 100 <= cable.lengths_cm[0]
        assert cable.lengths_cm[-1] <= cable.reach_max_m * 100
    assert (cable.form == "cable") == (cable.medium.endswith("copper") or cable.medium == "active-optical")


@pytest.mark.parametrize("key", CABLES)
def test_a_transceiver_has_a_fibre_that_fits(key: str) -> None:
    cable = CATALOG.cables[key]
    if cable.form != "transceiver" or not cable.far.connector.startswith("MPO"):
        return
    fibres = [
        fibre
        for fibre in CATALOG.cables.values()
        if fibre.form == "fibre" and fibre.medium == cable.medium and fibre.near.connector == cable.far.connector
    ]
    assert {fibre.legs for fibre in fibres} == {1, 2}
    assert cable.legs == cable.ports
    assert cable.far.power_max_w == 0


@pytest.mark.parametrize("key", CABLES)
def test_only_osfp_plugs_have_lids(key: str) -> None:
    cable = CATALOG.cables[key]
    for end in (cable.near, cable.far):
        assert (end.top == "none") == (end.connector != "OSFP")


def test_nothing_of_the_catalog_is_left_over() -> None:
    assert set(CATALOG.asics) == {switch.asic for switch in CATALOG.switches.values()}


@pytest.mark.parametrize("key", SERVERS)
def test_the_adapters_of_a_server_exist_and_have_the_ports_of_its_map(key: str) -> None:
    for adapters in CATALOG.servers[key].adapters.values():
        ports = CATALOG.adapters[adapters.adapter].ports.count * adapters.count
        assert adapters.map == UNKNOWN or len(adapters.map) == ports


@pytest.mark.parametrize("key", SERVERS)
def test_a_complete_map_gives_each_gpu_one_rail(key: str) -> None:
    server = CATALOG.servers[key]
    compute = server.adapters.get("compute")
    if compute is None or compute.map == UNKNOWN:
        assert server.gpu_nic_affinity != "switch-per-pair"
        return
    ports = CATALOG.adapters[compute.adapter].ports.count
    gpus = [port.gpu for port in compute.map]
    if server.gpu_nic_affinity != UNKNOWN:
        assert gpus == [gpu for gpu in range(server.gpus) for _ in range(ports)]
    labels = [port.label for port in compute.map if port.label is not None]
    assert len(labels) in (0, len(compute.map))
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("key", ["dgx-h100", "dgx-h200"])
def test_the_interface_number_of_a_dgx_is_its_pci_bus(key: str) -> None:
    for adapters in CATALOG.servers[key].adapters.values():
        assert adapters.map != UNKNOWN
        for port in adapters.map:
            assert port.pci is not None
            assert port.ifname is not None
            number = re.fullmatch(r"(?:ib|en)p(\d+)s0(?:f[01])?(?:np1)?", port.ifname)
            assert number is not None
            assert int(number[1]) == int(port.pci.split(":")[0], 16)


def test_h100_and_h200_have_the_same_ports() -> None:
    assert CATALOG.servers["dgx-h100"].adapters == CATALOG.servers["dgx-h200"].adapters


#: Headroom rows of Dell-Z9864f-O64 and of Micas M2-W6940-64OC (both Tomahawk 5), bytes by Gb/s and metres;
#: sonic-net/sonic-buildimage 086b03bd70f9, pg_profile_lookup.ini.
TOMAHAWK_5_ROWS = {
    100: {5: 147066, 40: 160274, 300: 258572},
    200: {5: 229362, 40: 255778, 300: 452374},
    400: {5: 393192, 40: 446024, 300: 839216},
    800: {5: 729488, 40: 835406, 300: 1621536},
}


@pytest.mark.parametrize("speed", TOMAHAWK_5_ROWS)
def test_the_cells_of_tomahawk_5_give_the_shipped_rows(speed: int) -> None:
    asic = CATALOG.asics["tomahawk-5"]
    headroom = asic.headroom
    assert isinstance(headroom, CellHeadroom)
    assert isinstance(asic.cell_bytes, int)
    for length_m, shipped_bytes in TOMAHAWK_5_ROWS[speed].items():
        wire_bytes = headroom.fixed_wire_bytes[speed] + 2 * bytes_on_cable(speed, length_m * 100)
        assert ceil_div(wire_bytes, headroom.wire_bytes_per_cell) * asic.cell_bytes == shipped_bytes


#: Headroom rows of ACS-SN5600 (Spectrum-4), same file and commit.
SPECTRUM_4_ROWS = {
    100: {5: 113664, 40: 126976, 300: 225280},
    200: {5: 131072, 40: 157696, 300: 355328},
    400: {5: 231424, 40: 283648, 300: 677888},
    800: {5: 257024, 40: 362496, 300: 1150976},
}

#: Pause quanta of the peer's response by Gb/s, as SONiC's buffer manager has them (IEEE 802.3, annex 31B).
PAUSE_QUANTA = {100: 394, 200: 453, 400: 905, 800: 905}


@pytest.mark.parametrize("speed", SPECTRUM_4_ROWS)
def test_the_constants_of_spectrum_4_give_the_shipped_rows(speed: int) -> None:
    asic = CATALOG.asics["spectrum-4"]
    headroom = asic.headroom
    assert isinstance(headroom, SpectrumHeadroom)
    assert isinstance(asic.cell_bytes, int)
    assert headroom.small_packet_percent == 100
    cells = ceil_div(asic.cell_bytes, 64)
    for length_m, shipped_bytes in SPECTRUM_4_ROWS[speed].items():
        fixed = 9216 + headroom.mac_phy_delay_bytes + PAUSE_QUANTA[speed] * 64 + speed * headroom.tile_bytes_per_gbps
        # Both ways at 198 m per microsecond: 2 x length x Gb/s / 8 / 0.198 bytes.
        cable = 2 * length_m * speed * 1000 / (8 * 198)
        exact = headroom.lossless_mtu_bytes + (fixed + cable) * cells
        assert -(-exact // 1024) * 1024 == shipped_bytes

"""Hypothesis strategies for Subnet Managers that OpenSM would run exactly as they are written."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from fabricgen.device import (
    DeviceModel,
    IbNode,
    IbNodeKind,
    IbPort,
    Membership,
    Partition,
    PartitionMember,
    QosLevel,
    QosPolicy,
    SubnetManager,
    UlpRule,
)
from fabricgen.platforms.opensm.files import PARTS
from fabricgen.platforms.opensm.netlist import FOUR_LANE_GBPS
from fabricgen.platforms.opensm.options import NULL, Option, options
from fabricgen.platforms.opensm.partitions import MEMBER_WORDS

GUIDS = st.integers(1, 2**64 - 1)
#: An adapter's node GUID is one below its port GUID, and neither is zero.
ADAPTER_GUIDS = st.integers(2, 2**64 - 1)
NAMES = st.text("abcXYZ019-_.", min_size=1, max_size=20)
DESCRIPTIONS = st.text("abcXYZ019-_. ()/;:'", min_size=1, max_size=60).map(str.strip).filter(bool)
SPEEDS = st.sampled_from([None, *sorted({gbps for word, gbps in FOUR_LANE_GBPS.items() if word != "FDR10"})])

_FILE_OPTIONS = {part.option: part for part in PARTS if part.option}


@st.composite
def option_values(draw: st.DrawFn, option: Option) -> str:
    """Draw a legal value of an option."""
    draws: dict[str, Any] = {
        "boolean": lambda: st.sampled_from(["TRUE", "FALSE"]),
        "word": lambda: st.sampled_from(option.allowed.split("|")),
        "number": lambda: _numbers(option.allowed),
        "engines": lambda: st.lists(st.sampled_from(option.allowed.split("|")), min_size=1, unique=True).map(",".join),
        "path": lambda: NAMES.map("/etc/opensm/{}".format) | st.just(NULL),
        "text": lambda: NAMES | st.just(NULL),
        "vlarb": lambda: _joined(st.tuples(st.integers(0, 14), st.integers(0, 255)), 1, 64),
        "sl2vl": lambda: st.lists(st.integers(0, 15).map(str), min_size=16, max_size=16).map(",".join),
        "mask": lambda: st.integers(0, 2**256 - 1).map(hex),
        "cct": lambda: _joined(st.tuples(st.integers(0, 3), st.integers(0, 16383)), 1, int(option.allowed)),
        "per_sl": lambda: st.tuples(st.integers(0, 15), _numbers(option.allowed)).map("{0[0]} {0[1]}".format),
    }
    return str(draw(draws[option.kind]()))


def _numbers(ranges: str) -> st.SearchStrategy[str]:
    pairs = [part.partition("..") for part in ranges.split("|")]
    numbers = st.one_of(*[st.integers(int(low), int(high or low)) for low, _, high in pairs])
    return numbers.map(str) | numbers.filter(lambda number: number >= 0).map(hex)


def _joined(pairs: st.SearchStrategy[tuple[int, int]], least: int, most: int) -> st.SearchStrategy[str]:
    return st.lists(pairs.map("{0[0]}:{0[1]}".format), min_size=least, max_size=most).map(",".join)


@st.composite
def option_tables(draw: st.DrawFn) -> dict[str, str]:
    """Draw options by name, without those that name a file of the model."""
    known = [name for name in options() if name not in _FILE_OPTIONS and name != "lmc"]
    names = draw(st.lists(st.sampled_from(known), unique=True, max_size=12))
    return {name: draw(option_values(options()[name])) for name in names}


def guid_tuples(*, least: int = 0) -> st.SearchStrategy[tuple[int, ...]]:
    """Return a strategy for distinct GUIDs in any order."""
    return st.lists(GUIDS, unique=True, min_size=least, max_size=6).map(tuple)


@st.composite
def partitions(draw: st.DrawFn) -> tuple[Partition, ...]:
    """Draw partitions with keys of their own."""
    keys = draw(st.lists(st.integers(1, 0x7FFF), unique=True, min_size=1, max_size=4))
    optional = st.none() | st.sampled_from(Membership)
    found = []
    for pkey in keys:
        guids = draw(guid_tuples())
        words = draw(st.lists(st.sampled_from(MEMBER_WORDS), max_size=3))
        everyone: list[int | str] = [*words, *guids]
        found.append(
            Partition(
                name=draw(st.text("abcXYZ019-_. ", min_size=1, max_size=20).map(str.strip).filter(bool)),
                pkey=pkey,
                members=tuple(PartitionMember(who, draw(optional)) for who in everyone),
                ipoib=draw(st.booleans()),
                default_membership=draw(st.sampled_from(Membership)),
                mtu_code=draw(st.none() | st.integers(1, 5)),
                rate_code=draw(st.none() | st.integers(2, 24)),
                service_level=draw(st.none() | st.integers(0, 15)),
                scope=draw(st.none() | st.integers(1, 15)),
                index0=draw(st.booleans()),
            )
        )
    return tuple(found)


@st.composite
def qos_policies(draw: st.DrawFn) -> QosPolicy:
    """Draw a QoS policy with a default."""
    names = draw(st.lists(NAMES, unique_by=str.lower, max_size=3))
    levels = [
        QosLevel(
            name,
            draw(st.integers(0, 15)),
            mtu_limit=draw(st.none() | st.integers(1, 5)),
            rate_limit=draw(st.none() | st.integers(2, 24)),
            pkey=draw(st.none() | st.integers(1, 0x7FFF)),
        )
        for name in ["DEFAULT", *names]
    ]
    matches = ["default", "sdp", "any, service-id 0x6234", "ipoib, pkey 0x0001", "srp, target-port-guid 0x1-0xff"]
    rules = [UlpRule(match, draw(st.integers(0, 15))) for match in draw(st.lists(st.sampled_from(matches)))]
    return QosPolicy(tuple(levels), tuple(rules))


@st.composite
def subnets(draw: st.DrawFn) -> tuple[IbNode, ...]:
    """Draw switches, adapters and cables between free ports."""
    switch_guids = draw(st.lists(GUIDS, unique=True, min_size=1, max_size=4))
    taken = set(switch_guids)
    free = ADAPTER_GUIDS.filter(lambda guid: guid not in taken and guid - 1 not in taken)
    adapter_guids = draw(st.lists(free, unique=True, max_size=5))
    ports: dict[int, list[IbPort]] = {guid: [] for guid in [*switch_guids, *adapter_guids]}
    numbers = dict.fromkeys(ports, 0)

    def cable(a: int, b: int) -> None:
        numbers[a], numbers[b] = numbers[a] + 1, numbers[b] + 1
        speed = draw(SPEEDS)
        ports[a].append(IbPort(numbers[a], b, numbers[b], speed))
        ports[b].append(IbPort(numbers[b], a, numbers[a], speed))

    for guid in adapter_guids:
        if draw(st.booleans()):
            cable(guid, draw(st.sampled_from(switch_guids)))
    for index, guid in enumerate(switch_guids[1:]):
        for _ in range(draw(st.integers(0, 2))):
            cable(guid, switch_guids[draw(st.integers(0, index))])
    nodes = [
        IbNode(
            guid,
            IbNodeKind.SWITCH if guid in taken else IbNodeKind.ADAPTER,
            draw(DESCRIPTIONS),
            draw(st.integers(max(numbers[guid], 1), 128)) if guid in taken else 1,
            tuple(ports[guid]),
        )
        for guid in ports
    ]
    return tuple(sorted(nodes, key=lambda node: (node.kind, node.guid)))


@st.composite
def subnet_managers(draw: st.DrawFn) -> DeviceModel:
    """Draw the whole device: each part that has a file is there or not, and its option names the file."""
    lmc = draw(st.integers(0, 7))
    table = draw(option_tables()) | {"lmc": str(lmc)}
    guids = draw(guid_tuples())
    fields: dict[str, Any] = {
        "root_guids": draw(st.none() | guid_tuples(least=1)),
        "compute_guids": draw(st.none() | guid_tuples(least=1)),
        "io_guids": draw(st.none() | guid_tuples(least=1)),
        "partitions": draw(st.none() | partitions()),
        "qos_policy": draw(st.none() | qos_policies()),
        "node_names": tuple(sorted((guid, draw(DESCRIPTIONS.filter(lambda name: "#" not in name))) for guid in guids)),
        "lids": tuple(sorted((guid, 128 * (number + 1)) for number, guid in enumerate(guids))),
        "nodes": draw(st.just(()) | subnets()),
    }
    for option, part in _FILE_OPTIONS.items():
        if fields[part.field]:
            folder = draw(st.sampled_from(["/etc/opensm", "/opt/sm"]))
            table[option] = f"{folder}/{draw(st.sampled_from([part.file, f'site-{part.file}']))}"
    return DeviceModel(
        name=draw(st.sampled_from(["subnet-manager", "sm-01"])),
        platform="opensm",
        subnet_manager=SubnetManager(options=tuple(sorted(table.items())), **fields),
    )

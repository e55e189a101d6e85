"""Subnets for the tests of InfiniBand rules, of any size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fabricgen.core.diagnostics import Span
from fabricgen.device import (
    DeviceModel,
    IbNode,
    IbNodeKind,
    IbPort,
    Membership,
    Network,
    NetworkDevice,
    Partition,
    PartitionMember,
    SubnetManager,
)

#: GUIDs of nobody, which are not this program's placeholders either.
ADAPTERS, SWITCHES = 0xA000_0000_0001_0000, 0xA000_0000_0002_0000

MANAGER = "subnet-manager"


def switch(number: int) -> int:
    """Return the GUID of a switch, counted from 0."""
    return SWITCHES + number


def adapter(number: int) -> int:
    """Return the port GUID of an adapter, counted from 0; its node GUID is one below."""
    return ADAPTERS + 2 * number + 1


def subnet(switch_links: Iterable[tuple[int, int]], hosts: Mapping[int, int], speed_gbps: int = 200) -> SubnetManager:
    """Return a subnet with minimal options.

    Args:
        switch_links: links between switches, by number; one that is given twice is two links.
        hosts: how many adapters each switch has.
        speed_gbps: rate of every link.
    """
    ends = [(switch(a), switch(b)) for a, b in switch_links]
    number = 0
    for parent, count in hosts.items():
        ends += [(switch(parent), adapter(number + one)) for one in range(count)]
        number += count
    ports: dict[int, list[IbPort]] = defaultdict(list)
    for a, b in ends:
        at_a, at_b = len(ports[a]) + 1, len(ports[b]) + 1
        ports[a].append(IbPort(at_a, b, at_b, speed_gbps))
        ports[b].append(IbPort(at_b, a, at_a, speed_gbps))
    nodes = [_node(guid, tuple(found)) for guid, found in ports.items()]
    return SubnetManager(
        options=(("routing_engine", "minhop"),),
        partitions=(
            Partition(
                "Default",
                0x7FFF,
                (PartitionMember("ALL", Membership.FULL), PartitionMember("SELF", Membership.FULL)),
            ),
        ),
        nodes=tuple(sorted(nodes, key=lambda node: (node.kind, node.guid))),
    )


def _node(guid: int, ports: tuple[IbPort, ...]) -> IbNode:
    if guid >= SWITCHES:
        return IbNode(guid, IbNodeKind.SWITCH, f"switch-{guid - SWITCHES}", max(len(ports), 40), ports)
    return IbNode(guid, IbNodeKind.ADAPTER, f"gpu-{(guid - ADAPTERS) // 2} HCA-1", 1, ports)


def two_tiers(leaves: int = 2, spines: int = 2, hosts: int = 4, links: int = 1) -> SubnetManager:
    """Return a valid leaf-spine subnet under `ftree`; switches 0 and up are leaves, then come the spines.

    Args:
        leaves: how many.
        spines: how many.
        hosts: adapters on each leaf.
        links: from each leaf to each spine.
    """
    joined = [(leaf, leaves + spine) for leaf in range(leaves) for spine in range(spines) for _ in range(links)]
    plain = subnet(joined, dict.fromkeys(range(leaves), hosts))
    return changed(
        plain,
        options={"routing_engine": "ftree,updn"},
        root_guids=tuple(switch(leaves + spine) for spine in range(spines)),
        compute_guids=tuple(adapter(number) for number in range(leaves * hosts)),
    )


def ring(count: int, hosts: int = 2) -> SubnetManager:
    """Return a ring of switches under `minhop`, with adapters on each."""
    return subnet([(one, (one + 1) % count) for one in range(count)], dict.fromkeys(range(count), hosts))


def changed(manager: SubnetManager, options: Mapping[str, str] | None = None, **fields: Any) -> SubnetManager:
    """Return a Subnet Manager with other fields; options are added to those that it has."""
    merged = tuple(sorted({**dict(manager.options), **(options or {})}.items()))
    return replace(manager, options=merged, **fields)


def network(manager: SubnetManager) -> Network:
    """Return the network of a Subnet Manager, in which every path of its model has a place."""
    device = NetworkDevice(
        MANAGER, None, DeviceModel(MANAGER, "opensm", subnet_manager=manager), None, lambda path: Span("/".join(path))
    )
    return Network("fabric", "infiniband", {MANAGER: device}, ())

"""The subnet itself: identities, rates and the shape of the tree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Note, Severity
from fabricgen.core.guids import format_guid, is_placeholder
from fabricgen.device import IbNode, IbPort
from fabricgen.rules.base import Context, Need, device_path, port_path, rule
from fabricgen.rules.infiniband import Subnet
from fabricgen.rules.majority import disagreements
from fabricgen.rules.uplinks import Uplinks

#: Longest node description (ib_types.h, NodeDescription: 64 bytes).
DESCRIPTION_BYTES = 64

_End = tuple[IbNode, IbPort]


@rule("FG508", "guids-placeholder", Severity.WARNING, "GUIDs that stand in for real ones", Need.SUBNET)
def guids_placeholder(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Roots, GUID lists and partitions of invented GUIDs match nothing on the real fabric.

    A placeholder has the locally administered OUI 02:fa:b0, which no vendor can assign. Source: IEEE, guidelines for
    EUI-64.
    """
    for subnet in ctx.subnets:
        false = sorted(guid for guid in subnet.nodes if is_placeholder(guid))
        if false:
            yield kind.at(
                device_path(subnet.device, "nodes"),
                f"{len(false)} of {len(subnet.nodes)} GUIDs are placeholders: {subnet.names(false)}",
                span=ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(false[0])),
                numbers={"placeholders": len(false), "nodes": len(subnet.nodes)},
                remedy="put the real GUIDs into guids.csv and build again",
            )


@rule("FG510", "ib-link-rate-differs", Severity.ERROR, "a link runs at another rate than its peer, group or plan",
      Need.SUBNET)  # fmt: skip
def link_rate_differs(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """One slow link of a parallel group slows every path that is routed over it, and routing does not see it.

    Links that trained low are mostly bad cables. Source: IBTA volume 2, 5.16 (link training); a public ibnetdiscover
    dump of an EDR fabric with one of twelve uplinks at DDR.
    """
    planned = {(end.device, end.interface): link.speed_gbps for link in ctx.network.links for end in (link.a, link.b)}
    for subnet in ctx.subnets:
        links = [(a, b) for a, b in subnet.links() if a[1].speed_gbps and b[1].speed_gbps]
        pairs = (((a, a[1].speed_gbps or 0), (b, b[1].speed_gbps or 0)) for a, b in links)
        for (end, have), (peer, other) in disagreements(pairs):
            yield _rate(ctx, kind, subnet, end, have, other, f"its peer {_end_path(subnet, peer)} at")
        equal = [(a, b) for a, b in links if a[1].speed_gbps == b[1].speed_gbps]
        slow = {(end[0].guid, end[1].number): usual for end, usual in _slow_parallels(equal)}
        for pair in equal:
            usual = slow.get((pair[0][0].guid, pair[0][1].number))
            end = next((end for end in pair if end[0].guid in subnet.switches), pair[0])
            have = end[1].speed_gbps or 0
            plans = (planned.get((subnet.name(node.guid), str(port.number))) for node, port in pair)
            meant = next((speed for speed in plans if speed is not None), have)
            if usual is not None:
                yield _rate(ctx, kind, subnet, end, have, usual, "the links parallel to it at")
            elif meant != have:
                yield _rate(ctx, kind, subnet, end, have, meant, "its cable is meant for")


def _end_path(subnet: Subnet, end: _End) -> str:
    return port_path(subnet.name(end[0].guid), str(end[1].number))


def _rate(ctx: Context, kind: Kind, subnet: Subnet, end: _End, have: int, other: int, whose: str) -> Diagnostic:
    node, port = end
    return kind.at(
        _end_path(subnet, end),
        f"the link runs at {have} Gb/s, {whose} {other} Gb/s",
        span=ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(node.guid), "ports", str(port.number)),
        numbers={"have_gbps": have, "needed_gbps": other},
        remedy=f"check cable and port of {_end_path(subnet, end)}, and the speed that both ends allow",
    )


def _slow_parallels(links: list[tuple[_End, _End]]) -> Iterator[tuple[_End, int]]:
    """Yield the first ends of links whose rate is not that of most links between the same nodes, and that rate.

    Of two that differ the faster is what both should be.
    """
    groups: dict[tuple[int, int], list[_End]] = defaultdict(list)
    for a, b in links:
        groups[a[0].guid, b[0].guid].append(a)
    for ends in groups.values():
        votes = Counter(port.speed_gbps or 0 for _, port in ends)
        usual = max(votes, key=lambda speed: (votes[speed], speed))
        yield from ((end, usual) for end in ends if end[1].speed_gbps != usual)


def _uplinks(subnet: Subnet) -> Uplinks[int]:
    tiers = subnet.tiers
    pairs = [
        (guid, port.peer_guid)
        for guid, tier in tiers.items()
        for port in subnet.nodes[guid].ports
        if tiers.get(port.peer_guid) == tier + 1
    ]
    return Uplinks.of(pairs, tiers)


@rule("FG511", "ib-uplinks-to-one-spine", Severity.ERROR, "all uplinks of a leaf go to one spine", Need.SUBNET)
def uplinks_to_one_spine(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """The leaf goes down with its spine, and `ftree` refuses a tree whose leaves differ.

    Source: OpenSM, doc/current-routing.txt (fat-tree rules); ACI-Pre-Upgrade-Validation-Script issue 125.
    """
    for subnet in ctx.subnets:
        for leaf, spine, count, choice in _uplinks(subnet).single():
            yield kind.at(
                device_path(subnet.name(leaf)),
                f"{count} uplink{'s' if count != 1 else ''}, all to {subnet.name(spine)}; there are {choice} spines",
                span=ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(leaf)),
                numbers={"uplinks": count, "reached": 1, "available": choice},
                remedy=f"move uplinks of {subnet.name(leaf)} from {subnet.name(spine)} to the other spines",
            )


@rule("FG518", "ib-uplinks-uneven", Severity.WARNING, "a switch has more links to one switch above than to another",
      Need.SUBNET)  # fmt: skip
def uplinks_uneven(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A fat tree wants groups of one size: without a list of roots `ftree` refuses others, with one the load is uneven.

    Source: OpenSM, doc/current-routing.txt (fat-tree rules).
    """
    for subnet in ctx.subnets:
        for lower, fewest, few, most, many in _uplinks(subnet).uneven():
            yield kind.at(
                device_path(subnet.name(lower)),
                f"{few} links to {subnet.name(fewest)} and {many} to {subnet.name(most)}",
                span=ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(lower)),
                numbers={"fewest_links": few, "most_links": many},
                remedy=f"cable {subnet.name(lower)} with the same number of links to every switch of the tier above",
            )


@rule("FG512", "node-description-wrong", Severity.WARNING, "a node description that is too long or not unique",
      Need.SUBNET)  # fmt: skip
def node_description_wrong(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Tools that know nodes by description merge or lose those that share one; the field holds 64 bytes.

    Adapters keep the vendor's text until a host sets its own. Source: ib_types.h (NodeDescription); rdma-core pull
    request 962.
    """
    for subnet in ctx.subnets:
        owners: dict[str, list[IbNode]] = defaultdict(list)
        for node in subnet.manager.nodes:
            owners[node.description].append(node)
        for description, nodes in owners.items():
            length = len(description.encode())
            span = ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(nodes[-1].guid))
            path = device_path(subnet.device, f"nodes[{format_guid(nodes[-1].guid)}]")
            if length > DESCRIPTION_BYTES:
                yield kind.at(
                    path,
                    f"the description has {length} bytes, {DESCRIPTION_BYTES} fit",
                    span=span,
                    numbers={"have_bytes": length, "limit_bytes": DESCRIPTION_BYTES},
                    remedy="shorten the description",
                )
            if len({node.guid for node in nodes}) > 1:
                yield kind.at(
                    path,
                    f"{len(nodes)} nodes are called `{description}`",
                    span=span,
                    related=(
                        ctx.note(format_guid(nodes[0].guid), subnet.device, "subnet_manager", "nodes",
                                 format_guid(nodes[0].guid)),
                    ),
                    numbers={"nodes": len(nodes)},
                    remedy="give every node a description of its own: host name and adapter",
                )  # fmt: skip


@rule("FG513", "guid-of-two-nodes", Severity.ERROR, "two nodes have one GUID", Need.SUBNET)
def guid_of_two_nodes(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """OpenSM does not bring up a subnet in which a GUID occurs twice.

    Source: IBTA volume 1, 4.1; measured on OpenSM 3.3.23 with ibsim, which stayed in discovery.
    """
    for subnet in ctx.subnets:
        counts = Counter(node.guid for node in subnet.manager.nodes)
        for node in subnet.manager.nodes:
            if counts[node.guid] > 1 and node is not subnet.nodes[node.guid]:
                first = subnet.nodes[node.guid]
                yield kind.at(
                    device_path(subnet.device, f"nodes[{format_guid(node.guid)}]"),
                    f"{node.description} has the GUID of {first.description}",
                    span=ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(node.guid)),
                    related=(Note(first.description),),
                    remedy=f"correct the GUID of {node.description}",
                )

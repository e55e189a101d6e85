"""What the routing engine makes of the subnet: credit loops, ranks, and parts that nothing joins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.core.guids import format_guid
from fabricgen.rules.base import Context, Need, and_more, device_path, rule
from fabricgen.rules.infiniband import Subnet
from fabricgen.rules.uplinks import components

#: Engines whose only promise is the shortest path (OpenSM, doc/current-routing.txt). `dor` is left out: on a mesh that
#: is cabled in order it is free of loops, and the order of cabling is not judged here.
SHORTEST_PATH_ENGINES = ("minhop", "sssp")

#: What OpenSM routes with where no engine of the list succeeds (osm_opensm.c).
_FALLBACK = "minhop"

#: Engines whose success or safety is not judged here.
_OTHER_ENGINES = ("dnup", "file", "lash", "dor", "nue", "dfsssp")

_Graph = Mapping[int, Sequence[int]]
_Channel = tuple[int, int]


def _graph(subnet: Subnet) -> _Graph:
    """Return the neighbours of every switch, parallel links once."""
    return {
        guid: tuple({port.peer_guid: None for port in subnet.nodes[guid].ports if port.peer_guid in subnet.switches})
        for guid in sorted(subnet.switches)
    }


def _hops(graph: _Graph, start: Iterable[int]) -> dict[int, int]:
    """Return the distance of every switch that can be reached from the nearest of some."""
    hops = dict.fromkeys((guid for guid in start if guid in graph), 0)
    edge = list(hops)
    while edge:
        fresh = [(peer, hops[guid] + 1) for guid in edge for peer in graph[guid] if peer not in hops]
        hops.update(fresh)
        edge = list(dict.fromkeys(peer for peer, _ in fresh))
    return hops


def _compute_leaves(subnet: Subnet) -> dict[int, int]:
    """Return switches with compute nodes as `ftree` sees them, each with one of these adapters.

    With a list of compute nodes nobody else is one; without it all adapters are, but those of the list of I/O nodes.
    """
    listed, io = subnet.manager.compute_guids, subnet.manager.io_guids or ()
    compute = set(listed) & subnet.adapters if listed is not None else subnet.adapters - set(io)
    return {port.peer_guid: guid for guid in sorted(compute, reverse=True) for port in subnet.nodes[guid].ports}


def _ranks(subnet: Subnet) -> dict[int, int]:
    """Return the rank of each switch with compute nodes, from 0 at the roots; empty where OpenSM guesses the roots."""
    roots = subnet.manager.root_guids or ()
    if not roots or not subnet.switches.issuperset(roots):
        return {}
    hops = _hops(_graph(subnet), roots)
    return {guid: hops[guid] for guid in _compute_leaves(subnet) if guid in hops}


def _ftree_fails(subnet: Subnet) -> bool:
    ranks = set(_ranks(subnet).values())
    compute = subnet.manager.compute_guids
    nobody = compute is not None and not subnet.adapters.intersection(compute)
    return subnet.number("lmc", 0) > 0 or nobody or not ranks or len(ranks) > 1 or 0 in ranks


def _updn_fails(subnet: Subnet) -> bool:
    roots = subnet.manager.root_guids or ()
    return not roots or not subnet.switches.issuperset(roots)


def _has_adjacent_roots(subnet: Subnet) -> bool:
    """Return whether two roots are neighbours: between those there is no up and no down."""
    graph, roots = _graph(subnet), frozenset(subnet.manager.root_guids or ())
    return any(not roots.isdisjoint(graph.get(root, ())) for root in roots)


def _torus_fails(subnet: Subnet) -> bool:
    return not subnet.flag("qos")


_FAILS: Mapping[str, Callable[[Subnet], bool]] = MappingProxyType(
    {"ftree": _ftree_fails, "updn": _updn_fails, "torus-2QoS": _torus_fails}
)


def _router(subnet: Subnet) -> str | None:
    """Return the engine that routes the subnet, None where none does."""
    for engine in subnet.engines:
        fails = _FAILS.get(engine)
        if engine in (*_OTHER_ENGINES, *SHORTEST_PATH_ENGINES) or (fails and not fails(subnet)):
            return engine
    return None if "no_fallback" in subnet.engines else _FALLBACK


def _unsafe_router(subnet: Subnet) -> str | None:
    """Return what routes by shortest paths alone, in words; None where an engine takes care."""
    router, asked = _router(subnet), [engine for engine in subnet.engines if engine != "(null)"]
    if router == "updn" and _has_adjacent_roots(subnet):
        return "`updn` has roots that are neighbours"
    if router not in SHORTEST_PATH_ENGINES:
        return None
    if router in asked or not asked:
        return f"`{router}` routes"
    return f"`{asked[0]}` cannot be relied on, which leaves `{router}`"


def _targets(graph: _Graph, leaves: Sequence[int]) -> dict[_Channel, int]:
    """Return the channels of shortest paths between leaves, each with the leaves it leads to, one bit a leaf.

    All leaves are looked at in one go: the sets of leaves within 0, 1, 2, ... hops of every switch.
    """
    within = dict.fromkeys(graph, 0) | {leaf: 1 << bit for bit, leaf in enumerate(leaves)}
    nearer = {(guid, peer): 0 for guid, peers in graph.items() for peer in peers}
    before = dict.fromkeys(graph, 0)
    while within != before:
        wider = {guid: reduce(or_, (within[peer] for peer in peers), within[guid]) for guid, peers in graph.items()}
        for channel in nearer:
            nearer[channel] |= within[channel[1]] & ~before[channel[1]] & ~within[channel[0]]
        before, within = within, wider
    return _used(graph, leaves, nearer)


def _used(graph: _Graph, leaves: Sequence[int], nearer: Mapping[_Channel, int]) -> dict[_Channel, int]:
    """Return what leads to a leaf on a path that starts at a leaf; another switch sends nothing of its own."""
    passes = dict.fromkeys(graph, 0) | dict.fromkeys(leaves, (1 << len(leaves)) - 1)
    waiting = list(leaves)
    while waiting:
        guid = waiting.pop()
        for peer in graph[guid]:
            more = passes[guid] & nearer[guid, peer] & ~passes[peer]
            if more:
                passes[peer] |= more
                waiting.append(peer)
    return {channel: passes[channel[0]] & found for channel, found in nearer.items() if passes[channel[0]] & found}


def _turns_back(graph: _Graph, targets: Mapping[_Channel, int], tiers: Mapping[int, int]) -> bool:
    """Return whether a path goes down or sideways and then not down; without such turns there is no circle."""
    for guid, peers in graph.items():
        above = [peer for peer in peers if tiers.get(peer, 0) >= tiers.get(guid, 0)]
        arriving = reduce(or_, (targets.get((peer, guid), 0) for peer in above), 0)
        leaving = reduce(or_, (targets.get((guid, peer), 0) for peer in above), 0)
        if arriving & leaving:
            return True
    return False


def _circle(graph: _Graph, targets: Mapping[_Channel, int]) -> list[int]:
    """Return switches along a circle of the channel dependency graph, by a search in depth; empty if there is none.

    A channel depends on the next one where some path takes both (Dally and Seitz, 1987).
    """
    done: set[_Channel] = set()
    for start in targets:
        path = {start: _following(graph, targets, start)} if start not in done else {}
        while path:
            channel, following = next(reversed(path.items()))
            after = next((found for found in following if found not in done), None)
            if after is None:
                done.add(channel)
                del path[channel]
            elif after in path:
                channels = list(path)
                return [guid for guid, _ in channels[channels.index(after) :]]
            else:
                path[after] = _following(graph, targets, after)
    return []


def _following(graph: _Graph, targets: Mapping[_Channel, int], channel: _Channel) -> Iterator[_Channel]:
    guid, wanted = channel[1], targets[channel]
    return ((guid, peer) for peer in graph[guid] if wanted & targets.get((guid, peer), 0))


def _loop(subnet: Subnet) -> list[int]:
    """Return switches whose links can wait for one another in a circle under shortest paths; empty if none can."""
    graph, tiers = _graph(subnet), subnet.tiers
    targets = _targets(graph, [guid for guid, tier in tiers.items() if tier == 1])
    return _circle(graph, targets) if _turns_back(graph, targets, tiers) else []


@rule("FG521", "credit-loop-possible", Severity.ERROR, "links can wait for one another in a circle", Need.SUBNET)
def credit_loop_possible(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Full buffers in a circle of links each wait for the next: traffic stands still, and no error shows.

    Shortest paths are free of it where they go up a tree and then down, and not in a ring. Engines that fail leave the
    subnet to `minhop`. Source: Dally and Seitz (1987); OpenSM, doc/current-routing.txt; measured on rings of four and
    five switches with OpenSM 3.3.23.
    """
    for subnet in ctx.subnets:
        who = _unsafe_router(subnet)
        circle = _loop(subnet) if who else []
        if not circle:
            continue
        shown = " > ".join(subnet.name(guid) for guid in circle[:4])
        rest = f" and {len(circle) - 4} more" if len(circle) > 4 else f" > {subnet.name(circle[0])}"
        yield kind.at(
            device_path(subnet.device, "options[routing_engine]"),
            f"{who}; links can wait in a circle: {shown}{rest}",
            span=ctx.span(subnet.device, "subnet_manager", "options", "routing_engine"),
            related=tuple(
                ctx.note(subnet.name(guid), subnet.device, "subnet_manager", "nodes", format_guid(guid))
                for guid in circle[:4]
            ),
            numbers={"links": len(circle)},
            remedy="use `updn` with a root_guid_file of switches that are not neighbours, or `nue`",
        )


@rule("FG522", "loop-freedom-given-up", Severity.WARNING, "an option that permits routes against the tree",
      Need.SUBNET_MANAGER)  # fmt: skip
def loop_freedom_given_up(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Up, then down, is what keeps `ftree` and `updn` free of credit loops; these options add routes that turn back.

    `connect_roots` joins the roots through lower switches, `max_reverse_hops` the I/O nodes. Source: OpenSM,
    doc/current-routing.txt and the manual; loops from both were measured on OpenSM 3.3.23.
    """
    for subnet in ctx.subnets:
        hops = subnet.number("max_reverse_hops", 0)
        given_up = {
            "connect_roots": subnet.flag("connect_roots") and not {"ftree", "updn"}.isdisjoint(subnet.engines),
            "max_reverse_hops": hops > 0 and "ftree" in subnet.engines and bool(subnet.manager.io_guids),
        }
        for option in (name for name, on in given_up.items() if on):
            value = subnet.manager.option(option)
            yield kind.at(
                device_path(subnet.device, f"options[{option}]"),
                f"`{option} {value}` adds routes that go down and up again",
                span=ctx.span(subnet.device, "subnet_manager", "options", option),
                remedy=f"remove `{option}`, and connect all I/O nodes to switches of one tier"
                if option == "max_reverse_hops"
                else f"remove `{option}`, and run the Subnet Manager on a host below a leaf",
            )


@rule("FG523", "compute-on-several-ranks", Severity.ERROR, "compute nodes at different distances from the roots",
      Need.SUBNET)  # fmt: skip
def compute_on_several_ranks(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """`ftree` wants all compute nodes on switches of one rank, and gives up otherwise; the next engine routes.

    Other hosts may be anywhere once `cn_guid_file` lists the compute nodes. Source: OpenSM, doc/current-routing.txt and
    osm_ucast_ftree.c (AB26).
    """
    for subnet in ctx.subnets:
        ranks = _ranks(subnet) if "ftree" in subnet.engines else {}
        if len(set(ranks.values())) < 2:
            continue
        usual = Counter(ranks.values()).most_common(1)[0][0]
        odd = sorted(guid for guid, rank in ranks.items() if rank != usual)
        adapter = _compute_leaves(subnet)[odd[0]]
        yield kind.at(
            device_path(subnet.device, f"nodes[{format_guid(adapter)}]"),
            f"{subnet.name(adapter)} is a compute node on {subnet.name(odd[0])} of rank {ranks[odd[0]]}; most are on "
            f"rank {usual}",
            span=ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(adapter)),
            numbers={"rank": ranks[odd[0]], "needed_rank": usual, "switches": len(odd)},
            remedy="list only hosts below leaves in cn_guid_file, and the others in io_guid_file",
        )


@rule("FG529", "ftree-on-one-rank", Severity.WARNING, "the fat-tree engine on switches of a single rank", Need.SUBNET)
def ftree_on_one_rank(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """`ftree` needs at least two ranks of switches and gives up otherwise; what routes then is not what was asked for.

    Source: OpenSM, doc/current-routing.txt ("the tree rank should be between two and eight") and the log of OpenSM
    3.3.23 on a single switch.
    """
    for subnet in ctx.subnets:
        if "ftree" in subnet.engines and set(subnet.tiers.values()) == {1}:
            yield kind.at(
                device_path(subnet.device, "options[routing_engine]"),
                "`ftree` fails on this subnet: all of its switches are leaves",
                span=ctx.span(subnet.device, "subnet_manager", "options", "routing_engine"),
                remedy="use `updn`",
            )


@rule("FG524", "subnet-in-parts", Severity.ERROR, "parts of the subnet that no link joins", Need.SUBNET)
def subnet_in_parts(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A Subnet Manager reaches only what it is cabled to: the other part gets no LIDs and carries nothing.

    Fabrics that are separate on purpose need a Subnet Manager and a list of roots each. Source: IBTA volume 1, 14.2.2
    (discovery by directed routes).
    """
    for subnet in ctx.subnets:
        edges = [(a[0].guid, b[0].guid) for a, b in subnet.links()]
        # a node without any link is no part: it is not cabled yet, or the reader has reported its link
        parts = sorted((part for part in components(subnet.nodes, edges) if len(part) > 1), key=len, reverse=True)
        for part in parts[1:]:
            switches = [guid for guid in part if guid in subnet.switches] or part
            first = min(switches)
            yield kind.at(
                device_path(subnet.device, f"nodes[{format_guid(first)}]"),
                f"{subnet.names(switches)} and the adapters below, {len(part)} nodes, have no link to the others",
                span=ctx.span(subnet.device, "subnet_manager", "nodes", format_guid(first)),
                numbers={"nodes": len(part), "parts": len(parts)},
                remedy=f"cable {subnet.name(first)} to the rest, or give it a Subnet Manager of its own",
            )


@rule("FG528", "adapter-in-both-lists", Severity.WARNING, "an adapter is listed as compute and as I/O node",
      Need.SUBNET_MANAGER)  # fmt: skip
def adapter_in_both_lists(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """OpenSM takes an adapter that is in both lists for a compute node: its line in `io_guid_file` does nothing.

    Then it counts for the balance of compute traffic and gets no routes of I/O nodes. Source: OpenSM,
    osm_ucast_ftree.c, where the second list is looked at only for ports that are not in the first.
    """
    for subnet in ctx.subnets:
        both = sorted(set(subnet.manager.compute_guids or ()) & set(subnet.manager.io_guids or ()))
        if not both:
            continue
        label = format_guid(both[0])
        yield kind.at(
            device_path(subnet.device, f"io_guids[{label}]"),
            f"{subnet.name(both[0])}{and_more(len(both) - 1, 'adapter')} {'is' if len(both) == 1 else 'are'} among "
            "the compute nodes too",
            span=ctx.span(subnet.device, "subnet_manager", "io_guids", label),
            related=(ctx.note("compute node", subnet.device, "subnet_manager", "compute_guids", label),),
            numbers={"adapters": len(both)},
            remedy="list each adapter in one of cn_guid_file and io_guid_file",
        )

"""BGP sessions: both ends agree, and every cable carries traffic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Literal

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import Bgp, BgpNeighbor
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, Port, and_more, device_path, rule
from fabricgen.rules.bgp import Side, as_fits, is_external, neighbor_of, policy, sides


def _neighbor_path(device: str, peer: str) -> str:
    return device_path(device, "bgp", f"neighbors[{peer}]")


@rule("FG303", "session-as-wrong", Severity.ERROR, "a BGP neighbour's AS number is not what is expected of it",
      Need.LINKS, Need.BGP)  # fmt: skip
def session_as_wrong(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A BGP speaker refuses a peer whose AS number differs from the configured one; the session never comes up.

    `external` refuses a peer with its own number, `internal` one with another. Where all neighbours of a switch expect
    one other number, the switch is named and not each neighbour. Source: RFC 4271, 6.2 (bad peer AS); FRR,
    bgpd, `remote-as`.
    """
    wrong: dict[str, list[Side]] = defaultdict(list)
    for side in _speakers(ctx):
        if not _fits(side):
            wrong[side.peer.end.device].append(side)
    right = {side.peer.end.device for side in _speakers(ctx) if _fits(side)} if wrong else frozenset()
    for device, found in wrong.items():
        expected = {side.remote_as for side in found}
        observers = {side.port.end.device for side in found}
        if len(observers) > 1 and len(expected) == 1 and device not in right and expected != {None}:
            yield _own_as_wrong(ctx, kind, device, found)
        else:
            yield from (_peer_as_wrong(ctx, kind, side) for side in found)


def _speakers(ctx: Context) -> Iterator[Side]:
    """Yield the ends of cables that have a session."""
    return (side for pair in sides(ctx) for side in pair if side.neighbor is not None)


def _fits(side: Side) -> bool:
    """Return whether the peer has the AS number that an end expects."""
    return as_fits(side.remote_as, side.bgp.asn, side.peer_bgp.asn)


def _own_as_wrong(ctx: Context, kind: Kind, device: str, found: list[Side]) -> Diagnostic:
    side = found[0]
    have, expected = side.peer_bgp.asn, side.remote_as
    return kind.at(
        device_path(device, "bgp"),
        f"its AS number is {have}; {side.port.end.device}{and_more(len(found) - 1, 'neighbour')} expects {expected}",
        span=ctx.span(device, "bgp", "asn"),
        related=(
            ctx.note(f"{side.port.end.device} expects {expected}", side.port.end.device, "bgp", "neighbors",
                     side.neighbor.peer if side.neighbor else ""),
        ),
        numbers={"have_asn": have, **({"needed_asn": expected} if isinstance(expected, int) else {})},
        remedy=f"set the AS number of {device} to {expected}"
        if isinstance(expected, int)
        else f"give {device} an AS number of its own",
    )  # fmt: skip


def _peer_as_wrong(ctx: Context, kind: Kind, side: Side) -> Diagnostic:
    assert side.neighbor is not None
    device, peer, actual, expected = (
        side.port.end.device, side.peer.end.device, side.peer_bgp.asn, side.remote_as,
    )  # fmt: skip
    told = "no remote AS is set" if expected is None else f"`{expected}` is expected"
    same = ", the same as here" if actual == side.bgp.asn else ""
    return kind.at(
        _neighbor_path(device, side.neighbor.peer),
        f"{told}, and {peer} has AS number {actual}{same}",
        span=ctx.span(device, "bgp", "neighbors", side.neighbor.peer),
        related=(ctx.note(f"AS number of {peer}", peer, "bgp", "asn"),),
        numbers={"own_asn": side.bgp.asn, "peer_asn": actual},
        remedy=f"give {device} and {peer} different AS numbers"
        if same
        else f"set the remote AS of {side.neighbor.peer} on {device} to {actual}",
    )


@rule("FG305", "session-one-sided", Severity.ERROR, "a link between switches without a BGP session on both ends",
      Need.LINKS, Need.BGP)  # fmt: skip
def session_one_sided(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A link without a session carries no routed traffic: its bandwidth is paid for and not used.

    A switch of which no BGP configuration was read is one finding, if a peer has a session with it. Source: RFC 4271,
    8.2: a session needs both ends; RFC 7938, 5.2.1: one single-hop session over every link.
    """
    yield from _without_bgp(ctx, kind)
    for pair in sides(ctx):
        missing = [side for side in pair if side.neighbor is None]
        if not missing:
            continue
        side = missing[0]
        device, port = side.port.end.device, side.port.interface.name
        both = len(missing) == 2
        yield kind.at(
            side.port.path,
            f"neither this port nor its peer {side.peer.path} has a BGP neighbour"
            if both
            else f"the peer {side.peer.path} has a BGP session over the link and this end has none",
            span=ctx.span(device, "bgp", "neighbors"),
            remedy=f"configure BGP over {port} on {device}" + (f" and on {side.peer.end.device}" if both else ""),
        )


@rule("FG319", "neighbor-shut-down", Severity.WARNING, "a BGP neighbour is shut down", Need.BGP)
def neighbor_shut_down(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """The session stays down until somebody remembers it, and its link carries nothing meanwhile.

    Source: FRR, bgpd, `neighbor PEER shutdown`.
    """
    for device, model in ctx.models():
        for neighbor in model.bgp.neighbors if model.bgp else ():
            if not neighbor.enabled:
                yield kind.at(
                    _neighbor_path(device.name, neighbor.peer),
                    f"the session with {neighbor.peer} is shut down",
                    span=ctx.span(device.name, "bgp", "neighbors", neighbor.peer, "enabled"),
                    remedy=f"add `no neighbor {neighbor.peer} shutdown` on {device.name} when the work is done",
                )


@rule("FG316", "session-over-unrouted-port", Severity.ERROR, "an unnumbered BGP session over a port without an address",
      Need.LINKS, Need.BGP)  # fmt: skip
def session_over_unrouted_port(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """An unnumbered session runs between the link-local IPv6 addresses of a link, and a port must be told to have one.

    Without an address of either kind the port does not route and the session stays idle. Source: RFC 8950 (IPv4 routes
    with IPv6 next hops); SONiC Configuration schema, INTERFACE table (`ipv6_use_link_local_only`).
    """
    for pair in sides(ctx):
        for side in pair:
            interface = side.port.interface
            unnumbered = side.neighbor is not None and side.neighbor.unnumbered
            if unnumbered and not interface.addresses and not interface.link_local_only:
                yield kind.at(
                    side.port.path,
                    f"BGP runs over the port towards {side.peer.end.device}, and it has no address, not even a "
                    "link-local one",
                    span=ctx.port_span(side.port, "link_local_only"),
                    remedy=f"give {interface.name} link-local IPv6 addressing, or an address",
                )


def _without_bgp(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    waiting: dict[str, list[tuple[Port, BgpNeighbor]]] = defaultdict(list)
    for near, far in ctx.joined_ports:
        for port, peer in ((near, far), (far, near)):
            if peer.model.bgp is None and port.model.bgp is not None:
                neighbor = neighbor_of(port.model.bgp, port, peer)
                if neighbor is not None:
                    waiting[peer.end.device].append((port, neighbor))
    for device, found in waiting.items():
        port, neighbor = found[0]
        other = port.end.device
        yield kind.at(
            device_path(device, "bgp"),
            f"no BGP is configured here; {other} has a session with this switch{and_more(len(found) - 1, 'session')}",
            span=ctx.span(device, "bgp"),
            related=(ctx.note(f"neighbour of {other}", other, "bgp", "neighbors", neighbor.peer),),
            numbers={"sessions": len(found)},
            remedy=f"configure BGP on {device}, or add its routing configuration to what is read",
        )


@rule("FG304", "paths-too-few", Severity.ERROR, "BGP uses fewer equal paths than there are links", Need.LINKS, Need.BGP)
def paths_too_few(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Links beyond `maximum-paths` get no traffic; sessions and routes look right.

    A switch needs as many paths as it has sessions to the tier above, or to one switch below. Source: FRR, bgpd,
    `maximum-paths`; sonic-buildimage pull request 20745 (64 paths on a switch with more uplinks).
    """
    for device, (bgp, up, down) in ctx.once(_sessions).items():
        needed = max(len(up), max(down.values(), default=0))
        if bgp.maximum_paths is not None and bgp.maximum_paths < needed:
            yield kind.at(
                device_path(device, "bgp"),
                f"maximum-paths is {bgp.maximum_paths}; {needed} equal paths lead on",
                span=ctx.span(device, "bgp", "maximum_paths"),
                numbers={"have_paths": bgp.maximum_paths, "needed_paths": needed},
                remedy=f"set maximum-paths of {device} to {needed} or more",
            )


@rule("FG314", "multipath-relax-missing", Severity.ERROR, "paths through different AS numbers do not count as equal",
      Need.LINKS, Need.BGP)  # fmt: skip
def relax_missing(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Paths through different neighbour AS numbers are equal only with `bestpath as-path multipath-relax`.

    Without it one of all uplinks is used. Source: FRR, bgpd, `bgp bestpath as-path multipath-relax`; RFC 7938, 5.2.3.
    """
    for device, (bgp, up, _) in ctx.once(_sessions).items():
        asns = sorted({side.peer_bgp.asn for side in up})
        if len(asns) > 1 and not bgp.multipath_relax:
            yield kind.at(
                device_path(device, "bgp"),
                f"the switches above have {len(asns)} different AS numbers and multipath-relax is off",
                span=ctx.span(device, "bgp", "multipath_relax"),
                numbers={"asns": len(asns)},
                remedy=f"add `bgp bestpath as-path multipath-relax` on {device}, or give that tier one AS number",
            )


def _sessions(ctx: Context) -> dict[str, tuple[Bgp, list[Side], Counter[str]]]:
    """Return, by switch, its BGP, its sessions to the tier above, and how many it has to each switch below."""
    found: dict[str, tuple[Bgp, list[Side], Counter[str]]] = {}
    for pair in sides(ctx):
        for side in pair:
            tier, other = ctx.tier(side.port.end.device), ctx.tier(side.peer.end.device)
            if side.neighbor is None or tier is None or other is None:
                continue
            _, up, down = found.setdefault(side.port.end.device, (side.bgp, [], Counter()))
            if other > tier:
                up.append(side)
            elif other < tier:
                down[side.peer.end.device] += 1
    return found


@rule("FG311", "leaf-as-repeated", Severity.ERROR, "two leaves below the same spine have one AS number",
      Need.LINKS, Need.BGP)  # fmt: skip
def leaf_as_repeated(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A leaf drops routes that carry its own AS number, so the two never learn each other's servers.

    Spines may well share a number. A leaf that admits its own number (`allowas-in`) is left alone. Source: RFC 4271,
    9.1.2 (loop detection); RFC 7938, 5.2.2; netlab issue 198.
    """
    spines: dict[str, set[str]] = defaultdict(set)
    for name, (_, up, _) in ctx.once(_sessions).items():
        spines[name] |= {side.peer.end.device for side in up}
    first: dict[int, str] = {}
    for device, model in ctx.models():
        admits = any("allowas-in" in name for name, _ in model.unread)
        if model.bgp is None or ctx.tier(device.name) != 1 or admits:
            continue
        other = first.setdefault(model.bgp.asn, device.name)
        if spines[other] & spines[device.name] and other != device.name:
            yield kind.at(
                device_path(device.name, "bgp"),
                f"its AS number {model.bgp.asn} is that of {other} too",
                span=ctx.span(device.name, "bgp", "asn"),
                related=(ctx.note(f"AS number of {other}", other, "bgp", "asn"),),
                numbers={"asn": model.bgp.asn},
                remedy=f"give {device.name} an AS number of its own",
            )


@rule("FG307", "policy-required", Severity.ERROR, "an external session without policies exchanges nothing", Need.BGP)
def policy_required(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Since RFC 8212 an external session accepts and announces nothing until it has a policy in that direction.

    FRR does so unless `frr defaults datacenter` or `no bgp ebgp-requires-policy` says otherwise; the session comes up
    and stays empty. Source: RFC 8212; FRR, bgpd, `bgp ebgp-requires-policy`.
    """
    for device, model in ctx.models():
        bgp = model.bgp
        if bgp is None or not bgp.requires_policy:
            continue
        faults = (
            ((neighbor.peer_group, lacking), neighbor)
            for neighbor in bgp.neighbors
            if is_external(bgp, neighbor) and (lacking := _lacking(bgp, neighbor))
        )
        for (_, lacking), neighbor, more in alike(faults):
            yield kind.at(
                _neighbor_path(device.name, neighbor.peer),
                f"no {lacking} policy, and policies are required{and_more(more, 'neighbour')}",
                span=ctx.span(device.name, "bgp", "neighbors", neighbor.peer),
                remedy="apply a route map in both directions, or set `no bgp ebgp-requires-policy`",
            )


def _lacking(bgp: Bgp, neighbor: BgpNeighbor) -> str:
    directions: tuple[Literal["import", "export"], ...] = ("import", "export")
    lacking = [word for word in directions if policy(bgp, neighbor, word) is None]
    return " or ".join(lacking)

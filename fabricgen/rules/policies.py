"""Routing policies: what they name exists, what must be announced is, and nothing travels down and up again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Interface, IPv4Network

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity, did_you_mean
from fabricgen.device import Bgp, DeviceModel
from fabricgen.rules.addresses import parse_address
from fabricgen.rules.alike import alike
from fabricgen.rules.announcements import announced
from fabricgen.rules.base import Context, Need, and_more, by_view, device_path, rule
from fabricgen.rules.bgp import Side, passes, sides
from fabricgen.rules.lossless import LosslessView

#: A use of a policy object: what kind it is, its name, and the model path of the use.
_Use = tuple[str, str, tuple[str, ...]]

_FIELDS = {"route map": "route_maps", "prefix list": "prefix_lists", "peer group": "peer_groups"}


def _uses(bgp: Bgp) -> Iterator[_Use]:
    for neighbor in bgp.neighbors:
        place = ("neighbors", neighbor.peer)
        yield from _named("route map", (neighbor.import_policy, neighbor.export_policy), place)
        yield from _named("peer group", (neighbor.peer_group,), place)
    yield from _other_uses(bgp)


def _other_uses(bgp: Bgp) -> Iterator[_Use]:
    """Yield the uses of policy objects outside of neighbours, of which there are few."""
    for group in bgp.peer_groups:
        yield from _named("route map", (group.import_policy, group.export_policy), ("peer_groups", group.name))
    for source in bgp.redistributions:
        yield from _named("route map", (source.route_map,), ("redistributions", source.protocol))
    for route_map in bgp.route_maps:
        for entry in route_map.entries:
            match = ("route_maps", route_map.name, str(entry.sequence))
            yield from _named("prefix list", (entry.match_prefix_list,), match)


def _named(what: str, names: Iterable[str | None], place: tuple[str, ...]) -> Iterator[_Use]:
    yield from ((what, name, place) for name in names if name is not None)


def _used(bgp: Bgp) -> dict[str, set[str]]:
    """Return the names that are used, by kind of object."""
    used: dict[str, set[str]] = {what: set() for what in _FIELDS}
    for what, name, _ in _other_uses(bgp):
        used[what].add(name)
    for neighbor in bgp.neighbors:
        used["route map"].update(name for name in (neighbor.import_policy, neighbor.export_policy) if name is not None)
        if neighbor.peer_group is not None:
            used["peer group"].add(neighbor.peer_group)
    return used


def _defined(bgp: Bgp) -> dict[str, list[str]]:
    return {what: [found.name for found in getattr(bgp, field)] for what, field in _FIELDS.items()}


@rule(
    "FG306", "policy-undefined", Severity.ERROR, "a route map, prefix list or peer group that is not defined", Need.BGP
)
def policy_undefined(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A neighbour with an undefined route map exchanges nothing, and an undefined prefix list matches nothing.

    Source: FRR, bgpd (bgp_route.c: an applied and missing filter denies) and lib/plist.c.
    """
    for device, model in ctx.models():
        if model.bgp is None:
            continue
        defined = _defined(model.bgp)
        if all(names.issubset(defined[what]) for what, names in _used(model.bgp).items()):
            continue
        missing = (((what, name), place) for what, name, place in _uses(model.bgp) if name not in defined[what])
        for (what, name), place, more in alike(missing):
            yield kind.at(
                device_path(device.name, "bgp", f"{place[0]}[{place[1]}]"),
                f"the {what} `{name}` is not defined{and_more(more, 'use')}",
                span=ctx.span(device.name, "bgp", *place),
                remedy=did_you_mean(name, defined[what]) if defined[what] else f"define the {what} {name}",
            )


@rule("FG312", "policy-unused", Severity.INFO, "a route map, prefix list or peer group that nothing uses", Need.BGP)
def policy_unused(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """It has no effect, so whoever wrote it meant something that does not happen.

    Source: FRR, bgpd: policies act only where they are applied.
    """
    for device, model in ctx.models():
        if model.bgp is None:
            continue
        used = _used(model.bgp)
        for what, names in _defined(model.bgp).items():
            for name in names:
                if name not in used[what]:
                    yield kind.at(
                        device_path(device.name, "bgp", f"{_FIELDS[what]}[{name}]"),
                        f"the {what} `{name}` is not used",
                        span=ctx.span(device.name, "bgp", _FIELDS[what], name),
                        remedy=f"apply the {what} {name}, or remove it",
                    )


@rule("FG308", "prefix-not-announced", Severity.ERROR, "a loopback or server subnet that BGP does not announce",
      Need.BGP, Need.ETHERNET)  # fmt: skip
def prefix_not_announced(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """What no switch announces cannot be reached from another leaf, while everything below one leaf works.

    A prefix counts as announced if it is originated, by a network statement or by redistribution, and some neighbour's
    export policy lets it or a summary of it pass. Source: RFC 7938, 5.2.1 and 7.1 (which routes a Clos announces).
    """
    for device, found in announced(ctx).items():
        for field, (name, network), more in alike((field, (name, network)) for field, name, network in found.silent):
            what = "loopback" if field == "loopbacks" else "server subnet"
            label = "ports" if field == "interfaces" else field
            yield kind.at(
                device_path(device, f"{label}[{name}]"),
                f"the {what} {network} is announced to no neighbour{and_more(more, what)}",
                span=ctx.span(device, field, name, "addresses"),
                remedy=f"announce {network}: redistribute it or name it as a network, and let an export policy pass it",
            )


@rule("FG309", "valley-path", Severity.WARNING, "a switch may pass routes from one spine on to another",
      Need.LINKS, Need.BGP)  # fmt: skip
def valley_path(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Traffic that goes up, down and up again can close a cycle of paused buffers: a PFC deadlock.

    It happens when links fail, if a leaf announces what it learned from one spine to another, whose different AS number
    lets it accept. Source: Guo et al. (SIGCOMM 2016), section 4.2; Hu et al., Deadlocks in Datacenter Networks (HotNets
    2016); RFC 7938, 5.2.1: one AS number for all spines, and 5.2.4.
    """
    for device, found in _ascents(ctx).items():
        example = _valley(found)
        if example is not None:
            learned, told, prefix = example
            assert told.neighbor is not None
            yield kind.at(
                device_path(device, "bgp"),
                f"{prefix}, learned from {learned.peer.end.device} (AS {learned.peer_bgp.asn}), may be announced to "
                f"{told.peer.end.device} (AS {told.peer_bgp.asn})",
                span=ctx.span(device, "bgp", "neighbors", told.neighbor.peer),
                remedy=f"let {device} announce only its own prefixes upwards, or give the tier above one AS number",
            )


def _ascents(ctx: Context) -> dict[str, dict[str, tuple[Side, Side]]]:
    """Return, by switch, one session to each switch above it, seen from both ends."""
    found: dict[str, dict[str, tuple[Side, Side]]] = defaultdict(dict)
    for pair in sides(ctx):
        for near, far in (pair, pair[::-1]):
            tier, above = ctx.tier(near.port.end.device), ctx.tier(far.port.end.device)
            if tier is not None and above is not None and above > tier and near.neighbor and far.neighbor:
                found[near.port.end.device].setdefault(far.port.end.device, (near, far))
    return found


def _valley(above: dict[str, tuple[Side, Side]]) -> tuple[Side, Side, IPv4Network] | None:
    """Return a session that a prefix is learned by, one that it is passed on by, and the prefix; None without any.

    Spines are alike, so the first of each AS number stands for all.
    """
    by_asn = list({near.peer_bgp.asn: (near, far) for near, far in above.values()}.values())
    for learned, _ in by_asn:
        for told, hearing in by_asn:
            if told is learned or learned.neighbor is None or told.neighbor is None or hearing.neighbor is None:
                continue
            for prefix in _loopbacks(learned.peer.model):
                if (
                    passes(learned.bgp, learned.neighbor, "import", prefix)
                    and passes(told.bgp, told.neighbor, "export", prefix)
                    and passes(hearing.bgp, hearing.neighbor, "import", prefix)
                ):
                    return learned, told, prefix
    return None


def _loopbacks(model: DeviceModel) -> Iterator[IPv4Network]:
    for loopback in model.loopbacks:
        for address in map(parse_address, loopback.addresses):
            if isinstance(address, IPv4Interface):
                yield address.network


@rule("FG310", "hash-polarised", Severity.ERROR, "two tiers choose paths by the same hash", Need.LINKS, Need.ETHERNET)
def hash_polarised(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A spine that hashes like the leaf below it gets only flows that hash alike, and uses a part of its links.

    Only seeds that the configurations give are compared; where they are silent the device's default holds. Source:
    sonic-buildimage pull requests 17505 and 18912.
    """
    reported = set()
    for link in ctx.switch_links:
        lower, upper = sorted((link.a.device, link.b.device), key=lambda name: ctx.tier(name) or 0)
        hashes = [model.qos.hashing if (model := ctx.model(name)) and model.qos else None for name in (lower, upper)]
        same = hashes[0] is not None and hashes[0] == hashes[1] and hashes[0].seed is not None
        if same and ctx.tier(lower) != ctx.tier(upper) and upper not in reported:
            reported.add(upper)
            yield kind.at(
                device_path(upper, "hashing"),
                f"the hash has the fields, algorithm and seed of {lower}, a tier below",
                span=ctx.span(upper, "qos", "hashing", "seed"),
                related=(ctx.note(f"hash of {lower}", lower, "qos", "hashing"),),
                numbers={"seed": (hashes[0].seed if hashes[0] else 0) or 0},
                remedy=f"give the tier of {upper} another hash seed",
            )


@rule("FG318", "hash-ignores-source-port", Severity.WARNING, "ECMP does not hash the UDP source port", Need.QOS)
@by_view
def hash_ignores_source_port(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Two RoCE v2 hosts always use the same addresses, protocol and destination port; only the source port varies.

    A hash without it puts all traffic of two hosts on one path. Source: IBTA annex A17 (the UDP source port carries the
    entropy of a queue pair; the destination port is 4791).
    """
    fields = view.qos.hashing.fields if view.qos.hashing and ctx.network.kind == "rocev2" else ()
    if fields and not any(name.endswith("L4_SRC_PORT") for name in fields):
        yield kind.at(
            device_path(device, "hashing"),
            f"ECMP hashes {', '.join(fields)}, and not the UDP source port",
            span=ctx.span(device, "qos", "hashing", "fields"),
            remedy=f"add the source port (L4_SRC_PORT) to the ECMP hash of {device}",
        )

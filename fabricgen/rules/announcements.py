"""What each switch announces of its own: its loopbacks and server subnets, or summaries of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network

from fabricgen.device import Bgp
from fabricgen.rules.addresses import uses
from fabricgen.rules.base import Context
from fabricgen.rules.bgp import ipv4_network, is_external, policy
from fabricgen.rules.route_sets import Filters, RouteSpace

#: A prefix of a switch: model field and name of the interface that has it, and the prefix.
OwnPrefix = tuple[str, str, IPv4Network]


@dataclass(frozen=True, slots=True)
class Announced:
    """What becomes of the prefixes of one switch.

    Attributes:
        routes: what some neighbour is told: prefixes and summaries of them, sorted.
        silent: the prefixes of which no neighbour is told, neither as they are nor in a summary.
    """

    routes: tuple[IPv4Network, ...]
    silent: tuple[OwnPrefix, ...]


def announced(ctx: Context) -> Mapping[str, Announced]:
    """Return what is announced by every switch that has BGP neighbours."""
    return ctx.once(_announced)


def _announced(ctx: Context) -> dict[str, Announced]:
    return {
        device.name: own_routes(model.bgp, tuple(_own_prefixes(ctx, device.name)))
        for device, model in ctx.switch_models()
        if model.bgp is not None and model.bgp.neighbors
    }


def _own_prefixes(ctx: Context, device: str) -> Iterator[OwnPrefix]:
    """Yield the prefix of each loopback and of each port towards a server."""
    to_servers = {port.interface.name for port in ctx.ports(device) if not ctx.is_switch(port.far.device)}
    for use in uses(ctx)[device]:
        if use.version == 4 and (use.field == "loopbacks" or use.label in to_servers):
            yield use.field, use.label, IPv4Network((use.first, use.length))


def own_routes(bgp: Bgp, prefixes: tuple[OwnPrefix, ...]) -> Announced:
    """Return what is announced: what BGP originates, and some neighbour's export policy lets pass."""
    aggregates = [(ipv4_network(one.prefix), one.summary_only) for one in bgp.aggregates]
    summaries = [(network, only) for network, only in aggregates if network is not None]
    own = {network for _, _, network in prefixes}
    space = RouteSpace.of((*own, *(network for network, _ in summaries)))
    filters = Filters(space)
    told = _told(bgp, filters)
    plain, parts = _originated(bgp, filters, own, summaries)
    routes, heard = plain & told, plain & told
    for summary, covered in parts.items():
        if covered and told & space.set_of((summary,)):
            routes |= space.set_of((summary,))
            heard |= covered
    unheard = frozenset(space.listed(space.set_of(own) & ~heard))
    return Announced(
        tuple(space.listed(routes)), tuple(prefix for prefix in prefixes if prefix[2] in unheard) if unheard else ()
    )


def _told(bgp: Bgp, filters: Filters) -> int:
    """Return the routes that some neighbour is told, if they are originated."""
    told, everything = 0, filters.space.all
    for peer in bgp.neighbors:
        name = policy(bgp, peer, "export")
        if name is not None:
            told |= filters.permitted(bgp, name)
        elif not (bgp.requires_policy and is_external(bgp, peer)):
            told = everything
        if told == everything:
            break
    return told


def _originated(
    bgp: Bgp, filters: Filters, own: Iterable[IPv4Network], summaries: Iterable[tuple[IPv4Network, bool]]
) -> tuple[int, dict[IPv4Network, int]]:
    """Return what BGP originates of some networks: those that stay as they are, and by summary those in it."""
    space = filters.space
    known = space.set_of(network for network in own if bgp.networks and str(network) in bgp.networks)
    for source in bgp.redistributions:
        if source.protocol == "connected":
            known |= filters.permitted(bgp, source.route_map)
    plain = known = known & space.set_of(own)
    parts: dict[IPv4Network, int] = {}
    for summary, only in summaries:
        inside = known & space.within(summary, summary.prefixlen + 1, summary.max_prefixlen)
        if only:
            plain &= ~inside
            parts = {other: covered & ~inside for other, covered in parts.items()}
        parts[summary] = inside
    return plain, parts

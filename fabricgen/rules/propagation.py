"""Routes on their way from leaf to leaf: what one switch announces, the next accepts and passes on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Literal

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import Bgp, BgpNeighbor
from fabricgen.rules.base import Context, Need, device_path, rule
from fabricgen.rules.bgp import Side, originated, passes, permits, policy, sides
from fabricgen.rules.policies import own_prefixes

Direction = Literal["import", "export"]
Routes = frozenset[IPv4Network]

_DEFAULT = IPv4Network("0.0.0.0/0")
_NO_ROUTES: Routes = frozenset()


@dataclass
class _Refusals:
    """What policies refuse, worked out once for all policies and sets of routes that are equal."""

    contents: dict[tuple[int, str], object] = field(default_factory=dict)
    known: dict[tuple[object, Routes], Routes] = field(default_factory=dict)
    routes: dict[Routes, Routes] = field(default_factory=dict)

    def of(self, bgp: Bgp, neighbor: BgpNeighbor, direction: Direction, routes: Routes) -> Routes:
        """Return the routes that a neighbour's policy refuses; without a policy that is the matter of FG307."""
        name = policy(bgp, neighbor, direction)
        if name is None:
            return _NO_ROUTES
        content = self.contents.get((id(bgp), name))
        if content is None:
            content = self.contents[id(bgp), name] = _content(bgp, name)
        key = (content, self.routes.setdefault(routes, routes))
        if key not in self.known:
            self.known[key] = frozenset(route for route in routes if not permits(bgp, name, route))
        return self.known[key]


def _content(bgp: Bgp, name: str) -> object:
    """Return all that a route map's answers depend on."""
    lists = {one.name: one.rules for one in bgp.prefix_lists}
    found = next((one for one in bgp.route_maps if one.name == name), None)
    return found and tuple((entry.permit, entry.match_prefix_list is None, lists.get(entry.match_prefix_list or ""))
                           for entry in found.entries)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Refused:
    """A session, the end and direction whose policy refuses routes, and the routes."""

    side: Side
    direction: Direction
    routes: Routes


@rule("FG315", "prefix-refused", Severity.ERROR, "a policy refuses a prefix that a leaf announces",
      Need.LINKS, Need.BGP, Need.ETHERNET)  # fmt: skip
def prefix_refused(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A leaf's prefix must pass the policies of every switch on the way to the other leaves.

    One policy that leaves it out takes the leaf away from all that lie behind, while every session is up. A prefix for
    which a switch above announces a summary, or for which a default route is accepted, is left alone. Source: RFC 7938,
    5.2.1 and 7.1 (which routes a Clos carries); FRR, bgpd: what no entry of a route map matches is denied.
    """
    by_policy: dict[tuple[str, Direction, str], list[_Refused]] = defaultdict(list)
    for refused in _walk(ctx):
        side = refused.side
        assert side.neighbor is not None
        name = policy(side.bgp, side.neighbor, refused.direction) or ""
        by_policy[side.port.end.device, refused.direction, name].append(refused)
    for (device, direction, name), found in by_policy.items():
        routes = sorted(frozenset().union(*(one.routes for one in found)))
        side = found[0].side
        more = f" and {len(routes) - 1} more prefixes" if len(routes) > 1 else ""
        word = "from" if direction == "import" else "to"
        yield kind.at(
            device_path(device, "bgp", f"route_maps[{name}]"),
            f"the {direction} policy refuses {routes[0]}{more} {word} {side.peer.end.device}",
            span=ctx.span(device, "bgp", "route_maps", name),
            related=(ctx.note("applied here", device, "bgp", "neighbors", _session(side).peer),),
            numbers={"prefixes": len(routes)},
            remedy=f"let {name} permit {routes[0]}, or announce a summary that covers it",
        )  # fmt: skip


def _walk(ctx: Context) -> Iterator[_Refused]:
    """Carry the leaves' prefixes up the tiers and down again; yield what is refused on the way."""
    own = {device.name: _announced(ctx, device.name) for device, _ in ctx.switch_models() if ctx.tier(device.name) == 1}
    carried: dict[str, Routes] = defaultdict(frozenset, own)
    refusals = _Refusals()
    upward, downward = _directions(ctx)
    for near, far in upward:
        sent = _beyond(near.bgp, carried[near.port.end.device])
        held = refusals.of(near.bgp, _session(near), "export", sent)
        if held and near.port.end.device not in own:
            yield _Refused(near, "export", held)
        dropped = refusals.of(far.bgp, _session(far), "import", sent - held)
        if dropped:
            yield _Refused(far, "import", dropped)
        carried[far.port.end.device] |= sent - held - dropped
    for near, far in downward:
        sent = _beyond(near.bgp, carried[near.port.end.device])
        if _gives_default(near, far) or not sent:
            continue
        mine = own.get(far.port.end.device, _NO_ROUTES)
        held = refusals.of(near.bgp, _session(near), "export", sent)
        dropped = refusals.of(far.bgp, _session(far), "import", sent)
        if held - mine:
            yield _Refused(near, "export", held - mine)
        if dropped - mine:
            yield _Refused(far, "import", dropped - mine)
        carried[far.port.end.device] |= sent - held - dropped


def _session(side: Side) -> BgpNeighbor:
    assert side.neighbor is not None
    return side.neighbor


def _directions(ctx: Context) -> tuple[list[tuple[Side, Side]], list[tuple[Side, Side]]]:
    """Return the sessions as (sender, receiver): those that go up, lowest tier first, and those that go down."""
    upward: list[tuple[int, Side, Side]] = []
    for one, other in sides(ctx):
        low, high = ctx.tier(one.port.end.device), ctx.tier(other.port.end.device)
        if one.neighbor is None or other.neighbor is None or low is None or high is None or low == high:
            continue
        upward.append((low, one, other) if low < high else (high, other, one))
    upward.sort(key=lambda entry: entry[0])
    return [(low, high) for _, low, high in upward], [(high, low) for _, low, high in reversed(upward)]


def _announced(ctx: Context, leaf: str) -> Routes:
    """Return the routes of a leaf's own prefixes that some neighbour is told."""
    model = ctx.model(leaf)
    bgp = model.bgp if model else None
    if model is None or bgp is None:
        return _NO_ROUTES
    routes = {route for _, _, network in own_prefixes(ctx, leaf, model) for route in originated(bgp, network)}
    return frozenset(
        route for route in routes if any(passes(bgp, neighbor, "export", route) for neighbor in bgp.neighbors)
    )


def _beyond(bgp: Bgp, routes: Routes) -> Routes:
    """Return the routes that a switch passes on as they are: no summary of its own stands for them."""
    summaries = [
        IPv4Network(text) for text in (*bgp.networks, *(one.prefix for one in bgp.aggregates)) if ":" not in text
    ]
    if not summaries:
        return routes
    return frozenset(
        route for route in routes if not any(route != summary and route.subnet_of(summary) for summary in summaries)
    )  # fmt: skip


def _gives_default(near: Side, far: Side) -> bool:
    """Return whether a default route may stand for what is not passed on."""
    if any("default-originate" in name for name, _ in near.port.model.unread):
        return True
    name = policy(far.bgp, _session(far), "import")
    return name is not None and permits(far.bgp, name, _DEFAULT)

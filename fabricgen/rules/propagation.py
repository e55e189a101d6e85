"""Routes on their way from leaf to leaf: what one switch announces, the next accepts and passes on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from ipaddress import IPv4Network
from itertools import chain
from operator import or_
from typing import Literal

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.core.memo import Memo
from fabricgen.device import Bgp, BgpNeighbor
from fabricgen.rules.announcements import announced
from fabricgen.rules.base import Context, Need, device_path, rule
from fabricgen.rules.bgp import Side, ipv4_network, policy, sides
from fabricgen.rules.route_sets import Filters, RouteSpace

Direction = Literal["import", "export"]

_DEFAULT = IPv4Network("0.0.0.0/0")


@dataclass(frozen=True, slots=True)
class _Refused:
    """A session, the end and direction whose policy refuses routes, and the set of these."""

    side: Side
    direction: Direction
    routes: int


@rule("FG315", "prefix-refused", Severity.ERROR, "a policy refuses a prefix that a leaf announces",
      Need.LINKS, Need.BGP, Need.ETHERNET)  # fmt: skip
def prefix_refused(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A leaf's prefix must pass the policies of every switch on the way to the other leaves.

    One policy that leaves it out takes the leaf away from all that lie behind, while every session is up. A prefix for
    which a switch above announces a summary, or for which a default route is accepted, is left alone. Source: RFC 7938,
    5.2.1 and 7.1 (which routes a Clos carries); FRR, bgpd: what no entry of a route map matches is denied.
    """
    walk = _Walk.of(ctx)
    by_policy: dict[tuple[str, Direction, str], list[_Refused]] = defaultdict(list)
    for refused in walk.refusals(*_directions(ctx)):
        name = policy(refused.side.bgp, _session(refused.side), refused.direction) or ""
        by_policy[refused.side.port.end.device, refused.direction, name].append(refused)
    for (device, direction, name), found in by_policy.items():
        routes = reduce(or_, (one.routes for one in found))
        side, first, count = found[0].side, next(walk.space.listed(routes)), routes.bit_count()
        more = f" and {count - 1} more prefixes" if count > 1 else ""
        word = "from" if direction == "import" else "to"
        yield kind.at(
            device_path(device, "bgp", f"route_maps[{name}]"),
            f"the {direction} policy refuses {first}{more} {word} {side.peer.end.device}",
            span=ctx.span(device, "bgp", "route_maps", name),
            related=(ctx.note("applied here", device, "bgp", "neighbors", _session(side).peer),),
            numbers={"prefixes": count},
            remedy=f"let {name} permit {first}, or announce a summary that covers it",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Passes:
    """What the policies of a neighbour let pass; all routes without a policy, which is the matter of FG307."""

    imports: int
    exports: int
    takes_default: bool


class _Walk:
    """The leaves' routes on their way up the tiers and down again, as sets of one space.

    Args:
        space: all routes that leaves announce, and the default route.
        own: by leaf, the routes that it announces itself.
    """

    def __init__(self, space: RouteSpace, own: Mapping[str, int]) -> None:
        self.space = space
        self._own = own
        self._filters = Filters(space)
        self._default = space.set_of((_DEFAULT,))
        self._memo = Memo()

    @staticmethod
    def of(ctx: Context) -> _Walk:
        """Return the walk of a network's leaves."""
        leaves = {
            device.name: announced(ctx)[device.name].routes if device.name in announced(ctx) else ()
            for device, _ in ctx.switch_models()
            if ctx.tier(device.name) == 1
        }
        space = RouteSpace.of((_DEFAULT, *chain.from_iterable(leaves.values())))
        return _Walk(space, {leaf: space.set_of(routes) for leaf, routes in leaves.items()})

    def refusals(
        self, upward: Iterable[tuple[Side, Side]], downward: Iterable[tuple[Side, Side]]
    ) -> Iterator[_Refused]:
        """Carry the routes over all sessions, each given as (sender, receiver); yield what is refused on the way."""
        carried: dict[str, int] = defaultdict(int, self._own)
        yield from self._up(upward, carried)
        yield from self._down(downward, carried)

    def _up(self, sessions: Iterable[tuple[Side, Side]], carried: dict[str, int]) -> Iterator[_Refused]:
        for near, far in sessions:
            sender = near.port.end.device
            sent = carried[sender] & ~self._summarised(near.bgp)
            held = sent & ~self._passes(near).exports
            if held and sender not in self._own:
                yield _Refused(near, "export", held)
            arriving = sent & ~held
            dropped = arriving & ~self._passes(far).imports
            if dropped:
                yield _Refused(far, "import", dropped)
            carried[far.port.end.device] |= arriving & ~dropped

    def _down(self, sessions: Iterable[tuple[Side, Side]], carried: dict[str, int]) -> Iterator[_Refused]:
        for near, far in sessions:
            receiver, sending, receiving = far.port.end.device, self._passes(near), self._passes(far)
            sent = carried[near.port.end.device] & ~self._summarised(near.bgp)
            if not sent or receiving.takes_default or self._sends_default(near):
                continue
            missed = sent & ~self._own.get(receiver, 0)
            held, dropped = missed & ~sending.exports, missed & ~receiving.imports
            if held:
                yield _Refused(near, "export", held)
            if dropped:
                yield _Refused(far, "import", dropped)
            if receiver not in self._own:
                carried[receiver] |= sent & sending.exports & receiving.imports

    def _passes(self, side: Side) -> _Passes:
        neighbor = _session(side)
        key = (id(side.bgp), neighbor.peer_group, neighbor.import_policy, neighbor.export_policy)
        return self._memo.get(key, lambda: self._work_out(side))

    def _work_out(self, side: Side) -> _Passes:
        policies = (policy(side.bgp, _session(side), "import"), policy(side.bgp, _session(side), "export"))
        imports, exports = (
            self.space.all if name is None else self._filters.permitted(side.bgp, name) for name in policies
        )
        return _Passes(imports, exports, policies[0] is not None and imports & self._default != 0)

    def _summarised(self, bgp: Bgp) -> int:
        """Return the routes that a switch does not pass on as they are: a summary of its own stands for them."""
        return self._memo.get(id(bgp), lambda: self._in_summaries(bgp))

    def _in_summaries(self, bgp: Bgp) -> int:
        prefixes = (ipv4_network(text) for text in (*bgp.networks, *(one.prefix for one in bgp.aggregates)))
        summaries = (self.space.within(one, one.prefixlen + 1, one.max_prefixlen) for one in prefixes if one)
        return reduce(or_, summaries, 0)

    def _sends_default(self, side: Side) -> bool:
        """Return whether a switch announces a default route, which may stand for what it does not pass on."""
        unread = side.port.model.unread
        return bool(unread) and any("default-originate" in name for name, _ in unread)


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

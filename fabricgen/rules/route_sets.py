"""Sets of routes as integers, so that a policy judges all routes of a network in a few steps.

A set has bit n where it holds the n-th route of its :class:`RouteSpace`. The routes are sorted by address, so all that
lie in one prefix are neighbours, and union, intersection and difference are those of bits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network

from fabricgen.core.memo import Memo
from fabricgen.device import Bgp, PrefixRule
from fabricgen.rules.bgp import bounds, ipv4_network


def _place(route: IPv4Network) -> tuple[int, int]:
    """Return what routes are sorted by: the same order as their own, and faster."""
    return int(route.network_address), route.prefixlen


@dataclass(frozen=True)
class RouteSpace:
    """The routes that sets are made of: distinct, sorted by address and length."""

    routes: tuple[IPv4Network, ...]

    @staticmethod
    def of(routes: Iterable[IPv4Network]) -> RouteSpace:
        """Return the space of some routes."""
        return RouteSpace(tuple(sorted(set(routes), key=_place)))

    @cached_property
    def all(self) -> int:
        """Return the set of all routes."""
        return (1 << len(self.routes)) - 1

    def set_of(self, routes: Iterable[IPv4Network]) -> int:
        """Return a set of routes; all must be of the space."""
        found = 0
        for route in routes:
            found |= 1 << self._numbers[route]
        return found

    def listed(self, found: int) -> Iterator[IPv4Network]:
        """Yield the routes of a set in their order."""
        while found:
            lowest = found & -found
            yield self.routes[lowest.bit_length() - 1]
            found ^= lowest

    def within(self, outer: IPv4Network, least: int, most: int) -> int:
        """Return the routes that lie in a prefix, or are it, and have one of the lengths from least to most."""
        start = bisect_left(self._addresses, int(outer.network_address))
        end = bisect_left(self._addresses, int(outer.broadcast_address) + 1, start)
        inside = (1 << end) - (1 << start)
        lengths = 0
        for length, routes in self._by_length.items():
            if max(least, outer.prefixlen) <= length <= most:
                lengths |= routes
        return inside & lengths

    @cached_property
    def _numbers(self) -> Mapping[IPv4Network, int]:
        return {route: number for number, route in enumerate(self.routes)}

    @cached_property
    def _addresses(self) -> list[int]:
        return [int(route.network_address) for route in self.routes]

    @cached_property
    def _by_length(self) -> Mapping[int, int]:
        lengths: dict[int, int] = {}
        for number, route in enumerate(self.routes):
            lengths[route.prefixlen] = lengths.get(route.prefixlen, 0) | 1 << number
        return lengths


class Filters:
    """What route maps permit of the routes of a space; the same as :func:`permits` says of each route.

    Route maps that are equal share an answer.
    """

    def __init__(self, space: RouteSpace) -> None:
        self.space = space
        self._memo = Memo()

    def permitted(self, bgp: Bgp, route_map: str | None) -> int:
        """Return the routes that a route map permits; one that is not defined is taken to permit all."""
        return self._memo.get(("name", id(bgp), route_map), lambda: self._permitted(bgp, route_map))

    def _permitted(self, bgp: Bgp, route_map: str | None) -> int:
        found = next((one for one in bgp.route_maps if one.name == route_map), None)
        if found is None:
            return self.space.all
        lists = {one.name: one.rules for one in reversed(bgp.prefix_lists)}
        steps = tuple(
            (entry.permit, None if entry.match_prefix_list is None else lists.get(entry.match_prefix_list, ()))
            for entry in found.entries
        )
        matched = ((permit, self._matched(rules)) for permit, rules in steps)
        return self._memo.get(("route map", steps), lambda: self._first_match(matched))

    def _matched(self, rules: tuple[PrefixRule, ...] | None) -> int:
        """Return what a prefix list permits; all where there is none to match."""
        if rules is None:
            return self.space.all
        matched = ((rule.permit, self._in_rule(rule)) for rule in rules)
        return self._memo.get(("prefix list", rules), lambda: self._first_match(matched))

    def _in_rule(self, rule: PrefixRule) -> int:
        if rule.prefix == "any":
            return self.space.all
        outer = ipv4_network(rule.prefix)
        return self.space.within(outer, *bounds(rule, outer)) if outer else 0

    def _first_match(self, steps: Iterable[tuple[bool, int]]) -> int:
        """Return what steps of (permit, routes that match) permit: the first match decides, and none denies."""
        undecided, permitted = self.space.all, 0
        for permit, matched in steps:
            permitted |= undecided & matched if permit else 0
            undecided &= ~matched
        return permitted

"""What has been read of an ``frr.conf`` so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabricgen.core.model import natural_key
from fabricgen.device import (
    Aggregate,
    Bgp,
    BgpNeighbor,
    PeerGroup,
    PrefixList,
    PrefixRule,
    Redistribution,
    RouteMap,
    RouteMapEntry,
    StaticRoute,
)
from fabricgen.platforms.sonic.frr_defaults import PROFILE, REQUIRES_POLICY

#: A path of field names and keys of the device model.
ModelPath = tuple[str, ...]


class StatementError(Exception):
    """A statement that FRR would refuse.

    Args:
        summary: what is wrong with it.
        remedy: an imperative sentence.
    """

    def __init__(self, summary: str, remedy: str) -> None:
        super().__init__(summary)
        self.summary = summary
        self.remedy = remedy


class NotReadError(Exception):
    """A statement that FRR knows and the device model has no place for."""


@dataclass
class FrrState:
    """Everything that statements have set.

    Attributes:
        instance: attributes of the BGP instance.
        groups: attributes of each peer group, by name.
        neighbors: attributes of each neighbour, by peer.
        policies: entries of each route map, by name and sequence number.
        prefix_rules: rules of each prefix list, by name and sequence number.
        entry: the route-map entry whose block is open.
        activated: neighbours and groups that exchange IPv4 routes by an ``activate``.
        activates_all: whether neighbours do so without one.
        bfd: whether anything asks for BFD.
        lines: by path in the device model, the line that set it.
        line: the line at hand.
    """

    hostname: str | None = None
    profile: str = PROFILE
    instance: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)
    neighbors: dict[str, dict[str, Any]] = field(default_factory=dict)
    policies: dict[str, dict[int, RouteMapEntry]] = field(default_factory=dict)
    prefix_rules: dict[str, dict[int, PrefixRule]] = field(default_factory=dict)
    networks: set[str] = field(default_factory=set)
    aggregates: dict[str, Aggregate] = field(default_factory=dict)
    redistributions: dict[str, Redistribution] = field(default_factory=dict)
    static_routes: set[StaticRoute] = field(default_factory=set)
    entry: tuple[str, int] = ("", 0)
    activated: set[str] = field(default_factory=set)
    activates_all: bool = True
    bfd: bool = False
    lines: dict[ModelPath, int] = field(default_factory=dict)
    line: int = 0
    unread: Counter[str] = field(default_factory=Counter)

    def mark(self, *path: str) -> None:
        """Remember that the line at hand set a part of the device model."""
        self.lines.setdefault(("bgp", *path), self.line)

    def bgp(self) -> Bgp | None:
        """Return the BGP instance, sorted; None where there is none."""
        if "asn" not in self.instance:
            for name, count in (
                ("frr.conf ip route", len(self.static_routes)),
                ("frr.conf ip prefix-list", len(self.prefix_rules)),
                ("frr.conf route-map", len(self.policies)),
            ):
                self.unread[name] += count
            return None
        settings = {"requires_policy": REQUIRES_POLICY.get(self.profile, True), **self.instance}
        return Bgp(
            **settings,
            profile=self.profile,
            neighbors=tuple(BgpNeighbor(peer=name, **known) for name, known in _sorted(self.neighbors)),
            peer_groups=tuple(PeerGroup(name=name, **known) for name, known in _sorted(self.groups)),
            networks=tuple(sorted(self.networks, key=natural_key)),
            aggregates=tuple(aggregate for _, aggregate in _sorted(self.aggregates)),
            redistributions=tuple(source for _, source in _sorted(self.redistributions)),
            prefix_lists=tuple(
                PrefixList(name, tuple(rules[sequence] for sequence in sorted(rules)))
                for name, rules in _sorted(self.prefix_rules)
            ),
            route_maps=tuple(
                RouteMap(name, tuple(entries[sequence] for sequence in sorted(entries)))
                for name, entries in _sorted(self.policies)
            ),
            static_routes=tuple(
                sorted(self.static_routes, key=lambda route: (natural_key(route.prefix), natural_key(route.next_hop)))
            ),
        )

    def silent_neighbors(self) -> list[str]:
        """Return the neighbours that exchange no IPv4 routes because nothing activates them."""
        if self.activates_all:
            return []
        return [
            name
            for name, known in _sorted(self.neighbors)
            if name not in self.activated and known.get("peer_group") not in self.activated
        ]


def _sorted(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(values.items(), key=lambda item: natural_key(item[0]))

"""BGP: the routing protocol of the Ethernet underlay (RFC 7938)."""

from __future__ import annotations

from dataclasses import dataclass

#: ``remote_as`` of a neighbour that may have any number but our own.
EXTERNAL = "external"
#: ``remote_as`` of a neighbour that must have our own number.
INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class PrefixRule:
    """One line of a prefix list: ``prefix``, with optional bounds on the length of what it matches."""

    sequence: int
    permit: bool
    prefix: str
    minimum_length: int | None = None
    maximum_length: int | None = None


@dataclass(frozen=True, slots=True)
class PrefixList:
    """A named prefix list; what matches no rule is denied."""

    name: str
    rules: tuple[PrefixRule, ...]


@dataclass(frozen=True, slots=True)
class RouteMapEntry:
    """One entry of a route map: permit or deny what the prefix list matches (everything where it is None)."""

    sequence: int
    permit: bool
    match_prefix_list: str | None = None


@dataclass(frozen=True, slots=True)
class RouteMap:
    """A named route map; what matches no entry is denied."""

    name: str
    entries: tuple[RouteMapEntry, ...]


@dataclass(frozen=True, slots=True)
class PeerGroup:
    """Settings that several neighbours share; ``remote_as`` is a number, ``external`` or ``internal``."""

    name: str
    remote_as: int | str | None = None
    bfd: bool = False
    keepalive_s: int | None = None
    hold_s: int | None = None
    import_policy: str | None = None
    export_policy: str | None = None


@dataclass(frozen=True, slots=True)
class BgpNeighbor:
    """A neighbour: ``peer`` is an interface name where the session is unnumbered, else an address.

    Attributes:
        enabled: whether the session may come up; a neighbour can be shut down by itself.
    """

    peer: str
    unnumbered: bool
    remote_as: int | str | None = None
    peer_group: str | None = None
    description: str | None = None
    import_policy: str | None = None
    export_policy: str | None = None
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A summary that is announced while any part of it is known; ``summary_only`` keeps the parts back."""

    prefix: str
    summary_only: bool = False


@dataclass(frozen=True, slots=True)
class Redistribution:
    """Routes of another protocol that are announced, through a route map where one is named."""

    protocol: str
    route_map: str | None = None


@dataclass(frozen=True, slots=True)
class StaticRoute:
    """A static route; ``next_hop`` is an address, an interface or ``blackhole``."""

    prefix: str
    next_hop: str


@dataclass(frozen=True, slots=True)
class Bgp:
    """One BGP instance (IPv4 unicast).

    Attributes:
        profile: FRR's ``frr defaults`` word, ``datacenter`` or ``traditional``.
        requires_policy: whether eBGP exchanges nothing without policies (RFC 8212).
        multipath_relax: whether paths through different neighbour ASNs count as equal.
        maximum_paths: how many equal paths are used.
        bfd: whether the BFD daemon is expected to run.
    """

    asn: int
    router_id: str | None = None
    profile: str = "traditional"
    requires_policy: bool = True
    multipath_relax: bool = False
    maximum_paths: int | None = None
    neighbors: tuple[BgpNeighbor, ...] = ()
    peer_groups: tuple[PeerGroup, ...] = ()
    networks: tuple[str, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    redistributions: tuple[Redistribution, ...] = ()
    prefix_lists: tuple[PrefixList, ...] = ()
    route_maps: tuple[RouteMap, ...] = ()
    static_routes: tuple[StaticRoute, ...] = ()

    def peer_group(self, name: str | None) -> PeerGroup | None:
        """Return the peer group of that name."""
        return next((group for group in self.peer_groups if group.name == name), None)

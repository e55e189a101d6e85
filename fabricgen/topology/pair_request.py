"""What a pair of switches is asked to take: groups of ports, each with its own speed, and the links between the two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fabricgen.catalog import Adapter, Catalog, Switch
from fabricgen.core.diagnostics import Report
from fabricgen.core.units import ceil_div
from fabricgen.inventory import LoadedInventory
from fabricgen.inventory.kinds import TOO_FEW_PORTS, UNKNOWN_REFERENCE
from fabricgen.inventory.models import Endpoints
from fabricgen.inventory.pair import InterSwitchLinks, Placement
from fabricgen.topology.choices import Chooser, speeds_of
from fabricgen.topology.endpoints import Path, RequestedServer, Resolver, resolve_entries
from fabricgen.topology.ports import CageSplit, split_for
from fabricgen.topology.request import Request


@dataclass(frozen=True)
class PortGroup:
    """The ports that one entry of ``endpoints`` joins.

    Attributes:
        index: its place among the entries.
        room: servers that ports are kept for.
        split: how a cage gives its speed.
        per_cage: ports of a cage that are used.
    """

    index: int
    entry: Endpoints
    placement: Placement
    servers: tuple[RequestedServer, ...]
    room: int
    split: CageSplit
    per_cage: int

    @property
    def path(self) -> Path:
        """Return where it stands, below the fabric."""
        return ("endpoints", self.index)

    @property
    def title(self) -> str:
        """Return what it is called in messages: ``compute of gpu``."""
        return f"{self.entry.adapters} of {self.entry.servers}"

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return for each switch which of a server's ports go to it."""
        ports = range(len(self.servers[0].endpoints))
        if self.placement.sides == "halves":
            half = ceil_div(len(ports), 2)
            return tuple(ports[:half]), tuple(ports[half:])
        return tuple(ports[::2]), tuple(ports[1::2])

    @property
    def seats(self) -> int:
        """Return the ports that it needs on each switch."""
        return self.room * max(map(len, self.sides))

    def seat(self, side: int, server: int, place: int) -> int:
        """Return which of its seats on a switch a server's port has; ``place`` counts that side's ports."""
        if self.placement.order == "port":
            return place * self.room + server
        return server * len(self.sides[side]) + place


@dataclass(frozen=True)
class PairRequest(Request):
    """Everything that a pair of switches needs, resolved.

    Attributes:
        isl: the links between the switches, as asked.
        isl_split: how a cage gives them.
        isl_links: how many there are.
        isl_reason: why so many.
    """

    switch: Switch
    groups: tuple[PortGroup, ...]
    isl: InterSwitchLinks
    isl_split: CageSplit
    isl_links: int
    isl_reason: str

    @cached_property
    def servers(self) -> tuple[RequestedServer, ...]:
        """Return all servers once, in order."""
        return tuple({server.name: server for group in self.groups for server in group.servers}.values())


def resolve_pair(loaded: LoadedInventory, name: str, catalog: Catalog, report: Report) -> PairRequest | None:
    """Resolve one fabric of an inventory for a pair of switches.

    Args:
        loaded: the inventory.
        name: the fabric's name.
        catalog: the device library.
        report: takes FG120, FG121, FG132, FG133, FG134, FG136 and FG140.

    Returns:
        The request, or None if anything was wrong.
    """
    return _PairResolver(Resolver(loaded, name, catalog, report)).request()


class _PairResolver(Chooser):
    """The steps of :func:`resolve_pair`."""

    def request(self) -> PairRequest | None:
        switch = self.switch(self.intent.leaf, ("leaf",))
        entries = resolve_entries(self.resolver, self.intent.endpoints, ("endpoints",))
        if switch is None:
            return None
        found = [self.group(index, *entry, switch) for index, entry in enumerate(entries) if entry is not None]
        groups = [group for group in found if group is not None]
        isl = self.intent.isl or InterSwitchLinks()
        speed = self.speed(("isl", "speed"), speeds_of(switch), isl.speed)
        split = split_for(switch, speed) if speed else None
        if split is None or len(groups) < len(entries):
            return None
        links, reason = self.isl_links(isl, groups, speed)
        if not links:
            return None
        return PairRequest(
            name=self.resolver.name,
            kind=self.intent.type,
            intent=self.intent,
            resolver=self.resolver,
            switch=switch,
            groups=tuple(groups),
            isl=isl,
            isl_split=split,
            isl_links=links,
            isl_reason=reason,
        )

    def group(
        self, index: int, servers: tuple[RequestedServer, ...], adapter: Adapter, switch: Switch
    ) -> PortGroup | None:
        entry = self.intent.endpoints[index]
        placement = entry.placement or Placement()
        path: Path = ("endpoints", index, "placement")
        own = placement.link_speed is not None
        asked = placement.link_speed if own else self.intent.link_speed
        ends = [self.adapter_speeds(adapter), *speeds_of(switch)]
        speed = self.speed((*path, "link_speed") if own else ("link_speed",), ends, asked)
        split = split_for(switch, speed) if speed else None
        if split is None:
            return None
        per_cage = placement.ports_per_cage or split.legs
        if per_cage > split.legs:
            self.resolver.add(
                TOO_FEW_PORTS,
                (*path, "ports_per_cage"),
                f"a cage of the {switch.model} gives {split.legs} ports of {speed}G",
                f"set it to {split.legs} or less, or leave it out",
            )
            return None
        room = placement.room_for or len(servers)
        if room < len(servers):
            self.resolver.add(
                TOO_FEW_PORTS,
                (*path, "room_for"),
                f"ports are kept for {room} servers, and there are {len(servers)}",
                f"set it to {len(servers)} or more, or leave it out",
            )
            return None
        return PortGroup(index, entry, placement, servers, room, split, per_cage)

    def isl_links(self, isl: InterSwitchLinks, groups: list[PortGroup], speed_gbps: int) -> tuple[int, str]:
        """Return the number of links between the switches and the reason; 0, with FG120, where nothing gives it."""
        if isl.links is not None:
            return isl.links, f"{isl.links} inter-switch links of {speed_gbps}G (the number is given)"
        crossing = [group for group in groups if group.entry.adapters in isl.carries]
        if not crossing:
            self.resolver.add(
                UNKNOWN_REFERENCE,
                ("isl", "carries") if self.intent.isl and "carries" in self.intent.isl.model_fields_set else ("leaf",),
                f"no endpoints have adapters called {' or '.join(f'`{word}`' for word in isl.carries) or 'anything'}, "
                "so the number of inter-switch links does not follow",
                "set `isl: {links: …}`, or name in `isl: {carries: […]}` the adapters whose traffic crosses",
            )
            return 0, ""
        ratio = self.intent.oversubscription
        bandwidth_gbps = sum(group.seats * group.split.speed_gbps for group in crossing)
        links = ceil_div(bandwidth_gbps * ratio.up, speed_gbps * ratio.down)
        terms = " + ".join(
            f"{group.room} servers x {group.seats // group.room} x {group.split.speed_gbps}G" for group in crossing
        )
        return links, f"{terms} on each switch at {ratio} need {links} inter-switch links of {speed_gbps}G"

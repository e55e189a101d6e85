"""What a design is asked to build: the inventory's words resolved against the catalog, every choice made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from fabricgen.catalog import Adapter, Affinity, Catalog, Switch
from fabricgen.core.diagnostics import Diagnostic, Kind, Report, did_you_mean
from fabricgen.core.model import naturally_sorted
from fabricgen.core.provenance import Origin
from fabricgen.inventory import FabricIntent, LoadedInventory, ServerGroup
from fabricgen.inventory.kinds import (
    AFFINITY_UNKNOWN,
    IMPOSSIBLE_BREAKOUT,
    NO_COMMON_SPEED,
    TOO_FEW_PORTS,
    UNKNOWN_CATALOG_ENTRY,
    UNKNOWN_REFERENCE,
    WRONG_PROTOCOL,
)
from fabricgen.inventory.models import Endpoints
from fabricgen.inventory.scalars import fill_pattern
from fabricgen.topology.fabric import FabricKind, RackPlace
from fabricgen.topology.ports import Halves, capacity, divide, speeds_gbps
from fabricgen.topology.racks import place

PROTOCOLS: Mapping[str, str] = {"rocev2": "ethernet", "infiniband": "infiniband"}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's adapter port that the fabric joins.

    Attributes:
        rail: number of the adapter within its purpose, from 0.
        port: port of the adapter, from 1.
        ports_per_adapter: ports that the adapter has.
        label: what is printed on the box, or purpose, adapter and port.
    """

    rail: int
    port: int
    ports_per_adapter: int
    label: str


@dataclass(frozen=True, slots=True)
class RequestedServer:
    """A server and its ports in this fabric."""

    name: str
    group: str
    index: int
    hardware: str
    endpoints: tuple[Endpoint, ...]
    place: RackPlace | None
    origin: Origin


@dataclass(frozen=True)
class FabricRequest:
    """Everything that a design needs, resolved.

    Attributes:
        halves: how a leaf's cages are divided between servers and uplinks.
        spine_ports: uplink-speed ports of a spine.
    """

    name: str
    kind: FabricKind
    intent: FabricIntent
    loaded: LoadedInventory
    servers: tuple[RequestedServer, ...]
    leaf: Switch
    spine: Switch
    link_gbps: int
    uplink_gbps: int
    halves: Halves
    spine_ports: int

    def origin(self, *path: str | int) -> Origin:
        """Return the origin of a value of this fabric."""
        return self.loaded.origin("fabrics", self.name, *path)

    def finding(self, kind: Kind, path: tuple[str | int, ...], summary: str, remedy: str) -> Diagnostic:
        """Return a finding about a value of this fabric."""
        origin = self.origin(*path)
        return kind.at(origin.path, summary, span=origin.span, remedy=remedy)


def resolve_fabric(loaded: LoadedInventory, name: str, catalog: Catalog, report: Report) -> FabricRequest | None:
    """Resolve one fabric of an inventory.

    Args:
        loaded: the inventory.
        name: the fabric's name.
        catalog: the device library.
        report: takes FG120, FG121, FG132, FG133, FG134, FG136 and FG140.

    Returns:
        The request, or None if anything was wrong.
    """
    resolver = _Resolver(loaded, name, catalog, report)
    servers, adapters = resolver.servers()
    leaf, spine = resolver.switch("leaf"), resolver.switch("spine")
    if leaf is None or spine is None or not adapters:
        return None
    ends = [resolver.adapter_speeds(adapter) for adapter in adapters]
    link = resolver.speed("link_speed", [*ends, (leaf.model, speeds_gbps(leaf))])
    uplink = resolver.speed("uplink_speed", [(leaf.model, speeds_gbps(leaf)), (spine.model, speeds_gbps(spine))])
    if link is None or uplink is None:
        return None
    halves = divide(leaf, link, uplink, resolver.intent.oversubscription)
    if halves is None:
        resolver.add(
            TOO_FEW_PORTS,
            ("leaf", "model"),
            f"no division of {leaf.model}'s cages gives {link}G server ports and enough {uplink}G uplinks at "
            f"{resolver.intent.oversubscription}",
            "raise `oversubscription`, or choose another leaf model or uplink speed",
        )
        return None
    return FabricRequest(
        name=name,
        kind=resolver.intent.type,
        intent=resolver.intent,
        loaded=loaded,
        servers=tuple(servers),
        leaf=leaf,
        spine=spine,
        link_gbps=link,
        uplink_gbps=uplink,
        halves=halves,
        spine_ports=capacity(spine, uplink),
    )


class _Resolver:
    """The steps of :func:`resolve_fabric`, which share the fabric and the report."""

    def __init__(self, loaded: LoadedInventory, name: str, catalog: Catalog, report: Report) -> None:
        self.loaded = loaded
        self.name = name
        self.intent = loaded.inventory.fabrics[name]
        self.protocol = PROTOCOLS[self.intent.type]
        self.catalog = catalog
        self.report = report

    def add(self, kind: Kind, path: tuple[str | int, ...], summary: str, remedy: str) -> None:
        self.add_at(kind, ("fabrics", self.name, *path), summary, remedy)

    def add_at(self, kind: Kind, path: tuple[str | int, ...], summary: str, remedy: str) -> None:
        origin = self.loaded.origin(*path)
        self.report.add(kind.at(origin.path, summary, span=origin.span, remedy=remedy))

    def entry(self, entries: Mapping[str, T], key: str, what: str, path: tuple[str | int, ...]) -> T | None:
        if key in entries:
            return entries[key]
        self.add_at(UNKNOWN_CATALOG_ENTRY, path, f"the catalog has no {what} `{key}`", did_you_mean(key, entries))
        return None

    def switch(self, tier: str) -> Switch | None:
        key = getattr(self.intent, tier).model
        switch = self.entry(self.catalog.switches, key, "switch", ("fabrics", self.name, tier, "model"))
        if switch is None or switch.protocol == self.protocol:
            return switch
        fitting = [other for other in self.catalog.switches if self.catalog.switches[other].protocol == self.protocol]
        self.add(
            WRONG_PROTOCOL,
            (tier, "model"),
            f"{switch.model} is an {switch.protocol} switch and the fabric is {self.intent.type}",
            f"choose one of {', '.join(f'`{other}`' for other in fitting)}, or change the fabric's `type`",
        )
        return None

    def servers(self) -> tuple[list[RequestedServer], list[Adapter]]:
        servers: list[RequestedServer] = []
        adapters: dict[str, Adapter] = {}
        places: dict[str, int] = {}
        for index, endpoints in enumerate(self.intent.endpoints):
            group = self.loaded.inventory.servers[endpoints.servers]
            found = self.endpoints(index, endpoints, group)
            if found is None:
                continue
            adapter, ports = found
            adapters[adapter.id] = adapter
            servers += self.group(endpoints.servers, group, ports, servers, places)
        return servers, list(adapters.values())

    def group(
        self,
        name: str,
        group: ServerGroup,
        ports: tuple[Endpoint, ...],
        before: list[RequestedServer],
        places: dict[str, int],
    ) -> list[RequestedServer]:
        """Return a group's servers; where the group is listed twice, add the ports to what is there."""
        if name in places:
            first = places[name]
            for offset in range(group.count):
                server = before[first + offset]
                rails = max(endpoint.rail for endpoint in server.endpoints) + 1
                moved = tuple(Endpoint(p.rail + rails, p.port, p.ports_per_adapter, p.label) for p in ports)
                before[first + offset] = replace(server, endpoints=server.endpoints + moved)
            return []
        places[name] = len(before)
        origin = self.loaded.origin("servers", name)
        return [
            RequestedServer(
                name=fill_pattern(group.name, group.first + index, name),
                group=name,
                index=index,
                hardware=group.model,
                endpoints=ports,
                place=place(group.racks, index),
                origin=origin,
            )
            for index in range(group.count)
        ]

    def endpoints(
        self, index: int, endpoints: Endpoints, group: ServerGroup
    ) -> tuple[Adapter, tuple[Endpoint, ...]] | None:
        model = self.entry(self.catalog.servers, group.model, "server", ("servers", endpoints.servers, "model"))
        if model is None:
            return None
        purpose = endpoints.adapters
        chosen, fixed = group.adapters.get(purpose), model.adapters.get(purpose)
        if chosen is None and fixed is None:
            known = {*group.adapters, *model.adapters}
            self.add(
                UNKNOWN_REFERENCE,
                ("endpoints", index, "adapters"),
                f"servers `{endpoints.servers}` have no adapters `{purpose}`",
                did_you_mean(purpose, known)
                if known
                else f"add `adapters: {{{purpose}: {{adapter: …, count: …}}}}` to the group",
            )
            return None
        if chosen is not None:
            path: tuple[str | int, ...] = ("servers", endpoints.servers, "adapters", purpose, "adapter")
            key, count, labels = chosen.adapter, chosen.count, None
        else:
            assert fixed is not None
            path = ("servers", endpoints.servers, "model")
            key, count, labels = fixed.adapter, fixed.count, None if fixed.map == "unknown" else fixed.map
        adapter = self.entry(self.catalog.adapters, key, "adapter", path)
        if adapter is None:
            return None
        if labels is None and model.gpus and purpose == "compute":
            self.add_at(
                AFFINITY_UNKNOWN,
                path,
                f"no GPU-to-adapter map is known for {model.model}",
                "check the rails with `nvidia-smi topo -m` on one server before cabling",
            )
        return self.ports(index, endpoints, adapter, count, labels)

    def ports(
        self, index: int, endpoints: Endpoints, adapter: Adapter, count: int, labels: tuple[Affinity, ...] | None
    ) -> tuple[Adapter, tuple[Endpoint, ...]] | None:
        total = adapter.ports.count
        wanted = endpoints.ports or tuple(range(1, total + 1))
        beyond = [port for port in wanted if port > total]
        if beyond:
            self.add(
                UNKNOWN_REFERENCE,
                ("endpoints", index, "ports"),
                f"{adapter.model} has no port {beyond[0]}",
                f"name ports from 1 to {total}",
            )
            return None
        found = []
        for rail in range(count):
            for port in wanted:
                at = rail * total + port - 1
                printed = labels[at].label if labels is not None and at < len(labels) else None
                default = f"{endpoints.adapters}{rail + 1}" + (f"/{port}" if total > 1 else "")
                found.append(Endpoint(rail, port, total, printed or default))
        return adapter, tuple(found)

    def adapter_speeds(self, adapter: Adapter) -> tuple[str, Collection[int]]:
        speeds = adapter.ports.ethernet_gbps if self.protocol == "ethernet" else adapter.ports.infiniband_gbps
        return adapter.model, speeds

    def speed(self, field: str, ends: list[tuple[str, Collection[int]]]) -> int | None:
        """Return the speed of a kind of link: as asked, if every end has it, else the fastest in common."""
        common = set(ends[0][1]).intersection(*(speeds for _, speeds in ends[1:]))
        listed = "; ".join(f"{model} has {_speeds(speeds)}" for model, speeds in ends)
        asked: int | None = getattr(self.intent, field)
        if asked is None:
            if common:
                return max(common)
            self.add(NO_COMMON_SPEED, ("leaf", "model"), listed, "choose models that share a speed")
            return None
        if asked in common:
            return asked
        kind = IMPOSSIBLE_BREAKOUT if any(max(speeds, default=0) > asked for _, speeds in ends) else NO_COMMON_SPEED
        remedy = f"set `{field}` to one of {_speeds(common)}" if common else "choose models that share a speed"
        self.add(kind, (field,), f"{asked}G cannot be had at both ends: {listed}", remedy)
        return None


def _speeds(speeds: Collection[int]) -> str:
    return ", ".join(f"{speed}G" for speed in sorted(speeds, reverse=True)) or "no speed of this protocol"


def server_names(loaded: LoadedInventory) -> list[str]:
    """Return the names of all servers of an inventory, in natural order."""
    return naturally_sorted(
        fill_pattern(group.name, group.first + index, key)
        for key, group in loaded.inventory.servers.items()
        for index in range(group.count)
    )

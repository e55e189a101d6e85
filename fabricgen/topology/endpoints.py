"""The servers of a fabric and the adapter ports that it joins."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from fabricgen.catalog import Adapter, Affinity, Catalog
from fabricgen.core.diagnostics import Diagnostic, Kind, Report, did_you_mean
from fabricgen.core.provenance import Origin
from fabricgen.device import Role
from fabricgen.inventory import LoadedInventory, ServerGroup
from fabricgen.inventory.kinds import AFFINITY_UNKNOWN, UNKNOWN_CATALOG_ENTRY, UNKNOWN_REFERENCE
from fabricgen.inventory.models import Endpoints
from fabricgen.inventory.scalars import fill_pattern
from fabricgen.topology.fabric import Device, Port, RackPlace, Receptacle
from fabricgen.topology.racks import place

T = TypeVar("T")
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's adapter port that the fabric joins.

    Attributes:
        adapter: number of the adapter within the server's adapters of this fabric, from 0.
        rail: the rail that it belongs to, from 0: the adapter's number, except where servers share a slot.
        port: port of the adapter, from 1.
        ports_per_adapter: ports that the adapter has.
        label: what is printed on the box, or purpose, adapter and port.
        receptacle: the physical cage; two adapters may share one.
    """

    adapter: int
    rail: int
    port: int
    ports_per_adapter: int
    label: str
    receptacle: Receptacle

    def at(self, server: str, speed_gbps: int) -> Port:
        """Return the port of a server."""
        legs = self.ports_per_adapter
        number, leg = self.adapter * legs + self.port, self.port if legs > 1 else 0
        return Port(server, number, self.adapter + 1, leg, legs, speed_gbps, self.label, self.receptacle)


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

    def device(self) -> Device:
        """Return the server as a device of the fabric."""
        return Device(
            self.name, Role.SERVER, self.hardware, self.group, self.index, place=self.place, origin=self.origin
        )


Slot = tuple[RequestedServer, ...]
"""The place of one server on the leaves of a unit; small servers may share one."""


def server_ports(slots: Sequence[Slot]) -> Iterator[tuple[RequestedServer, Endpoint]]:
    """Yield every server port of some slots, in order."""
    return ((server, endpoint) for slot in slots for server in slot for endpoint in server.endpoints)


@dataclass(frozen=True)
class Resolver:
    """What resolving the parts of one fabric shares: the inventory, the catalog and the report."""

    loaded: LoadedInventory
    name: str
    catalog: Catalog
    report: Report

    def finding(self, kind: Kind, path: Path, summary: str, remedy: str) -> Diagnostic:
        """Return a finding about a value of this fabric."""
        return self._at(kind, ("fabrics", self.name, *path), summary, remedy)

    def add(self, kind: Kind, path: Path, summary: str, remedy: str) -> None:
        """Add a finding about a value of this fabric."""
        self.report.add(self.finding(kind, path, summary, remedy))

    def add_at(self, kind: Kind, path: Path, summary: str, remedy: str) -> None:
        """Add a finding about any value of the inventory."""
        self.report.add(self._at(kind, path, summary, remedy))

    def _at(self, kind: Kind, path: Path, summary: str, remedy: str) -> Diagnostic:
        origin = self.loaded.origin(*path)
        return kind.at(origin.path, summary, span=origin.span, remedy=remedy)

    def entry(self, entries: Collection[str], key: str, what: str, path: Path) -> bool:
        """Return whether the catalog has an entry; add FG121 where it has not."""
        if key in entries:
            return True
        self.add_at(UNKNOWN_CATALOG_ENTRY, path, f"the catalog has no {what} `{key}`", did_you_mean(key, entries))
        return False


class AdapterNumbers:
    """Numbers of a server's adapters: they count on from one purpose to the next, in the order they are joined."""

    def __init__(self) -> None:
        self._taken: dict[str, dict[str, range]] = {}

    def first(self, group: str, purpose: str, count: int) -> int:
        """Return the number of the first of a group's adapters of a purpose."""
        taken = self._taken.setdefault(group, {})
        if purpose not in taken:
            start = max((numbers.stop for numbers in taken.values()), default=0)
            taken[purpose] = range(start, start + count)
        return taken[purpose].start


def resolve_servers(
    resolver: Resolver, endpoints: Sequence[Endpoints], path: Path, numbers: AdapterNumbers
) -> tuple[tuple[Slot, ...], tuple[Adapter, ...]]:
    """Resolve the servers that some leaves take.

    Args:
        resolver: the fabric, its inventory and report; takes FG120, FG121 and FG140.
        endpoints: which ports of which groups.
        path: where they stand, below the fabric.
        numbers: numbers of the adapters that the fabric has joined to other leaves already; these are added.

    Returns:
        The slots in order, and the adapters in use.
    """
    found = _Servers(resolver, path, numbers)
    for index, entry in enumerate(endpoints):
        found.take(index, entry)
    return found.slots(), tuple(found.adapters.values())


def resolve_entries(
    resolver: Resolver, endpoints: Sequence[Endpoints], path: Path
) -> list[tuple[tuple[RequestedServer, ...], Adapter] | None]:
    """Resolve each entry on its own: its servers with the ports that it names, and their adapter.

    Args:
        resolver: the fabric, its inventory and report; takes FG120, FG121 and FG140.
        endpoints: which ports of which groups.
        path: where they stand, below the fabric.

    Returns:
        One item for each entry, None where it is wrong.
    """
    numbers = AdapterNumbers()
    entries: list[tuple[tuple[RequestedServer, ...], Adapter] | None] = []
    for index, entry in enumerate(endpoints):
        found = _Servers(resolver, path, numbers)
        found.take(index, entry)
        servers = found.groups.get(entry.servers)
        entries.append((tuple(servers), next(iter(found.adapters.values()))) if servers else None)
    return entries


class _Servers:
    """The steps of :func:`resolve_servers`."""

    def __init__(self, resolver: Resolver, path: Path, numbers: AdapterNumbers) -> None:
        self.resolver = resolver
        self.path = path
        self.numbers = numbers
        self.rails = AdapterNumbers()
        self.adapters: dict[str, Adapter] = {}
        self.groups: dict[str, list[RequestedServer]] = {}
        self.sharing: set[str] = set()

    def take(self, index: int, entry: Endpoints) -> None:
        group = self.resolver.loaded.inventory.servers[entry.servers]
        found = self.endpoints(index, entry, group)
        if found is None:
            return
        adapter, ports = found
        self.adapters[adapter.id] = adapter
        if entry.share_slot:
            self.sharing.add(entry.servers)
        count = 1 + max(port.adapter for port in ports)
        first = self.numbers.first(entry.servers, entry.adapters, count)
        rail = self.rails.first(entry.servers, entry.adapters, count)
        moved = tuple(replace(port, adapter=port.adapter + first, rail=port.rail + rail) for port in ports)
        known = self.groups.get(entry.servers)
        if known is None:
            self.groups[entry.servers] = self.servers(entry.servers, group, moved)
        else:
            self.groups[entry.servers] = [replace(server, endpoints=server.endpoints + moved) for server in known]

    def servers(self, name: str, group: ServerGroup, ports: tuple[Endpoint, ...]) -> list[RequestedServer]:
        origin = self.resolver.loaded.origin("servers", name)
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

    def slots(self) -> tuple[Slot, ...]:
        """Return the slots in the order of the groups."""
        rails = 1 + max(
            (end.rail for name, group in self.groups.items() if name not in self.sharing for end in group[0].endpoints),
            default=0,
        )
        slots: list[Slot] = []
        for name, group in self.groups.items():
            slots += _shared_slots(group, rails) if name in self.sharing else [(server,) for server in group]
        return tuple(slots)

    def endpoints(
        self, index: int, entry: Endpoints, group: ServerGroup
    ) -> tuple[Adapter, tuple[Endpoint, ...]] | None:
        resolver, purpose = self.resolver, entry.adapters
        catalog = resolver.catalog
        if not resolver.entry(catalog.servers, group.model, "server", ("servers", entry.servers, "model")):
            return None
        model = catalog.servers[group.model]
        chosen, fixed = group.adapters.get(purpose), model.adapters.get(purpose)
        if chosen is None and fixed is None:
            known = {*group.adapters, *model.adapters}
            resolver.add(
                UNKNOWN_REFERENCE,
                (*self.path, index, "adapters"),
                f"servers `{entry.servers}` have no adapters `{purpose}`",
                did_you_mean(purpose, known)
                if known
                else f"add `adapters: {{{purpose}: {{adapter: …, count: …}}}}` to the group",
            )
            return None
        if chosen is not None:
            path: Path = ("servers", entry.servers, "adapters", purpose, "adapter")
            key, count, labels = chosen.adapter, chosen.count, None
        else:
            assert fixed is not None
            path = ("servers", entry.servers, "model")
            key, count, labels = fixed.adapter, fixed.count, None if fixed.map == "unknown" else fixed.map
        if not resolver.entry(catalog.adapters, key, "adapter", path):
            return None
        if labels is None and model.gpus and purpose == "compute":
            resolver.add_at(
                AFFINITY_UNKNOWN,
                path,
                f"no GPU-to-adapter map is known for {model.model}",
                "check the rails with `nvidia-smi topo -m` on one server before cabling",
            )
        return self.ports(index, entry, catalog.adapters[key], count, labels)

    def ports(
        self, index: int, entry: Endpoints, adapter: Adapter, count: int, labels: tuple[Affinity, ...] | None
    ) -> tuple[Adapter, tuple[Endpoint, ...]] | None:
        total = adapter.ports.count
        wanted = entry.ports or tuple(range(1, total + 1))
        beyond = [port for port in wanted if port > total]
        if beyond:
            self.resolver.add(
                UNKNOWN_REFERENCE,
                (*self.path, index, "ports"),
                f"{adapter.model} has no port {beyond[0]}",
                f"name ports from 1 to {total}",
            )
            return None
        found = []
        for number in range(count):
            for port in wanted:
                at = number * total + port - 1
                mapped = labels[at] if labels is not None and at < len(labels) else None
                default = f"{entry.adapters}{number + 1}" + (f"/{port}" if total > 1 else "")
                label = (mapped.label if mapped else None) or default
                receptacle = _receptacle(adapter, mapped, label, f"{entry.adapters}{number + 1}")
                found.append(Endpoint(number, number, port, total, label, receptacle))
        return adapter, tuple(found)


def _receptacle(adapter: Adapter, mapped: Affinity | None, label: str, name: str) -> Receptacle:
    """Return the cage of an adapter's port.

    A twin-port cage is two ports': those of one adapter, or of two adapters of one port each, which the server's map
    puts into one cage. Any other port has a cage of its own.
    """
    connector = adapter.ports.connector
    if "twin-port" in connector:
        if adapter.ports.count > 1:
            return Receptacle(name, connector, adapter.ports.count)
        if mapped is not None and mapped.cage is not None:
            return Receptacle(mapped.cage, connector, 2)
    return Receptacle(label, connector, 1)


def _shared_slots(servers: Sequence[RequestedServer], rails: int) -> list[Slot]:
    """Let servers share slots: each adapter takes the next rail, and a slot is full when its rails are taken."""
    slots: list[list[RequestedServer]] = []
    free = 0
    for server in servers:
        adapters = 1 + max(endpoint.adapter for endpoint in server.endpoints)
        if adapters > free:
            slots.append([])
            free = max(rails, adapters)
        first = max(rails, adapters) - free
        free -= adapters
        moved = tuple(replace(endpoint, rail=endpoint.adapter + first) for endpoint in server.endpoints)
        slots[-1].append(replace(server, endpoints=moved))
    return [tuple(slot) for slot in slots]

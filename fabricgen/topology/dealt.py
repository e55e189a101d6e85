"""Ports that are dealt to some switches in turn, as those of BMCs are: what is asked for, and the fabric of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fabricgen.catalog import Adapter, Catalog, Switch
from fabricgen.core.diagnostics import Report
from fabricgen.core.provenance import Origin
from fabricgen.core.units import ceil_div
from fabricgen.inventory import LoadedInventory
from fabricgen.inventory.kinds import TOO_FEW_PORTS
from fabricgen.topology.choices import Chooser, speeds_of
from fabricgen.topology.endpoints import Endpoint, RequestedServer, Resolver, resolve_entries
from fabricgen.topology.fabric import Cable, Device, Fabric, Room, Sizing
from fabricgen.topology.lengths import Lengths
from fabricgen.topology.one_tier import leaf_device
from fabricgen.topology.ports import PortRun, whole_switch
from fabricgen.topology.request import MAIN, Request


@dataclass(frozen=True)
class DealtRequest(Request):
    """Everything that dealing ports needs, resolved.

    Attributes:
        entries: the servers of each entry of ``endpoints``, in order.
        run: ports of a switch.
    """

    switch: Switch
    entries: tuple[tuple[RequestedServer, ...], ...]
    run: PortRun

    @cached_property
    def ports(self) -> tuple[tuple[int, RequestedServer, Endpoint], ...]:
        """Return every port in the order in which it is dealt, with its entry's number."""
        return tuple(
            (number, server, endpoint)
            for number, servers in enumerate(self.entries)
            for server in servers
            for endpoint in server.endpoints
        )


def resolve_dealt(loaded: LoadedInventory, name: str, catalog: Catalog, report: Report) -> DealtRequest | None:
    """Resolve one fabric of an inventory whose ports are dealt out.

    Args:
        loaded: the inventory.
        name: the fabric's name.
        catalog: the device library.
        report: takes FG120, FG121, FG133, FG134, FG136 and FG140.

    Returns:
        The request, or None if anything was wrong.
    """
    chooser = Chooser(Resolver(loaded, name, catalog, report))
    intent = chooser.intent
    switch = chooser.switch(intent.leaf, ("leaf",))
    found = resolve_entries(chooser.resolver, intent.endpoints, ("endpoints",))
    entries = [entry for entry in found if entry is not None]
    if switch is None or len(entries) < len(found):
        return None
    adapters: dict[str, Adapter] = {adapter.id: adapter for _, adapter in entries}
    ends = [*map(chooser.adapter_speeds, adapters.values()), *speeds_of(switch)]
    speed = chooser.speed(("link_speed",), ends, intent.link_speed)
    run = whole_switch(switch, speed) if speed else None
    if run is None:
        return None
    servers = tuple(servers for servers, _ in entries)
    return DealtRequest(name, intent.type, intent, chooser.resolver, switch, servers, run)


def build_dealt(request: DealtRequest, report: Report) -> Fabric | None:
    """Deal the ports out and make the fabric; FG132 where they do not fit, FG135 for lengths that are not known."""
    ports, room = len(request.ports), request.run.capacity
    least = ceil_div(ports, room)
    count = request.intent.leaf.count or least
    if count < least:
        report.add(
            request.finding(
                TOO_FEW_PORTS,
                ("leaf", "count"),
                f"{ports} ports, and {count} x {request.switch.model} have {count * room} of "
                f"{request.run.split.speed_gbps}G",
                f"set it to {least} or more, or leave it out",
            )
        )
        return None
    given = " (the number of switches is given)" if request.intent.leaf.count else ""
    reason = f"{ports} ports / {room} ports of a {request.switch.model} = {least} switch{'es' * (least > 1)} at least"
    switches = [leaf_device(request, index) for index in range(count)]
    servers = {server.name: server.device() for servers in request.entries for server in servers}
    return Fabric(
        name=request.name,
        kind=request.kind,
        design=request.intent.design,
        devices=(*servers.values(), *switches),
        cables=tuple(_cables(request, switches, Lengths(request, report))),
        sizing=Sizing(
            servers=len(servers),
            units=1,
            planes=1,
            pods=0,
            leaves=count,
            spines=0,
            cores=0,
            downlinks_per_leaf=ceil_div(ports, count),
            uplinks_per_leaf=0,
            links_per_spine=0,
            uplinks_per_spine=0,
            links_per_core=0,
            reasons=(reason, f"{ceil_div(ports, count)} ports on each of {count} at most{given}"),
        ),
        rooms={MAIN: Room(room, 0)},
    )


def _cables(request: DealtRequest, switches: list[Device], lengths: Lengths) -> Iterator[Cable]:
    """Yield the links in the order in which they are dealt: the next to the next switch, in its next port."""
    speed = request.run.split.speed_gbps
    origins: list[Origin] = [request.origin("endpoints", number) for number in range(len(request.entries))]
    for index, (entry, server, endpoint) in enumerate(request.ports):
        turn, place = index % len(switches), index // len(switches)
        switch = switches[turn]
        length, length_origin = lengths.between("server", server.place, switch.place)
        near, far = endpoint.at(server.name, speed), request.run.port(switch.name, place)
        yield Cable(near, far, speed, length, None, origins[entry], length_origin)

"""Which leaf every server port goes to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fabricgen.core.diagnostics import Report
from fabricgen.core.units import ceil_div
from fabricgen.inventory.kinds import TOO_FEW_PORTS
from fabricgen.topology.endpoints import Endpoint, RequestedServer, Slot, server_ports
from fabricgen.topology.request import FabricRequest, LeafRequest


@dataclass(frozen=True, slots=True)
class LeafPlace:
    """One of the leaves of a unit.

    Attributes:
        plane: from 0.
        rail: from 0; None where a leaf takes all rails.
        twin: number among the leaves that share a rail and a plane, from 0.
    """

    plane: int = 0
    rail: int | None = None
    twin: int = 0


@dataclass(frozen=True, slots=True)
class Spread:
    """How a unit's server ports are spread over its leaves.

    Attributes:
        places: the leaves of a unit, in order.
        place: the leaf that a server port goes to.
    """

    places: tuple[LeafPlace, ...]
    place: Callable[[Endpoint], LeafPlace]


@dataclass(frozen=True, slots=True)
class LeafPlan:
    """A leaf: its unit, from 1, its place in it, and the server ports that it takes, in order."""

    unit: int
    place: LeafPlace
    ports: tuple[tuple[RequestedServer, Endpoint], ...]


@dataclass(frozen=True, slots=True)
class LeafSet:
    """All leaves of one group.

    Attributes:
        request: what they are made of.
        leaves: in the order of their numbers: unit by unit.
        per_unit: leaves of a unit in one plane.
        downlinks: server links (and links to the outside) of a full leaf; uplinks are sized for these, so that a unit
            can fill up later without new uplinks.
    """

    request: LeafRequest
    leaves: tuple[LeafPlan, ...]
    per_unit: int
    downlinks: int


def rails_of(slots: Sequence[Slot]) -> int:
    """Return the number of rails of some servers."""
    return 1 + max((endpoint.rail for _, endpoint in server_ports(slots)), default=0)


def spread_over_leaves(fabric: FabricRequest, leaf: LeafRequest, spread: Spread, report: Report) -> LeafSet | None:
    """Divide the servers of a leaf group among units, in order, and their ports among the unit's leaves.

    Args:
        fabric: the resolved fabric.
        leaf: the leaf group.
        spread: how a unit's ports are spread.
        report: takes FG132.

    Returns:
        The leaves, or None where a unit does not fit.
    """
    per_slot = _ports_per_slot(leaf.slots, spread)
    size = _unit_size(fabric, leaf, per_slot, len(spread.places) > 1, report)
    if size is None:
        return None
    leaves = [
        LeafPlan(number, place, ports.get(place, ()))
        for number, ports in enumerate(_units(leaf.slots, size, spread), start=1)
        for place in spread.places
    ]
    leaves += _spare_leaves(leaf, spread, len(leaves))
    per_plane = len(spread.places) // len({place.plane for place in spread.places})
    _check_count(fabric, leaf, len(leaves), report)
    return LeafSet(leaf, tuple(leaves), per_plane, size * per_slot + leaf.external_ports)


def _ports_per_slot(slots: Sequence[Slot], spread: Spread) -> int:
    """Return the most ports that one slot has on one leaf."""
    most, seen = 0, set()
    for slot in slots:
        key = tuple(id(server.endpoints) for server in slot)
        if key not in seen:
            seen.add(key)
            most = max(most, *Counter(spread.place(endpoint) for _, endpoint in server_ports([slot])).values())
    return most


def _unit_size(fabric: FabricRequest, leaf: LeafRequest, per_slot: int, rails: bool, report: Report) -> int | None:
    """Return the number of servers of a full unit."""
    room = leaf.down.capacity - leaf.external_ports
    if not leaf.slots:
        if room >= 0:
            return 0
        summary = (
            f"{leaf.external_ports} ports to the outside, and a leaf has {leaf.down.capacity} of {leaf.link_gbps}G"
        )
        report.add(fabric.finding(TOO_FEW_PORTS, (*leaf.path, "external_ports"), summary, "lower it"))
        return None
    most = max(room, 0) // per_slot
    size = leaf.servers_per_unit or min(most, len(leaf.slots))
    if 0 < size <= most:
        return size
    ports = f"{per_slot} port{'s' if per_slot > 1 else ''} of {leaf.link_gbps}G"
    where = "on each rail" if rails else "each"
    also = f" beside {leaf.external_ports} ports to the outside" if leaf.external_ports else ""
    report.add(
        fabric.finding(
            TOO_FEW_PORTS,
            leaf.servers_path,
            f"a leaf holds {most} servers with {ports} {where} at {leaf.oversubscription}{also}, "
            f"and {size or 1} are to share it",
            f"set it to {most} or less, or raise `oversubscription`",
        )
    )
    return None


def _units(
    slots: Sequence[Slot], size: int, spread: Spread
) -> list[dict[LeafPlace, tuple[tuple[RequestedServer, Endpoint], ...]]]:
    """Return for each unit the server ports of each of its leaves."""
    units = []
    places: dict[int, list[tuple[LeafPlace, Endpoint]]] = {}
    for first in range(0, len(slots), max(size, 1)):
        ports: dict[LeafPlace, list[tuple[RequestedServer, Endpoint]]] = defaultdict(list)
        for slot in slots[first : first + size]:
            for server in slot:
                found = places.get(id(server.endpoints))
                if found is None:
                    found = [(spread.place(endpoint), endpoint) for endpoint in server.endpoints]
                    places[id(server.endpoints)] = found
                for place, endpoint in found:
                    ports[place].append((server, endpoint))
        units.append({place: tuple(taken) for place, taken in ports.items()})
    return units


def _spare_leaves(leaf: LeafRequest, spread: Spread, made: int) -> list[LeafPlan]:
    """Return the leaves that are asked for beyond those that take servers: leaves that only lead outside."""
    if leaf.slots or leaf.tier.count is None:
        return []
    units = ceil_div(leaf.tier.count - made, len(spread.places))
    return [LeafPlan(unit, place, ()) for unit in range(1, units + 1) for place in spread.places]


def _check_count(fabric: FabricRequest, leaf: LeafRequest, needed: int, report: Report) -> None:
    """Add FG132 if the inventory gives a number of leaves that is not the one needed."""
    given = leaf.tier.count
    if given is not None and given != needed:
        what = "the servers need" if leaf.slots else "the planes share leaves evenly, so it takes"
        report.add(
            fabric.finding(
                TOO_FEW_PORTS,
                (*leaf.path, "count"),
                f"{what} {needed} leaves and `count` says {given}",
                f"set it to {needed}, leave it out, or change `servers_per_unit`",
            )
        )

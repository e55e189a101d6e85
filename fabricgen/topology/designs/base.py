"""What a design is, and what the designs share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Report
from fabricgen.inventory import LoadedInventory
from fabricgen.inventory.kinds import DESIGN_REFUSES
from fabricgen.inventory.models import Endpoints
from fabricgen.topology.clos import build_clos
from fabricgen.topology.endpoints import Endpoint, Path
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.leaves import LeafPlace, LeafSet, Spread, rails_of, spread_over_leaves
from fabricgen.topology.request import FabricRequest, LeafRequest, Request, resolve_fabric


@dataclass(frozen=True)
class Design:
    """A way to cable servers.

    Attributes:
        name: what inventories say.
        title: what it is, in one line.
        build: makes the fabric of what ``resolve`` returns; adds what cannot be built to the report and then returns
            None.
        resolve: reads the inventory's words for it; adds what is wrong to the report and then returns None.
    """

    name: str
    title: str
    build: Callable[[Any, Report], Fabric | None]
    resolve: Callable[[LoadedInventory, str, Catalog, Report], Request | None] = resolve_fabric


#: Fields of fabrics with several tiers, or with several leaves for each server.
NO_CLOS = (
    *("spine", "core", "other_leaves", "tiers", "planes", "leaf_per_rail", "spine_oversubscription", "uplink_speed"),
    *("core_speed", "servers_per_unit", "units_per_pod"),
)


def to_one_leaf(planes: int = 1, twins: int = 1) -> Spread:
    """Return the spread where all adapters of a server go to one leaf, or to one for each plane and twin.

    Args:
        planes: planes that an adapter's ports are dealt to.
        twins: leaves within one plane that an adapter's ports are dealt to.
    """
    places = tuple(LeafPlace(plane, None, twin) for plane in range(planes) for twin in range(twins))

    def place(endpoint: Endpoint) -> LeafPlace:
        port = endpoint.port - 1
        return places[port % planes * twins + port // planes % twins]

    return Spread(places, place)


def to_rails(rails: int, planes: int = 1, twins: int = 1) -> Spread:
    """Return the spread where adapter i goes to leaf i.

    Args:
        rails: number of rails.
        planes: planes that an adapter's ports are dealt to.
        twins: leaves of a rail within one plane that an adapter's ports are dealt to.
    """
    places = tuple(
        LeafPlace(plane, rail, twin) for plane in range(planes) for rail in range(rails) for twin in range(twins)
    )

    def place(endpoint: Endpoint) -> LeafPlace:
        port = endpoint.port - 1
        return LeafPlace(port % planes, endpoint.rail, port // planes % twins)

    return Spread(places, place)


def spread_others(request: FabricRequest, report: Report, planes: int = 1) -> list[LeafSet | None]:
    """Return the leaves of the other leaf groups."""
    return [spread_over_leaves(request, leaf, _other_spread(request, leaf, planes), report) for leaf in request.others]


def _other_spread(request: FabricRequest, leaf: LeafRequest, planes: int) -> Spread:
    design = request.intent.other_leaves[leaf.group].design
    return to_one_leaf(planes) if design == "leaf-spine" else to_rails(rails_of(leaf.slots), planes)


def build_spread(
    request: FabricRequest, spread: Spread, report: Report, *, planes: int = 1, three_tiers: bool = False
) -> Fabric | None:
    """Build the fabric of a spread of the main servers; the other leaf groups join the same spines."""
    if planes > 1 and request.kind == "infiniband":
        report.add(
            request.finding(
                DESIGN_REFUSES,
                ("design",),
                f"each of the {planes} planes would be an InfiniBand subnet with a Subnet Manager of its own",
                "write one fabric for each plane, with `ports` or `adapters` of its own and its own `subnet_prefix`",
            )
        )
        return None
    refused = refuse(request, report, ("isl",), "it has no pair of switches")
    refused |= refuse_placements(request, report)
    if refused:
        return None
    main = spread_over_leaves(request, request.leaf, spread, report)
    leaf_sets = [main, *spread_others(request, report, planes)]
    whole = [leaf_set for leaf_set in leaf_sets if leaf_set is not None]
    if len(whole) < len(leaf_sets):
        return None
    return build_clos(request, whole, report, planes=planes, three_tiers=three_tiers)


def spread_ports(request: FabricRequest, planes: int, twins: int = 1) -> Spread:
    """Return the spread of a design that deals an adapter's ports out: by rail, or all rails together if asked."""
    if not request.intent.leaf_per_rail:
        return to_one_leaf(planes, twins)
    return to_rails(rails_of(request.leaf.slots), planes, twins)


def refuse_placements(request: Request, report: Report) -> bool:
    """Report endpoints that say where they are on a pair of switches; return whether there were any."""
    why, remedy = (
        f"`{request.intent.design}` places ports by itself",
        "remove `placement`, or choose `design: switch-pair`",
    )
    return _refuse_of_endpoints(request, report, "placement", why, remedy)


def refuse_share_slot(request: Request, report: Report) -> bool:
    """Report endpoints that are to share slots, in a design that has none; return whether there were any."""
    why = f"`{request.intent.design}` has no slots that servers could share"
    return _refuse_of_endpoints(request, report, "share_slot", why, "remove `share_slot`")


def _refuse_of_endpoints(request: Request, report: Report, field: str, why: str, remedy: str) -> bool:
    intent = request.intent
    groups: list[tuple[Path, tuple[Endpoints, ...]]] = [(("endpoints",), intent.endpoints)]
    groups += [(("other_leaves", name, "endpoints"), leaf.endpoints) for name, leaf in intent.other_leaves.items()]
    found = [
        (*path, index, field)
        for path, entries in groups
        for index, entry in enumerate(entries)
        if getattr(entry, field)
    ]
    for path in found:
        report.add(request.finding(DESIGN_REFUSES, path, why, remedy))
    return bool(found)


def refuse(request: Request, report: Report, fields: Sequence[str], why: str) -> bool:
    """Report values that a design has no use for; return whether there were any."""
    given = [field for field in fields if field in request.intent.model_fields_set]
    for field in given:
        report.add(
            request.finding(
                DESIGN_REFUSES,
                (field,),
                f"`{request.intent.design}` has no `{field}`: {why}",
                f"remove `{field}`, or choose another `design`",
            )
        )
    return bool(given)


def planes_of(
    request: FabricRequest, report: Report, *, least_ports: int = 2, most_planes: int | None = None
) -> int | None:
    """Return the number of planes: as asked, or the ports of the adapters; None, with FG148, where that cannot be."""
    ports = _ports_per_adapter(request)
    planes = request.intent.planes or ports
    if ports < least_ports or planes > ports or (most_planes and planes > most_planes):
        limit = min(ports, most_planes or ports)
        report.add(
            request.finding(
                DESIGN_REFUSES,
                ("planes",) if request.intent.planes else ("design",),
                f"`{request.intent.design}` with {max(planes, least_ports)} planes needs as many ports of every "
                f"adapter, and they have {ports} in this fabric"
                + (f"; it has {most_planes} planes at most" if most_planes and planes > most_planes else ""),
                f"set `planes` to {limit} or less"
                if limit >= least_ports
                else "choose adapters with more ports, or `design: rail-optimized`",
            )
        )
        return None
    return planes


def _ports_per_adapter(request: FabricRequest) -> int:
    """Return the ports that every adapter has in this fabric; servers of a group share one list of endpoints."""
    distinct = {id(server.endpoints): server.endpoints for slot in request.leaf.slots for server in slot}
    return min((min(Counter(end.adapter for end in endpoints).values()) for endpoints in distinct.values()), default=0)

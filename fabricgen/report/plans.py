"""A plan as rows and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby

from fabricgen.core.diagnostics import Diagnostic
from fabricgen.core.guids import format_guid
from fabricgen.core.provenance import Basis
from fabricgen.planning.plan import FabricPlan
from fabricgen.report.machine import diagnostic_data
from fabricgen.report.summary import counts
from fabricgen.topology import Cable, Device, Fabric


def port_rows(plan: FabricPlan) -> list[tuple[object, ...]]:
    """Return name, model, ports in use down and up, and what is free, of each switch or run of switches that are alike.

    A run is called by its first and its last switch.
    """
    rows = []
    for figures, run in groupby(_switch_rows(plan), key=lambda row: row[1:]):
        names = [row[0] for row in run]
        rows.append((names[0] if len(names) == 1 else f"{names[0]} to {names[-1]} ({len(names)})", *figures))
    return rows


def _switch_rows(plan: FabricPlan) -> list[tuple[object, ...]]:
    fabric = plan.fabric
    rows: list[tuple[object, ...]] = []
    for device in fabric.switches:
        ports = fabric.ports(device.name)
        up = sum(_is_uplink(fabric, device, cable) for _, cable in ports)
        down, room = len(ports) - up, fabric.rooms[device.group]
        free = f"{room.down - down} down, {room.up - up} up" if room.up else f"{room.down - down}"
        rows.append((device.name, device.hardware, down, up, free))
    return rows


def _is_uplink(fabric: Fabric, device: Device, cable: Cable) -> bool:
    """Return whether a switch's cable leads to a switch that is not below it: above, or its twin in a pair."""
    far = cable.b if cable.a.device == device.name else cable.a
    return fabric.by_name[far.device].role.tier >= device.role.tier


def address_rows(plan: FabricPlan) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return the heading and rows of what each switch is given; only its name where that is nothing."""
    if plan.addresses is not None:
        addresses = plan.addresses
        return ("switch", "loopback", "AS number", "server block"), [
            (
                device.name,
                addresses.loopbacks[device.name],
                addresses.asns[device.name],
                addresses.server_blocks.get(device.name, ""),
            )
            for device in plan.fabric.switches
        ]
    guids = plan.guids
    if guids is None:
        return ("switch",), [(device.name,) for device in plan.fabric.switches]
    return ("switch", "GUID", "LID"), [
        (device.name, format_guid(guids.switches[device.name]), guids.lids[guids.switches[device.name]])
        for device in plan.fabric.switches
    ]


def distinct_bases(plan: FabricPlan) -> list[tuple[str, Basis]]:
    """Return every computed number of a plan once, with the devices and ports that share it."""
    shared: dict[Basis, list[tuple[str, str, str]]] = {}
    for model in plan.models:
        for key, basis in model.bases.items():
            where, _, figure = key.rpartition(" ")
            shared.setdefault(basis, []).append((model.name, where, figure))
    return [(_where(users), basis) for basis, users in shared.items()]


def _where(users: Sequence[tuple[str, str, str]]) -> str:
    device, port, figure = users[0]
    first = f"{figure} of {device} {port}".rstrip()
    return first if len(users) == 1 else f"{first} and {len(users) - 1} more"


def plans_json(plans: Iterable[FabricPlan], notes: Iterable[Diagnostic]) -> str:
    """Return plans as a JSON document."""
    fabrics = []
    for plan in plans:
        columns, rows = address_rows(plan)
        fabrics.append(
            {
                "name": plan.fabric.name,
                "type": plan.fabric.kind,
                "design": plan.fabric.design,
                "counts": {key.replace(" ", "_"): value for key, value in counts(plan).items()},
                "planes": plan.fabric.sizing.planes,
                "pods": plan.fabric.sizing.pods,
                "uplinks_per_leaf": plan.fabric.sizing.uplinks_per_leaf,
                "links_per_spine": plan.fabric.sizing.links_per_spine,
                "uplinks_per_spine": plan.fabric.sizing.uplinks_per_spine,
                "links_per_core": plan.fabric.sizing.links_per_core,
                "reasons": list(plan.fabric.sizing.reasons),
                "switches": [dict(zip(columns, map(str, row), strict=True)) for row in rows],
            }
        )
    document = {"schema": 1, "fabrics": fabrics, "diagnostics": [diagnostic_data(note) for note in notes]}
    return json.dumps(document, indent=2) + "\n"

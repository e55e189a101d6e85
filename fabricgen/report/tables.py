"""The tables of a planned fabric: cabling, addresses and bill of materials."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence

from fabricgen.catalog import Catalog
from fabricgen.core.guids import format_guid
from fabricgen.core.units import format_length
from fabricgen.device import Role
from fabricgen.planning.plan import FabricPlan


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return stream.getvalue()


def cabling_csv(plan: FabricPlan) -> str:
    """Return one line for each cable, both ends with rack, device, port as printed and port as configured."""
    columns = ["cable", "kind", "rail", "speed_gbps", "length_m"]
    columns += [f"{end}_{field}" for end in "ab" for field in ("rack", "device", "label", "port")]
    rows = []
    for number, cable in enumerate(plan.fabric.cables, start=1):
        a, b = plan.fabric.by_name[cable.a.device], plan.fabric.by_name[cable.b.device]
        kind = "server" if a.role is Role.SERVER else "fabric"
        rail = None if cable.rail is None or plan.fabric.design == "leaf-spine" else cable.rail + 1
        row: list[object] = [number, kind, rail, cable.speed_gbps, format_length(cable.length_cm)]
        for device, port in ((a, cable.a), (b, cable.b)):
            row += [device.place.rack if device.place else None, device.name, port.label, plan.port_name(port)]
        rows.append(row)
    return _csv(columns, rows)


def addresses_csv(plan: FabricPlan) -> str:
    """Return one line for each address, AS number, GUID or LID that the plan gives out."""
    if plan.guids is not None:
        return _guid_rows(plan)
    assert plan.addresses is not None
    rows: list[Sequence[object]] = []
    for device in plan.fabric.switches:
        rows.append(
            (
                device.name,
                "loopback",
                f"{plan.addresses.loopbacks[device.name]}/32",
                None,
                None,
                plan.addresses.asns[device.name],
            )
        )
        block = plan.addresses.server_blocks.get(device.name)
        if block is not None:
            rows.append((device.name, "server block", str(block), None, None, None))
    for cable, link in zip(plan.fabric.cables, plan.addresses.links, strict=True):
        if link is None:
            continue
        for port, address, peer in ((cable.a, link.a, cable.b), (cable.b, link.b, cable.a)):
            rows.append((port.device, plan.port_name(port), f"{address}/31", peer.device, plan.port_name(peer), None))
    return _csv(["device", "port", "address", "peer_device", "peer_port", "asn"], rows)


def _guid_rows(plan: FabricPlan) -> str:
    guids = plan.guids
    assert guids is not None
    rows: list[Sequence[object]] = [
        (name, 0, format_guid(guid), guids.lids[guid]) for name, guid in guids.switches.items()
    ]
    rows += [(name, port, format_guid(guid), guids.lids[guid]) for (name, port), guid in guids.adapters.items()]
    return _csv(["device", "port", "guid", "lid"], rows)


def bom_csv(plan: FabricPlan, catalog: Catalog) -> str:
    """Return how many of each switch model and of each cable the fabric needs; what it joins is not counted."""
    switches = Counter(device.hardware for device in plan.fabric.switches)
    rows: list[Sequence[object]] = []
    for key, count in sorted(switches.items()):
        switch = catalog.switches[key]
        rows.append(("switch", key, f"{switch.vendor} {switch.model}", None, None, count))
    cables = Counter((cable.speed_gbps, cable.length_cm) for cable in plan.fabric.cables)
    rows += [
        ("link", None, "cable, or transceivers and fibre", speed, format_length(length), count)
        for (speed, length), count in sorted(cables.items())
    ]
    return _csv(["kind", "id", "description", "speed_gbps", "length_m", "count"], rows)

"""The tables of a planned fabric that people and programs look up: addresses, AS numbers, GUIDs, LIDs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from fabricgen.core.guids import format_guid
from fabricgen.planning.plan import FabricPlan


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV; what is None is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def addresses_csv(plan: FabricPlan) -> str:
    """Return one line for each address, AS number, GUID or LID that the plan gives out; a plain network has none."""
    if plan.guids is not None:
        return _guid_rows(plan)
    columns = ["device", "port", "address", "peer_device", "peer_port", "asn"]
    if plan.addresses is None:
        return csv_text(columns, [])
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
    return csv_text(columns, rows)


def _guid_rows(plan: FabricPlan) -> str:
    guids = plan.guids
    assert guids is not None
    rows: list[Sequence[object]] = [
        (name, 0, format_guid(guid), guids.lids[guid]) for name, guid in guids.switches.items()
    ]
    rows += [(name, port, format_guid(guid), guids.lids[guid]) for (name, port), guid in guids.adapters.items()]
    return csv_text(["device", "port", "guid", "lid"], rows)

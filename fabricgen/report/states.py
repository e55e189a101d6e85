"""What a fabric consists of, as data that two builds can be compared by: of a plan, or of what a build wrote."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabricgen.core.guids import format_guid
from fabricgen.planning.plan import FabricPlan

#: Files of a fabric that :func:`state_of_documents` reads.
DOCUMENTS = ("topology.json", "addresses.csv")

#: A device and its port, as configured.
End = tuple[str, str]

#: A device, its port (empty for the device itself), and what it is given.
Owner = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class DeviceState:
    """What a device is and where it stands; the rack is empty where none is known."""

    role: str
    hardware: str
    rack: str


@dataclass(frozen=True, slots=True)
class FabricState:
    """A fabric as data.

    Attributes:
        cables: by both ends, the lower tier's first: speed in Gbit/s and length in cm.
        addresses: addresses, AS numbers, GUIDs and LIDs by who has them.
    """

    name: str
    devices: Mapping[str, DeviceState] = field(default_factory=dict)
    cables: Mapping[tuple[End, End], tuple[int, int]] = field(default_factory=dict)
    addresses: Mapping[Owner, str] = field(default_factory=dict)


def state_of_plan(plan: FabricPlan) -> FabricState:
    """Return the state that a plan would build."""
    devices = {
        device.name: DeviceState(str(device.role), device.hardware, device.place.rack if device.place else "")
        for device in plan.fabric.devices
    }
    cables = {
        ((link.a.device, link.a.interface), (link.b.device, link.b.interface)): (cable.speed_gbps, cable.length_cm)
        for link, cable in zip(plan.links, plan.fabric.cables, strict=True)
    }
    return FabricState(plan.fabric.name, devices, cables, _planned_addresses(plan))


def _planned_addresses(plan: FabricPlan) -> dict[Owner, str]:
    found: dict[Owner, str] = {}
    if plan.guids is not None:
        ids = [((name, "0"), guid) for name, guid in plan.guids.switches.items()]
        ids += [((name, str(port)), guid) for (name, port), guid in plan.guids.adapters.items()]
        for (name, port), guid in ids:
            found[name, port, "GUID"] = format_guid(guid)
            found[name, port, "LID"] = str(plan.guids.lids[guid])
        return found
    if plan.addresses is None:
        return found
    for name, address in plan.addresses.loopbacks.items():
        found[name, "", "loopback"] = f"{address}/32"
        found[name, "", "AS number"] = str(plan.addresses.asns[name])
    for name, block in plan.addresses.server_blocks.items():
        found[name, "", "server block"] = str(block)
    for link, pair in zip(plan.links, plan.addresses.links, strict=True):
        if pair is not None:
            found[link.a.device, link.a.interface, "address"] = f"{pair.a}/31"
            found[link.b.device, link.b.interface, "address"] = f"{pair.b}/31"
    return found


def state_of_documents(name: str, documents: Mapping[str, str]) -> FabricState:
    """Return the state that a build wrote.

    Args:
        name: the fabric's name.
        documents: text of the files of :data:`DOCUMENTS`.

    Raises:
        ValueError: a document does not have the form that this version writes.
    """
    file = DOCUMENTS[0]
    try:
        devices, cables = _read_topology(json.loads(documents[file]))
        file = DOCUMENTS[1]
        addresses = _read_addresses(documents[file])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"{name}/{file} does not have the form that this version writes: {error!r}"
        raise ValueError(msg) from error
    return FabricState(name, devices, cables, addresses)


def _read_topology(
    data: Mapping[str, Any],
) -> tuple[dict[str, DeviceState], dict[tuple[End, End], tuple[int, int]]]:
    devices = {node["id"]: DeviceState(node["role"], node["hardware"], node.get("rack", "")) for node in data["nodes"]}
    cables = {
        ((link["source"], link["source_port"]), (link["target"], link["target_port"])): (
            link["speed_gbps"],
            round(link["length_m"] * 100),
        )
        for link in data["edges"]
    }
    return devices, cables


def _read_addresses(text: str) -> dict[Owner, str]:
    rows = csv.reader(io.StringIO(text))
    columns = next(rows, [])
    at = {column: index for index, column in enumerate(columns)}
    found: dict[Owner, str] = {}
    device, port = at["device"], at["port"]
    if "guid" in at:
        guid, lid = at["guid"], at["lid"]
        for row in rows:
            found[row[device], row[port], "GUID"] = row[guid]
            found[row[device], row[port], "LID"] = row[lid]
        return found
    address, asn = at["address"], at["asn"]
    for row in rows:
        if row[port] in {"loopback", "server block"}:
            found[row[device], "", row[port]] = row[address]
        else:
            found[row[device], row[port], "address"] = row[address]
        if row[asn]:
            found[row[device], "", "AS number"] = row[asn]
    return found

"""The topology as data for other programs: node-link JSON and GraphML.

Both are written line by line, one line for each device and cable: a change of a cable is a change of a line, and a
fabric of 200,000 links takes a second. networkx reads both back (``node_link_graph``, ``read_graphml``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape

from fabricgen.planning.plan import FabricPlan
from fabricgen.topology import Device

Value = str | int | float
Row = tuple[str, str, int, Mapping[str, Value]]

#: Attributes of devices and of cables, with their GraphML types. What a device or a cable does not have is left out.
_NODE_TYPES = {
    "role": "string", "hardware": "string", "group": "string", "index": "long", "unit": "long", "rail": "long",
    "plane": "long", "pod": "long", "rack": "string", "rack_unit": "long",
}  # fmt: skip
_EDGE_TYPES = {
    "speed_gbps": "long", "length_m": "double", "rail": "long", "source_port": "string", "target_port": "string",
    "source_label": "string", "target_label": "string",
}  # fmt: skip
_GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">'
)
_GRAPH_TYPES = {"name": "string", "kind": "string", "design": "string"}


def topology_json(plan: FabricPlan) -> str:
    """Return the fabric as node-link JSON, with the keys that networkx's ``node_link_graph`` expects."""
    nodes = (json.dumps({**device_data(device), "id": device.name}) for device in plan.fabric.devices)
    edges = (
        json.dumps({**data, "source": source, "target": target, "key": key}) for source, target, key, data in rows(plan)
    )
    head = json.dumps({"directed": False, "multigraph": True, "graph": _graph_data(plan)})[:-1]
    return f'{head}, "nodes": [\n{_joined(nodes)}\n], "edges": [\n{_joined(edges)}\n]}}\n'


def topology_graphml(plan: FabricPlan) -> str:
    """Return the fabric as GraphML (graphml.graphdrawing.org); every cable is an edge, its key the edge's id."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _GRAPHML,
    ]
    for domain, types in (("graph", _GRAPH_TYPES), ("node", _NODE_TYPES), ("edge", _EDGE_TYPES)):
        lines += [
            f'<key id="{domain}-{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>'
            for name, kind in types.items()
        ]
    lines.append(f'<graph id="{_text(plan.fabric.name)}" edgedefault="undirected">{_data("graph", _graph_data(plan))}')
    lines += [
        f'<node id="{_text(device.name)}">{_data("node", device_data(device))}</node>' for device in plan.fabric.devices
    ]
    lines += [
        f'<edge id="{key}" source="{_text(source)}" target="{_text(target)}">{_data("edge", data)}</edge>'
        for source, target, key, data in rows(plan)
    ]
    return "\n".join((*lines, "</graph>", "</graphml>\n"))


def device_data(device: Device) -> dict[str, Value]:
    """Return what a device is, as plain data; units and pods count from 1, rails and planes from 0."""
    place = device.place
    data: dict[str, Value | None] = {
        "role": str(device.role),
        "hardware": device.hardware,
        "group": device.group,
        "index": device.index,
        "unit": device.unit,
        "rail": device.rail,
        "plane": device.plane,
        "pod": device.pod,
        "rack": place.rack if place else None,
        "rack_unit": place.rack_unit if place else None,
    }
    return {name: value for name, value in data.items() if value is not None}


def rows(plan: FabricPlan) -> Iterator[Row]:
    """Yield both devices of every cable, the number of the cable among those of its pair, from 0, and its data."""
    seen: dict[tuple[str, str], int] = {}
    for cable in plan.fabric.cables:
        a, b = cable.a, cable.b
        pair = (a.device, b.device)
        key = seen[pair] = seen.get(pair, -1) + 1
        data: dict[str, Value] = {"speed_gbps": cable.speed_gbps, "length_m": cable.length_cm / 100}
        if cable.rail is not None:
            data["rail"] = cable.rail
        data["source_port"], data["target_port"] = plan.port_name(a), plan.port_name(b)
        data["source_label"], data["target_label"] = a.label, b.label
        yield a.device, b.device, key, data


def _graph_data(plan: FabricPlan) -> dict[str, Value]:
    return {"name": plan.fabric.name, "kind": plan.fabric.kind, "design": plan.fabric.design}


def _joined(lines: Iterator[str]) -> str:
    return ",\n".join(lines)


def _data(domain: str, data: Mapping[str, Value]) -> str:
    return "".join([f'<data key="{domain}-{name}">{_text(value)}</data>' for name, value in data.items()])


def _text(value: Value) -> str:
    return escape(value) if isinstance(value, str) else str(value)

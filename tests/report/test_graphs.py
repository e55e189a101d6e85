from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from fabricgen import api
from fabricgen.planning.plan import FabricPlan
from fabricgen.report.graphs import device_data, rows, topology_graphml, topology_json
from tests.report.fabrics import INVENTORIES, fabric


def plan_of(name: str) -> FabricPlan:
    return FabricPlan(fabric(name), None, None, (), {}, ())


def expected(plan: FabricPlan) -> nx.MultiGraph[str]:
    """Return the graph as networkx makes it of the fabric itself."""
    graph: nx.MultiGraph[str] = nx.MultiGraph(name=plan.fabric.name, kind=plan.fabric.kind, design=plan.fabric.design)
    for device in plan.fabric.devices:
        graph.add_node(device.name, **device_data(device))
    for cable, (_, _, _, data) in zip(plan.fabric.cables, rows(plan), strict=True):
        assert math.isclose(float(data["length_m"]) * 100, cable.length_cm)
        assert (data["source_label"], data["target_label"]) == (cable.a.label, cable.b.label)
        graph.add_edge(cable.a.device, cable.b.device, **data)
    return graph


def nodes(graph: Any) -> dict[str, Mapping[str, Any]]:
    return dict(graph.nodes(data=True))


def edges(graph: Any) -> dict[tuple[str, str, int], Mapping[str, Any]]:
    return {(*sorted((a, b)), int(key)): data for a, b, key, data in graph.edges(keys=True, data=True)}


@pytest.mark.parametrize("name", sorted(INVENTORIES))
def test_networkx_reads_the_json_back(name: str) -> None:
    data = json.loads(topology_json(plan_of(name)))
    graph, wanted = nx.node_link_graph(data, edges="edges"), expected(plan_of(name))
    assert isinstance(graph, nx.MultiGraph)
    assert graph.graph == wanted.graph
    assert nodes(graph) == nodes(wanted)
    assert edges(graph) == edges(wanted)
    assert nx.is_connected(graph)


@pytest.mark.parametrize("name", sorted(INVENTORIES))
def test_networkx_reads_the_graphml_back(name: str) -> None:
    text = topology_graphml(plan_of(name))
    graph = nx.read_graphml(io.BytesIO(text.encode()), force_multigraph=True)
    wanted = expected(plan_of(name))
    assert {key: value for key, value in graph.graph.items() if key in wanted.graph} == wanted.graph
    assert nodes(graph) == nodes(wanted)
    found = {key: {name: value for name, value in data.items() if name != "id"} for key, data in edges(graph).items()}
    assert found == edges(wanted)


def test_ports_are_named_as_their_devices_name_them(inventories: Path) -> None:
    (plan,) = api.plan(api.load(inventories / "tiny")).fabrics
    edge = json.loads(topology_json(plan))["edges"][0]
    assert (edge["source"], edge["source_port"]) == ("gpu-01", "compute1")
    assert (edge["target"], edge["target_port"]) == ("leaf-01", "Ethernet0")


def test_a_device_and_a_cable_are_a_line_each(inventories: Path) -> None:
    (plan,) = api.plan(api.load(inventories / "tiny")).fabrics
    things = len(plan.fabric.devices) + len(plan.fabric.cables)
    assert len(topology_json(plan).splitlines()) == things + 3
    assert topology_graphml(plan).count("<node ") + topology_graphml(plan).count("<edge ") == things


def test_graphml_escapes_what_xml_would_read() -> None:
    from dataclasses import replace

    plan = plan_of("every-link")
    first, *others = plan.fabric.devices
    odd = replace(plan, fabric=replace(plan.fabric, name='a"<&>', devices=(replace(first, group="x<&y"), *others)))
    graph = nx.read_graphml(io.BytesIO(topology_graphml(odd).encode()), force_multigraph=True)
    assert graph.graph["name"] == 'a"<&>'
    assert graph.nodes[first.name]["group"] == "x<&y"

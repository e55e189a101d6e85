from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from fabricgen import api
from fabricgen.report.diagram import topology_svg
from fabricgen.report.tables import addresses_csv, bom_csv, cabling_csv, topology_json
from tests.clusters import roce


@pytest.fixture(scope="module")
def plans(inventories: Path) -> api.Plans:
    return api.plan(api.load(inventories / "roce-h200-32"))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_cabling_names_both_ends_in_both_languages(plans: api.Plans) -> None:
    (plan,) = plans.fabrics
    table = rows(cabling_csv(plan))
    assert len(table) == 384
    assert table[0] == {
        "cable": "1", "kind": "server", "rail": "1", "speed_gbps": "400", "length_m": "10.5", "a_rack": "A01",
        "a_device": "h200-001", "a_label": "compute1", "a_port": "compute1", "b_rack": "N01", "b_device": "leaf-01",
        "b_label": "1/1", "b_port": "Ethernet0",
    }  # fmt: skip
    ends = Counter((row[f"{end}_device"], row[f"{end}_port"]) for row in table for end in "ab")
    assert set(ends.values()) == {1}


def test_addresses_are_unique(plans: api.Plans) -> None:
    (plan,) = plans.fabrics
    table = [row for row in rows(addresses_csv(plan)) if row["port"] != "server block"]
    addresses = [row["address"].split("/")[0] for row in table]
    assert len(addresses) == len(set(addresses)) == 10 + 2 * 256


def test_the_bill_counts_every_switch_and_cable(plans: api.Plans) -> None:
    table = rows(bom_csv(plans.fabrics[0], plans.cluster.catalog))
    assert [row["count"] for row in table if row["kind"] == "switch"] == ["10"]
    assert sum(int(row["count"]) for row in table if row["kind"] == "link") == 384


def test_the_topology_is_read_by_networkx(plans: api.Plans) -> None:
    graph = nx.node_link_graph(json.loads(topology_json(plans.fabrics[0])), edges="links")
    assert isinstance(graph, nx.MultiGraph)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (42, 384)
    assert nx.is_connected(graph)


def test_the_picture_is_well_formed_and_names_every_switch(plans: api.Plans) -> None:
    fabric = plans.fabrics[0].fabric
    root = ET.fromstring(topology_svg(fabric))
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {device.name for device in fabric.devices} <= texts


def test_a_large_picture_says_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(roce(100, 2, extra="servers_per_unit: 64"))
    fabric = api.plan(api.load(tmp_path)).fabrics[0].fabric
    assert "and 60 more" in topology_svg(fabric)

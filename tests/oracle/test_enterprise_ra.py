"""NVIDIA's Enterprise Reference Architectures on two core switches, port for port, from inventories of ours.

``make_wiremap_facts`` makes the CSVs from the public repository's wiremaps (PDF) and simulated topologies; the first
line of each is its source. The inventories are in ``era/``. What is named otherwise than in the wiremaps:

- nodes count on from 1, where the wiremaps count them unit by unit (``su-02-node-01`` is our ``node-05``);
- adapters are called by purpose and number, where the wiremaps give PCIe slots, which differ from server to server;
- a cage's ports count from 1 (``4/1``), where Cumulus counts from 0 (``swp4s0``);
- ``su-04node-02`` of 2-4-3-200 is a misprint for ``su-04-node-02``.

The 1G links of BMCs and switches' management ports are another network and not compared.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.core.diagnostics import FabricgenError, Report
from fabricgen.topology import Fabric, build_fabrics

HERE = Path(__file__).parent
NODES_PER_UNIT = 4


@dataclass(frozen=True, order=True)
class End:
    """The far end of a core switch's port."""

    speed_gbps: int
    device: str
    port: str


Links = dict[tuple[str, str], End]
"""By core switch and port."""


def rows(file: str, architecture: str) -> list[dict[str, str]]:
    with (HERE / "data" / file).open(encoding="utf-8") as lines:
        next(lines)
        return [row for row in csv.DictReader(lines) if row["architecture"] == architecture]


def unit_name(number: int) -> str:
    unit, node = divmod(number - 1, NODES_PER_UNIT)
    return f"su-{unit + 1:02d}-node-{node + 1:02d}"


def switch_port(label: str) -> str:
    cage, _, leg = label.partition("/")
    return f"swp{cage}s{int(leg) - 1}"


def device(name: str) -> str:
    node = re.fullmatch(r"node-(\d+)", name)
    return unit_name(int(node[1])) if node else name


def far_port(label: str) -> str:
    """Return a port of ours as the wiremaps call it; adapters by number, as :func:`by_number` leaves them."""
    front = re.fullmatch(r"(swp|eth)1/(\d+)", label)
    if front:
        return f"swp{front[2]}" if front[1] == "swp" else f"eth{int(front[2]):02d}"
    return switch_port(label) if label[0].isdigit() else label


def ours(fabric: Fabric) -> Links:
    """Return the links by the first core's port where both ends are cores."""
    links = {}
    for cable in fabric.cables:
        near, far = cable.b, cable.a
        if fabric.by_name[far.device].hardware == "sn5600":
            near, far = far, near
        links[near.device, switch_port(near.label)] = End(cable.speed_gbps, device(far.device), far_port(far.label))
    return links


def by_number(found: list[dict[str, str]]) -> Links:
    """Return the links of a wiremap, with adapters by purpose and number in the order of their slots."""
    slots: dict[str, list[int]] = {}
    for row in found:
        row["device"] = row["device"].replace("su-04node", "su-04-node")
        if slot := re.match(r"B3140 .*?(\d+) P", row["device_port"]):
            slots.setdefault(row["device"], []).append(int(slot[1]))
    links = {}
    for row in found:
        name, port = row["device"], row["device_port"]
        if slot := re.match(r"B3140 .*?(\d+) P", port):
            port = f"compute{sorted(slots[name]).index(int(slot[1])) + 1}"
        elif re.match(r"B3220", port):
            port = f"in-band1/{port[-1]}"
        links[row["switch"], row["port"]] = End(int(row["speed_gbps"]), name, port)
    return links


def build(folder: Path, text: str) -> Fabric:
    file = folder / "fabric.yaml"
    file.write_text(text.replace("catalog: catalog", f"catalog: {HERE / 'era' / 'catalog'}"), encoding="utf-8")
    cluster = api.load(file)
    report = Report()
    fabrics = build_fabrics(cluster.loaded, cluster.catalog, report)
    report.stop_on_errors()
    return fabrics[0]


def inventory(architecture: str) -> str:
    return (HERE / "era" / f"{architecture}.yaml").read_text(encoding="utf-8")


# architecture: nodes, links by kind (hardware.yaml, era_289_400_wiremap and era_285_200_wiremap; 2-4-3-200 counted)
WIREMAPS = {
    "2-4-3-200": {"core": 32, "node 400G": 64, "node 200G": 64, "support": 10, "oob": 10, "edge": 8},
    "2-8-5-200": {"core": 40, "node 400G": 80, "node 200G": 40, "support": 16, "oob": 12, "storage": 20, "edge": 36},
    "2-8-9-400": {"core": 48, "node 400G": 96, "node 200G": 24, "support": 16, "oob": 12, "storage": 12, "edge": 24},
}


@pytest.mark.parametrize("architecture", WIREMAPS)
def test_every_port_of_the_wiremap(architecture: str, tmp_path: Path) -> None:
    published = by_number(rows("era_wiremaps.csv", architecture))
    found = ours(build(tmp_path, inventory(architecture)))
    assert found == published
    assert Counter(kind(end) for end in published.values()) == WIREMAPS[architecture]


def kind(end: End) -> str:
    if end.device.startswith("su-"):
        return f"node {end.speed_gbps}G"
    word = re.split(r"-(?:switch-|net-)?", end.device)[0]
    return {"bcme": "support", "k8s": "support", "cust": "edge"}.get(word, word)

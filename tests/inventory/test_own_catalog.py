"""An inventory may bring catalog entries of its own, new ones and replacements."""

from __future__ import annotations

import shutil
from pathlib import Path

from fabricgen import api
from fabricgen.catalog.loader import DATA
from tests.clusters import roce


def test_an_entry_of_ones_own_is_used(tmp_path: Path) -> None:
    own = tmp_path / "my-catalog"
    (own / "switches").mkdir(parents=True)
    shutil.copy(DATA / "sources.yaml", own)
    text = (DATA / "switches" / "sn5600.yaml").read_text(encoding="utf-8")
    (own / "switches" / "my-switch.yaml").write_text(text.replace("id: sn5600", "id: my-switch"), encoding="utf-8")
    # a replacement of ours, with fewer logical ports
    (own / "switches" / "sn5600.yaml").write_text(
        text.replace("max_logical_ports: 256", "max_logical_ports: 64"), encoding="utf-8"
    )
    inventory = tmp_path / "fabric.yaml"
    leaf = "leaf: {model: sn5600, nos: sonic}"
    text = roce(16, 2).replace(leaf, "leaf: {model: my-switch, nos: sonic}") + "catalog: my-catalog\n"
    inventory.write_text(text, encoding="utf-8")
    (plan,) = api.plan(api.load(inventory)).fabrics
    assert {device.hardware for device in plan.fabric.switches} == {"my-switch", "sn5600"}
    assert plan.fabric.rooms["leaf"].down == 64
    inventory.write_text(roce(16, 2) + "catalog: my-catalog\n", encoding="utf-8")
    (plan,) = api.plan(api.load(inventory)).fabrics
    room = plan.fabric.rooms["leaf"]
    assert room.down + room.up <= 64, "the replacement's cap holds"

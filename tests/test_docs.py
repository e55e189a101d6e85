"""What the pages in docs/ show is what the program takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from fabricgen import api
from tests.conftest import ROOT

_YAML_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
_PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def merged(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping with another one's values in it, level by level."""
    result = dict(base)
    for key, value in change.items():
        inner = result.get(key)
        result[key] = merged(inner, value) if isinstance(inner, Mapping) and isinstance(value, Mapping) else value
    return result


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    assert not [link for link in _LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]


def test_the_inventory_in_cabling_md_builds(tmp_path: Path) -> None:
    yaml = YAML(typ="safe")
    (block,) = _YAML_BLOCK.findall((ROOT / "docs" / "cabling.md").read_text(encoding="utf-8"))
    inventory = merged(yaml.load(ROOT / "inventories" / "roce-h200-32" / "fabric.yaml"), yaml.load(block))
    inventory["fabrics"]["compute"]["spine"]["racks"] = {"name": "row2-net-{n}", "row": 2}
    yaml.dump(inventory, tmp_path / "fabric.yaml")
    result = api.build(api.load(tmp_path / "fabric.yaml"))
    assert not result.verdict.findings or {found.code for found in result.verdict.findings} == {"FG140"}
    assert ",row2-net-1,3,spine-02,64," in str(result.files["compute/cabling.csv"])

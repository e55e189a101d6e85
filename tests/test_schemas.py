"""The JSON Schemas that are checked in are current, and accept what fabricgen accepts."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from fabricgen.core.diagnostics import Report
from fabricgen.core.documents import parse_document
from fabricgen.report.schemas import schemas
from tests.conftest import ROOT

SAMPLES = sorted((ROOT / "inventories").glob("*/fabric.yaml"))


@pytest.mark.parametrize("name", schemas())
def test_schemas_are_current(name: str) -> None:
    """`make schemas` writes them anew."""
    stored = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(schemas()[name]))
    jsonschema.Draft202012Validator.check_schema(stored)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.parent.name)
def test_samples_fit_their_schema(sample: Path) -> None:
    document = parse_document(sample.read_text(encoding="utf-8"), sample.name, Report())
    jsonschema.validate(document.data, schemas()["inventory"], cls=jsonschema.Draft202012Validator)
    first = sample.read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../../schemas/inventory.schema.json"


def test_a_wrong_inventory_does_not_fit() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"name": "x", "servers": {}, "fabrics": {}}, schemas()["inventory"])

"""JSON Schemas of what people and programs write and read; ``schemas/`` holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter

from fabricgen.catalog import Adapter, Asic, Cable, Server, Switch
from fabricgen.device import DeviceModel
from fabricgen.inventory import Inventory


def schemas() -> Mapping[str, dict[str, Any]]:
    """Return every schema by name (JSON Schema 2020-12)."""
    models: dict[str, type[BaseModel]] = {
        "catalog-adapter": Adapter,
        "catalog-asic": Asic,
        "catalog-cable": Cable,
        "catalog-server": Server,
        "catalog-switch": Switch,
        "inventory": Inventory,
    }
    found = {name: model.model_json_schema() for name, model in models.items()}
    found["device"] = TypeAdapter(DeviceModel).json_schema(mode="serialization")
    for name, schema in found.items():
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$id"] = f"fabricgen:{name}"
    return dict(sorted(found.items()))

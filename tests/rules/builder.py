"""Networks for the tests of rules, from a small YAML notation.

Devices are mappings with the field names of the device model. A tuple of records is a mapping from the record's key to
its other fields; ``Ethernet0|3`` is a key of two fields, and ``*`` in a key stands for every interface of the device. A
``change`` is merged into a base: mappings key by key, everything else replaced; null removes a key.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import types
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from fabricgen.core.diagnostics import Span
from fabricgen.core.guids import format_guid
from fabricgen.core.units import parse_length_cm, parse_speed_gbps
from fabricgen.device import (
    DeviceModel,
    IbNode,
    IbPort,
    Link,
    LinkEnd,
    Network,
    NetworkDevice,
    PrefixList,
    PriorityMap,
    Role,
    RouteMap,
)

BASES = Path(__file__).parent / "bases"

#: How many leading fields are the key of a record; one where not listed.
KEY_FIELDS = {"QueueBinding": 2, "IngressBuffer": 2, "EgressBuffer": 2}

#: Keys of a device that are not fields of its model.
PLACE_KEYS = ("role", "hardware", "ports")


def network(base: str, change: Mapping[str, Any] | None = None) -> Network:
    """Return a base network with a change merged in; keys of the change that are no section of it are devices."""
    tree = copy.deepcopy(_base(base))
    changed = dict(change or {})
    sections = {key: changed.pop(key) for key in ("kind", "links", "planes") if key in changed}
    merge(tree, {**sections, "devices": changed})
    devices = {name: _device(name, fields) for name, fields in tree["devices"].items()}
    links = tuple(_link(ends, text) for ends, text in tree["links"].items())
    return Network("fabric", tree["kind"], devices, links, planes=tree.get("planes", {}))


@cache
def _base(name: str) -> dict[str, Any]:
    tree = YAML(typ="safe").load((BASES / f"{name}.yaml").read_text(encoding="utf-8"))
    devices = {device: _expand(fields) for device, fields in tree["devices"].items()}
    return {"kind": tree["kind"], "devices": devices, "links": tree["links"]}


def _expand(fields: dict[str, Any]) -> dict[str, Any]:
    """Give every interface the device's ``ports`` values, and every record with ``*`` in its key to each interface."""
    fields = copy.deepcopy(fields)
    ports = fields.pop("ports", {})
    names = list(fields.get("interfaces", {}))
    for name in names:
        fields["interfaces"][name] = {**ports, **fields["interfaces"][name]}
    return typing.cast("dict[str, Any]", _expand_stars(fields, names))


def _expand_stars(value: Any, names: list[str]) -> Any:
    if not isinstance(value, dict):
        return value
    expanded: dict[Any, Any] = {}
    for key, inner in value.items():
        keys = [key.replace("*", name) for name in names] if isinstance(key, str) and "*" in key else [key]
        for one in keys:
            expanded[one] = copy.deepcopy(_expand_stars(inner, names))
    return expanded


def merge(tree: dict[Any, Any], change: Mapping[Any, Any]) -> None:
    """Merge a change into a tree of mappings."""
    for key, value in change.items():
        if value is None:
            if key not in tree:
                msg = f"the change removes {key!r}, which is not there"
                raise KeyError(msg)
            del tree[key]
        elif isinstance(value, Mapping) and isinstance(tree.get(key), dict):
            merge(tree[key], value)
        else:
            tree[key] = copy.deepcopy(value)


def _device(name: str, fields: Mapping[str, Any]) -> NetworkDevice:
    role = Role(fields["role"]) if fields.get("role") else None
    known = {key: value for key, value in fields.items() if key not in PLACE_KEYS}
    model = _record(DeviceModel, known, {"name": name}) if known else None
    return NetworkDevice(name, role, model, fields.get("hardware"), lambda path: Span(json.dumps([name, *path])))


def _link(ends: str, text: str) -> Link:
    a, b = (LinkEnd(*end.strip().split(":", 1)) for end in ends.split(" - "))
    words = text.split()
    length = parse_length_cm(words[1]) if len(words) > 1 else None
    speed = None if words[0] == "?" else parse_speed_gbps(words[0])
    return Link(a, b, speed, length, Span("inventory", 1))


def _record(kind: type, fields: Mapping[str, Any], key: Mapping[str, Any]) -> Any:
    """Return a dataclass from a mapping; a field without default that is left out is None."""
    hints = typing.get_type_hints(kind)
    values = dict(key)
    for field in dataclasses.fields(kind):
        if field.name in fields:
            values[field.name] = _value(hints[field.name], fields[field.name])
        elif field.name not in values and field.default is field.default_factory is dataclasses.MISSING:
            values[field.name] = None
    unknown = fields.keys() - {field.name for field in dataclasses.fields(kind)}
    if unknown:
        msg = f"{kind.__name__} has no {sorted(unknown)}"
        raise KeyError(msg)
    return kind(**values)


def _value(hint: Any, value: Any) -> Any:
    """Return a plain value as what a field's type asks for."""
    hint = _without_none(hint)
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is tuple:
        inner = arguments[0]
        if dataclasses.is_dataclass(inner):
            return tuple(record for key, fields in value.items() for record in _keyed(inner, key, fields))
        if typing.get_origin(inner) is tuple:
            return tuple(sorted(value.items()))
        return tuple(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if dataclasses.is_dataclass(hint):
        return _record(typing.cast("type", hint), value, {})
    return value


def _without_none(hint: Any) -> Any:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        members = [member for member in typing.get_args(hint) if member is not type(None)]
        return members[0] if len(members) == 1 else hint
    return hint


def _keyed(kind: Any, key: Any, fields: Any) -> Iterator[Any]:
    """Yield the record of a key; more than one for a run of InfiniBand nodes."""
    if kind is PriorityMap:
        yield PriorityMap(key, tuple(sorted(fields.items())))
    elif kind is IbPort:
        guid, port, speed = fields.split()
        yield IbPort(key, int(guid, 16), int(port), int(speed))
    elif kind is IbNode and isinstance(key, str):
        yield from _nodes(key, fields)
    else:
        names = [field.name for field in dataclasses.fields(kind)][: KEY_FIELDS.get(kind.__name__, 1)]
        parts = key.rsplit("|", len(names) - 1) if len(names) > 1 else [key]
        values = {name: int(part) if name in ("queue", "priority_group") else part
                  for name, part in zip(names, parts, strict=True)}  # fmt: skip
        yield _record(kind, fields or {}, values)


def _nodes(key: str, fields: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the nodes of ``GUID x COUNT``, of consecutive GUIDs and numbered, or one more node of a ``GUID again``."""
    first, _, count = key.partition(" x ")
    if not count:
        yield _record(IbNode, fields, {"guid": int(key.split(maxsplit=1)[0], 16)})
    for number in range(int(count or 0)):
        described = {**fields, "description": f"{fields['description']}-{number}"}
        yield _record(IbNode, described, {"guid": int(first, 16) + number})


def resolves(found: Network, span: Span) -> bool:
    """Return whether a place that a rule named is one of the device's model: a wrong field name is none."""
    name, *path = json.loads(span.file)
    model = found.devices[name].model
    return model is not None and _resolves(model, path)


def _resolves(value: Any, path: list[str]) -> bool:
    """Follow field names and keys; where a record is missing, its key and what is in it may be anything."""
    if not path or value is None:
        return True
    if isinstance(value, PriorityMap | PrefixList | RouteMap):
        return len(path) == 1 and path[0].isdigit()
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return path[0] in names and _resolves(getattr(value, path[0]), path[1:])
    if isinstance(value, tuple):
        records = [item for item in value if dataclasses.is_dataclass(item)]
        found = next((item for item in records if path[: len(_key(item))] == _key(item)), None)
        return found is None or _resolves(found, path[len(_key(found)) :])
    return False


def _key(record: Any) -> list[str]:
    fields = dataclasses.fields(record)[: KEY_FIELDS.get(type(record).__name__, 1)]
    values = (getattr(record, field.name) for field in fields)
    return [format_guid(value) if isinstance(value, int) and value > 1 << 32 else str(value) for value in values]

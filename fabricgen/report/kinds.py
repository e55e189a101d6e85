"""Every kind of finding, for ``fabricgen explain`` and the reference."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

import fabricgen
from fabricgen.core.diagnostics import Kind
from fabricgen.rules import Rule


def all_kinds() -> Mapping[str, Kind]:
    """Return every kind of finding by code.

    Raises:
        ValueError: two kinds share a code.
    """
    found: dict[str, Kind] = {}
    for module in pkgutil.walk_packages(fabricgen.__path__, "fabricgen."):
        if module.name.startswith("fabricgen.cli"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            kind = value.kind if isinstance(value, Rule) else value
            if not isinstance(kind, Kind):
                continue
            if found.setdefault(kind.code, kind) != kind:
                msg = f"{kind.code} is the code of {kind.name} and of {found[kind.code].name}"
                raise ValueError(msg)
    return MappingProxyType(dict(sorted(found.items())))

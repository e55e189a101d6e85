"""Plugins are values: a platform, design or rule is a module-level constant that is found, not registered."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import TypeVar

T = TypeVar("T")


def collect(package: ModuleType, kind: type[T], key: Callable[[T], str]) -> Mapping[str, T]:
    """Return every module-level value of a type in a package and its modules, by key, sorted.

    Args:
        package: the package whose modules (one level down, packages included) are searched.
        kind: the type of the values.
        key: what names a value.

    Raises:
        ValueError: two different values have the same key; both modules are named.
    """
    found: dict[str, T] = {}
    owners: dict[str, str] = {}
    names = [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    for name in sorted(names):
        module = importlib.import_module(name)
        for value in vars(module).values():
            if not isinstance(value, kind):
                continue
            label = key(value)
            if label in found and found[label] is not value:
                msg = f"{kind.__name__} {label!r} is defined in {owners[label]} and in {name}"
                raise ValueError(msg)
            if label not in found:
                found[label] = value
                owners[label] = name
    return MappingProxyType(dict(sorted(found.items())))

"""Asks SONiC's own YANG models whether they take a configuration.

CONFIG_DB keeps rows as ``{"table": {"key|parts": {"field": "text"}}}``; the models want lists with typed leaves. pyang
tells the structure of each table, yanglint judges the result.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Where Debian keeps the IETF modules that SONiC's models import.
IETF_MODULES = Path("/usr/share/yang/modules/libyang")

_INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32)}


@dataclass
class YangModels:
    """The models of one SONiC release, ready for pyang and yanglint.

    Args:
        checkout: a checkout's ``src/sonic-yang-models``.
        work: an empty directory.
    """

    checkout: Path
    work: Path
    _tables: dict[str, tuple[str, str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for model in (self.checkout / "yang-models").glob("*.yang"):
            shutil.copy(model, self.work)
        self._render_templates()
        self._learn_tables()

    def _render_templates(self) -> None:
        """Render the models that SONiC keeps as Jinja templates (src/sonic-yang-models/setup.py does the same)."""
        from jinja2 import Environment, FileSystemLoader

        templates = self.checkout / "yang-templates"
        environment = Environment(loader=FileSystemLoader(templates), trim_blocks=True)
        for template in templates.glob("*.yang.j2"):
            text = environment.get_template(template.name).render(yang_model_type="py")
            (self.work / template.stem).write_text(text, encoding="utf-8")

    def _learn_tables(self) -> None:
        from pyang import context, repository

        search = repository.FileRepository(f"{self.work}:{IETF_MODULES}", use_env=False)
        models = context.Context(search)
        for path in sorted(self.work.glob("sonic-*.yang")):
            models.add_module(str(path), path.read_text(encoding="utf-8"))
        models.validate()
        for (module, _), statement in list(models.modules.items()):
            for top in _children(statement, "container"):
                for table in _children(top, "container"):
                    self._tables[table.arg] = (module, top.arg, table)

    def objections(self, config: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[str]:
        """Return why the models refuse a configuration; nothing where they take it."""
        document: dict[str, Any] = {}
        found: list[str] = []
        for name, rows in config.items():
            if name not in self._tables:
                found.append(f"{name}: no model has this table")
                continue
            module, top, table = self._tables[name]
            place = document.setdefault(f"{module}:{top}", {}).setdefault(name, {})
            for key, row in rows.items():
                found += [f"{name}|{key}: {objection}" for objection in _place_row(table, key, row, place)]
        return found or self._lint(document)

    def _lint(self, document: Mapping[str, Any]) -> list[str]:
        data = self.work / "config.json"
        # libyang 2.1 does not read surrogate pairs, so nothing is escaped.
        data.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        modules = sorted({f"{self.work / module}.yang" for module, _, _ in self._tables.values()})
        paths = ["-p", str(self.work), "-p", str(IETF_MODULES)]
        outcome = subprocess.run(
            ["yanglint", "-t", "config", *paths, *modules, str(data)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if outcome.returncode == 0:
            return []
        lines = [line for line in outcome.stderr.splitlines() if "err" in line.lower()]
        return lines or [outcome.stderr or f"yanglint ended with {outcome.returncode}"]


def _children(statement: Any, *keywords: str) -> Iterator[Any]:
    """Yield a statement's data nodes of some keywords, looking through choices."""
    for child in getattr(statement, "i_children", []):
        if child.keyword in ("choice", "case"):
            yield from _children(child, *keywords)
        elif child.keyword in keywords:
            yield child


def _keys(list_statement: Any) -> list[str]:
    names: list[str] = list_statement.search_one("key").arg.split()
    return names


def _place_row(table: Any, key: str, row: Mapping[str, Any], place: dict[str, Any]) -> list[str]:
    """Put a row where the table's model wants it."""
    for container in _children(table, "container"):
        if container.arg == key:
            place[key], objections = _leaves(container, row)
            return objections
    parts = key.split("|")
    lists = [entry for entry in _children(table, "list") if len(_keys(entry)) == len(parts)]
    if not lists:
        return [f"no list takes {len(parts)} key parts"]
    fitting = [entry for entry in lists if set(row) <= {leaf.arg for leaf in _children(entry, "leaf", "leaf-list")}]
    chosen = (fitting or lists)[0]
    leaves = {leaf.arg: leaf for leaf in _children(chosen, "leaf")}
    entry, objections = _leaves(chosen, row)
    identity = {name: _typed(leaves[name], part) for name, part in zip(_keys(chosen), parts, strict=True)}
    place.setdefault(chosen.arg, []).append({**identity, **entry})
    return objections


def _leaves(node: Any, row: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a row's fields as typed leaves, and those that the model does not know."""
    inner = list(_children(node, "list"))
    known = {leaf.arg: leaf for leaf in _children(node, "leaf", "leaf-list")}
    if inner and set(known) <= set(_keys(node)):
        return _map_entries(inner[0], row), []
    entry: dict[str, Any] = {}
    objections = []
    for name, value in row.items():
        leaf = known.get(name)
        if leaf is None:
            objections.append(f"no field {name}")
        elif leaf.keyword == "leaf-list":
            values = value if isinstance(value, list) else value.split(",")
            entry[name] = [_typed(leaf, item) for item in values]
        elif not isinstance(value, str):
            objections.append(f"{name} is no text")
        else:
            entry[name] = _typed(leaf, value)
    return entry, objections


def _map_entries(inner: Any, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a map's fields, which the models keep as an inner list of key and value."""
    key = _keys(inner)[0]
    leaves = {leaf.arg: leaf for leaf in _children(inner, "leaf")}
    value = next(name for name in leaves if name != key)
    return {inner.arg: [{key: _typed(leaves[key], k), value: _typed(leaves[value], v)} for k, v in row.items()]}


def _typed(leaf: Any, text: str) -> Any:
    """Return a text as JSON's type for a leaf (RFC 7951, 6)."""
    base = _base_type(leaf)
    if base in _INTEGERS and text.lstrip("-").isdigit():
        return int(text)
    if base == "boolean" and text in ("true", "false"):
        return text == "true"
    return text


def _base_type(leaf: Any) -> str:
    statement = leaf.search_one("type")
    while getattr(statement, "i_typedef", None) is not None:
        statement = statement.i_typedef.search_one("type")
    if statement.arg == "leafref" and getattr(leaf, "i_leafref_ptr", None):
        return _base_type(leaf.i_leafref_ptr[0])
    base: str = statement.arg
    return base

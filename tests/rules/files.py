"""Networks for the tests of rules, from real files: those of a small inventory, changed as a person might change them.

A change is one line::

    leaf-01 config_db.json PORT_QOS_MAP.Ethernet0.pfc_enable = "4"
    leaf-01 config_db.json PFC_WD.Ethernet* delete
    leaf-* frr.conf s#maximum-paths 4#maximum-paths 1#

``*`` in the name of a device, row or field stands for any text. What follows ``=`` is JSON. The pattern of ``s`` is a
regular expression, replaced once, or everywhere with ``g`` at the end. A change that changes nothing is an error.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fabricgen import api
from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Diagnostic
from tests.clusters import load_text, roce
from tests.conftest import ROOT

#: Inventories by the name that cases use: routed links without addresses, with addresses, and at two speeds.
BASES = {
    "tiny": (ROOT / "inventories" / "tiny" / "fabric.yaml").read_text(encoding="utf-8"),
    "numbered": roce(extra="uplink_speed: 400G\naddressing: {links: 10.1.0.0/16}"),
}

_SUBSTITUTION = re.compile(r"s(?P<mark>\W)(?P<old>.+?)(?P=mark)(?P<new>.*?)(?P=mark)(?P<all>g?)", re.DOTALL)

Files = dict[str, str]


@dataclass(frozen=True)
class Base:
    """An inventory's plans and the files that were made for it."""

    plans: api.Plans
    files: Files


@cache
def base(name: str) -> Base:
    """Return one of the base inventories, built."""
    with TemporaryDirectory() as folder:
        loaded = load_text(Path(folder), BASES[name])
        plans = api.plan(api.Cluster(loaded, load_catalog(), ()))
    return Base(plans, api.emit(plans))


def judge(name: str, changes: list[str]) -> tuple[tuple[Diagnostic, ...], Files]:
    """Return what is found in the files of a base after some changes, and the changed files."""
    found = base(name)
    files = dict(found.files)
    for line in changes:
        change(files, line)
    return api.judge(found.plans, files).findings, files


def change(files: Files, line: str) -> None:
    """Apply one change.

    Raises:
        ValueError: the line cannot be read, or it changes nothing.
    """
    device, file, what = line.split(None, 2)
    paths = [path for path in files if fnmatchcase(path, f"*/{device}/{file}")]
    before = {path: files[path] for path in paths}
    for path in paths:
        if what == "delete":
            del files[path]
        elif file == "frr.conf":
            files[path] = _substituted(files[path], what)
        else:
            data = json.loads(files[path])
            _set(data, what)
            files[path] = json.dumps(data, indent=4)
    changed = any(path not in files or files[path] != before[path] for path in paths)
    if not changed:
        msg = f"this changes nothing: {line}"
        raise ValueError(msg)


def _substituted(text: str, what: str) -> str:
    match = _SUBSTITUTION.fullmatch(what)
    if match is None:
        msg = f"not a substitution: {what}"
        raise ValueError(msg)
    new = match["new"].replace(r"\n", "\n")
    return re.sub(match["old"], lambda _: new, text, count=0 if match["all"] else 1, flags=re.MULTILINE)


def _set(data: dict[str, Any], what: str) -> None:
    """Set or delete a row or field of CONFIG_DB; keys may have dots in them."""
    place, mark, value = what.partition(" = ")
    place = place if mark else place.removesuffix(" delete")
    table, _, rest = place.partition(".")
    rows = data.setdefault(table, {})
    new = json.loads(value) if mark else None
    if isinstance(new, dict) or (new is None and any(fnmatchcase(key, _literal(rest)) for key in rows)):
        _assign(rows, rest, new)
        return
    row, _, field = rest.rpartition(".")
    for key in [key for key in rows if fnmatchcase(key, _literal(row))]:
        _assign(rows[key], field, new)


def _assign(table: dict[str, Any], pattern: str, value: Any) -> None:
    matching = [key for key in table if fnmatchcase(key, _literal(pattern))] or ["" if "*" in pattern else pattern]
    for key in filter(None, matching):
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value


def _literal(pattern: str) -> str:
    """Return a pattern for fnmatch in which only the star is special."""
    return re.sub(r"[\[?]", lambda found: f"[{found[0]}]", pattern)

"""Reads what an earlier build wrote about its fabrics, for comparison with a plan."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from fabricgen.core.diagnostics import FabricgenError, Kind, Severity, Span
from fabricgen.delivery.tree import MANIFEST, SCHEMA

_FILE = "fabric.yaml"
_REMEDY = "name an inventory, or a directory that `fabricgen build -o` of this version wrote"

OLD_UNUSABLE = Kind(
    "FG013",
    "old-unusable",
    Severity.ERROR,
    "there is nothing to compare with in what `--from` names",
    "Moves are found by comparing data; an earlier state that is only half understood would hide some of them.",
)


def unusable(old: Path, summary: str, remedy: str = _REMEDY) -> FabricgenError:
    """Return FG013 about what ``--from`` names."""
    return FabricgenError([OLD_UNUSABLE.at("", summary, span=Span(str(old)), remedy=remedy)])


def is_output(old: Path) -> bool:
    """Return whether a path is the output directory of a build; if not, it is an inventory.

    Raises:
        FabricgenError: FG013, it is neither.
    """
    if not old.exists():
        raise unusable(old, "no such file or directory")
    if old.is_file():
        if old.suffix not in {".yaml", ".yml"}:
            raise unusable(old, "it is neither an inventory (YAML) nor an output directory")
        return False
    if (old / MANIFEST).is_file():
        return True
    if not (old / _FILE).is_file():
        raise unusable(old, f"the directory has neither {MANIFEST} nor {_FILE}")
    return False


def read_documents(target: Path, names: Collection[str]) -> dict[str, dict[str, str]]:
    """Return documents of every fabric of an output directory, by fabric and file name.

    Args:
        target: the output directory.
        names: names of the files that each fabric must have.

    Raises:
        FabricgenError: FG013, a file is missing, or the manifest is broken or of another version.
    """
    listed = _listed(target)
    fabrics = [path.split("/")[0] for path in listed if path.endswith("/topology.json") and path.count("/") == 1]
    if not fabrics:
        raise unusable(target, f"{MANIFEST} lists no topology.json")
    return {fabric: {name: _text(target, f"{fabric}/{name}") for name in names} for fabric in fabrics}


def _listed(target: Path) -> Mapping[str, str]:
    try:
        manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        schema, files = manifest["schema"], manifest["files"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise unusable(target, f"{MANIFEST} cannot be read: {error}") from error
    if schema != SCHEMA or not isinstance(files, dict):
        summary = f"{MANIFEST} has schema {schema!r} and this version reads {SCHEMA}"
        raise unusable(target, summary, "name the inventory that it was built from instead")
    return files


def _text(target: Path, path: str) -> str:
    file = target / path
    try:
        if not file.resolve().is_relative_to(target.resolve()):
            raise unusable(target, f"{path} leads outside the directory")
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise unusable(target, f"{path} cannot be read", "build it anew, or name its inventory instead") from error

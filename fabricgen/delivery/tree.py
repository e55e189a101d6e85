"""Writes a build into a new directory and exchanges it with the last one.

A build that fails or is interrupted leaves the last output as it was. A directory that fabricgen did not write, or
that holds files which it did not write, is never replaced.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fabricgen import __version__
from fabricgen.core.diagnostics import FabricgenError, Kind, Severity, Span
from fabricgen.core.files import FileTree, to_bytes

MANIFEST = "manifest.json"
SCHEMA = 1

OUTPUT_OCCUPIED = Kind(
    "FG010",
    "output-occupied",
    Severity.ERROR,
    "the output directory holds files that fabricgen did not write",
    "A build replaces its whole output directory, so whatever else is in it would be lost.",
)
OUTPUT_UNWRITABLE = Kind(
    "FG011",
    "output-unwritable",
    Severity.ERROR,
    "the output directory cannot be written",
    "The new output is made beside the old one and then exchanged with it, so the parent directory must be writable.",
)
OUTPUT_UNREADABLE = Kind(
    "FG012",
    "output-unreadable",
    Severity.ERROR,
    "the directory is not a fabricgen output",
    "Its manifest says which files belong to it; without one nothing can be compared.",
)


class Change(StrEnum):
    """How a file differs from what would be written."""

    MISSING = "missing"
    CHANGED = "changed"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Difference:
    """A file of the output directory that is not as a build would write it."""

    path: str
    change: Change


def _refusal(kind: Kind, target: Path, summary: str, remedy: str) -> FabricgenError:
    return FabricgenError([kind.at("", summary, span=Span(str(target)), remedy=remedy)])


def _digest(content: str | bytes) -> str:
    return hashlib.sha256(to_bytes(content)).hexdigest()


def make_manifest(files: FileTree, inputs: Mapping[str, str]) -> str:
    """Return the manifest of a build.

    Args:
        files: what is written, the manifest itself left out.
        inputs: SHA-256 of every input file by name.
    """
    return (
        json.dumps(
            {
                "schema": SCHEMA,
                "fabricgen": __version__,
                "inputs": dict(sorted(inputs.items())),
                "files": {path: _digest(content) for path, content in sorted(files.items())},
            },
            indent=2,
        )
        + "\n"
    )


def write_tree(target: Path, files: FileTree) -> None:
    """Write a build.

    Args:
        target: the output directory; it may exist if an earlier build wrote it.
        files: everything, the manifest included.

    Raises:
        FabricgenError: FG010 or FG011; the target is as it was.
    """
    _refuse_strangers(target)
    parent = target.resolve().parent
    staging: Path | None = None
    try:
        parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=parent))
        staging.chmod(0o755)
        for path, content in files.items():
            file = staging / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(to_bytes(content))
        _exchange(staging, target.resolve())
    except OSError as error:
        remedy = "choose another directory with `-o`, or make its parent writable"
        raise _refusal(OUTPUT_UNWRITABLE, target, error.strerror or str(error), remedy) from error
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)


def _refuse_strangers(target: Path) -> None:
    if not target.exists() and not target.is_symlink():
        return
    strangers: list[str]
    if not target.is_dir():
        strangers = [str(target)]
    else:
        known = _manifest_files(target)
        there = {str(path.relative_to(target)) for path in target.rglob("*") if not path.is_dir()}
        strangers = sorted(there - {*known, MANIFEST}) if there else []
    if strangers:
        shown = ", ".join(strangers[:3]) + (f" and {len(strangers) - 3} more" if len(strangers) > 3 else "")
        remedy = "move them away, or choose another directory with `-o`"
        raise _refusal(OUTPUT_OCCUPIED, target, f"not written by fabricgen: {shown}", remedy)


def _manifest_files(target: Path) -> Mapping[str, str]:
    try:
        manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        files = manifest["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return files if isinstance(files, dict) else {}


def _exchange(staging: Path, target: Path) -> None:
    """Put the staged directory in the target's place; the old target ends up where the staged one was."""
    if not target.exists():
        staging.rename(target)
        return
    with contextlib.suppress(OSError, AttributeError):
        _rename_exchange(staging, target)
        return
    old = staging.with_name(staging.name + ".old")
    target.rename(old)
    try:
        staging.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _rename_exchange(first: Path, second: Path) -> None:
    """Exchange two paths in one step (Linux, renameat2(2)), so that there is no moment without output."""
    at_fdcwd, rename_exchange = -100, 2
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(at_fdcwd, os.fsencode(first), at_fdcwd, os.fsencode(second), rename_exchange) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def read_tree(target: Path) -> dict[str, str]:
    """Return the text of every file that the manifest of an output directory lists and that is there.

    Workbooks are left out: they are for people, and nothing reads them back.

    Raises:
        FabricgenError: FG012 where there is no manifest.
    """
    if not (target / MANIFEST).is_file():
        remedy = "name a directory that `fabricgen build -o` wrote"
        raise _refusal(OUTPUT_UNREADABLE, target, f"there is no {MANIFEST}", remedy)
    found = {}
    for path in _manifest_files(target):
        file = target / path
        if file.suffix == ".xlsx":
            continue
        if file.is_file() and file.resolve().is_relative_to(target.resolve()):
            found[path] = file.read_bytes().decode("utf-8", errors="replace")
    return found


def compare_tree(target: Path, files: FileTree) -> tuple[Difference, ...]:
    """Compare an output directory with what a build would write; empty where they are the same."""
    there = (
        {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()} if target.is_dir() else set()
    )
    differences = [Difference(path, Change.EXTRA) for path in there - files.keys()]
    for path, content in files.items():
        if path not in there:
            differences.append(Difference(path, Change.MISSING))
        elif (target / path).read_bytes() != to_bytes(content):
            differences.append(Difference(path, Change.CHANGED))
    return tuple(sorted(differences, key=lambda difference: difference.path))

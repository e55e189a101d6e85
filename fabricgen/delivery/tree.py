"""Writes a build into a new directory and exchanges it with the last one.

A build that fails or is interrupted leaves the last output as it was. A directory that fabricgen did not write, or
that holds files which it did not write, is never replaced.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from fabricgen import __version__
from fabricgen.core.diagnostics import FabricgenError, Kind, Severity, Span
from fabricgen.core.files import FileTree
from fabricgen.delivery.output import StagedOutput, digest

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


def make_manifest(digests: Mapping[str, str], inputs: Mapping[str, str]) -> str:
    """Return the manifest of a build.

    Args:
        digests: SHA-256 of every file that is written, by path; the manifest itself left out.
        inputs: SHA-256 of every input file by name.
    """
    manifest = {
        "schema": SCHEMA,
        "fabricgen": __version__,
        "inputs": dict(sorted(inputs.items())),
        "files": dict(sorted(digests.items())),
    }
    return json.dumps(manifest, indent=2) + "\n"


@contextlib.contextmanager
def staged(target: Path) -> Iterator[StagedOutput]:
    """Make a directory beside an output directory, for the files that shall take its place; remove it at the end.

    Raises:
        FabricgenError: FG010 where the target holds something else, FG011 where it or a file cannot be written; the
            target is as it was.
    """
    _refuse_strangers(target)
    parent = target.resolve().parent
    with _writable(target):
        parent.mkdir(parents=True, exist_ok=True)
        directory = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=parent))
    try:
        yield _Staged(directory, target)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextlib.contextmanager
def scratch() -> Iterator[StagedOutput]:
    """Make a directory for files that are only looked at; remove it at the end."""
    with tempfile.TemporaryDirectory(prefix="fabricgen-") as directory:
        yield StagedOutput(Path(directory))


class _Staged(StagedOutput):
    """Files that shall take the place of an output directory."""

    def __init__(self, directory: Path, target: Path) -> None:
        super().__init__(directory)
        self._target = target

    def store(self, files: FileTree) -> dict[str, Any]:
        with _writable(self._target):
            return super().store(files)


@contextlib.contextmanager
def _writable(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        remedy = "choose another directory with `-o`, or make its parent writable"
        raise _refusal(OUTPUT_UNWRITABLE, target, error.strerror or str(error), remedy) from error


def write_tree(target: Path, files: FileTree) -> None:
    """Write a build: what is staged beside the target is moved, everything else is written first.

    Args:
        target: the output directory; it may exist if an earlier build wrote it.
        files: everything, the manifest included.

    Raises:
        FabricgenError: FG010 or FG011; the target is as it was.
    """
    final = target.resolve()
    if isinstance(files, StagedOutput) and files.directory.parent == final.parent:
        _refuse_strangers(target)
        with _writable(target):
            files.directory.chmod(0o755)
            _exchange(files.directory, final)
        return
    with staged(target) as output:
        output.add(files)
        write_tree(target, output)


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


def compare_tree(target: Path, digests: Mapping[str, str]) -> tuple[Difference, ...]:
    """Compare an output directory with what a build would write; empty where they are the same.

    Args:
        target: the output directory.
        digests: SHA-256 of every file of the build, by path.
    """
    there = (
        {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()} if target.is_dir() else set()
    )
    differences = [Difference(path, Change.EXTRA) for path in there - digests.keys()]
    for path, expected in digests.items():
        if path not in there:
            differences.append(Difference(path, Change.MISSING))
        elif digest((target / path).read_bytes()) != expected:
            differences.append(Difference(path, Change.CHANGED))
    return tuple(sorted(differences, key=lambda difference: difference.path))

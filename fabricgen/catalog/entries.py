"""The entries of one kind: a mapping by id whose files are read when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from fabricgen.core.model import naturally_sorted

E = TypeVar("E")


class Entries(Mapping[str, E]):
    """Entries by id, in natural order. An entry is read once, on first use.

    Args:
        files: by id, the entry's file.
        read: reads and validates a file; what it raises reaches whoever asked for the entry.
    """

    def __init__(self, files: Mapping[str, Path], read: Callable[[Path], E]) -> None:
        self._files = dict(files)
        self._read_file = read
        self._read: dict[str, E] = {}

    def __getitem__(self, key: str) -> E:
        if key not in self._read:
            self._read[key] = self._read_file(self._files[key])
        return self._read[key]

    def __contains__(self, key: object) -> bool:
        return key in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(naturally_sorted(self._files))

    def __len__(self) -> int:
        return len(self._files)

    def file(self, key: str) -> Path:
        """Return the file of an entry."""
        return self._files[key]

    def mentioning(self, word: str) -> Iterator[E]:
        """Yield the entries whose file holds a word, so that a search by a field need not parse the others."""
        for key in self:
            if _mentions(self._files[key], word):
                yield self[key]


def _mentions(file: Path, word: str) -> bool:
    """Return whether a file holds a word, or cannot be read, which whoever reads it properly will report."""
    try:
        return word.encode() in file.read_bytes()
    except OSError:
        return True

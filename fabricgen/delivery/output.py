"""The files of a build while it is made: in memory, or in a directory beside the one that they are meant for."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from fabricgen.core.files import FileTree, to_bytes

E = TypeVar("E")


def digest(content: str | bytes) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal."""
    return hashlib.sha256(to_bytes(content)).hexdigest()


class Output(Mapping[str, str | bytes], ABC, Generic[E]):
    """Files by path within the output; they are added and never changed.

    A worker process stores files and returns their entries, which its parent then adopts.
    """

    def __init__(self) -> None:
        self._entries: dict[str, E] = {}

    def add(self, files: FileTree) -> None:
        """Take files in."""
        self.adopt(self.store(files))

    @abstractmethod
    def store(self, files: FileTree) -> dict[str, E]:
        """Keep files, and return what stands for them in :meth:`adopt`."""

    def adopt(self, entries: Mapping[str, E]) -> None:
        """Take in files that were stored here or in a worker."""
        self._entries.update(entries)

    @abstractmethod
    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of every file, by path."""

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, path: object) -> bool:
        return path in self._entries


class MemoryOutput(Output[str | bytes]):
    """Files in memory."""

    def store(self, files: FileTree) -> dict[str, str | bytes]:
        """Return the files themselves."""
        return dict(files)

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of every file, by path."""
        return {path: digest(content) for path, content in self._entries.items()}

    def __getitem__(self, path: str) -> str | bytes:
        return self._entries[path]


class _Stored(NamedTuple):
    digest: str
    is_text: bool


class StagedOutput(Output[_Stored]):
    """Files in a directory, so that an output of any size takes little memory. Readers get them from the disk."""

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self.directory = directory

    def store(self, files: FileTree) -> dict[str, _Stored]:
        """Write files.

        Raises:
            OSError: one cannot be written.
        """
        entries = {}
        for path, content in files.items():
            file, data = self.directory / path, to_bytes(content)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            entries[path] = _Stored(digest(data), isinstance(content, str))
        return entries

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of every file, by path."""
        return {path: entry.digest for path, entry in self._entries.items()}

    def __getitem__(self, path: str) -> str | bytes:
        entry, data = self._entries[path], (self.directory / path).read_bytes()
        return data.decode() if entry.is_text else data

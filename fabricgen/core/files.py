"""Sets of files in memory. Making them never touches the disk; ``delivery`` does."""

from __future__ import annotations

from collections.abc import Mapping

#: Relative POSIX path to text: what a platform emits and reads.
FileSet = Mapping[str, str]

#: Relative POSIX path to text or bytes: a whole output, documents that are not text included.
FileTree = Mapping[str, str | bytes]


def to_bytes(content: str | bytes) -> bytes:
    """Return a file's content as it stands on disk; text is UTF-8."""
    return content.encode() if isinstance(content, str) else content


def texts(files: FileTree) -> dict[str, str]:
    """Return those of some files that are text."""
    return {path: content for path, content in files.items() if isinstance(content, str)}

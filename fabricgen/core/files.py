"""A set of files in memory: what a platform emits and reads."""

from __future__ import annotations

from collections.abc import Mapping

#: Relative POSIX path to text. Emitting never touches the disk; ``delivery`` does.
FileSet = Mapping[str, str]

"""InfiniBand GUIDs: 64-bit identifiers, written ``0x`` and 16 hex digits."""

from __future__ import annotations

import re

_GUID = re.compile(r"0x[0-9a-fA-F]{1,16}")

#: First 24 bits of the GUIDs that stand in for real ones: a locally administered EUI-64, which no vendor can assign.
PLACEHOLDER_PREFIX = 0x02FAB0


def parse_guid(text: str) -> int:
    """Read a GUID.

    Raises:
        ValueError: the text is not ``0x`` and up to 16 hex digits, or is zero.
    """
    if not _GUID.fullmatch(text):
        msg = f"{text!r} is not a GUID: write it as 0x and 16 hex digits"
        raise ValueError(msg)
    guid = int(text, 16)
    if guid == 0:
        msg = "a GUID is never zero"
        raise ValueError(msg)
    return guid


def format_guid(guid: int) -> str:
    """Print a GUID as OpenSM's files want it."""
    return f"0x{guid:016x}"


def is_placeholder(guid: int) -> bool:
    """Return whether a GUID stands in for a real one."""
    return guid >> 40 == PLACEHOLDER_PREFIX

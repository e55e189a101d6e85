"""The codes of the OpenSM reader."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from fabricgen.core.diagnostics import Kind
from fabricgen.platforms.opensm import kinds

KINDS = [value for value in vars(kinds).values() if isinstance(value, Kind)]


def test_codes_are_unique_and_in_their_range() -> None:
    assert max(Counter(kind.code for kind in KINDS).values()) == 1
    assert max(Counter(kind.name for kind in KINDS).values()) == 1
    assert all("FG610" <= kind.code <= "FG639" for kind in KINDS)


def test_every_kind_is_provoked_by_a_test() -> None:
    tests = "".join(path.read_text() for path in sorted(Path(__file__).parent.glob("test_*.py")))
    assert [kind.code for kind in KINDS if f'"{kind.code}"' not in tests] == []

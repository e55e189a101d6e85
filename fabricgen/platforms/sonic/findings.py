"""Gathers findings about rows: equal ones on many rows become one finding that says on how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Diagnostic, Kind, Note
from fabricgen.platforms.sonic.source import ConfigDb

#: Most further places that one finding names.
_NOTES = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a row or a field, wherever it occurs; ``field`` is empty for a whole row."""

    kind: Kind
    field: str
    summary: str
    remedy: str


@dataclass
class Findings:
    """The findings about the rows of one file."""

    source: ConfigDb
    _rows: dict[tuple[str, Problem], list[str]] = field(default_factory=dict)

    def add(self, table: str, key: str, problem: Problem) -> None:
        """Note that a row has a problem."""
        self._rows.setdefault((table, problem), []).append(key)

    def row(self, kind: Kind, table: str, key: str, summary: str, *, remedy: str, name: str = "") -> None:
        """Note a problem of a row, or of its field ``name``."""
        self.add(table, key, Problem(kind, name, summary, remedy))

    def problems(self) -> tuple[tuple[str, Problem, tuple[str, ...]], ...]:
        """Return table, problem and keys of what was noted."""
        return tuple((table, problem, tuple(keys)) for (table, problem), keys in self._rows.items())

    def diagnostics(self, device: str) -> Iterator[Diagnostic]:
        """Yield one finding for each problem of a table."""
        for (table, problem), keys in self._rows.items():
            places = [(table, key, problem.field) if problem.field else (table, key) for key in keys]
            more = len(keys) - 1
            yield problem.kind.at(
                f"devices[{device}].config_db[{table}|{keys[0]}]" + (f".{problem.field}" if problem.field else ""),
                problem.summary + (f" (and in {more} more row{'s' if more > 1 else ''})" if more else ""),
                span=self.source.span(*places[0]),
                related=[
                    Note(f"also {table}|{place[1]}", self.source.span(*place)) for place in places[1 : 1 + _NOTES]
                ],
                numbers={"rows": len(keys)} if more else None,
                remedy=problem.remedy,
            )

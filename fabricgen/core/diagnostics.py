"""Findings as values: what is wrong, where, with which numbers, and how to mend it.

A pass is given a :class:`Report` and adds to it; between passes :meth:`Report.stop_on_errors` ends the run with one
:class:`FabricgenError` that carries everything found. No module keeps a list of its own.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fabricgen.core.model import natural_key

#: Most words that a remedy lists.
_MOST_LISTED = 12


class Severity(StrEnum):
    """How bad a finding is; the order of the members is from worst to least."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Return 0 for an error, 1 for a warning, 2 for an information."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file; line and column count from 1."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """Print as ``file:line:column``, leaving out what is not known."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that belongs to a finding, with what is there."""

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding: what ``fabricgen explain CODE`` prints.

    Attributes:
        code: permanent and never reused: ``FG`` and three digits.
        name: readable twin of the code, which reads well after "accept".
        severity: what a finding of this kind is unless the inventory sets another level.
        title: one line, what is wrong.
        reason: why it matters, with the source of the claim.
    """

    code: str
    name: str
    severity: Severity
    title: str
    reason: str

    def at(
        self,
        path: str,
        summary: str,
        *,
        remedy: str,
        span: Span | None = None,
        related: Iterable[Note] = (),
        numbers: Mapping[str, int] | None = None,
    ) -> Diagnostic:
        """Return a finding of this kind.

        Args:
            path: what it is about, by names: ``devices[leaf-03].ports[Ethernet16]``.
            summary: one line: what is, and what must be.
            remedy: an imperative sentence: how to mend it.
            span: the offending place in a file.
            related: further places.
            numbers: figures for programs, the unit in each name.
        """
        return Diagnostic(
            code=self.code,
            name=self.name,
            severity=self.severity,
            summary=summary,
            path=path,
            span=span,
            related=tuple(related),
            numbers=dict(numbers or {}),
            remedy=remedy,
        )


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. See :class:`Kind` for the fields that it takes from its kind."""

    code: str
    name: str
    severity: Severity
    summary: str
    path: str
    remedy: str
    span: Span | None = None
    related: tuple[Note, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict, hash=False)

    def sort_key(self) -> tuple[object, ...]:
        """Order findings by file, line, column, code and path, so that a run prints the same twice."""
        span = self.span or Span("", None, None)
        place = (span.file, span.line or 0, span.column or 0)
        return (*place, self.code, natural_key(self.path), self.summary)


class FabricgenError(Exception):
    """The one exception that crosses the public API: a run that cannot go on, with all that was found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=Diagnostic.sort_key))
        super().__init__("\n".join(f"{d.span or d.path}: {d.severity}[{d.code}] {d.summary}" for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[FabricgenError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class Report:
    """Collects the findings of a run."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def add(self, diagnostic: Diagnostic) -> None:
        """Add one finding."""
        self._found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add several findings."""
        self._found.extend(diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        """Yield the findings in their stable order."""
        return iter(sorted(self._found, key=Diagnostic.sort_key))

    def __len__(self) -> int:
        """Return how many findings there are."""
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        """Return whether any finding is an error."""
        return any(found.severity is Severity.ERROR for found in self._found)

    def stop_on_errors(self) -> None:
        """End the run if a pass found an error.

        Raises:
            FabricgenError: with every error and warning so far.
        """
        if self.has_errors:
            raise FabricgenError(found for found in self._found if found.severity is not Severity.INFO)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like ``word``, if any is near."""
    candidates = {name.lower(): name for name in known}
    matches = difflib.get_close_matches(word.lower(), list(candidates), n=1, cutoff=0.6)
    return candidates[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return an imperative sentence that offers the nearest known word, or lists what is allowed."""
    names = sorted(known, key=natural_key)
    match = nearest(word, names)
    if match is not None:
        return f"did you mean `{match}`?"
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return "use one of " + ", ".join(f"`{name}`" for name in names[:_MOST_LISTED]) + more

"""Where a value comes from: the inventory line that asked for it, and the arithmetic that made it.

Both are shared references: a thousand ports that one inventory line asked for hold one :class:`Origin`.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabricgen.core.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Origin:
    """The part of the inventory that asked for a thing: its path and, where known, its place in a file."""

    path: str
    span: Span | None = None

    def __str__(self) -> str:
        """Print as ``file:line:column (path)``."""
        return f"{self.span} ({self.path})" if self.span else self.path


@dataclass(frozen=True, slots=True)
class Term:
    """One input or addend of a computed number.

    Attributes:
        name: the term as the formula calls it.
        value: its size.
        unit: ``bytes``, ``m``, ``Gb/s``, ``ns``, ``quanta``, ``%`` or empty for a plain number.
        source: document, table or file that the figure was read from; empty for a figure computed from other terms.
        origin: the inventory line that set it, if one did.
    """

    name: str
    value: int | str
    unit: str
    source: str = ""
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Basis:
    """How a number was computed: the formula in words, its terms, where the formula is from, and what came out."""

    formula: str
    terms: tuple[Term, ...]
    source: str
    results: tuple[Term, ...] = ()

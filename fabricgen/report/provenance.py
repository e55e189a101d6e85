"""How a number came about, as text."""

from __future__ import annotations

from fabricgen.core.provenance import Basis, Term


def basis_lines(basis: Basis) -> list[str]:
    """Return the result, the formula, and one line for each term with its source or the inventory line."""
    width = max((len(term.name) for term in basis.terms), default=0)
    values = max((len(_value(term)) for term in basis.terms), default=0)
    results = ", ".join(f"{term.name} {_value(term)}" for term in basis.results)
    lines = [results, basis.formula] if results else [basis.formula]
    for term in basis.terms:
        origin = str(term.origin) if term.origin else term.source
        lines.append(f"{term.name:<{width}}  {_value(term):>{values}}  {origin}".rstrip())
    if basis.source:
        lines.append(f"source: {basis.source}")
    return lines


def _value(term: Term) -> str:
    return f"{term.value} {term.unit}".rstrip()

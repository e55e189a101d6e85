"""Of two ends that disagree, the one to name: the end whose value is rarer in the whole network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from fabricgen.rules.base import Context, Port

P = TypeVar("P")
V = TypeVar("V", bound=Hashable)


def disagreements(pairs: Iterable[tuple[tuple[P, V], tuple[P, V]]]) -> Iterator[tuple[tuple[P, V], tuple[P, V]]]:
    """Yield the pairs whose values differ, the one that is rarer over all pairs first (the first where both are equal).

    Args:
        pairs: both ends, each with its value.
    """
    listed = list(pairs)
    votes = Counter(value for pair in listed for _, value in pair)
    for one, other in listed:
        if one[1] != other[1]:
            yield (one, other) if votes[one[1]] <= votes[other[1]] else (other, one)


def joined_disagreements(
    ctx: Context, value: Callable[[Port], V | None]
) -> Iterator[tuple[tuple[Port, V], tuple[Port, V]]]:
    """Yield the disagreements of ports that a cable joins, where both have a value.

    Args:
        ctx: the network.
        value: what a port has; the same for all ports that are alike (see :attr:`Context.cable_kinds`).
    """
    if any(True for one, other in _valued(ctx.joined_kinds, value) if one[1] != other[1]):
        yield from disagreements(_valued(ctx.joined_ports, value))


def _valued(
    pairs: Iterable[tuple[Port, Port]], value: Callable[[Port], V | None]
) -> Iterator[tuple[tuple[Port, V], tuple[Port, V]]]:
    for a, b in pairs:
        at_a, at_b = value(a), value(b)
        if at_a is not None and at_b is not None:
            yield (a, at_a), (b, at_b)

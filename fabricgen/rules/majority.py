"""Of two ends that disagree, the one to name: the end whose value is rarer in the whole network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

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

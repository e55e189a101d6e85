"""Gathers ports that share one fault, so that a wrong map is one finding and not one for each port."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def alike(pairs: Iterable[tuple[K, V]]) -> Iterator[tuple[K, V, int]]:
    """Yield each key with its first value and how many more there are, in the order of first appearance."""
    first: dict[K, V] = {}
    more: dict[K, int] = {}
    for key, value in pairs:
        if key in first:
            more[key] += 1
        else:
            first[key], more[key] = value, 0
    for key, value in first.items():
        yield key, value, more[key]

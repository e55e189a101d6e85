"""Links from one tier to the next, counted: shared by the rules of Ethernet and InfiniBand fabrics."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True)
class Uplinks(Generic[N]):
    """How many links each switch has to each switch of the tier above.

    Attributes:
        counts: by lower switch, links by upper switch.
        tiers: the tier of every switch.
    """

    counts: Mapping[N, Counter[N]]
    tiers: Mapping[N, int]

    @staticmethod
    def of(pairs: Iterable[tuple[N, N]], tiers: Mapping[N, int]) -> Uplinks[N]:
        """Return the count of links, each given as (lower, upper)."""
        counts: dict[N, Counter[N]] = defaultdict(Counter)
        for lower, upper in pairs:
            counts[lower][upper] += 1
        return Uplinks(counts, tiers)

    def single(self) -> Iterator[tuple[N, N, int, int]]:
        """Yield (leaf, its only spine, links, spines of the network) where there is a choice of several spines.

        Higher tiers are left out: in a fat tree a spine may well belong to one core.
        """
        sizes = Counter(self.tiers.values())
        for lower, uppers in self.counts.items():
            (upper, count), *others = uppers.items()
            choice = sizes[self.tiers[upper]]
            if self.tiers[lower] == 1 and not others and choice > 1:
                yield lower, upper, count, choice

    def uneven(self) -> Iterator[tuple[N, N, int, N, int]]:
        """Yield (switch, upper with fewest links, how many, upper with most, how many) where the two differ.

        The uppers that count are all that are joined to the switch through this pair of tiers: of its pod or plane.
        """
        for tier in sorted({self.tiers[lower] for lower in self.counts}):
            pairs = [(lower, upper) for lower, uppers in self.counts.items() for upper in uppers
                     if self.tiers[lower] == tier]  # fmt: skip
            for group in components(dict.fromkeys(name for pair in pairs for name in pair), pairs):
                yield from self._uneven_in(group, tier)

    def _uneven_in(self, group: Sequence[N], tier: int) -> Iterator[tuple[N, N, int, N, int]]:
        uppers = [name for name in group if self.tiers[name] == tier + 1]
        for lower in group:
            if self.tiers[lower] != tier or len(self.counts[lower]) < 2:
                continue
            links = [(self.counts[lower][upper], upper) for upper in uppers]
            fewest, few = min(links, key=lambda entry: entry[0])
            most, many = max(links, key=lambda entry: entry[0])
            if fewest != most:
                yield lower, few, fewest, many, most


def components(nodes: Iterable[N], edges: Iterable[tuple[N, N]]) -> list[Sequence[N]]:
    """Return the connected parts of a graph, each in the order of ``nodes``."""
    parent = {node: node for node in nodes}

    def root(node: N) -> N:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for a, b in edges:
        parent[root(a)] = root(b)
    parts: dict[N, list[N]] = defaultdict(list)
    for node in parent:
        parts[root(node)].append(node)
    return list(parts.values())

"""Which catalog parts can join which cages: cables with their plugs, or transceivers with fibre between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple

from fabricgen.catalog import Cable, CableEnd

#: Media from the shortest reach to the longest, copper before fibre: the order of preference.
MEDIA = ("passive-copper", "active-copper", "multimode", "active-optical", "single-mode")

Shape = Literal["straight", "splitter", "mesh"]
"""How cages are joined: two with each other, one with several that have no other link, or any of them with any."""


class Socket(NamedTuple):
    """What a plug must fit: a cage's form factor, the ports that it is split into, and the box that it is part of."""

    form_factor: str
    ways: int
    on_switch: bool


@dataclass(frozen=True, slots=True)
class Demand:
    """Cages that are to be joined by one kind of part.

    Attributes:
        head: the cage that is split, or either cage.
        others: the kinds of the other cages.
        speed_gbps: of each link.
    """

    shape: Shape
    head: Socket
    others: frozenset[Socket]
    speed_gbps: int

    @property
    def head_gbps(self) -> int:
        """Return the speed of the whole head cage."""
        return self.head.ways * self.speed_gbps


@dataclass(frozen=True)
class Choice:
    """Parts that join some cages.

    Attributes:
        cable: the cable or fibre; None for a fibre that the catalog does not have.
        transceivers: by kind of cage; empty for a cable with plugs of its own.
        reach_m: of the whole.
        cords: fibres side by side for one link.
        split: links that share one fibre.
    """

    medium: str
    cable: Cable | None
    transceivers: Mapping[Socket, Cable]
    reach_m: float
    cords: int = 1
    split: int = 1

    @cached_property
    def longest_cm(self) -> int:
        """Return the longest run that it can have: its reach, or the longest that is sold."""
        reach_cm = int(self.reach_m * 100)
        return min(reach_cm, self._sold[-1]) if self._sold else reach_cm

    @cached_property
    def _sold(self) -> tuple[int, ...]:
        lengths = self.cable.lengths_cm if self.cable else ()
        return () if isinstance(lengths, str) else lengths

    def length_cm(self, run_cm: int) -> int:
        """Return the shortest length that is sold and covers a run; the run where no lengths are known."""
        least = max(run_cm, int((self.cable.reach_min_m if self.cable else 0) * 100))
        return next((length for length in self._sold if length >= least), least)

    def is_called(self, word: str) -> bool:
        """Return whether a word is its medium, or the id of one of its parts."""
        parts = [*self.transceivers.values(), *([self.cable] if self.cable else [])]
        return word == self.medium or any(part.id == word for part in parts)


class PartFinder:
    """Finds the parts for a demand; the catalog's cables of one protocol."""

    def __init__(self, cables: Iterable[Cable], protocol: str) -> None:
        parts = [cable for cable in cables if protocol in cable.protocols]
        self._cables = [part for part in parts if part.form == "cable"]
        self._fibres = [part for part in parts if part.form == "fibre"]
        transceivers = sorted((part for part in parts if part.form == "transceiver"), key=_family)
        self._families = [list(family) for _, family in groupby(transceivers, _family)]

    def choices(self, demand: Demand) -> list[Choice]:
        """Return every choice, whatever its reach: copper first, then the shortest reach."""
        found = [*self._with_plugs(demand), *self._with_transceivers(demand)]
        return sorted(found, key=lambda choice: (MEDIA.index(choice.medium), choice.reach_m))

    def _with_plugs(self, demand: Demand) -> Iterator[Choice]:
        if demand.shape == "mesh":
            return
        legs = demand.head.ways if demand.shape == "splitter" else 1
        for cable in self._cables:
            if cable.legs != legs or demand.head_gbps not in cable.speeds_gbps or isinstance(cable.reach_max_m, str):
                continue
            if _plugs_in(cable, demand, turned=False) or (legs == 1 and _plugs_in(cable, demand, turned=True)):
                yield Choice(cable.medium, cable, {}, cable.reach_max_m)

    def _with_transceivers(self, demand: Demand) -> Iterator[Choice]:
        for family in self._families:
            for head in family:
                choice = self._between(head, family, demand)
                if choice is not None:
                    yield choice

    def _between(self, head: Cable, family: Sequence[Cable], demand: Demand) -> Choice | None:
        """Return the choice with a transceiver at the head, and others of its family at the other ends."""
        split, cords = _split(head, demand.head), _cords(head, demand.head)
        if not _fits(head.near, demand.head) or demand.head_gbps not in head.speeds_gbps or not split:
            return None
        if split > 1 and demand.shape != "splitter":
            return None
        transceivers = {demand.head: head}
        for socket in demand.others - {demand.head}:
            gbps = demand.speed_gbps * socket.ways * split
            fitting = [
                part
                for part in family
                if _fits(part.near, socket)
                and gbps in part.speeds_gbps
                and _split(part, socket) == 1
                and _cords(part, socket) == cords
            ]
            if not fitting:
                return None
            transceivers[socket] = _nearest_reach(fitting, _reach(head, split), split)
        fibre = self._fibre(head, split)
        reaches = [_reach(part, split) for part in transceivers.values()]
        reaches += [fibre.reach_max_m] if fibre and not isinstance(fibre.reach_max_m, str) else []
        reach = min(reaches)
        return Choice(head.medium, fibre, transceivers, reach, cords, split) if reach else None

    def _fibre(self, head: Cable, split: int) -> Cable | None:
        """Return the fibre for a transceiver: passive, so plug, kind and legs must fit, whatever the speed."""
        return next(
            (
                fibre
                for fibre in self._fibres
                if fibre.medium == head.medium and fibre.legs == split and fibre.near.connector == head.far.connector
            ),
            None,
        )


def _family(part: Cable) -> tuple[str, str, str, int]:
    """Return what two transceivers must share to understand each other: ``2xDR4`` and ``DR4`` do."""
    return part.medium, part.type.rpartition("x")[2], part.far.connector, part.lane_gbps


def _fits(end: CableEnd, socket: Socket) -> bool:
    """Return whether a plug fits a cage: finned lids fit switches only, flat ones all but switches."""
    unfit = "flat" if socket.on_switch else "finned"
    return end.connector == socket.form_factor and end.top != unfit


def _plugs_in(cable: Cable, demand: Demand, *, turned: bool) -> bool:
    near, far = (cable.far, cable.near) if turned else (cable.near, cable.far)
    return _fits(near, demand.head) and all(_fits(far, socket) for socket in demand.others)


def _split(part: Cable, socket: Socket) -> int:
    """Return how many ports of a cage share a fibre of a transceiver; 0 where it cannot serve the cage so."""
    if socket.ways in {1, part.legs}:
        return 1
    return socket.ways // part.legs if socket.ways in part.splits else 0


def _cords(part: Cable, socket: Socket) -> int:
    """Return the fibres of one port."""
    return part.legs if socket.ways == 1 else 1


def _reach(part: Cable, split: int) -> float:
    """Return the reach of a transceiver in metres, 0 where nobody publishes it."""
    reach = part.reach_max_m if split == 1 else part.reach_split_m
    return 0 if isinstance(reach, str) else reach


def _nearest_reach(parts: Sequence[Cable], wanted_m: float, split: int) -> Cable:
    """Return the part whose reach is the least that is enough, else the one that reaches farthest."""
    enough = [part for part in parts if _reach(part, split) >= wanted_m]
    if enough:
        return min(enough, key=lambda part: _reach(part, split))
    return max(parts, key=lambda part: _reach(part, split))

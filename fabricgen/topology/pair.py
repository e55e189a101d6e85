"""A pair of switches that takes every server, and the links between the two: cages, devices and cables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fabricgen.core.diagnostics import Kind, Report
from fabricgen.inventory.kinds import IMPOSSIBLE_BREAKOUT, TOO_FEW_PORTS
from fabricgen.topology.endpoints import Path
from fabricgen.topology.fabric import Cable, Device, Fabric, Port, Receptacle, Room, Sizing
from fabricgen.topology.lengths import Lengths
from fabricgen.topology.one_tier import leaf_device
from fabricgen.topology.pair_request import PairRequest, PortGroup
from fabricgen.topology.ports import CageSplit, Chip
from fabricgen.topology.request import MAIN

SWITCHES = 2

Seat = tuple[int, int]
"""A cage, and the place of a port in it, from 1."""


def build_pair(request: PairRequest, report: Report) -> Fabric | None:
    """Place all ports and make the fabric.

    Args:
        request: what is asked for, resolved.
        report: takes FG132, FG133 and FG135.
    """
    seats = _Placer(request, report).seats()
    return None if seats is None else _Pair(request, *seats, Lengths(request, report)).fabric()


@dataclass(frozen=True)
class _Block:
    """Ports of one kind that want cages.

    Attributes:
        path: where they stand, below the fabric.
        first_cage: the cage that is asked for, and where it stands.
    """

    title: str
    path: Path
    split: CageSplit
    seats: int
    per_cage: int
    first_cage: tuple[int, Path] | None


class _Placer:
    """Gives cages to groups of ports, alike on both switches."""

    def __init__(self, request: PairRequest, report: Report) -> None:
        self._request = request
        self._report = report
        self._chip = Chip(request.switch)
        self._taken: dict[int, str] = {}
        self._whole = True

    def seats(self) -> tuple[list[list[Seat]], list[Seat]] | None:
        """Return the seats of each group, and those of the links between the switches.

        What asks for a cage gets it first; the entries after it go on from there. The rest follow from the first cage
        on, around what is taken.
        """
        chains: list[list[_Block]] = [[]]
        for group in self._request.groups:
            block = _block(group)
            if block.first_cage is not None:
                chains.append([])
            chains[-1].append(block)
        isl = self._isl()
        at_cages = [chain for chain in chains if chain and chain[0].first_cage]
        others = [chain for chain in chains if chain and not chain[0].first_cage]
        ordered = [[isl], *at_cages, *others] if isl.first_cage else [*at_cages, *others, [isl]]
        found = {id(block): seats for chain in ordered for block, seats in self._chain(chain)}
        if not self._whole:
            return None
        blocks = [block for chain in chains for block in chain]
        return [found[id(block)] for block in blocks], found[id(isl)]

    def _isl(self) -> _Block:
        request = self._request
        isl, split, path = request.isl, request.isl_split, ("isl", "first_cage")
        at = (isl.first_cage, path) if isl.first_cage else None
        return _Block("the inter-switch links", ("leaf", "model"), split, request.isl_links, split.legs, at)

    def _chain(self, blocks: Sequence[_Block]) -> Iterator[tuple[_Block, list[Seat]]]:
        """Yield the seats of blocks that follow one another; one of the same speed goes on in the last cage."""
        cage, used, split = 0, 0, None
        for block in blocks:
            if block.first_cage is not None:
                cage, split = block.first_cage[0] - 1, None
                if not self._can_start(block, *block.first_cage):
                    return
            if block.split != split:
                split, used = block.split, block.per_cage
            seats: list[Seat] = []
            while len(seats) < block.seats:
                if used >= block.per_cage:
                    cage, used = self._next_cage(block, cage, len(seats)), 0
                if not cage:
                    return
                used += 1
                seats.append((cage, used))
            yield block, seats

    def _can_start(self, block: _Block, cage: int, path: Path) -> bool:
        """Return whether a block can have the cage that it asks for; report why not."""
        switch, split = self._request.switch, block.split
        if self._free(split, cage):
            return True
        why, kind = f"the {switch.model} has cages {split.group.first} to {split.group.numbers[-1]}", TOO_FEW_PORTS
        if cage in split.group.numbers:
            also = " or the one after it" if split.skips_next else ""
            why = f"it{also} is taken by {self._taken.get(cage) or self._taken.get(cage + 1)}"
        if split.skips_next and not _even_start(split, cage):
            kind = IMPOSSIBLE_BREAKOUT
            first = split.group.first
            why = f"{split.legs} x {split.speed_gbps}G takes two cages, of which the first is {first}, {first + 2}, …"
        self._misfit(kind, path, f"{block.title} cannot start in cage {cage}: {why}", "choose another `first_cage`")
        return False

    def _free(self, split: CageSplit, cage: int) -> bool:
        cages = (cage, cage + 1) if split.skips_next else (cage,)
        free = all(number in split.group.numbers and number not in self._taken for number in cages)
        return free and (not split.skips_next or _even_start(split, cage))

    def _next_cage(self, block: _Block, after: int, placed: int) -> int:
        """Take the next cage that can have a block's ports; 0, with FG132, where there is none.

        Args:
            block: the ports, of which some are placed already.
            after: the cage before it.
            placed: number of ports that are placed.
        """
        split = block.split
        for cage in split.group.numbers:
            if cage <= after or not self._free(split, cage) or not self._chip.take(cage, split.legs):
                continue
            self._taken[cage] = block.title
            if split.skips_next:
                self._taken[cage + 1] = block.title
            return cage
        switch, speed = self._request.switch, split.speed_gbps
        self._misfit(
            TOO_FEW_PORTS,
            block.path,
            f"{block.title}: {block.seats} of {speed}G are needed on each {switch.model}, and the cages that are left "
            f"hold {placed}",
            "join fewer servers, lower `room_for`, or give `first_cage` where more cages are free",
        )
        return 0

    def _misfit(self, kind: Kind, path: Path, summary: str, remedy: str) -> None:
        self._whole = False
        self._report.add(self._request.finding(kind, path, summary, remedy))


def _block(group: PortGroup) -> _Block:
    first = group.placement.first_cage
    at = (first, (*group.path, "placement", "first_cage")) if first else None
    return _Block(f"the ports for {group.title}", group.path, group.split, group.seats, group.per_cage, at)


def _even_start(split: CageSplit, cage: int) -> bool:
    """Return whether a cage is the first of two that one split takes."""
    return (cage - split.group.first) % 2 == 0


@dataclass(frozen=True)
class _Pair:
    """The devices and cables of a pair whose ports have their places."""

    request: PairRequest
    seats: list[list[Seat]]
    isl_seats: list[Seat]
    lengths: Lengths

    def fabric(self) -> Fabric:
        request = self.request
        servers = [server.device() for server in request.servers]
        switches = [leaf_device(request, index) for index in range(SWITCHES)]
        cables: list[Cable] = []
        for group, seats in zip(request.groups, self.seats, strict=True):
            for side, switch in enumerate(switches):
                cables += self.server_cables(group, seats, side, switch)
        cables += self.inter_switch_cables(*switches)
        room = Room(sum(group.seats for group in request.groups), request.isl_links, self.most_legs * self.last_cage)
        return Fabric(
            name=request.name,
            kind=request.kind,
            design=request.intent.design,
            devices=(*servers, *switches),
            cables=tuple(cables),
            sizing=self.sizing(len(servers), room),
            rooms={MAIN: room},
        )

    # cables

    def server_cables(self, group: PortGroup, seats: Sequence[Seat], side: int, switch: Device) -> Iterator[Cable]:
        """Yield one group's links to one switch, by the ports of the switch."""
        speed, origin = group.split.speed_gbps, self.request.origin(*group.path)
        taken = {
            group.seat(side, number, place): (server, server.endpoints[port])
            for number, server in enumerate(group.servers)
            for place, port in enumerate(group.sides[side])
        }
        for number in sorted(taken):
            server, endpoint = taken[number]
            length, length_origin = self.lengths.between("server", server.place, switch.place)
            near, far = endpoint.at(server.name, speed), self.port(switch, group.split, seats[number])
            yield Cable(near, far, speed, length, None, origin, length_origin)

    def inter_switch_cables(self, first: Device, second: Device) -> Iterator[Cable]:
        """Yield the links between the switches: the same port of both."""
        split, origin = self.request.isl_split, self.request.origin("isl" if self.request.intent.isl else "leaf")
        length, length_origin = self.lengths.between("isl", first.place, second.place)
        for seat in self.isl_seats:
            near, far = self.port(first, split, seat), self.port(second, split, seat)
            yield Cable(near, far, split.speed_gbps, length, None, origin, length_origin)

    def port(self, switch: Device, split: CageSplit, seat: Seat) -> Port:
        """Return a port of a switch; its number follows from its cage alone, so that it stays whatever else changes."""
        cage, place = seat
        leg = 0 if split.legs == 1 else place
        receptacle = Receptacle(str(cage), split.group.connector, split.legs)
        label = receptacle.name if leg == 0 else f"{cage}/{leg}"
        number = (cage - 1) * self.most_legs + place
        return Port(switch.name, number, cage, leg, split.legs, split.speed_gbps, label, receptacle)

    @property
    def most_legs(self) -> int:
        group = self.request.isl_split.group
        return max(group.ports, *(breakout.ports for breakout in group.breakouts))

    @property
    def last_cage(self) -> int:
        return self.request.isl_split.group.numbers[-1]

    # what was decided

    def sizing(self, servers: int, room: Room) -> Sizing:
        request = self.request
        groups = [
            f"{group.title}: {_ports(group.split, group.seats, seats)}"
            for group, seats in zip(request.groups, self.seats, strict=True)
        ]
        isl = _ports(request.isl_split, request.isl_links, self.isl_seats)
        return Sizing(
            servers=servers,
            units=1,
            planes=1,
            pods=0,
            leaves=SWITCHES,
            spines=0,
            cores=0,
            downlinks_per_leaf=room.down,
            uplinks_per_leaf=room.up,
            links_per_spine=0,
            uplinks_per_spine=0,
            links_per_core=0,
            reasons=(request.isl_reason, *groups, f"inter-switch links: {isl}"),
        )


def _ports(split: CageSplit, count: int, seats: Sequence[Seat]) -> str:
    """Return ports in words: ``12 ports of 200G on each switch, cages 1-3``."""
    cages = sorted({cage for cage, _ in seats})
    step = 2 if split.skips_next else 1
    runs: list[list[int]] = []
    for cage in cages:
        if runs and cage == runs[-1][-1] + step:
            runs[-1].append(cage)
        else:
            runs.append([cage])
    spans = [f"{run[0]}-{run[-1] + step - 1}" if run[-1] + step - 1 > run[0] else str(run[0]) for run in runs]
    named = f"cage{'' if spans == [str(cages[0])] else 's'} {', '.join(spans)}"
    return f"{count} port{'' if count == 1 else 's'} of {split.speed_gbps}G on each switch, {named}"

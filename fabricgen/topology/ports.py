"""The logical ports of a switch: which cages give a speed, and how they are numbered.

Ports, not cages, are what a chip runs out of. A switch has a limit on all its ports, some chips have one on the ports
of a group of cages (:class:`fabricgen.catalog.models.Pipeline`), and some splits take what the next cage needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabricgen.catalog import CageGroup, Switch
from fabricgen.core.units import ceil_div
from fabricgen.topology.fabric import Port, Receptacle


@dataclass(frozen=True, slots=True)
class CageSplit:
    """How each cage of a run serves one speed: ``legs`` ports of it."""

    group: CageGroup
    legs: int
    speed_gbps: int
    skips_next: bool = False


def split_for(switch: Switch, speed_gbps: int) -> CageSplit | None:
    """Return how the switch's first data cages give ports of a speed, or None if no split does.

    A cage that has the speed unsplit is not split, unless a split gives more ports of it.
    """
    group = switch.data_cages[0]
    choices = [CageSplit(group, group.ports, speed_gbps)] if group.speed_gbps == speed_gbps else []
    choices += [
        CageSplit(group, breakout.ports, speed_gbps, breakout.disables_next_cage)
        for breakout in group.breakouts
        if breakout.speed_gbps == speed_gbps
    ]
    return max(choices, key=lambda choice: choice.legs / (2 if choice.skips_next else 1), default=None)


def speeds_gbps(switch: Switch) -> tuple[int, ...]:
    """Return the speeds that the switch's data cages give, fastest first."""
    group = switch.data_cages[0]
    return tuple(sorted({group.speed_gbps, *(breakout.speed_gbps for breakout in group.breakouts)}, reverse=True))


@dataclass(frozen=True, slots=True)
class PortRun:
    """Ports of one speed on some cages of a switch.

    Attributes:
        cages: front-panel numbers, in the order in which they are used.
        capacity: how many ports the run gives; the chip's limit may be below what the cages give.
        receptacles: the same cages as things that plugs go into.
        first_number: number of its first port among all ports of the switch.
    """

    split: CageSplit
    cages: tuple[int, ...]
    capacity: int
    receptacles: tuple[Receptacle, ...]
    first_number: int = 1

    def port(self, device: str, index: int) -> Port:
        """Return one port of a device; ``index`` counts the run's ports from 0."""
        split = self.split
        cage_index, leg_index = divmod(index, split.legs)
        cage, receptacle = self.cages[cage_index], self.receptacles[cage_index]
        leg = 0 if split.legs == 1 else leg_index + 1
        label = receptacle.name if leg == 0 else f"{cage}/{leg}"
        return Port(device, self.first_number + index, cage, leg, split.legs, split.speed_gbps, label, receptacle)


class Chip:
    """Ports that a chip still has to give: in all, and by pipeline."""

    def __init__(self, switch: Switch) -> None:
        """Take the limits of a switch model."""
        limit = switch.max_logical_ports
        self.left = sum(group.count * 8 for group in switch.data_cages) if isinstance(limit, str) else limit
        self._pipeline = {cage: number for number, pipe in enumerate(switch.pipelines) for cage in pipe.cages}
        self._pipeline_left = [pipe.max_ports for pipe in switch.pipelines]

    def run(self, split: CageSplit, cages: Sequence[int], first_number: int = 1) -> PortRun:
        """Take the ports of a run of cages; a cage whose pipeline cannot serve all its legs stays dark."""
        every = cages[:: 2 if split.skips_next else 1]
        used = [cage for cage in every if self._take_of_pipeline(cage, split.legs)]
        capacity = min(len(used) * split.legs, self.left)
        self.left -= capacity
        receptacles = tuple(Receptacle(str(cage), split.group.connector, split.legs) for cage in used)
        return PortRun(split, tuple(used), capacity, receptacles, first_number)

    def take(self, cage: int, legs: int) -> bool:
        """Take all ports of a split cage; return whether the chip and its pipeline had as many left."""
        if self.left < legs or not self._take_of_pipeline(cage, legs):
            return False
        self.left -= legs
        return True

    def _take_of_pipeline(self, cage: int, ports: int) -> bool:
        pipeline = self._pipeline.get(cage)
        if pipeline is None:
            return True
        if self._pipeline_left[pipeline] < ports:
            return False
        self._pipeline_left[pipeline] -= ports
        return True


def whole_switch(switch: Switch, speed_gbps: int) -> PortRun | None:
    """Return all ports of one speed that a switch gives, or None if it has not the speed."""
    split = split_for(switch, speed_gbps)
    return None if split is None else Chip(switch).run(split, split.group.numbers)


def capacity(switch: Switch, speed_gbps: int) -> int:
    """Return how many ports of one speed the whole switch gives, 0 if none."""
    run = whole_switch(switch, speed_gbps)
    return run.capacity if run else 0


@dataclass(frozen=True, slots=True)
class Halves:
    """A switch divided for good: its first cages lead down, the others up.

    The division depends on the switch and the oversubscription alone, not on how many devices there are, so that
    growing within it moves no port.
    """

    down: PortRun
    up: PortRun


def divide(switch: Switch, down_gbps: int, up_gbps: int, ratio: tuple[int, int]) -> Halves | None:
    """Divide a switch's cages between what is below it and what is above.

    Args:
        switch: the model.
        down_gbps: speed of the ports that lead down.
        up_gbps: speed of the uplinks.
        ratio: bandwidth down against bandwidth up.

    Returns:
        The largest lower half whose uplinks fit, or None if a speed cannot be had or nothing fits.
    """
    down, up = split_for(switch, down_gbps), split_for(switch, up_gbps)
    if down is None or up is None:
        return None
    cages = down.group.numbers
    for down_cages in range(len(cages) - 1, 0, -1):
        chip = Chip(switch)
        below = chip.run(down, cages[:down_cages])
        above = chip.run(up, cages[down_cages:], below.capacity + 1)
        needed = ceil_div(below.capacity * down_gbps * ratio[1], up_gbps * ratio[0])
        if below.capacity and needed <= above.capacity:
            return Halves(below, above)
    return None

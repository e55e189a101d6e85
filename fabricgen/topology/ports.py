"""The logical ports of a switch: which cages give a speed, and how they are numbered."""

from __future__ import annotations

from dataclasses import dataclass

from fabricgen.catalog import CageGroup, Switch
from fabricgen.core.units import ceil_div
from fabricgen.topology.fabric import Port


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


def capacity(switch: Switch, speed_gbps: int) -> int:
    """Return how many ports of one speed the whole switch gives, 0 if none."""
    split = split_for(switch, speed_gbps)
    if split is None:
        return 0
    ports = split.group.count // (2 if split.skips_next else 1) * split.legs
    return ports if isinstance(switch.max_logical_ports, str) else min(ports, switch.max_logical_ports)


@dataclass(frozen=True, slots=True)
class Halves:
    """A leaf divided for good: its first cages serve servers, the others uplinks.

    The division depends on the switch and the oversubscription alone, not on how many servers there are, so that
    growing within it moves no port.

    Attributes:
        down_capacity: server ports that fit.
        up_capacity: uplink ports that fit.
        up_first: index of the first uplink cage, from 0.
    """

    down: CageSplit
    up: CageSplit
    down_capacity: int
    up_capacity: int
    up_first: int


def divide(switch: Switch, down_gbps: int, up_gbps: int, ratio: tuple[int, int]) -> Halves | None:
    """Divide a leaf's cages between servers and uplinks.

    Args:
        switch: the leaf's model.
        down_gbps: speed of the server ports.
        up_gbps: speed of the uplinks.
        ratio: bandwidth down against bandwidth up.

    Returns:
        The largest server half whose uplinks fit, or None if a speed cannot be had.
    """
    down, up = split_for(switch, down_gbps), split_for(switch, up_gbps)
    if down is None or up is None:
        return None
    cages = down.group.count
    limit = cages * 8 if isinstance(switch.max_logical_ports, str) else switch.max_logical_ports
    for down_cages in range(cages - 1, 0, -1):
        down_ports = _ports_in(down, down_cages)
        needed = ceil_div(down_ports * down_gbps * ratio[1], up_gbps * ratio[0])
        available = _ports_in(up, cages - down_cages)
        if needed <= available and down_ports + needed <= limit:
            return Halves(down, up, down_ports, min(available, limit - down_ports), down_cages)
    return None


def _ports_in(split: CageSplit, cages: int) -> int:
    return cages // (2 if split.skips_next else 1) * split.legs


def make_port(device: str, split: CageSplit, first_cage: int, index: int, first_number: int) -> Port:
    """Return one logical port.

    Args:
        device: the switch's name.
        split: how the cages are split.
        first_cage: index of the run's first cage within the group, from 0.
        index: which port of the run, from 0.
        first_number: number of the run's first port.
    """
    step = 2 if split.skips_next else 1
    cage = split.group.first + first_cage + index // split.legs * step
    leg = 0 if split.legs == 1 else index % split.legs + 1
    label = str(cage) if leg == 0 else f"{cage}/{leg}"
    return Port(device, first_number + index, cage, leg, split.legs, split.speed_gbps, label)

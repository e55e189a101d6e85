"""How many spines take the uplinks of some leaves, and how many cores those of some spines: arithmetic alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabricgen.core.units import ceil_div


@dataclass(frozen=True, slots=True)
class Demand:
    """What one group of leaves asks of the spines.

    Attributes:
        leaves: number of leaves.
        uplinks: least links that each leaf needs.
        most: uplink ports that each leaf has.
    """

    leaves: int
    uplinks: int
    most: int


@dataclass(frozen=True, slots=True)
class OtherSlots:
    """Spine ports of the other leaf groups, counted from a spine's last port down, so that the main leaves can grow.

    The groups take turns: leaf i of group k has slot ``i * groups + k``, so that each group can grow too.

    Attributes:
        links: links to each spine from each leaf, by group.
        stride: ports of a slot.
        ports: ports of a spine that are taken up.
    """

    links: tuple[int, ...] = ()
    stride: int = 0
    ports: int = 0

    def slot(self, group: int, leaf: int) -> int:
        """Return the number of a leaf's slot."""
        return leaf * len(self.links) + group


@dataclass(frozen=True, slots=True)
class SpineFit:
    """A number of spines that takes the uplinks of all leaves below it evenly.

    Attributes:
        spines: spines of one plane, or of one pod.
        links: links from each main leaf to each spine.
        others: the same for the other leaf groups.
    """

    spines: int
    links: int
    others: OtherSlots = OtherSlots()


def fit_spines(
    main: Demand, spine_ports: int, others: Sequence[Demand] = (), *, exactly: int | None = None
) -> SpineFit | None:
    """Return the fewest spines that take every leaf's uplinks evenly.

    Every leaf has the same number of links to every spine. With all uplink ports in use this is the smallest divisor
    of the uplinks that is at least ``ceil(links / spine ports)``, the rule behind NVIDIA's published SuperPOD tables
    (H100, B200 and B300 reference architectures); a leaf with spare uplink ports may take a few more links instead of
    more spines. There are at least two spines where a leaf has two uplinks, so that one may fail.

    Args:
        main: the main leaves.
        spine_ports: ports of a spine that lead down.
        others: the other leaf groups.
        exactly: the number of spines, where it is given.

    Returns:
        The fit, or None if no number of spines fits.
    """
    if exactly is not None:
        return _fit(main, spine_ports, others, exactly)
    least = max(ceil_div(main.leaves * main.uplinks, spine_ports), min(2, main.uplinks), 1)
    return next(
        (fit for spines in range(least, main.most + 1) if (fit := _fit(main, spine_ports, others, spines))), None
    )


def _fit(main: Demand, spine_ports: int, others: Sequence[Demand], spines: int) -> SpineFit | None:
    links = ceil_div(main.uplinks, spines)
    slots = other_slots(others, spines)
    if slots is None or links * spines > main.most or main.leaves * links + slots.ports > spine_ports:
        return None
    return SpineFit(spines, links, slots)


def other_slots(others: Sequence[Demand], spines: int) -> OtherSlots | None:
    """Return the spine ports of the other leaf groups under some spines, or None if a leaf has too few uplinks."""
    links = tuple(ceil_div(other.uplinks, spines) for other in others)
    if any(count * spines > other.most for count, other in zip(links, others, strict=True)):
        return None
    stride = max(links, default=0)
    last = max(((other.leaves - 1) * len(others) + group + 1 for group, other in enumerate(others)), default=0)
    return OtherSlots(links, stride, last * stride)


@dataclass(frozen=True, slots=True)
class CoreFit:
    """A number of cores that takes the uplinks of all spines evenly.

    Spine j of every pod is cabled to the same cores, so that each core reaches every pod.

    Attributes:
        cores: cores of one plane.
        links: links from each spine to each core that it is cabled to.
        each: cores that a spine is cabled to.
    """

    cores: int
    links: int
    each: int

    @property
    def uplinks(self) -> int:
        """Return the uplinks of a spine."""
        return self.links * self.each


def fit_cores(
    pods: int, spines: int, uplinks: int, core_ports: int, *, most_uplinks: int, exactly: int | None = None
) -> CoreFit | None:
    """Return the fewest cores that take every spine's uplinks evenly.

    Where the links of equal spines of all pods do not fit on one core, they share several; where there is room, spines
    of several numbers share one. At least two cores serve two spines, so that one may fail.

    Args:
        pods: number of pods.
        spines: spines of each pod.
        uplinks: least links that each spine needs.
        core_ports: ports of a core.
        most_uplinks: uplink ports that each spine has.
        exactly: the number of cores, where it is given.
    """
    counts = [cores for cores in range(min(2, spines), spines + 1) if spines % cores == 0]
    counts += [spines * each for each in range(2, most_uplinks + 1)]
    for cores in counts if exactly is None else [exactly]:
        each = max(cores // spines, 1)
        links = ceil_div(uplinks, each)
        sharing = max(spines // cores, 1)
        even = spines % cores == 0 or cores % spines == 0
        if even and links * each <= most_uplinks and pods * sharing * links <= core_ports:
            return CoreFit(cores, links, each)
    return None

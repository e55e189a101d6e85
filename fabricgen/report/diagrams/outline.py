"""What a picture of a fabric shows: blocks of like devices, and the links between them.

Everything is taken from the devices' own data (tier, group, plane, pod, unit, rail), nothing from the design's name.
Three levels of detail keep a picture legible: up to 72 lines every link is drawn between its two devices; up to 128
switches every switch is named and blocks are joined by trunks; above that blocks are counted, and where many are
alike those in the middle are counted together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from fabricgen.device import Role
from fabricgen.report.diagrams.words import Span, Speeds, links_text, name_range, span_text, tier_text
from fabricgen.topology import Device, Fabric

#: Most lines between devices, most boxes of a row they lead to, and most servers that are drawn one by one.
MOST_LINES, MOST_IN_ROW, MOST_SERVERS = 72, 16, 12
#: Most switches that are named.
MOST_NAMES = 128
#: Most like blocks that stand side by side; of more than that the first three and the last are drawn.
MOST_BLOCKS, KEPT = 8, 3
#: Most units that get a block each where switches are named.
MOST_UNITS = 16


class Detail(Enum):
    """How much a picture shows."""

    LINKS = "every link between two devices"
    NAMES = "every switch by name"
    COUNTS = "blocks of devices, counted"


@dataclass(frozen=True)
class Block:
    """Like devices: those of a tier and group that share plane, pod and unit; or servers with the same leaves.

    Attributes:
        key: unique within the outline; an identifier in DOT and Mermaid.
        named: whether each device is drawn.
        planes, pods, units: numbers from 1; None where the block's devices have none, or where they do not matter.
    """

    key: str
    role: Role
    group: str
    devices: tuple[Device, ...]
    named: bool
    planes: Span | None = None
    pods: Span | None = None
    units: Span | None = None

    @property
    def rails(self) -> tuple[int, ...]:
        """Return the rails of the devices, from 0, in order."""
        return tuple(sorted({device.rail for device in self.devices if device.rail is not None}))

    @property
    def lines(self) -> list[str]:
        """Return what a counted block says: its number, where it is, its rails and its names."""
        rails = self.rails
        rail_text = span_text("rail", (rails[0] + 1, rails[-1] + 1)) if rails else ""
        number = tier_text(self.role, len(self.devices))
        if self.role is Role.LEAF and self.group != "leaf":
            number = f"{number} ({self.group})"
        where = ", ".join(filter(None, (span_text("unit", self.units), rail_text)))
        return [line for line in (number, where, name_range(self.devices)) if line]


@dataclass(frozen=True)
class Bundle:
    """All links between two blocks, or between two devices.

    Attributes:
        lower, upper: keys of blocks, or names of devices that are drawn.
        speeds: number of links by speed in Gbit/s, the fastest first.
        rail: of the leaf, from 0, where every link belongs to one.
    """

    lower: str
    upper: str
    speeds: Speeds
    rail: int | None = None

    @property
    def text(self) -> str:
        """Return the links in words: ``32 x 400G``."""
        return links_text(self.speeds)


@dataclass(frozen=True)
class Outline:
    """Everything that a picture shows, without places.

    Attributes:
        blocks: cores, spines, leaves and servers, each in order.
        bundles: server links first.
        notes: for each pair of tiers, lower first, the links in words.
    """

    fabric: Fabric
    detail: Detail
    blocks: tuple[Block, ...]
    bundles: tuple[Bundle, ...]
    notes: Mapping[tuple[Role, Role], str] = field(default_factory=dict)

    @property
    def rails(self) -> tuple[int, ...]:
        """Return the rails of the fabric's leaves, from 0."""
        return tuple(sorted({rail for block in self.blocks for rail in block.rails}))

    def of_role(self, role: Role) -> list[Block]:
        """Return the blocks of a tier."""
        return [block for block in self.blocks if block.role is role]


def outline(fabric: Fabric) -> Outline:
    """Return what a picture of the fabric shows, in as much detail as stays legible."""
    return _Outliner(fabric).outline()


class _Outliner:
    """The steps of :func:`outline`."""

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric
        self.pairs: Counter[tuple[str, str, int]] = Counter(
            (cable.a.device, cable.b.device, cable.speed_gbps) for cable in fabric.cables
        )
        self.leaves_of: dict[str, set[str]] = defaultdict(set)
        for a, b, _ in self.pairs:
            if fabric.by_name[a].role is Role.SERVER:
                self.leaves_of[a].add(b)

    def outline(self) -> Outline:
        detail = self.detail()
        switches = list(self.switch_blocks(detail))
        blocks = switches + self.server_blocks(detail, switches)
        bundles = self.bundles(detail, blocks)
        return Outline(self.fabric, detail, tuple(blocks), tuple(bundles), self.notes())

    def detail(self) -> Detail:
        tiers = Counter(device.role for device in self.fabric.switches)
        if sum(tiers.values()) > MOST_NAMES:
            return Detail.COUNTS
        lines = {(a, b) for a, b, _ in self.pairs if a not in self.leaves_of}
        kinds = {(self.fabric.by_name[name].group, frozenset(leaves)) for name, leaves in self.leaves_of.items()}
        ends = sum(len(leaves) for _, leaves in kinds)
        small = max(*tiers.values(), len(kinds)) <= MOST_IN_ROW and len(lines) + ends <= MOST_LINES
        return Detail.LINKS if small else Detail.NAMES

    # blocks

    def switch_blocks(self, detail: Detail) -> Iterable[Block]:
        """Yield blocks of cores, spines and leaves."""
        switches = list(self.fabric.switches)
        fold = detail is Detail.COUNTS
        planes = _spans((device.plane for device in switches), fold, first=1)
        pods = _spans((device.pod for device in switches), fold)
        units = self.units(detail, switches)
        found: dict[tuple[int, str, Span | None, Span | None, Span | None], list[Device]] = defaultdict(list)
        for device in switches:
            key = (planes.get(device.plane), pods.get(device.pod), units.get(device.unit))
            found[device.role.tier, device.group, *key].append(device)
        numbers: Counter[Role] = Counter()
        for role in (Role.CORE, Role.SPINE, Role.LEAF):
            for (tier, group, plane, pod, unit), devices in found.items():
                if tier == role.tier:
                    numbers[role] += 1
                    name = f"{role}_{numbers[role]}"
                    yield Block(name, role, group, tuple(devices), not fold, plane, pod, unit)

    def units(self, detail: Detail, switches: Sequence[Device]) -> Mapping[int | None, Span]:
        """Return the span of units that a unit is drawn with; none where units do not get blocks of their own."""
        if detail is Detail.COUNTS:
            return {} if self.fabric.sizing.pods else _spans((device.unit for device in switches), fold=True)
        columns = Counter((leaf.unit, leaf.plane, leaf.pod) for leaf in switches if leaf.role is Role.LEAF)
        numbers = {unit for unit, _, _ in columns}
        if max(columns.values()) < 2 or len(numbers) > MOST_UNITS:
            return {}
        return _spans(numbers, fold=False)

    def server_blocks(self, detail: Detail, switches: Sequence[Block]) -> list[Block]:
        """Return blocks of servers that are joined to the same leaves, or leaf blocks where those are too many."""
        servers = list(self.fabric.of_role(Role.SERVER))
        named = detail is Detail.LINKS and len(servers) <= MOST_SERVERS
        block_of = {device.name: block for block in switches for device in block.devices}
        most = MOST_IN_ROW if detail is Detail.LINKS else MOST_BLOCKS * 2
        looks: list[Callable[[str], Hashable]] = [lambda leaf: leaf] if detail is Detail.LINKS else []
        looks += [lambda leaf: block_of[leaf].key, lambda leaf: (block_of[leaf].planes, block_of[leaf].pods)]
        looks.append(lambda _: None)
        found: dict[Hashable, list[Device]] = {}
        for look in looks:
            found = defaultdict(list)
            for server in servers:
                found[server.group, frozenset(map(look, self.leaves_of[server.name]))].append(server)
            if len(found) <= most:
                break
        return [
            Block(f"server_{number}", Role.SERVER, devices[0].group, tuple(devices), named)
            for number, devices in enumerate(found.values(), start=1)
        ]

    # links

    def bundles(self, detail: Detail, blocks: Sequence[Block]) -> list[Bundle]:
        by_device = detail is Detail.LINKS
        end_of = {
            device.name: device.name if by_device and block.named else block.key
            for block in blocks
            for device in block.devices
        }
        found: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        rails: dict[tuple[str, str], set[int | None]] = defaultdict(set)
        for (a, b, speed), number in self.pairs.items():
            pair = end_of[a], end_of[b]
            found[pair][speed] += number
            near, far = self.fabric.by_name[a], self.fabric.by_name[b]
            rails[pair].add(far.rail if near.role is Role.SERVER else near.rail)
        return [
            Bundle(lower, upper, _speeds(speeds), _only(rails[lower, upper]))
            for (lower, upper), speeds in found.items()
        ]

    def notes(self) -> dict[tuple[Role, Role], str]:
        """Return for each pair of tiers the links there are, and how many a leaf has, or two linked switches."""
        total: dict[tuple[Role, Role], Counter[int]] = defaultdict(Counter)
        each: dict[tuple[Role, Role], Counter[tuple[str, str]]] = defaultdict(Counter)
        for (a, b, speed), number in self.pairs.items():
            tiers = self.fabric.by_name[a].role, self.fabric.by_name[b].role
            total[tiers][speed] += number
            each[tiers]["" if tiers[0] is Role.SERVER else a, b] += number
        notes = {}
        for tiers, speeds in total.items():
            least, most = min(each[tiers].values()), max(each[tiers].values())
            range_text = str(least) if least == most else f"{least} to {most}"
            where = "per leaf" if tiers[0] is Role.SERVER else "per linked pair"
            notes[tiers] = f"{links_text(_speeds(speeds))}\n{range_text} {where}"
        return notes


def _spans(numbers: Iterable[int | None], fold: bool, first: int = 0) -> Mapping[int | None, Span]:
    """Return for each number the span that it is drawn with: itself, or those in the middle together."""
    found = sorted({number for number in numbers if number is not None})
    spans: dict[int | None, Span] = {number: (number + first, number + first) for number in found}
    if fold and len(found) > MOST_BLOCKS:
        middle = found[KEPT:-1]
        spans.update(dict.fromkeys(middle, (middle[0] + first, middle[-1] + first)))
    return spans


def _speeds(speeds: Counter[int]) -> Speeds:
    return tuple(sorted(speeds.items(), reverse=True))


def _only(rails: set[int | None]) -> int | None:
    return next(iter(rails)) if len(rails) == 1 else None

"""Contradictions between the figures of one catalog entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabricgen.catalog.figures import UNKNOWN
from fabricgen.catalog.kinds import CONTRADICTION
from fabricgen.catalog.models import AdapterSet, CageGroup, Entry, Server, Switch
from fabricgen.catalog.sonic import SonicSupport, breakout_name
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.core.documents import Document, Path, format_path
from fabricgen.core.model import Model

#: Place, what is wrong, and how to mend it.
_Finding = tuple[Path, str, str]


def contradictions(entry: Entry, document: Document) -> Iterator[Diagnostic]:
    """Yield what does not fit together in an entry that is valid field by field."""
    found: list[_Finding] = list(_field_sources(entry))
    if isinstance(entry, Switch):
        found += [*_cages(entry), *_breakouts(entry), *_sonic(entry)]
    if isinstance(entry, Server):
        found += _affinities(entry)
    for place, summary, remedy in found:
        yield CONTRADICTION.at(format_path(place), summary, span=document.span(place), remedy=remedy)


def _field_sources(entry: Entry) -> Iterator[_Finding]:
    for field in entry.field_source:
        node: object = entry
        for part in field.split("."):
            node = getattr(node, part, None) if isinstance(node, Model) and part in type(node).model_fields else None
        if node is None:
            yield (
                ("field_source", field),
                f"`{field}` is not a field that this entry gives",
                "name a field of the entry, or one inside it as `field.inner`",
            )


def _cages(switch: Switch) -> Iterator[_Finding]:
    numbers = [number for group in switch.cages for number in group.numbers]
    if numbers != list(range(1, len(numbers) + 1)):
        yield (
            ("cages",),
            "the cages are not numbered from 1 without gap or overlap",
            "order the groups and set `first` to the number after the last cage of the group before",
        )
    whole = sum(group.count * group.ports for group in switch.data_cages)
    if switch.max_logical_ports != UNKNOWN and whole > switch.max_logical_ports:
        yield (
            ("max_logical_ports",),
            f"the unsplit cages have {whole} ports, the chip serves {switch.max_logical_ports}",
            "correct `max_logical_ports`, `count` or `ports`",
        )


def _breakouts(switch: Switch) -> Iterator[_Finding]:
    for position, group in enumerate(switch.cages):
        capacity = group.ports * group.speed_gbps
        if group.lanes % group.ports:
            yield (
                ("cages", position, "ports"),
                f"{group.lanes} lanes cannot be shared out to {group.ports} ports",
                "correct `lanes` or `ports`",
            )
        for index, split in enumerate(group.breakouts):
            place = ("cages", position, "breakouts", index)
            name = breakout_name(split.ports, split.speed_gbps)
            if group.lanes % split.ports:
                yield (
                    place,
                    f"{name}: {group.lanes} lanes cannot be shared out to {split.ports} ports",
                    "correct `ports`, or the cage's `lanes`",
                )
            if split.ports * split.speed_gbps > capacity:
                yield (
                    place,
                    f"{name} needs {split.ports * split.speed_gbps} Gb/s, the cage has {capacity} Gb/s",
                    "correct `ports` or `speed_gbps`",
                )


def _sonic(switch: Switch) -> Iterator[_Finding]:
    sonic = switch.sonic
    if sonic is None:
        return
    if switch.protocol != "ethernet":
        yield ("sonic",), "SONiC runs on Ethernet switches only", "remove `sonic`"
    groups = [group for group in switch.cages for _ in group.numbers]
    if len(sonic.ports) != len(groups):
        yield (
            ("sonic", "ports"),
            f"{len(sonic.ports)} cages here, {len(groups)} in `cages`, service cages included",
            "list every cage of `platform.json` once, in the order of the front panel",
        )
    yield from _sonic_lanes(sonic, groups)
    yield from _sonic_modes(switch, sonic)


def _sonic_lanes(sonic: SonicSupport, groups: list[CageGroup]) -> Iterator[_Finding]:
    lanes: dict[int, int] = {}
    names: dict[int, int] = {}
    for index, (cage, group) in enumerate(zip(sonic.ports, groups, strict=False)):
        place: Path = ("sonic", "ports", index)
        if len(cage.lanes) != group.lanes:
            yield (
                place,
                f"{len(cage.lanes)} lanes here, {group.lanes} in `cages`",
                "take the lanes from `platform.json`",
            )
        children = range(cage.first_port, cage.first_port + len(cage.lanes))
        for what, numbers, seen in (("lane", cage.lanes, lanes), ("port", children, names)):
            taken = _taken(numbers, seen)
            if taken is not None:
                number, other = taken
                yield (
                    place,
                    f"{what} {number} belongs to cage {other + 1} already",
                    "take port and lanes from `platform.json`",
                )
            seen.update(dict.fromkeys(numbers, index))


def _taken(numbers: Iterable[int], seen: dict[int, int]) -> tuple[int, int] | None:
    """Return the first number that was seen before, and where."""
    return next(((number, seen[number]) for number in numbers if number in seen), None)


def _sonic_modes(switch: Switch, sonic: SonicSupport) -> Iterator[_Finding]:
    splits = {(group.ports, group.speed_gbps) for group in switch.cages}
    splits |= {(split.ports, split.speed_gbps) for group in switch.cages for split in group.breakouts}
    legs = max(ports for ports, _ in splits)
    if legs > len(sonic.leg_names):
        yield (
            ("sonic", "leg_names"),
            f"{len(sonic.leg_names)} names for up to {legs} ports of a cage",
            "name every port of the widest split",
        )
    known = sonic.breakout_modes.keys() | sonic.unsupported_breakouts.keys()
    wanted = {breakout_name(*split) for split in splits}
    for name in sorted(wanted - known):
        yield (
            ("sonic", "breakout_modes"),
            f"`{name}` has no mode",
            "add its whole name from `platform.json`, or the reason under `unsupported_breakouts`",
        )
    for table in ("breakout_modes", "unsupported_breakouts"):
        for name in sorted(getattr(sonic, table).keys() - wanted):
            yield ("sonic", table, name), f"no cage is split `{name}`", "add the split to the cages, or remove it here"


def _affinities(server: Server) -> list[_Finding]:
    return [
        finding
        for purpose, adapters in server.adapters.items()
        for finding in _affinity(server, ("adapters", purpose, "map"), adapters)
    ]


def _affinity(server: Server, place: Path, adapters: AdapterSet) -> Iterator[_Finding]:
    if adapters.map == UNKNOWN:
        return
    if len(adapters.map) % adapters.count:
        yield place, f"{len(adapters.map)} ports for {adapters.count} adapters", "list every port of every adapter"
    gpus = [port.gpu for port in adapters.map if port.gpu is not None]
    if gpus and sorted(set(gpus)) != list(range(server.gpus)):
        yield place, f"not every GPU from 0 to {server.gpus - 1} has a port", "give each GPU its nearest port"
    for field in ("pci", "rdma", "ifname"):
        values = [value for port in adapters.map if (value := getattr(port, field)) is not None]
        double = next((value for value in values if values.count(value) > 1), None)
        if double is not None:
            yield place, f"{field} `{double}` is given twice", "correct one of the two"

"""What changes between two states of a fabric: added, moved, removed, changed and renamed, and why cables moved."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from fabricgen.report.states import DeviceState, End, FabricState

_SERVER = "server"
_PLURALS = {"leaf": "leaves"}


class Verb(StrEnum):
    """What happens to a thing."""

    ADDED = "added"
    MOVED = "moved"
    REMOVED = "removed"
    CHANGED = "changed"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was.

    Attributes:
        what: ``devices``, ``cables`` or ``addresses``.
        subject: what it happens to; for a cable that is moved the end that stays.
        old: what it was; empty where it is new. For a moved cable the other end.
        new: what it becomes; empty where it goes.
    """

    what: str
    verb: Verb
    subject: str
    old: str = ""
    new: str = ""


@dataclass(frozen=True)
class FabricChanges:
    """All changes of a fabric, in order, and the reasons for moved cables, a sentence each."""

    name: str
    changes: tuple[Change, ...]
    reasons: tuple[str, ...]

    @property
    def counts(self) -> Mapping[tuple[str, Verb], int]:
        """Return how many changes there are of each sort."""
        return Counter((change.what, change.verb) for change in self.changes)


def compare_all(old: Iterable[FabricState], new: Iterable[FabricState]) -> tuple[FabricChanges, ...]:
    """Compare fabrics by name; one that is in one state only is added or removed with all that it has."""
    before, after = {state.name: state for state in old}, {state.name: state for state in new}
    return tuple(
        compare(before.get(name, FabricState(name)), after.get(name, FabricState(name)))
        for name in dict.fromkeys((*after, *before))
    )


def compare(old: FabricState, new: FabricState) -> FabricChanges:
    """Compare two states of a fabric.

    A device that has only another name is renamed, and keeps its cables and addresses. A cable is moved where one of
    its ends stays and the other does not.
    """
    names = _renames(old, new)
    if names:
        old = _renamed(old, names)
    renamed = [Change("devices", Verb.RENAMED, after, before, after) for before, after in names.items()]
    cables = list(_cables(old, new))
    return FabricChanges(
        new.name,
        (*_devices(old, new), *renamed, *cables, *_addresses(old, new)),
        tuple(_reasons(old, new, [cable for cable in cables if cable.verb is Verb.MOVED])),
    )


def _by_role(state: FabricState) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, device in state.devices.items():
        found[device.role].append(name)
    return found


def _renames(old: FabricState, new: FabricState) -> dict[str, str]:
    """Pair devices that stand at one place of their role's order and have names that only one state knows."""
    if old.devices.keys() <= new.devices.keys():
        return {}
    after = _by_role(new)
    return {
        before: now
        for role, names in _by_role(old).items()
        for before, now in zip(names, after[role], strict=False)
        if before not in new.devices
        and now not in old.devices
        and old.devices[before].hardware == new.devices[now].hardware
    }


def _renamed(state: FabricState, names: Mapping[str, str]) -> FabricState:
    def end(place: End) -> End:
        return names.get(place[0], place[0]), place[1]

    return dataclasses.replace(
        state,
        devices={names.get(name, name): device for name, device in state.devices.items()},
        cables={(end(a), end(b)): figures for (a, b), figures in state.cables.items()},
        addresses={(names.get(name, name), port, kind): v for (name, port, kind), v in state.addresses.items()},
    )


def _devices(old: FabricState, new: FabricState) -> Iterator[Change]:
    for name, device in new.devices.items():
        before = old.devices.get(name)
        if before is None:
            yield Change("devices", Verb.ADDED, name, new=_device(device))
        elif _model(before) != _model(device):
            yield Change("devices", Verb.CHANGED, name, _model(before), _model(device))
        if before is not None and before.rack != device.rack:
            yield Change("devices", Verb.MOVED, name, before.rack or "no rack", device.rack or "no rack")
    for name, device in old.devices.items():
        if name not in new.devices:
            yield Change("devices", Verb.REMOVED, name, _device(device))


def _model(device: DeviceState) -> str:
    return f"{device.role}, {device.hardware}"


def _device(device: DeviceState) -> str:
    return f"{_model(device)}, rack {device.rack}" if device.rack else _model(device)


def _cables(old: FabricState, new: FabricState) -> Iterator[Change]:
    gone = [ends for ends in old.cables if ends not in new.cables]
    come = dict.fromkeys(ends for ends in new.cables if ends not in old.cables)
    for ends, figures in new.cables.items():
        before = old.cables.get(ends, figures)
        if before != figures:
            yield Change("cables", Verb.CHANGED, _ends(ends), _figures(before), _figures(figures))
    left: list[tuple[End, End]] = gone
    for stays in (0, 1):
        there = {ends[stays]: ends for ends in come}
        unmatched = []
        for ends in left:
            now = there.get(ends[stays])
            if now is None:
                unmatched.append(ends)
                continue
            del come[now]
            yield Change("cables", Verb.MOVED, _end(ends[stays]), _end(ends[1 - stays]), _end(now[1 - stays]))
        left = unmatched
    for ends in come:
        yield Change("cables", Verb.ADDED, _ends(ends), new=_figures(new.cables[ends]))
    for ends in left:
        yield Change("cables", Verb.REMOVED, _ends(ends), _figures(old.cables[ends]))


def _end(place: End) -> str:
    return f"{place[0]} {place[1]}"


def _ends(ends: tuple[End, End]) -> str:
    return f"{_end(ends[0])} - {_end(ends[1])}"


def _figures(figures: tuple[int, int]) -> str:
    return f"{figures[0]}G, {figures[1] / 100:g} m"


def _addresses(old: FabricState, new: FabricState) -> Iterator[Change]:
    for owner, value in new.addresses.items():
        before = old.addresses.get(owner)
        if before != value:
            verb = Verb.ADDED if before is None else Verb.CHANGED
            yield Change("addresses", verb, _owner(owner), before or "", value)
    for owner, value in old.addresses.items():
        if owner not in new.addresses:
            yield Change("addresses", Verb.REMOVED, _owner(owner), value)


def _owner(owner: tuple[str, str, str]) -> str:
    return " ".join(part for part in owner if part)


def _reasons(old: FabricState, new: FabricState, moved: list[Change]) -> Iterator[str]:
    """Say for each pair of tiers with moved cables which numbers of the sizing differ."""
    tiers = dict.fromkeys(
        (new.devices[stays].role, old.devices[other].role)
        for stays, other in ((change.subject.split(" ")[0], change.old.split(" ")[0]) for change in moved)
    )
    pairs = dict.fromkeys(tier if _rank(tier[0]) < _rank(tier[1]) else tier[::-1] for tier in tiers)
    for low, high in pairs:
        if low != _SERVER:
            yield _reason(old, new, low, high)


def _rank(role: str) -> int:
    return (_SERVER, "leaf", "spine", "core").index(role)


def _reason(old: FabricState, new: FabricState, low: str, high: str) -> str:
    (before, up_before), (after, up_after) = (_links(state, low, high) for state in (old, new))
    counts = [(role, _number(old, role), _number(new, role)) for role in ("core", "spine", "leaf")]
    grown = _relevant([(role, f"{_count(was, role)} became {now}") for role, was, now in counts if was != now], high)
    if up_before != up_after:
        grown.append(f"uplinks per {low} went {up_before} → {up_after}")
    cause = f" because {' and '.join(grown)}" if grown else ""
    if before != after:
        return f"links per {low} and {high} {before} → {after}{cause}"
    if cause:
        return f"{low}-{high} cables moved{cause}; links per {low} and {high} are {after} as before"
    return f"{low}-{high} cables moved though no number of switches changed: a model, speed, ratio or name did"


def _relevant(grown: list[tuple[str, str]], high: str) -> list[str]:
    """Return how the upper tier grew if it did, else all that grew."""
    own = [text for role, text in grown if role == high]
    return own or [text for _, text in grown]


def _number(state: FabricState, role: str) -> int:
    return sum(device.role == role for device in state.devices.values())


def _plural(role: str) -> str:
    return _PLURALS.get(role, f"{role}s")


def _count(number: int, role: str) -> str:
    return f"{number} {role if number == 1 else _plural(role)}"


def _links(state: FabricState, low: str, high: str) -> tuple[str, str]:
    """Return links per pair of joined switches of two tiers, and per lower switch: a number, or least to most."""
    pairs = Counter(
        (a, b) for (a, _), (b, _) in state.cables if state.devices[a].role == low and state.devices[b].role == high
    )
    uplinks: Counter[str] = Counter()
    for (a, _), number in pairs.items():
        uplinks[a] += number
    return _range(pairs.values()), _range(uplinks.values())


def _range(numbers: Iterable[int]) -> str:
    least, most = min(numbers, default=0), max(numbers, default=0)
    return str(least) if least == most else f"{least} to {most}"

"""How pictures put things in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fabricgen.device import Role
from fabricgen.topology import Device, Fabric

#: First and last number of the units, pods or planes that a block stands for.
Span = tuple[int, int]
#: Number of links by their speed in Gbit/s, the fastest first.
Speeds = tuple[tuple[int, int], ...]


def links_text(speeds: Speeds) -> str:
    """Return links in words: ``32 x 400G + 4 x 200G``."""
    return " + ".join(f"{number:,} x {speed}G" for speed, number in speeds)


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its word: ``1 leaf``, ``2,048 leaves``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tier_text(role: Role, number: int) -> str:
    """Return the number of devices of a tier in words."""
    return counted(number, str(role), "leaves" if role is Role.LEAF else None)


def summary(fabric: Fabric) -> str:
    """Return the fabric's numbers in one line."""
    numbers = Counter(device.role for device in fabric.devices)
    tiers = [
        tier_text(role, numbers[role]) for role in (Role.SERVER, Role.LEAF, Role.SPINE, Role.CORE) if numbers[role]
    ]
    size = fabric.sizing
    parts = [counted(size.planes, "plane")] * (size.planes > 1) + [counted(size.pods, "pod")] * (size.pods > 0)
    return ", ".join([*tiers, *parts, counted(len(fabric.cables), "link")])


def span_text(word: str, span: Span | None) -> str:
    """Return ``pod 3`` or ``pods 4`` to ``63``, and nothing for nothing."""
    if span is None:
        return ""
    return f"{word} {span[0]}" if span[0] == span[1] else f"{word}s {span[0]}–{span[1]}"


def name_range(devices: Sequence[Device]) -> str:
    """Return the first and the last name of some devices."""
    return devices[0].name if len(devices) == 1 else f"{devices[0].name} … {devices[-1].name}"


def device_title(device: Device) -> str:
    """Return what a device is, in words."""
    parts = [f"{device.name}: {device.hardware}"]
    parts += [f"{word} {number}" for word, number in (("pod", device.pod), ("unit", device.unit)) if number is not None]
    parts += [
        f"{word} {number + 1}"
        for word, number in (("plane", device.plane), ("rail", device.rail))
        if number is not None
    ]
    if device.place is not None:
        parts.append(f"rack {device.place.rack}")
    return ", ".join(parts)

"""Where devices stand, and how long the cables between them are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Report
from fabricgen.core.units import round_up
from fabricgen.device import Role
from fabricgen.inventory import Inventory, LoadedInventory
from fabricgen.inventory.kinds import RACK_CONFLICT
from fabricgen.inventory.models import RackDistances, Racks, SwitchTier
from fabricgen.inventory.scalars import fill_pattern
from fabricgen.topology.fabric import Device, Fabric, RackPlace


def place(racks: Racks | None, index: int) -> RackPlace | None:
    """Return the rack of a group's device by its index, from 0; racks fill up in order, row after row."""
    if racks is None:
        return None
    number = index // racks.per_rack
    per_row = racks.per_row or number + 1
    return RackPlace(
        rack=fill_pattern(racks.name, number + 1),
        row=racks.row + number // per_row,
        column=racks.column + number % per_row,
    )


def cable_length_cm(a: RackPlace, b: RackPlace, distances: RackDistances) -> int:
    """Return the length of a cable between two racks, rounded up to half a metre.

    The cable rises to the tray, follows the rows and columns of the floor, comes down, and has slack; inside one rack
    it needs no tray.
    """
    run = abs(a.column - b.column) * distances.rack_pitch + abs(a.row - b.row) * distances.row_pitch
    rise = 0 if a.rack == b.rack else 2 * distances.rise
    return max(round_up(run + rise + distances.slack, 50), 50)


@dataclass(frozen=True, slots=True)
class _Stand:
    """Where a group of devices stands in its racks.

    Attributes:
        path: the group in the inventory.
        racks: its racks.
        units: height of each device.
        first: lowest rack unit of the lowest device, from 1.
    """

    path: tuple[str, ...]
    racks: Racks
    units: int
    first: int

    def unit(self, index: int) -> int:
        """Return the lowest rack unit of a device by its index within the group."""
        return self.first + index % self.racks.per_rack * self.units


def stack_racks(
    fabrics: Sequence[Fabric], loaded: LoadedInventory, catalog: Catalog, report: Report
) -> tuple[Fabric, ...]:
    """Return the fabrics with the rack unit of each device whose racks and height are known.

    Groups whose racks have one name pattern stand above each other, each with room for as many devices as its racks
    may hold; so a unit depends on the inventory's groups alone, and no device moves when a group grows.

    Args:
        fabrics: the built fabrics.
        loaded: their inventory.
        catalog: heights of the devices.
        report: takes FG142.
    """
    stands = _stands(loaded.inventory, catalog)
    stacked = tuple(replace(fabric, devices=tuple(_stood(fabric, stands))) for fabric in fabrics)
    _Floor(loaded, stands, report).check(stacked)
    return stacked


def _stands(inventory: Inventory, catalog: Catalog) -> dict[tuple[str, ...], _Stand]:
    """Return where the groups stand, by their paths."""
    tops: dict[str, int | None] = {}
    found = {}
    for path, model, racks in _groups(inventory):
        top = tops.get(racks.name, 1)
        units = _height(catalog, model)
        first = racks.first_unit or top
        if units is None or first is None:
            tops[racks.name] = None
            continue
        found[path] = _Stand(path, racks, units, first)
        end = first + racks.per_rack * units
        tops[racks.name] = None if top is None else max(top, end)
    return found


def _groups(inventory: Inventory) -> Iterator[tuple[tuple[str, ...], str, Racks]]:
    for name, group in inventory.servers.items():
        if group.racks is not None:
            yield ("servers", name), group.model, group.racks
    for name, intent in inventory.fabrics.items():
        tiers: dict[tuple[str, ...], SwitchTier | None] = {("leaf",): intent.leaf}
        tiers |= {("other_leaves", key): leaves for key, leaves in intent.other_leaves.items()}
        tiers |= {("spine",): intent.spine, ("core",): intent.core}
        for path, tier in tiers.items():
            if tier is not None and tier.racks is not None:
                yield ("fabrics", name, *path), tier.model, tier.racks


def _height(catalog: Catalog, model: str) -> int | None:
    """Return the rack units of a switch or server; None where nobody publishes them."""
    entries = catalog.switches if model in catalog.switches else catalog.servers
    entry = entries[model] if model in entries else None  # noqa: SIM401 - entries are read on demand, `get` reads too
    return None if entry is None or isinstance(entry.rack_units, str) else entry.rack_units


def _path(fabric: Fabric, device: Device) -> tuple[str, ...]:
    """Return the path of a device's group in the inventory."""
    if device.role is Role.SERVER:
        return ("servers", device.group)
    if device.group in {"leaf", "spine", "core"}:
        return ("fabrics", fabric.name, device.group)
    return ("fabrics", fabric.name, "other_leaves", device.group)


def _stood(fabric: Fabric, stands: Mapping[tuple[str, ...], _Stand]) -> Iterator[Device]:
    for device in fabric.devices:
        stand = stands.get(_path(fabric, device)) if device.place else None
        if device.place is None or stand is None:
            yield device
        else:
            yield replace(device, place=replace(device.place, rack_unit=stand.unit(device.index)))


class _Floor:
    """Checks that no two devices share a rack unit, and no two racks a place."""

    def __init__(self, loaded: LoadedInventory, stands: Mapping[tuple[str, ...], _Stand], report: Report) -> None:
        self._loaded = loaded
        self._stands = stands
        self._report = report
        self._reported: set[tuple[object, ...]] = set()
        self._racks: dict[str, tuple[int, int, tuple[str, ...]]] = {}
        self._places: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}
        self._taken: dict[tuple[str, int], tuple[Device, tuple[str, ...]]] = {}
        self._seen: set[str] = set()

    def check(self, fabrics: Sequence[Fabric]) -> None:
        """Add FG142 for each pair of groups that are in each other's way, and each group that is too high.

        Places matter where lengths are computed from them, so only there do racks need one each.
        """
        counts: Counter[tuple[str, ...]] = Counter()
        for fabric in fabrics:
            on_grid = self._loaded.inventory.fabrics[fabric.name].cables.distances is not None
            for device in fabric.devices:
                if device.place is None:
                    continue
                path = _path(fabric, device)
                if on_grid:
                    self._rack(path, device.place)
                if device.name not in self._seen:
                    self._seen.add(device.name)
                    counts[path] += 1
                    self._units(path, device, device.place)
        for path, count in counts.items():
            if path in self._stands:
                self._height(self._stands[path], count)

    def _height(self, stand: _Stand, count: int) -> None:
        devices = min(stand.racks.per_rack, count)
        top = stand.first + devices * stand.units - 1
        if top > stand.racks.height_units:
            self._add(
                stand.path,
                f"{devices} devices of {stand.units} U from unit {stand.first} up end at unit {top}, and a rack has "
                f"{stand.racks.height_units}",
                "lower `per_rack`, or correct `height_units` or `first_unit`",
            )

    def _rack(self, path: tuple[str, ...], place: RackPlace) -> None:
        row, column, other = self._racks.setdefault(place.rack, (place.row, place.column, path))
        if (row, column) != (place.row, place.column):
            summary = f"rack {place.rack} stands in row {place.row} column {place.column}, and in row {row} column "
            self._add(path, f"{summary}{column} for {_dotted(other)}", "give both the same `row` and `column`", other)
            return
        rack, other = self._places.setdefault((place.row, place.column), (place.rack, path))
        if rack != place.rack:
            summary = f"racks {place.rack} and {rack} ({_dotted(other)}) both stand in row {row} column {column}"
            self._add(path, summary, "set `row`, `column` or `per_row`", other)

    def _units(self, path: tuple[str, ...], device: Device, place: RackPlace) -> None:
        stand = self._stands.get(path)
        if stand is None or place.rack_unit is None:
            return
        for unit in range(place.rack_unit, place.rack_unit + stand.units):
            other, other_path = self._taken.setdefault((place.rack, unit), (device, path))
            if other_path != path:
                summary = f"{device.name} and {other.name} both fill unit {unit} of rack {place.rack}"
                self._add(path, summary, "set `first_unit`, or leave it out of both", other_path)
                return

    def _add(self, path: tuple[str, ...], summary: str, remedy: str, other: tuple[str, ...] = ()) -> None:
        if (path, remedy, other) not in self._reported:
            self._reported.add((path, remedy, other))
            origin = self._loaded.origin(*path, "racks")
            self._report.add(RACK_CONFLICT.at(origin.path, summary, span=origin.span, remedy=remedy))


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(path)

"""The cabling plan as rows: one for each link, in the order in which a technician lays them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fabricgen.catalog import Catalog
from fabricgen.core.units import format_length
from fabricgen.planning.plan import FabricPlan
from fabricgen.report.tables import csv_text
from fabricgen.topology import Assembly, Cable, Device, Port
from fabricgen.topology.cabling import tier_of

Cell = str | int | float | None

COLUMNS = (
    *("cable", "leg", "bundle", "kind", "rail", "speed_gbps", "medium", "part", "type", "cords", "length_m"),
    *(
        f"{end}_{field}"
        for end in "ab"
        for field in ("rack", "unit", "device", "cage", "label", "port", "plug", "text")
    ),
)
"""``cable`` names what is pulled as a whole and ``leg`` counts the links in it. ``label`` is a port as printed on the
box and ``port`` as it is configured; ``plug`` is a transceiver's part number, ``text`` what to print on that end."""

_TIERS = ("server", "isl", "spine", "core")


def cabling_csv(plan: FabricPlan, catalog: Catalog) -> str:
    """Return one line for each link."""
    return csv_text(COLUMNS, cabling_rows(plan, catalog))


def cabling_rows(plan: FabricPlan, catalog: Catalog) -> list[tuple[Cell, ...]]:
    """Return one row for each link, by :data:`COLUMNS`.

    Tier by tier, and in each by the racks of the lower and of the upper end, so that the cables of a bundle follow one
    another; the legs of a cable always do.
    """
    return list(_Rows(plan, catalog))


class _Rows:
    """The rows of a plan."""

    def __init__(self, plan: FabricPlan, catalog: Catalog) -> None:
        self._plan = plan
        self._racks = {device.name: device.place.rack if device.place else None for device in plan.fabric.devices}
        self._heads = {device.name: _head(device) for device in plan.fabric.devices}
        self._places = {device.name: _place(device) for device in plan.fabric.devices}
        self._ranks = _ranks(plan.fabric.devices)
        used = {assembly.part for assembly in plan.fabric.assemblies} - {None}
        self._parts = {part: catalog.cables[part] for part in (*used, *plan.fabric.transceivers) if part}
        self._numbers: Mapping[str | None, str] = {key: part.part or part.model for key, part in self._parts.items()}
        self._with_rails = plan.fabric.design != "leaf-spine"

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        for tier, assembly in self._in_order():
            yield from self._assembly(tier, assembly)

    def _in_order(self) -> list[tuple[str, Assembly]]:
        fabric, ranks = self._plan.fabric, self._ranks

        def key(entry: tuple[str, Assembly]) -> tuple[int, ...]:
            tier, assembly = entry
            cable = fabric.cables[assembly.links[0]]
            return (_TIERS.index(tier), ranks[cable.a.device], ranks[cable.b.device], assembly.links[0])

        pairs = ((tier_of(fabric, fabric.cables[assembly.links[0]]), assembly) for assembly in fabric.assemblies)
        return sorted(pairs, key=key)

    def _assembly(self, tier: str, assembly: Assembly) -> Iterator[tuple[Cell, ...]]:
        cables = [self._plan.fabric.cables[link] for link in assembly.links]
        part = self._parts[assembly.part] if assembly.part else None
        shared = self._texts(cables) if len(cables) > 1 else (None, None)
        what = (assembly.medium, self._numbers.get(assembly.part), part.type if part else None, assembly.cords)
        length = format_length(assembly.length_cm)
        for leg, cable in enumerate(cables, start=1):
            a_end, b_end = self._end(cable.a), self._end(cable.b)
            yield (
                assembly.name,
                leg if len(cables) > 1 else None,
                self._bundle(cable),
                tier,
                cable.rail + 1 if cable.rail is not None and self._with_rails else None,
                cable.speed_gbps,
                *what,
                length,
                *self._columns(cable.a, assembly.a_plug),
                shared[0] or f"{a_end} > {b_end}",
                *self._columns(cable.b, assembly.b_plug),
                shared[1] or f"{b_end} > {a_end}",
            )

    def _texts(self, cables: Sequence[Cable]) -> tuple[str | None, str | None]:
        """Return the texts of the ends of a cable that are shared by all its links; None for an end that is not."""
        ends = []
        for ports in ([cable.a for cable in cables], [cable.b for cable in cables]):
            cages = {(port.device, port.receptacle.name) for port in ports}
            whole = f"{self._places[ports[0].device]} {ports[0].receptacle.name}"
            ends.append((len(cages) == 1, whole if len(cages) == 1 else " + ".join(map(self._end, ports))))
        (a_one, a_text), (b_one, b_text) = ends
        return f"{a_text} > {b_text}" if a_one else None, f"{b_text} > {a_text}" if b_one else None

    def _end(self, port: Port) -> str:
        return f"{self._places[port.device]} {port.label}"

    def _columns(self, port: Port, plug: str | None) -> tuple[Cell, ...]:
        return (
            *self._heads[port.device],
            port.receptacle.name,
            port.label,
            self._plan.port_name(port),
            self._numbers.get(plug),
        )

    def _bundle(self, cable: Cable) -> str | None:
        """Return the racks that a cable joins: what is tied together."""
        a, b = self._racks[cable.a.device], self._racks[cable.b.device]
        if a is None or b is None:
            return None
        return a if a == b else f"{a} > {b}"


def _head(device: Device) -> tuple[Cell, ...]:
    """Return a device's own cells: rack, unit and name."""
    place = device.place
    return (place.rack if place else None, place.rack_unit if place else None, device.name)


def _place(device: Device) -> str:
    """Return where a device is, for labels: ``A01-U09 gpu-02``."""
    if device.place is None:
        return device.name
    unit = f"-U{device.place.rack_unit:02d}" if device.place.rack_unit else ""
    return f"{device.place.rack}{unit} {device.name}"


def _ranks(devices: Sequence[Device]) -> dict[str, int]:
    """Return by device the rank of its rack, row after row; devices without racks come after them, in their order."""
    places = sorted({(device.place.row, device.place.column, device.place.rack) for device in devices if device.place})
    ranks = {rack: rank for rank, (_, _, rack) in enumerate(places)}
    return {
        device.name: ranks[device.place.rack] if device.place else len(ranks) + number
        for number, device in enumerate(devices)
    }

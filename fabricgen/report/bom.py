"""The bill of materials of a fabric: what is bought for it, with power, rack units, and prices if they are given.

What is not known (a figure that the catalog lacks, a price that the list lacks) is left empty and counted beside the
totals; it never counts as nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from fabricgen.catalog import Cable, Catalog
from fabricgen.core.units import format_length
from fabricgen.inventory import FabricIntent, LoadedInventory
from fabricgen.inventory.models import Endpoints
from fabricgen.planning.plan import FabricPlan
from fabricgen.report.tables import csv_text

COLUMNS = (
    *("kind", "id", "part", "description", "speed_gbps", "length_m", "count", "rack_units", "power_w"),
    *("unit_price", "price", "currency"),
)
"""``rack_units``, ``power_w`` (the most that it takes) and ``price`` are those of the whole line."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line: so many of a thing.

    Attributes:
        kind: ``switch``, ``adapter``, ``transceiver``, ``cable``, ``fibre``; ``open`` where the part is not chosen.
        key: catalog id.
        rack_units: of each; 0 for what stands in no rack, None where it is not known.
        power_w: the most that each takes; None where it is not known.
        unit_price: None where the price list does not have it.
    """

    kind: str
    key: str | None
    part: str | None
    description: str
    count: int
    rack_units: int | None = 0
    power_w: float | None = 0
    speed_gbps: int | None = None
    length_cm: int | None = None
    unit_price: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over items, and how many things are not in each for want of a figure."""

    rack_units: int
    rack_units_unknown: int
    power_w: float
    power_unknown: int
    price: Decimal
    price_unknown: int


def bill(plan: FabricPlan, loaded: LoadedInventory, catalog: Catalog) -> list[Item]:
    """Return the bill of a fabric.

    Args:
        plan: the fabric.
        loaded: says whether adapters are listed, and has the price list.
        catalog: the device library.
    """
    return list(_Bill(plan, loaded, catalog).items())


def totals(items: Sequence[Item]) -> Totals:
    """Return the sums of some items."""
    return Totals(
        sum(item.count * (item.rack_units or 0) for item in items),
        sum(item.count for item in items if item.rack_units is None),
        sum(item.count * (item.power_w or 0) for item in items),
        sum(item.count for item in items if item.power_w is None),
        sum((item.count * (item.unit_price or Decimal(0)) for item in items), Decimal(0)),
        sum(item.count for item in items if item.unit_price is None),
    )


def total_lines(items: Sequence[Item], currency: str | None) -> list[tuple[str, str]]:
    """Return the totals in words: the name of each and its value, with what is not in it."""
    found = totals(items)
    lines = [
        ("rack units", f"{found.rack_units}{_without(found.rack_units_unknown, 'of unknown height')}"),
        ("power (maxima)", f"{found.power_w:.12g} W{_without(found.power_unknown, 'of unknown power')}"),
    ]
    if currency is not None:
        lines.append(("price", f"{found.price} {currency}{_without(found.price_unknown, 'without a price')}"))
    return lines


def _without(count: int, what: str) -> str:
    return f", without {count} item{'' if count == 1 else 's'} {what}" if count else ""


def bom_csv(items: Sequence[Item], currency: str | None) -> str:
    """Return one line for each item, and a last one with the totals."""
    return csv_text(COLUMNS, [*bom_rows(items, currency)])


def bom_rows(items: Sequence[Item], currency: str | None) -> Iterator[tuple[object, ...]]:
    """Yield the lines of a bill by :data:`COLUMNS`, the totals last."""
    for item in items:
        yield (
            item.kind,
            item.key,
            item.part,
            item.description,
            item.speed_gbps,
            None if item.length_cm is None else format_length(item.length_cm),
            item.count,
            _times(item.count, item.rack_units),
            _times(item.count, item.power_w),
            item.unit_price,
            None if item.unit_price is None else item.count * item.unit_price,
            None if item.unit_price is None else currency,
        )
    found = totals(items)
    gaps = [
        _without(found.rack_units_unknown, "of unknown height"),
        _without(found.power_unknown, "of unknown power"),
        _without(found.price_unknown, "without a price") if currency is not None else "",
    ]
    description = "".join(gaps).removeprefix(", ")
    price = found.price if currency is not None else None
    count = sum(item.count for item in items)
    power = f"{found.power_w:.12g}"
    yield ("total", None, None, description, None, None, count, found.rack_units, power, None, price, currency)


def _times(count: int, figure: float | None) -> str | None:
    """Return a line's figure; empty where it is not known, or where the thing takes none."""
    return f"{count * figure:.12g}" if figure else None


class _Bill:
    """The lines of a fabric's bill."""

    def __init__(self, plan: FabricPlan, loaded: LoadedInventory, catalog: Catalog) -> None:
        self._fabric = plan.fabric
        self._loaded = loaded
        self._catalog = catalog

    def items(self) -> Iterator[Item]:
        yield from self.switches()
        if self._loaded.inventory.bill.adapters:
            yield from self.adapters()
        for key, count in self._fabric.transceivers.items():
            part = self._catalog.cables[key]
            yield self.bought(part, count, _known(part.near.power_max_w), None)
        yield from self.cables()

    def switches(self) -> Iterator[Item]:
        for key, count in sorted(Counter(device.hardware for device in self._fabric.switches).items()):
            switch = self._catalog.switches[key]
            units = None if isinstance(switch.rack_units, str) else switch.rack_units
            name = f"{switch.vendor} {switch.model}"
            yield Item("switch", key, None, name, count, units, _known(switch.power_max_w), unit_price=self.price(key))

    def adapters(self) -> Iterator[Item]:
        """Yield the adapters that this fabric is the first of the inventory to use."""
        inventory = self._loaded.inventory
        before: set[tuple[str, str]] = set()
        for name, intent in inventory.fabrics.items():
            if name == self._fabric.name:
                break
            before |= _joined(intent)
        counts: Counter[str] = Counter()
        for group, purpose in sorted(_joined(inventory.fabrics[self._fabric.name]) - before):
            servers = inventory.servers[group]
            chosen = servers.adapters.get(purpose) or self._catalog.servers[servers.model].adapters[purpose]
            counts[chosen.adapter] += chosen.count * servers.count
        for key, count in sorted(counts.items()):
            adapter = self._catalog.adapters[key]
            name, power = f"{adapter.vendor} {adapter.model}", _known(adapter.power_max_w)
            yield Item("adapter", key, None, name, count, power_w=power, unit_price=self.price(key))

    def cables(self) -> Iterator[Item]:
        """Yield cables and fibres by part and length, then what has no part."""
        counts: Counter[tuple[str, int]] = Counter()
        unknown: Counter[tuple[str, int, int]] = Counter()
        for assembly in self._fabric.assemblies:
            if assembly.part is not None:
                counts[assembly.part, assembly.length_cm] += assembly.cords
            else:
                speed = self._fabric.cables[assembly.links[0]].speed_gbps
                unknown[assembly.medium or "", speed, assembly.length_cm] += assembly.cords
        for (key, length), count in sorted(counts.items()):
            part = self._catalog.cables[key]
            yield self.bought(part, count, _known(part.power_max_w), length)
        for (medium, speed, length), count in sorted(unknown.items()):
            what, power = (f"{medium} fibre", 0) if medium else ("cable, or transceivers and fibre", None)
            yield Item("open", None, None, f"{what}: the catalog has no part", count, 0, power, speed, length)

    def bought(self, part: Cable, count: int, power_w: float | None, length_cm: int | None) -> Item:
        description = f"{part.vendor} {part.model} ({part.type})"
        price, speed = self.price(part.id, length_cm), None if part.form == "fibre" else max(part.speeds_gbps)
        return Item(part.form, part.id, part.part, description, count, 0, power_w, speed, length_cm, price)

    def price(self, key: str, length_cm: int | None = None) -> Decimal | None:
        """Return the price of an item: that of its length before that of any length."""
        prices = self._loaded.prices
        if prices is None:
            return None
        return prices.of.get((key, length_cm), prices.of.get((key, None)))


def _joined(intent: FabricIntent) -> set[tuple[str, str]]:
    """Return the server groups of a fabric, each with the purpose of the adapters that it joins."""
    endpoints: list[Endpoints] = [*intent.endpoints]
    for leaves in intent.other_leaves.values():
        endpoints += leaves.endpoints
    return {(entry.servers, entry.adapters) for entry in endpoints}


def _known(figure: float | str) -> float | None:
    return None if isinstance(figure, str) else figure

"""Finding catalog entries by what they are: vendor, operating system, chip, speed, ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabricgen.catalog.figures import UNKNOWN
from fabricgen.catalog.models import Adapter, Asic, Cable, CageGroup, Catalog, Entry, Protocol, Server, Switch


@dataclass(frozen=True, slots=True)
class Query:
    """What entries must be; what is None does not matter, and what an entry cannot be excludes it.

    Attributes:
        vendor: part of the vendor's name, in any case.
        protocol: what one of its ports speaks.
        nos: a network operating system that runs on the switch.
        asic: id of the switch's chip, or the chip itself.
        speed_gbps: a speed that one of its ports can have.
        ports: least number of ports, at ``speed_gbps`` where that is given.
    """

    vendor: str | None = None
    protocol: Protocol | None = None
    nos: str | None = None
    asic: str | None = None
    speed_gbps: int | None = None
    ports: int | None = None

    def accepts(self, entry: Entry, catalog: Catalog) -> bool:
        """Return whether an entry is what is asked for."""
        return (
            (self.vendor is None or self.vendor.casefold() in entry.vendor.casefold())
            and (self.protocol is None or self.protocol in protocols(entry, catalog))
            and (self.nos is None or (isinstance(entry, Switch) and self.nos in entry.nos))
            and (self.asic is None or self.asic == (entry.asic if isinstance(entry, Switch) else _chip(entry)))
            and (self.speed_gbps is None or self.speed_gbps in speeds_gbps(entry, catalog))
            and (self.ports is None or self.ports <= port_count(entry, catalog, self.speed_gbps))
        )


def by_kind(catalog: Catalog) -> Mapping[str, Mapping[str, Entry]]:
    """Return the entries by kind (``switch``) and id."""
    return {
        "switch": catalog.switches,
        "asic": catalog.asics,
        "adapter": catalog.adapters,
        "server": catalog.servers,
        "cable": catalog.cables,
    }


def find(catalog: Catalog, query: Query, kind: str | None = None) -> Iterator[tuple[str, Entry]]:
    """Yield kind and entry of all that a query accepts, of one kind or of all."""
    for name, entries in by_kind(catalog).items():
        if kind in (None, name):
            yield from ((name, entry) for entry in entries.values() if query.accepts(entry, catalog))


def speeds_gbps(entry: Entry, catalog: Catalog) -> frozenset[int]:
    """Return the speeds that an entry's ports can have, service ports left out."""
    if isinstance(entry, Switch):
        groups = entry.data_cages
        return frozenset({speed for group in groups for speed in (group.speed_gbps, *_split_speeds(group))})
    if isinstance(entry, Adapter):
        return frozenset({*entry.ports.ethernet_gbps, *entry.ports.infiniband_gbps})
    if isinstance(entry, Cable):
        return frozenset(entry.speeds_gbps)
    if isinstance(entry, Server):
        own = (catalog.adapters[adapters.adapter] for adapters in entry.adapters.values())
        return frozenset(speed for adapter in own for speed in speeds_gbps(adapter, catalog))
    return frozenset()


def protocols(entry: Entry, catalog: Catalog) -> frozenset[Protocol]:
    """Return what an entry's ports speak."""
    if isinstance(entry, Switch):
        return frozenset({entry.protocol})
    if isinstance(entry, Adapter):
        spoken: tuple[Protocol, ...] = ("ethernet", "infiniband")
        return frozenset(protocol for protocol in spoken if entry.ports.speeds_gbps(protocol))
    if isinstance(entry, Cable):
        return frozenset(entry.protocols)
    if isinstance(entry, Server):
        own = (catalog.adapters[adapters.adapter] for adapters in entry.adapters.values())
        return frozenset(protocol for adapter in own for protocol in protocols(adapter, catalog))
    return frozenset()


def port_count(entry: Entry, catalog: Catalog, speed_gbps: int | None = None) -> int:
    """Return how many ports an entry has at most: at a speed, or else with every cage whole."""
    if isinstance(entry, Switch):
        return _switch_ports(entry, speed_gbps)
    if isinstance(entry, Adapter | Cable):
        return entry.ports.count if isinstance(entry, Adapter) else entry.ports
    if isinstance(entry, Server):
        return sum(
            adapters.count * port_count(adapter, catalog)
            for adapters in entry.adapters.values()
            for adapter in (catalog.adapters[adapters.adapter],)
            if speed_gbps is None or speed_gbps in speeds_gbps(adapter, catalog)
        )
    return 0


def summary(entry: Entry) -> str:
    """Return the few figures that tell an entry from its neighbours."""
    if isinstance(entry, Switch):
        return ", ".join(f"{g.count} x {_whole(g)} {g.connector}" for g in entry.data_cages)
    if isinstance(entry, Asic):
        return f"{entry.capacity_gbps} Gb/s"
    if isinstance(entry, Adapter):
        fastest = max((*entry.ports.ethernet_gbps, *entry.ports.infiniband_gbps))
        return f"{entry.ports.count} x {fastest}G {entry.ports.connector}"
    if isinstance(entry, Server):
        sets = (f"{adapters.count} {purpose}" for purpose, adapters in entry.adapters.items())
        return ", ".join((f"{entry.gpus} GPUs", *sets))
    assert isinstance(entry, Cable)
    reach = "unknown reach" if entry.reach_max_m == UNKNOWN else f"{entry.reach_max_m:g} m"
    return f"{entry.form} {entry.type}, {'/'.join(map(str, entry.speeds_gbps))}G, {reach}"


def _chip(entry: Entry) -> str | None:
    return entry.id if isinstance(entry, Asic) else None


def _split_speeds(group: CageGroup) -> tuple[int, ...]:
    return tuple(split.speed_gbps for split in group.breakouts)


def _whole(group: CageGroup) -> str:
    return f"{group.speed_gbps}G" if group.ports == 1 else f"{group.ports}x{group.speed_gbps}G"


def _switch_ports(switch: Switch, speed_gbps: int | None) -> int:
    total = 0
    for group in switch.data_cages:
        whole = group.count * group.ports if speed_gbps in (None, group.speed_gbps) else 0
        splits = (
            group.count // (2 if split.disables_next_cage else 1) * split.ports
            for split in group.breakouts
            if split.speed_gbps == speed_gbps
        )
        total += max((whole, *splits))
    limit = switch.max_logical_ports
    return total if isinstance(limit, str) else min(total, limit)

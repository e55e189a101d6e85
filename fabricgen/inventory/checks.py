"""What an inventory says about itself: references, pools and classes. The catalog is not needed for these."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from itertools import combinations

from fabricgen.core.diagnostics import Note, Report, did_you_mean
from fabricgen.core.documents import Document, Path, format_path
from fabricgen.inventory.kinds import (
    ASN_CONFLICT,
    CLASS_CONFLICT,
    NO_COMPUTE_SERVERS,
    POOLS_OVERLAP,
    PORT_JOINED_TWICE,
    PREFIX_CONFLICT,
    UNKNOWN_REFERENCE,
)
from fabricgen.inventory.models import BaseFabric, Endpoints, InfinibandFabric, Inventory, RoceFabric


def check_inventory(inventory: Inventory, document: Document, report: Report) -> None:
    """Add every contradiction inside an inventory to the report (FG120, FG123, FG125, FG126, FG127, FG130, FG150)."""
    _check_references(inventory, document, report)
    _check_ports(inventory, document, report)
    _check_pools(inventory, document, report)
    _check_prefixes(inventory, document, report)
    _check_io_servers(inventory, document, report)
    for name, fabric in inventory.fabrics.items():
        if isinstance(fabric, RoceFabric):
            _check_classes(fabric, ("fabrics", name, "qos"), document, report)
            _check_asns(fabric, ("fabrics", name, "asn"), document, report)


def _check_references(inventory: Inventory, document: Document, report: Report) -> None:
    for path, group in _references(inventory):
        if group not in inventory.servers:
            report.add(
                UNKNOWN_REFERENCE.at(
                    format_path(path),
                    f"there is no server group `{group}`",
                    span=document.span(path),
                    remedy=did_you_mean(group, inventory.servers),
                )
            )


def _references(inventory: Inventory) -> Iterator[tuple[Path, str]]:
    for name, fabric in inventory.fabrics.items():
        for path, endpoint in _endpoints(name, fabric):
            yield (*path, "servers"), endpoint.servers
        if isinstance(fabric, InfinibandFabric):
            for index, group in enumerate(fabric.subnet_manager.io_servers):
                yield ("fabrics", name, "subnet_manager", "io_servers", index), group
            for key, partition in fabric.subnet_manager.partitions.items():
                for index, group in enumerate(partition.servers):
                    yield ("fabrics", name, "subnet_manager", "partitions", key, "servers", index), group


def _endpoints(name: str, fabric: BaseFabric) -> Iterator[tuple[Path, Endpoints]]:
    """Yield the endpoints of a fabric's main leaves and of its other leaf groups, each with its path."""
    base: Path = ("fabrics", name)
    groups: list[tuple[Path, tuple[Endpoints, ...]]] = [(base, fabric.endpoints)]
    groups += [((*base, "other_leaves", key), group.endpoints) for key, group in fabric.other_leaves.items()]
    for path, endpoints in groups:
        for index, endpoint in enumerate(endpoints):
            yield (*path, "endpoints", index), endpoint


def _check_ports(inventory: Inventory, document: Document, report: Report) -> None:
    every = [found for name, fabric in inventory.fabrics.items() for found in _endpoints(name, fabric)]
    for (first_path, first), (path, second) in combinations(every, 2):
        if (first.servers, first.adapters) != (second.servers, second.adapters):
            continue
        if first.ports is None or second.ports is None or {*first.ports} & {*second.ports}:
            report.add(
                PORT_JOINED_TWICE.at(
                    format_path(path),
                    f"the `{second.adapters}` adapters of `{second.servers}` are joined by {format_path(first_path)} "
                    "too",
                    span=document.span(path),
                    related=[Note("they are joined here first", document.span(first_path))],
                    remedy="remove one, name different `ports`, or give the servers adapters of another purpose",
                )
            )


def _pools(inventory: Inventory) -> Iterator[tuple[Path, IPv4Network]]:
    for name, fabric in inventory.fabrics.items():
        if isinstance(fabric, RoceFabric):
            base: Path = ("fabrics", name, "addressing")
            yield (*base, "loopbacks"), fabric.addressing.loopbacks
            yield (*base, "servers"), fabric.addressing.servers
            if any(group.endpoints for group in fabric.other_leaves.values()):
                yield (*base, "other_servers"), fabric.addressing.other_servers
            if isinstance(fabric.addressing.links, IPv4Network):
                yield (*base, "links"), fabric.addressing.links


def _check_pools(inventory: Inventory, document: Document, report: Report) -> None:
    for (first_path, first), (second_path, second) in combinations(_pools(inventory), 2):
        if first.overlaps(second):
            report.add(
                POOLS_OVERLAP.at(
                    format_path(second_path),
                    f"{second} overlaps {first} of {format_path(first_path)}",
                    span=document.span(second_path),
                    related=[Note(f"{first} is given here", document.span(first_path))],
                    remedy=f"set {format_path(second_path)} to a network outside {first}",
                )
            )


def _check_prefixes(inventory: Inventory, document: Document, report: Report) -> None:
    seen: dict[int, str] = {}
    for name, fabric in inventory.fabrics.items():
        if not isinstance(fabric, InfinibandFabric):
            continue
        prefix = fabric.subnet_manager.subnet_prefix
        path: Path = ("fabrics", name, "subnet_manager", "subnet_prefix")
        if prefix in seen:
            report.add(
                PREFIX_CONFLICT.at(
                    format_path(path),
                    f"subnet prefix {prefix:#018x} is that of fabric {seen[prefix]} too",
                    span=document.span(path),
                    remedy=f"set {format_path(path)} to another value, such as {prefix + 1:#018x}",
                )
            )
        seen.setdefault(prefix, name)


def _check_io_servers(inventory: Inventory, document: Document, report: Report) -> None:
    for name, fabric in inventory.fabrics.items():
        if not isinstance(fabric, InfinibandFabric):
            continue
        io_servers = set(fabric.subnet_manager.io_servers)
        if io_servers and io_servers >= {endpoint.servers for _, endpoint in _endpoints(name, fabric)}:
            path: Path = ("fabrics", name, "subnet_manager", "io_servers")
            report.add(
                NO_COMPUTE_SERVERS.at(
                    format_path(path),
                    "every server group of the fabric is listed",
                    span=document.span(path),
                    remedy="list only the groups of storage and I/O nodes",
                )
            )


def _check_classes(fabric: RoceFabric, path: Path, document: Document, report: Report) -> None:
    roce, cnp = fabric.qos.roce, fabric.qos.cnp
    for field in ("dscp", "priority"):
        if getattr(roce, field) == getattr(cnp, field):
            here = (*path, "cnp", field)
            report.add(
                CLASS_CONFLICT.at(
                    format_path(here),
                    f"roce and cnp share {field} {getattr(cnp, field)}",
                    span=document.span(here),
                    remedy=f"give cnp a {field} of its own: 48 and 6 are usual for DSCP and priority",
                )
            )
    for name, traffic_class in (("roce", roce), ("cnp", cnp)):
        if traffic_class.priority == 0:
            here = (*path, name, "priority")
            report.add(
                CLASS_CONFLICT.at(
                    format_path(here),
                    f"{name} has priority 0, which all other traffic uses",
                    span=document.span(here),
                    remedy="choose a priority from 1 to 7",
                )
            )


def _check_asns(fabric: RoceFabric, path: Path, document: Document, report: Report) -> None:
    if fabric.asn.leaf_first <= fabric.asn.spine:
        here = (*path, "spine")
        report.add(
            ASN_CONFLICT.at(
                format_path(here),
                f"the spines' AS number {fabric.asn.spine} lies among the leaves', which count up from "
                f"{fabric.asn.leaf_first}",
                span=document.span(here),
                remedy="give the spines a number below `leaf_first`",
            )
        )

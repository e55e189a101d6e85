"""Builds every fabric of an inventory."""

from __future__ import annotations

from collections.abc import Collection

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Note, Report, did_you_mean
from fabricgen.device import Role
from fabricgen.inventory import LoadedInventory
from fabricgen.inventory.kinds import DESIGN_UNKNOWN, DUPLICATE_NAME
from fabricgen.topology.cabling import lay_cables
from fabricgen.topology.designs import designs
from fabricgen.topology.fabric import Device, Fabric
from fabricgen.topology.racks import stack_racks
from fabricgen.topology.request import resolve_fabric
from fabricgen.topology.servers import check_servers


def build_fabrics(
    loaded: LoadedInventory, catalog: Catalog, report: Report, only: Collection[str] = ()
) -> tuple[Fabric, ...]:
    """Build the fabrics of an inventory, in its order.

    Args:
        loaded: the inventory.
        catalog: the device library.
        report: takes all that cannot be built.
        only: names of the fabrics to build; all where it is empty.
    """
    check_servers(loaded, catalog, report)
    fabrics = []
    for name, intent in loaded.inventory.fabrics.items():
        if only and name not in only:
            continue
        design = designs().get(intent.design)
        request = (design.resolve if design else resolve_fabric)(loaded, name, catalog, report)
        if design is None:
            origin = loaded.origin("fabrics", name, "design")
            report.add(
                DESIGN_UNKNOWN.at(
                    origin.path,
                    f"there is no design `{intent.design}`",
                    span=origin.span,
                    remedy=did_you_mean(intent.design, designs()),
                )
            )
        elif request is not None:
            fabric = design.build(request, report)
            if fabric is not None:
                fabrics.append(fabric if report.has_errors else lay_cables(fabric, request, report))
    _check_names(fabrics, report)
    return stack_racks(fabrics, loaded, catalog, report)


def _check_names(fabrics: list[Fabric], report: Report) -> None:
    """Report names that two devices share; a server may stand in several fabrics."""
    seen: dict[str, tuple[str, Device]] = {}
    for fabric in fabrics:
        for device in fabric.devices:
            origin = device.origin
            path = origin.path if origin else ""
            _, other = seen.setdefault(device.name.lower(), (path, device))
            if other is device or (device.role is other.role is Role.SERVER and device.group == other.group):
                continue
            other_origin = other.origin
            report.add(
                DUPLICATE_NAME.at(
                    path,
                    f"{device.name} is a {device.role} of {path} and a {other.role} of "
                    f"{other_origin.path if other_origin else '?'}",
                    span=origin.span if origin else None,
                    related=[Note("the other is made here", other_origin.span)] if other_origin else [],
                    remedy="give one of them a `name:` pattern of its own",
                )
            )
            return

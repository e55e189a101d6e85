"""Switches of fabrics that have one tier."""

from __future__ import annotations

from fabricgen.device import Role
from fabricgen.inventory.scalars import fill_pattern
from fabricgen.topology.fabric import Device
from fabricgen.topology.racks import place
from fabricgen.topology.request import MAIN, Request


def leaf_device(request: Request, index: int) -> Device:
    """Return the switch of a number, from 0, among those of ``leaf``."""
    tier = request.intent.leaf
    return Device(
        name=fill_pattern(tier.name or f"{MAIN}-{{n:02d}}", index + 1, MAIN, plane=1, pod=1, unit=1, rail=1),
        role=Role.LEAF,
        hardware=tier.model,
        group=MAIN,
        index=index,
        unit=1,
        nos=tier.nos,
        place=place(tier.racks, index),
        origin=request.origin("leaf"),
    )

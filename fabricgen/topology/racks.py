"""Where devices stand, and how long the cables between them are."""

from __future__ import annotations

from fabricgen.core.units import round_up
from fabricgen.inventory.models import RackDistances, Racks
from fabricgen.inventory.scalars import fill_pattern
from fabricgen.topology.fabric import RackPlace


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

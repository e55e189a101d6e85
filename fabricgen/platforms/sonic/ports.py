"""How SONiC names a port: the parent's number plus the offset of its first lane."""

from __future__ import annotations

from fabricgen.catalog import Switch
from fabricgen.platforms.base import PortNaming


def port(switch: Switch, cage: int, leg: int, legs: int) -> PortNaming:
    """Return SONiC's name, alias, lanes and index of a logical port.

    Args:
        switch: a switch with a ``sonic`` entry in the catalog.
        cage: its cage, from 1.
        leg: which port of the cage, from 0.
        legs: into how many ports the cage is split; 1 for a whole cage.

    Raises:
        ValueError: SONiC is not known on the switch, or the cage has no such leg.
        IndexError: the switch has no such cage.
    """
    sonic = switch.sonic
    if sonic is None:
        msg = f"the catalog does not know SONiC's port names of {switch.id}"
        raise ValueError(msg)
    first_port, lanes = sonic.cage(cage)
    if not 0 <= leg < legs or len(lanes) % legs:
        msg = f"cage {cage} of {switch.id} has {len(lanes)} lanes and no leg {leg} of {legs}"
        raise ValueError(msg)
    width = len(lanes) // legs
    first = leg * width
    return PortNaming(
        name=f"Ethernet{first_port + first}",
        alias=sonic.alias_of(cage, leg, legs),
        lanes=lanes[first : first + width],
        index=sonic.index_of(cage),
    )

"""The front of a switch: its ports without what tells one switch from the next, their addresses and descriptions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from fabricgen.device import DeviceModel, Interface

_ALIKE = attrgetter(
    "name", "alias", "speed_gbps", "lanes", "cage", "mtu_bytes", "fec", "enabled", "cable_length_m", "index"
)


@dataclass(frozen=True)
class Panel:
    """Hardware, splits and ports of a switch, or of several that are alike in them.

    Of a port only the fields that :func:`panel_key` names may be looked at: the others are those of the first switch.

    Attributes:
        hardware: the catalog id of the switch, where known.
        sku: the hardware as the device names it.
        breakouts: a cage's first port and its mode.
        ports: in the order of the model.
    """

    hardware: str | None
    sku: str | None
    breakouts: tuple[tuple[str, str], ...]
    ports: tuple[Interface, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Interface]:
        """Return the ports by name."""
        return {port.name: port for port in self.ports}

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Return which port a name or an alias stands for, by its number in :attr:`ports`; names go first."""
        by_alias = {port.alias: number for number, port in enumerate(self.ports) if port.alias}
        return by_alias | {port.name: number for number, port in enumerate(self.ports)}


def panel_of(hardware: str | None, model: DeviceModel) -> Panel:
    """Return the panel of a switch."""
    return Panel(hardware, model.sku, model.breakouts, model.interfaces)


def panel_key(hardware: str | None, model: DeviceModel) -> Hashable:
    """Return what a panel holds, to tell which switches can share one."""
    return Panel, hardware, model.sku, model.breakouts, tuple(map(_ALIKE, model.interfaces))

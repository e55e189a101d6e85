"""The devices of one fabric together, and the cables between them: what rules and the simulator judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from fabricgen.core.diagnostics import Span
from fabricgen.device.model import DeviceModel

#: Finds the place in a file that a part of a device model was read from. The argument is a path of field names and
#: keys of the model, for instance ``("qos", "ports", "Ethernet0", "pfc_priorities")``; where that exact place is not
#: known, the longest known beginning of the path answers. Finding a place may mean reading the file again, so it is
#: done for findings only.
Locate = Callable[[tuple[str, ...]], Span | None]


class Role(StrEnum):
    """What a device is in the fabric; tiers count from the servers up."""

    SERVER = "server"
    LEAF = "leaf"
    SPINE = "spine"
    CORE = "core"
    SUBNET_MANAGER = "subnet-manager"

    @property
    def tier(self) -> int:
        """Return 0 for a server, 1 for a leaf, 2 for a spine, 3 for a core."""
        return _TIERS[self]


_TIERS: Mapping[Role, int] = MappingProxyType(
    {Role.SERVER: 0, Role.LEAF: 1, Role.SPINE: 2, Role.CORE: 3, Role.SUBNET_MANAGER: -1}
)


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a cable: a device and its interface, as that device names it."""

    device: str
    interface: str

    def __str__(self) -> str:
        """Print as a path: ``devices[leaf-03].ports[Ethernet16]``."""
        return f"devices[{self.device}].ports[{self.interface}]"


@dataclass(frozen=True, slots=True)
class Link:
    """A cable, as planned or as found; unknown figures are None.

    Attributes:
        speed_gbps: the speed that the cable is meant to run at.
        length_cm: its length.
        cable_span: where the inventory sets its length, for findings.
    """

    a: LinkEnd
    b: LinkEnd
    speed_gbps: int | None = None
    length_cm: int | None = None
    length_span: Span | None = None

    @property
    def ends(self) -> tuple[tuple[LinkEnd, LinkEnd], tuple[LinkEnd, LinkEnd]]:
        """Return (near, far) for both directions."""
        return ((self.a, self.b), (self.b, self.a))


@dataclass(frozen=True, slots=True)
class NetworkDevice:
    """A device of a network: what is known of its place, and its model where its files were read.

    Attributes:
        model: None for a device of which no configuration is at hand (a server without host files).
        hardware: the catalog id of the switch, where known.
        locate: see :data:`Locate`.
    """

    name: str
    role: Role | None
    model: DeviceModel | None = None
    hardware: str | None = None
    locate: Locate = field(default=lambda _: None, compare=False)


@dataclass(frozen=True)
class Network:
    """One fabric: its devices by name and its links.

    Attributes:
        kind: ``rocev2`` or ``infiniband``.
        topology: in words, where the links come from.
        planes: by switch, the plane that it is meant to belong to; empty where the fabric is one.
    """

    name: str
    kind: str
    devices: Mapping[str, NetworkDevice]
    links: tuple[Link, ...]
    topology: str = "inventory"
    planes: Mapping[str, int] = field(default_factory=dict)

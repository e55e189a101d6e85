"""GUIDs and LIDs of an InfiniBand fabric.

GUIDs are those of ``guids.csv``, or placeholders that no vendor can have assigned. LIDs are given out by leaf and port,
so that growing a cluster moves none; OpenSM keeps to them through its ``guid2lid`` cache.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricgen.core.guids import PLACEHOLDER_PREFIX
from fabricgen.device import Role
from fabricgen.inventory import LoadedInventory
from fabricgen.topology import Device, Fabric

_SWITCH_ROLES = (Role.LEAF, Role.SPINE, Role.CORE)


@dataclass(frozen=True)
class GuidPlan:
    """Identities of a subnet.

    Attributes:
        switches: node GUID by switch.
        adapters: port GUID by server and port number.
        lids: LID by GUID.
    """

    switches: Mapping[str, int]
    adapters: Mapping[tuple[str, int], int]
    lids: Mapping[int, int]


def plan_guids(fabric: Fabric, loaded: LoadedInventory) -> GuidPlan:
    """Give every switch and adapter port of an InfiniBand fabric its GUID and LID.

    Args:
        fabric: the built fabric.
        loaded: its inventory, with the real GUIDs that are known.
    """
    number = list(loaded.inventory.fabrics).index(fabric.name)
    groups = {group: index for index, group in enumerate(loaded.inventory.servers)}
    known = loaded.guids
    switches = {
        device.name: known.get((device.name, 0), _placeholder(number, _SWITCH_ROLES.index(device.role), device, 0))
        for device in fabric.switches
    }
    adapters = {}
    for cable in fabric.cables:
        server = fabric.by_name[cable.a.device]
        if server.role is Role.SERVER:
            key = (server.name, cable.a.number)
            adapters[key] = known.get(key, _placeholder(number, 3 + groups[server.group], server, cable.a.number))
    return GuidPlan(switches, adapters, _lids(fabric, switches, adapters))


def _placeholder(fabric: int, group: int, device: Device, port: int) -> int:
    """Return a stand-in: prefix, fabric and group, device and port. Ports are two apart: a node GUID fits between."""
    return PLACEHOLDER_PREFIX << 40 | (fabric % 16) << 36 | (group % 16) << 32 | device.index << 10 | port << 1


def _lids(fabric: Fabric, switches: Mapping[str, int], adapters: Mapping[tuple[str, int], int]) -> dict[int, int]:
    """Number spines first, in the room of as many as a leaf has uplink ports, then each leaf and its server ports."""
    sizing = fabric.sizing
    lids = {}
    for device in fabric.switches:
        if device.role is Role.LEAF:
            lids[switches[device.name]] = 1 + sizing.up_capacity + device.index * (1 + sizing.down_capacity)
        else:
            lids[switches[device.name]] = 1 + device.index
    for cable in fabric.cables:
        guid = adapters.get((cable.a.device, cable.a.number))
        if guid is not None:
            lids[guid] = lids[switches[cable.b.device]] + cable.b.number
    return lids

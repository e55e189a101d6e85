"""GUIDs and LIDs of an InfiniBand fabric.

GUIDs are those of ``guids.csv``, or placeholders that no vendor can have assigned. LIDs are given out by leaf and port,
so that growing a cluster moves none; OpenSM keeps to them through its ``guid2lid`` cache.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricgen.core.diagnostics import Report
from fabricgen.core.guids import PLACEHOLDER_PREFIX
from fabricgen.device import Role
from fabricgen.inventory import LoadedInventory
from fabricgen.inventory.kinds import LIDS_EXHAUSTED
from fabricgen.topology import Device, Fabric

_SWITCH_ROLES = (Role.LEAF, Role.SPINE, Role.CORE)

#: Name of the main leaves' group.
MAIN = "leaf"

#: Unicast LIDs are 0x0001 to 0xBFFF (InfiniBand architecture 1.4, 4.1.3; OpenSM include/iba/ib_types.h).
LAST_UNICAST_LID = 0xBFFF

#: What counts down from the last LID: further spines, cores, other leaf groups.
_KINDS_AT_THE_END = 3


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


def plan_guids(fabric: Fabric, loaded: LoadedInventory, report: Report) -> GuidPlan:
    """Give every switch and adapter port of an InfiniBand fabric its GUID and LID.

    Args:
        fabric: the built fabric.
        loaded: its inventory, with the real GUIDs that are known.
        report: takes FG149.
    """
    number = list(loaded.inventory.fabrics).index(fabric.name)
    groups = {group: 3 + index for index, group in enumerate(loaded.inventory.servers)}
    groups |= {str(role): index for index, role in enumerate(_SWITCH_ROLES)}
    groups |= {group: 15 - index for index, group in enumerate(fabric.other_groups)}
    known = loaded.guids
    switches = {
        device.name: known.get((device.name, 0), _placeholder(number, groups[device.group], device, 0))
        for device in fabric.switches
    }
    adapters = {}
    for cable in fabric.cables:
        server = fabric.by_name[cable.a.device]
        if server.role is Role.SERVER:
            key = (server.name, cable.a.number)
            adapters[key] = known.get(key) or _placeholder(number, groups[server.group], server, cable.a.number)
    lids = _lids(fabric, switches, adapters)
    _check_lids(fabric, lids, loaded, report)
    return GuidPlan(switches, adapters, lids)


def _placeholder(fabric: int, group: int, device: Device, port: int) -> int:
    """Return a stand-in: prefix, fabric and group, device and port. Ports are two apart: a node GUID fits between."""
    return PLACEHOLDER_PREFIX << 40 | (fabric % 16) << 36 | (group % 16) << 32 | device.index << 10 | port << 1


def _lids(fabric: Fabric, switches: Mapping[str, int], adapters: Mapping[tuple[str, int], int]) -> dict[int, int]:
    """Number spines first, in the room of as many as a leaf has uplink ports, then each leaf and its server ports.

    What two tiers do not have counts down from the last LID, in turns, so that each kind can grow: more spines, cores,
    and other leaf groups with their server ports.
    """
    room = fabric.rooms[MAIN]
    kinds = _KINDS_AT_THE_END
    others = max((fabric.rooms[group].down for group in fabric.other_groups), default=0) + 1
    lids = {}
    for device in fabric.switches:
        if device.role is Role.SPINE and device.index < room.up:
            lid = 1 + device.index
        elif device.role is Role.SPINE:
            lid = LAST_UNICAST_LID - kinds * (device.index - room.up)
        elif device.role is Role.CORE:
            lid = LAST_UNICAST_LID - kinds * device.index - 1
        elif device.group == MAIN:
            lid = 1 + room.up + device.index * (1 + room.down)
        else:
            lid = LAST_UNICAST_LID - kinds * fabric.other_number(device) * others - 2
        lids[switches[device.name]] = lid
    for cable in fabric.cables:
        guid = adapters.get((cable.a.device, cable.a.number))
        if guid is not None:
            step = 1 if fabric.by_name[cable.b.device].group == MAIN else -kinds
            lids[guid] = lids[switches[cable.b.device]] + step * cable.b.number
    return lids


def _check_lids(fabric: Fabric, lids: Mapping[int, int], loaded: LoadedInventory, report: Report) -> None:
    """Add FG149 where two devices would share a LID, or there are not enough."""
    if len(set(lids.values())) == len(lids) and all(0 < lid <= LAST_UNICAST_LID for lid in lids.values()):
        return
    origin = loaded.origin("fabrics", fabric.name)
    report.add(
        LIDS_EXHAUSTED.at(
            origin.path,
            f"{len(lids)} adapters and switches, with room to grow on every leaf, do not fit into "
            f"{LAST_UNICAST_LID} unicast LIDs",
            span=origin.span,
            remedy="divide the servers among several fabrics",
            numbers={"needed_lids": len(lids), "limit_lids": LAST_UNICAST_LID},
        )
    )

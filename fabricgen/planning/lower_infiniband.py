"""Lowers an InfiniBand fabric to the one device that configures it: its Subnet Manager."""

from __future__ import annotations

from types import MappingProxyType
from typing import TypedDict

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Report, did_you_mean
from fabricgen.core.model import natural_key
from fabricgen.device import (
    DeviceModel,
    IbNode,
    IbNodeKind,
    IbPort,
    Membership,
    Partition,
    PartitionMember,
    Role,
    SubnetManager,
)
from fabricgen.inventory import InfinibandFabric, LoadedInventory
from fabricgen.inventory.kinds import PLATFORM_UNKNOWN, UNSUPPORTED_FEATURE
from fabricgen.planning.guids import GuidPlan
from fabricgen.planning.service_levels import qos_options, qos_policy
from fabricgen.platforms import platforms
from fabricgen.topology import Fabric

#: Name of the device that runs the Subnet Manager, and of its folder in the output.
SUBNET_MANAGER = "subnet-manager"

#: Where OpenSM looks for its files by default.
CONFIGURATION_DIRECTORY = "/etc/opensm"

DEFAULT_PKEY = 0x7FFF

#: IBTA code of an MTU of 4096 bytes. OpenSM's own default for an IPoIB group is 2048.
MTU_4096_CODE = 5

#: IBTA rate codes by link speed in Gb/s (OpenSM include/iba/ib_types.h). OpenSM's own default is 10 Gb/s.
RATE_CODES = MappingProxyType({100: 16, 200: 17, 400: 21, 800: 23})


class _IpoibGroup(TypedDict):
    ipoib: bool
    mtu_code: int | None
    rate_code: int | None


def lower_infiniband(
    fabric: Fabric, guids: GuidPlan, loaded: LoadedInventory, catalog: Catalog, report: Report
) -> DeviceModel:
    """Return the Subnet Manager of a fabric as a device model.

    Args:
        fabric: the built fabric.
        guids: its GUIDs and LIDs.
        loaded: the inventory.
        catalog: the device library.
        report: takes FG131 and FG141.
    """
    intent = loaded.inventory.fabrics[fabric.name]
    assert isinstance(intent, InfinibandFabric)
    manager = intent.subnet_manager
    managers = [name for name, platform in platforms().items() if "infiniband" in platform.protocols]
    if manager.platform not in managers:
        origin = loaded.origin("fabrics", fabric.name, "subnet_manager", "platform")
        report.add(
            PLATFORM_UNKNOWN.at(
                origin.path,
                f"`{manager.platform}` is no Subnet Manager",
                span=origin.span,
                remedy=did_you_mean(manager.platform, managers),
            )
        )
    nodes = _nodes(fabric, guids, catalog)
    top = max(device.role.tier for device in fabric.switches)
    roots = sorted(guids.switches[device.name] for device in fabric.switches if device.role.tier == top)
    return DeviceModel(
        name=SUBNET_MANAGER,
        platform=manager.platform,
        subnet_manager=SubnetManager(
            options=_options(intent, _engine(fabric, intent, loaded, report)),
            root_guids=tuple(roots),
            compute_guids=_adapters(fabric, intent, guids, io=False),
            io_guids=_adapters(fabric, intent, guids, io=True) if intent.subnet_manager.io_servers else None,
            partitions=_partitions(fabric, intent, guids),
            qos_policy=qos_policy(intent.subnet_manager),
            node_names=tuple(sorted((guid, name) for name, guid in guids.switches.items())),
            lids=tuple(sorted(guids.lids.items())),
            nodes=nodes,
        ),
    )


def _engine(fabric: Fabric, intent: InfinibandFabric, loaded: LoadedInventory, report: Report) -> str:
    """Return the routing engine; `ftree` needs two ranks of switches, so a single leaf gets `updn`."""
    manager = intent.subnet_manager
    if manager.engine != "ftree" or fabric.sizing.spines:
        return manager.engine
    if "engine" in manager.model_fields_set:
        origin = loaded.origin("fabrics", fabric.name, "subnet_manager", "engine")
        report.add(
            UNSUPPORTED_FEATURE.at(
                origin.path,
                "`ftree` needs two tiers of switches and the fabric has a single leaf",
                span=origin.span,
                remedy="set `engine: updn`, or leave it out",
            )
        )
    return "updn"


def _options(intent: InfinibandFabric, engine: str) -> tuple[tuple[str, str], ...]:
    """Return OpenSM's options where they differ from its defaults (OpenSM 3.3.23, `opensm -c`)."""
    manager = intent.subnet_manager
    fallback = ",updn" if engine == "ftree" else ""
    options = {
        "cn_guid_file": f"{CONFIGURATION_DIRECTORY}/cn_guids.conf",
        "honor_guid2lid_file": "TRUE",
        "max_wire_smps": "16",
        "node_name_map_name": f"{CONFIGURATION_DIRECTORY}/node-name-map",
        "partition_config_file": f"{CONFIGURATION_DIRECTORY}/partitions.conf",
        "root_guid_file": f"{CONFIGURATION_DIRECTORY}/root_guids.conf",
        "routing_engine": f"{engine}{fallback}",
        "sm_priority": str(manager.priority),
        "subnet_prefix": f"0x{manager.subnet_prefix:016x}",
        **qos_options(manager, CONFIGURATION_DIRECTORY),
    }
    if manager.io_servers:
        options["io_guid_file"] = f"{CONFIGURATION_DIRECTORY}/io_guids.conf"
    return tuple(sorted(options.items()))


def _adapters(fabric: Fabric, intent: InfinibandFabric, guids: GuidPlan, *, io: bool) -> tuple[int, ...]:
    """Return the port GUIDs of the I/O nodes, or of all others."""
    groups = {device.name: device.group for device in fabric.of_role(Role.SERVER)}
    wanted = intent.subnet_manager.io_servers
    return tuple(sorted(guid for (server, _), guid in guids.adapters.items() if (groups[server] in wanted) is io))


def _partitions(fabric: Fabric, intent: InfinibandFabric, guids: GuidPlan) -> tuple[Partition, ...]:
    """Return the default partition and the tenants'.

    With tenants, servers are limited members of the default partition: they reach the Subnet Manager and not one
    another. A tenant's key stands first in the tables of its members, which is where applications look for it.
    """
    manager = intent.subnet_manager
    tenants = manager.partitions
    everyone = Membership.LIMITED if tenants else Membership.FULL
    default = Partition(
        name="Default",
        pkey=DEFAULT_PKEY,
        **_ipoib_group(fabric, wanted=manager.ipoib),
        members=(
            PartitionMember("ALL", everyone),
            PartitionMember("ALL_SWITCHES", Membership.FULL),
            PartitionMember("SELF", Membership.FULL),
        ),
    )
    groups = {device.name: device.group for device in fabric.of_role(Role.SERVER)}
    all_groups = tuple(dict.fromkeys(groups.values()))
    listed = [group for tenant in tenants.values() for group in tenant.servers or all_groups]
    partitions = [default]
    for name, tenant in sorted(tenants.items(), key=lambda item: natural_key(item[0])):
        wanted = tenant.servers or all_groups
        members = sorted(guid for (server, _), guid in guids.adapters.items() if groups[server] in wanted)
        partitions.append(
            Partition(
                name=name,
                pkey=tenant.pkey,
                **_ipoib_group(fabric, wanted=tenant.ipoib),
                service_level=tenant.service_level or None,
                index0=all(listed.count(group) == 1 for group in wanted),
                members=tuple(PartitionMember(guid, Membership(tenant.membership)) for guid in members),
            )
        )
    return tuple(partitions)


def _ipoib_group(fabric: Fabric, *, wanted: bool) -> _IpoibGroup:
    """Return a partition's IPoIB group: as fast as the slowest server link, so that every member can join it."""
    if not wanted:
        return {"ipoib": False, "mtu_code": None, "rate_code": None}
    slowest = min(cable.speed_gbps for cable in fabric.cables if fabric.by_name[cable.a.device].role is Role.SERVER)
    return {"ipoib": True, "mtu_code": MTU_4096_CODE, "rate_code": RATE_CODES.get(slowest)}


def _nodes(fabric: Fabric, guids: GuidPlan, catalog: Catalog) -> tuple[IbNode, ...]:
    """Return the subnet: switches by name, and each adapter port as a node of its own."""
    nodes = []
    for device in fabric.switches:
        switch = catalog.switches[device.hardware]
        ports = []
        for port, cable in fabric.ports(device.name):
            far = cable.b if cable.a is port else cable.a
            peer = guids.adapters.get((far.device, far.number))
            ports.append(
                IbPort(
                    number=port.number,
                    peer_guid=guids.switches[far.device] if peer is None else peer,
                    peer_port=far.number if peer is None else 1,
                    speed_gbps=cable.speed_gbps,
                )
            )
        native = sum(group.count * group.ports for group in switch.data_cages)
        count = max([native, *(port.number for port in ports)])
        nodes.append(IbNode(guids.switches[device.name], IbNodeKind.SWITCH, device.name, count, tuple(ports)))
    for cable in fabric.cables:
        guid = guids.adapters.get((cable.a.device, cable.a.number))
        if guid is not None:
            up = IbPort(1, guids.switches[cable.b.device], cable.b.number, cable.speed_gbps)
            nodes.append(IbNode(guid, IbNodeKind.ADAPTER, f"{cable.a.device} HCA-{cable.a.number}", 1, (up,)))
    return tuple(sorted(nodes, key=lambda node: (node.kind, node.guid)))

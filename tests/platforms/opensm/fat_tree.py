"""A two-tier fat tree as a Subnet Manager model, built by hand: small enough to read, real enough to run."""

from __future__ import annotations

from typing import NamedTuple

from fabricgen.device import (
    DeviceModel,
    IbNode,
    IbNodeKind,
    IbPort,
    Membership,
    Partition,
    PartitionMember,
    SubnetManager,
)

SPINE_GUID = 0xB83FD2_0300_0000_00
LEAF_GUID = 0xB83FD2_0300_0100_00
ADAPTER_GUID = 0x946DAE_0300_2000_01


class TreeSize(NamedTuple):
    """How many there are; adapters are a multiple of leaves times spines."""

    leaves: int
    spines: int
    adapters: int


def fat_tree(
    size: TreeSize,
    *,
    engine: str,
    speed_gbps: int = 400,
    options: dict[str, str] | None = None,
    tenant: bool = False,
) -> DeviceModel:
    """Return a Subnet Manager with a fat tree below it.

    Adapters are spread over the leaves round robin, as rails are; every leaf has as many uplinks as adapters, spread
    evenly over the spines. Adapter GUIDs are one apart, as those of the ports of one card are.

    Args:
        size: numbers of leaves, spines and adapters.
        engine: the ``routing_engine``.
        speed_gbps: speed of every link.
        options: further options.
        tenant: whether half of the adapters form a partition of their own and are limited members of the default one.
    """
    leaves, spines, adapters = size
    down = adapters // leaves
    up = down // spines
    assert up * spines * leaves == adapters
    spine_guids = [SPINE_GUID + 16 * n for n in range(spines)]
    leaf_guids = [LEAF_GUID + 16 * n for n in range(leaves)]
    adapter_guids = [ADAPTER_GUID + n for n in range(adapters)]
    nodes = []
    for n, guid in enumerate(adapter_guids):
        port = IbPort(1, leaf_guids[n % leaves], n // leaves + 1, speed_gbps)
        nodes.append(IbNode(guid, IbNodeKind.ADAPTER, f"node-{n // leaves + 1} HCA-{n % leaves + 1}", 1, (port,)))
    for leaf, guid in enumerate(leaf_guids):
        ports = [IbPort(n + 1, adapter_guids[n * leaves + leaf], 1, speed_gbps) for n in range(down)]
        ports += [IbPort(down + n + 1, spine_guids[n // up], leaf * up + n % up + 1, speed_gbps) for n in range(down)]
        nodes.append(IbNode(guid, IbNodeKind.SWITCH, f"leaf-{leaf + 1}", max(64, 2 * down), tuple(ports)))
    for spine, guid in enumerate(spine_guids):
        ports = [
            IbPort(leaf * up + n + 1, leaf_guids[leaf], down + spine * up + n + 1, speed_gbps)
            for leaf in range(leaves)
            for n in range(up)
        ]
        nodes.append(IbNode(guid, IbNodeKind.SWITCH, f"spine-{spine + 1}", max(64, leaves * up), tuple(ports)))
    nodes.sort(key=lambda node: (node.kind, node.guid))
    switches = [node for node in nodes if node.kind is IbNodeKind.SWITCH]
    # Backwards from 4000, so that LIDs which OpenSM would have chosen itself cannot pass for the ones asked for.
    lids = {node.guid: 4000 - 3 * n for n, node in enumerate(nodes)}
    wanted = {
        "cn_guid_file": "/etc/opensm/cn_guids.conf",
        "honor_guid2lid_file": "TRUE",
        "max_wire_smps": "16",
        "node_name_map_name": "/etc/opensm/node-name-map",
        "partition_config_file": "/etc/opensm/partitions.conf",
        "root_guid_file": "/etc/opensm/root_guids.conf",
        "routing_engine": engine,
        **(options or {}),
    }
    return DeviceModel(
        name="subnet-manager",
        platform="opensm",
        subnet_manager=SubnetManager(
            options=tuple(sorted(wanted.items())),
            root_guids=tuple(spine_guids),
            compute_guids=tuple(adapter_guids),
            partitions=_partitions(adapter_guids, tenant=tenant),
            node_names=tuple((node.guid, node.description) for node in switches),
            lids=tuple(sorted(lids.items())),
            nodes=tuple(nodes),
        ),
    )


def _partitions(adapters: list[int], *, tenant: bool) -> tuple[Partition, ...]:
    everyone = Membership.LIMITED if tenant else Membership.FULL
    default = Partition(
        name="Default",
        pkey=0x7FFF,
        ipoib=True,
        members=(
            PartitionMember("ALL", everyone),
            PartitionMember("ALL_SWITCHES", Membership.FULL),
            PartitionMember("SELF", Membership.FULL),
        ),
    )
    if not tenant:
        return (default,)
    half = adapters[len(adapters) // 2 :]
    members = [PartitionMember(guid, Membership.FULL) for guid in half[:-1]]
    members.append(PartitionMember(half[-1], Membership.LIMITED))
    return (default, Partition(name="tenant-a", pkey=0x0A01, index0=True, members=tuple(members)))

"""Partitions: keys, the default partition, and who may talk to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.core.guids import format_guid
from fabricgen.device import Membership, Partition
from fabricgen.rules.base import Context, Need, device_path, rule
from fabricgen.rules.infiniband import Subnet

#: The default partition's key, without the membership bit (IBTA volume 1, 10.9.1).
DEFAULT_PKEY = 0x7FFF

#: OpenSM's words for members that adapters belong to.
_ADAPTER_WORDS = ("ALL", "ALL_CAS")

#: Gb/s by IBTA rate code (OpenSM, include/iba/ib_types.h; 23 and 24 since OpenSM 3.3.24). Code 2 is left out: no link
#: is slower than its 2.5 Gb/s.
RATE_GBPS: Mapping[int, int] = MappingProxyType(
    {
        3: 10, 4: 30, 5: 5, 6: 20, 7: 40, 8: 60, 9: 80, 10: 120, 11: 14, 12: 56, 13: 112, 14: 168, 15: 25,
        16: 100, 17: 200, 18: 300, 19: 28, 20: 50, 21: 400, 22: 600, 23: 800, 24: 1200,
    }
)  # fmt: skip

#: MTU code of 2048 bytes, which OpenSM takes where a broadcast group names none (partition-config.txt).
DEFAULT_MTU_CODE = 4


def _path(subnet: Subnet, partition: Partition) -> str:
    return device_path(subnet.device, f"partitions[{partition.name}]")


def _membership(partition: Partition, member: Membership | None) -> Membership:
    return member or partition.default_membership


def _adapter_memberships(subnet: Subnet, partition: Partition) -> dict[int, Membership]:
    """Return the membership of every adapter of the subnet that is in a partition; a later entry wins, as in OpenSM."""
    found: dict[int, Membership] = {}
    for entry in partition.members:
        guids = subnet.adapters if entry.member in _ADAPTER_WORDS else (entry.member,)
        for guid in guids:
            if isinstance(guid, int):
                found[guid] = _membership(partition, entry.membership)
    return found


@rule("FG504", "partition-key-wrong", Severity.ERROR, "a partition key out of range, or given to two partitions",
      Need.SUBNET_MANAGER)  # fmt: skip
def partition_key_wrong(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """OpenSM cuts a key to 15 bits, replaces 0, and merges partitions of one key: tenants meet who must not.

    Source: OpenSM, osm_prtn_config.c; IBTA volume 1, 10.9.1.1 (0x0000 is invalid).
    """
    for subnet in ctx.subnets:
        owners: dict[int, Partition] = {}
        for partition in subnet.manager.partitions or ():
            pkey = partition.pkey
            span = ctx.span(subnet.device, "subnet_manager", "partitions", partition.name)
            if pkey is None:
                continue
            first = owners.setdefault(pkey, partition)
            if not 0 < pkey <= DEFAULT_PKEY:
                yield kind.at(
                    _path(subnet, partition),
                    f"the key 0x{pkey:04x} is not one of 0x0001 to 0x7fff",
                    span=span,
                    numbers={"pkey": pkey},
                    remedy=f"give {partition.name} a key from 0x0001 to 0x7ffe",
                )
            if first is not partition:
                yield kind.at(
                    _path(subnet, partition),
                    f"the key 0x{pkey:04x} is that of {first.name} too",
                    span=span,
                    numbers={"pkey": pkey},
                    remedy=f"give {partition.name} a key of its own",
                )


@rule("FG505", "default-partition-closed", Severity.ERROR, "hosts cannot talk to each other in the default partition",
      Need.SUBNET_MANAGER)  # fmt: skip
def default_partition_closed(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """With a partitions file and no rule for 0x7fff all hosts become limited members, who reach only the SM.

    Limited members in the default partition are right where every host has another partition. Source: OpenSM,
    doc/partition-config.txt; IBTA volume 1, 10.9.3: two limited members do not communicate.
    """
    for subnet in ctx.subnets:
        partitions = subnet.manager.partitions
        if partitions is None:
            continue
        default = [partition for partition in partitions if partition.pkey == DEFAULT_PKEY]
        if not default:
            yield kind.at(
                device_path(subnet.device, "partitions"),
                "there is no rule for the default partition 0x7fff, so all hosts are limited members of it",
                span=ctx.span(subnet.device, "subnet_manager", "partitions"),
                remedy="add `Default=0x7fff : ALL=full, SELF=full ;`, or `ALL=limited` if hosts have other partitions",
            )
            continue
        shut = _shut_out(subnet, default[-1], [one for one in partitions if one.pkey != DEFAULT_PKEY])
        if shut:
            yield kind.at(
                _path(subnet, default[-1]),
                f"{shut} adapter ports are limited members and in no other partition: they reach only the SM",
                span=ctx.span(subnet.device, "subnet_manager", "partitions", default[-1].name),
                numbers={"adapter_ports": shut},
                remedy="make them full members of the default partition, or of a partition of their own",
            )


def _shut_out(subnet: Subnet, default: Partition, others: list[Partition]) -> int:
    """Return how many adapter ports have only a limited membership among limited members."""
    members = _adapter_memberships(subnet, default)
    if any(membership is not Membership.LIMITED for guid, membership in members.items() if guid in subnet.adapters):
        return 0
    elsewhere = {guid for partition in others for guid in _adapter_memberships(subnet, partition)}
    return len(subnet.adapters - elsewhere)


@rule("FG506", "partition-members-wrong", Severity.ERROR, "a partition without full members, or with unknown ones",
      Need.SUBNET_MANAGER)  # fmt: skip
def partition_members_wrong(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Limited members cannot talk to one another, and a GUID that is no port of the subnet is dropped without a word.

    Partitions take the GUIDs of adapter ports; a node GUID is unknown to them. Source: IBTA volume 1, 10.9.3; OpenSM,
    osm_prtn_config.c, where limited is the default.
    """
    for subnet in ctx.subnets:
        for partition in subnet.manager.partitions or ():
            if partition.pkey != DEFAULT_PKEY and _all_limited(partition):
                yield kind.at(
                    _path(subnet, partition),
                    "every member is limited" if partition.members else "there are no members",
                    span=ctx.span(subnet.device, "subnet_manager", "partitions", partition.name),
                    remedy=f"add `defmember=full` to {partition.name}, or `=full` to those whom the others reach",
                )
            listed = [entry.member for entry in partition.members if isinstance(entry.member, int)]
            unknown = [guid for guid in listed if guid not in subnet.adapters] if subnet.manager.nodes else []
            if unknown:
                label = format_guid(unknown[0])
                more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
                yield kind.at(
                    _path(subnet, partition),
                    f"{label}{more} {'is' if len(unknown) == 1 else 'are'} no adapter port of the subnet",
                    span=ctx.span(subnet.device, "subnet_manager", "partitions", partition.name, "members", label),
                    numbers={"unknown": len(unknown)},
                    remedy="list port GUIDs of adapters, as `ibstat -p` prints them",
                )


def _all_limited(partition: Partition) -> bool:
    """Return whether no host is a full member; switches and the SM itself do not count."""
    hosts = [entry for entry in partition.members if isinstance(entry.member, int) or entry.member in _ADAPTER_WORDS]
    return all(_membership(partition, entry.membership) is Membership.LIMITED for entry in hosts)


@rule("FG519", "ipoib-mtu-small", Severity.WARNING, "IPoIB with half of the possible MTU", Need.SUBNET_MANAGER)
def ipoib_mtu_small(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """An IPoIB group without an MTU gets 2048 bytes, so datagrams carry 2044; ports of today do 4096.

    The value is a code: 5 is 4096 bytes. Source: OpenSM, doc/partition-config.txt; OpenSM issue 31.
    """
    for subnet in ctx.subnets:
        for partition in subnet.manager.partitions or ():
            code = partition.mtu_code or DEFAULT_MTU_CODE
            if partition.ipoib and code <= DEFAULT_MTU_CODE:
                yield kind.at(
                    _path(subnet, partition),
                    f"the MTU of its IPoIB group is {128 << code} bytes"
                    + ("" if partition.mtu_code else ", OpenSM's default"),
                    span=ctx.span(subnet.device, "subnet_manager", "partitions", partition.name),
                    numbers={"mtu_bytes": 128 << code},
                    remedy=f"add `mtu=5` to {partition.name}",
                )


def _hosts(subnet: Subnet, partition: Partition) -> dict[int, Membership]:
    """Return the adapter ports of the subnet in a partition with their membership."""
    members = _adapter_memberships(subnet, partition)
    return {guid: membership for guid, membership in members.items() if guid in subnet.adapters}


@rule("FG526", "tenant-key-not-first", Severity.WARNING, "the only usable key of hosts is not first in their tables",
      Need.SUBNET)  # fmt: skip
def tenant_key_not_first(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Applications take entry 0 of a port's key table unless told otherwise, and OpenSM puts the default key there.

    Where hosts are only limited members of the default partition they then reach no one: collectives hang. A job that
    selects the index itself (`NCCL_IB_PKEY`) is not affected. Source: OpenSM, osm_pkey_mgr.c and `indx0` in
    doc/partition-config.txt; nccl issue 1323, nvshmem issue 82.
    """
    for subnet in ctx.subnets:
        partitions = subnet.manager.partitions or ()
        full = {
            guid
            for partition in partitions
            if partition.pkey == DEFAULT_PKEY
            for guid, membership in _hosts(subnet, partition).items()
            if membership is not Membership.LIMITED
        }
        tenants = {one.name: (one, _hosts(subnet, one)) for one in partitions if one.pkey != DEFAULT_PKEY}
        keys = Counter(guid for _, hosts in tenants.values() for guid in hosts)
        for name, (tenant, hosts) in tenants.items():
            # one with hosts that have another tenant too is left out: only one key can be first
            if tenant.index0 or not hosts or any(guid in full or keys[guid] > 1 for guid in hosts):
                continue
            yield kind.at(
                device_path(subnet.device, f"partitions[{name}]"),
                f"its key is not first in the tables of {len(hosts)} adapter ports, where the default key is of no use",
                span=ctx.span(subnet.device, "subnet_manager", "partitions", name),
                numbers={"adapter_ports": len(hosts)},
                remedy=f"add `indx0` to {name}",
            )


@rule("FG527", "ipoib-rate-too-high", Severity.ERROR, "an IPoIB group that some members are too slow for", Need.SUBNET)
def ipoib_rate_too_high(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A port whose link is slower than the group's rate may not join its broadcast group: it has no IPoIB at all.

    OpenSM says so in a verbose message only. Source: OpenSM, osm_sa_mcmember_record.c (`Port's RATE is less than`).
    """
    for subnet in ctx.subnets:
        for partition in subnet.manager.partitions or ():
            rate = RATE_GBPS.get(partition.rate_code or 0) if partition.ipoib else None
            if rate is None:
                continue
            speeds = {guid: port.speed_gbps for guid in _hosts(subnet, partition) for port in subnet.nodes[guid].ports}
            slow = {guid: speed for guid, speed in sorted(speeds.items()) if speed is not None and speed < rate}
            if slow:
                yield kind.at(
                    device_path(subnet.device, f"partitions[{partition.name}]"),
                    f"its IPoIB group has {rate} Gb/s, which {subnet.names(slow)} at {min(slow.values())} Gb/s "
                    "cannot join",
                    span=ctx.span(subnet.device, "subnet_manager", "partitions", partition.name),
                    numbers={"rate_gbps": rate, "slowest_gbps": min(slow.values()), "adapter_ports": len(slow)},
                    remedy=f"give {partition.name} the rate of its slowest member",
                )

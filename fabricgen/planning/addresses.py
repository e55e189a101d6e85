"""Addresses and AS numbers of an Ethernet fabric.

Everything follows from a switch's number and a port's number alone, never from how many there are, so growing a
cluster renumbers nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from fabricgen.core.diagnostics import Kind, Report
from fabricgen.core.provenance import Origin
from fabricgen.device import Role
from fabricgen.inventory import LoadedInventory, RoceFabric
from fabricgen.inventory.kinds import ASN_CONFLICT, POOL_TOO_SMALL
from fabricgen.topology import Cable, Device, Fabric

LAST_ASN = 4_294_967_294


@dataclass(frozen=True, slots=True)
class LinkAddresses:
    """The two addresses of a /31 (RFC 3021), lower tier's end first; None for an unnumbered link."""

    a: IPv4Address
    b: IPv4Address


@dataclass(frozen=True)
class AddressPlan:
    """Addresses and AS numbers.

    Attributes:
        loopbacks: by switch.
        server_blocks: by leaf, the network that its server links are numbered from and that it announces.
        links: one entry for each cable of the fabric, in its order.
        asns: by switch.
    """

    loopbacks: Mapping[str, IPv4Address]
    server_blocks: Mapping[str, IPv4Network]
    links: tuple[LinkAddresses | None, ...]
    asns: Mapping[str, int]


def plan_addresses(fabric: Fabric, loaded: LoadedInventory, report: Report) -> AddressPlan:
    """Plan the addresses and AS numbers of a RoCE fabric.

    Args:
        fabric: the built fabric.
        loaded: its inventory.
        report: takes FG124 and FG126.
    """
    return _Planner(fabric, loaded, report).plan()


class _Planner:
    def __init__(self, fabric: Fabric, loaded: LoadedInventory, report: Report) -> None:
        intent = loaded.inventory.fabrics[fabric.name]
        assert isinstance(intent, RoceFabric)
        self.fabric = fabric
        self.intent = intent
        self.loaded = loaded
        self.report = report
        self.leaves = list(fabric.of_role(Role.LEAF))

    def plan(self) -> AddressPlan:
        blocks = self.server_blocks()
        uplink_blocks = self.uplink_blocks()
        links = tuple(self.link(cable, blocks, uplink_blocks) for cable in self.fabric.cables)
        return AddressPlan(self.loopbacks(), blocks, links, self.asns())

    def too_small(self, field: str, pool: IPv4Network, needed: int, what: str) -> None:
        origin = self.origin("addressing", field)
        prefix = 32 - max(needed - 1, 1).bit_length()
        self.report.add(
            POOL_TOO_SMALL.at(
                origin.path,
                f"{pool} has {pool.num_addresses} addresses and {what} need {needed}",
                span=origin.span,
                remedy=f"set {origin.path} to a /{prefix} or larger",
                numbers={"needed_addresses": needed, "have_addresses": pool.num_addresses},
            )
        )

    def origin(self, *path: str) -> Origin:
        return self.loaded.origin("fabrics", self.fabric.name, *path)

    def loopbacks(self) -> dict[str, IPv4Address]:
        """Give leaves the lower half of the pool and spines the upper, each from the second address of its half."""
        pool = self.intent.addressing.loopbacks
        half = pool.num_addresses // 2
        most = max((device.index + 1 for device in self.fabric.switches), default=0)
        if most >= half:
            self.too_small("loopbacks", pool, 2 * (most + 1), f"{most} loopbacks in one half")
            return {}
        return {
            device.name: pool.network_address + (half if device.role is Role.SPINE else 0) + device.index + 1
            for device in self.fabric.switches
        }

    def server_blocks(self) -> dict[str, IPv4Network]:
        """Give each leaf a block with a /31 for each server port that it could have.

        Blocks of one rail lie together, in one part of the pool for each rail, so that a server can reach all of a
        rail by one route.
        """
        pool = self.intent.addressing.servers
        size = _power_of_two(2 * self.ports_of_leaf(server_side=True))
        rails = max((leaf.rail or 0 for leaf in self.leaves), default=0) + 1
        parts = _power_of_two(rails)
        units = max((self.unit(leaf) + 1 for leaf in self.leaves), default=0)
        if parts * units * size > pool.num_addresses:
            needed = parts * _power_of_two(units) * size
            self.too_small("servers", pool, needed, f"{units} blocks of {size} on each of {rails} rails")
            return {}
        part = pool.num_addresses // parts
        prefix = 32 - (size - 1).bit_length()
        return {
            leaf.name: IPv4Network(
                (int(pool.network_address) + (leaf.rail or 0) * part + self.unit(leaf) * size, prefix)
            )
            for leaf in self.leaves
        }

    def uplink_blocks(self) -> dict[str, int]:
        """Give each leaf a block with a /31 for each uplink that it could have; the first address as a number."""
        pool = self.intent.addressing.links
        if not isinstance(pool, IPv4Network):
            return {}
        size = _power_of_two(2 * self.ports_of_leaf(server_side=False))
        if size * len(self.leaves) > pool.num_addresses:
            self.too_small("links", pool, size * len(self.leaves), f"{len(self.leaves)} blocks of {size}")
            return {}
        return {leaf.name: int(pool.network_address) + leaf.index * size for leaf in self.leaves}

    def ports_of_leaf(self, *, server_side: bool) -> int:
        sizing = self.fabric.sizing
        return max(sizing.down_capacity if server_side else sizing.up_capacity, 1)

    def unit(self, leaf: Device) -> int:
        return (leaf.unit or 1) - 1

    def link(
        self, cable: Cable, blocks: Mapping[str, IPv4Network], uplink_blocks: Mapping[str, int]
    ) -> LinkAddresses | None:
        if self.fabric.by_name[cable.a.device].role is Role.SERVER:
            block = blocks.get(cable.b.device)
            if block is None:
                return None
            leaf = block.network_address + 2 * (cable.b.number - 1)
            return LinkAddresses(leaf + 1, leaf)
        first = uplink_blocks.get(cable.a.device)
        if first is None:
            return None
        near = IPv4Address(first + 2 * (cable.a.number - 1 - self.fabric.sizing.down_capacity))
        return LinkAddresses(near, near + 1)

    def asns(self) -> dict[str, int]:
        plan = self.intent.asn
        last = plan.leaf_first + len(self.leaves) - 1
        if last > LAST_ASN:
            self.asn_error(ASN_CONFLICT, last)
            return {}
        return {
            device.name: plan.spine if device.role is Role.SPINE else plan.leaf_first + device.index
            for device in self.fabric.switches
        }

    def asn_error(self, kind: Kind, last: int) -> None:
        origin = self.origin("asn", "leaf_first")
        self.report.add(
            kind.at(
                origin.path,
                f"the last of {len(self.leaves)} leaves would have AS number {last}, above {LAST_ASN}",
                span=origin.span,
                remedy=f"set {origin.path} to {LAST_ASN - len(self.leaves) + 1} or less",
            )
        )


def _power_of_two(value: int) -> int:
    """Return the smallest power of two that is at least ``value``."""
    return 1 << max(value - 1, 0).bit_length()

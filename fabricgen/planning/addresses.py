"""Addresses and AS numbers of an Ethernet fabric.

Everything follows from a switch's number and a port's number alone, never from how many there are, so growing a
cluster renumbers nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network
from itertools import combinations

from fabricgen.core.diagnostics import Kind, Report
from fabricgen.core.provenance import Origin
from fabricgen.device import Role
from fabricgen.inventory import LoadedInventory, RoceFabric
from fabricgen.inventory.kinds import ASN_CONFLICT, POOL_TOO_SMALL
from fabricgen.topology import Cable, Device, Fabric

LAST_ASN = 4_294_967_294

#: Name of the main leaves' group.
MAIN = "leaf"

#: Leaf groups beside the main one; each has this part of their pool.
MOST_OTHER_GROUPS = 16

#: AS numbers of other leaf groups start so far above those of the main leaves.
OTHER_ASN_OFFSET = 100_000


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
        """Number leaves from the second address of the pool and spines from that of its upper half.

        What else there is counts down from the end of the same half: other leaf groups, and cores.
        """
        pool = self.intent.addressing.loopbacks
        half = pool.num_addresses // 2
        lower = self.main_count + self.other_count + 1
        size = self.fabric.sizing
        upper = size.spines + size.cores + (2 if size.cores else 1)
        most = max(lower, upper)
        if most > half:
            self.too_small("loopbacks", pool, 2 * most, f"{most - 1} loopbacks in one half")
            return {}
        first = int(pool.network_address)
        return {device.name: IPv4Address(first + self.loopback_offset(device, half)) for device in self.fabric.switches}

    def loopback_offset(self, device: Device, half: int) -> int:
        """Return a switch's place in a pool of two halves."""
        if device.role is Role.SPINE:
            return half + device.index + 1
        if device.role is Role.CORE:
            return 2 * half - 2 - device.index
        return device.index + 1 if device.group == MAIN else half - 1 - self.fabric.other_number(device)

    def server_blocks(self) -> dict[str, IPv4Network]:
        """Give each leaf a block with a /31 for each server port that it could have.

        Blocks of one rail (and plane) lie together, in one part of the pool, so that a server can reach all of a rail
        by one route. Other leaf groups have one sixteenth of a pool of their own.
        """
        return {**self.main_blocks(), **self.other_blocks()}

    def main_blocks(self) -> dict[str, IPv4Network]:
        pool, leaves = self.intent.addressing.servers, [leaf for leaf in self.leaves if leaf.group == MAIN]
        room = self.fabric.rooms[MAIN]
        size = _power_of_two(2 * max(room.numbers or room.down, 1))
        per_unit = self.fabric.leaves_per_unit
        units = len(leaves) // per_unit
        parts = _power_of_two(per_unit)
        if parts * units * size > pool.num_addresses:
            needed = parts * _power_of_two(units) * size
            self.too_small("servers", pool, needed, f"{units} blocks of {size} on each of {per_unit} rails")
            return {}
        part, prefix, first = pool.num_addresses // parts, 33 - size.bit_length(), int(pool.network_address)
        return {
            leaf.name: IPv4Network((first + leaf.index % per_unit * part + leaf.index // per_unit * size, prefix))
            for leaf in leaves
        }

    def other_blocks(self) -> dict[str, IPv4Network]:
        pool = self.intent.addressing.other_servers
        part = pool.num_addresses // MOST_OTHER_GROUPS
        blocks: dict[str, IPv4Network] = {}
        for number, group in enumerate(self.fabric.other_groups):
            leaves = [leaf for leaf in self.leaves if leaf.group == group]
            size = _power_of_two(2 * max(self.fabric.rooms[group].down, 1))
            if size * len(leaves) > part or number >= MOST_OTHER_GROUPS:
                needed = MOST_OTHER_GROUPS * _power_of_two(len(leaves)) * size
                self.too_small("other_servers", pool, needed, f"{len(leaves)} blocks of {size} in one sixteenth")
                return {}
            first, prefix = int(pool.network_address) + number * part, 33 - size.bit_length()
            blocks |= {leaf.name: IPv4Network((first + leaf.index * size, prefix)) for leaf in leaves}
        return blocks

    def uplink_blocks(self) -> dict[str, int]:
        """Give each switch a block with a /31 for each uplink that it could have; the first address as a number.

        Leaves count from the start of the pool. Other leaf groups count down from the middle, spines up from it, if
        there are any that need it.
        """
        pool = self.intent.addressing.links
        if not isinstance(pool, IPv4Network):
            return {}
        first = int(pool.network_address)
        spines = list(self.fabric.of_role(Role.SPINE)) if self.fabric.sizing.cores else []
        middle = pool.num_addresses // (2 if spines or self.other_count else 1)
        size = self.block_size(MAIN)
        other = max((self.block_size(group) for group in self.fabric.other_groups), default=0)
        lower, upper = size * self.main_count + other * self.other_count, len(spines) * self.block_size("spine")
        if lower > middle or upper > middle:
            needed = pool.num_addresses // middle * max(lower, upper)
            what = f"the blocks of {len(self.leaves)} leaves"
            self.too_small("links", pool, needed, f"{what} and {len(spines)} spines" if spines else what)
            return {}
        blocks = {}
        for leaf in self.leaves:
            if leaf.group == MAIN:
                blocks[leaf.name] = first + leaf.index * size
            else:
                blocks[leaf.name] = first + middle - (self.fabric.other_number(leaf) + 1) * other
        blocks |= {spine.name: first + middle + spine.index * self.block_size("spine") for spine in spines}
        return blocks

    def block_size(self, group: str) -> int:
        """Return the addresses of a block with a /31 for each uplink of a switch."""
        room = self.fabric.rooms.get(group)
        return _power_of_two(2 * max(room.numbers or room.up, 1)) if room else 0

    @property
    def main_count(self) -> int:
        return sum(leaf.group == MAIN for leaf in self.leaves)

    @cached_property
    def other_count(self) -> int:
        """Return the numbers that the other leaf groups take up, gaps included."""
        return max((self.fabric.other_number(leaf) + 1 for leaf in self.leaves if leaf.group != MAIN), default=0)

    def link(
        self, cable: Cable, blocks: Mapping[str, IPv4Network], uplink_blocks: Mapping[str, int]
    ) -> LinkAddresses | None:
        lower = self.fabric.by_name[cable.a.device]
        if lower.role is Role.SERVER:
            block = blocks.get(cable.b.device)
            if block is None:
                return None
            leaf = block.network_address + 2 * (cable.b.number - 1)
            return LinkAddresses(leaf + 1, leaf)
        first = uplink_blocks.get(lower.name)
        if first is None:
            return None
        room = self.fabric.rooms[lower.group]
        near = IPv4Address(first + 2 * (cable.a.number - 1 - (0 if room.numbers else room.down)))
        return LinkAddresses(near, near + 1)

    def asns(self) -> dict[str, int]:
        plan = self.intent.asn
        last = plan.leaf_first - 1 + (OTHER_ASN_OFFSET + self.other_count if self.other_count else self.main_count)
        if last > LAST_ASN:
            self.asn_error(ASN_CONFLICT, last)
            return {}
        self.check_asns(plan.spine + max(self.fabric.sizing.pods, 1) - 1, last)
        return {device.name: self.asn(device) for device in self.fabric.switches}

    def check_asns(self, last_spine: int, last_leaf: int) -> None:
        """Add FG126 where the numbers of two tiers overlap; the inventory's own check has no counts."""
        plan = self.intent.asn
        tiers = [("spine", plan.spine, last_spine), ("leaf_first", plan.leaf_first, last_leaf)]
        if self.fabric.sizing.cores:
            tiers.append(("core", plan.core, plan.core))
        for (first_field, low, high), (field, start, end) in combinations(tiers, 2):
            if start <= high and low <= end:
                origin = self.origin("asn", field)
                self.report.add(
                    ASN_CONFLICT.at(
                        origin.path,
                        f"the numbers {start} to {end} lie among those of `{first_field}`, {low} to {high}",
                        span=origin.span,
                        remedy=f"set {origin.path} to a number above {high}, or one so low that none overlaps",
                    )
                )

    def asn(self, device: Device) -> int:
        """Return a switch's AS number; the spines of a pod share one, and all cores do."""
        plan = self.intent.asn
        if device.role is Role.CORE:
            return plan.core
        if device.role is Role.SPINE:
            return plan.spine + (device.pod or 1) - 1
        if device.group == MAIN:
            return plan.leaf_first + device.index
        return plan.leaf_first + OTHER_ASN_OFFSET + self.fabric.other_number(device)

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

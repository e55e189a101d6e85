"""What a design is asked to build: the inventory's words resolved against the catalog, every choice made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fabricgen.catalog import Adapter, Catalog, Switch
from fabricgen.core.diagnostics import Diagnostic, Kind, Report
from fabricgen.core.provenance import Origin
from fabricgen.inventory import FabricIntent, LoadedInventory
from fabricgen.inventory.kinds import TOO_FEW_PORTS
from fabricgen.inventory.models import LeafGroup, SwitchTier
from fabricgen.inventory.scalars import Ratio
from fabricgen.topology.choices import Chooser, speeds_of
from fabricgen.topology.endpoints import AdapterNumbers, Path, RequestedServer, Resolver, Slot, resolve_servers
from fabricgen.topology.fabric import FabricKind
from fabricgen.topology.ports import Halves, PortRun, divide, whole_switch

#: Name of the fabric's main leaves among its leaf groups.
MAIN = "leaf"


@dataclass(frozen=True)
class LeafRequest:
    """One group of leaves: what it is made of and what it takes.

    Attributes:
        group: ``leaf``, or the name in ``other_leaves``.
        path: where it stands, below the fabric.
        servers_path: where the number of servers that share a leaf stands.
        down: ports for servers.
        up: ports for spines; None where the fabric has no spines.
        external_ports: ports of each leaf that lead outside.
    """

    group: str
    path: Path
    servers_path: Path
    tier: SwitchTier
    switch: Switch
    slots: tuple[Slot, ...]
    servers_per_unit: int | None
    link_gbps: int
    oversubscription: Ratio
    down: PortRun
    up: PortRun | None
    external_ports: int = 0

    @property
    def up_capacity(self) -> int:
        """Return the number of uplink ports."""
        return self.up.capacity if self.up else 0


@dataclass(frozen=True)
class Request:
    """What a fabric asks for, whatever its design.

    Attributes:
        resolver: its inventory, the catalog and the report.
    """

    name: str
    kind: FabricKind
    intent: FabricIntent
    resolver: Resolver

    def origin(self, *path: str | int) -> Origin:
        """Return the origin of a value of this fabric."""
        return self.resolver.loaded.origin("fabrics", self.name, *path)

    def finding(self, kind: Kind, path: Path, summary: str, remedy: str) -> Diagnostic:
        """Return a finding about a value of this fabric."""
        return self.resolver.finding(kind, path, summary, remedy)


@dataclass(frozen=True)
class FabricRequest(Request):
    """Everything that a Clos design needs, resolved.

    Attributes:
        leaf: the main leaves.
        others: leaves for other servers on the same spines, in the inventory's order.
        spine: model of the spines, if there may be any.
        spine_whole: all ports of a spine, for two tiers.
        spine_halves: its ports to leaves and to cores, for three tiers; None where there is no core model.
    """

    leaf: LeafRequest
    others: tuple[LeafRequest, ...]
    uplink_gbps: int
    spine: Switch | None
    spine_whole: PortRun | None
    core: Switch | None
    core_gbps: int
    spine_halves: Halves | None
    core_whole: PortRun | None

    @cached_property
    def servers(self) -> tuple[RequestedServer, ...]:
        """Return all servers once, in order; a server may stand below several leaf groups."""
        slots = (slot for leaf in (self.leaf, *self.others) for slot in leaf.slots)
        return tuple({server.name: server for slot in slots for server in slot}.values())


def resolve_fabric(loaded: LoadedInventory, name: str, catalog: Catalog, report: Report) -> FabricRequest | None:
    """Resolve one fabric of an inventory.

    Args:
        loaded: the inventory.
        name: the fabric's name.
        catalog: the device library.
        report: takes FG120, FG121, FG132, FG133, FG134, FG136 and FG140.

    Returns:
        The request, or None if anything was wrong.
    """
    return _FabricResolver(Resolver(loaded, name, catalog, report)).request()


@dataclass(frozen=True)
class _Asked:
    """A leaf group as the inventory has it."""

    group: str
    path: Path
    tier: SwitchTier
    slots: tuple[Slot, ...]
    adapters: tuple[Adapter, ...]

    @property
    def no_servers(self) -> bool:
        """Return whether the leaves are to take no servers."""
        return isinstance(self.tier, LeafGroup) and not self.tier.endpoints


class _FabricResolver(Chooser):
    """The steps of :func:`resolve_fabric`."""

    def request(self) -> FabricRequest | None:
        asked = list(self.leaf_groups())
        switches = [self.switch(group.tier, group.path) for group in asked]
        spine = self.optional("spine", self.intent.spine)
        core = self.optional("core", self.intent.core)
        leaves = [switch for switch in switches if switch is not None]
        if len(leaves) < len(asked) or not all(group.adapters or group.no_servers for group in asked):
            return None
        if (spine is None and self.intent.spine) or (core is None and self.intent.core):
            return None
        uplink = core_gbps = 0
        if spine is not None:
            uplink = self.speed(("uplink_speed",), speeds_of(*leaves, spine), self.intent.uplink_speed)
        if spine is not None and core is not None:
            core_gbps = self.speed(("core_speed",), speeds_of(spine, core), self.intent.core_speed, ("core", "model"))
        if (spine and not uplink) or (core and not core_gbps):
            return None
        found = [self.leaf(group, switch, uplink) for group, switch in zip(asked, leaves, strict=True)]
        whole = [leaf for leaf in found if leaf is not None]
        if len(whole) < len(asked):
            return None
        halves = None
        if spine is not None and core is not None:
            halves = divide(spine, uplink, core_gbps, self.intent.spine_oversubscription)
        return FabricRequest(
            name=self.resolver.name,
            kind=self.intent.type,
            intent=self.intent,
            resolver=self.resolver,
            leaf=whole[0],
            others=tuple(whole[1:]),
            uplink_gbps=uplink,
            spine=spine,
            spine_whole=whole_switch(spine, uplink) if spine else None,
            core=core,
            core_gbps=core_gbps,
            spine_halves=halves,
            core_whole=whole_switch(core, core_gbps) if core else None,
        )

    def leaf_groups(self) -> Iterator[_Asked]:
        numbers = AdapterNumbers()
        slots, adapters = resolve_servers(self.resolver, self.intent.endpoints, ("endpoints",), numbers)
        yield _Asked(MAIN, ("leaf",), self.intent.leaf, slots, adapters)
        for name, group in self.intent.other_leaves.items():
            path: Path = ("other_leaves", name)
            slots, adapters = resolve_servers(self.resolver, group.endpoints, (*path, "endpoints"), numbers)
            if not group.endpoints and not (group.count and group.external_ports):
                self.resolver.add(
                    TOO_FEW_PORTS,
                    path,
                    "the leaves take no servers and lead nowhere",
                    "give `endpoints`, or `count` and `external_ports`",
                )
            yield _Asked(name, path, group, slots, adapters)

    def optional(self, what: str, tier: SwitchTier | None) -> Switch | None:
        return None if tier is None else self.switch(tier, (what,))

    def leaf(self, asked: _Asked, switch: Switch, uplink_gbps: int) -> LeafRequest | None:
        """Return a leaf group with its link speed and its cages divided."""
        other = asked.tier if isinstance(asked.tier, LeafGroup) else None
        path = asked.path if other else ()
        ends = [*(self.adapter_speeds(adapter) for adapter in asked.adapters), *speeds_of(switch)]
        asked_speed = (other or self.intent).link_speed
        link = self.speed((*path, "link_speed"), ends, asked_speed, (*asked.path, "model"))
        if not link:
            return None
        ratio = (other or self.intent).oversubscription
        halves = self.halves(switch, link, uplink_gbps, ratio)
        if halves is None:
            self.resolver.add(
                TOO_FEW_PORTS,
                (*asked.path, "model"),
                f"no division of {switch.model}'s cages gives {link}G server ports and enough {uplink_gbps}G uplinks "
                f"at {ratio}",
                "raise `oversubscription`, or choose another leaf model or uplink speed",
            )
            return None
        down, up = halves
        return LeafRequest(
            group=asked.group,
            path=asked.path,
            servers_path=(*path, "servers_per_unit"),
            tier=asked.tier,
            switch=switch,
            slots=asked.slots,
            servers_per_unit=(other or self.intent).servers_per_unit,
            link_gbps=link,
            oversubscription=ratio,
            down=down,
            up=up,
            external_ports=other.external_ports if other else 0,
        )

    def halves(
        self, switch: Switch, link_gbps: int, uplink_gbps: int, ratio: Ratio
    ) -> tuple[PortRun, PortRun | None] | None:
        if self.intent.spine is None:
            whole = whole_switch(switch, link_gbps)
            return None if whole is None else (whole, None)
        halves = divide(switch, link_gbps, uplink_gbps, ratio)
        return None if halves is None else (halves.down, halves.up)

"""Clos fabrics of one to three tiers, in one or more planes: devices and cables of what the designs decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabricgen.core.diagnostics import Report
from fabricgen.device import Role
from fabricgen.inventory.models import SwitchTier
from fabricgen.inventory.scalars import fill_pattern
from fabricgen.topology.fabric import Cable, Device, Fabric, Room, Sizing
from fabricgen.topology.leaves import LeafPlan, LeafSet
from fabricgen.topology.lengths import Lengths
from fabricgen.topology.ports import PortRun
from fabricgen.topology.racks import place
from fabricgen.topology.request import MAIN, FabricRequest
from fabricgen.topology.sizing import PlaneSize, size_plane, uplinks_needed
from fabricgen.topology.tiers import Demand


def build_clos(
    request: FabricRequest, leaf_sets: Sequence[LeafSet], report: Report, *, planes: int = 1, three_tiers: bool = False
) -> Fabric | None:
    """Size and make a fabric.

    Args:
        request: the resolved fabric.
        leaf_sets: the main leaves, then those of the other leaf groups.
        report: takes FG132, FG135 and FG147.
        planes: number of planes; equal, and joined by nothing but the servers.
        three_tiers: whether there are cores whatever the number of servers.
    """
    demands = [
        Demand(
            leaves=len(leaves.leaves) // planes,
            uplinks=uplinks_needed(leaves.request, leaves.downlinks, request.uplink_gbps) if request.spine else 0,
            most=leaves.request.up_capacity,
        )
        for leaves in leaf_sets
    ]
    size = size_plane(request, demands, leaf_sets[0].per_unit, report, planes=planes, three_tiers=three_tiers)
    return _Assembly(request, leaf_sets, size, planes, demands, Lengths(request, report)).fabric() if size else None


@dataclass(frozen=True)
class _Assembly:
    """The devices and cables of a sized fabric."""

    request: FabricRequest
    leaf_sets: Sequence[LeafSet]
    size: PlaneSize
    planes: int
    demands: Sequence[Demand]
    lengths: Lengths

    def fabric(self) -> Fabric:
        leaves = [self.leaves(leaf_set) for leaf_set in self.leaf_sets]
        spines = self.spines()
        cores = self.cores()
        servers = [server.device() for server in self.request.servers]
        cables: list[Cable] = []
        for leaf_set, devices in zip(self.leaf_sets, leaves, strict=True):
            cables += self.server_cables(leaf_set, devices)
        for group, (leaf_set, devices) in enumerate(zip(self.leaf_sets, leaves, strict=True)):
            cables += self.leaf_spine_cables(group, leaf_set, devices, spines)
        cables += self.spine_core_cables(spines, cores)
        return Fabric(
            name=self.request.name,
            kind=self.request.kind,
            design=self.request.intent.design,
            devices=(*servers, *(leaf for group in leaves for leaf in group), *spines, *cores),
            cables=tuple(cables),
            sizing=self.sizing(len(servers)),
            rooms=self.rooms(),
        )

    # devices

    def leaves(self, leaf_set: LeafSet) -> list[Device]:
        """Return the leaves of a group; those of a unit stand in one pod."""
        request, main = leaf_set.request, leaf_set.request.group == MAIN
        per_pod = self.size.leaves_per_pod
        seen: Counter[int] = Counter()
        devices = []
        names = _Names(request.group, Role.LEAF, request.tier, self.planes)
        for index, leaf in enumerate(leaf_set.leaves):
            pod = 1 + seen[leaf.place.plane] // per_pod if main else 1
            seen[leaf.place.plane] += 1
            devices.append(self.device(names, index, leaf.place.plane, pod, leaf))
        return devices

    def spines(self) -> list[Device]:
        """Return the spines: plane after plane for each number, so that a new one is the last of all."""
        tier = self.request.intent.spine
        count = self.size.fit.spines
        if tier is None or not count:
            return []
        names = _Names(Role.SPINE.value, Role.SPINE, tier, self.planes)
        return [
            self.device(names, (pod * count + number) * self.planes + plane, plane, pod + 1)
            for pod in range(self.size.pods)
            for number in range(count)
            for plane in range(self.planes)
        ]

    def cores(self) -> list[Device]:
        tier = self.request.intent.core
        if tier is None or self.size.cores is None:
            return []
        names = _Names(Role.CORE.value, Role.CORE, tier, self.planes)
        return [
            self.device(names, number * self.planes + plane, plane)
            for number in range(self.size.cores.cores)
            for plane in range(self.planes)
        ]

    def device(
        self, names: _Names, index: int, plane: int, pod: int | None = None, leaf: LeafPlan | None = None
    ) -> Device:
        tier = names.tier
        rail = leaf.place.rail if leaf else None
        unit = leaf.unit if leaf else None
        return Device(
            name=names.name(plane=plane + 1, pod=pod or 1, unit=unit or 1, rail=(rail or 0) + 1),
            role=names.role,
            hardware=tier.model,
            group=names.group,
            index=index,
            unit=unit,
            rail=rail,
            plane=plane if self.planes > 1 else None,
            pod=pod if self.size.cores else None,
            nos=tier.nos,
            place=place(tier.racks, index),
            origin=self.request.origin(*self.path(names.group)),
        )

    def path(self, group: str) -> tuple[str, ...]:
        return (group,) if group in {MAIN, "spine", "core"} else ("other_leaves", group)

    # cables

    def server_cables(self, leaf_set: LeafSet, devices: Sequence[Device]) -> Iterator[Cable]:
        request, speed = leaf_set.request, leaf_set.request.link_gbps
        path = ("endpoints",) if request.group == MAIN else (*request.path, "endpoints")
        origin, down, lengths = self.request.origin(*path), request.down, self.lengths
        for plan, leaf in zip(leaf_set.leaves, devices, strict=True):
            for index, (server, endpoint) in enumerate(plan.ports):
                length, length_origin = lengths.between("server", server.place, leaf.place)
                near, far = endpoint.at(server.name, speed), down.port(leaf.name, index)
                yield Cable(near, far, speed, length, endpoint.rail, origin, length_origin)

    def leaf_spine_cables(
        self, group: int, leaf_set: LeafSet, leaves: Sequence[Device], spines: Sequence[Device]
    ) -> Iterator[Cable]:
        """Join every leaf to every spine of its pod; a leaf's uplinks ascend by spine.

        A spine's ports ascend by leaf for the main leaves, and descend from the last for the others.
        """
        run = self.spine_run
        up = leaf_set.request.up
        if not spines or run is None or up is None:
            return
        fit, main = self.size.fit, group == 0
        links = fit.links if main else fit.others.links[group - 1]
        speed, origin = self.request.uplink_gbps, self.request.origin("spine")
        seen: Counter[int] = Counter()
        for plan, leaf in zip(leaf_set.leaves, leaves, strict=True):
            plane, place = plan.place.plane, seen[plan.place.plane]
            seen[plane] += 1
            if main:
                pod, row = divmod(place, self.size.leaves_per_pod)
                first, step = row * links, 1
            else:
                pod, slot = 0, fit.others.slot(group - 1, place)
                first, step = run.capacity - 1 - slot * fit.others.stride, -1
            for column in range(fit.spines):
                spine = spines[(pod * fit.spines + column) * self.planes + plane]
                length, length_origin = self.lengths.between("spine", leaf.place, spine.place)
                for link in range(links):
                    near = up.port(leaf.name, column * links + link)
                    far = run.port(spine.name, first + step * link)
                    yield Cable(near, far, speed, length, leaf.rail, origin, length_origin)

    def spine_core_cables(self, spines: Sequence[Device], cores: Sequence[Device]) -> Iterator[Cable]:
        """Join spine j of every pod to the same cores; a core's ports ascend by pod, so that a new pod comes last."""
        halves, whole, fit = self.request.spine_halves, self.request.core_whole, self.size.cores
        if fit is None or halves is None or whole is None:
            return
        count, links, speed = self.size.fit.spines, fit.links, self.request.core_gbps
        sharing = max(count // fit.cores, 1)
        origin = self.request.origin("core")
        for index, spine in enumerate(spines):
            number, plane = divmod(index, self.planes)
            pod, place = divmod(number, count)
            row = pod * sharing + place // fit.cores
            for column in range(fit.each):
                core = cores[(column * count + place % fit.cores) * self.planes + plane]
                length, length_origin = self.lengths.between("core", spine.place, core.place)
                for link in range(links):
                    near = halves.up.port(spine.name, column * links + link)
                    far = whole.port(core.name, row * links + link)
                    yield Cable(near, far, speed, length, None, origin, length_origin)

    @property
    def spine_run(self) -> PortRun | None:
        halves = self.request.spine_halves
        return halves.down if self.size.cores and halves else self.request.spine_whole

    # what was decided

    def rooms(self) -> Mapping[str, Room]:
        request = self.request
        rooms = {
            leaf_set.request.group: Room(leaf_set.request.down.capacity, leaf_set.request.up_capacity)
            for leaf_set in self.leaf_sets
        }
        if request.spine_whole is not None:
            up = request.spine_halves.up.capacity if self.size.cores and request.spine_halves else 0
            rooms["spine"] = Room(self.spine_run.capacity if self.spine_run else 0, up)
        if request.core_whole is not None:
            rooms["core"] = Room(request.core_whole.capacity, 0)
        return rooms

    def sizing(self, servers: int) -> Sizing:
        size, main, demand = self.size, self.leaf_sets[0], self.demands[0]
        spines = size.fit.spines * size.pods * self.planes
        reasons = list(size.reasons)
        if spines:
            ratio = main.request.oversubscription
            downlinks = f"{main.downlinks} server links of {main.request.link_gbps}G"
            needed = f"{demand.uplinks} uplink{'' if demand.uplinks == 1 else 's'} of {self.request.uplink_gbps}G"
            reasons.insert(0, f"{downlinks} on each leaf at {ratio} need {needed}")
        if self.planes > 1:
            reasons = [f"{self.planes} planes, and in each of them:", *reasons]
        return Sizing(
            servers=servers,
            units=len({leaf.unit for leaf in main.leaves}),
            planes=self.planes,
            pods=size.pods if size.cores else 0,
            leaves=sum(len(leaf_set.leaves) for leaf_set in self.leaf_sets),
            spines=spines,
            cores=size.cores.cores * self.planes if size.cores else 0,
            downlinks_per_leaf=main.downlinks,
            uplinks_per_leaf=size.fit.spines * size.fit.links,
            links_per_spine=size.fit.links,
            uplinks_per_spine=size.cores.uplinks if size.cores else 0,
            links_per_core=size.cores.links if size.cores else 0,
            reasons=tuple(reasons),
        )


class _Names:
    """Names of the switches of a group: each counts those that share its other numbers, by the pattern's words."""

    def __init__(self, group: str, role: Role, tier: SwitchTier, planes: int) -> None:
        default = f"{group}-{{n:02d}}"
        self.group = group
        self.role = role
        self.tier = tier
        self._pattern = tier.name or (f"p{{plane}}-{default}" if planes > 1 else default)
        self._words = [word for word in ("plane", "pod", "unit", "rail") if f"{{{word}" in self._pattern]
        self._seen: Counter[tuple[int, ...]] = Counter()

    def name(self, **fields: int) -> str:
        """Return the name of the next switch."""
        key = tuple(fields[word] for word in self._words)
        self._seen[key] += 1
        return fill_pattern(self._pattern, self._seen[key], self.group, **fields)

"""Two-tier Clos fabrics: sizing, and the leaf-spine links that all designs of this family share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabricgen.core.diagnostics import Report
from fabricgen.core.provenance import Origin
from fabricgen.core.units import ceil_div
from fabricgen.device import Role
from fabricgen.inventory.kinds import LENGTH_UNKNOWN, TOO_FEW_PORTS
from fabricgen.inventory.models import SwitchTier
from fabricgen.inventory.scalars import fill_pattern
from fabricgen.topology.fabric import Cable, Device, Fabric, Port, RackPlace, Sizing
from fabricgen.topology.ports import make_port, split_for
from fabricgen.topology.racks import cable_length_cm, place
from fabricgen.topology.request import Endpoint, FabricRequest, RequestedServer


@dataclass(frozen=True, slots=True)
class Units:
    """Servers divided into units, which share leaves.

    Attributes:
        size: servers of a full unit; the last one, or a single one, may hold fewer.
    """

    size: int
    servers: tuple[tuple[RequestedServer, ...], ...]


@dataclass(frozen=True, slots=True)
class LeafPlan:
    """One leaf of a design: where it belongs, and which server ports it takes, in order."""

    unit: int
    rail: int | None
    servers: tuple[tuple[RequestedServer, Endpoint], ...]


def spine_count(leaves: int, uplinks: int, *, most_uplinks: int, spine_ports: int) -> tuple[int, int] | None:
    """Return the fewest spines that take every leaf's uplinks evenly, and the links from each leaf to each spine.

    Every leaf has the same number of links to every spine. With all uplink ports in use this is the smallest divisor
    of the uplinks that is at least ``ceil(links / spine ports)``, the rule behind NVIDIA's published SuperPOD tables
    (H100, B200 and B300 reference architectures); a leaf with spare uplink ports may take a few more links instead of
    more spines. There are at least two spines where a leaf has two uplinks, so that one may fail.

    Args:
        leaves: number of leaves.
        uplinks: least links that each leaf needs.
        most_uplinks: uplink ports that each leaf has.
        spine_ports: ports of a spine.

    Returns:
        (spines, links per leaf and spine), or None if no number of spines fits.
    """
    for spines in range(max(ceil_div(leaves * uplinks, spine_ports), min(2, uplinks)), most_uplinks + 1):
        links = ceil_div(uplinks, spines)
        if links * spines <= most_uplinks and leaves * links <= spine_ports:
            return spines, links
    return None


def _size(request: FabricRequest, leaves: Sequence[LeafPlan], downlinks_per_leaf: int, report: Report) -> Sizing | None:
    units = len({leaf.unit for leaf in leaves})
    ratio = request.intent.oversubscription
    needed = ceil_div(downlinks_per_leaf * request.link_gbps * ratio.up, request.uplink_gbps * ratio.down)
    downlinks = f"{downlinks_per_leaf} server links of {request.link_gbps}G"
    reasons = [f"{downlinks} on each leaf at {ratio} need {needed} uplinks of {request.uplink_gbps}G"]
    fixed = request.intent.spine.count
    if len(leaves) == 1 and fixed is None:
        reasons = ["a single leaf needs no spine"]
        return _sizing(request, units, leaves, downlinks_per_leaf, (0, 0), reasons)
    found = _spines(request, len(leaves), needed, report)
    if found is None:
        return None
    spines, links = found
    reasons.append(
        f"{len(leaves)} leaves x {needed} uplinks / {request.spine_ports} ports of a {request.spine.model} = "
        f"{_count(ceil_div(len(leaves) * needed, request.spine_ports), 'spine')} at least"
    )
    reasons.append(
        f"{_count(spines, 'spine')} take{'s' if spines == 1 else ''} {_count(links, 'link')} from every leaf"
        + (f", {spines * links} uplinks a leaf" if spines * links != needed else "")
        + (" (the number of spines is given)" if fixed else "")
    )
    return _sizing(request, units, leaves, downlinks_per_leaf, found, reasons)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _sizing(
    request: FabricRequest,
    units: int,
    leaves: Sequence[LeafPlan],
    downlinks_per_leaf: int,
    found: tuple[int, int],
    reasons: list[str],
) -> Sizing:
    spines, links = found
    return Sizing(
        servers=len(request.servers),
        units=units,
        leaves=len(leaves),
        spines=spines,
        downlinks_per_leaf=downlinks_per_leaf,
        uplinks_per_leaf=spines * links,
        links_per_spine=links,
        down_capacity=request.halves.down_capacity,
        up_capacity=request.halves.up_capacity,
        reasons=tuple(reasons),
    )


def _spines(request: FabricRequest, leaves: int, needed: int, report: Report) -> tuple[int, int] | None:
    most = request.halves.up_capacity
    fixed = request.intent.spine.count
    if fixed is None:
        found = spine_count(leaves, needed, most_uplinks=most, spine_ports=request.spine_ports)
        if found is None:
            report.add(
                request.finding(
                    TOO_FEW_PORTS,
                    ("spine", "model"),
                    f"{leaves} leaves with {needed} uplinks each do not fit on spines of {request.spine_ports} ports "
                    f"of {request.uplink_gbps}G: two tiers hold {request.spine_ports} leaves at most",
                    "lower `count` of the servers, raise `oversubscription`, or choose a spine with more ports",
                )
            )
        return found
    links = ceil_div(needed, fixed)
    if links * fixed <= most and leaves * links <= request.spine_ports:
        return fixed, links
    report.add(
        request.finding(
            TOO_FEW_PORTS,
            ("spine", "count"),
            f"{fixed} spines need {links} links from each of {leaves} leaves: {links * fixed} uplink ports of {most} "
            f"on a leaf, {leaves * links} ports of {request.spine_ports} on a spine",
            "change `count` of the spines, or leave it out to have it computed",
        )
    )
    return None


def servers_by_unit(request: FabricRequest, ports_per_server: int, where: str, report: Report) -> Units | None:
    """Divide the servers among units, in order.

    Args:
        request: the resolved fabric.
        ports_per_server: ports of one server on one leaf.
        where: what a leaf holds those ports for, in words.
        report: takes FG132.

    Returns:
        The units, or None where a unit does not fit.
    """
    most = request.halves.down_capacity // ports_per_server
    per_unit = request.intent.servers_per_unit or min(most, len(request.servers))
    if per_unit > most or most == 0:
        ports = f"{ports_per_server} port{'s' if ports_per_server > 1 else ''} of {request.link_gbps}G"
        report.add(
            request.finding(
                TOO_FEW_PORTS,
                ("servers_per_unit",),
                f"a leaf holds {most} servers with {ports} {where} at {request.intent.oversubscription}, "
                f"and {per_unit} are to share it",
                f"set it to {most} or less, or raise `oversubscription`",
            )
        )
        return None
    firsts = range(0, len(request.servers), per_unit)
    return Units(per_unit, tuple(request.servers[first : first + per_unit] for first in firsts))


def build_two_tiers(
    request: FabricRequest, leaves: Sequence[LeafPlan], downlinks_per_leaf: int, report: Report
) -> Fabric | None:
    """Size and make a two-tier fabric.

    Args:
        request: the resolved fabric.
        leaves: the leaves in the order of their numbers.
        downlinks_per_leaf: server links of a full leaf; uplinks are sized for these, so that a unit can fill up later
            without new uplinks.
        report: takes FG132 and FG135.
    """
    _check_leaf_count(request, len(leaves), report)
    sizing = _size(request, leaves, downlinks_per_leaf, report)
    return _assemble(request, leaves, sizing, report) if sizing else None


def _check_leaf_count(request: FabricRequest, needed: int, report: Report) -> None:
    """Add FG132 if the inventory gives a number of leaves that is not the one needed."""
    given = request.intent.leaf.count
    if given is not None and given != needed:
        report.add(
            request.finding(
                TOO_FEW_PORTS,
                ("leaf", "count"),
                f"the servers need {needed} leaves and `count` says {given}",
                f"set it to {needed}, leave it out, or change `servers_per_unit`",
            )
        )


def _assemble(request: FabricRequest, leaves: Sequence[LeafPlan], sizing: Sizing, report: Report) -> Fabric:
    leaf_devices = [
        _switch(request, Role.LEAF, index, unit=plan.unit, rail=plan.rail) for index, plan in enumerate(leaves)
    ]
    spine_devices = [_switch(request, Role.SPINE, index) for index in range(sizing.spines)]
    servers = [
        Device(
            server.name,
            Role.SERVER,
            server.hardware,
            server.group,
            server.index,
            place=server.place,
            origin=server.origin,
        )
        for server in request.servers
    ]
    lengths = _Lengths(request, report)
    cables = _server_cables(request, leaves, leaf_devices, lengths)
    cables += _uplink_cables(request, leaf_devices, spine_devices, sizing, lengths)
    return Fabric(
        name=request.name,
        kind=request.kind,
        design=request.intent.design,
        devices=(*servers, *leaf_devices, *spine_devices),
        cables=tuple(cables),
        sizing=sizing,
    )


def _switch(
    request: FabricRequest, role: Role, index: int, *, unit: int | None = None, rail: int | None = None
) -> Device:
    tier: SwitchTier = getattr(request.intent, role.value)
    pattern = tier.name or f"{role.value}-{{n:02d}}"
    return Device(
        name=fill_pattern(pattern, index + 1, request.name),
        role=role,
        hardware=tier.model,
        group=role.value,
        index=index,
        unit=unit,
        rail=rail,
        nos=tier.nos,
        place=place(tier.racks, index),
        origin=request.origin(role.value),
    )


def _server_cables(
    request: FabricRequest, leaves: Sequence[LeafPlan], devices: Sequence[Device], lengths: _Lengths
) -> list[Cable]:
    origin = request.origin("endpoints")
    cables = []
    for plan, leaf in zip(leaves, devices, strict=True):
        for index, (server, endpoint) in enumerate(plan.servers):
            near = _server_port(server, endpoint, request.link_gbps)
            far = make_port(leaf.name, request.halves.down, 0, index, 1)
            length, length_origin = lengths.between("server", server.place, leaf.place)
            cables.append(Cable(near, far, request.link_gbps, length, endpoint.rail, origin, length_origin))
    return cables


def _server_port(server: RequestedServer, endpoint: Endpoint, speed_gbps: int) -> Port:
    legs = endpoint.ports_per_adapter
    return Port(
        device=server.name,
        number=endpoint.rail * legs + endpoint.port,
        cage=endpoint.rail + 1,
        leg=endpoint.port if legs > 1 else 0,
        legs=legs,
        speed_gbps=speed_gbps,
        label=endpoint.label,
    )


def _uplink_cables(
    request: FabricRequest,
    leaves: Sequence[Device],
    spines: Sequence[Device],
    sizing: Sizing,
    lengths: _Lengths,
) -> list[Cable]:
    """Join every leaf to every spine; a leaf's uplinks ascend by spine, a spine's ports ascend by leaf."""
    halves, links = request.halves, sizing.links_per_spine
    spine_split = split_for(request.spine, request.uplink_gbps)
    assert spine_split is not None
    origin = request.origin("spine")
    first_number = halves.down_capacity + 1
    cables = []
    for row, leaf in enumerate(leaves):
        for column, spine in enumerate(spines):
            length, length_origin = lengths.between("spine", leaf.place, spine.place)
            for link in range(links):
                near = make_port(leaf.name, halves.up, halves.up_first, column * links + link, first_number)
                far = make_port(spine.name, spine_split, 0, row * links + link, 1)
                cables.append(Cable(near, far, request.uplink_gbps, length, leaf.rail, origin, length_origin))
    return cables


class _Lengths:
    """Cable lengths by tier or by the places of racks; each missing one is reported once."""

    def __init__(self, request: FabricRequest, report: Report) -> None:
        self._request = request
        self._report = report
        self._missing: set[str] = set()

    def between(self, tier: str, a: RackPlace | None, b: RackPlace | None) -> tuple[int, Origin]:
        cables = self._request.intent.cables
        given: int | None = getattr(cables, tier)
        if given is not None:
            return given, self._request.origin("cables", tier)
        if cables.distances is not None and a is not None and b is not None:
            return cable_length_cm(a, b, cables.distances), self._request.origin("cables", "distances")
        if tier not in self._missing:
            self._missing.add(tier)
            why = "the devices have no racks" if cables.distances else "neither it nor `distances` is given"
            self._report.add(
                self._request.finding(
                    LENGTH_UNKNOWN,
                    ("cables",),
                    f"the length of {tier} cables is not known: {why}",
                    f"add `{tier}: 3m` below `cables`, or `distances` and racks for all devices",
                )
            )
        return 100, self._request.origin("cables")

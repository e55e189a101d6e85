"""What a user writes: groups of servers, and the fabrics that join them.

The inventory is compact intent. It never lists ports; designs and plans derive them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from fabricgen.core.model import Model, Name
from fabricgen.inventory.pair import InterSwitchLinks, Placement
from fabricgen.inventory.scalars import (
    Asn,
    LengthCm,
    NamePattern,
    Oversubscription,
    Pool,
    Ratio,
    SpeedGbps,
    SwitchNamePattern,
)

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
"""The id of a catalog entry."""

Priority = Annotated[int, Field(ge=0, le=7)]
Dscp = Annotated[int, Field(ge=0, le=63)]


def _plain_text(value: str) -> str:
    if not value.isprintable():
        msg = "a control character or line break could inject configuration: remove it"
        raise ValueError(msg)
    return value


PlainText = Annotated[str, AfterValidator(_plain_text), Field(max_length=200)]


class Racks(Model):
    """The racks of a group of devices, filled in order; racks stand side by side in a row."""

    name: NamePattern = "rack-{n:02d}"
    """Name pattern; `{n}` counts from 1."""
    per_rack: Annotated[int, Field(ge=1, le=64)] = 4
    """How many devices share a rack."""
    row: Annotated[int, Field(ge=1)] = 1
    """Row of the first rack."""
    column: Annotated[int, Field(ge=1)] = 1
    """Place of the first rack in its row."""
    per_row: Annotated[int, Field(ge=1)] | None = None
    """How many racks a row holds; all in one row where it is left out."""
    height_units: Annotated[int, Field(ge=1, le=100)] = 42
    """Height of each rack in rack units."""
    first_unit: Annotated[int, Field(ge=1, le=100)] | None = None
    """Rack unit of the lowest device, from 1 at the bottom; above the groups before it with the same rack names where
    it is left out."""


class AdapterChoice(Model):
    """Adapters that are fitted to every server of a group."""

    adapter: Id
    """Catalog id of the adapter."""
    count: Annotated[int, Field(ge=1, le=64)]


class ServerGroup(Model):
    """Equal servers."""

    model: Id
    """Catalog id of the server."""
    count: Annotated[int, Field(ge=1, le=100_000)]
    name: NamePattern = "{group}-{n:03d}"
    """Name pattern; `{n}` counts from `first`, `{group}` is the group's name."""
    first: Annotated[int, Field(ge=0)] = 1
    """Number of the first server."""
    adapters: Mapping[Name, AdapterChoice] = {}
    """Adapters by purpose (`compute`, `storage`), in addition to those that the model always has."""
    racks: Racks | None = None


class Endpoints(Model):
    """Which adapter ports of which servers a fabric joins."""

    servers: Name
    """Name of a server group."""
    adapters: Name
    """Purpose of the adapters, as the group or its catalog model names it."""
    ports: tuple[Annotated[int, Field(ge=1)], ...] | None = None
    """Ports of each adapter, counted from 1; all where left out."""
    share_slot: bool = False
    """Whether the group's servers share the places of one server: each takes the next rails of it. For management
    nodes, such as the UFM appliances of a DGX SuperPOD, which take the place of one server of the first unit."""
    placement: Placement | None = None
    """Where the ports are on the switches (`switch-pair` only); by the defaults where left out."""


class SwitchTier(Model):
    """The switches of one tier."""

    model: Id
    """Catalog id of the switch."""
    nos: Id | None = None
    """Platform that configures it: `sonic`. Not needed for InfiniBand, whose Subnet Manager is configured instead."""
    count: Annotated[int, Field(ge=1)] | None = None
    """How many; computed where left out."""
    name: SwitchNamePattern | None = None
    """Name pattern; `leaf-{n:02d}`, `spine-{n:02d}` or `core-{n:02d}` where left out, with `p{plane}-` before it where
    there are several planes."""
    racks: Racks | None = None


class LeafGroup(SwitchTier):
    """More leaves on the same spines, for other servers than the fabric's main ones: storage, border."""

    endpoints: tuple[Endpoints, ...] = ()
    """Server ports that these leaves take; none for leaves that only lead outside."""
    design: Literal["leaf-spine", "rail-optimized"] = "leaf-spine"
    """Whether all ports of a server go to one leaf, or adapter i to leaf i."""
    servers_per_unit: Annotated[int, Field(ge=1)] | None = None
    """Servers of a leaf, or of a set of rail leaves; as many as it holds where left out."""
    external_ports: Annotated[int, Field(ge=0, le=512)] = 0
    """Ports of each leaf that are kept for links to the outside; uplinks are sized for them too."""
    oversubscription: Oversubscription = Ratio(1, 1)
    link_speed: SpeedGbps | None = None
    """Speed of the server links and of the ports to the outside; the highest there is where left out."""


def _not_tiers(groups: Mapping[str, LeafGroup]) -> Mapping[str, LeafGroup]:
    for name in groups:
        if name in {"leaf", "spine", "core"}:
            msg = f"`{name}` is the name of a tier: choose another, such as `storage` or `border`"
            raise ValueError(msg)
    return groups


class RackDistances(Model):
    """Cable lengths computed from where racks stand: along the rows, up to the tray and down, and slack."""

    rack_pitch: LengthCm
    """Distance between neighbouring racks of a row."""
    row_pitch: LengthCm
    """Distance between rows."""
    rise: LengthCm
    """From a port up to the tray, at each end."""
    slack: LengthCm
    """Spare length of each cable."""


class CableParts(Model):
    """What the cables of each tier are: the catalog id of a cable or transceiver, or a medium.

    Media are `passive-copper`, `active-copper`, `multimode`, `active-optical` and `single-mode`.
    """

    server: Id | None = None
    spine: Id | None = None
    core: Id | None = None
    isl: Id | None = None


class Cables(Model):
    """Cable lengths, by tier or by the places of the racks.

    A length decides the headroom of the ports at its ends; it is rounded up to one that is sold.
    """

    server: LengthCm | None = None
    """Server to leaf."""
    spine: LengthCm | None = None
    """Leaf to spine."""
    core: LengthCm | None = None
    """Spine to core."""
    isl: LengthCm | None = None
    """Between the two switches of a pair."""
    distances: RackDistances | None = None
    """Compute lengths that are not given above; all devices of the fabric then need racks."""
    parts: CableParts = CableParts()
    """What the cables are; the first medium that reaches, copper before fibre, where left out."""


class Addressing(Model):
    """Address pools of an Ethernet fabric."""

    loopbacks: Pool = IPv4Network("10.0.0.0/19")
    """One /32 for each switch: leaves from the lower half, spines and cores from the upper."""
    servers: Pool = IPv4Network("10.64.0.0/12")
    """One /31 for each server port, in one block for each leaf."""
    other_servers: Pool = IPv4Network("10.80.0.0/12")
    """The same for the leaves of `other_leaves`: one sixteenth of the pool for each group."""
    links: Pool | Literal["unnumbered"] = "unnumbered"
    """One /31 for each switch-to-switch link, or BGP unnumbered (IPv6 link-local, RFC 5549)."""


class AsnPlan(Model):
    """AS numbers (RFC 7938, 5.2): one for each leaf, one for all spines of a pod and one for all cores.

    Switches that share a number refuse each other's routes, so that no path goes down and up again.
    """

    spine: Asn = 4_200_000_000
    """The spines' number; those of the second pod and on count on."""
    core: Asn = 4_200_010_000
    """The cores' number."""
    leaf_first: Asn = 4_200_010_001
    """The first leaf's number; the others count on."""


class TrafficClass(Model):
    """A class of traffic, end to end: the same DSCP, priority and queue on every device."""

    dscp: Dscp
    priority: Priority
    """802.1p priority, traffic class, priority group and queue, all the same number."""


class Ecn(Model):
    """ECN marking thresholds of the lossless queue; computed from speed and round-trip time where left out."""

    minimum_bytes: Annotated[int, Field(gt=0)] | None = None
    """Kmin."""
    maximum_bytes: Annotated[int, Field(gt=0)] | None = None
    """Kmax."""
    probability_percent: Annotated[int, Field(ge=1, le=100)] = 100
    """Pmax."""
    round_trip_us: Annotated[int, Field(ge=1, le=1000)] = 8
    """Round-trip time that the computed thresholds are for."""


class PfcWatchdog(Model):
    """The PFC watchdog: what breaks a pause storm."""

    detection_ms: Annotated[int, Field(ge=100, le=5000)] = 200
    restoration_ms: Annotated[int, Field(ge=100, le=60000)] = 200
    poll_ms: Annotated[int, Field(ge=100, le=1000)] = 200
    action: Literal["drop", "forward"] = "drop"


class QosIntent(Model):
    """Lossless Ethernet."""

    roce: TrafficClass = TrafficClass(dscp=26, priority=3)
    """RDMA data: lossless."""
    cnp: TrafficClass = TrafficClass(dscp=48, priority=6)
    """Congestion notification packets: strict priority, not lossless."""
    roce_bandwidth_percent: Annotated[int, Field(ge=1, le=99)] = 50
    """Share of the lossless queue where all queues are full."""
    ecn: Ecn = Ecn()
    watchdog: PfcWatchdog = PfcWatchdog()
    alpha_exponent: Annotated[int, Field(ge=-7, le=7)] = 0
    """A priority group pauses at 2**alpha_exponent times the free shared buffer."""
    switch_mtu_bytes: Annotated[int, Field(ge=1500, le=9216)] = 9216
    server_mtu_bytes: Annotated[int, Field(ge=1500, le=9216)] = 9000


class PartitionIntent(Model):
    """An InfiniBand partition."""

    pkey: Annotated[int, Field(ge=1, le=0x7FFE)]
    """15-bit key; 0x7fff is the default partition, which always exists."""
    servers: tuple[Name, ...] = ()
    """Server groups that are members; all servers of the fabric where left out."""
    membership: Literal["full", "limited"] = "full"
    ipoib: bool = False
    """Whether IPoIB runs in it."""
    service_level: Annotated[int, Field(ge=0, le=7)] = 0
    """Service level of its traffic. Each level has a virtual lane of its own, and lanes share links equally; jobs
    choose it (`NCCL_IB_SL`)."""


class SubnetManagerIntent(Model):
    """The Subnet Manager of an InfiniBand fabric."""

    platform: Id = "opensm"
    engine: Literal["ftree", "updn", "minhop"] = "ftree"
    """Routing engine; `updn` is the fall-back of `ftree`."""
    priority: Annotated[int, Field(ge=0, le=15)] = 15
    subnet_prefix: Annotated[int, Field(ge=1, lt=1 << 64)] = 0xFE80_0000_0000_0000
    """Must differ between the fabrics that one server joins."""
    io_servers: tuple[Name, ...] = ()
    """Server groups that are storage or I/O nodes to the routing engine; all others are compute nodes."""
    partitions: Mapping[Name, PartitionIntent] = {}
    ipoib: bool = False
    """Whether IPoIB runs in the default partition."""


class BaseFabric(Model):
    """What every fabric has."""

    design: Id
    """Name of the topology design: `rail-optimized`, `leaf-spine`: see docs/designs.md."""
    endpoints: Annotated[tuple[Endpoints, ...], Field(min_length=1)]
    leaf: SwitchTier
    spine: SwitchTier | None = None
    """Not needed where a single leaf holds all."""
    core: SwitchTier | None = None
    """The third tier; used where two do not hold all servers, or where `tiers` says 3."""
    other_leaves: Annotated[Mapping[Name, LeafGroup], AfterValidator(_not_tiers), Field(max_length=16)] = {}
    """Leaves for storage, or to the outside, on the same spines."""
    tiers: Literal[2, 3] | None = None
    """Tiers of switches; as many as are needed where left out."""
    planes: Annotated[int, Field(ge=1, le=16)] | None = None
    """Number of planes (multi-plane, dual-tor); that of the adapters' ports where left out."""
    isl: InterSwitchLinks | None = None
    """The links between the two switches (switch-pair)."""
    leaf_per_rail: bool = True
    """Whether each rail has leaves of its own (multi-plane, dual-tor)."""
    oversubscription: Oversubscription = Ratio(1, 1)
    """Bandwidth of a leaf's server ports against that of its uplinks: `1:1`, `3:2`."""
    spine_oversubscription: Oversubscription = Ratio(1, 1)
    """Bandwidth of a spine's links to leaves against that of its links to cores."""
    link_speed: SpeedGbps | None = None
    """Speed of the server links; the highest that adapter and leaf share where left out."""
    uplink_speed: SpeedGbps | None = None
    """Speed of the leaf-spine links; the highest that leaf and spine share where left out."""
    core_speed: SpeedGbps | None = None
    """Speed of the spine-core links; the highest that spine and core share where left out."""
    servers_per_unit: Annotated[int, Field(ge=1)] | None = None
    """Servers of a scalable unit (rail-optimized) or of a leaf (leaf-spine); as many as it holds where left out."""
    units_per_pod: Annotated[int, Field(ge=1)] | None = None
    """Units that share a pod's spines, with three tiers; as many as they hold where left out."""
    cables: Cables


class RoceFabric(BaseFabric):
    """A RoCE v2 fabric on Ethernet."""

    type: Literal["rocev2"]
    addressing: Addressing = Addressing()
    asn: AsnPlan = AsnPlan()
    qos: QosIntent = QosIntent()


class InfinibandFabric(BaseFabric):
    """An InfiniBand fabric."""

    type: Literal["infiniband"]
    subnet_manager: SubnetManagerIntent = SubnetManagerIntent()


class EthernetFabric(BaseFabric):
    """A plain Ethernet network, such as the one of the servers' BMCs: cabled and billed. Its switches get no files."""

    type: Literal["ethernet"]


FabricIntent = Annotated[RoceFabric | InfinibandFabric | EthernetFabric, Field(discriminator="type")]


class Accepted(Model):
    """A finding that is known and accepted, with the reason."""

    code: Annotated[str, Field(pattern=r"^FG\d{3}$")]
    path: PlainText = "*"
    """Path of the finding; `*` stands for any text."""
    reason: Annotated[PlainText, Field(min_length=3)]
    until: dt.date | None = None
    """Last day on which it holds."""


class Bill(Model):
    """What the bills of materials hold beside switches, transceivers and cables."""

    adapters: bool = False
    """Whether the servers' adapters are listed."""
    prices: PlainText | None = None
    """Your price list, relative to the inventory: a CSV file with the columns `item`, `length_m`, `price` and
    `currency`. `item` is a catalog id, `length_m` may be empty."""


class Inventory(Model):
    """A cluster: servers and the fabrics that join them."""

    name: Name
    """Name of the cluster."""
    servers: Annotated[Mapping[Name, ServerGroup], Field(min_length=1)]
    """Server groups by name, in the order in which ports are given out."""
    fabrics: Annotated[Mapping[Name, FabricIntent], Field(min_length=1)]
    """Fabrics by name; each becomes a folder of the output."""
    catalog: PlainText | None = None
    """Directory of additional catalog entries, relative to the inventory."""
    bill: Bill = Bill()
    accept: tuple[Accepted, ...] = ()

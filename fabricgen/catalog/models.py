"""Models of the catalog's files.

There is one YAML file per device, below ``switches/``, ``asics/``, ``adapters/``, ``servers/`` and ``cables/``, and
one ``sources.yaml``.

A figure that nobody trustworthy publishes is the word ``unknown``, never 0: what needs it must say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from fabricgen.catalog.cables import CableEnd, Form, Lengths, Medium, form_factor
from fabricgen.catalog.entries import Entries
from fabricgen.catalog.figures import UNKNOWN, EntryId, Figure, Number, Unknown
from fabricgen.catalog.sonic import SonicSupport
from fabricgen.core.model import Model

Protocol = Literal["ethernet", "infiniband"]
Feature = Literal["adaptive-routing", "dynamic-load-balancing", "ecn", "pfc", "qpn-ecmp", "roce", "sharp"]


class Source(Model):
    """A document or file that figures were read from."""

    title: str
    ref: str
    """Where to find it: a URL, or a repository and commit."""


class Entry(Model):
    """What every catalog entry has."""

    id: EntryId
    """The name that inventories use; equal to the file's name."""
    vendor: str
    model: str
    """The name as the vendor writes it."""
    source: Annotated[tuple[str, ...], Field(min_length=1)]
    """Keys of ``sources.yaml`` that hold for every figure of the entry without a ``field_source``."""
    field_source: Mapping[str, Annotated[tuple[str, ...], Field(min_length=1)]] = {}
    """Sources of single fields; a dot leads into a field's own fields: ``sonic.cable_lengths_m``."""
    notes: tuple[str, ...] = ()


class Breakout(Model):
    """A way to split one cage into logical ports of one speed."""

    ports: Annotated[int, Field(ge=1, le=8)]
    speed_gbps: Annotated[int, Field(gt=0)]
    disables_next_cage: bool = False
    """Whether the split takes what the next cage needs, which then has no ports. The cages of a group pair up from its
    first, and only the first of a pair can be split so."""


class CageGroup(Model):
    """A run of equal cages, numbered as printed on the front panel."""

    first: Annotated[int, Field(ge=1)]
    count: Annotated[int, Field(ge=1)]
    connector: str
    lanes: Annotated[int, Field(ge=1)]
    ports: Annotated[int, Field(ge=1)] = 1
    """Ports of an unsplit cage: 2 for a twin-port OSFP cage of an NDR switch."""
    speed_gbps: Annotated[int, Field(gt=0)]
    """Speed of each port of an unsplit cage."""
    breakouts: tuple[Breakout, ...] = ()
    breakouts_known: bool = True
    """Whether the list is complete; if not, the hardware may have splits that no source gives."""
    service: bool = False
    """A port for management, in-band telemetry and the like, that no fabric link uses."""
    optic_max_w: Number = UNKNOWN
    """Power that a transceiver in the cage may take."""

    @property
    def form_factor(self) -> str:
        """Return what plugs must be to fit: ``OSFP``."""
        return form_factor(self.connector)

    @property
    def numbers(self) -> range:
        """Return the front-panel numbers of the cages."""
        return range(self.first, self.first + self.count)


class Pipeline(Model):
    """Cages that share a part of the chip, which serves a limited number of ports."""

    cages: Annotated[tuple[int, ...], Field(min_length=1)]
    """Front-panel numbers."""
    max_ports: Annotated[int, Field(ge=1)]


class Switch(Entry):
    """A switch model."""

    protocol: Protocol
    asic: EntryId
    """Id of its ASIC."""
    rack_units: Figure
    cages: Annotated[tuple[CageGroup, ...], Field(min_length=1)]
    max_logical_ports: Figure
    """Most ports that the chip serves at once, whatever the cages could be split into; service ports not counted."""
    pipelines: tuple[Pipeline, ...] = ()
    """Limits on groups of cages, where the chip has them."""
    extra_internal_ports: int = 0
    """Ports inside the box that discovery shows: the aggregation node of a Quantum switch."""
    power_typical_w: Figure
    power_max_w: Figure
    power_supplies: Figure = UNKNOWN
    """Power supplies of a box that is fully fitted."""
    power_supply_w: Figure = UNKNOWN
    """Rating of each."""
    weight_kg: Number = UNKNOWN
    latency_ns: Figure
    features: tuple[Feature, ...] = ()
    """What it can do, as far as a source says so; a feature that is not listed is not known."""
    nos: Annotated[tuple[str, ...], Field(min_length=1)]
    """Network operating systems that run on it, by fabricgen's platform names where there is one."""
    sonic: SonicSupport | None = None
    vendor_id: int | None = None
    device_id: int | None = None
    """InfiniBand vendor and device id, as discovery prints them."""

    def cage_group(self, cage: int) -> CageGroup | None:
        """Return the group that a cage number belongs to."""
        return next((group for group in self.cages if cage in group.numbers), None)

    @property
    def data_cages(self) -> tuple[CageGroup, ...]:
        """Return the cage groups that fabric links may use."""
        return tuple(group for group in self.cages if not group.service)


class SpectrumHeadroom(Model):
    """Constants of the headroom formula of Spectrum switches (see ``planning.headroom``)."""

    method: Literal["spectrum"]
    pipeline_latency_bytes: int
    """XON: what the pipeline still holds; doubled for ports of eight lanes."""
    mac_phy_delay_bytes: int
    tile_bytes_per_gbps: int
    """Bytes per Gb/s of port speed that the chip's tiles add."""
    small_packet_percent: Annotated[int, Field(ge=0, le=100)]
    lossless_mtu_bytes: int
    peer_response_bytes: int
    """Peer's response where its speed has no entry in the standard's table."""


class CellHeadroom(Model):
    """Constants of a headroom that is counted in cells: what still arrives, as if it were all smallest packets.

    Headroom is ``ceil((fixed_wire_bytes + bytes on the cable, both ways) / wire_bytes_per_cell)`` cells.
    """

    method: Literal["cells"]
    fixed_wire_bytes: Mapping[int, int]
    """By port speed in Gb/s, the bytes on the wire that still arrive over a cable of no length."""
    wire_bytes_per_cell: int
    """Bytes on the wire of the smallest packet, which fills a cell: 84."""
    xon_offset_bytes: int
    reserved_bytes: int
    """Guaranteed bytes of a lossless priority group."""


def _headroom_method(value: object) -> object:
    if isinstance(value, Mapping):
        return value.get("method")
    return value if isinstance(value, str) else getattr(value, "method", None)


Headroom = Annotated[
    Annotated[SpectrumHeadroom, Tag("spectrum")]
    | Annotated[CellHeadroom, Tag("cells")]
    | Annotated[Unknown, Tag(UNKNOWN)],
    Discriminator(
        _headroom_method,
        custom_error_type="headroom_method",
        custom_error_message="not a headroom: write `method: spectrum` or `method: cells`, or `unknown`",
    ),
]
"""How a chip's headroom is computed, or that nobody trustworthy publishes it."""


class Asic(Entry):
    """A switch chip."""

    capacity_gbps: Figure
    buffer_bytes: Figure
    """Packet buffer that pools and headroom share."""
    slices: int = 1
    """Parts that the buffer is divided into; a port sees one of them."""
    cell_bytes: Figure
    priorities: Annotated[int, Field(ge=0, le=8)] = 8
    """Priorities (priority groups) per port, 0 for InfiniBand."""
    data_vls: Figure = UNKNOWN
    """Data virtual lanes, InfiniBand only."""
    headroom: Headroom = UNKNOWN
    management_bytes: int = 0
    """Buffer taken by management and other fixed users."""
    port_overhead_bytes: int = 0
    """Buffer taken per port whatever its use."""


class AdapterPort(Model):
    """Equal ports of an adapter."""

    count: Annotated[int, Field(ge=1)]
    connector: str
    ethernet_gbps: tuple[int, ...] = ()
    infiniband_gbps: tuple[int, ...] = ()

    @property
    def form_factor(self) -> str:
        """Return what plugs must be to fit: ``OSFP``."""
        return form_factor(self.connector)

    def speeds_gbps(self, protocol: Protocol) -> tuple[int, ...]:
        """Return the speeds of a protocol, empty where it is not spoken."""
        return self.ethernet_gbps if protocol == "ethernet" else self.infiniband_gbps


class Adapter(Entry):
    """A network adapter (NIC, HCA, SuperNIC, DPU)."""

    ports: AdapterPort
    pcie: str
    max_qps: Figure
    power_max_w: Figure
    device_id: int | None = None
    """PCI device id; InfiniBand discovery prints the same."""


class Affinity(Model):
    """An adapter port and the GPU that is nearest to it: GPU i and its port make rail i."""

    gpu: int | None = None
    pci: str | None = None
    rdma: str | None = None
    ifname: str | None = None
    cage: str | None = None
    port: int | None = None

    @property
    def label(self) -> str | None:
        """Return what is printed on the box: ``OSFP4 P2``."""
        if self.cage is None:
            return None
        return self.cage if self.port is None else f"{self.cage} P{self.port}"


AffinityMap = Annotated[
    Annotated[tuple[Affinity, ...], Tag("list")] | Annotated[Unknown, Tag(UNKNOWN)],
    Discriminator(lambda value: UNKNOWN if isinstance(value, str) else "list"),
]
"""Adapter ports and their GPUs, or that nobody trustworthy publishes it."""


class AdapterSet(Model):
    """Adapters of one purpose: ``compute``, ``storage``, ``inband``."""

    adapter: EntryId
    """Id of the adapter."""
    count: Annotated[int, Field(ge=1)]
    map: AffinityMap = UNKNOWN
    """One entry per port, in rail order; all ports of an adapter follow one another."""


class Server(Entry):
    """A server model."""

    rack_units: Figure
    gpus: Annotated[int, Field(ge=0)]
    cpus: Figure
    power_w: Figure
    """Power at full load."""
    power_supplies: Figure = UNKNOWN
    power_supply_w: Figure = UNKNOWN
    weight_kg: Number = UNKNOWN
    adapters: Mapping[str, AdapterSet] = {}
    """Adapters that the model always has; others are chosen in the inventory."""
    nic_slots: Figure = UNKNOWN
    """PCIe slots that are free for adapters with all GPUs fitted."""
    gpu_nic_affinity: Literal["switch-per-pair", "dual-root", "unknown"]
    """How GPUs and adapters meet: one PCIe switch for each pair, the CPUs' root ports, or not known."""


class Cable(Entry):
    """A cable, a transceiver or a fibre: what one part number stands for."""

    form: Form
    part: str | None = None
    """The vendor's part number, without what stands for the length."""
    type: str
    """What people call it: ``DAC``, ``2xDR4``."""
    medium: Medium
    protocols: tuple[Protocol, ...]
    speeds_gbps: Annotated[tuple[int, ...], Field(min_length=1)]
    """Speeds of the near end, whole cage."""
    lane_gbps: int
    ports: Annotated[int, Field(ge=1)] = 1
    """Ports of the near end: 2 for a twin-port plug."""
    near: CableEnd
    """The end that is not split."""
    far: CableEnd
    """The other end, of each leg; of a transceiver, the plug of the fibre that it takes."""
    legs: Annotated[int, Field(ge=1)] = 1
    """Far ends of a cable or a fibre; fibres that a transceiver takes."""
    splits: tuple[int, ...] = ()
    """Of a transceiver, numbers of ports that fibres of two legs may split its end into."""
    lengths_cm: Lengths = UNKNOWN
    """Lengths that it is sold in; a transceiver has none and says ``unknown``."""
    reach_min_m: float = 0
    reach_max_m: Number
    reach_split_m: Number = UNKNOWN
    """Of a transceiver, how far it reaches over a fibre of two legs."""

    @property
    def power_max_w(self) -> float | Unknown:
        """Return the power of all its ends together."""
        near_w, far_w = self.near.power_max_w, self.far.power_max_w
        return UNKNOWN if isinstance(near_w, str) or isinstance(far_w, str) else near_w + self.legs * far_w


@dataclass(frozen=True)
class Catalog:
    """The whole library, by id."""

    switches: Mapping[str, Switch]
    asics: Mapping[str, Asic]
    adapters: Mapping[str, Adapter]
    servers: Mapping[str, Server]
    cables: Mapping[str, Cable]
    sources: Mapping[str, Source]

    def switch_of_sku(self, hwsku: str | None) -> Switch | None:
        """Return the switch that a SONiC ``hwsku`` names.

        Raises:
            CatalogError: the file of a switch that mentions the SKU is wrong.
        """
        if not hwsku:
            return None
        switches = self.switches
        candidates = switches.mentioning(hwsku) if isinstance(switches, Entries) else switches.values()
        named = [switch for switch in candidates if switch.sonic and hwsku in switch.sonic.hwskus]
        # A SKU's own entry goes before one that merely lists it.
        return min(named, key=lambda switch: switch.sonic is None or switch.sonic.hwsku != hwsku, default=None)

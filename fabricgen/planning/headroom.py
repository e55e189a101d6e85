"""PFC headroom: the bytes that can still arrive on a port after it has sent a pause frame.

A chip's vendor counts them by a formula of its own; :func:`plan_headroom` follows it, so that the result can be
compared with the vendor's tables, and never goes below :func:`minimum_headroom`, which is physics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from fabricgen.catalog.models import Asic, CellHeadroom, SpectrumHeadroom
from fabricgen.core.provenance import Basis, Origin, Term
from fabricgen.core.units import PAUSE_QUANTUM_BYTES, bytes_on_cable, ceil_div, format_length, round_up

#: By speed in Gb/s, how long a peer may go on sending after a pause frame, in quanta of 512 bit times (IEEE 802.3,
#: 31B.3.7, as sonic-swss cfgmgr/buffer_headroom_mellanox.lua holds it). No clause for 800 Gb/s is known; SONiC takes
#: the figure of 400 Gb/s, and so does this table.
PAUSE_QUANTA: Mapping[int, int] = MappingProxyType(
    {1: 2, 10: 67, 25: 80, 40: 118, 50: 147, 100: 394, 200: 453, 400: 905, 800: 905}
)

#: A pause frame on the wire: 64 bytes, preamble and inter-packet gap.
PAUSE_FRAME_BYTES = 84

#: The smallest Ethernet frame.
SMALL_PACKET_BYTES = 64

#: SONiC rounds the headroom of Spectrum switches up to this.
SPECTRUM_UNIT_BYTES = 1024

#: Bytes in flight on a cable, both ways, for each metre and Gb/s: SONiC's script divides by 1.98e8 m/s.
_SPECTRUM_CABLE_BYTES = Fraction(2 * 10**9, 8 * 198 * 10**6)

_QUANTA_SOURCE = "IEEE 802.3, 31B.3.7"
_SPECTRUM_SOURCE = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
_CELLS_SOURCE = "fit of the pg_profile_lookup.ini tables in sonic-buildimage"
_MINIMUM_SOURCE = "IEEE 802.1Q, annex N: delay model of priority-based flow control"


class PlanningError(ValueError):
    """A figure that cannot be planned; lowering turns it into a finding at the inventory line that asked for it.

    Attributes:
        summary: one line, what is and what must be.
        remedy: an imperative sentence.
        numbers: figures for programs, the unit in each name.
        origin: the inventory line that asked, where known.
        interfaces: the ports concerned; empty for the whole switch.
    """

    def __init__(
        self,
        summary: str,
        *,
        remedy: str,
        numbers: Mapping[str, int] | None = None,
        origin: Origin | None = None,
        interfaces: tuple[str, ...] = (),
    ) -> None:
        super().__init__(summary)
        self.summary = summary
        self.remedy = remedy
        self.numbers = dict(numbers or {})
        self.origin = origin
        self.interfaces = interfaces


class HeadroomUnknownError(PlanningError):
    """Neither catalog nor standard says how much headroom a port of this chip and speed needs."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """The ingress buffer of one lossless priority of a port.

    Attributes:
        headroom_bytes: what may arrive after the pause frame was sent (SONiC's ``xoff``).
        xon_bytes: occupancy at which the pause ends, and what the pipeline still holds (Spectrum).
        xon_offset_bytes: how far below the pausing occupancy the pause ends (chips that count in cells).
        size_bytes: bytes reserved for the priority group; on Spectrum they contain XON and headroom.
        minimum_bytes: what physics asks for, rounded up to cells.
        basis: how ``headroom_bytes`` came about.
    """

    headroom_bytes: int
    xon_bytes: int
    xon_offset_bytes: int | None
    size_bytes: int
    minimum_bytes: int
    basis: Basis


@dataclass(frozen=True, slots=True)
class _Link:
    """One port and its cable: what every formula starts from."""

    speed_gbps: int
    lanes: int
    length_cm: int
    mtu_bytes: int
    origin: Origin | None = None

    @property
    def length_term(self) -> Term:
        return Term("cable length", format_length(self.length_cm), "m", origin=self.origin)


def plan_headroom(
    asic: Asic, *, speed_gbps: int, lanes: int, length_cm: int, mtu_bytes: int, origin: Origin | None = None
) -> Headroom:
    """Return the headroom of one lossless priority of a port.

    Args:
        asic: the switch chip.
        speed_gbps: speed of the port.
        lanes: SerDes lanes of the port; Spectrum doubles XON on ports of eight.
        length_cm: length of the cable.
        mtu_bytes: largest frame of the port, any class.
        origin: the inventory line that sets the length.

    Raises:
        HeadroomUnknownError: the catalog has no headroom facts for the chip or speed, or the standard no response time.
    """
    facts, cell_bytes = asic.headroom, asic.cell_bytes
    if isinstance(facts, str) or isinstance(cell_bytes, str):
        raise HeadroomUnknownError(
            f"the catalog does not know how {asic.model} needs headroom",
            remedy="choose a switch with a known chip, or add `headroom` and `cell_bytes` to the chip's catalog entry",
            origin=origin,
        )
    link = _Link(speed_gbps, lanes, length_cm, mtu_bytes, origin)
    minimum = minimum_headroom(
        speed_gbps=speed_gbps, length_cm=length_cm, mtu_bytes=mtu_bytes, cell_bytes=cell_bytes, origin=origin
    )
    if isinstance(facts, SpectrumHeadroom):
        return _spectrum_headroom(facts, cell_bytes, link, minimum)
    return _cell_headroom(asic.model, facts, cell_bytes, link, minimum)


def minimum_headroom(
    *, speed_gbps: int, length_cm: int, mtu_bytes: int, cell_bytes: int = 1, origin: Origin | None = None
) -> int:
    """Return the bytes that no formula may go below.

    They are the frame that our own transmitter has just begun in front of the pause frame, the frame that the peer has
    just begun, the pause frame, the cable both ways at 5 ns/m and the peer's response time, rounded up to cells
    (IEEE 802.1Q, annex N).

    Raises:
        HeadroomUnknownError: the standard's table has no response time for the speed.
    """
    needed_bytes = (
        2 * mtu_bytes
        + PAUSE_FRAME_BYTES
        + 2 * bytes_on_cable(speed_gbps, length_cm)
        + peer_response_bytes(speed_gbps, origin)
    )
    return round_up(needed_bytes, cell_bytes)


def peer_response_bytes(speed_gbps: int, origin: Origin | None = None) -> int:
    """Return what a peer may still send while it reacts to a pause frame.

    Raises:
        HeadroomUnknownError: the standard's table has no response time for the speed.
    """
    quanta = PAUSE_QUANTA.get(speed_gbps)
    if quanta is None:
        known = ", ".join(f"{speed}G" for speed in PAUSE_QUANTA)
        raise HeadroomUnknownError(
            f"no pause response time is known for {speed_gbps}G",
            remedy=f"run the link at one of {known}",
            numbers={"speed_gbps": speed_gbps},
            origin=origin,
        )
    return quanta * PAUSE_QUANTUM_BYTES


# --- Spectrum


def worst_cell_factor(cell_bytes: int) -> Fraction:
    """Return how much more buffer than bytes the smallest packets take, before SONiC rounds it up.

    Source: sonic-swss cfgmgr/buffer_headroom_mellanox.lua.
    """
    if cell_bytes > 2 * SMALL_PACKET_BYTES:
        return Fraction(cell_bytes, SMALL_PACKET_BYTES)
    return Fraction(2 * cell_bytes, 1 + cell_bytes)


def small_packet_share(small_packet_percent: int, lossless_mtu_bytes: int) -> Fraction:
    """Return the share of bytes that SONiC's script counts as small packets: 64 bytes against the mean packet.

    Source: sonic-swss cfgmgr/buffer_headroom_mellanox.lua.
    """
    percent_bytes = small_packet_percent * SMALL_PACKET_BYTES + (100 - small_packet_percent) * lossless_mtu_bytes
    return Fraction(100 * SMALL_PACKET_BYTES, percent_bytes)


def cell_occupancy(small_share: Fraction, cell_factor: Fraction) -> Fraction:
    """Return the bytes of buffer that a byte in flight takes, where a share of them comes in the smallest packets."""
    return 1 - small_share + small_share * cell_factor


def spectrum_xoff_bytes(
    facts: SpectrumHeadroom,
    occupancy: Fraction,
    *,
    speed_gbps: int,
    length_cm: int,
    mtu_bytes: int,
    peer_bytes: int,
) -> int:
    """Return the headroom by SONiC's script for Spectrum, rounded up to 1024 bytes.

    Args:
        facts: the chip's constants.
        occupancy: bytes of buffer that a byte in flight takes.
        speed_gbps: speed of the port.
        length_cm: length of the cable.
        mtu_bytes: largest frame of the port.
        peer_bytes: what the peer sends while it reacts.
    """
    in_flight = (
        mtu_bytes
        + _SPECTRUM_CABLE_BYTES * Fraction(speed_gbps * length_cm, 100)
        + facts.mac_phy_delay_bytes
        + peer_bytes
        + facts.tile_bytes_per_gbps * speed_gbps
    )
    exact = facts.lossless_mtu_bytes + in_flight * occupancy
    return round_up(ceil_div(exact.numerator, exact.denominator), SPECTRUM_UNIT_BYTES)


def _spectrum_headroom(facts: SpectrumHeadroom, cell_bytes: int, link: _Link, minimum_bytes: int) -> Headroom:
    factor = worst_cell_factor(cell_bytes)
    occupancy = cell_occupancy(
        small_packet_share(facts.small_packet_percent, facts.lossless_mtu_bytes),
        Fraction(ceil_div(factor.numerator, factor.denominator)),
    )
    peer_bytes = peer_response_bytes(link.speed_gbps)
    vendor_bytes = spectrum_xoff_bytes(
        facts,
        occupancy,
        speed_gbps=link.speed_gbps,
        length_cm=link.length_cm,
        mtu_bytes=link.mtu_bytes,
        peer_bytes=peer_bytes,
    )
    headroom_bytes = round_up(max(vendor_bytes, minimum_bytes), SPECTRUM_UNIT_BYTES)
    wide = link.lanes == 8
    xon_bytes = round_up(facts.pipeline_latency_bytes * (2 if wide else 1), SPECTRUM_UNIT_BYTES)
    cable = _SPECTRUM_CABLE_BYTES * Fraction(link.speed_gbps * link.length_cm, 100)
    terms = (
        Term("lossless MTU", facts.lossless_mtu_bytes, "bytes", _SPECTRUM_SOURCE),
        Term("port MTU", link.mtu_bytes, "bytes"),
        link.length_term,
        Term("cable, both ways", ceil_div(cable.numerator, cable.denominator), "bytes"),
        Term("MAC and PHY delay", facts.mac_phy_delay_bytes, "bytes", _SPECTRUM_SOURCE),
        Term("peer response", peer_bytes, "bytes", _QUANTA_SOURCE),
        Term("tiles", facts.tile_bytes_per_gbps * link.speed_gbps, "bytes", _SPECTRUM_SOURCE),
        Term("small packets", facts.small_packet_percent, "%", _SPECTRUM_SOURCE),
        Term("cell", cell_bytes, "bytes"),
        Term("cell occupancy", f"{float(occupancy):g}", ""),
    )
    formula = (
        "lossless MTU + (port MTU + cable + MAC and PHY delay + peer response + tiles) x cell occupancy, rounded up to "
        f"{SPECTRUM_UNIT_BYTES}"
    )
    return Headroom(
        headroom_bytes=headroom_bytes,
        xon_bytes=xon_bytes,
        xon_offset_bytes=None,
        size_bytes=round_up(headroom_bytes + xon_bytes + (link.mtu_bytes if wide else 0), SPECTRUM_UNIT_BYTES),
        minimum_bytes=minimum_bytes,
        basis=_basis(formula, terms, vendor_bytes, minimum_bytes, _SPECTRUM_SOURCE),
    )


# --- chips that count in cells


def _cell_headroom(model: str, facts: CellHeadroom, cell_bytes: int, link: _Link, minimum_bytes: int) -> Headroom:
    fixed_bytes = facts.fixed_wire_bytes.get(link.speed_gbps)
    if fixed_bytes is None:
        known = ", ".join(f"{speed}G" for speed in sorted(facts.fixed_wire_bytes))
        raise HeadroomUnknownError(
            f"the catalog does not know how much headroom {model} needs at {link.speed_gbps}G",
            remedy=f"run the port at one of {known}",
            numbers={"speed_gbps": link.speed_gbps},
            origin=link.origin,
        )
    wire_bytes = 2 * bytes_on_cable(link.speed_gbps, link.length_cm)
    vendor_bytes = ceil_div(fixed_bytes + wire_bytes, facts.wire_bytes_per_cell) * cell_bytes
    terms = (
        Term("wire bytes without a cable", fixed_bytes, "bytes", _CELLS_SOURCE),
        link.length_term,
        Term("cable, both ways", wire_bytes, "bytes"),
        Term("wire bytes that fill a cell", facts.wire_bytes_per_cell, "bytes", _CELLS_SOURCE),
        Term("cell", cell_bytes, "bytes"),
        Term("port MTU", link.mtu_bytes, "bytes"),
        Term("peer response", peer_response_bytes(link.speed_gbps), "bytes", _QUANTA_SOURCE),
    )
    return Headroom(
        headroom_bytes=max(vendor_bytes, minimum_bytes),
        xon_bytes=0,
        xon_offset_bytes=facts.xon_offset_bytes,
        size_bytes=facts.reserved_bytes,
        minimum_bytes=minimum_bytes,
        basis=_basis(
            "((wire bytes without a cable + cable) / wire bytes that fill a cell, rounded up) x cell",
            terms,
            vendor_bytes,
            minimum_bytes,
            _CELLS_SOURCE,
        ),
    )


def _basis(formula: str, terms: tuple[Term, ...], vendor_bytes: int, minimum_bytes: int, source: str) -> Basis:
    """Return the basis of the larger of the vendor's formula and the physical minimum, naming the active one."""
    minimum = "2 x port MTU + pause frame + cable, both ways, at 5 ns/m + peer response, rounded up to cells"
    active = "vendor's formula" if vendor_bytes >= minimum_bytes else "physical minimum"
    return Basis(
        formula=f"the larger of the vendor's formula: {formula}; and the physical minimum: {minimum}",
        terms=(
            *terms,
            Term("pause frame", PAUSE_FRAME_BYTES, "bytes", "IEEE 802.3, 31B"),
            Term("vendor's formula", vendor_bytes, "bytes", source),
            Term("physical minimum", minimum_bytes, "bytes", _MINIMUM_SOURCE),
            Term("active bound", active, ""),
        ),
        source=source,
        results=(Term("headroom", max(vendor_bytes, minimum_bytes), "bytes"),),
    )

"""Headroom: what physics needs on each port, whatever made the configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from fabricgen.core.diagnostics import Diagnostic, Kind, Note, Severity
from fabricgen.core.units import PAUSE_QUANTUM_BYTES, bytes_on_cable, ceil_div, format_length
from fabricgen.device import BufferProfile, Interface
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, Port, and_more, by_view, port_path, rule
from fabricgen.rules.lossless import LosslessView

#: By speed in Gb/s, the longest that a station may go on sending after a pause frame, in quanta of 512 bit times (IEEE
#: 802.3, 31B.3.7; the values as SONiC has them, sonic-swss cfgmgr/buffer_headroom_mellanox.lua, whose figure for 800
#: Gb/s is that of 400).
RESPONSE_QUANTA: Mapping[int, int] = MappingProxyType(
    {1: 2, 10: 67, 25: 80, 40: 118, 50: 147, 100: 394, 200: 453, 400: 905, 800: 905}
)

#: A pause frame on the wire: 64 bytes, preamble and inter-packet gap (IEEE 802.3, 31B and clause 3).
PAUSE_FRAME_BYTES = 84

#: The smallest Ethernet frame.
SMALL_PACKET_BYTES = 64

_PROFILE_NAME = re.compile(r"pg_lossless_(?P<mbps>\d+)_(?P<metres>\d+)m(?:_8lane)?_profile")


@dataclass(frozen=True, slots=True)
class _Demand:
    """What can still arrive on a port after it has sent a pause frame; what is not known counts as nothing."""

    interface: Interface
    speed_gbps: int
    length_cm: int
    own_mtu_bytes: int
    peer_mtu_bytes: int
    port: Port | None

    @property
    def bytes(self) -> int:
        """Return the sum of the delay model (IEEE 802.1Q, annex N)."""
        return (
            self.own_mtu_bytes
            + PAUSE_FRAME_BYTES
            + 2 * bytes_on_cable(self.speed_gbps, self.length_cm)
            + RESPONSE_QUANTA.get(self.speed_gbps, 0) * PAUSE_QUANTUM_BYTES
            + self.peer_mtu_bytes
        )

    @property
    def numbers(self) -> dict[str, int]:
        """Return the terms of the sum."""
        return {
            "own_mtu_bytes": self.own_mtu_bytes,
            "pause_frame_bytes": PAUSE_FRAME_BYTES,
            "cable_both_ways_bytes": 2 * bytes_on_cable(self.speed_gbps, self.length_cm),
            "peer_response_bytes": RESPONSE_QUANTA.get(self.speed_gbps, 0) * PAUSE_QUANTUM_BYTES,
            "peer_mtu_bytes": self.peer_mtu_bytes,
        }


def _demand(ctx: Context, interface: Interface | None, port: Port | None) -> _Demand | None:
    """Return the demand of a port; None where its speed is not known."""
    speed_gbps = port.speed_gbps if port else interface.speed_gbps if interface else None
    if interface is None or speed_gbps is None:
        return None
    peer = ctx.interface(port.far) if port else None
    lengths_cm = ((interface.cable_length_m or 0) * 100, (port.link.length_cm or 0) if port else 0)
    own_mtu = interface.mtu_bytes or 0
    peer_mtu = peer.mtu_bytes if peer and peer.mtu_bytes else own_mtu
    return _Demand(interface, speed_gbps, max(lengths_cm), own_mtu, peer_mtu, port)


@rule("FG405", "headroom-too-small", Severity.ERROR, "headroom below what can still arrive after a pause", Need.QOS)
def headroom_too_small(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """What arrives after a pause frame was sent has nowhere to go but the headroom; past it, lossless packets are lost.

    The least that a port needs is the frame that its own transmitter has begun, the pause frame, the cable both ways at
    5 ns/m, what the peer sends while it reacts, and the frame that the peer has begun. The longer of the real cable and
    the length that the switch was told counts. Source: IEEE 802.1Q, annex N; IEEE 802.3, 31B.3.7 for the reaction time.
    """
    suspects = _suspects(ctx)
    for device, view in ctx.lossless.items():
        if id(view) not in suspects:
            continue
        cabled = {port.interface.name: port for port in ctx.ports(device)}
        short = [
            (demand.bytes - (profile.headroom_bytes or 0), demand, profile)
            for name, _, profile in view.lossless_groups()
            if (demand := _demand(ctx, view.interfaces.get(name), cabled.get(name))) is not None
        ]
        worst_first = sorted((entry for entry in short if entry[0] > 0), key=lambda entry: -entry[0])
        for profile, demand, more in alike((profile, demand) for _, demand, profile in worst_first):
            yield _too_small(ctx, kind, device, demand, profile, more)


def _suspects(ctx: Context) -> set[int]:
    """Return the views, by identity, with a port that may have too little headroom, with a cable in it or without."""
    places: list[tuple[LosslessView, Interface, Port | None]] = [
        (view, interface, None) for view in ctx.view_kinds.values() for interface in view.interfaces.values()
    ]
    cabled = (port for port in ctx.port_kinds if port.end.device in ctx.lossless)
    places += ((ctx.lossless[port.end.device], port.interface, port) for port in cabled)
    return {id(view) for view, interface, port in places if _is_short(ctx, view, interface, port)}


def _is_short(ctx: Context, view: LosslessView, interface: Interface, port: Port | None) -> bool:
    demand = _demand(ctx, interface, port)
    profiles = view.lossless_profiles.get(interface.name, ())
    return demand is not None and any((profile.headroom_bytes or 0) < demand.bytes for profile in profiles)


def _too_small(ctx: Context, kind: Kind, device: str, demand: _Demand, profile: BufferProfile, more: int) -> Diagnostic:
    have, name = profile.headroom_bytes or 0, demand.interface.name
    related = [ctx.note(f"length that the switch was told for {name}", device, "interfaces", name, "cable_length_m")]
    if demand.port is not None and demand.port.link.length_span is not None:
        related.append(Note("length of the cable", demand.port.link.length_span))
    return kind.at(
        port_path(device, name),
        f"headroom of {profile.name} is {have} bytes, {demand.bytes} needed: {demand.speed_gbps} Gb/s, "
        f"{format_length(demand.length_cm)} m of cable, MTU {demand.own_mtu_bytes} and {demand.peer_mtu_bytes}"
        f"{and_more(more, 'port')}",
        span=ctx.span(device, "buffers", "profiles", profile.name, "headroom_bytes"),
        related=related,
        numbers={"have_bytes": have, "needed_bytes": demand.bytes, **demand.numbers},
        remedy=f"raise the headroom of {profile.name} to {demand.bytes} bytes or more, or shorten the cable",
    )


@rule("FG430", "headroom-below-small-packets", Severity.WARNING, "headroom too small for the small packets to expect",
      Need.QOS)  # fmt: skip
def headroom_below_small_packets(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A packet of 64 bytes takes a whole cell, so a burst of small packets needs more buffer than its bytes.

    The switch is told a share of small packets; what is in flight is counted with it: all of the sum of FG405 but the
    peer's last frame, times the cells that it fills. Source: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua; the
    cell size is the catalog's.
    """
    for device, view in ctx.lossless.items():
        occupancy, last_bytes = _occupancy(ctx, device, view), view.buffers.lossless_mtu_bytes or 0
        if not occupancy:
            continue
        cabled = {port.interface.name: port for port in ctx.ports(device)}
        demands = (
            (profile, demand)
            for name, _, profile in view.lossless_groups()
            if (demand := _demand(ctx, view.interfaces.get(name), cabled.get(name))) is not None
        )
        short = [
            (int((demand.bytes - demand.peer_mtu_bytes) * occupancy) + last_bytes, profile, demand)
            for profile, demand in demands
            if demand.bytes <= (profile.headroom_bytes or 0)
        ]
        worst_first = sorted(
            (entry for entry in short if entry[0] > (entry[1].headroom_bytes or 0)), key=lambda entry: -entry[0]
        )
        for profile, (needed, demand), more in alike(
            (profile, (needed, demand)) for needed, profile, demand in worst_first
        ):
            name = demand.interface.name
            yield kind.at(
                port_path(device, name),
                f"headroom of {profile.name} is {profile.headroom_bytes} bytes; {needed} needed with "
                f"{view.buffers.small_packet_percent} % small packets{and_more(more, 'port')}",
                span=ctx.span(device, "buffers", "profiles", profile.name, "headroom_bytes"),
                related=(ctx.note("share of small packets", device, "buffers", "small_packet_percent"),),
                numbers={"have_bytes": profile.headroom_bytes or 0, "needed_bytes": needed},
                remedy=f"raise the headroom of {profile.name} to {needed} bytes or more",
            )


def _occupancy(ctx: Context, device: str, view: LosslessView) -> Fraction:
    """Return the bytes of buffer that a byte in flight takes; 0 where cell size or traffic pattern is not known."""
    asic, percent, mtu = ctx.asic(device), view.buffers.small_packet_percent, view.buffers.lossless_mtu_bytes
    if asic is None or not isinstance(asic.cell_bytes, int) or percent is None or not mtu:
        return Fraction(0)
    small = Fraction(percent * SMALL_PACKET_BYTES, percent * SMALL_PACKET_BYTES + (100 - percent) * mtu)
    return 1 - small + small * ceil_div(asic.cell_bytes, SMALL_PACKET_BYTES)


@rule("FG406", "cable-longer-than-told", Severity.ERROR, "the switch was told a shorter cable than there is",
      Need.LINKS, Need.QOS)  # fmt: skip
def cable_longer_than_told(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Switches compute headroom from the length that they are told, so a length that is too short loses packets.

    Each metre is 2 x 5 ns of line rate in flight: 500 bytes at 400 Gb/s. Source: sonic-swss, cfgmgr/buffermgr.cpp and
    buffermgrdyn.cpp, on CABLE_LENGTH; IEEE 802.1Q, annex N.
    """
    for device in ctx.lossless if any(map(_is_longer_than_told, ctx.port_kinds)) else ():
        short = (
            ((port.interface.cable_length_m or 0, port.link.length_cm), port)
            for port in ctx.ports(device)
            if _is_longer_than_told(port)
        )
        for (told, real_cm), port, more in alike(short):
            real = format_length(real_cm or 0)
            yield kind.at(
                port.path,
                f"the switch was told {told} m; the cable to {port.far} is {real} m{and_more(more, 'port')}",
                span=ctx.port_span(port, "cable_length_m"),
                related=(Note("length of the cable", port.link.length_span),),
                numbers={"told_cm": told * 100, "real_cm": real_cm or 0},
                remedy=f"tell the switch {real} m or more for {port.interface.name}",
            )


def _is_longer_than_told(port: Port) -> bool:
    told = port.interface.cable_length_m
    return told is not None and told * 100 < (port.link.length_cm or 0)


@rule("FG432", "cable-length-unset", Severity.WARNING, "the switch was not told the cable length of a lossless port",
      Need.QOS)  # fmt: skip
@by_view
def cable_length_unset(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Headroom is computed or looked up by cable length, so without one the port gets none, or keeps what it had.

    Only a switch that was told the length of other ports is judged. Source: sonic-swss, cfgmgr/buffermgr.cpp and
    buffermgrdyn.cpp, which wait for CABLE_LENGTH.
    """
    ports = [view.interfaces[port.interface] for port in view.lossless_ports if port.interface in view.interfaces]
    unset = [(None, port.name) for port in ports if port.cable_length_m is None]
    for _, name, more in alike(unset if len(unset) < len(ports) else ()):
        yield kind.at(
            port_path(device, name),
            f"PFC is on and no cable length is set{and_more(more, 'port')}",
            span=ctx.span(device, "interfaces", name, "cable_length_m"),
            remedy=f"set the cable length of {name}",
        )


@rule("FG419", "headroom-profile-stale", Severity.ERROR, "a headroom profile made for another speed or length",
      Need.QOS)  # fmt: skip
@by_view
def headroom_profile_stale(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """SONiC names its headroom profiles by speed and cable length, and kept the old one when only the length changed.

    Source: sonic-swss pull request 4004 and sonic-buildimage issue 1602.
    """
    stale = (
        ((name, fault), (interface, group))
        for (interface, group), name in view.ingress.items()
        if (fault := _staleness(view, interface, name))
    )
    for (name, fault), (interface, group), more in alike(stale):
        yield kind.at(
            port_path(device, interface),
            f"priority group {group} has {name}; {fault}{and_more(more, 'port')}",
            span=ctx.span(device, "buffers", "ingress", interface, str(group)),
            related=(ctx.note(f"cable length of {interface}", device, "interfaces", interface, "cable_length_m"),),
            remedy=f"give priority group {group} of {interface} the profile of its present speed and cable length",
        )


def _staleness(view: LosslessView, interface: str, name: str) -> str | None:
    """Return how a port differs from what the name of its profile says; None where it does not."""
    match, port = _PROFILE_NAME.fullmatch(name), view.interfaces.get(interface)
    if match is None or port is None:
        return None
    if port.speed_gbps is not None and port.speed_gbps * 1000 != int(match["mbps"]):
        return f"the port runs at {port.speed_gbps} Gb/s"
    if port.cable_length_m is not None and port.cable_length_m != int(match["metres"]):
        return f"its cable length is {port.cable_length_m} m"
    return None


@rule("FG420", "headroom-row-missing", Severity.ERROR, "the switch has no headroom for a port's speed and cable length",
      Need.QOS)  # fmt: skip
@by_view
def headroom_row_missing(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """In SONiC's traditional buffer model headroom is looked up by exact speed and length; no row, no lossless group.

    PFC stays on all the same. Source: sonic-swss, cfgmgr/buffermgr.cpp; sonic-buildimage issue 5837 and pull request
    24903. The rows are those of the SKU's `pg_profile_lookup.ini`, as far as the catalog has them.
    """
    switch = ctx.catalog.switch_of_sku(view.panel.sku)
    sonic = switch.sonic if switch else None
    traditional = sonic is not None and (view.buffers.model or sonic.buffer_model) == "traditional"
    if sonic is None or not traditional or sonic.hwsku != view.panel.sku or not sonic.cable_lengths_m:
        return
    wanted = (
        ((port.speed_gbps, port.cable_length_m), port.name)
        for port in (view.interfaces.get(entry.interface) for entry in view.lossless_ports)
        if port is not None and port.speed_gbps is not None and port.cable_length_m is not None
    )
    for (speed, length), name, more in alike(wanted):
        rows = sonic.cable_lengths_m.get(speed, ())
        if length in rows:
            continue
        longer = min((row for row in rows if row > length), default=None)
        yield kind.at(
            port_path(device, name),
            f"{view.panel.sku} has no headroom for {speed} Gb/s and {length} m{and_more(more, 'port')}",
            span=ctx.span(device, "interfaces", name, "cable_length_m"),
            numbers={"speed_gbps": speed, "length_m": length},
            remedy=f"set the cable length to {longer} m, the next longer row"
            if longer is not None
            else f"add a row to the SKU's table: it ends at {max(rows, default=0)} m for {speed} Gb/s",
        )

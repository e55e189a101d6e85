"""Links: what both ends of a cable must agree on, and what a port must be for its cable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import Interface, Link, LinkEnd
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, Port, and_more, by_panel, port_path, rule
from fabricgen.rules.majority import joined_disagreements
from fabricgen.rules.panel import Panel

V = TypeVar("V", int, str)

#: What surrounds the payload of a RoCE v2 packet above Ethernet: IPv6 40, UDP 8, BTH 12, RETH 16 and ICRC 4 bytes
#: (IBTA specification, annex A17, and 9.2 and 9.3 of volume 1).
ROCE_HEADER_BYTES = 40 + 8 + 12 + 16 + 4

#: The largest RDMA MTU.
RDMA_MTU_BYTES = 4096

#: Lanes of 50 Gb/s and more are PAM4, which is not usable without RS-FEC (IEEE 802.3bs, 802.3ck).
PAM4_LANE_GBPS = 50


def _is_off_speed(port: Port) -> bool:
    """Return whether a port is set to another speed than its cable is meant for."""
    return port.link.speed_gbps is not None and port.interface.speed_gbps not in (None, port.link.speed_gbps)


@rule("FG201", "link-speed-differs", Severity.ERROR, "a port's speed is not that of its cable or peer",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def speed_differs(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A link comes up only where both ends run at one speed.

    Ports of data-centre switches have their speed forced, so nothing negotiates a common one. Source: SONiC
    Configuration schema, PORT table (`speed`); sonic-buildimage issue 3981 for what a wrong speed does at boot.
    """
    reported = set()
    for port in ctx.ports_where(_is_off_speed):
        meant, have = port.link.speed_gbps or 0, port.interface.speed_gbps or 0
        reported.add(port.link)
        yield kind.at(
            port.path,
            f"the port runs at {have} Gb/s; its cable is meant for {meant} Gb/s",
            span=ctx.port_span(port, "speed_gbps"),
            numbers={"have_gbps": have, "needed_gbps": meant},
            remedy=f"set the speed of {port.interface.name} to {meant} Gb/s",
        )
    for (port, have), (peer, meant) in joined_disagreements(ctx, lambda port: port.interface.speed_gbps):
        if port.link not in reported:
            yield kind.at(
                port.path,
                f"the port runs at {have} Gb/s, its peer {peer.path} at {meant} Gb/s",
                span=ctx.port_span(port, "speed_gbps"),
                related=(ctx.port_note(peer, f"{meant} Gb/s", "speed_gbps"),),
                numbers={"have_gbps": have, "peer_gbps": meant},
                remedy=f"set both ends to one speed: {meant} Gb/s is more common in this fabric",
            )


@rule("FG202", "mtu-differs", Severity.ERROR, "the two ends of a link have different MTUs", Need.LINKS, Need.ETHERNET)
def mtu_differs(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A port drops frames that are longer than its MTU, and in a lossless class nothing may be dropped.

    Small packets pass, so pings and BGP work and the loss shows only under load. Source: IEEE 802.3 and RFC 4638 leave
    no room for fragmentation at layer 2; nccl pull request 2135 shows a job that hangs on unequal MTUs.
    """
    for (port, have), (peer, other) in joined_disagreements(ctx, lambda port: port.interface.mtu_bytes):
        yield kind.at(
            port.path,
            f"the MTU is {have} bytes, that of its peer {peer.path} {other} bytes",
            span=ctx.port_span(port, "mtu_bytes"),
            related=(ctx.port_note(peer, f"{other} bytes", "mtu_bytes"),),
            numbers={"have_bytes": have, "peer_bytes": other},
            remedy=f"set the MTU of both ends to {max(have, other)} bytes",
        )


def _is_too_small(port: Port) -> bool:
    """Return whether a port does not take the largest RDMA MTU."""
    return port.interface.mtu_bytes is not None and port.interface.mtu_bytes < RDMA_MTU_BYTES + ROCE_HEADER_BYTES


def _any_takes_rdma(ctx: Context) -> bool:
    """Return whether a cabled port of the network takes the largest RDMA MTU."""
    return any(port.interface.mtu_bytes is not None and not _is_too_small(port) for port in ctx.port_kinds)


@rule("FG203", "mtu-below-rdma", Severity.ERROR, "a port is too small for RDMA packets that others carry",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def mtu_below_rdma(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """An RDMA MTU of 4096 bytes needs 4176 bytes of IP packet on every hop of every path.

    Adapters choose the RDMA MTU by their own port, not by the path, so a smaller port on the way drops the full-size
    packets and nothing else. Source: IBTA annex A17 for the headers; tensorflow pull request 9432 for the symptom
    (retry count exceeded).
    """
    needed = RDMA_MTU_BYTES + ROCE_HEADER_BYTES
    for port in ctx.ports_where(_is_too_small) if _any_takes_rdma(ctx) else ():
        have = port.interface.mtu_bytes or 0
        yield kind.at(
            port.path,
            f"the MTU is {have} bytes; an RDMA MTU of {RDMA_MTU_BYTES} bytes needs {needed}",
            span=ctx.port_span(port, "mtu_bytes"),
            numbers={"have_bytes": have, "needed_bytes": needed},
            remedy=f"set the MTU of {port.interface.name} to 9216 bytes, or to {needed} at least",
        )


@rule("FG215", "mtu-limits-rdma", Severity.WARNING, "the whole fabric is too small for the largest RDMA MTU",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def mtu_limits_rdma(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """With a small MTU everywhere RDMA falls back to 2048, 1024 or less bytes a packet, and to more packets.

    It works where all hosts agree. Source: the RDMA MTU steps of the IBTA specification (256 to 4096 bytes) and the
    headers of annex A17.
    """
    small = () if _any_takes_rdma(ctx) else ctx.ports_where(_is_too_small)
    largest = max(small, key=lambda port: port.interface.mtu_bytes or 0, default=None)
    if largest is None:
        return
    have, needed = largest.interface.mtu_bytes or 0, RDMA_MTU_BYTES + ROCE_HEADER_BYTES
    yield kind.at(
        f"networks[{ctx.network.name}]",
        f"no port has an MTU above {have} bytes; an RDMA MTU of {RDMA_MTU_BYTES} bytes needs {needed}",
        span=ctx.port_span(largest, "mtu_bytes"),
        numbers={"have_bytes": have, "needed_bytes": needed},
        remedy="set the MTU of all fabric ports to 9216 bytes",
    )


def _fec(interface: Interface) -> str | None:
    """Return the FEC that a port forces; what is empty or ``auto`` is unset and means the device's own choice."""
    return interface.fec if interface.fec not in ("", "auto") else None


@rule("FG204", "fec-differs", Severity.ERROR, "the two ends of a link use different FEC", Need.LINKS, Need.ETHERNET)
def fec_differs(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A receiver that expects error-correction symbols takes nothing without them: the link stays down.

    Source: IEEE 802.3 clauses 74, 91 and 119; sonic-mgmt pull request 24633, where an empty column in a cable table
    became "no FEC" on one end.
    """
    for (port, have), (peer, other) in joined_disagreements(ctx, lambda port: _fec(port.interface)):
        yield kind.at(
            port.path,
            f"FEC is `{have}`, that of its peer {peer.path} `{other}`",
            span=ctx.port_span(port, "fec"),
            related=(ctx.port_note(peer, f"`{other}`", "fec"),),
            remedy=f"set the FEC of both ends to `{'rs' if 'rs' in (have, other) else other}`",
        )


def _set_on_one_end(ctx: Context, value: Callable[[Interface], V | None]) -> Iterator[tuple[str, tuple[Port, Port, V]]]:
    """Yield (device, (port without a value, its peer, value of the peer)) of the switch-to-switch cables."""
    differ = any((value(a.interface) is None) != (value(b.interface) is None) for a, b in ctx.joined_kinds)
    for pair in ctx.joined_ports if differ else ():
        for port, peer in (pair, pair[::-1]):
            other = value(peer.interface)
            if value(port.interface) is None and other is not None:
                yield port.end.device, (port, peer, other)


@rule("FG217", "fec-unset-on-one-end", Severity.WARNING, "one end of a link has its FEC set and the other has not",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def fec_unset_on_one_end(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """What is not set is the driver's choice, which changes with switch, cable and release, and may differ.

    Then the link stays down, or comes up and loses frames. Source: IEEE 802.3 clause 91 (both ends must agree);
    sonic-mgmt pull request 24633, where FEC was set on one end only.
    """
    for device, (port, peer, fec), more in alike(_set_on_one_end(ctx, _fec)):
        yield kind.at(
            port.path,
            f"FEC is not set; its peer {peer.path} has `{fec}`{and_more(more, 'port')}",
            span=ctx.span(device, "interfaces", port.interface.name, "fec"),
            related=(ctx.port_note(peer, f"`{fec}`", "fec"),),
            remedy=f"set the FEC of {port.interface.name} to `{fec}`",
        )


@rule("FG219", "mtu-unset-on-one-end", Severity.WARNING, "one end of a link has its MTU set and the other has not",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def mtu_unset_on_one_end(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """What is not set is the device's default, which is seldom the MTU of the other end, and frames between are lost.

    Source: sonic-swss, cfgmgr/portmgr.h: a port of SONiC without an MTU has 9100 bytes.
    """
    for device, (port, peer, mtu), more in alike(_set_on_one_end(ctx, lambda interface: interface.mtu_bytes)):
        yield kind.at(
            port.path,
            f"the MTU is not set; that of its peer {peer.path} is {mtu} bytes{and_more(more, 'port')}",
            span=ctx.span(device, "interfaces", port.interface.name, "mtu_bytes"),
            related=(ctx.port_note(peer, f"{mtu} bytes", "mtu_bytes"),),
            numbers={"peer_bytes": mtu},
            remedy=f"set the MTU of {port.interface.name} to {mtu} bytes",
        )


@rule("FG213", "fec-missing-on-pam4", Severity.ERROR, "lanes of 50 Gb/s and more without RS-FEC", Need.ETHERNET)
@by_panel
def fec_missing(ctx: Context, kind: Kind, device: str, panel: Panel) -> Iterator[Diagnostic]:
    """Lanes of 50 Gb/s and more use PAM4, whose raw error rate is too high for Ethernet without RS-FEC.

    Source: IEEE 802.3bs and 802.3ck, where RS(544,514) is a part of the physical layer; sonic-buildimage issue 24180: a
    100G port on two lanes with `fec none` came up and then ignored pause frames.
    """
    for interface in panel.ports:
        speed, lanes, fec = interface.speed_gbps, len(interface.lanes), _fec(interface)
        if not speed or not lanes or fec in (None, "rs") or speed < PAM4_LANE_GBPS * lanes:
            continue
        yield kind.at(
            port_path(device, interface.name),
            f"FEC is `{fec}` on {lanes} lane{'s' if lanes != 1 else ''} of {speed // lanes} Gb/s",
            span=ctx.span(device, "interfaces", interface.name, "fec"),
            numbers={"lane_gbps": speed // lanes, "lanes": lanes},
            remedy=f"set the FEC of {interface.name} and of its peer to `rs`",
        )


@rule("FG208", "cabled-port-down", Severity.ERROR, "a cabled port is shut down or not configured",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def cabled_port_down(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A cable in a port that is down carries nothing: the fabric has less bandwidth than it seems.

    Source: SONiC Configuration schema: `admin_status` is down where a port does not say otherwise, and a port without a
    PORT row does not exist.
    """
    if not any(_ends_down(ctx, link) for link in ctx.cable_kinds):
        return
    for near, far, interface in (found for link in ctx.network.links for found in _ends_down(ctx, link)):
        name = interface.name if interface else near.interface
        state = "shut down" if interface else "not in the configuration"
        yield kind.at(
            port_path(near.device, name),
            f"the port is {state}, but a cable joins it to {far}",
            span=ctx.span(near.device, "interfaces", name, "enabled"),
            remedy=f"enable {name}" if interface else f"configure {name}, or remove the cable from the plan",
        )


def _ends_down(ctx: Context, link: Link) -> list[tuple[LinkEnd, LinkEnd, Interface | None]]:
    """Return the ends of a cable at switches that were read whose port is not up, with the far end and the port."""
    ends = [(near, far, ctx.interface(near)) for near, far in link.ends
            if ctx.model(near.device) is not None and ctx.is_switch(near.device)]  # fmt: skip
    return [(near, far, port) for near, far, port in ends if port is None or not port.enabled]

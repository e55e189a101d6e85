"""PFC: both ends pause the same priorities, and what pauses has headroom."""

from __future__ import annotations

from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import PortQos
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, Port, and_more, by_view, device_path, port_path, rule
from fabricgen.rules.lossless import LosslessView
from fabricgen.rules.majority import joined_disagreements


def _priorities(ctx: Context, port: Port) -> tuple[int, ...] | None:
    """Return the PFC priorities of a port; None where no QoS configuration of its device is at hand."""
    view = ctx.lossless.get(port.end.device)
    if view is None or not view.has_qos:
        return None
    found = view.ports.get(port.interface.name)
    return tuple(sorted(set(found.pfc_priorities))) if found else ()


def _set(priorities: tuple[int, ...]) -> str:
    return f"{{{', '.join(map(str, priorities))}}}"


@rule("FG402", "pfc-differs", Severity.ERROR, "the two ends of a link pause different priorities", Need.LINKS, Need.QOS)
def pfc_differs(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A pause frame for a priority that the peer does not honour stops nothing: the peer sends on into a full buffer.

    No error shows; pause frames are counted and packets are lost. Source: IEEE 802.1Q, clause 36; the defaults that
    differ in practice are SONiC's 3 and 4 (sonic-buildimage issue 5910) and the single priority of other guides.
    """
    for (port, have), (peer, other) in joined_disagreements(ctx, lambda port: _priorities(ctx, port)):
        place = ("qos", "ports")
        yield kind.at(
            port.path,
            f"PFC priorities are {_set(have)}, those of the peer {peer.path} {_set(other)}",
            span=ctx.span(port.end.device, *place, port.interface.name, "pfc_priorities"),
            related=(
                ctx.note(f"{peer.path}: {_set(other)}", peer.end.device, *place, peer.interface.name, "pfc_priorities"),
            ),
            remedy=f"set PFC of {port.interface.name} to {_set(other)}",
        )


@rule("FG403", "pfc-without-headroom", Severity.ERROR, "a PFC priority without a buffer for what still arrives",
      Need.QOS)  # fmt: skip
@by_view
def pfc_without_headroom(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A pause takes effect a round trip later; what arrives until then is dropped where no headroom is kept for it.

    Source: IEEE 802.1Q, annex N; SONiC issue 480, where two senders into one port lost packets with PFC on because the
    ports had no lossless priority group.
    """
    faults = (
        ((priority, fault), port)
        for port in view.lossless_ports
        for priority in port.pfc_priorities
        if (fault := _headroom_fault(view, port, priority))
    )
    for (priority, fault), port, more in alike(faults):
        group = view.group_of_priority(port, priority)
        yield kind.at(
            port_path(device, port.interface),
            f"PFC priority {priority} {fault}{and_more(more, 'port')}",
            span=ctx.span(device, "buffers", "ingress", port.interface, str(group))
            if group is not None
            else ctx.span(device, "qos", "ports", port.interface, "pfc_priorities"),
            numbers={"priority": priority},
            remedy=f"give priority {priority} of {port.interface} a priority group with headroom, or no PFC",
        )


def _headroom_fault(view: LosslessView, port: PortQos, priority: int) -> str | None:
    """Return why a priority has no headroom; None where it has, and where another finding says so."""
    group = view.group_of_priority(port, priority)
    if group is None:
        return "has no priority group"
    name = view.ingress.get((port.interface, group))
    if name is None:
        return f"has no buffer profile on its priority group {group}"
    if view.computes_headroom(port.interface, group):
        return None
    profile = view.profiles.get(name)
    return f"has the profile {name}, which keeps no headroom" if profile is not None and not profile.lossless else None


@rule("FG404", "headroom-without-pfc", Severity.ERROR, "a lossless priority group whose priority has no PFC", Need.QOS)
@by_view
def headroom_without_pfc(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Without PFC nothing asks the peer to stop: the group overflows and drops, and its headroom is wasted.

    Source: IEEE 802.1Q, clause 36; sonic-swss, cfgmgr/buffermgr.cpp, which makes lossless groups from `pfc_enable`.
    """
    if not view.has_qos:
        return
    paused = {
        (port.interface, view.group_of_priority(port, priority))
        for port in view.lossless_ports
        for priority in port.pfc_priorities
    }
    faults = (
        ((group, profile.name), interface)
        for interface, group, profile in view.lossless_groups()
        if (interface, group) not in paused
    )
    for (group, name), interface, more in alike(faults):
        yield kind.at(
            port_path(device, interface),
            f"priority group {group} keeps headroom ({name}) and no PFC priority uses it{and_more(more, 'port')}",
            span=ctx.span(device, "buffers", "ingress", interface, str(group)),
            numbers={"priority_group": group},
            remedy=f"enable PFC for the priority of group {group} of {interface}, or give it a lossy profile",
        )


@rule("FG417", "port-not-lossless", Severity.ERROR, "a port of a RoCE fabric without PFC", Need.LINKS, Need.ETHERNET)
def port_not_lossless(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """One lossy hop is enough to lose packets under incast, however lossless the others are.

    Source: Guo et al. (SIGCOMM 2016), section 3; sonic-buildimage issue 23354, where only the first child of a split
    cage was lossless.
    """
    if ctx.network.kind != "rocev2" or all(_priorities(ctx, port) for port in ctx.port_kinds):
        return
    for device, _ in ctx.switch_models():
        ports = ctx.ports(device.name)
        lossy = [port for port in ports if not _priorities(ctx, port)]
        if ports and len(lossy) == len(ports):
            yield kind.at(
                device_path(device.name),
                f"PFC is on for none of its {len(ports)} cabled ports",
                span=ctx.span(device.name, "qos", "ports"),
                remedy=f"enable PFC for the lossless priority on the fabric ports of {device.name}",
            )
            continue
        for port in lossy:
            if not _peer_has_pfc(ctx, port):
                yield kind.at(
                    port.path,
                    f"PFC is off, on the link to {port.far}; other ports of the switch have it",
                    span=ctx.span(device.name, "qos", "ports", port.interface.name, "pfc_priorities"),
                    remedy=f"enable PFC for the lossless priority on {port.interface.name}",
                )


def _peer_has_pfc(ctx: Context, port: Port) -> bool:
    """Return whether the peer's configuration has PFC on the link, which makes the difference a finding of its own."""
    interface, view = ctx.interface(port.far), ctx.lossless.get(port.far.device)
    far = view.ports.get(interface.name) if interface and view else None
    return bool(far and far.pfc_priorities)

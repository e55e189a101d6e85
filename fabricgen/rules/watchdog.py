"""The PFC watchdog: what ends a pause storm before it freezes the fabric."""

from __future__ import annotations

from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import PortQos
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, and_more, by_view, device_path, port_path, rule
from fabricgen.rules.lossless import LosslessView


@rule("FG409", "watchdog-misses-priority", Severity.ERROR, "a PFC priority that the watchdog does not guard", Need.QOS)
@by_view
def watchdog_misses(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """An adapter that pauses for ever stops its switch, then all that feed it, within microseconds for each tier.

    Only the watchdog ends that. Source: Guo et al. (SIGCOMM 2016), section 4.3; edge-core sonic-buildimage pull request
    689 for a template that watched other priorities than it paused.
    """
    if view.lossless_ports and not view.watchdog_ports and not any(_differs(port) for port in view.lossless_ports):
        yield kind.at(
            device_path(device, "watchdog"),
            f"PFC is on for {len(view.lossless_ports)} ports and there is no PFC watchdog",
            span=ctx.span(device, "qos", "watchdog"),
            numbers={"ports": len(view.lossless_ports)},
            remedy="configure the PFC watchdog on every port with PFC",
        )
        return
    faults = ((fault, port) for port in view.lossless_ports if (fault := _gap(view, port)))
    for fault, port, more in alike(faults):
        yield kind.at(
            port_path(device, port.interface),
            f"{fault}{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "ports", port.interface, "watchdog_priorities"),
            remedy=f"let the watchdog guard priorities {_set(port.pfc_priorities)} of {port.interface}",
        )


def _differs(port: PortQos) -> bool:
    """Return whether the watchdog is told to guard other priorities than are paused."""
    return bool(port.watchdog_priorities) and set(port.pfc_priorities) != set(port.watchdog_priorities)


def _gap(view: LosslessView, port: PortQos) -> str | None:
    if _differs(port):
        return f"PFC is on for {_set(port.pfc_priorities)}, the watchdog guards {_set(port.watchdog_priorities)}"
    if not port.watchdog_priorities or port.interface not in view.watchdog_ports:
        return f"PFC is on for {_set(port.pfc_priorities)} and the watchdog does not run on the port"
    return None


def _set(priorities: tuple[int, ...]) -> str:
    return f"{{{', '.join(map(str, sorted(priorities)))}}}"


@rule("FG424", "watchdog-too-slow", Severity.ERROR, "the watchdog looks less often than it must act", Need.QOS)
@by_view
def watchdog_too_slow(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A storm is seen at the polls only, so a poll interval above the detection or restoration time defeats it.

    Source: sonic-utilities issue 4520 and sonic-buildimage issue 27865; SONiC's YANG model asks for the same.
    """
    watchdog = view.qos.watchdog
    if watchdog is None or watchdog.poll_interval_ms is None:
        return
    poll = watchdog.poll_interval_ms
    slow = (
        (shortest, port)
        for port in watchdog.ports
        if (shortest := min(port.detection_ms, port.restoration_ms or port.detection_ms)) < poll
    )
    for shortest, port, more in alike(slow):
        yield kind.at(
            port_path(device, port.interface),
            f"the watchdog must act within {shortest} ms and looks every {poll} ms{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "watchdog", "ports", port.interface),
            related=(ctx.note(f"every {poll} ms", device, "qos", "watchdog", "poll_interval_ms"),),
            numbers={"poll_ms": poll, "limit_ms": shortest},
            remedy=f"set the poll interval to {shortest} ms or less, or the times of the port to {poll} ms or more",
        )


@rule("FG425", "watchdog-counters-off", Severity.ERROR, "the watchdog's counters are switched off", Need.QOS)
@by_view
def watchdog_counters_off(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """The watchdog judges by counters that are polled for it; without them it sees nothing.

    Source: sonic-buildimage issue 9597.
    """
    watchdog = view.qos.watchdog
    if watchdog is not None and watchdog.ports and watchdog.counters_enabled is False:
        yield kind.at(
            device_path(device, "watchdog"),
            f"the watchdog runs on {len(watchdog.ports)} ports, but its counters are disabled",
            span=ctx.span(device, "qos", "watchdog", "counters_enabled"),
            remedy="enable the counters of the PFC watchdog",
        )


@rule("FG426", "watchdog-counters-unset", Severity.WARNING, "the watchdog's counters are not switched on", Need.QOS)
@by_view
def watchdog_counters_unset(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Where a configuration is silent, the counters start minutes after the ports, and the watchdog with them.

    Source: sonic-buildimage issue 9597, in the words of its maintainers.
    """
    watchdog = view.qos.watchdog
    if watchdog is not None and watchdog.ports and watchdog.counters_enabled is None:
        yield kind.at(
            device_path(device, "watchdog"),
            f"the watchdog runs on {len(watchdog.ports)} ports, and nothing says that its counters are on",
            span=ctx.span(device, "qos", "watchdog"),
            remedy="enable the counters of the PFC watchdog",
        )


@rule("FG427", "watchdog-without-pfc", Severity.WARNING, "the watchdog runs on a port without PFC", Need.QOS)
@by_view
def watchdog_without_pfc(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """There is nothing to guard: the watchdog fails to start on the port and logs an error at every boot.

    Source: sonic-buildimage pull request 24146 ("no lossless TC found").
    """
    if not view.has_qos:
        return
    paused = {port.interface for port in view.lossless_ports}
    idle = ((None, name) for name in view.watchdog_ports if name not in paused)
    for _, name, more in alike(idle):
        yield kind.at(
            port_path(device, name),
            f"the watchdog runs on the port, which has no PFC priority{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "watchdog", "ports", name),
            remedy=f"remove the watchdog from {name}, or enable PFC on it",
        )


@rule("FG431", "watchdog-only-alerts", Severity.WARNING, "the watchdog tells of a storm and does nothing", Need.QOS)
@by_view
def watchdog_only_alerts(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A storm that is only logged goes on, and spreads from port to port until the fabric stands still.

    Source: sonic-swss, orchagent/pfcwdorch.cpp (the action `alert` forwards on); Guo et al. (SIGCOMM 2016), section
    4.3.
    """
    idle = ((None, port.interface) for port in view.watchdog_ports.values() if port.action == "alert")
    for _, name, more in alike(idle):
        yield kind.at(
            port_path(device, name),
            f"the action of the watchdog is `alert`, which leaves a storm alone{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "watchdog", "ports", name, "action"),
            remedy=f"set the action on {name} to `drop` or `forward`",
        )

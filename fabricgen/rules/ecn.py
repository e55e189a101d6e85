"""ECN: a lossless queue marks before it pauses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import BufferProfile, EcnProfile, PortQos, ThresholdMode
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, and_more, by_view, device_path, port_path, rule
from fabricgen.rules.lossless import LosslessView

#: What is as large as a 32-bit register stands for "never", not for a queue.
NEVER_BYTES = 2**32 - 1


def _lossless_queues(view: LosslessView) -> Iterator[tuple[PortQos, int]]:
    for port in view.lossless_ports:
        for queue in view.lossless_queues(port):
            yield port, queue


def _marking_profiles(view: LosslessView) -> list[EcnProfile]:
    """Return the marking profiles of lossless queues, and those that no queue uses."""
    lossless = {profile.name for port, queue in _lossless_queues(view)
                if (profile := view.ecn_profile(port.interface, queue))}  # fmt: skip
    used = {binding.ecn_profile for binding in view.qos.queues}
    return [
        profile for profile in view.qos.ecn_profiles
        if profile.marks and (profile.name in lossless or profile.name not in used)
    ]  # fmt: skip


@rule("FG408", "ecn-not-marking", Severity.ERROR, "the ECN profile of a lossless queue does not mark", Need.QOS)
@by_view
def ecn_not_marking(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A profile that is not switched on leaves PFC as the only brake; one that drops loses lossless packets.

    Source: sonic-buildimage issue 4545: `ecn` set, `wred_green_enable` left false, no marking.
    """
    faults = (
        (profile, (port, queue))
        for port, queue in _lossless_queues(view)
        if (profile := view.ecn_profile(port.interface, queue)) and not (profile.marks and profile.active)
    )
    for profile, (port, queue), more in alike(faults):
        state = "is not active" if profile.marks else "drops instead of marking" if profile.active else "is off"
        yield kind.at(
            port_path(device, port.interface),
            f"the ECN profile {profile.name} of lossless queue {queue} {state}{and_more(more, 'queue')}",
            span=ctx.span(device, "qos", "ecn_profiles", profile.name),
            related=(ctx.note(f"queue {queue}", device, "qos", "queues", port.interface, str(queue)),),
            remedy=f"let {profile.name} mark, and switch it on",
        )


@rule("FG421", "ecn-missing", Severity.WARNING, "a lossless queue without ECN", Need.QOS)
@by_view
def ecn_missing(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Without marks senders slow down only when they are paused, and pauses spread to flows that have no part in it.

    Source: Zhu et al. (SIGCOMM 2015), section 2; Guo et al. (SIGCOMM 2016), section 4.
    """
    bare = (
        (queue, port)
        for port, queue in _lossless_queues(view)
        if (binding := view.bindings.get((port.interface, queue))) is None or binding.ecn_profile is None
    )
    for queue, port, more in alike(bare):
        yield kind.at(
            port_path(device, port.interface),
            f"lossless queue {queue} has no ECN profile{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "queues", port.interface, str(queue)),
            numbers={"queue": queue},
            remedy=f"give queue {queue} of {port.interface} an ECN profile",
        )


@rule("FG422", "ecn-thresholds-wrong", Severity.ERROR, "ECN thresholds that make no curve", Need.QOS)
@by_view
def ecn_thresholds_wrong(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A Kmin above Kmax has crashed switch agents, one below a frame marks idle links, a Kmax above the pool is void.

    Mostly a slip between bytes and kilobytes. Source: sonic-utilities pull request 579 (crash), openconfig
    featureprofiles pull request 1540 (8 KB for 8 MB, and an infinite maximum).
    """
    for profile in view.qos.ecn_profiles:
        for field, summary, remedy in _threshold_faults(view, profile):
            yield kind.at(
                device_path(device, f"ecn_profiles[{profile.name}]"),
                summary,
                span=ctx.span(device, "qos", "ecn_profiles", profile.name, field),
                numbers={"kmin_bytes": profile.minimum_bytes or 0, "kmax_bytes": profile.maximum_bytes or 0},
                remedy=remedy,
            )


def _threshold_faults(view: LosslessView, profile: EcnProfile) -> Iterator[tuple[str, str, str]]:
    """Yield field, summary and remedy of each fault of a curve."""
    kmin, kmax = profile.minimum_bytes, profile.maximum_bytes
    if kmin is None or kmax is None:
        if profile.marks or profile.active:
            field = "minimum_bytes" if kmin is None else "maximum_bytes"
            yield field, "a threshold is not set", f"set both thresholds of {profile.name}, in bytes"
        return
    if kmin > kmax:
        yield "minimum_bytes", f"Kmin {kmin} bytes is above Kmax {kmax} bytes", f"set Kmin of {profile.name} below Kmax"
    if not profile.marks:
        return
    mtu = _largest_mtu(view, profile)
    if kmin < mtu:
        yield (
            "minimum_bytes",
            f"Kmin {kmin} bytes is below one frame of {mtu} bytes",
            f"set Kmin of {profile.name} to {2 * mtu} bytes or more; the unit is bytes",
        )
    limit = _largest_pool(view)
    if kmax > limit:
        what = f"the largest pool of {limit} bytes" if limit < NEVER_BYTES else "any buffer"
        yield (
            "maximum_bytes",
            f"Kmax {kmax} bytes is above {what}, so marking never becomes certain",
            f"set Kmax of {profile.name} to two or three bandwidth-delay products",
        )


def _largest_mtu(view: LosslessView, profile: EcnProfile) -> int:
    """Return the largest MTU of the ports whose queues use a profile; 0 where none is known."""
    users = (view.interfaces.get(binding.interface) for binding in view.qos.queues
             if binding.ecn_profile == profile.name)  # fmt: skip
    return max((port.mtu_bytes or 0 for port in users if port is not None), default=0)


def _largest_pool(view: LosslessView) -> int:
    """Return the size of the largest pool; :data:`NEVER_BYTES` where a size is not known."""
    sizes = [pool.size_bytes for pool in view.buffers.pools]
    known = [size for size in sizes if size is not None]
    return max(known) if known and len(known) == len(sizes) else NEVER_BYTES


def _pause_threshold(view: LosslessView) -> tuple[int, BufferProfile] | None:
    """Return the lowest occupancy at which a lossless group pauses when it is alone, and its profile."""
    limits = [
        (limit, profile)
        for profile in view.buffers.profiles
        if profile.lossless and (limit := view.limit_bytes(profile)) is not None
    ]
    return min(limits, key=lambda entry: entry[0], default=None)


@rule("FG423", "ecn-after-pause", Severity.WARNING, "PFC pauses before ECN marks everything", Need.QOS)
@by_view
def ecn_after_pause(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A queue that one ingress port fills never grows past the occupancy at which that port's group pauses.

    A Kmax above it is out of reach, and PFC does the work of ECN. The bound is the most favourable one, a group that is
    alone: alpha x pool / (1 + alpha), or the fixed threshold. Source: Zhu et al. (SIGCOMM 2015), section 4; Choudhury
    and Hahne (ToN 1998) for the dynamic threshold.
    """
    found = _pause_threshold(view)
    for profile in _marking_profiles(view) if found else ():
        assert found is not None
        limit, group = found
        if profile.maximum_bytes is None or limit > profile.maximum_bytes:
            continue
        bound = "its fixed threshold" if group.alpha_exponent is None else "alpha x pool / (1 + alpha)"
        yield kind.at(
            device_path(device, f"ecn_profiles[{profile.name}]"),
            f"Kmax is {profile.maximum_bytes} bytes; a group with {group.name} pauses at {limit} bytes or less "
            f"({bound})",
            span=ctx.span(device, "qos", "ecn_profiles", profile.name, "maximum_bytes"),
            related=(ctx.note(f"threshold of {group.name}", device, "buffers", "profiles", group.name),),
            numbers={"kmax_bytes": profile.maximum_bytes, "pause_threshold_bytes": limit},
            remedy=f"set Kmax of {profile.name} below {limit} bytes, or raise alpha",
        )


@rule("FG428", "ecn-order-not-guaranteed", Severity.INFO, "with all ports congested PFC may come before ECN", Need.QOS)
@by_view
def ecn_order_not_guaranteed(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Kmax lies above the bound under which marking comes first whatever the traffic.

    With p lossless priorities on n ports, S shared bytes and beta = p x alpha the bound is beta x S / (p x n x (beta +
    1)): all egress queues fed by one ingress port while all ports are congested. Above it the order holds as long as
    fewer are. Source: Zhu et al., Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), section 4.
    """
    bound, alone = _order_bound(view), _pause_threshold(view)
    for profile in _marking_profiles(view) if bound is not None and alone else ():
        kmax = profile.maximum_bytes
        assert bound is not None
        assert alone is not None
        if kmax is not None and bound < kmax < alone[0]:
            yield kind.at(
                device_path(device, f"ecn_profiles[{profile.name}]"),
                f"Kmax is {kmax} bytes; marking is sure to come first up to {bound} bytes",
                span=ctx.span(device, "qos", "ecn_profiles", profile.name, "maximum_bytes"),
                numbers={"kmax_bytes": kmax, "bound_bytes": bound},
                remedy=f"set Kmax of {profile.name} to {bound} bytes or less, or accept this finding",
            )


def _order_bound(view: LosslessView) -> int | None:
    """Return the bound, rounded down, of the profile with the smallest; None without a dynamic pool of known size."""
    ports = len(view.lossless_ports)
    priorities = max((len(port.pfc_priorities) for port in view.lossless_ports), default=0)
    bounds = []
    for profile in view.buffers.profiles:
        pool = view.pools.get(profile.pool or "")
        if not profile.lossless or pool is None or pool.mode is not ThresholdMode.DYNAMIC or pool.size_bytes is None:
            continue
        if profile.alpha_exponent is not None and ports:
            beta = priorities * Fraction(2) ** profile.alpha_exponent
            bounds.append(int(beta * pool.size_bytes / (priorities * ports * (beta + 1))))
    return min(bounds, default=None)


@rule("FG414", "wred-drops-non-ect", Severity.INFO, "traffic without ECN in a queue that marks", Need.QOS)
@by_view
def wred_drops_non_ect(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Packets that do not take part in ECN cannot be marked; between Kmin and Kmax they are dropped instead.

    DSCP 0 carries what nobody classified: TCP, ARP replies over IP, management. Source: RFC 3168, section 7;
    sonic-buildimage issue 27606.
    """
    mixed = (
        ((queue, profile.name), port)
        for port, queue in _lossless_queues(view)
        if (profile := view.ecn_profile(port.interface, queue)) and profile.marks and profile.active
        and (traffic_class := view.class_of_dscp(port, 0)) is not None
        and view.queue_of_class(port, traffic_class) == queue
    )  # fmt: skip
    for (queue, name), port, more in alike(mixed):
        yield kind.at(
            port_path(device, port.interface),
            f"DSCP 0 is in lossless queue {queue}; {name} drops there what it cannot mark{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "dscp_to_traffic_class", port.dscp_to_traffic_class or "", "0"),
            remedy="map DSCP 0 to a class with a lossy queue of its own",
        )

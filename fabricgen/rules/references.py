"""Names in QoS and buffers that lead nowhere, and thresholds that their pool does not take."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity, did_you_mean
from fabricgen.device import BufferProfile, ThresholdMode
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, and_more, by_view, device_path, port_path, rule
from fabricgen.rules.lossless import COMPUTED, LosslessView

#: Fields of a port's QoS that name a map; each map's table has the same name.
MAP_FIELDS = (
    "dscp_to_traffic_class",
    "pcp_to_traffic_class",
    "traffic_class_to_priority_group",
    "traffic_class_to_queue",
    "pfc_priority_to_queue",
    "pfc_priority_to_priority_group",
)

#: A reference: what it names, the name, the names that exist, and the place: interface (or None) and model path.
_Reference = tuple[str, str | None, Collection[str], str | None, tuple[str, ...]]


@rule("FG410", "qos-reference-dangling", Severity.ERROR, "a map, profile, pool or scheduler that is not there",
      Need.QOS)  # fmt: skip
@by_view
def reference_dangling(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A device waits for what a name refers to, or leaves the default in place; nothing of it takes effect.

    Source: sonic-swss, orchagent/qosorch.cpp and bufferorch.cpp, which retry an unresolved reference for ever.
    """
    dangling = (
        ((what, name), (known, interface, place))
        for what, name, known, interface, place in _references(view)
        if name is not None and name not in known
    )
    for (what, name), (known, interface, place), more in alike(dangling):
        yield kind.at(
            port_path(device, interface) if interface else device_path(device, f"{place[-2]}[{place[-1]}]"),
            f"there is no {what} `{name}`{and_more(more, 'use')}",
            span=ctx.span(device, *place),
            remedy=f"{did_you_mean(name, known)}" if known else f"define {what} {name}",
        )


def _references(view: LosslessView) -> Iterator[_Reference]:
    yield from _port_references(view)
    schedulers, ecn = view.schedulers.keys(), view.ecn_profiles.keys()
    for binding in view.qos.queues:
        place = ("qos", "queues", binding.interface, str(binding.queue))
        yield "scheduler", binding.scheduler, schedulers, binding.interface, (*place, "scheduler")
        yield "ECN profile", binding.ecn_profile, ecn, binding.interface, (*place, "ecn_profile")
    profiles = view.profiles.keys()
    pools = view.pools.keys()
    for profile in view.buffers.profiles:
        yield "buffer pool", profile.pool, pools, None, ("buffers", "profiles", profile.name)
    for (interface, group), name in view.ingress.items():
        wanted = None if view.computes_headroom(interface, group) else name
        yield "buffer profile", wanted, profiles, interface, ("buffers", "ingress", interface, str(group))
    for (interface, queue), name in view.egress.items():
        wanted = None if name == COMPUTED else name
        yield "buffer profile", wanted, profiles, interface, ("buffers", "egress", interface, str(queue))
    for field, lists in (("ingress_lists", view.buffers.ingress_lists), ("egress_lists", view.buffers.egress_lists)):
        for entry in lists:
            for name in entry.profiles:
                yield "buffer profile", name, profiles, entry.interface, ("buffers", field, entry.interface)


def _port_references(view: LosslessView) -> Iterator[_Reference]:
    known = {field: {found.name for found in getattr(view.qos, field)} for field in MAP_FIELDS}
    for port in view.qos.ports:
        for field in MAP_FIELDS:
            what = f"{field.replace('_', ' ')} map"
            yield what, getattr(port, field), known[field], port.interface, ("qos", "ports", port.interface, field)


@rule("FG415", "threshold-mode-differs", Severity.WARNING, "a profile's threshold is not of its pool's kind", Need.QOS)
@by_view
def threshold_mode_differs(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """A fixed limit in a dynamic pool, or an alpha in a static one, is refused or ignored, depending on the chip.

    Shipped SONiC templates mix the two in hundreds of places, so this is a warning. Source: sonic-swss,
    cfgmgr/buffermgrdyn.cpp (refuses) and orchagent/bufferorch.cpp (passes on).
    """
    for profile in view.buffers.profiles:
        pool = view.pools.get(profile.pool or "")
        fault = _threshold_fault(profile, pool.mode) if pool else None
        if fault and pool:
            yield kind.at(
                device_path(device, f"buffer_profiles[{profile.name}]"),
                f"the profile has {fault}; its pool {pool.name} is {pool.mode}",
                span=ctx.span(device, "buffers", "profiles", profile.name),
                related=(ctx.note(f"{pool.name} is {pool.mode}", device, "buffers", "pools", pool.name),),
                remedy=f"give {profile.name} "
                + ("an alpha only" if pool.mode is ThresholdMode.DYNAMIC else "a static threshold only"),
            )


def _threshold_fault(profile: BufferProfile, mode: ThresholdMode) -> str | None:
    dynamic, static = profile.alpha_exponent is not None, profile.static_threshold_bytes is not None
    if dynamic and static:
        return "both an alpha and a static threshold"
    if static and mode is ThresholdMode.DYNAMIC:
        return "a static threshold"
    return "an alpha" if dynamic and mode is ThresholdMode.STATIC else None

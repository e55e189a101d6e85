"""Pools: they fit the chip, and egress never drops what ingress let in."""

from __future__ import annotations

from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.core.units import format_bytes
from fabricgen.device import BufferProfile, PoolDirection, ThresholdMode
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, and_more, by_view, device_path, port_path, rule
from fabricgen.rules.lossless import LosslessView

#: The largest alpha that SONiC has, 2**7; vendors' templates use it for "the whole pool" (sonic-buildimage,
#: device/mellanox, buffers_defaults_objects.j2).
UNLIMITED_ALPHA_EXPONENT = 7


def _chip_bytes(ctx: Context, device: str) -> int | None:
    """Return the packet buffer of a switch's chip, if the catalog knows it."""
    asic = ctx.asic(device)
    return asic.buffer_bytes if asic is not None and isinstance(asic.buffer_bytes, int) else None


def _ingress_bytes(view: LosslessView) -> dict[str, int] | None:
    """Return what ingress takes of the buffer, by part; None where a pool's size is left to the device."""
    pools = [pool for pool in view.buffers.pools if pool.direction is not PoolDirection.EGRESS]
    if not pools or any(pool.size_bytes is None for pool in pools):
        return None
    return {
        "pools_bytes": sum(pool.size_bytes or 0 for pool in pools),
        "shared_headroom_bytes": sum(pool.shared_headroom_bytes or 0 for pool in pools),
        "groups_bytes": sum(_guarantee_bytes(view, name) for name in view.ingress.values()),
    }


def _guarantee_bytes(view: LosslessView, name: str) -> int:
    """Return what a priority group keeps for itself: its guarantee, and its headroom unless a pool shares it."""
    profile = view.profiles.get(name)
    if profile is None:
        return 0
    pool = view.pools.get(profile.pool or "")
    shared = pool is not None and pool.shared_headroom_bytes
    return (profile.size_bytes or 0) if shared else max(profile.size_bytes or 0, profile.headroom_bytes or 0)


@rule("FG411", "pools-exceed-buffer", Severity.ERROR, "pools and headroom are larger than the chip's buffer", Need.QOS)
@by_view
def pools_exceed_buffer(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """What does not exist cannot be reserved: the switch agent fails at boot, or headroom is promised twice.

    Ingress pools, shared headroom, and what each priority group keeps for itself are summed. Source: sonic-buildimage
    pull request 19315 and issue 28657; the chip's buffer is that of the catalog.
    """
    chip, parts = _chip_bytes(ctx, device), _ingress_bytes(view)
    if chip is None or parts is None or sum(parts.values()) <= chip:
        return
    total = sum(parts.values())
    pool = max(view.buffers.pools, key=lambda found: found.size_bytes or 0)
    yield kind.at(
        device_path(device, "buffer_pools"),
        f"pools, headroom and guarantees take {format_bytes(total)} of a buffer of {format_bytes(chip)}",
        span=ctx.span(device, "buffers", "pools", pool.name, "size_bytes"),
        numbers={"have_bytes": total, "limit_bytes": chip, **parts},
        remedy=f"take {total - chip} bytes from the ingress pools of {device}",
    )


@rule("FG416", "buffer-size-unknown", Severity.INFO, "pools that could not be compared with the chip", Need.QOS)
@by_view
def buffer_size_unknown(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """FG411 says nothing about such a switch: neither that its pools fit nor that they do not.

    Source: the catalog, which has only figures that somebody trustworthy publishes.
    """
    if not view.buffers.pools:
        return
    if _ingress_bytes(view) is None:
        reason = "the device computes the size of a pool itself"
    elif _chip_bytes(ctx, device) is None:
        reason = f"the catalog does not know the packet buffer of {view.panel.sku or 'this switch'}"
    else:
        return
    yield kind.at(
        device_path(device, "buffer_pools"),
        f"whether the pools fit the chip was not checked: {reason}",
        span=ctx.span(device, "buffers", "pools"),
        remedy="add the switch and its chip to a catalog directory, or write the pool sizes down",
    )


@rule("FG412", "egress-drops-lossless", Severity.ERROR, "a lossless queue can overflow at egress", Need.QOS)
@by_view
def egress_drops_lossless(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """What ingress accepted must have room at egress, or it is dropped there before any pause is sent.

    A lossless queue's limit must reach the shared ingress pool with its headroom and guarantees; that of a lossy
    profile does not. Source: sonic-buildimage pull request 21320 (drops with an egress pool smaller than ingress and
    headroom).
    """
    if not view.buffers.egress:
        yield from _pools_unbalanced(ctx, kind, device, view)
        return
    needed = _lossless_ingress_bytes(view)
    faults = [
        (fault, (port.interface, queue))
        for port in view.lossless_ports
        for queue in view.lossless_queues(port)
        if (fault := _egress_fault(view, port.interface, queue, needed))
    ]
    for fault, (interface, queue), more in alike(faults):
        yield kind.at(
            port_path(device, interface),
            f"lossless queue {queue} {fault}{and_more(more, 'port')}",
            span=ctx.span(device, "buffers", "egress", interface, str(queue)),
            numbers={"queue": queue},
            remedy=f"give queue {queue} of {interface} an egress profile without a limit below the ingress pool",
        )


def _pools_unbalanced(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Yield a finding where no egress profile reaches what ingress lets in; for files that say nothing of queues."""
    needed = _lossless_ingress_bytes(view)
    egress = [
        profile
        for profile in view.buffers.profiles
        if (pool := view.pools.get(profile.pool or "")) is not None and pool.direction is PoolDirection.EGRESS
    ]
    limits = [_egress_limit(view, profile) for profile in egress]
    known = [limit for limit in limits if limit is not None]
    if needed is None or not known or len(known) < len(limits) or max(known) >= needed:
        return
    largest = egress[known.index(max(known))]
    yield kind.at(
        device_path(device, "buffer_pools"),
        f"no egress profile allows more than {max(known)} bytes; ingress lets in up to {needed} bytes",
        span=ctx.span(device, "buffers", "profiles", largest.name),
        numbers={"have_bytes": max(known), "needed_bytes": needed},
        remedy=f"let the egress pool of lossless queues on {device} hold {needed} bytes",
    )


def _egress_fault(view: LosslessView, interface: str, queue: int, needed: int | None) -> str | None:
    name = view.egress.get((interface, queue))
    if name is None:
        return "has no egress buffer profile, while other queues have one"
    profile = view.profiles.get(name)
    if profile is None:
        return None
    limit = _egress_limit(view, profile)
    if limit is not None and needed is not None:
        return (
            f"is limited to {limit} bytes by {name}; ingress lets in up to {needed} bytes" if limit < needed else None
        )
    bounded = profile.alpha_exponent is not None and profile.alpha_exponent < UNLIMITED_ALPHA_EXPONENT
    return f"has {name}, a profile of lossy queues" if bounded and _serves_lossy_queues(view, name) else None


def _egress_limit(view: LosslessView, profile: BufferProfile) -> int | None:
    """Return the most that a queue may hold; None where it is not known, or where it is above the pool: "no limit"."""
    pool = view.pools.get(profile.pool or "")
    if pool is None or pool.size_bytes is None:
        return None
    if profile.static_threshold_bytes is not None and pool.mode is ThresholdMode.STATIC:
        return None if profile.static_threshold_bytes > pool.size_bytes else profile.static_threshold_bytes
    if profile.alpha_exponent is not None and profile.alpha_exponent >= UNLIMITED_ALPHA_EXPONENT:
        return pool.size_bytes
    return view.limit_bytes(profile)


def _lossless_ingress_bytes(view: LosslessView) -> int | None:
    """Return what all lossless priority groups together may hold; None where a pool's size is not known."""
    names = {profile.pool for _, _, profile in view.lossless_groups()}
    pools = [pool for pool in view.buffers.pools if pool.name in names or pool.shared_headroom_bytes]
    if not pools or any(pool.size_bytes is None for pool in pools):
        return None
    shared = sum((pool.size_bytes or 0) + (pool.shared_headroom_bytes or 0) for pool in pools)
    return shared + sum(_guarantee_bytes(view, profile.name) for _, _, profile in view.lossless_groups())


def _serves_lossy_queues(view: LosslessView, name: str) -> bool:
    lossless = {(port.interface, queue) for port in view.lossless_ports for queue in view.lossless_queues(port)}
    return any(found == name and place not in lossless for place, found in view.egress.items())

"""Shared-memory pools of a switch: what headroom and guarantees take, and what is left to share.

Two families are known. Spectrum reserves XON and headroom for each priority group outside the pool. Chips that count in
cells keep all headroom in one shared headroom pool (``xoff`` of SONiC's ingress pool) beside the shared bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fabricgen.catalog.models import Asic, CellHeadroom, SpectrumHeadroom
from fabricgen.core.provenance import Basis, Term
from fabricgen.core.units import ceil_div, format_bytes
from fabricgen.device import BufferPool, BufferProfile, PoolDirection, ThresholdMode
from fabricgen.planning.headroom import Headroom, HeadroomUnknownError, PlanningError

INGRESS_LOSSLESS_POOL = "ingress_lossless_pool"
EGRESS_LOSSLESS_POOL = "egress_lossless_pool"
EGRESS_LOSSY_POOL = "egress_lossy_pool"

INGRESS_LOSSLESS_PROFILE = "ingress_lossless_profile"
INGRESS_LOSSY_PROFILE = "ingress_lossy_profile"
EGRESS_LOSSLESS_PROFILE = "egress_lossless_profile"
EGRESS_LOSSY_PROFILE = "egress_lossy_profile"
QUEUE_LOSSY_PROFILE = "q_lossy_profile"

#: Alphas and guarantees of the profiles that are not computed. Spectrum: Mellanox-SN2700-D48C8
#: buffers_defaults_objects.j2, which has one ingress pool as we do. Cells: ingress of Nokia-IXR7220-H5-64O, egress of
#: Dell-Z9864f-O64 (sonic-buildimage 086b03bd70f9, device/).
_SPECTRUM_LOSSLESS_ALPHA = 7
_SPECTRUM_LOSSY_ALPHA = 3
_SPECTRUM_PORT_LOSSY_BYTES = 9216
_CELLS_INGRESS_LOSSY_ALPHA = -1
_CELLS_EGRESS_LOSSY_ALPHA = 0
_CELLS_QUEUE_GUARANTEE = 7

_SPECTRUM_SOURCE = "sonic-swss cfgmgr/buffer_pool_mellanox.lua"
_CELLS_SOURCE = "sonic-buildimage issue 28657: size and xoff of a pool are parts of one memory"


class BufferUnknownError(PlanningError):
    """The catalog does not know the chip's packet buffer."""


class BufferShortageError(PlanningError):
    """Headroom and guarantees leave too little of the chip's packet buffer, or more than all of it."""


@dataclass(frozen=True, slots=True)
class PortLoad:
    """Equal ports: how many, their SerDes lanes, and the headroom of each lossless priority."""

    count: int
    lanes: int
    headroom: Headroom


@dataclass(frozen=True, slots=True)
class SharedBuffer:
    """The bytes that priority groups share by the dynamic threshold, and who shares them.

    A group pauses at ``alpha x (shared - used)`` bytes (Choudhury and Hahne, ToN 1998).

    Attributes:
        shared_bytes: what is shared.
        ports: ports of the switch.
        lossless_priorities: lossless priority groups of each port.
        alpha_exponent: alpha is ``2 ** alpha_exponent``.
    """

    shared_bytes: int
    ports: int
    lossless_priorities: int
    alpha_exponent: int

    @property
    def alpha(self) -> Fraction:
        """Return alpha."""
        return Fraction(2) ** self.alpha_exponent

    @property
    def groups(self) -> int:
        """Return the number of lossless priority groups of the switch."""
        return self.ports * self.lossless_priorities

    @property
    def pause_threshold_bytes(self) -> int:
        """Return the occupancy at which a group pauses when all groups are equally full, rounded down.

        N equal groups settle where each holds ``alpha x shared / (1 + alpha x N)`` bytes.
        """
        return int(self.alpha * self.shared_bytes / (1 + self.alpha * self.groups))

    @property
    def marking_bound_bytes(self) -> int:
        """Return the largest egress queue that is sure to stay below the pausing of any priority group.

        DCQCN (SIGCOMM 2015, section 4): with ``beta`` = priorities x alpha, n ports, p priorities and S shared
        bytes, marking comes before pausing when the marking threshold is below ``beta S / (p n (beta + 1))``. The
        worst case behind it: all egress queues are fed by one ingress port.
        """
        beta = self.lossless_priorities * self.alpha
        bound = beta * self.shared_bytes / (self.groups * (beta + 1))
        return ceil_div(bound.numerator, bound.denominator) - 1


@dataclass(frozen=True, slots=True)
class BufferPlan:
    """The pools of one switch.

    Attributes:
        buffer_bytes: packet buffer of the chip, whole cells of each slice.
        headroom_total_bytes: headroom of all ports, the plain sum; on a sliced chip that of the fullest slice, times
            slices.
        reserved_total_bytes: guarantees, implicit reservations and management.
        shared: what is left, over all slices: the size of the ingress pool and of the lossy egress pool.
        shared_headroom_bytes: size of the shared headroom pool, None where headroom is reserved for each group.
        egress_lossless_bytes: size of the lossless egress pool; never the limit, so that nothing lossless is dropped
            at egress.
        slices: parts of the buffer; a port sees one.
        basis: how the shared bytes came about.
    """

    buffer_bytes: int
    headroom_total_bytes: int
    reserved_total_bytes: int
    shared: SharedBuffer
    shared_headroom_bytes: int | None
    egress_lossless_bytes: int
    slices: int
    basis: Basis


@dataclass(frozen=True, slots=True)
class _PortBytes:
    """What one port takes before anything is shared."""

    headroom: int
    reserved: int

    @property
    def total(self) -> int:
        return self.headroom + self.reserved


def plan_buffers(
    asic: Asic, loads: Sequence[PortLoad], *, lossless_priorities: int, alpha_exponent: int, mtu_bytes: int
) -> BufferPlan:
    """Divide a chip's packet buffer between headroom, guarantees and what is shared.

    The headroom of all ports is summed without oversubscription: every port can be paused at once and nothing is lost.
    On a chip of several slices the ports are taken to be spread evenly, and the fullest slice decides for all.

    Args:
        asic: the switch chip.
        loads: the ports of the switch, equal ones together.
        lossless_priorities: lossless priorities of each port.
        alpha_exponent: alpha of the lossless priority groups is ``2 ** alpha_exponent``.
        mtu_bytes: largest frame.

    Raises:
        BufferUnknownError: the catalog does not know the packet buffer.
        BufferShortageError: less is left than lets every lossless priority group hold two frames before it pauses.
        HeadroomUnknownError: the catalog has no headroom facts for the chip.
    """
    buffer_bytes, cell_bytes = asic.buffer_bytes, asic.cell_bytes
    if isinstance(buffer_bytes, str) or isinstance(cell_bytes, str):
        raise BufferUnknownError(
            f"the catalog does not know the packet buffer of {asic.model}",
            remedy="choose a switch with a known chip, or add `buffer_bytes` and `cell_bytes` to its catalog entry",
        )
    slice_bytes = buffer_bytes // asic.slices // cell_bytes * cell_bytes
    management_bytes = ceil_div(asic.management_bytes, asic.slices)
    fullest = _fullest_slice(
        [(load.count, _port_bytes(asic, load, lossless_priorities)) for load in loads], asic.slices
    )
    free_bytes = slice_bytes - management_bytes - fullest.total
    shared_bytes = max(0, free_bytes // cell_bytes * cell_bytes) * asic.slices
    spectrum = isinstance(asic.headroom, SpectrumHeadroom)
    plan = BufferPlan(
        buffer_bytes=slice_bytes * asic.slices,
        headroom_total_bytes=fullest.headroom * asic.slices,
        reserved_total_bytes=(fullest.reserved + management_bytes) * asic.slices,
        shared=SharedBuffer(
            shared_bytes=shared_bytes,
            ports=sum(load.count for load in loads),
            lossless_priorities=lossless_priorities,
            alpha_exponent=alpha_exponent,
        ),
        shared_headroom_bytes=None if spectrum else fullest.headroom * asic.slices,
        egress_lossless_bytes=(slice_bytes - (0 if spectrum else management_bytes)) * asic.slices,
        slices=asic.slices,
        basis=_basis(asic, loads, fullest, management_bytes, shared_bytes),
    )
    _check_fit(asic, plan, mtu_bytes)
    return plan


def _port_bytes(asic: Asic, load: PortLoad, lossless_priorities: int) -> _PortBytes:
    """Return what one port takes.

    Spectrum (sonic-swss cfgmgr/buffer_pool_mellanox.lua): beside its lossless groups a lossy and a management group,
    each of which holds the pipeline's bytes, and the guarantee of the port's lossy egress profile. Cells: the guarantee
    of each lossless group and of two lossy queues, ours for CNPs and for everything else.
    """
    facts, headroom = asic.headroom, load.headroom
    headroom_bytes = lossless_priorities * headroom.headroom_bytes
    group_bytes = lossless_priorities * headroom.size_bytes
    if isinstance(facts, SpectrumHeadroom):
        pipeline_bytes = facts.pipeline_latency_bytes * 2 - 1024 if load.lanes == 8 else facts.pipeline_latency_bytes
        reserved_bytes = group_bytes - headroom_bytes + 2 * pipeline_bytes + _SPECTRUM_PORT_LOSSY_BYTES
    elif isinstance(facts, CellHeadroom):
        reserved_bytes = group_bytes + 2 * _queue_guarantee_bytes(asic)
    else:
        raise HeadroomUnknownError(
            f"the catalog does not know how {asic.model} keeps headroom",
            remedy="choose a switch with a known chip, or add `headroom` to the chip's catalog entry",
        )
    return _PortBytes(headroom_bytes, reserved_bytes + asic.port_overhead_bytes)


def _queue_guarantee_bytes(asic: Asic) -> int:
    return _CELLS_QUEUE_GUARANTEE * asic.cell_bytes if isinstance(asic.cell_bytes, int) else 0


def _fullest_slice(ports: Sequence[tuple[int, _PortBytes]], slices: int) -> _PortBytes:
    """Return the most that any slice may hold of each when ports are spread evenly, the largest of all together."""
    share = ceil_div(sum(count for count, _ in ports), slices)
    return _PortBytes(
        _largest([(count, port.headroom) for count, port in ports], share),
        _largest([(count, port.reserved) for count, port in ports], share),
    )


def _largest(sizes: Sequence[tuple[int, int]], share: int) -> int:
    """Return the sum of the ``share`` largest of some sizes, each given with how often it occurs."""
    total = 0
    for count, size in sorted(sizes, key=lambda entry: entry[1], reverse=True):
        taken = min(count, share)
        total += taken * size
        share -= taken
    return total


def _check_fit(asic: Asic, plan: BufferPlan, mtu_bytes: int) -> None:
    """Raise unless every lossless group can hold two frames before it pauses, all groups at once.

    N equal groups pause at ``alpha x shared / (1 + alpha x N)``; solved for two frames.
    """
    shared = plan.shared
    least = 2 * mtu_bytes * (shared.groups + 1 / shared.alpha)
    least_bytes = ceil_div(least.numerator, least.denominator)
    if shared.shared_bytes >= least_bytes:
        return
    needed_bytes = plan.headroom_total_bytes + plan.reserved_total_bytes + least_bytes
    raise BufferShortageError(
        f"{asic.model} has {format_bytes(plan.buffer_bytes)} of packet buffer; {shared.ports} ports need "
        f"{format_bytes(needed_bytes)}",
        remedy="shorten the cables of this switch, give it fewer ports or slower ones",
        numbers={
            "needed_bytes": needed_bytes,
            "have_bytes": plan.buffer_bytes,
            "headroom_bytes": plan.headroom_total_bytes,
            "reserved_bytes": plan.reserved_total_bytes,
            "shared_minimum_bytes": least_bytes,
        },
    )


def _basis(
    asic: Asic, loads: Sequence[PortLoad], fullest: _PortBytes, management_bytes: int, shared_bytes: int
) -> Basis:
    source = _SPECTRUM_SOURCE if isinstance(asic.headroom, SpectrumHeadroom) else _CELLS_SOURCE
    chip = f"catalog: asics/{asic.id}"
    ports = tuple(
        Term(f"headroom of each lossless priority of {load.count} ports", load.headroom.headroom_bytes, "bytes")
        for load in loads
    )
    return Basis(
        formula=(
            "packet buffer - headroom of all ports, the plain sum - guarantees of all ports - management, rounded down "
            "to cells" + (", in each slice" if asic.slices > 1 else "")
        ),
        terms=(
            Term("packet buffer", asic.buffer_bytes, "bytes", chip),
            Term("slices", asic.slices, "", chip),
            *ports,
            Term("headroom of all ports of a slice", fullest.headroom, "bytes"),
            Term("guarantees of all ports of a slice", fullest.reserved, "bytes", source),
            Term("management of a slice", management_bytes, "bytes", chip),
        ),
        source=source,
        results=(Term("shared pool", shared_bytes, "bytes"),),
    )


def buffer_pools(asic: Asic, plan: BufferPlan) -> tuple[BufferPool, ...]:
    """Return the pools of a plan, by name."""
    spectrum = isinstance(asic.headroom, SpectrumHeadroom)
    lossless_egress = ThresholdMode.DYNAMIC if spectrum else ThresholdMode.STATIC
    dynamic, ingress, egress = ThresholdMode.DYNAMIC, PoolDirection.INGRESS, PoolDirection.EGRESS
    shared_bytes = plan.shared.shared_bytes
    return (
        BufferPool(EGRESS_LOSSLESS_POOL, egress, lossless_egress, plan.egress_lossless_bytes, basis=plan.basis),
        BufferPool(EGRESS_LOSSY_POOL, egress, dynamic, shared_bytes, basis=plan.basis),
        BufferPool(INGRESS_LOSSLESS_POOL, ingress, dynamic, shared_bytes, plan.shared_headroom_bytes, plan.basis),
    )


def fixed_profiles(asic: Asic, plan: BufferPlan) -> tuple[BufferProfile, ...]:
    """Return the profiles beside those with headroom, by name: lossy ingress, egress, and limits of whole ports."""
    if isinstance(asic.headroom, SpectrumHeadroom):
        return (
            _profile(EGRESS_LOSSLESS_PROFILE, EGRESS_LOSSLESS_POOL, 0, _SPECTRUM_LOSSLESS_ALPHA),
            _profile(EGRESS_LOSSY_PROFILE, EGRESS_LOSSY_POOL, _SPECTRUM_PORT_LOSSY_BYTES, _SPECTRUM_LOSSLESS_ALPHA),
            _profile(INGRESS_LOSSLESS_PROFILE, INGRESS_LOSSLESS_POOL, 0, _SPECTRUM_LOSSLESS_ALPHA),
            _profile(INGRESS_LOSSY_PROFILE, INGRESS_LOSSLESS_POOL, 0, _SPECTRUM_LOSSY_ALPHA),
            _profile(QUEUE_LOSSY_PROFILE, EGRESS_LOSSY_POOL, 0, _SPECTRUM_LOSSY_ALPHA),
        )
    return (
        # As large as its pool, so that it never drops: what is lossless is held back at ingress.
        BufferProfile(
            EGRESS_LOSSLESS_PROFILE,
            EGRESS_LOSSLESS_POOL,
            size_bytes=0,
            static_threshold_bytes=plan.egress_lossless_bytes,
        ),
        _profile(EGRESS_LOSSY_PROFILE, EGRESS_LOSSY_POOL, _queue_guarantee_bytes(asic), _CELLS_EGRESS_LOSSY_ALPHA),
        _profile(INGRESS_LOSSY_PROFILE, INGRESS_LOSSLESS_POOL, 0, _CELLS_INGRESS_LOSSY_ALPHA),
    )


def lossless_profile(name: str, headroom: Headroom, *, alpha_exponent: int, static_headroom: bool) -> BufferProfile:
    """Return the profile of a lossless priority group."""
    return BufferProfile(
        name,
        INGRESS_LOSSLESS_POOL,
        size_bytes=headroom.size_bytes,
        xon_bytes=headroom.xon_bytes,
        xon_offset_bytes=headroom.xon_offset_bytes,
        headroom_bytes=headroom.headroom_bytes,
        alpha_exponent=alpha_exponent,
        static_headroom=static_headroom,
        basis=headroom.basis,
    )


def _profile(name: str, pool: str, size_bytes: int, alpha_exponent: int) -> BufferProfile:
    return BufferProfile(name, pool, size_bytes=size_bytes, alpha_exponent=alpha_exponent)

"""ECN thresholds of a lossless queue: late enough for full speed, early enough to come before a pause."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fabricgen.core.provenance import Basis, Origin, Term
from fabricgen.inventory.models import Ecn
from fabricgen.planning.buffers import SharedBuffer
from fabricgen.planning.headroom import PlanningError

#: Kmax in bandwidth-delay products: the lower end of the 2 to 3 that Huawei advises for RoCE (EDOC1100155250). Kmin is
#: a quarter of that, the ratio of the thresholds that HPCC's and SimAI's simulations use.
KMAX_PRODUCTS = 2
KMAX_TO_KMIN = 4

#: Where Kmax is cut, Kmin stays at or below this part of it, so that marking still rises rather than jumps.
LEAST_KMAX_TO_KMIN = 2

_BOUND_SOURCE = "DCQCN, SIGCOMM 2015, section 4"


class EcnConflictError(PlanningError):
    """The inventory's thresholds contradict each other or what follows from the other one."""


class EcnBound(StrEnum):
    """What a threshold follows from."""

    ROUND_TRIP = "round trip"
    MARK_BEFORE_PAUSE = "mark before pause"
    TWO_FRAMES = "two frames"
    INVENTORY = "inventory"


@dataclass(frozen=True, slots=True)
class EcnPlan:
    """Marking on a queue: none below Kmin, rising to Pmax at Kmax, all above.

    Attributes:
        minimum_bytes: Kmin.
        maximum_bytes: Kmax.
        probability_percent: Pmax.
        minimum_bound: what Kmin follows from.
        maximum_bound: what Kmax follows from.
        marks_before_pause: whether all packets of a queue are marked before any priority group can pause, in the worst
            case of :attr:`fabricgen.planning.buffers.SharedBuffer.marking_bound_bytes`.
        basis: how the thresholds came about.
    """

    minimum_bytes: int
    maximum_bytes: int
    probability_percent: int
    minimum_bound: EcnBound
    maximum_bound: EcnBound
    marks_before_pause: bool
    basis: Basis


def plan_ecn(
    intent: Ecn, shared: SharedBuffer, *, speed_gbps: int, mtu_bytes: int, origin: Origin | None = None
) -> EcnPlan:
    """Return the ECN thresholds of the lossless queue of a port.

    Kmax is twice the bandwidth-delay product and Kmin a quarter of it. Both stay below the occupancy at which a
    priority group could pause (DCQCN's bound). Kmin is never below two frames, as a queue that holds one frame and
    gets another is not congested, and Kmax at least a frame above it. What the inventory sets is taken as it is.

    Args:
        intent: thresholds that the inventory sets, Pmax and the round-trip time.
        shared: the shared buffer of the switch.
        speed_gbps: speed of the port.
        mtu_bytes: largest frame.
        origin: the inventory line that asks for ECN.

    Raises:
        EcnConflictError: Kmin would be above Kmax.
    """
    product_bytes = speed_gbps * intent.round_trip_us * 125
    bound_bytes = shared.marking_bound_bytes
    kmax, kmax_bound = _kmax(intent, product_bytes, bound_bytes)
    kmin, kmin_bound = _kmin(intent, product_bytes, kmax, kmax_bound)
    if intent.minimum_bytes is None and kmin < 2 * mtu_bytes:
        kmin, kmin_bound = 2 * mtu_bytes, EcnBound.TWO_FRAMES
    least_kmax = LEAST_KMAX_TO_KMIN * kmin if kmin_bound is EcnBound.INVENTORY else kmin + mtu_bytes
    if intent.maximum_bytes is None and kmax < least_kmax:
        kmax, kmax_bound = least_kmax, kmin_bound
    if kmin > kmax:
        raise EcnConflictError(
            f"Kmin {kmin} bytes is above Kmax {kmax} bytes",
            remedy=f"set `maximum_bytes` to {LEAST_KMAX_TO_KMIN * kmin} or more, or leave it out",
            numbers={"minimum_bytes": kmin, "maximum_bytes": kmax},
            origin=origin,
        )
    return EcnPlan(
        minimum_bytes=kmin,
        maximum_bytes=kmax,
        probability_percent=intent.probability_percent,
        minimum_bound=kmin_bound,
        maximum_bound=kmax_bound,
        marks_before_pause=kmax <= bound_bytes,
        basis=Basis(
            formula=(
                "Kmax is the smaller of 2 x bandwidth-delay product and the mark-before-pause bound beta x shared / "
                "(priorities x ports x (beta + 1)), beta = priorities x alpha; Kmin is the smaller of a quarter of "
                "2 x bandwidth-delay product and half of Kmax, at least two frames, and Kmax a frame above; what the "
                "inventory sets goes first"
            ),
            terms=(
                Term("speed", speed_gbps, "Gb/s"),
                Term("round trip", intent.round_trip_us, "us", origin=origin),
                Term("bandwidth-delay product", product_bytes, "bytes"),
                Term("shared", shared.shared_bytes, "bytes"),
                Term("ports", shared.ports, ""),
                Term("priorities", shared.lossless_priorities, ""),
                Term("alpha", str(shared.alpha), ""),
                Term("mark-before-pause bound", bound_bytes, "bytes", _BOUND_SOURCE),
                Term("pausing occupancy, all groups equally full", shared.pause_threshold_bytes, "bytes"),
                Term("two frames", 2 * mtu_bytes, "bytes"),
                Term("Kmin follows from", kmin_bound.value, ""),
                Term("Kmax follows from", kmax_bound.value, ""),
                Term("Pmax", intent.probability_percent, "%", origin=origin),
            ),
            source="Kmax: Huawei EDOC1100155250; Kmin: a quarter, as in HPCC's and SimAI's simulations; "
            f"bound: {_BOUND_SOURCE}",
            results=(Term("Kmin", kmin, "bytes"), Term("Kmax", kmax, "bytes")),
        ),
    )


def _kmax(intent: Ecn, product_bytes: int, bound_bytes: int) -> tuple[int, EcnBound]:
    if intent.maximum_bytes is not None:
        return intent.maximum_bytes, EcnBound.INVENTORY
    wanted_bytes = KMAX_PRODUCTS * product_bytes
    if bound_bytes < wanted_bytes:
        return bound_bytes, EcnBound.MARK_BEFORE_PAUSE
    return wanted_bytes, EcnBound.ROUND_TRIP


def _kmin(intent: Ecn, product_bytes: int, kmax: int, kmax_bound: EcnBound) -> tuple[int, EcnBound]:
    if intent.minimum_bytes is not None:
        return intent.minimum_bytes, EcnBound.INVENTORY
    wanted_bytes = KMAX_PRODUCTS * product_bytes // KMAX_TO_KMIN
    if kmax // LEAST_KMAX_TO_KMIN < wanted_bytes:
        return kmax // LEAST_KMAX_TO_KMIN, kmax_bound
    return wanted_bytes, EcnBound.ROUND_TRIP

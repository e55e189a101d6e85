"""Classification, PFC, ECN, scheduling, watchdog and hashing.

The chain of a lossless class on a port is: DSCP -> traffic class -> priority group (ingress) and queue (egress), and
PFC priority -> queue. Maps and profiles are named and ports refer to them by name, as devices do, so that a reference
that leads nowhere can be found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from fabricgen.core.provenance import Basis


@dataclass(frozen=True, slots=True)
class PriorityMap:
    """A named map from one small number to another, sorted: DSCP to traffic class, traffic class to queue."""

    name: str
    entries: tuple[tuple[int, int], ...]

    def get(self, key: int) -> int | None:
        """Return what ``key`` maps to."""
        return dict(self.entries).get(key)


@dataclass(frozen=True, slots=True)
class PortQos:
    """The maps that a port uses, and its PFC priorities. A map that is None is the device's default.

    Attributes:
        pfc_priorities: priorities on which the port sends and honours pause frames.
        watchdog_priorities: priorities that the PFC watchdog guards.
    """

    interface: str
    dscp_to_traffic_class: str | None = None
    pcp_to_traffic_class: str | None = None
    traffic_class_to_priority_group: str | None = None
    traffic_class_to_queue: str | None = None
    pfc_priority_to_queue: str | None = None
    pfc_priority_to_priority_group: str | None = None
    pfc_priorities: tuple[int, ...] = ()
    watchdog_priorities: tuple[int, ...] = ()


class SchedulerMode(StrEnum):
    """How a queue shares its port."""

    STRICT = "strict"
    DWRR = "dwrr"
    WRR = "wrr"


@dataclass(frozen=True, slots=True)
class Scheduler:
    """A named scheduler; the weight (1 to 100) means nothing for a strict one."""

    name: str
    mode: SchedulerMode
    weight: int | None = None


@dataclass(frozen=True, slots=True)
class EcnProfile:
    """Marking on an egress queue: none below Kmin, rising to Pmax at Kmax, all above.

    Attributes:
        minimum_bytes: Kmin.
        maximum_bytes: Kmax.
        probability_percent: Pmax.
        marks: whether packets are marked (ECN) rather than dropped between the thresholds.
        active: whether the curve is switched on at all; SONiC has a separate switch for it.
    """

    name: str
    minimum_bytes: int | None
    maximum_bytes: int | None
    probability_percent: int
    marks: bool
    active: bool
    basis: Basis | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class QueueBinding:
    """The scheduler and ECN profile of one egress queue of a port."""

    interface: str
    queue: int
    scheduler: str | None = None
    ecn_profile: str | None = None


@dataclass(frozen=True, slots=True)
class WatchdogPort:
    """The PFC watchdog on a port: after how long a storm is seen, what is done, and when it ends."""

    interface: str
    action: str
    detection_ms: int
    restoration_ms: int


@dataclass(frozen=True, slots=True)
class Watchdog:
    """The PFC watchdog of a device."""

    poll_interval_ms: int | None
    ports: tuple[WatchdogPort, ...] = ()
    counters_enabled: bool | None = None


@dataclass(frozen=True, slots=True)
class Hashing:
    """The fields that ECMP hashes, the algorithm and the seed; None where the device's default holds."""

    fields: tuple[str, ...] = ()
    algorithm: str | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Qos:
    """Everything that decides which queue a packet takes, when it is marked and when its link is paused."""

    dscp_to_traffic_class: tuple[PriorityMap, ...] = ()
    pcp_to_traffic_class: tuple[PriorityMap, ...] = ()
    traffic_class_to_priority_group: tuple[PriorityMap, ...] = ()
    traffic_class_to_queue: tuple[PriorityMap, ...] = ()
    pfc_priority_to_queue: tuple[PriorityMap, ...] = ()
    pfc_priority_to_priority_group: tuple[PriorityMap, ...] = ()
    ports: tuple[PortQos, ...] = ()
    schedulers: tuple[Scheduler, ...] = ()
    ecn_profiles: tuple[EcnProfile, ...] = ()
    queues: tuple[QueueBinding, ...] = ()
    watchdog: Watchdog | None = None
    hashing: Hashing | None = None

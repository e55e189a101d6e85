"""The records of QoS that follow from the intent alone: maps, schedulers, hashing, and what each port refers to."""

from __future__ import annotations

from dataclasses import dataclass

from fabricgen.device import (
    EgressBuffer,
    Hashing,
    IngressBuffer,
    PortProfileList,
    PortQos,
    PriorityMap,
    Qos,
    QueueBinding,
    Scheduler,
    SchedulerMode,
    WatchdogPort,
)
from fabricgen.inventory.models import QosIntent
from fabricgen.planning.buffers import (
    EGRESS_LOSSLESS_PROFILE,
    EGRESS_LOSSY_PROFILE,
    INGRESS_LOSSLESS_PROFILE,
    INGRESS_LOSSY_PROFILE,
    QUEUE_LOSSY_PROFILE,
)

#: Name of every map. SONiC allows letters, digits, ``-`` and ``_``, 32 at most.
MAP_NAME = "FABRIC"
ROCE_SCHEDULER = "FABRIC_ROCE"
CNP_SCHEDULER = "FABRIC_CNP"
OTHER_SCHEDULER = "FABRIC_OTHER"

#: Priority, traffic class, priority group and queue of everything that is neither RoCE nor CNP.
OTHER_PRIORITY = 0

#: The 5-tuple. A RoCE v2 queue pair shows in it by its UDP source port.
HASH_FIELDS = ("DST_IP", "IP_PROTOCOL", "L4_DST_PORT", "L4_SRC_PORT", "SRC_IP")

_PRIORITIES = range(8)
_CODE_POINTS = range(64)


@dataclass(frozen=True, slots=True)
class PortRecords:
    """Everything of a port that does not depend on the other ports of its switch."""

    qos: PortQos
    queues: tuple[QueueBinding, ...]
    ingress: tuple[IngressBuffer, ...]
    egress: tuple[EgressBuffer, ...]
    ingress_list: PortProfileList
    egress_list: PortProfileList
    watchdog: WatchdogPort
    headroom_key: str
    ecn_key: str


def ecn_name(speed_gbps: int) -> str:
    """Return the name of the ECN profile of ports of a speed."""
    return f"FABRIC_ROCE_{speed_gbps}G"


def shared_qos(intent: QosIntent, *, spectrum: bool) -> Qos:
    """Return what all switches have: maps, schedulers and hashing."""
    roce, cnp = intent.roce, intent.cnp
    classes = {roce.dscp: roce.priority, cnp.dscp: cnp.priority}
    identity = (PriorityMap(MAP_NAME, tuple((priority, priority) for priority in _PRIORITIES)),)
    share = intent.roce_bandwidth_percent
    return Qos(
        dscp_to_traffic_class=(
            PriorityMap(MAP_NAME, tuple((dscp, classes.get(dscp, OTHER_PRIORITY)) for dscp in _CODE_POINTS)),
        ),
        traffic_class_to_priority_group=(
            PriorityMap(
                MAP_NAME,
                tuple((tc, tc if tc == roce.priority else OTHER_PRIORITY) for tc in _PRIORITIES),
            ),
        ),
        traffic_class_to_queue=identity,
        pfc_priority_to_queue=identity,
        pfc_priority_to_priority_group=(PriorityMap(MAP_NAME, ((roce.priority, roce.priority),)),) if spectrum else (),
        schedulers=(
            Scheduler(CNP_SCHEDULER, SchedulerMode.STRICT),
            Scheduler(OTHER_SCHEDULER, SchedulerMode.DWRR, 100 - share),
            Scheduler(ROCE_SCHEDULER, SchedulerMode.DWRR, share),
        ),
        # Broadcom's SAI takes the hash algorithm but not the fields (sonic-swss issue 3986): its default holds.
        hashing=Hashing(HASH_FIELDS) if spectrum else None,
    )


def port_records(intent: QosIntent, interface: str, speed_gbps: int, profile: str, *, spectrum: bool) -> PortRecords:
    """Return everything of a port that does not depend on the other ports of its switch.

    Args:
        intent: QoS as the inventory asks for it.
        interface: the port's name.
        speed_gbps: its speed, which chooses the ECN profile.
        profile: its lossless buffer profile.
        spectrum: whether the chip is a Spectrum, which has more maps and profiles.
    """
    watchdog = intent.watchdog
    roce, cnp = intent.roce.priority, intent.cnp.priority
    lossy = QUEUE_LOSSY_PROFILE if spectrum else EGRESS_LOSSY_PROFILE
    queues = {
        OTHER_PRIORITY: (lossy, QueueBinding(interface, OTHER_PRIORITY, OTHER_SCHEDULER)),
        cnp: (lossy, QueueBinding(interface, cnp, CNP_SCHEDULER)),
        roce: (EGRESS_LOSSLESS_PROFILE, QueueBinding(interface, roce, ROCE_SCHEDULER, ecn_name(speed_gbps))),
    }
    return PortRecords(
        qos=PortQos(
            interface=interface,
            dscp_to_traffic_class=MAP_NAME,
            traffic_class_to_priority_group=MAP_NAME,
            traffic_class_to_queue=MAP_NAME,
            pfc_priority_to_queue=MAP_NAME,
            pfc_priority_to_priority_group=MAP_NAME if spectrum else None,
            pfc_priorities=(roce,),
            watchdog_priorities=(roce,),
        ),
        queues=tuple(queues[queue][1] for queue in sorted(queues)),
        ingress=(
            IngressBuffer(interface, OTHER_PRIORITY, INGRESS_LOSSY_PROFILE),
            IngressBuffer(interface, roce, profile),
        ),
        egress=tuple(EgressBuffer(interface, queue, queues[queue][0]) for queue in sorted(queues)),
        ingress_list=PortProfileList(interface, (INGRESS_LOSSLESS_PROFILE,)),
        egress_list=PortProfileList(interface, (EGRESS_LOSSLESS_PROFILE, EGRESS_LOSSY_PROFILE)),
        watchdog=WatchdogPort(interface, watchdog.action, watchdog.detection_ms, watchdog.restoration_ms),
        headroom_key=f"{interface} headroom",
        ecn_key=f"{interface} ecn",
    )

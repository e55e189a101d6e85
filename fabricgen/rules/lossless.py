"""What the QoS and buffer configuration of one switch amounts to: names resolved, by port and by number.

A map that a port does not name is the device's default, which no file tells, so an answer is None there; a name that
leads nowhere gives None too, and is a finding of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from fabricgen.device import (
    BufferPool,
    BufferProfile,
    Buffers,
    DeviceModel,
    EcnProfile,
    Interface,
    PortQos,
    PriorityMap,
    Qos,
    QueueBinding,
    Scheduler,
    ThresholdMode,
    WatchdogPort,
)
from fabricgen.rules.panel import Panel

#: What SONiC's dynamic buffer model takes for "compute the headroom yourself".
COMPUTED = "NULL"


@dataclass(frozen=True)
class LosslessView:
    """The lossless side of a switch, or of several that are alike in it: panel, QoS and buffers.

    Attributes:
        has_qos: whether any QoS configuration is at hand; ``qos`` is an empty one where there is none.
        buffers: the buffer configuration, an empty one where there is none.
    """

    panel: Panel
    has_qos: bool
    qos: Qos
    buffers: Buffers

    @staticmethod
    def of(panel: Panel, model: DeviceModel) -> LosslessView:
        """Return the view of a switch."""
        return LosslessView(panel, model.qos is not None, model.qos or Qos(), model.buffers or Buffers())

    @cached_property
    def ports(self) -> Mapping[str, PortQos]:
        """Return the maps and PFC priorities by interface."""
        return {port.interface: port for port in self.qos.ports}

    @property
    def interfaces(self) -> Mapping[str, Interface]:
        """Return the interfaces by name."""
        return self.panel.by_name

    @cached_property
    def lossless_ports(self) -> tuple[PortQos, ...]:
        """Return the ports with PFC on some priority."""
        return tuple(port for port in self.qos.ports if port.pfc_priorities)

    @cached_property
    def dscp_maps(self) -> Mapping[str, Mapping[int, int]]:
        """Return the DSCP to traffic class maps by name."""
        return _by_name(self.qos.dscp_to_traffic_class)

    @cached_property
    def queue_maps(self) -> Mapping[str, Mapping[int, int]]:
        """Return the traffic class to queue maps by name."""
        return _by_name(self.qos.traffic_class_to_queue)

    @cached_property
    def group_maps(self) -> Mapping[str, Mapping[int, int]]:
        """Return the traffic class to priority group maps by name."""
        return _by_name(self.qos.traffic_class_to_priority_group)

    @cached_property
    def pfc_queue_maps(self) -> Mapping[str, Mapping[int, int]]:
        """Return the PFC priority to queue maps by name."""
        return _by_name(self.qos.pfc_priority_to_queue)

    @cached_property
    def pfc_group_maps(self) -> Mapping[str, Mapping[int, int]]:
        """Return the PFC priority to priority group maps by name."""
        return _by_name(self.qos.pfc_priority_to_priority_group)

    @cached_property
    def bindings(self) -> Mapping[tuple[str, int], QueueBinding]:
        """Return scheduler and ECN profile names by interface and queue."""
        return {(binding.interface, binding.queue): binding for binding in self.qos.queues}

    @cached_property
    def schedulers(self) -> Mapping[str, Scheduler]:
        """Return the schedulers by name."""
        return {scheduler.name: scheduler for scheduler in self.qos.schedulers}

    @cached_property
    def ecn_profiles(self) -> Mapping[str, EcnProfile]:
        """Return the ECN profiles by name."""
        return {profile.name: profile for profile in self.qos.ecn_profiles}

    @cached_property
    def watchdog_ports(self) -> Mapping[str, WatchdogPort]:
        """Return the watchdog's settings by interface."""
        return {port.interface: port for port in self.qos.watchdog.ports} if self.qos.watchdog else {}

    @cached_property
    def pools(self) -> Mapping[str, BufferPool]:
        """Return the buffer pools by name."""
        return {pool.name: pool for pool in self.buffers.pools}

    @cached_property
    def profiles(self) -> Mapping[str, BufferProfile]:
        """Return the buffer profiles by name."""
        return {profile.name: profile for profile in self.buffers.profiles}

    @cached_property
    def ingress(self) -> Mapping[tuple[str, int], str]:
        """Return the profile names of priority groups, by interface and group."""
        return {(entry.interface, entry.priority_group): entry.profile for entry in self.buffers.ingress}

    @cached_property
    def egress(self) -> Mapping[tuple[str, int], str]:
        """Return the profile names of queues, by interface and queue."""
        return {(entry.interface, entry.queue): entry.profile for entry in self.buffers.egress}

    # --- numbers

    def group_of_priority(self, port: PortQos, priority: int) -> int | None:
        """Return the priority group whose filling makes the port pause a priority; the same number by default."""
        if port.pfc_priority_to_priority_group is None:
            return priority
        return self.pfc_group_maps.get(port.pfc_priority_to_priority_group, {}).get(priority)

    def paused_queue(self, port: PortQos, priority: int) -> int | None:
        """Return the queue that stops when the peer pauses a priority; the same number by default."""
        if port.pfc_priority_to_queue is None:
            return priority
        return self.pfc_queue_maps.get(port.pfc_priority_to_queue, {}).get(priority)

    def lossless_queues(self, port: PortQos) -> Iterator[int]:
        """Yield the queues of a port that the peer can pause."""
        for priority in port.pfc_priorities:
            queue = self.paused_queue(port, priority)
            if queue is not None:
                yield queue

    def classes_of_group(self, port: PortQos, group: int) -> tuple[int, ...]:
        """Return the traffic classes that fill a priority group."""
        entries = self.group_maps.get(port.traffic_class_to_priority_group or "", {})
        return tuple(sorted(tc for tc, found in entries.items() if found == group))

    def lossless_classes(self, port: PortQos) -> frozenset[int]:
        """Return the traffic classes that fill a group whose priority has PFC."""
        groups = (self.group_of_priority(port, priority) for priority in port.pfc_priorities)
        return frozenset(tc for group in groups if group is not None for tc in self.classes_of_group(port, group))

    def queue_of_class(self, port: PortQos, traffic_class: int) -> int | None:
        """Return the egress queue of a traffic class."""
        return self.queue_maps.get(port.traffic_class_to_queue or "", {}).get(traffic_class)

    def class_of_dscp(self, port: PortQos, dscp: int) -> int | None:
        """Return the traffic class of a DSCP."""
        return self.dscp_maps.get(port.dscp_to_traffic_class or "", {}).get(dscp)

    # --- buffers

    def ingress_profile(self, interface: str, group: int) -> BufferProfile | None:
        """Return the buffer profile of a priority group."""
        return self.profiles.get(self.ingress.get((interface, group), ""))

    def computes_headroom(self, interface: str, group: int) -> bool:
        """Return whether the device itself computes the headroom of a priority group."""
        return self.buffers.model == "dynamic" and self.ingress.get((interface, group)) == COMPUTED

    def lossless_groups(self) -> Iterator[tuple[str, int, BufferProfile]]:
        """Yield every priority group with headroom: interface, group and profile."""
        for (interface, group), name in self.ingress.items():
            profile = self.profiles.get(name)
            if profile is not None and profile.lossless:
                yield interface, group, profile

    @cached_property
    def lossless_profiles(self) -> Mapping[str, Sequence[BufferProfile]]:
        """Return the buffer profiles with headroom by interface."""
        profiles: dict[str, list[BufferProfile]] = defaultdict(list)
        for interface, _, profile in self.lossless_groups():
            profiles[interface].append(profile)
        return profiles

    def ecn_profile(self, interface: str, queue: int) -> EcnProfile | None:
        """Return the ECN profile of a queue."""
        binding = self.bindings.get((interface, queue))
        return self.ecn_profiles.get(binding.ecn_profile or "") if binding else None

    def limit_bytes(self, profile: BufferProfile, users: int = 1) -> int | None:
        """Return how much of its pool one user of a profile may hold at most, when ``users`` are equally full.

        With the dynamic threshold ``alpha x free``, N equal users settle at ``alpha x pool / (1 + alpha x N)``
        (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998). None where the size is not known.
        """
        pool = self.pools.get(profile.pool or "")
        if profile.static_threshold_bytes is not None and (pool is None or pool.mode is ThresholdMode.STATIC):
            return profile.static_threshold_bytes
        if pool is None or pool.size_bytes is None or profile.alpha_exponent is None:
            return None
        alpha = Fraction(2) ** profile.alpha_exponent
        return int(alpha * pool.size_bytes / (1 + alpha * users))


def _by_name(maps: tuple[PriorityMap, ...]) -> Mapping[str, Mapping[int, int]]:
    return {found.name: dict(found.entries) for found in maps}

"""QoS and buffers of a switch: from the inventory's intent and the switch's ports to a device's configuration.

Buffer profiles have the names that SONiC's buffer managers give, ``pg_lossless_<Mb/s>_<m>m_profile``: a manager that
finds a profile of that name takes it instead of making its own (buffermgr.cpp).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from fabricgen.catalog import Asic, SonicSupport, SpectrumHeadroom
from fabricgen.core.model import natural_key
from fabricgen.core.provenance import Basis, Origin, Term
from fabricgen.core.units import format_length, length_m
from fabricgen.device import Buffers, EcnProfile, Qos, Watchdog
from fabricgen.inventory.models import QosIntent
from fabricgen.planning.buffers import (
    BufferPlan,
    PortLoad,
    buffer_pools,
    fixed_profiles,
    lossless_profile,
    plan_buffers,
)
from fabricgen.planning.ecn import EcnPlan, plan_ecn
from fabricgen.planning.headroom import Headroom, HeadroomUnknownError, PlanningError, plan_headroom
from fabricgen.planning.qos_records import PortRecords, ecn_name, port_records, shared_qos


class CableTooLongError(PlanningError):
    """A cable is longer than every row of the SKU's headroom table."""


class WatchdogConflictError(PlanningError):
    """The PFC watchdog looks less often than it must detect or restore."""


class QosPlanningError(PlanningError):
    """A switch whose QoS cannot be planned; ``problems`` has every one that was found, at least one."""

    def __init__(self, problems: Sequence[PlanningError]) -> None:
        first = problems[0]
        super().__init__(
            "; ".join(problem.summary for problem in problems),
            remedy="; ".join(problem.remedy for problem in problems),
            numbers=first.numbers,
            origin=first.origin,
            interfaces=tuple(name for problem in problems for name in problem.interfaces),
        )
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class PortDemand:
    """What a port asks of QoS: its name, speed, SerDes lanes, cable, and the inventory line that sets the length."""

    interface: str
    speed_gbps: int
    lanes: int
    length_cm: int
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class QosPlan:
    """QoS of one switch.

    Attributes:
        cable_lengths_m: what each interface is to be told of its cable, in whole metres.
        buffer_plan: the division of the packet buffer.
        ecn: ECN thresholds by port speed in Gb/s.
        bases: how numbers came about, by ``<interface> headroom``, ``<interface> ecn``, ``pool`` and profile name.
    """

    qos: Qos
    buffers: Buffers
    cable_lengths_m: Mapping[str, int]
    buffer_plan: BufferPlan
    ecn: Mapping[int, EcnPlan]
    bases: Mapping[str, Basis]


@dataclass(frozen=True, eq=False, slots=True)
class _LosslessPort:
    """The lossless side of all ports of one speed, lanes and length; compared by identity, which is quick."""

    profile: str
    speed_gbps: int
    lanes: int
    told_length_m: int
    headroom: Headroom


@dataclass(frozen=True, slots=True)
class _Switch:
    """Everything of a switch that depends on what its ports are, not on their names."""

    plan: BufferPlan
    ecn: Mapping[int, EcnPlan]
    ecn_profiles: tuple[EcnProfile, ...]
    buffers: Buffers
    bases: Mapping[str, Basis]


def plan_qos(
    intent: QosIntent, asic: Asic, sonic: SonicSupport, ports: Sequence[PortDemand], origin: Origin | None = None
) -> QosPlan:
    """Plan QoS and buffers of one switch; for many switches of one model keep a :class:`QosPlanner`.

    Args:
        intent: QoS as the inventory asks for it.
        asic: the switch chip.
        sonic: how SONiC keeps the switch's buffers.
        ports: every port that carries the fabric.
        origin: the inventory line of the QoS intent.

    Raises:
        QosPlanningError: with every problem.
    """
    return QosPlanner(intent, asic, sonic, origin).plan(ports)


class QosPlanner:
    """Plans the switches of one fabric and model, and remembers what equal ports and equal switches share.

    Args:
        intent: QoS as the inventory asks for it.
        asic: the switch chip.
        sonic: how SONiC keeps the switch's buffers.
        origin: the inventory line of the QoS intent.
    """

    def __init__(self, intent: QosIntent, asic: Asic, sonic: SonicSupport, origin: Origin | None = None) -> None:
        self._intent = intent
        self._asic = asic
        self._sonic = sonic
        self._origin = origin
        self._spectrum = isinstance(asic.headroom, SpectrumHeadroom)
        self._traditional = sonic.buffer_model == "traditional"
        self._lossless: dict[tuple[int, int, int, Origin | None], _LosslessPort | PlanningError] = {}
        self._ports: dict[tuple[str, int, str], PortRecords] = {}
        self._switches: dict[frozenset[tuple[_LosslessPort, int]], _Switch] = {}
        self._shared_qos = shared_qos(intent, spectrum=self._spectrum)

    def plan(self, ports: Sequence[PortDemand]) -> QosPlan:
        """Plan one switch.

        Args:
            ports: every port that carries the fabric.

        Raises:
            QosPlanningError: with every problem.
        """
        demands = sorted(ports, key=lambda port: natural_key(port.interface))
        lossless = self._plan_lossless(demands)
        switch = self._plan_switch(lossless)
        parts = [self._plan_port(port, low) for port, low in zip(demands, lossless, strict=True)]
        bases = dict(switch.bases)
        for port, low, part in zip(demands, lossless, parts, strict=True):
            bases[part.headroom_key] = low.headroom.basis
            bases[part.ecn_key] = switch.ecn[port.speed_gbps].basis
        return QosPlan(
            qos=replace(
                self._shared_qos,
                ports=tuple(part.qos for part in parts),
                ecn_profiles=switch.ecn_profiles,
                queues=tuple(chain.from_iterable(part.queues for part in parts)),
                watchdog=Watchdog(self._intent.watchdog.poll_ms, tuple(part.watchdog for part in parts), True),
            ),
            buffers=replace(
                switch.buffers,
                ingress=tuple(chain.from_iterable(part.ingress for part in parts)),
                egress=tuple(chain.from_iterable(part.egress for part in parts)),
                ingress_lists=tuple(part.ingress_list for part in parts) if self._spectrum else (),
                egress_lists=tuple(part.egress_list for part in parts) if self._spectrum else (),
            ),
            cable_lengths_m={port.interface: low.told_length_m for port, low in zip(demands, lossless, strict=True)},
            buffer_plan=switch.plan,
            ecn=switch.ecn,
            bases=bases,
        )

    # --- one port

    def _plan_lossless(self, demands: Sequence[PortDemand]) -> list[_LosslessPort]:
        """Return the lossless side of every port, or raise with the problems of all, equal ones once."""
        found: list[_LosslessPort] = []
        problems: dict[int, tuple[PlanningError, list[str]]] = {}
        watchdog = self._intent.watchdog
        if watchdog.poll_ms > min(watchdog.detection_ms, watchdog.restoration_ms):
            problems[0] = (self._watchdog_conflict(), [])
        for port in demands:
            low = self._lossless_of(port)
            if isinstance(low, PlanningError):
                problems.setdefault(id(low), (low, []))[1].append(port.interface)
            else:
                found.append(low)
        if problems:
            raise QosPlanningError([_with_interfaces(error, names) for error, names in problems.values()])
        return found

    def _watchdog_conflict(self) -> PlanningError:
        watchdog = self._intent.watchdog
        shortest_ms = min(watchdog.detection_ms, watchdog.restoration_ms)
        return WatchdogConflictError(
            f"the PFC watchdog looks every {watchdog.poll_ms} ms but is to act within {shortest_ms} ms",
            remedy=f"set `poll_ms` to {shortest_ms} or less",
            numbers={"poll_ms": watchdog.poll_ms, "limit_ms": shortest_ms},
            origin=self._origin,
        )

    def _lossless_of(self, port: PortDemand) -> _LosslessPort | PlanningError:
        key = (port.speed_gbps, port.lanes, port.length_cm, port.origin)
        if key not in self._lossless:
            try:
                self._lossless[key] = self._new_lossless(port)
            except PlanningError as error:
                self._lossless[key] = error
        return self._lossless[key]

    def _new_lossless(self, port: PortDemand) -> _LosslessPort:
        told_m = self._row_length_m(port) if self._traditional else length_m(port.length_cm)
        headroom = plan_headroom(
            self._asic,
            speed_gbps=port.speed_gbps,
            lanes=port.lanes,
            length_cm=told_m * 100,
            mtu_bytes=self._intent.switch_mtu_bytes,
            origin=port.origin,
        )
        if told_m * 100 != port.length_cm:
            real = Term("cable length before rounding up", format_length(port.length_cm), "m", origin=port.origin)
            headroom = replace(headroom, basis=replace(headroom.basis, terms=(*headroom.basis.terms, real)))
        # SONiC's own names set eight-lane ports apart where the speed has narrower ports too (buffermgrdyn.cpp).
        wide = "_8lane" if not self._traditional and port.lanes == 8 and port.speed_gbps < 800 else ""
        name = f"pg_lossless_{port.speed_gbps * 1000}_{told_m}m{wide}_profile"
        return _LosslessPort(name, port.speed_gbps, port.lanes, told_m, headroom)

    def _row_length_m(self, port: PortDemand) -> int:
        """Return the shortest row of the SKU's headroom table that covers a cable; only rows get a lossless group."""
        rows = sorted(self._sonic.cable_lengths_m.get(port.speed_gbps, ()))
        if not rows:
            known = ", ".join(f"{speed}G" for speed in sorted(self._sonic.cable_lengths_m))
            raise HeadroomUnknownError(
                f"the headroom table of {self._sonic.hwsku} has no row for {port.speed_gbps}G",
                remedy=f"run the port at a speed that it has: {known}"
                if known
                else "choose a switch whose table is known",
                numbers={"speed_gbps": port.speed_gbps},
                origin=port.origin,
            )
        needed_m = length_m(port.length_cm)
        for row in rows:
            if row >= needed_m:
                return row
        raise CableTooLongError(
            f"the cable is {format_length(port.length_cm)} m; the longest row of {self._sonic.hwsku} for "
            f"{port.speed_gbps}G is {rows[-1]} m",
            remedy=f"shorten the cable to {rows[-1]} m or less",
            numbers={"length_m": needed_m, "limit_m": rows[-1]},
            origin=port.origin,
        )

    def _plan_port(self, port: PortDemand, low: _LosslessPort) -> PortRecords:
        key = (port.interface, port.speed_gbps, low.profile)
        part = self._ports.get(key)
        if part is None:
            part = self._ports[key] = port_records(self._intent, *key, spectrum=self._spectrum)
        return part

    # --- the whole switch

    def _plan_switch(self, lossless: Sequence[_LosslessPort]) -> _Switch:
        counts = Counter(lossless)
        key = frozenset(counts.items())
        if key not in self._switches:
            # By name, so that what is explained does not depend on which of equal switches came first.
            kinds = dict(sorted(counts.items(), key=lambda kind: natural_key(kind[0].profile)))
            try:
                self._switches[key] = self._new_switch(kinds)
            except PlanningError as error:
                raise QosPlanningError([error]) from error
        return self._switches[key]

    def _new_switch(self, counts: Mapping[_LosslessPort, int]) -> _Switch:
        intent = self._intent
        plan = plan_buffers(
            self._asic,
            [PortLoad(count, low.lanes, low.headroom) for low, count in counts.items()],
            lossless_priorities=1,
            alpha_exponent=intent.alpha_exponent,
            mtu_bytes=intent.switch_mtu_bytes,
        )
        ecn = {
            speed_gbps: plan_ecn(
                intent.ecn, plan.shared, speed_gbps=speed_gbps, mtu_bytes=intent.switch_mtu_bytes, origin=self._origin
            )
            for speed_gbps in sorted({low.speed_gbps for low in counts})
        }
        buffers = self._new_buffers(plan, counts)
        return _Switch(
            plan=plan,
            ecn=ecn,
            ecn_profiles=tuple(
                EcnProfile(
                    ecn_name(speed_gbps),
                    thresholds.minimum_bytes,
                    thresholds.maximum_bytes,
                    thresholds.probability_percent,
                    marks=True,
                    active=True,
                    basis=thresholds.basis,
                )
                for speed_gbps, thresholds in ecn.items()
            ),
            buffers=buffers,
            bases={
                "pool": plan.basis,
                **{profile.name: profile.basis for profile in buffers.profiles if profile.basis is not None},
                **{ecn_name(speed_gbps): thresholds.basis for speed_gbps, thresholds in ecn.items()},
            },
        )

    def _new_buffers(self, plan: BufferPlan, lossless: Iterable[_LosslessPort]) -> Buffers:
        intent, facts = self._intent, self._asic.headroom
        dynamic = not self._traditional
        largest: dict[str, Headroom] = {}
        for low in lossless:
            headroom = largest.setdefault(low.profile, low.headroom)
            if low.headroom.size_bytes > headroom.size_bytes:
                largest[low.profile] = low.headroom
        profiles = [
            *fixed_profiles(self._asic, plan),
            *(
                lossless_profile(name, headroom, alpha_exponent=intent.alpha_exponent, static_headroom=dynamic)
                for name, headroom in largest.items()
            ),
        ]
        traffic = facts if dynamic and isinstance(facts, SpectrumHeadroom) else None
        return Buffers(
            model=self._sonic.buffer_model,
            pools=buffer_pools(self._asic, plan),
            profiles=tuple(sorted(profiles, key=lambda profile: natural_key(profile.name))),
            default_alpha_exponent=intent.alpha_exponent if dynamic else None,
            lossless_mtu_bytes=traffic.lossless_mtu_bytes if traffic else None,
            small_packet_percent=traffic.small_packet_percent if traffic else None,
        )


def _with_interfaces(error: PlanningError, interfaces: Sequence[str]) -> PlanningError:
    return type(error)(
        error.summary,
        remedy=error.remedy,
        numbers=error.numbers,
        origin=error.origin,
        interfaces=tuple(interfaces),
    )

from __future__ import annotations

import re
from typing import Any

import pytest

from fabricgen.catalog import Asic, SonicSupport, load_catalog
from fabricgen.core.model import natural_key
from fabricgen.device import Buffers, Qos, SchedulerMode
from fabricgen.inventory.models import QosIntent
from fabricgen.planning.buffers import BufferShortageError
from fabricgen.planning.headroom import HeadroomUnknownError, plan_headroom
from fabricgen.planning.qos import (
    CableTooLongError,
    PortDemand,
    QosPlan,
    QosPlanner,
    QosPlanningError,
    WatchdogConflictError,
    plan_qos,
)
from tests.planning.chips import (
    DYNAMIC,
    SERVER_CABLES,
    SPECTRUM_4,
    SPINE_CABLES,
    TOMAHAWK_5,
    TRADITIONAL,
    UNKNOWN_CHIP,
)

SONIC_NAME = re.compile(r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}")
TARGETS = pytest.mark.parametrize(("asic", "sonic"), [(SPECTRUM_4, DYNAMIC), (TOMAHAWK_5, TRADITIONAL)])


def leaf_ports() -> list[PortDemand]:
    down = [PortDemand(f"Ethernet{i * 8}", 400, 4, 250, SERVER_CABLES) for i in range(32)]
    up = [PortDemand(f"Ethernet{256 + i * 8}", 800, 8, 3000, SPINE_CABLES) for i in range(16)]
    return down + up


def plan(asic: Asic = SPECTRUM_4, sonic: SonicSupport = DYNAMIC, **intent: Any) -> QosPlan:
    return plan_qos(QosIntent.model_validate(intent), asic, sonic, leaf_ports())


def problems(asic: Asic, sonic: SonicSupport, *ports: PortDemand, **intent: Any) -> QosPlanningError:
    with pytest.raises(QosPlanningError) as caught:
        plan_qos(QosIntent.model_validate(intent), asic, sonic, ports)
    return caught.value


def chain(qos: Qos, buffers: Buffers, interface: str, dscp: int) -> dict[str, Any]:
    """Follow a packet of a DSCP through the maps, by the names that the port refers to."""
    port = next(port for port in qos.ports if port.interface == interface)

    def look_up(maps: Any, name: str | None, key: int | None) -> int:
        value = next(entry for entry in maps if entry.name == name).get(key)
        assert isinstance(value, int)
        return value

    traffic_class = look_up(qos.dscp_to_traffic_class, port.dscp_to_traffic_class, dscp)
    group = look_up(qos.traffic_class_to_priority_group, port.traffic_class_to_priority_group, traffic_class)
    queue = look_up(qos.traffic_class_to_queue, port.traffic_class_to_queue, traffic_class)
    binding = next(entry for entry in qos.queues if (entry.interface, entry.queue) == (interface, queue))
    return {
        "group": group,
        "queue": queue,
        "paused queue": look_up(qos.pfc_priority_to_queue, port.pfc_priority_to_queue, queue),
        "scheduler": next(entry for entry in qos.schedulers if entry.name == binding.scheduler),
        "marks": binding.ecn_profile,
        "ingress": next(e.profile for e in buffers.ingress if (e.interface, e.priority_group) == (interface, group)),
        "egress": next(e.profile for e in buffers.egress if (e.interface, e.queue) == (interface, queue)),
        "pfc": port.pfc_priorities,
        "watchdog": port.watchdog_priorities,
    }


@TARGETS
def test_roce_is_lossless_end_to_end(asic: Asic, sonic: SonicSupport) -> None:
    found = plan(asic, sonic)
    for interface, speed in (("Ethernet0", 400), ("Ethernet256", 800)):
        roce = chain(found.qos, found.buffers, interface, 26)
        assert roce["group"] == roce["queue"] == roce["paused queue"] == 3
        assert roce["pfc"] == roce["watchdog"] == (3,)
        assert roce["marks"] == f"FABRIC_ROCE_{speed}G"
        assert roce["egress"] == "egress_lossless_profile"
        profile = next(entry for entry in found.buffers.profiles if entry.name == roce["ingress"])
        assert profile.lossless
        assert profile.alpha_exponent == 0


@TARGETS
def test_cnp_is_strict_and_lossy_and_the_rest_default(asic: Asic, sonic: SonicSupport) -> None:
    found = plan(asic, sonic)
    cnp = chain(found.qos, found.buffers, "Ethernet0", 48)
    assert (cnp["group"], cnp["queue"], cnp["marks"]) == (0, 6, None)
    assert cnp["scheduler"].mode is SchedulerMode.STRICT
    assert cnp["ingress"] == "ingress_lossy_profile"
    for dscp in set(range(64)) - {26, 48}:
        other = chain(found.qos, found.buffers, "Ethernet0", dscp)
        assert (other["group"], other["queue"]) == (0, 0)


def test_classes_follow_the_intent() -> None:
    found = plan(roce={"dscp": 34, "priority": 4}, cnp={"dscp": 10, "priority": 1}, roce_bandwidth_percent=70)
    assert chain(found.qos, found.buffers, "Ethernet0", 34)["queue"] == 4
    assert chain(found.qos, found.buffers, "Ethernet0", 10)["queue"] == 1
    assert chain(found.qos, found.buffers, "Ethernet0", 26)["queue"] == 0
    assert found.qos.ports[0].pfc_priorities == (4,)
    weights = {entry.name: entry.weight for entry in found.qos.schedulers}
    assert weights == {"FABRIC_CNP": None, "FABRIC_OTHER": 30, "FABRIC_ROCE": 70}


@TARGETS
def test_every_reference_leads_somewhere(asic: Asic, sonic: SonicSupport) -> None:
    found = plan(asic, sonic)
    qos, buffers = found.qos, found.buffers
    profiles = {profile.name for profile in buffers.profiles}
    pools = {pool.name for pool in buffers.pools}
    assert {profile.pool for profile in buffers.profiles} <= pools
    used = {entry.profile for entry in buffers.ingress} | {entry.profile for entry in buffers.egress}
    listed = {name for entry in (*buffers.ingress_lists, *buffers.egress_lists) for name in entry.profiles}
    assert used | listed == profiles
    assert {entry.ecn_profile for entry in qos.queues} - {None} == {entry.name for entry in qos.ecn_profiles}
    assert {entry.scheduler for entry in qos.queues} == {entry.name for entry in qos.schedulers}
    curves = {entry.name for entry in qos.ecn_profiles}
    schedulers = {entry.name for entry in qos.schedulers}
    for name in ("FABRIC", *profiles, *pools, *curves, *schedulers):
        assert SONIC_NAME.fullmatch(name), name


@TARGETS
def test_every_port_has_everything_in_natural_order(asic: Asic, sonic: SonicSupport) -> None:
    found = plan_qos(QosIntent(), asic, sonic, list(reversed(leaf_ports())))
    assert found.qos.watchdog is not None
    names = sorted((port.interface for port in leaf_ports()), key=natural_key)
    assert [row.interface for row in found.qos.ports] == names
    assert [row.interface for row in found.qos.watchdog.ports] == names
    assert [(row.interface, row.queue) for row in found.qos.queues] == [(n, q) for n in names for q in (0, 3, 6)]
    assert [(row.interface, row.priority_group) for row in found.buffers.ingress] == [
        (name, group) for name in names for group in (0, 3)
    ]
    assert [(row.interface, row.queue) for row in found.buffers.egress] == [(n, q) for n in names for q in (0, 3, 6)]
    assert set(found.cable_lengths_m) == set(names)
    keys = [natural_key(profile.name) for profile in found.buffers.profiles]
    assert keys == sorted(keys)


def test_dynamic_model_takes_static_headroom_for_the_real_length() -> None:
    found = plan()
    assert (found.cable_lengths_m["Ethernet0"], found.cable_lengths_m["Ethernet256"]) == (3, 30)
    profiles = {profile.name: profile for profile in found.buffers.profiles}
    near = profiles["pg_lossless_400000_3m_profile"]
    expected = plan_headroom(SPECTRUM_4, speed_gbps=400, lanes=4, length_cm=300, mtu_bytes=9216)
    assert near.static_headroom
    assert (near.headroom_bytes, near.size_bytes) == (expected.headroom_bytes, expected.size_bytes)
    assert profiles["pg_lossless_800000_30m_profile"].xon_bytes == 38912
    assert (found.buffers.model, found.buffers.default_alpha_exponent) == ("dynamic", 0)
    assert (found.buffers.lossless_mtu_bytes, found.buffers.small_packet_percent) == (1024, 100)


def test_spectrum_has_what_only_spectrum_takes() -> None:
    spectrum, broadcom = plan(), plan(TOMAHAWK_5, TRADITIONAL)
    assert spectrum.qos.hashing is not None
    assert "L4_SRC_PORT" in spectrum.qos.hashing.fields
    assert broadcom.qos.hashing is None
    assert spectrum.qos.ports[0].pfc_priority_to_priority_group == "FABRIC"
    assert [entry.entries for entry in spectrum.qos.pfc_priority_to_priority_group] == [((3, 3),)]
    assert broadcom.qos.ports[0].pfc_priority_to_priority_group is None
    assert len(spectrum.buffers.ingress_lists) == len(spectrum.buffers.egress_lists) == 48
    assert broadcom.buffers.ingress_lists == broadcom.buffers.egress_lists == ()


def test_traditional_model_takes_the_next_row_of_the_table() -> None:
    found = plan(TOMAHAWK_5, TRADITIONAL)
    assert (found.cable_lengths_m["Ethernet0"], found.cable_lengths_m["Ethernet256"]) == (5, 40)
    profiles = {profile.name: profile for profile in found.buffers.profiles}
    # The rows of Dell-Z9864f-O64.
    assert profiles["pg_lossless_400000_5m_profile"].headroom_bytes == 393192
    assert profiles["pg_lossless_800000_40m_profile"].headroom_bytes == 835406
    assert not profiles["pg_lossless_800000_40m_profile"].static_headroom
    assert found.buffers.default_alpha_exponent is None
    real = [term for term in found.bases["Ethernet0 headroom"].terms if term.name.startswith("cable length before")]
    assert [(term.value, term.origin) for term in real] == [("2.5", SERVER_CABLES)]


def test_cable_beyond_the_table_is_refused_for_all_its_ports() -> None:
    long = [PortDemand(f"Ethernet{i}", 400, 4, 30_001, SPINE_CABLES) for i in (8, 0)]
    error = problems(TOMAHAWK_5, TRADITIONAL, PortDemand("Ethernet16", 400, 4, 500), *long)
    (problem,) = error.problems
    assert isinstance(problem, CableTooLongError)
    assert problem.summary == "the cable is 300.01 m; the longest row of Dell-Z9864f-O64 for 400G is 300 m"
    assert problem.remedy == "shorten the cable to 300 m or less"
    assert problem.numbers == {"length_m": 301, "limit_m": 300}
    assert (problem.origin, problem.interfaces) == (SPINE_CABLES, ("Ethernet0", "Ethernet8"))


def test_all_problems_are_found_at_once() -> None:
    ports = (
        PortDemand("Ethernet0", 200, 4, 500),
        PortDemand("Ethernet8", 400, 4, 90_000),
        PortDemand("Ethernet16", 400, 4, 500),
    )
    error = problems(TOMAHAWK_5, TRADITIONAL, *ports, watchdog={"poll_ms": 400})
    assert [type(problem) for problem in error.problems] == [
        WatchdogConflictError,
        HeadroomUnknownError,
        CableTooLongError,
    ]
    assert error.problems[0].numbers == {"poll_ms": 400, "limit_ms": 200}
    assert error.problems[1].interfaces == ("Ethernet0",)
    assert "400G" in error.problems[1].remedy
    assert error.interfaces == ("Ethernet0", "Ethernet8")


def test_unknown_chip_and_full_chip_are_refused() -> None:
    (unknown,) = problems(UNKNOWN_CHIP, DYNAMIC, PortDemand("Ethernet0", 400, 4, 500)).problems
    assert isinstance(unknown, HeadroomUnknownError)
    many = [PortDemand(f"Ethernet{i}", 400, 4, 100_000) for i in range(128)]
    (full,) = problems(SPECTRUM_4, DYNAMIC, *many).problems
    assert isinstance(full, BufferShortageError)
    assert full.numbers["needed_bytes"] > full.numbers["have_bytes"] == 158229504


def test_eight_lanes_at_a_lower_speed_have_a_profile_of_their_own() -> None:
    ports = [PortDemand("Ethernet0", 400, 8, 300), PortDemand("Ethernet8", 400, 4, 300)]
    found = plan_qos(QosIntent(), SPECTRUM_4, DYNAMIC, ports)
    sizes = {profile.name: profile.size_bytes for profile in found.buffers.profiles if profile.lossless}
    assert sizes == {"pg_lossless_400000_3m_profile": 247808, "pg_lossless_400000_3m_8lane_profile": 276480}


def test_one_name_in_the_traditional_model_means_the_larger_need() -> None:
    sonic = DYNAMIC.model_copy(update={"buffer_model": "traditional", "cable_lengths_m": {400: (5,)}})
    ports = [PortDemand("Ethernet8", 400, 4, 300), PortDemand("Ethernet0", 400, 8, 300)]
    found = plan_qos(QosIntent(), SPECTRUM_4, sonic, ports)
    wide = plan_headroom(SPECTRUM_4, speed_gbps=400, lanes=8, length_cm=500, mtu_bytes=9216)
    assert [profile.size_bytes for profile in found.buffers.profiles if profile.lossless] == [wide.size_bytes]


def test_watchdog_and_thresholds_follow_the_intent() -> None:
    found = plan(watchdog={"detection_ms": 400, "restoration_ms": 500, "poll_ms": 100, "action": "forward"})
    assert found.qos.watchdog is not None
    assert (found.qos.watchdog.poll_interval_ms, found.qos.watchdog.counters_enabled) == (100, True)
    port = found.qos.watchdog.ports[0]
    assert (port.action, port.detection_ms, port.restoration_ms) == ("forward", 400, 500)
    curve = found.qos.ecn_profiles[0]
    assert (curve.minimum_bytes, curve.maximum_bytes, curve.probability_percent) == (200_000, 800_000, 100)
    assert curve.marks
    assert curve.active


def test_bases_explain_every_port_pool_and_profile() -> None:
    found = plan()
    for interface in found.cable_lengths_m:
        assert found.bases[f"{interface} headroom"].terms
        assert found.bases[f"{interface} ecn"].formula.startswith("Kmax")
    assert found.bases["pool"] is found.buffer_plan.basis
    assert found.bases["pg_lossless_400000_3m_profile"] is found.bases["Ethernet0 headroom"]
    origins = {term.origin for term in found.bases["Ethernet256 headroom"].terms if term.name == "cable length"}
    assert origins == {SPINE_CABLES}


def test_planner_shares_what_equal_switches_have() -> None:
    planner = QosPlanner(QosIntent(), SPECTRUM_4, DYNAMIC)
    first, second = planner.plan(leaf_ports()), planner.plan(leaf_ports())
    assert first == second == plan()
    assert first.qos.ports[0] is second.qos.ports[0]
    assert first.buffer_plan is second.buffer_plan


def test_explanations_do_not_depend_on_the_order_of_switches() -> None:
    down, up = leaf_ports()[:16], leaf_ports()[32:]
    moved = [PortDemand(port.interface, 400, 4, 250, SERVER_CABLES) for port in up]
    swapped = [*moved, *(PortDemand(port.interface, 800, 8, 3000, SPINE_CABLES) for port in down)]
    one, other = QosPlanner(QosIntent(), SPECTRUM_4, DYNAMIC), QosPlanner(QosIntent(), SPECTRUM_4, DYNAMIC)
    first = [one.plan([*down, *up]), one.plan(swapped)]
    second = [other.plan(swapped), other.plan([*down, *up])]
    assert [found.bases["pool"] for found in first] == [found.bases["pool"] for found in reversed(second)]


def test_switch_without_ports_has_pools_and_nothing_else() -> None:
    found = plan_qos(QosIntent(), SPECTRUM_4, DYNAMIC, [])
    assert not found.qos.ports
    assert not found.qos.ecn_profiles
    assert not found.buffers.ingress
    assert [pool.size_bytes for pool in found.buffers.pools] == [158229504, 157967232, 157967232]


@pytest.mark.parametrize("switch", ["sn5600", "micas-m2-w6940-64oc"])
def test_switches_of_the_catalog_can_be_planned(switch: str) -> None:
    catalog = load_catalog()
    entry = catalog.switches[switch]
    assert entry.sonic is not None
    found = plan(catalog.asics[entry.asic], entry.sonic)
    assert found.buffer_plan.shared.shared_bytes > 100_000_000
    assert all(thresholds.marks_before_pause for thresholds in found.ecn.values())

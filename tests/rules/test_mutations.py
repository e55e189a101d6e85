"""One fault, put at any place of a valid network: the named rule finds it there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.catalog import Catalog, load_catalog
from fabricgen.device import Role
from fabricgen.rules.engine import check
from tests.rules.builder import network

CATALOG: Catalog = load_catalog()
SWITCHES = ("leaf-01", "leaf-02", "spine-01", "spine-02")
PORTS = {
    name: tuple(interface.name for interface in device.model.interfaces)
    for name, device in network("roce").devices.items()
    if device.model is not None
}
UPLINKS = {name: ports[2:] if name.startswith("leaf") else ports for name, ports in PORTS.items()}
LOSSLESS = "pg_lossless_400000_40m_profile"

Change = Mapping[str, Any]

#: Code, and the fault as a change of a device, given the port.
PORT_FAULTS: Mapping[str, tuple[str, Callable[[str], Change]]] = {
    "no buffer profile": ("FG403", lambda port: {"buffers": {"ingress": {f"{port}|3": None}}}),
    "lossy buffer profile": ("FG403", lambda port: _profile("ingress", port, "ingress_lossy_profile")),
    "no PFC with headroom": ("FG404", lambda port: {"qos": {"ports": {port: {"pfc_priorities": []}}}}),
    "lossy egress profile": ("FG412", lambda port: _profile("egress", port, "q_lossy_profile")),
    "no watchdog": ("FG409", lambda port: {"qos": {"watchdog": {"ports": {port: None}}}}),
    "slow watchdog": ("FG424", lambda port: {"qos": {"watchdog": {"ports": {port: {"detection_ms": 100}}}}}),
    "no ECN": ("FG421", lambda port: {"qos": {"queues": {f"{port}|3": {"ecn_profile": None}}}}),
    "strict data": ("FG429", lambda port: {"qos": {"queues": {f"{port}|3": {"scheduler": "CNP"}}}}),
    "no DSCP map": ("FG418", lambda port: {"qos": {"ports": {port: {"dscp_to_traffic_class": None}}}}),
    "unknown map": ("FG410", lambda port: {"qos": {"ports": {port: {"traffic_class_to_queue": "GONE"}}}}),
    "FEC off": ("FG213", lambda port: {"interfaces": {port: {"fec": "none"}}}),
    "shut": ("FG208", lambda port: {"interfaces": {port: {"enabled": False}}}),
    "another speed": ("FG201", lambda port: {"interfaces": {port: {"speed_gbps": 200}}}),
    "small MTU": ("FG203", lambda port: {"interfaces": {port: {"mtu_bytes": 1500}}}),
    "a metre of cable": ("FG406", lambda port: {"interfaces": {port: {"cable_length_m": 1}}}),
    "stale profile": ("FG419", lambda port: {"interfaces": {port: {"cable_length_m": 300}}}),
    "lanes of the whole chip": ("FG205", lambda port: {"interfaces": {port: {"lanes": list(range(24))}}}),
}
UPLINK_FAULTS: Mapping[str, tuple[str, Callable[[str], Change]]] = {
    "PFC off": ("FG402", lambda port: {"qos": {"ports": {port: {"pfc_priorities": []}}}}),
    "PFC on another priority": ("FG402", lambda port: {"qos": {"ports": {port: {"pfc_priorities": [4]}}}}),
    "PFC on one priority more": ("FG402", lambda port: {"qos": {"ports": {port: {"pfc_priorities": [3, 4]}}}}),
    "MTU": ("FG202", lambda port: {"interfaces": {port: {"mtu_bytes": 9100}}}),
    "FEC": ("FG204", lambda port: {"interfaces": {port: {"fec": "fc"}}}),
}
DEVICE_FAULTS: Mapping[str, tuple[str, Change]] = {
    "DSCP swapped": ("FG401", {"qos": {"dscp_to_traffic_class": {"FABRIC": {26: 6, 48: 3}}}}),
    "DSCP left out": ("FG401", {"qos": {"dscp_to_traffic_class": {"FABRIC": {26: None}}}}),
    "queues swapped": ("FG407", {"qos": {"traffic_class_to_queue": {"FABRIC": {3: 6, 6: 3}}}}),
    "a third of the headroom": ("FG405", {"buffers": {"profiles": {LOSSLESS: {"headroom_bytes": 94549}}}}),
    "half of the headroom": ("FG430", {"buffers": {"profiles": {LOSSLESS: {"headroom_bytes": 141824}}}}),
    "twice the pool": ("FG411", {"buffers": {"pools": {"ingress_lossless_pool": {"size_bytes": 200000000}}}}),
    "ECN off": ("FG408", {"qos": {"ecn_profiles": {"ROCE": {"active": False}}}}),
    "ECN in kilobytes": ("FG422", {"qos": {"ecn_profiles": {"ROCE": {"minimum_bytes": 200, "maximum_bytes": 800}}}}),
    "ECN out of reach": ("FG423", {"qos": {"ecn_profiles": {"ROCE": {"maximum_bytes": 60000000}}}}),
    "watchdog counters off": ("FG425", {"qos": {"watchdog": {"counters_enabled": False}}}),
    "another AS number": ("FG303", {"bgp": {"asn": 4200077777}}),
    "one path": ("FG304", {"bgp": {"maximum_paths": 1}}),
    "nothing redistributed": ("FG308", {"bgp": {"redistributions": None}}),
    "no prefix lists": ("FG306", {"bgp": {"prefix_lists": None}}),
}  # fmt: skip


def _profile(side: str, port: str, name: str) -> Change:
    return {"buffers": {side: {f"{port}|3": {"profile": name}}}}


def assert_found(code: str, device: str, port: str | None, change: Change) -> None:
    findings = check(network("roce", {device: change}), CATALOG).findings
    paths = [found.path for found in findings if found.code == code]
    wanted = f"devices[{device}]" if port is None else f"devices[{device}].ports[{port}]"
    assert any(path == wanted or path.startswith(f"{wanted}.") or (port is None and path.startswith(wanted))
               for path in paths), [f"{found.code} {found.path}" for found in findings]  # fmt: skip


@pytest.mark.parametrize("fault", PORT_FAULTS)
@pytest.mark.parametrize("device", SWITCHES)
def test_a_fault_of_any_port_is_found(fault: str, device: str) -> None:
    code, change = PORT_FAULTS[fault]
    # 1 m told is short of every cable but that of a server, whose ports the leaves have first
    for port in (PORTS[device][0], PORTS[device][-1]):
        assert_found(code, device, port, change(port))


@pytest.mark.parametrize("fault", UPLINK_FAULTS)
@pytest.mark.parametrize("device", SWITCHES)
def test_a_difference_between_two_ends_is_found_at_the_odd_one(fault: str, device: str) -> None:
    code, change = UPLINK_FAULTS[fault]
    for port in UPLINKS[device]:
        assert_found(code, device, port, change(port))


@pytest.mark.parametrize("fault", DEVICE_FAULTS)
@pytest.mark.parametrize("device", SWITCHES)
def test_a_fault_of_any_switch_is_found(fault: str, device: str) -> None:
    code, change = DEVICE_FAULTS[fault]
    assert_found(code, device, None, change)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 96435))
def test_headroom_below_the_sum_is_always_found(headroom_bytes: int) -> None:
    change = {"buffers": {"profiles": {LOSSLESS: {"headroom_bytes": headroom_bytes}}}}
    findings = check(network("roce", {"spine-02": change}), CATALOG).findings
    found = {one.code for one in findings if one.path.startswith("devices[spine-02]")}
    assert ("FG405" if headroom_bytes else "FG403") in found


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 63), st.integers(0, 7), st.sampled_from(SWITCHES))
def test_a_changed_dscp_is_found_exactly_where_it_touches_the_lossless_class(dscp: int, new: int, device: str) -> None:
    old = {0: 0, 26: 3, 48: 6}.get(dscp, 0)
    change = {"qos": {"dscp_to_traffic_class": {"FABRIC": {dscp: new}}}}
    findings = check(network("roce", {device: change}), CATALOG, select=["FG401"]).findings
    assert bool(findings) == (old != new and 3 in (old, new))
    assert all(found.path.startswith(f"devices[{device}]") for found in findings)


def test_the_network_has_every_role() -> None:
    assert {device.role for device in network("roce").devices.values()} == {Role.SERVER, Role.LEAF, Role.SPINE}

"""Every part of a model is found in the file that it was read from."""

from __future__ import annotations

import pytest

from fabricgen.platforms.sonic import PLATFORM
from tests.platforms.sonic.samples import leaf, read

FILES = PLATFORM.emit(leaf(2, numbered=True))
RESULT = read(FILES, "leaf-01/")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("name",), '"leaf-01"'),
        (("role",), '"LeafRouter"'),
        (("interfaces", "Ethernet4"), '"Ethernet4": {'),
        (("interfaces", "Ethernet4", "mtu_bytes"), '"9216"'),
        (("interfaces", "Ethernet4", "cable_length_m"), '"3m"'),
        (("interfaces", "Ethernet4", "addresses"), '"Ethernet4": {}'),
        (("interfaces", "Ethernet4", "cage"), '"1"'),
        (("loopbacks", "Loopback0"), '"Loopback0": {}'),
        (("breakouts", "Ethernet8"), '"Ethernet8": {'),
        (("qos", "ports", "Ethernet0", "pfc_priorities"), '"3"'),
        (("qos", "dscp_to_traffic_class", "FABRIC", "26"), '"3"'),
        (("qos", "ecn_profiles", "ROCE", "maximum_bytes"), '"1500000"'),
        (("qos", "schedulers", "ROCE", "weight"), '"60"'),
        (("qos", "queues", "Ethernet0", "3", "ecn_profile"), '"ROCE"'),
        (("qos", "watchdog", "poll_interval_ms"), '"200"'),
        (("qos", "watchdog", "ports", "Ethernet0", "restoration_ms"), '"800"'),
        (("qos", "watchdog", "counters_enabled"), '"enable"'),
        (("qos", "hashing", "fields"), "["),
        (("buffers", "model"), '"dynamic"'),
        (("buffers", "pools", "ingress_lossless_pool", "size_bytes"), '"67737959"'),
        (("buffers", "profiles", "lossless", "headroom_bytes"), '"283648"'),
        (("buffers", "ingress", "Ethernet12", "3", "profile"), '"lossless"'),
        (("buffers", "egress", "Ethernet0", "3"), '"Ethernet0|3": {'),
        (("buffers", "default_alpha_exponent"), '"0"'),
        (("buffers", "lossless_mtu_bytes"), '"1024"'),
    ],
)
def test_places_in_config_db(path: tuple[str, ...], text: str) -> None:
    span = RESULT.locate(path)
    assert span is not None
    assert span.file == "leaf-01/config_db.json"
    assert span.line is not None
    assert span.column is not None
    line = FILES["config_db.json"].splitlines()[span.line - 1]
    assert line[span.column - 1 :].rstrip(",") == text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("bgp",), "router bgp 4200000001"),
        (("bgp", "asn"), "router bgp 4200000001"),
        (("bgp", "router_id"), " bgp router-id 10.255.0.1"),
        (("bgp", "maximum_paths"), "  maximum-paths 64"),
        (("bgp", "neighbors", "10.0.1.1"), " neighbor 10.0.1.1 peer-group FABRIC"),
        (("bgp", "neighbors", "10.0.1.1", "description"), " neighbor 10.0.1.1 description to gpu-1 port 0"),
        (("bgp", "peer_groups", "FABRIC", "hold_s"), " neighbor FABRIC timers 3 9"),
        (("bgp", "peer_groups", "FABRIC", "export_policy"), "  neighbor FABRIC route-map OUT out"),
        (("bgp", "prefix_lists", "LOOPBACKS", "10"), "ip prefix-list LOOPBACKS seq 10 permit 10.255.0.0/16 ge 32"),
        (("bgp", "route_maps", "OUT", "20"), "route-map OUT deny 20"),
        (("bgp", "static_routes", "10.1.0.0/16"), "ip route 10.1.0.0/16 blackhole"),
        (("bgp", "neighbors", "10.9.9.9"), "router bgp 4200000001"),
    ],
)
def test_places_in_frr_conf(path: tuple[str, ...], text: str) -> None:
    span = RESULT.locate(path)
    assert span is not None
    assert span.file == "leaf-01/frr.conf"
    assert span.line is not None
    assert FILES["frr.conf"].splitlines()[span.line - 1] == text


def test_the_nearest_known_part_answers() -> None:
    port = RESULT.locate(("interfaces", "Ethernet0"))
    assert RESULT.locate(("interfaces", "Ethernet0", "no such attribute")) == port
    table = RESULT.locate(("interfaces",))
    assert RESULT.locate(("interfaces", "Ethernet999")) == table
    assert table is not None
    assert '"PORT": {' in FILES["config_db.json"].splitlines()[(table.line or 0) - 1]


def test_a_row_that_sets_a_range_is_found() -> None:
    text = FILES["config_db.json"].replace('"Ethernet0|3": {', '"Ethernet0|3-4": {')
    span = read({"config_db.json": text}).locate(("qos", "queues", "Ethernet0", "4", "scheduler"))
    assert span is not None
    assert span.line is not None
    assert '"scheduler": "ROCE"' in text.splitlines()[span.line - 1]


def test_nothing_is_found_where_nothing_was_read() -> None:
    assert read({"config_db.json": FILES["config_db.json"]}).locate(("bgp", "asn")) is None

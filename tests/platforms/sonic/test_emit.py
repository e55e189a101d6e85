"""What a device model becomes, table by table."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.device import (
    BufferProfile,
    Buffers,
    DeviceModel,
    EcnProfile,
    Hashing,
    Interface,
    Loopback,
    Qos,
    Watchdog,
    WatchdogPort,
)
from fabricgen.platforms.sonic.emit import emit
from tests.platforms.sonic.samples import Config, leaf, model_of, read, spine


def tables(model: DeviceModel) -> Config:
    found: Config = json.loads(emit(model)["config_db.json"])
    return found


BARE = DeviceModel("leaf-01", "sonic")


def test_a_switch_without_anything() -> None:
    assert emit(BARE) == {
        "config_db.json": json.dumps(
            {"DEVICE_METADATA": {"localhost": {"hostname": "leaf-01", "default_pfcwd_status": "disable"}}}, indent=4
        )
        + "\n"
    }


def test_tables_and_keys_are_in_natural_order() -> None:
    found = tables(leaf(12))
    assert list(found) == sorted(found)
    assert list(found["PORT"])[:4] == ["Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"]


def test_identity() -> None:
    assert tables(leaf())["DEVICE_METADATA"]["localhost"] == {
        "hostname": "leaf-01",
        "hwsku": "ACS-SN5600",
        "platform": "x86_64-nvidia_sn5600-r0",
        "type": "LeafRouter",
        "mac": "00:11:22:33:44:55",
        "buffer_model": "dynamic",
        "default_pfcwd_status": "enable",
        "docker_routing_config_mode": "split-unified",
        "frr_mgmt_framework_config": "false",
    }


@pytest.mark.parametrize(
    ("role", "word"),
    [("leaf", "LeafRouter"), ("spine", "SpineRouter"), ("core", "UpperSpineRouter"), ("ToRRouter", "ToRRouter")],
)
def test_roles_in_sonic_s_words(role: str, word: str) -> None:
    model = replace(BARE, role=role)
    assert tables(model)["DEVICE_METADATA"]["localhost"]["type"] == word
    assert model_of(read(emit(model))).role == role


def test_bfd_needs_the_management_framework_for_its_daemon() -> None:
    assert tables(leaf(bfd=True))["DEVICE_METADATA"]["localhost"]["frr_mgmt_framework_config"] == "true"


def test_no_second_bgp_instance() -> None:
    assert "bgp_asn" not in tables(leaf())["DEVICE_METADATA"]["localhost"]
    assert not [name for name in tables(leaf()) if name.startswith("BGP")]


def test_ports() -> None:
    found = tables(leaf(1))
    assert found["PORT"]["Ethernet4"] == {
        "alias": "etp1b",
        "index": "1",
        "lanes": "4,5,6,7",
        "speed": "400000",
        "mtu": "9216",
        "fec": "rs",
        "admin_status": "up",
        "description": "to gpu-1 port 1",
        "subport": "2",
    }
    assert found["BREAKOUT_CFG"] == {"Ethernet0": {"brkout_mode": "2x400G[200G,100G,50G,40G,25G,10G]"}}
    assert found["CABLE_LENGTH"] == {"AZURE": {"Ethernet0": "3m", "Ethernet4": "3m"}}


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ((), [None, None, None]),
        ((("Ethernet0", "1x800G"),), ["0", None, None]),
        ((("Ethernet8", "2x400G"),), [None, "1", "2"]),
        ((("Ethernet0", "1x800G[400G]"), ("Ethernet8", "2x400G")), ["0", "1", "2"]),
    ],
)
def test_subport_is_the_part_of_the_cage(modes: tuple[tuple[str, str], ...], expected: list[str | None]) -> None:
    ports = (
        Interface("Ethernet0", lanes=tuple(range(8))),
        Interface("Ethernet8", lanes=(8, 9, 10, 11)),
        Interface("Ethernet12", lanes=(12, 13, 14, 15)),
    )
    found = tables(replace(BARE, interfaces=ports, breakouts=modes))
    assert [row.get("subport") for row in found["PORT"].values()] == expected


def test_a_port_that_is_down() -> None:
    found = tables(replace(BARE, interfaces=(Interface("Ethernet0", enabled=False),)))
    assert found["PORT"] == {"Ethernet0": {"admin_status": "down"}}


def test_unnumbered_and_numbered_addresses() -> None:
    assert tables(leaf(1))["INTERFACE"] == {
        "Ethernet0": {"ipv6_use_link_local_only": "enable"},
        "Ethernet4": {"ipv6_use_link_local_only": "enable"},
    }
    assert tables(leaf(1, numbered=True))["INTERFACE"] == {
        "Ethernet0": {},
        "Ethernet0|10.1.0.0/31": {},
        "Ethernet4": {},
        "Ethernet4|10.1.1.0/31": {},
    }


def test_loopbacks() -> None:
    model = replace(BARE, loopbacks=(Loopback("Loopback0", ("10.0.0.1/32", "fc00::1/128")), Loopback("Loopback1")))
    assert list(tables(model)["LOOPBACK_INTERFACE"]) == [
        "Loopback0",
        "Loopback0|10.0.0.1/32",
        "Loopback0|fc00::1/128",
        "Loopback1",
    ]


def test_classification() -> None:
    found = tables(leaf(1))
    assert found["DSCP_TO_TC_MAP"]["FABRIC"]["26"] == "3"
    assert list(found["DSCP_TO_TC_MAP"]["FABRIC"]) == [str(dscp) for dscp in range(64)]
    assert found["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] == {"FABRIC": {"3": "3"}}
    assert found["PORT_QOS_MAP"]["Ethernet0"] == {
        "dscp_to_tc_map": "FABRIC",
        "tc_to_pg_map": "FABRIC",
        "tc_to_queue_map": "FABRIC",
        "pfc_to_queue_map": "FABRIC",
        "pfc_to_pg_map": "FABRIC",
        "pfc_enable": "3",
        "pfcwd_sw_enable": "3",
    }


def test_queues() -> None:
    found = tables(leaf(1))
    assert found["SCHEDULER"] == {"CNP": {"type": "STRICT"}, "ROCE": {"type": "DWRR", "weight": "60"}}
    assert found["QUEUE"]["Ethernet0|3"] == {"scheduler": "ROCE", "wred_profile": "ROCE"}
    assert found["QUEUE"]["Ethernet0|6"] == {"scheduler": "CNP"}


def test_ecn_marks_every_colour_and_is_switched_on() -> None:
    row = tables(leaf(1))["WRED_PROFILE"]["ROCE"]
    assert row["ecn"] == "ecn_all"
    for colour in ("green", "yellow", "red"):
        assert row[f"{colour}_min_threshold"] == "150000"
        assert row[f"{colour}_max_threshold"] == "1500000"
        assert row[f"{colour}_drop_probability"] == "100"
        assert row[f"wred_{colour}_enable"] == "true"
    assert len(row) == 13


def test_drop_curve_that_is_switched_off() -> None:
    profile = EcnProfile("P", None, None, 5, marks=False, active=False)
    row = tables(replace(BARE, qos=Qos(ecn_profiles=(profile,))))["WRED_PROFILE"]["P"]
    assert row["ecn"] == "ecn_none"
    assert row["wred_green_enable"] == "false"
    assert "green_min_threshold" not in row


def test_watchdog() -> None:
    found = tables(leaf(1))
    assert found["PFC_WD"]["GLOBAL"] == {"POLL_INTERVAL": "200"}
    assert found["PFC_WD"]["Ethernet0"] == {"action": "drop", "detection_time": "400", "restoration_time": "800"}
    assert found["FLEX_COUNTER_TABLE"]["PFCWD"] == {"FLEX_COUNTER_STATUS": "enable"}
    assert set(found["FLEX_COUNTER_TABLE"]) > {"PFCWD", "PG_DROP", "QUEUE"}


def test_watchdog_without_counters() -> None:
    watchdog = Watchdog(None, (WatchdogPort("Ethernet0", "alert", 200, 200),), counters_enabled=False)
    found = tables(replace(BARE, qos=Qos(watchdog=watchdog)))
    assert found["FLEX_COUNTER_TABLE"] == {"PFCWD": {"FLEX_COUNTER_STATUS": "disable"}}
    assert list(found["PFC_WD"]) == ["Ethernet0"]


def test_hash() -> None:
    assert tables(leaf(1))["SWITCH_HASH"] == {"GLOBAL": {"ecmp_hash": ["DST_IP", "SRC_IP", "L4_SRC_PORT"]}}
    algorithm = replace(BARE, qos=Qos(hashing=Hashing(algorithm="CRC")))
    assert tables(algorithm)["SWITCH_HASH"] == {"GLOBAL": {"ecmp_hash_algorithm": "CRC"}}


def test_buffers() -> None:
    found = tables(leaf(1))
    assert found["BUFFER_POOL"]["ingress_lossless_pool"] == {
        "type": "ingress",
        "mode": "dynamic",
        "size": "67737959",
        "xoff": "0",
    }
    assert found["BUFFER_PROFILE"]["lossless"] == {
        "pool": "ingress_lossless_pool",
        "size": "303104",
        "xon": "19456",
        "xoff": "283648",
        "dynamic_th": "-1",
        "headroom_type": "static",
    }
    assert found["BUFFER_PG"]["Ethernet0|3"] == {"profile": "lossless"}
    assert found["BUFFER_QUEUE"]["Ethernet0|3"] == {"profile": "egress_lossless_profile"}
    assert found["BUFFER_PORT_INGRESS_PROFILE_LIST"]["Ethernet0"] == {"profile_list": "lossless"}
    assert found["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] == {"AZURE": {"default_dynamic_th": "0"}}
    assert found["LOSSLESS_TRAFFIC_PATTERN"] == {"AZURE": {"mtu": "1024", "small_packet_percentage": "100"}}


@pytest.mark.parametrize(
    ("model", "static", "headroom_bytes", "expected"),
    [
        ("dynamic", True, 1000, "static"),
        ("dynamic", False, 1000, "dynamic"),
        ("dynamic", False, 0, None),
        ("traditional", False, 1000, None),
        (None, True, 1000, "static"),
    ],
)
def test_headroom_type(model: str | None, static: bool, headroom_bytes: int, expected: str | None) -> None:
    profile = BufferProfile("P", "pool", 0, headroom_bytes=headroom_bytes, static_headroom=static)
    found = tables(replace(BARE, buffers=Buffers(model, profiles=(profile,))))
    assert found["BUFFER_PROFILE"]["P"].get("headroom_type") == expected


def test_a_spine_without_buffers_has_none_of_their_tables() -> None:
    found: Any = tables(spine())
    assert found["DEVICE_METADATA"]["localhost"]["type"] == "SpineRouter"
    assert not [name for name in found if name.startswith(("BUFFER", "PFC_WD", "LOSSLESS", "DEFAULT", "FLEX"))]


def test_same_bytes_each_time() -> None:
    assert emit(leaf(8)) == emit(leaf(8))

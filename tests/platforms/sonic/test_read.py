"""What is read of files that people and SONiC write."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.device import (
    BufferPool,
    BufferProfile,
    EcnProfile,
    EgressBuffer,
    Hashing,
    IngressBuffer,
    Interface,
    Loopback,
    PoolDirection,
    PortQos,
    PriorityMap,
    QueueBinding,
    Scheduler,
    SchedulerMode,
    ThresholdMode,
    Watchdog,
    WatchdogPort,
)
from fabricgen.platforms.sonic import PLATFORM
from fabricgen.platforms.sonic.emit import CONFIG_DB, FRR_CONF
from tests.platforms.sonic.samples import codes, leaf, min_roce, model_of, read, read_config, spine
from tests.platforms.sonic.test_read_refusals import config_without_algorithm

HOST = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}}}


def ports(*names: str) -> dict[str, dict[str, str]]:
    return {name: {"lanes": "0", "speed": "400000"} for name in names}


@pytest.mark.parametrize("numbered", [False, True])
@pytest.mark.parametrize("of", ["sn5600", "micas-m2-w6940-64oc", "arista-7060x6-64pe"])
def test_a_whole_leaf_comes_back(of: str, numbered: bool) -> None:
    model = leaf(4, numbered=numbered, bfd=numbered, of=of)
    result = read(PLATFORM.emit(model))
    assert result.model == model
    assert result.diagnostics == ()


def test_a_spine_comes_back() -> None:
    assert read(PLATFORM.emit(spine())).model == spine()


def test_the_good_configuration() -> None:
    model = model_of(read_config(min_roce()))
    assert (model.name, model.sku, model.role, model.mac) == (
        "leaf1",
        "ACS-SN5600",
        "leaf",
        "00:11:22:33:44:55",
    )
    assert model.interfaces == (
        Interface(
            "Ethernet0",
            alias="etp1a",
            speed_gbps=400,
            lanes=(0, 1, 2, 3),
            cage=1,
            mtu_bytes=9100,
            fec="rs",
            enabled=True,
            addresses=("10.1.0.0/31",),
            cable_length_m=40,
            index=1,
        ),
    )
    assert model.loopbacks == (Loopback("Loopback0", ("10.0.0.1/32",)),)
    assert model.unread == (("BGP_NEIGHBOR", 1), ("PORT.pfc_asym", 1))


def test_the_good_configuration_s_qos() -> None:
    qos = model_of(read_config(min_roce())).qos
    assert qos is not None
    assert qos.dscp_to_traffic_class == (PriorityMap("AZURE", ((26, 3), (48, 6))),)
    assert qos.ports == (
        PortQos(
            "Ethernet0",
            dscp_to_traffic_class="AZURE",
            traffic_class_to_priority_group="AZURE",
            traffic_class_to_queue="AZURE",
            pfc_priority_to_queue="AZURE",
            pfc_priorities=(3,),
            watchdog_priorities=(3,),
        ),
    )
    assert qos.schedulers == (Scheduler("s3", SchedulerMode.DWRR, 50),)
    assert qos.ecn_profiles == (EcnProfile("ROCE", 150_000, 1_500_000, 100, marks=True, active=True),)
    assert qos.queues == (QueueBinding("Ethernet0", 3, "s3", "ROCE"),)
    assert qos.watchdog == Watchdog(200, (WatchdogPort("Ethernet0", "drop", 400, 400),))
    assert qos.hashing == Hashing(("SRC_IP", "DST_IP", "IP_PROTOCOL", "L4_SRC_PORT", "L4_DST_PORT"), "CRC")


def test_the_good_configuration_s_buffers() -> None:
    buffers = model_of(read_config(min_roce())).buffers
    assert buffers is not None
    assert buffers.model == "traditional"
    assert buffers.pools[1] == BufferPool(
        "ingress_lossless_pool", PoolDirection.INGRESS, ThresholdMode.DYNAMIC, 67_737_959, 0
    )
    assert buffers.profiles == (
        BufferProfile("p3", "ingress_lossless_pool", 303_104, 19_456, None, 283_648, alpha_exponent=0),
    )
    assert buffers.ingress == (IngressBuffer("Ethernet0", 3, "p3"),)
    assert (buffers.default_alpha_exponent, buffers.lossless_mtu_bytes, buffers.small_packet_percent) == (0, 1024, 50)


def test_ranges_and_lists_of_ports() -> None:
    config = {
        **HOST,
        "PORT": ports("Ethernet0", "Ethernet8"),
        "BUFFER_POOL": {"pool": {"type": "egress", "mode": "dynamic"}},
        "BUFFER_PROFILE": {"p": {"pool": "pool", "size": "0"}},
        "BUFFER_QUEUE": {"Ethernet8|0": {"profile": "p"}, "Ethernet0,Ethernet8|3-4": {"profile": "p"}},
    }
    result = read_config(config)
    buffers = model_of(result).buffers
    assert buffers is not None
    assert buffers.egress == (
        EgressBuffer("Ethernet0", 3, "p"),
        EgressBuffer("Ethernet0", 4, "p"),
        EgressBuffer("Ethernet8", 0, "p"),
        EgressBuffer("Ethernet8", 3, "p"),
        EgressBuffer("Ethernet8", 4, "p"),
    )
    assert codes(result.diagnostics) == ["sonic-old-form"]


def test_bracket_references_mean_what_they_name() -> None:
    config = min_roce()
    config["BUFFER_PG"]["Ethernet0|3"]["profile"] = "[BUFFER_PROFILE|p3]"
    config["BUFFER_PORT_INGRESS_PROFILE_LIST"] = {"Ethernet0": {"profile_list": "[BUFFER_PROFILE|p3]"}}
    result = read_config(config)
    buffers = model_of(result).buffers
    assert buffers is not None
    assert buffers.ingress[0].profile == "p3"
    assert buffers.ingress_lists[0].profiles == ("p3",)
    assert codes(result.diagnostics).count("sonic-old-form") == 2


def test_a_dangling_reference_stays_in_the_model() -> None:
    config = min_roce()
    config["PORT_QOS_MAP"]["Ethernet0"]["dscp_to_tc_map"] = "AZUR"
    result = read_config(config)
    qos = model_of(result).qos
    assert qos is not None
    assert qos.ports[0].dscp_to_traffic_class == "AZUR"
    (found,) = [item for item in result.diagnostics if item.name == "sonic-dangling-reference"]
    assert found.remedy == "did you mean `AZURE`?"


def test_overlapping_rows() -> None:
    config = min_roce()
    config["BUFFER_PROFILE"]["lossy"] = {"pool": "ingress_lossless_pool", "size": "0"}
    config["BUFFER_PG"]["Ethernet0|3-4"] = {"profile": "lossy"}
    (found,) = [item for item in read_config(config).diagnostics if item.name == "sonic-overlapping-rows"]
    assert "BUFFER_PG|Ethernet0|3" in found.summary


def test_rows_that_complete_each_other_do_not_overlap() -> None:
    config = min_roce()
    config["QUEUE"] = {"Ethernet0|3": {"scheduler": "s3"}, "Ethernet0|3-4": {"wred_profile": "ROCE"}}
    result = read_config(config)
    qos = model_of(result).qos
    assert qos is not None
    assert qos.queues == (QueueBinding("Ethernet0", 3, "s3", "ROCE"), QueueBinding("Ethernet0", 4, None, "ROCE"))
    assert "sonic-overlapping-rows" not in codes(result.diagnostics)


def test_a_partial_file_has_no_findings_about_ports_that_it_does_not_list() -> None:
    config = config_without_algorithm()
    del config["PORT"]
    assert read_config(config).diagnostics == ()


@pytest.mark.parametrize(
    ("value", "speed_gbps", "codes_found"),
    [
        ("400000", 400, []),
        (400000, 400, ["sonic-not-text"]),
        (None, None, ["sonic-not-text"]),
        ("fast", None, ["sonic-wrong-value"]),
    ],
)
def test_values_of_the_wrong_type(value: Any, speed_gbps: int | None, codes_found: list[str]) -> None:
    config: dict[str, Any] = {**HOST, "PORT": {"Ethernet0": {"lanes": "0", "speed": value}}}
    result = read_config(config)
    assert model_of(result).interfaces[0].speed_gbps == speed_gbps
    assert codes(result.diagnostics) == codes_found


def test_a_number_is_shown_in_quotes() -> None:
    config: dict[str, Any] = {**HOST, "PORT": {"Ethernet0": {"lanes": "0", "speed": 400000}}}
    assert read_config(config).diagnostics[0].remedy == 'write it in quotes: "400000"'


def test_a_speed_below_a_gigabit_is_counted() -> None:
    model = model_of(read_config({**HOST, "PORT": {"Ethernet0": {"lanes": "0", "speed": "100"}}}))
    assert model.interfaces[0].speed_gbps is None
    assert ("PORT.speed below 1G", 1) in model.unread


def test_the_empty_row_marker_of_sonic() -> None:
    config: dict[str, Any] = {**HOST, "PORT": ports("Ethernet0"), "INTERFACE": {"Ethernet0": {"NULL": "NULL"}}}
    assert read_config(config).diagnostics == ()


def test_what_is_known_but_has_no_place_is_counted() -> None:
    config = config_without_algorithm()
    config["PORT"]["Ethernet0"]["autoneg"] = "off"
    config["QUEUE"]["CPU|0"] = {"scheduler": "s3"}
    config["PORT_QOS_MAP"]["global"] = {"dscp_to_tc_map": "AZURE"}
    config["FLEX_COUNTER_TABLE"] = {
        "ACL": {"FLEX_COUNTER_STATUS": "enable"},
        "PFCWD": {"FLEX_COUNTER_STATUS": "disable"},
    }
    config["WRED_PROFILE"]["ROCE"]["red_max_threshold"] = "2000000"
    config["WRED_PROFILE"]["ROCE"]["red_min_threshold"] = "150000"
    config["MGMT_INTERFACE"] = {"eth0|192.0.2.1/24": {}}
    result = read_config(config)
    assert result.diagnostics == ()
    model = model_of(result)
    assert dict(model.unread).items() >= {
        ("FLEX_COUNTER_TABLE|ACL", 1),
        ("MGMT_INTERFACE", 1),
        ("PORT.autoneg", 1),
        ("PORT_QOS_MAP|global", 1),
        ("QUEUE|CPU", 1),
        ("WRED_PROFILE.red_max_threshold", 1),
    }
    assert model.qos is not None
    assert model.qos.watchdog is not None
    assert model.qos.watchdog.counters_enabled is False


def test_unknown_field_offers_the_nearest() -> None:
    config = min_roce()
    config["PORT_QOS_MAP"]["Ethernet0"]["pfc_enabled"] = "3"
    (found,) = [item for item in read_config(config).diagnostics if item.name == "sonic-unknown-field"]
    assert found.remedy == "did you mean `pfc_enable`?"


@pytest.mark.parametrize(
    ("profile", "model", "static"),
    [
        ({"xoff": "1000"}, "dynamic", True),
        ({"xoff": "1000", "headroom_type": "dynamic"}, "dynamic", False),
        ({"xoff": "1000"}, "traditional", False),
        ({"xoff": "0"}, "dynamic", False),
        ({"headroom_type": "static"}, "traditional", True),
    ],
)
def test_static_headroom(profile: dict[str, str], model: str, static: bool) -> None:
    config = {
        "DEVICE_METADATA": {"localhost": {"hostname": "x", "buffer_model": model}},
        "BUFFER_POOL": {"pool": {"type": "ingress", "mode": "dynamic"}},
        "BUFFER_PROFILE": {"p": {"pool": "pool", "size": "0", **profile}},
    }
    buffers = model_of(read_config(config)).buffers
    assert buffers is not None
    assert buffers.profiles[0].static_headroom is static


def test_the_watchdog_needs_a_detection_time() -> None:
    config = config_without_algorithm()
    del config["PFC_WD"]["Ethernet0"]["detection_time"]
    result = read_config(config)
    assert codes(result.diagnostics) == ["sonic-missing-field"]
    qos = model_of(result).qos
    assert qos is not None
    assert qos.watchdog == Watchdog(200)


def test_silent_watchdog_and_scheduler_take_sonic_s_defaults() -> None:
    config = config_without_algorithm()
    config["PFC_WD"]["Ethernet0"] = {"detection_time": "400"}
    config["SCHEDULER"]["s3"] = {}
    qos = model_of(read_config(config)).qos
    assert qos is not None
    assert qos.watchdog == Watchdog(200, (WatchdogPort("Ethernet0", "drop", 400, 0),))
    assert qos.schedulers == (Scheduler("s3", SchedulerMode.WRR),)


def test_hash_fields_as_one_text() -> None:
    config = config_without_algorithm()
    config["SWITCH_HASH"]["GLOBAL"]["ecmp_hash"] = "SRC_IP,DST_IP"
    qos = model_of(read_config(config)).qos
    assert qos is not None
    assert qos.hashing == Hashing(("SRC_IP", "DST_IP"))


def test_an_unknown_sku_gives_no_cages() -> None:
    config = min_roce()
    config["DEVICE_METADATA"]["localhost"]["hwsku"] = "Nobody-1"
    port = model_of(read_config(config)).interfaces[0]
    assert (port.index, port.cage) == (1, None)


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ('{\n "PORT": {,}\n}', 2, "sonic-unreadable"),
        ("", 1, "sonic-unreadable"),
        ("[]", 1, "sonic-unreadable"),
        ('{\n"PORT": []}', 2, "sonic-unreadable"),
        ('{\n"PORT": {\n"Ethernet0": "up"}}', 3, "sonic-unreadable"),
        ('{"PORT": {},\n"PORT": {}}', 2, "sonic-duplicate-key"),
        ('{"A": {"x": {"f": "{", "g": "\\"f\\":"},\n "x": {"f": "1"}}}', 2, "sonic-duplicate-key"),
    ],
)
def test_files_that_are_no_tables(text: str, line: int, name: str) -> None:
    result = read({CONFIG_DB: text})
    assert result.model is None
    found = [item for item in result.diagnostics if item.name == name]
    assert len(found) == 1
    assert found[0].span is not None
    assert found[0].span.line == line


def test_deep_nesting_is_refused_not_a_crash() -> None:
    assert "sonic-unreadable" in codes(read({CONFIG_DB: '{"a":' * 100_000}).diagnostics)


def test_no_name_no_model() -> None:
    result = read_config({"PORT": ports("Ethernet0")})
    assert result.model is None
    assert codes(result.diagnostics) == ["sonic-no-name"]
    assert read({}).model is None


def test_another_name_of_the_file() -> None:
    files = {"leaf1.json": json.dumps(min_roce()), "notes.txt": "", "other.json": "{}"}
    assert model_of(read(files)).name == "leaf1"


def test_frr_conf_that_the_device_does_not_load() -> None:
    files = dict(PLATFORM.emit(leaf(1)))
    files[CONFIG_DB] = files[CONFIG_DB].replace("split-unified", "separated")
    (found,) = read(files).diagnostics
    assert found.name == "sonic-frr-conf-unused"
    assert "`separated`" in found.summary


def test_bfd_without_its_daemon() -> None:
    files = dict(PLATFORM.emit(leaf(1, bfd=True)))
    files[CONFIG_DB] = files[CONFIG_DB].replace(
        '"frr_mgmt_framework_config": "true"', '"frr_mgmt_framework_config": "false"'
    )
    assert codes(read(files).diagnostics) == ["sonic-bfd-daemon-off"]


def test_files_of_two_devices() -> None:
    files = dict(PLATFORM.emit(leaf(1)))
    files[FRR_CONF] = files[FRR_CONF].replace("hostname leaf-01", "hostname leaf-02")
    (found,) = read(files).diagnostics
    assert found.name == "sonic-names-differ"
    assert found.severity == "warning"


def test_frr_conf_alone() -> None:
    files = {FRR_CONF: PLATFORM.emit(leaf(1))[FRR_CONF]}
    model = model_of(read(files))
    assert model.name == "leaf-01"
    assert model.bgp == leaf(1).bgp
    assert replace(model, bgp=None).interfaces == ()

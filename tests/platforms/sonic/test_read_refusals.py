"""What SONiC's YANG models refuse, the reader reports.

The cases and verdicts are one-field changes to a good configuration, tried with yanglint 2.1.30 on the models of
202305, 202405, 202411, 202505 and 202511 (sonic-buildimage). Cases about tables that are not read are left out.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.platforms.sonic.samples import Config, codes, min_roce, read, read_config

REMOVED = object()
PORT = ("PORT", "Ethernet0")
QOS = ("PORT_QOS_MAP", "Ethernet0")
WRED = ("WRED_PROFILE", "ROCE")
SCHEDULER = ("SCHEDULER", "s3")
PROFILE = ("BUFFER_PROFILE", "p3")
METADATA = ("DEVICE_METADATA", "localhost")
HASH = ("SWITCH_HASH", "GLOBAL")


def changed(table: str, key: str, fields: dict[str, Any]) -> Config:
    config = min_roce()
    row = config.setdefault(table, {}).setdefault(key, {})
    for name, value in fields.items():
        if value is REMOVED:
            del row[name]
        else:
            row[name] = value
    return config


#: Case, row, fields, the finding, and the field that it is about.
REFUSED: list[tuple[str, tuple[str, str], dict[str, Any], str, str]] = [
    ("port without lanes", PORT, {"lanes": REMOVED}, "sonic-missing-field", ""),
    ("port without speed", PORT, {"speed": REMOVED}, "sonic-missing-field", ""),
    ("mtu 9217", PORT, {"mtu": "9217"}, "sonic-wrong-value", "mtu"),
    ("number for text", PORT, {"speed": 400000}, "sonic-not-text", "speed"),
    ("control character", PORT, {"description": "\x07"}, "sonic-wrong-value", "description"),
    ("fec typo", PORT, {"fec": "rs-fec"}, "sonic-wrong-value", "fec"),
    ("cable without unit", ("CABLE_LENGTH", "AZURE"), {"Ethernet0": "40"}, "sonic-wrong-value", "Ethernet0"),
    ("blank in list", QOS, {"pfc_enable": "3, 4"}, "sonic-wrong-value", "pfc_enable"),
    ("bracket reference", QOS, {"dscp_to_tc_map": "[DSCP_TO_TC_MAP|AZURE]"}, "sonic-old-form", "dscp_to_tc_map"),
    ("unknown map", QOS, {"dscp_to_tc_map": "ROCE"}, "sonic-dangling-reference", "dscp_to_tc_map"),
    (
        "detection below poll",
        ("PFC_WD", "Ethernet0"),
        {"detection_time": "100"},
        "sonic-contradiction",
        "detection_time",
    ),
    ("poll 3000", ("PFC_WD", "GLOBAL"), {"POLL_INTERVAL": "3000"}, "sonic-contradiction", "detection_time"),
    ("watchdog action", ("PFC_WD", "Ethernet0"), {"action": "restore"}, "sonic-wrong-value", "action"),
    ("profile without size", PROFILE, {"size": REMOVED}, "sonic-missing-field", ""),
    ("dynamic_th 8", PROFILE, {"dynamic_th": "8"}, "sonic-wrong-value", "dynamic_th"),
    ("pool without mode", ("BUFFER_POOL", "ingress_lossless_pool"), {"mode": REMOVED}, "sonic-missing-field", ""),
    ("list of ports", ("BUFFER_PG", "Ethernet0,Ethernet4|3"), {"profile": "p3"}, "sonic-old-form", ""),
    ("wred min above max", WRED, {"green_min_threshold": "1500001"}, "sonic-contradiction", "green_max_threshold"),
    ("wred max alone", WRED, {"green_min_threshold": REMOVED}, "sonic-contradiction", "green_max_threshold"),
    ("wred probability", WRED, {"green_drop_probability": "101"}, "sonic-wrong-value", "green_drop_probability"),
    ("wred ecn true", WRED, {"ecn": "true"}, "sonic-wrong-value", "ecn"),
    ("wred enable capital", WRED, {"wred_green_enable": "True"}, "sonic-wrong-value", "wred_green_enable"),
    ("weight 0", SCHEDULER, {"weight": "0"}, "sonic-wrong-value", "weight"),
    ("weight 101", SCHEDULER, {"weight": "101"}, "sonic-wrong-value", "weight"),
    (
        "max_headroom_size",
        ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE"),
        {"max_headroom_size": "1"},
        "sonic-unknown-field",
        "max_headroom_size",
    ),
    ("loopback in INTERFACE", ("INTERFACE", "Loopback0"), {}, "sonic-dangling-reference", ""),
    ("type Spine", METADATA, {"type": "Spine"}, "sonic-wrong-value", "type"),
    ("switch_type switch", METADATA, {"switch_type": "switch"}, "sonic-wrong-value", "switch_type"),
    ("asn too big", METADATA, {"bgp_asn": "4294967296"}, "sonic-wrong-value", "bgp_asn"),
    ("asn None", METADATA, {"bgp_asn": "None"}, "sonic-wrong-value", "bgp_asn"),
    ("hash twice", HASH, {"ecmp_hash": ["SRC_IP", "SRC_IP"]}, "sonic-contradiction", "ecmp_hash"),
    ("hash algorithm", HASH, {"ecmp_hash_algorithm": "JENKINS"}, "sonic-wrong-value", "ecmp_hash_algorithm"),
    ("dscp 64", ("DSCP_TO_TC_MAP", "AZURE"), {"64": "3"}, "sonic-wrong-value", "64"),
    ("tc 16", ("DSCP_TO_TC_MAP", "AZURE"), {"26": "16"}, "sonic-wrong-value", "26"),
    ("pg 8", ("TC_TO_PRIORITY_GROUP_MAP", "AZURE"), {"3": "8"}, "sonic-wrong-value", "3"),
    (
        "small packets",
        ("LOSSLESS_TRAFFIC_PATTERN", "AZURE"),
        {"small_packet_percentage": "101"},
        "sonic-wrong-value",
        "small_packet_percentage",
    ),
    (
        "queue names no wred",
        ("QUEUE", "Ethernet0|3"),
        {"wred_profile": "NOPE"},
        "sonic-dangling-reference",
        "wred_profile",
    ),
    (
        "profile named twice",
        ("BUFFER_PORT_INGRESS_PROFILE_LIST", "Ethernet0"),
        {"profile_list": "p3,p3"},
        "sonic-contradiction",
        "profile_list",
    ),
    ("priority group 8", ("BUFFER_PG", "Ethernet0|8"), {"profile": "p3"}, "sonic-wrong-key", ""),
    ("no such port", ("BUFFER_PG", "Ethernet4|3"), {"profile": "p3"}, "sonic-dangling-reference", ""),
]

#: Case, row, fields, the field, and the releases that refuse it.
RELEASE_DEPENDENT: list[tuple[str, tuple[str, str], dict[str, Any], str, str]] = [
    ("fec auto", PORT, {"fec": "auto"}, "fec", "202305"),
    ("speed 1.6T", PORT, {"speed": "1600000"}, "speed", "202305 to 202505"),
    ("pfc_enable empty", QOS, {"pfc_enable": ""}, "pfc_enable", "202305 to 202411"),
    ("pool both", ("BUFFER_POOL", "ingress_lossless_pool"), {"type": "both"}, "type", "202305"),
    ("flow label", HASH, {"ecmp_hash": ["IPV6_FLOW_LABEL"]}, "ecmp_hash", "202305 to 202411"),
    ("later type", METADATA, {"type": "UpperSpineRouter"}, "type", "202305 and some later ones"),
    ("queue 9", ("TC_TO_QUEUE_MAP", "AZURE"), {"3": "9"}, "3", "202305 to 202405"),
    ("hash algorithm", HASH, {"ecmp_hash_algorithm": "XOR"}, "ecmp_hash_algorithm", "202305"),
]

ACCEPTED: list[tuple[str, tuple[str, str], dict[str, Any]]] = [
    ("two priorities", QOS, {"pfc_enable": "3,4"}),
    ("both thresholds", PROFILE, {"static_th": "1000"}),
    ("computed profile", ("BUFFER_PG", "Ethernet0|4"), {"profile": "NULL"}),
    ("range of groups", ("BUFFER_PG", "Ethernet0|4-5"), {"profile": "p3"}),
    ("leading blank", WRED, {"green_min_threshold": " 150000"}),
    ("strict with weight", SCHEDULER, {"type": "STRICT"}),
    ("routing mode", METADATA, {"docker_routing_config_mode": "split"}),
]


def config_without_algorithm() -> Config:
    """Return the good configuration without its one release-dependent field."""
    config = min_roce()
    del config["SWITCH_HASH"]["GLOBAL"]["ecmp_hash_algorithm"]
    return config


def test_the_good_configuration_has_no_finding() -> None:
    assert read_config(config_without_algorithm()).diagnostics == ()


@pytest.mark.parametrize(
    ("row", "fields", "name", "field"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_refused(row: tuple[str, str], fields: dict[str, Any], name: str, field: str) -> None:
    text = json.dumps(changed(*row, fields), indent=4)
    found = [item for item in read({"config_db.json": text}, "leaf1/").diagnostics if item.name == name]
    assert found, "the reader says nothing"
    finding = found[0]
    assert finding.path.startswith(f"devices[leaf1].config_db[{row[0]}|")
    assert not field or finding.path.endswith(f".{field}")
    assert finding.remedy
    span = finding.span
    assert span is not None
    assert span.file == "leaf1/config_db.json"
    assert span.line is not None
    line = text.splitlines()[span.line - 1]
    expected = field or row[1]
    assert f'"{expected}"' in line or expected == "ecmp_hash"


@pytest.mark.parametrize(
    ("row", "fields", "field", "releases"),
    [case[1:] for case in RELEASE_DEPENDENT],
    ids=[c[0] for c in RELEASE_DEPENDENT],
)
def test_refused_by_some_releases(row: tuple[str, str], fields: dict[str, Any], field: str, releases: str) -> None:
    found = [
        item
        for item in read_config(changed(*row, fields)).diagnostics
        if item.name == "sonic-release-dependent" and item.path.endswith(f".{field}")
    ]
    assert len(found) == 1
    assert f"releases {releases} refuse" in found[0].summary


@pytest.mark.parametrize(("row", "fields"), [case[1:] for case in ACCEPTED], ids=[c[0] for c in ACCEPTED])
def test_accepted(row: tuple[str, str], fields: dict[str, Any]) -> None:
    result = read_config(changed(*row, fields))
    assert set(codes(result.diagnostics)) <= {"sonic-release-dependent"}


def test_address_without_its_port_row() -> None:
    config = min_roce()
    del config["INTERFACE"]["Ethernet0"]
    assert "sonic-contradiction" in codes(read_config(config).diagnostics)


def test_poll_interval_beyond_newer_releases() -> None:
    config = config_without_algorithm()
    config["PFC_WD"]["GLOBAL"]["POLL_INTERVAL"] = "1001"
    config["PFC_WD"]["Ethernet0"] |= {"detection_time": "2000", "restoration_time": "2000"}
    (found,) = read_config(config).diagnostics
    assert found.name == "sonic-release-dependent"
    assert "202511 and later" in found.summary


def test_tables_of_other_releases_are_counted_not_refused() -> None:
    config = config_without_algorithm()
    config["ARS_PROFILE"] = {"a": {}, "b": {}}
    result = read_config(config)
    assert result.diagnostics == ()
    assert result.model is not None
    assert dict(result.model.unread)["ARS_PROFILE"] == 2


def test_equal_findings_become_one() -> None:
    config = min_roce()
    config["PORT"] |= {f"Ethernet{number}": {**config["PORT"]["Ethernet0"], "fec": "RS"} for number in range(8, 48, 8)}
    found = [item for item in read_config(config).diagnostics if item.name == "sonic-wrong-value"]
    assert len(found) == 1
    assert found[0].numbers == {"rows": 5}
    assert "and in 4 more rows" in found[0].summary
    assert [note.span.line for note in found[0].related if note.span] == sorted(
        note.span.line for note in found[0].related if note.span and note.span.line
    )


def test_every_refused_case_names_what_is_allowed() -> None:
    for _, row, fields, name, _ in REFUSED:
        for finding in read_config(changed(*row, fields)).diagnostics:
            if finding.name == name == "sonic-wrong-value":
                assert ", not " in finding.summary or "which is not" in finding.summary

"""The table of options, and the check of values."""

from __future__ import annotations

from collections import Counter

import pytest

from fabricgen.platforms.opensm.options import objection, options, plain_number


def test_the_table_is_that_of_3_3_23_and_one_of_3_3_24() -> None:
    assert Counter(option.since for option in options().values()) == {"3.3.23": 160, "3.3.24": 1}
    assert list(options()) == sorted(options())


def test_every_default_is_legal() -> None:
    assert {name: found for name, option in options().items() if (found := objection(option, option.default))} == {}


LEGAL = [
    ("lmc", "7"),
    ("sweep_interval", "4294967295"),
    ("guid", "0xffffffffffffffff"),
    ("qos_high_limit", "-1"),
    ("force_link_width", "255"),
    ("force_link_speed_ext", "30"),
    ("qos_vlarb_high", "0:64,1:0x40,0:64"),
    ("cc_cct", "0:0,1:16383"),
    ("cc_ca_cong_setting_ccti_timer", "15 65535"),
    ("event_plugin_name", "(null)"),
]
ILLEGAL = [
    ("lmc", "8"),
    ("lmc", ""),
    ("lmc", "1.5"),
    ("sweep_interval", "4294967296"),
    ("guid", "0x10000000000000000"),
    ("qos_high_limit", "-2"),
    ("qos_high_limit", "256"),
    ("force_link_width", "32"),
    ("force_link_speed_ext", "16"),
    ("qos_max_vls", "16"),
    ("qos", "True"),
    ("console", "on"),
    ("qos_vlarb_high", ",".join(["0:1"] * 65)),
    ("qos_vlarb_high", "0:1,"),
    ("qos_vlarb_high", "0"),
    ("qos_sl2vl", ",".join(["0"] * 17)),
    ("qos_sl2vl", ",".join(["16"] * 16)),
    ("cc_sw_cong_setting_victim_mask", "0x" + "f" * 65),
    ("cc_sw_cong_setting_victim_mask", "ff"),
    ("cc_sw_cong_setting_credit_starvation_return_delay", "(null)"),
    ("cc_cct", "0:0," * 128 + "0:0"),
    ("cc_cct", "4:0"),
    ("cc_ca_cong_setting_ccti_min", "16 0"),
    ("cc_ca_cong_setting_ccti_min", "0"),
    ("root_guid_file", ""),
    ("log_prefix", ""),
]


@pytest.mark.parametrize(("name", "value"), LEGAL)
def test_legal(name: str, value: str) -> None:
    assert objection(options()[name], value) is None


@pytest.mark.parametrize(("name", "value"), ILLEGAL)
def test_illegal(name: str, value: str) -> None:
    assert objection(options()[name], value)


def test_what_is_wrong_is_said_with_what_is_allowed() -> None:
    assert objection(options()["force_link_speed_ext"], "99") == (
        "is out of range; 0 to 15, 30, 31 are allowed, and OpenSM keeps 31 or cuts the number to size"
    )


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("10", 10), ("-1", -1), ("0x10", 16), ("010", None), ("", None), ("1 ", None)]
)
def test_plain_number(text: str, number: int | None) -> None:
    assert plain_number(text) == number

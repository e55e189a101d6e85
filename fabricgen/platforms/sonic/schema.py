"""What SONiC takes in the tables that are read: fields, their values, and what a row must have.

Figures are those of the YANG models of releases 202305 to 202511 and master 086b03bd70f9 (sonic-buildimage,
src/sonic-yang-models). Where releases differ, the widest is taken and the field says which releases refuse a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

#: What YANG's text may not hold (RFC 7950, 9.4).
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_INTEGER = re.compile(r"\s*[-+]?\d+\s*")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a row.

    Attributes:
        accepts: whether a text is a value; for a reference, whether it is a word that needs no row.
        allowed: what is allowed, for people.
        refers: table whose rows it names; empty where it is a plain value.
        listed: whether it holds a comma list of names.
        release: says which releases refuse an otherwise good value, or None.
    """

    accepts: Callable[[str], bool]
    allowed: str
    refers: str = ""
    listed: bool = False
    release: Callable[[str], str | None] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The fields of a table's rows, the mandatory ones, and fields that SONiC knows and the device model does not."""

    fields: Mapping[str, Field]
    required: tuple[str, ...] = ()
    unmodelled: frozenset[str] = frozenset()


def _number(low: int, high: int, release: Callable[[str], str | None] | None = None) -> Field:
    def accepts(text: str) -> bool:
        return bool(_INTEGER.fullmatch(text)) and low <= int(text) <= high

    return Field(accepts, f"a whole number from {low} to {high}", release=release)


def _words(*words: str, release: Callable[[str], str | None] | None = None) -> Field:
    return Field(frozenset(words).__contains__, "one of " + ", ".join(f"`{word}`" for word in words), release=release)


def _pattern(pattern: str, allowed: str, release: Callable[[str], str | None] | None = None) -> Field:
    return Field(lambda text: re.fullmatch(pattern, text) is not None, allowed, release=release)


def _text(longest: int, shortest: int = 1) -> Field:
    def accepts(text: str) -> bool:
        return shortest <= len(text) <= longest and _CONTROL.search(text) is None

    return Field(accepts, f"text of {shortest} to {longest} characters without control characters")


def _name_of(table: str, *words: str, listed: bool = False) -> Field:
    return Field(frozenset(words).__contains__, f"the name of a row of {table}", refers=table, listed=listed)


_UINT64 = _number(0, 2**64 - 1)
_SWITCH = _words("true", "false")

#: Queue or priority group, or a range of them, in a row's key.
INDEX_RANGE = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?")
#: The old way to name a row of another table.
BRACKETED = re.compile(r"\[[A-Z_]+\|([^\]|]+)\]")
#: Names of maps.
MAP_NAME = re.compile(r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}")


def is_prefix(text: str) -> bool:
    """Return whether a text is an address with its prefix length."""
    import ipaddress

    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return False
    return "/" in text


#: Words of ``DEVICE_METADATA.type`` that all releases have.
_COMMON_TYPES = (
    *("ToRRouter", "LeafRouter", "SpineRouter", "SpineChassisFrontendRouter", "ChassisBackendRouter", "ASIC"),
    *("BackEndToRRouter", "BackEndLeafRouter", "EPMS", "MgmtToRRouter", "MgmtTsToR", "BmcMgmtToRRouter"),
    "not-provisioned",
)
#: Words of it that came after 202305.
_LATER_TYPES = (
    *("SonicHost", "MgmtLeafRouter", "MgmtSpineRouter", "MgmtAccessRouter", "SmartSwitchDPU"),
    *("LowerMgmtAggregator", "UpperMgmtAggregator", "BackEndSpineRouter", "UpperSpineRouter", "FabricSpineRouter"),
    *("LowerSpineRouter", "MiniTs", "LeafTs", "SpineTs", "CoreTs", "ConsoleServer", "TerminalServer", "FilterLeaf"),
    *("NetworkBmc", "MseeRouter", "LowerRegionalHub", "FabricRegionalHub", "UpperRegionalHub"),
)

HASH_FIELDS = (
    *("IN_PORT", "DST_MAC", "SRC_MAC", "ETHERTYPE", "VLAN_ID", "IP_PROTOCOL", "DST_IP", "SRC_IP", "L4_DST_PORT"),
    *("L4_SRC_PORT", "INNER_DST_MAC", "INNER_SRC_MAC", "INNER_ETHERTYPE", "INNER_IP_PROTOCOL", "INNER_DST_IP"),
    *("INNER_SRC_IP", "INNER_L4_DST_PORT", "INNER_L4_SRC_PORT", "IPV6_FLOW_LABEL"),
)


def _refused(value: str, releases: str) -> Callable[[str], str | None]:
    return lambda text: releases if text == value else None


def _newer_types(word: str) -> str | None:
    return "202305 and some later ones" if word in _LATER_TYPES else None


def _above(limit: int, releases: str) -> Callable[[str], str | None]:
    return lambda text: releases if int(text) > limit else None


_DEVICE_METADATA = Table(
    {
        "hostname": _text(63),
        "hwsku": _text(255),
        "platform": _text(255),
        "mac": _pattern(r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}", "a MAC address with colons"),
        "type": _words(*_COMMON_TYPES, *_LATER_TYPES, release=_newer_types),
        "bgp_asn": _number(0, 2**32 - 1),
        "buffer_model": _words("dynamic", "traditional"),
        "default_pfcwd_status": _words("enable", "disable"),
        "docker_routing_config_mode": _words("separated", "unified", "split", "split-unified"),
        "frr_mgmt_framework_config": _SWITCH,
        "switch_type": _words("chassis-packet", "fabric", "npu", "voq", "dpu", "dummy-sup"),
    },
    unmodelled=frozenset(
        (
            *("anchor_route_source", "asic_id", "asic_name", "async_swss_rec", "bgp_adv_lo_prefix_as_128"),
            *("bgp_router_id", "chassis_hostname", "cloudtype", "cluster", "create_only_config_db_buffers"),
            *("default_bgp_status", "deployment_id", "dhcp_server", "downstream_subrole", "dpu_auto_recovery"),
            *("has_sonic_dhcpv4_relay", "location_type", "max_cores", "mgmt_type", "nexthop_group"),
            *("orch_dash_zmq_enabled", "orch_northbond_dash_zmq_enabled", "orch_northbond_route_zmq_enabled"),
            *("orch_route_zmq_enabled", "orch_southbound_zmq_enabled", "peer_switch", "rack_mgmt_map", "region"),
            *("resource_type", "ring_thread_enabled", "route_state_async_publish", "slice_type", "storage_device"),
            *("sub_role", "subtype", "supporting_bulk_counter_groups", "suppress-fib-pending", "switch_id"),
            *("synchronous_mode", "syslog_counter", "syslog_with_osversion", "t2_group_asns", "timezone"),
            *("use_template_render_for_restore", "yang_config_validation", "zebra_nexthop"),
        )
    ),
)
_PORT = Table(
    {
        "alias": _text(128),
        "index": _number(0, 65535),
        "lanes": _pattern(r"\d+(,\d+)*", "lane numbers joined by commas"),
        "speed": _number(1, 1_600_000, _above(800_000, "202305 to 202505")),
        "mtu": _number(68, 9216),
        "fec": _words("rs", "fc", "none", "auto", release=_refused("auto", "202305")),
        "admin_status": _words("up", "down"),
        "description": _text(255, 0),
        "subport": _number(0, 8),
    },
    required=("lanes", "speed"),
    unmodelled=frozenset(
        (
            *("adv_interface_types", "adv_speeds", "asic_port_name", "autoneg", "core_id", "core_port_id"),
            *(
                "dhcp_rate_limit",
                "dom_polling",
                "fast_linkup",
                "interface_type",
                "laser_freq",
                "link_training",
                "macsec",
            ),
            *("mode", "mux_cable", "num_voq", "pfc_asym", "role", "tpid", "tx_power"),
        )
    ),
)
_PRIORITIES = _pattern(
    r"([0-7](,[0-7])*)?", "priorities from 0 to 7 joined by commas", _refused("", "202305 to 202411")
)
_PORT_QOS_MAP = Table(
    {
        "dscp_to_tc_map": _name_of("DSCP_TO_TC_MAP"),
        "dot1p_to_tc_map": _name_of("DOT1P_TO_TC_MAP"),
        "tc_to_pg_map": _name_of("TC_TO_PRIORITY_GROUP_MAP"),
        "tc_to_queue_map": _name_of("TC_TO_QUEUE_MAP"),
        "pfc_to_queue_map": _name_of("MAP_PFC_PRIORITY_TO_QUEUE"),
        "pfc_to_pg_map": _name_of("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
        "pfc_enable": _PRIORITIES,
        "pfcwd_sw_enable": _PRIORITIES,
    },
    unmodelled=frozenset(
        (
            "scheduler",
            "tc_to_dscp_map",
        )
    ),
)
_WRED_PROFILE = Table(
    {
        **{f"{colour}_{bound}_threshold": _UINT64 for colour in ("green", "yellow", "red") for bound in ("min", "max")},
        **{f"{colour}_drop_probability": _number(0, 100) for colour in ("green", "yellow", "red")},
        **{f"wred_{colour}_enable": _SWITCH for colour in ("green", "yellow", "red")},
        "ecn": _words(
            *("ecn_none", "ecn_green", "ecn_yellow", "ecn_red", "ecn_green_yellow", "ecn_green_red"),
            *("ecn_yellow_red", "ecn_all"),
        ),
    }
)

#: By name, the tables whose rows are read; maps are in :data:`MAPS`.
TABLES: Mapping[str, Table] = MappingProxyType(
    {
        "DEVICE_METADATA": _DEVICE_METADATA,
        "PORT": _PORT,
        "BREAKOUT_CFG": Table({"brkout_mode": _text(64)}),
        "INTERFACE": Table(
            {"ipv6_use_link_local_only": _words("enable", "disable")},
            unmodelled=frozenset(
                ("family", "loopback_action", "mac_addr", "mpls", "nat_zone", "scope", "vnet_name", "vrf_name")
            ),
        ),
        "LOOPBACK_INTERFACE": Table(
            {},
            unmodelled=frozenset(
                (
                    "admin_status",
                    "family",
                    "nat_zone",
                    "scope",
                    "vrf_name",
                )
            ),
        ),
        "PORT_QOS_MAP": _PORT_QOS_MAP,
        "SCHEDULER": Table(
            {"type": _words("DWRR", "WRR", "STRICT"), "weight": _number(1, 100)},
            unmodelled=frozenset(
                (
                    "cbs",
                    "cir",
                    "meter_type",
                    "pbs",
                    "pir",
                    "priority",
                )
            ),
        ),
        "WRED_PROFILE": _WRED_PROFILE,
        "QUEUE": Table({"scheduler": _name_of("SCHEDULER"), "wred_profile": _name_of("WRED_PROFILE")}),
        "PFC_WD": Table(
            {
                "action": _words("drop", "forward", "alert"),
                "detection_time": _number(100, 5000),
                "restoration_time": _number(100, 60000),
                "POLL_INTERVAL": _number(100, 3000, _above(1000, "202511 and later")),
            },
            unmodelled=frozenset(("pfc_stat_history",)),
        ),
        "BUFFER_POOL": Table(
            {
                "type": _words("ingress", "egress", "both", release=_refused("both", "202305")),
                "mode": _words("static", "dynamic"),
                "size": _UINT64,
                "xoff": _UINT64,
            },
            required=("type", "mode"),
            unmodelled=frozenset(("percentage",)),
        ),
        "BUFFER_PROFILE": Table(
            {
                "pool": _name_of("BUFFER_POOL"),
                "size": _UINT64,
                "xon": _UINT64,
                "xon_offset": _UINT64,
                "xoff": _UINT64,
                "dynamic_th": _number(-8, 7),
                "static_th": _UINT64,
                "headroom_type": _words("static", "dynamic"),
            },
            required=("pool", "size"),
            unmodelled=frozenset(("packet_discard_action",)),
        ),
        # NULL: the device computes the profile from speed and cable length (dynamic buffer model).
        "BUFFER_PG": Table({"profile": _name_of("BUFFER_PROFILE", "NULL")}),
        "BUFFER_QUEUE": Table({"profile": _name_of("BUFFER_PROFILE")}),
        "BUFFER_PORT_INGRESS_PROFILE_LIST": Table({"profile_list": _name_of("BUFFER_PROFILE", listed=True)}),
        "BUFFER_PORT_EGRESS_PROFILE_LIST": Table({"profile_list": _name_of("BUFFER_PROFILE", listed=True)}),
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": Table(
            {"default_dynamic_th": _number(-8, 7)},
            required=("default_dynamic_th",),
            unmodelled=frozenset(("over_subscribe_ratio",)),
        ),
        "LOSSLESS_TRAFFIC_PATTERN": Table(
            {"mtu": _number(1, 9216), "small_packet_percentage": _number(0, 100)},
            required=("mtu", "small_packet_percentage"),
        ),
        "SWITCH_HASH": Table(
            {
                "ecmp_hash": _words(*HASH_FIELDS, release=_refused("IPV6_FLOW_LABEL", "202305 to 202411")),
                "ecmp_hash_algorithm": _words(
                    *("CRC", "XOR", "RANDOM", "CRC_32LO", "CRC_32HI", "CRC_CCITT", "CRC_XOR"),
                    release=lambda _: "202305",
                ),
            },
            unmodelled=frozenset(
                (
                    "lag_hash",
                    "lag_hash_algorithm",
                )
            ),
        ),
        "FLEX_COUNTER_TABLE": Table(
            {"FLEX_COUNTER_STATUS": _words("enable", "disable")},
            unmodelled=frozenset(
                ("FLEX_COUNTER_DELAY_STATUS", "POLL_INTERVAL", "BULK_CHUNK_SIZE", "BULK_CHUNK_SIZE_PER_PREFIX")
            ),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class MapTable:
    """A table of named maps: what may stand on either side."""

    key: Field
    value: Field


_TRAFFIC_CLASS = _number(0, 15)
_PRIORITY = _number(0, 7)

#: By table, what may stand on either side of a map.
MAPS: Mapping[str, MapTable] = MappingProxyType(
    {
        "DSCP_TO_TC_MAP": MapTable(_number(0, 63), _TRAFFIC_CLASS),
        "DOT1P_TO_TC_MAP": MapTable(_PRIORITY, _TRAFFIC_CLASS),
        "TC_TO_PRIORITY_GROUP_MAP": MapTable(_TRAFFIC_CLASS, _PRIORITY),
        "TC_TO_QUEUE_MAP": MapTable(_TRAFFIC_CLASS, _number(0, 9, _above(7, "202305 to 202405"))),
        "MAP_PFC_PRIORITY_TO_QUEUE": MapTable(_PRIORITY, _PRIORITY),
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": MapTable(_PRIORITY, _PRIORITY),
    }
)

#: A cable's length in ``CABLE_LENGTH``.
CABLE_LENGTH = _pattern(r"[0-9]+m", "whole metres with their unit, like `40m`")

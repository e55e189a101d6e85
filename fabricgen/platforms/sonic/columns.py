"""Which field of CONFIG_DB holds which attribute of the device model, and how each is written.

One table for both directions: the emitter writes by it, the reader reads by it, and findings are located by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fabricgen.device import PoolDirection, SchedulerMode, ThresholdMode
from fabricgen.platforms.sonic.jsontext import Value

Row = Mapping[str, str]

#: The only row of tables that hold one set of port or traffic parameters; the name is SONiC's habit, not a rule.
PARAMETER_ROW = "AZURE"
LOCALHOST = "localhost"
GLOBAL = "GLOBAL"

#: Counters that say how PFC, ECN and the buffers fare; the watchdog needs the first one.
COUNTER_GROUPS = (
    "BUFFER_POOL_WATERMARK",
    "PFCWD",
    "PG_DROP",
    "PG_WATERMARK",
    "PORT",
    "PORT_BUFFER_DROP",
    "QUEUE",
    "QUEUE_WATERMARK",
)
WATCHDOG_COUNTERS = "PFCWD"
COUNTER_STATUS = "FLEX_COUNTER_STATUS"

#: By attribute of :class:`fabricgen.device.Qos`, the table of its maps.
MAP_TABLES: Mapping[str, str] = MappingProxyType(
    {
        "dscp_to_traffic_class": "DSCP_TO_TC_MAP",
        "pcp_to_traffic_class": "DOT1P_TO_TC_MAP",
        "traffic_class_to_priority_group": "TC_TO_PRIORITY_GROUP_MAP",
        "traffic_class_to_queue": "TC_TO_QUEUE_MAP",
        "pfc_priority_to_queue": "MAP_PFC_PRIORITY_TO_QUEUE",
        "pfc_priority_to_priority_group": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    }
)

#: Words of ``WRED_PROFILE.ecn`` that mark green packets; without a policer all packets are green.
MARKING_WORDS = frozenset({"ecn_green", "ecn_green_yellow", "ecn_green_red", "ecn_all"})
COLOURS = ("green", "yellow", "red")


@dataclass(frozen=True, slots=True)
class Column:
    """One attribute of a record and the field that holds it; ``write`` returns None for what is not written."""

    attribute: str
    field: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str | None] = str


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()


def _write_numbers(values: tuple[int, ...]) -> str | None:
    return ",".join(map(str, values)) or None


def _priorities(text: str) -> tuple[int, ...]:
    return tuple(sorted(set(_numbers(text))))


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _number(attribute: str, field: str) -> Column:
    return Column(attribute, field, int)


#: SONiC's words for the roles that a fabric has; other words are kept as they are. It derives the seed of its ECMP hash
#: from them, so that two tiers do not choose alike: 10 for a leaf, 25 for a spine. ``UpperSpineRouter`` is known from
#: 202505 on and gets the seed of a spine (sonic-buildimage, dockers/docker-orchagent/switch.json.j2).
_ROLES = MappingProxyType({"LeafRouter": "leaf", "SpineRouter": "spine", "UpperSpineRouter": "core"})
_TYPES = MappingProxyType({role: word for word, role in _ROLES.items()})

METADATA = (
    Column("name", "hostname"),
    Column("sku", "hwsku"),
    Column("hardware_platform", "platform"),
    Column("role", "type", lambda word: _ROLES.get(word, word), lambda role: _TYPES.get(role, role)),
    Column("mac", "mac"),
)
PORT = (
    Column("alias", "alias"),
    _number("index", "index"),
    Column("lanes", "lanes", _numbers, _write_numbers),
    Column("speed_gbps", "speed", lambda text: int(text) // 1000, lambda gbps: str(gbps * 1000)),
    _number("mtu_bytes", "mtu"),
    Column("fec", "fec"),
    Column("enabled", "admin_status", "up".__eq__, lambda up: "up" if up else "down"),
    Column("description", "description"),
)
PORT_QOS = (
    Column("dscp_to_traffic_class", "dscp_to_tc_map"),
    Column("pcp_to_traffic_class", "dot1p_to_tc_map"),
    Column("traffic_class_to_priority_group", "tc_to_pg_map"),
    Column("traffic_class_to_queue", "tc_to_queue_map"),
    Column("pfc_priority_to_queue", "pfc_to_queue_map"),
    Column("pfc_priority_to_priority_group", "pfc_to_pg_map"),
    Column("pfc_priorities", "pfc_enable", _priorities, _write_numbers),
    Column("watchdog_priorities", "pfcwd_sw_enable", _priorities, _write_numbers),
)
SCHEDULER = (
    Column("mode", "type", lambda text: SchedulerMode(text.lower()), lambda mode: mode.value.upper()),
    _number("weight", "weight"),
)
ECN_PROFILE = (
    _number("minimum_bytes", "green_min_threshold"),
    _number("maximum_bytes", "green_max_threshold"),
    _number("probability_percent", "green_drop_probability"),
    Column("active", "wred_green_enable", "true".__eq__, _boolean),
    Column("marks", "ecn", MARKING_WORDS.__contains__, lambda marks: "ecn_all" if marks else "ecn_none"),
)
QUEUE = (Column("scheduler", "scheduler"), Column("ecn_profile", "wred_profile"))
WATCHDOG = (
    Column("action", "action"),
    _number("detection_ms", "detection_time"),
    _number("restoration_ms", "restoration_time"),
)
POOL = (
    Column("direction", "type", PoolDirection),
    Column("mode", "mode", ThresholdMode),
    _number("size_bytes", "size"),
    _number("shared_headroom_bytes", "xoff"),
)
PROFILE = (
    Column("pool", "pool"),
    _number("size_bytes", "size"),
    _number("xon_bytes", "xon"),
    _number("xon_offset_bytes", "xon_offset"),
    _number("headroom_bytes", "xoff"),
    _number("alpha_exponent", "dynamic_th"),
    _number("static_threshold_bytes", "static_th"),
)
BINDING = (Column("profile", "profile"),)
PROFILE_LIST = (Column("profiles", "profile_list", _names, ",".join),)
_LOSSLESS_PARAMETER = (_number("default_alpha_exponent", "default_dynamic_th"),)
_TRAFFIC_PATTERN = (
    _number("lossless_mtu_bytes", "mtu"),
    _number("small_packet_percent", "small_packet_percentage"),
)
#: Tables of one row that hold attributes of the buffers as a whole.
PARAMETERS = (
    ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", _LOSSLESS_PARAMETER),
    ("LOSSLESS_TRAFFIC_PATTERN", _TRAFFIC_PATTERN),
)


def write_row(record: object, columns: tuple[Column, ...]) -> dict[str, Value]:
    """Return the fields of a record that are set."""
    row: dict[str, Value] = {}
    for column in columns:
        value = getattr(record, column.attribute)
        text = None if value is None else column.write(value)
        if text is not None:
            row[column.field] = text
    return row


def read_row(row: Row, columns: tuple[Column, ...]) -> dict[str, Any]:
    """Return the attributes that a checked row sets, by name."""
    return {column.attribute: column.read(row[column.field]) for column in columns if column.field in row}

"""Reads the tables of classification, PFC, ECN, scheduling, watchdog and hashing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricgen.device import (
    EcnProfile,
    Hashing,
    PortQos,
    PriorityMap,
    Qos,
    QueueBinding,
    Scheduler,
    SchedulerMode,
    Watchdog,
    WatchdogPort,
)
from fabricgen.platforms.sonic import columns, kinds
from fabricgen.platforms.sonic.columns import Row
from fabricgen.platforms.sonic.rows import Rows
from fabricgen.platforms.sonic.schema import MAP_NAME, MAPS, TABLES, Field, Table

#: The tables that are read here.
QOS_TABLES = (
    *columns.MAP_TABLES.values(),
    *("PORT_QOS_MAP", "SCHEDULER", "WRED_PROFILE", "QUEUE", "PFC_WD", "FLEX_COUNTER_TABLE", "SWITCH_HASH"),
)

#: Highest egress queue of a row's key (sonic-buffer-queue.yang).
HIGHEST_QUEUE = 15

#: What a scheduler and a WRED profile are where their rows are silent (sonic-scheduler.yang, sonic-wred-profile.yang).
_DEFAULT_MODE = SchedulerMode.WRR
_DEFAULT_PROBABILITY_PERCENT = 100

_GREEN_FIELDS = frozenset(column.field for column in columns.ECN_PROFILE) - {"ecn"}

#: What the watchdog does where its row is silent (sonic-swss, orchagent/pfcwdorch.cpp).
_DEFAULT_ACTION = "drop"


def read_qos(rows: Rows) -> Qos | None:
    """Read the QoS tables; None where there are none."""
    maps = {attribute: _read_maps(rows, table) for attribute, table in columns.MAP_TABLES.items()}
    qos = Qos(
        **maps,
        ports=_port_qos(rows),
        schedulers=_schedulers(rows),
        ecn_profiles=_ecn_profiles(rows),
        queues=tuple(
            QueueBinding(port, queue, row.get("scheduler"), row.get("wred_profile"))
            for port, queue, row in rows.indexed("QUEUE", HIGHEST_QUEUE, "CPU")
        ),
        watchdog=_watchdog(rows),
        hashing=_hashing(rows),
    )
    return None if qos == Qos() else qos


def _read_maps(rows: Rows, table: str) -> tuple[PriorityMap, ...]:
    schema = MAPS[table]
    raw = rows.raw(table)
    return tuple(
        PriorityMap(name, _entries(rows, table, name, raw[name], schema.key, schema.value))
        for name in sorted(raw, key=rows.order)
    )


def _entries(
    rows: Rows, table: str, name: str, row: Mapping[str, Any], key_rule: Field, value_rule: Field
) -> tuple[tuple[int, int], ...]:
    if MAP_NAME.fullmatch(name) is None:
        rows.findings.row(
            kinds.WRONG_KEY,
            table,
            name,
            f"`{name}` is not a name of a map: letters, digits, `-` and `_`, 32 characters at most",
            remedy="rename the map, also where ports name it",
        )
    good = Table({key: value_rule for key in row if key_rule.accepts(key)}, unmodelled=frozenset(row))
    for key in row.keys() - good.fields.keys() - {"NULL"}:
        rows.findings.row(
            kinds.WRONG_VALUE,
            table,
            name,
            f"the map has an entry for `{key}`, which is not {key_rule.allowed}",
            remedy="remove the entry",
            name=key,
        )
    checked = rows.checked(table, good, name, {key: row[key] for key in good.fields})
    return tuple(sorted((int(key), int(value)) for key, value in checked.items()))


def _port_qos(rows: Rows) -> tuple[PortQos, ...]:
    if "global" in rows.raw("PORT_QOS_MAP"):
        rows.unread["PORT_QOS_MAP|global"] += 1
    ports = {
        port: PortQos(port, **rows.attributes(row, columns.PORT_QOS))
        for port, row in rows.ports("PORT_QOS_MAP", "global")
    }
    return tuple(ports[port] for port in sorted(ports, key=rows.order))


def _schedulers(rows: Rows) -> tuple[Scheduler, ...]:
    found = {
        name: Scheduler(name, **{"mode": _DEFAULT_MODE, **rows.attributes(row, columns.SCHEDULER)})
        for name, row in rows.rows("SCHEDULER")
    }
    return tuple(found[name] for name in sorted(found, key=rows.order))


def _ecn_profiles(rows: Rows) -> tuple[EcnProfile, ...]:
    found = {name: _ecn_profile(rows, name, row) for name, row in rows.rows("WRED_PROFILE")}
    return tuple(found[name] for name in sorted(found, key=rows.order))


def _ecn_profile(rows: Rows, name: str, row: Row) -> EcnProfile:
    """Return the curve of green packets; where another colour has its own, that is counted as not read."""
    for colour in columns.COLOURS:
        low, high = row.get(f"{colour}_min_threshold"), row.get(f"{colour}_max_threshold")
        if high is not None and (low is None or int(low) > int(high)):
            rows.findings.row(
                kinds.CONTRADICTION,
                "WRED_PROFILE",
                name,
                f"`{colour}_max_threshold` is {high} and `{colour}_min_threshold` is {low or 'missing'}",
                remedy="give both thresholds, the maximum at least the minimum",
                name=f"{colour}_max_threshold",
            )
    for field, value in row.items():
        green = "_".join("green" if word in columns.COLOURS else word for word in field.split("_"))
        if green in _GREEN_FIELDS and row.get(green) != value:
            rows.unread[f"WRED_PROFILE.{field}"] += 1
    settings = {
        "minimum_bytes": None,
        "maximum_bytes": None,
        "probability_percent": _DEFAULT_PROBABILITY_PERCENT,
        "active": False,
        "marks": False,
    }
    return EcnProfile(name, **{**settings, **rows.attributes(row, columns.ECN_PROFILE)})


def _watchdog(rows: Rows) -> Watchdog | None:
    table = rows.raw("PFC_WD")
    poll: int | None = None
    if columns.GLOBAL in table:
        row = rows.checked("PFC_WD", TABLES["PFC_WD"], columns.GLOBAL, table[columns.GLOBAL])
        poll = int(row["POLL_INTERVAL"]) if "POLL_INTERVAL" in row else None
    ports = {}
    for port, row in rows.ports("PFC_WD", columns.GLOBAL):
        found = _watchdog_port(rows, port, row, poll)
        if found is not None:
            ports[port] = found
    watchdog = Watchdog(poll, tuple(ports[port] for port in sorted(ports, key=rows.order)), _counters_enabled(rows))
    return None if watchdog == Watchdog(None) else watchdog


def _watchdog_port(rows: Rows, port: str, row: Row, poll: int | None) -> WatchdogPort | None:
    for name in ("detection_time", "restoration_time"):
        if poll is not None and name in row and int(row[name]) < poll:
            rows.findings.row(
                kinds.CONTRADICTION,
                "PFC_WD",
                port,
                f"`{name}` {row[name]} ms is below POLL_INTERVAL {poll} ms",
                remedy=f"set `{name}` to {poll} or more, or PFC_WD|GLOBAL POLL_INTERVAL to {row[name]} or less",
                name=name,
            )
    known = rows.attributes(row, columns.WATCHDOG)
    if "detection_ms" not in known:
        if "detection_time" not in rows.raw("PFC_WD").get(port, {}):
            rows.findings.row(
                kinds.MISSING_FIELD,
                "PFC_WD",
                port,
                "a row of PFC_WD needs `detection_time`, or the watchdog does not start on the port",
                remedy="add `detection_time`",
            )
        return None
    return WatchdogPort(port, **{"action": _DEFAULT_ACTION, "restoration_ms": 0, **known})


def _counters_enabled(rows: Rows) -> bool | None:
    """Return whether the watchdog's counters are polled; other groups change nothing that is judged."""
    enabled = None
    for group, row in rows.rows("FLEX_COUNTER_TABLE"):
        if group == columns.WATCHDOG_COUNTERS:
            status = row.get(columns.COUNTER_STATUS)
            enabled = None if status is None else status == "enable"
        elif group not in columns.COUNTER_GROUPS:
            rows.unread[f"FLEX_COUNTER_TABLE|{group}"] += 1
    return enabled


def _hashing(rows: Rows) -> Hashing | None:
    row = rows.raw("SWITCH_HASH").get(columns.GLOBAL)
    if row is None:
        return None
    fields = _hash_fields(rows, row)
    rest = {name: value for name, value in row.items() if name != "ecmp_hash"}
    checked = rows.checked("SWITCH_HASH", TABLES["SWITCH_HASH"], columns.GLOBAL, rest)
    hashing = Hashing(fields, checked.get("ecmp_hash_algorithm"))
    return None if hashing == Hashing() else hashing


def _hash_fields(rows: Rows, row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the hashed fields in the file's order; each is checked on its own."""
    value = row.get("ecmp_hash", [])
    words = value.split(",") if isinstance(value, str) else value
    fields: list[str] = []
    for word in words if isinstance(words, list) else [words]:
        if word in fields:
            rows.findings.row(
                kinds.CONTRADICTION,
                "SWITCH_HASH",
                columns.GLOBAL,
                f"`ecmp_hash` names `{word}` twice",
                remedy="name each field once",
                name="ecmp_hash",
            )
            continue
        checked = rows.checked("SWITCH_HASH", TABLES["SWITCH_HASH"], columns.GLOBAL, {"ecmp_hash": word})
        fields += checked.values()
    return tuple(fields)

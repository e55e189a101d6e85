"""Finds the place in SONiC's files of a part of a device model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from fabricgen.core.diagnostics import Report, Span
from fabricgen.core.memo import Memo
from fabricgen.platforms.sonic import columns
from fabricgen.platforms.sonic.columns import Column
from fabricgen.platforms.sonic.frr_state import ModelPath
from fabricgen.platforms.sonic.read_frr import read_frr_conf
from fabricgen.platforms.sonic.schema import INDEX_RANGE
from fabricgen.platforms.sonic.source import ConfigDb

#: By path of field names in the device model: table and columns of its records; the next part of a path is the row.
_RECORDS: Mapping[ModelPath, tuple[str, tuple[Column, ...]]] = MappingProxyType(
    {
        ("interfaces",): ("PORT", columns.PORT),
        ("loopbacks",): ("LOOPBACK_INTERFACE", ()),
        ("breakouts",): ("BREAKOUT_CFG", ()),
        ("qos", "ports"): ("PORT_QOS_MAP", columns.PORT_QOS),
        ("qos", "schedulers"): ("SCHEDULER", columns.SCHEDULER),
        ("qos", "ecn_profiles"): ("WRED_PROFILE", columns.ECN_PROFILE),
        ("qos", "watchdog", "ports"): ("PFC_WD", columns.WATCHDOG),
        ("buffers", "pools"): ("BUFFER_POOL", columns.POOL),
        ("buffers", "profiles"): ("BUFFER_PROFILE", columns.PROFILE),
        ("buffers", "ingress_lists"): ("BUFFER_PORT_INGRESS_PROFILE_LIST", columns.PROFILE_LIST),
        ("buffers", "egress_lists"): ("BUFFER_PORT_EGRESS_PROFILE_LIST", columns.PROFILE_LIST),
        **{("qos", attribute): (table, ()) for attribute, table in columns.MAP_TABLES.items()},
    }
)
#: The same for records of a port and an index: two further parts of a path are the row.
_INDEXED: Mapping[ModelPath, tuple[str, tuple[Column, ...]]] = MappingProxyType(
    {
        ("qos", "queues"): ("QUEUE", columns.QUEUE),
        ("buffers", "ingress"): ("BUFFER_PG", columns.BINDING),
        ("buffers", "egress"): ("BUFFER_QUEUE", columns.BINDING),
    }
)
_METADATA = ("DEVICE_METADATA", columns.LOCALHOST)
#: Attributes that are one field.
_FIELDS: Mapping[ModelPath, tuple[str, ...]] = MappingProxyType(
    {
        ("buffers", "model"): (*_METADATA, "buffer_model"),
        ("qos", "watchdog", "poll_interval_ms"): ("PFC_WD", columns.GLOBAL, "POLL_INTERVAL"),
        ("qos", "watchdog", "counters_enabled"): (
            *("FLEX_COUNTER_TABLE", columns.WATCHDOG_COUNTERS),
            columns.COUNTER_STATUS,
        ),
        ("qos", "watchdog"): ("PFC_WD",),
        ("qos", "hashing"): ("SWITCH_HASH", columns.GLOBAL),
        ("qos", "hashing", "fields"): ("SWITCH_HASH", columns.GLOBAL, "ecmp_hash"),
        ("qos", "hashing", "algorithm"): ("SWITCH_HASH", columns.GLOBAL, "ecmp_hash_algorithm"),
        **{(column.attribute,): (*_METADATA, column.field) for column in columns.METADATA},
        **{
            ("buffers", column.attribute): (table, columns.PARAMETER_ROW, column.field)
            for table, fields in columns.PARAMETERS
            for column in fields
        },
    }
)
#: Attributes of an interface that stand in tables of their own.
_INTERFACE_FIELDS: Mapping[str, Callable[[str], tuple[str, ...]]] = MappingProxyType(
    {
        "cable_length_m": lambda port: ("CABLE_LENGTH", columns.PARAMETER_ROW, port),
        "addresses": lambda port: ("INTERFACE", port),
        "link_local_only": lambda port: ("INTERFACE", port, "ipv6_use_link_local_only"),
        "cage": lambda port: ("PORT", port, "index"),
    }
)


@dataclass(frozen=True, slots=True)
class File:
    """A file's name, as findings print it, and what is in it."""

    name: str
    text: str


class Locator:
    """Finds the place of a part of a device model.

    Hardly any device has findings, so all that is kept of a device is its text; it is read once more when a place is
    asked for.

    Args:
        config: ``config_db.json``, None where there is none.
        frr: ``frr.conf``, None where there is none.
    """

    def __init__(self, config: File | None, frr: File | None) -> None:
        self._config = config
        self._frr = frr

    @cached_property
    def _source(self) -> ConfigDb | None:
        return ConfigDb(self._config.name, self._config.text, Report(), Memo()) if self._config else None

    @cached_property
    def _lines(self) -> Mapping[ModelPath, int]:
        return read_frr_conf(self._frr.text, self._frr.name, Report()).lines if self._frr else {}

    def __call__(self, path: ModelPath) -> Span | None:
        """Return the place, None where no file has it."""
        if path[:1] != ("bgp",) and self._source is not None:
            return self._source.span(*_pointer(self._source, path))
        if self._frr is None:
            return None
        known = (path[:end] for end in range(len(path), 0, -1))
        return Span(self._frr.name, next((self._lines[part] for part in known if part in self._lines), 1), 1)


def _pointer(source: ConfigDb, path: ModelPath) -> tuple[str, ...]:
    """Return table, row and field of a path, as far as it is known."""
    if path in _FIELDS:
        return _FIELDS[path]
    if path[:1] == ("interfaces",) and len(path) > 2 and path[2] in _INTERFACE_FIELDS:
        return _INTERFACE_FIELDS[path[2]](path[1])
    for length in (3, 2, 1):
        head, rest = path[:length], path[length:]
        if head in _RECORDS:
            table, fields = _RECORDS[head]
            return (table, *rest[:1], *_field(fields, rest[1:]))
        if head in _INDEXED:
            table, fields = _INDEXED[head]
            return (table, *_indexed_row(source, table, rest[:2]), *_field(fields, rest[2:]))
        if head in _FIELDS:
            return _FIELDS[head]
    return ()


def _field(fields: tuple[Column, ...], rest: ModelPath) -> tuple[str, ...]:
    """Return the field of an attribute; where there are no columns the attribute is the field (maps)."""
    if not rest:
        return ()
    return next(((column.field,) for column in fields if column.attribute == rest[0]), rest[:1] if not fields else ())


def _indexed_row(source: ConfigDb, table: str, rest: ModelPath) -> tuple[str, ...]:
    """Return the key of the row that sets an index of a port, which may be a range or name several ports."""
    if len(rest) < 2 or not rest[1].isdigit():
        return ()
    for key in source.tables.get(table, {}):
        ports, _, span = key.rpartition("|")
        match = INDEX_RANGE.fullmatch(span)
        if match and rest[0] in ports.split(",") and int(match[1]) <= int(rest[1]) <= int(match[2] or match[1]):
            return (key,)
    return ()

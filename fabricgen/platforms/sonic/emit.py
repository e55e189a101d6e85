"""Prints a device model as ``config_db.json`` and ``frr.conf``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from fabricgen.core.files import FileSet
from fabricgen.core.memo import Memo
from fabricgen.device import Bgp, Buffers, DeviceModel, EcnProfile, EgressBuffer, IngressBuffer, Interface, Qos
from fabricgen.device.buffers import BufferProfile
from fabricgen.platforms.sonic import columns
from fabricgen.platforms.sonic.emit_frr import frr_conf
from fabricgen.platforms.sonic.jsontext import EMPTY, Value, config_db_text, table_texts

CONFIG_DB = "config_db.json"
FRR_CONF = "frr.conf"

T = TypeVar("T")
_Rows = dict[str, dict[str, Value]]
_PORT_NUMBER = re.compile(r"Ethernet(\d+)")
_BREAKOUT = re.compile(r"(\d+)x")


def emit(model: DeviceModel, memo: Memo | None = None) -> FileSet:
    """Return the files of a switch: ``config_db.json``, and ``frr.conf`` where it runs BGP.

    A part of the model that is None is not written, so that SONiC's own default holds. Rows come in the order of the
    model.

    Args:
        model: the switch.
        memo: keeps the text of QoS and buffers that are the same object for several switches.
    """
    memo = memo or Memo()
    texts = table_texts(_own_tables(model))
    if model.qos is not None:
        texts |= memo.about(model.qos, _qos_tables, partial(_part_texts, _qos_tables, model.qos))
    if model.buffers is not None:
        texts |= memo.about(model.buffers, _buffer_tables, partial(_part_texts, _buffer_tables, model.buffers))
    files = {CONFIG_DB: config_db_text({name: texts[name] for name in sorted(texts) if texts[name] != EMPTY})}
    if model.bgp is not None:
        files[FRR_CONF] = frr_conf(model.name, model.bgp)
    return files


def _part_texts(tables: Callable[[T], Mapping[str, _Rows]], part: T) -> dict[str, str]:
    return table_texts(tables(part))


def _own_tables(model: DeviceModel) -> dict[str, _Rows]:
    return {
        "DEVICE_METADATA": {columns.LOCALHOST: _metadata(model)},
        "PORT": dict(_ports(model)),
        "BREAKOUT_CFG": {parent: {"brkout_mode": mode} for parent, mode in model.breakouts},
        "INTERFACE": dict(_interface_rows(model.interfaces)),
        "LOOPBACK_INTERFACE": {
            key: {}
            for loopback in model.loopbacks
            for key in (loopback.name, *(f"{loopback.name}|{address}" for address in loopback.addresses))
        },
        "CABLE_LENGTH": _parameter_row(
            {port.name: f"{port.cable_length_m}m" for port in model.interfaces if port.cable_length_m is not None}
        ),
    }


def _metadata(model: DeviceModel) -> dict[str, Value]:
    """Return the device's own row.

    ``bgp_asn`` is left out: with it bgpcfgd would make a BGP instance of its own beside the one of frr.conf. bfdd runs
    only with ``frr_mgmt_framework_config``; frrcfgd then runs in place of bgpcfgd, finds no BGP tables and changes
    nothing (sonic-buildimage, dockers/docker-fpm-frr/frr/supervisord and src/sonic-frr-mgmt-framework).
    """
    row: dict[str, Value] = columns.write_row(model, columns.METADATA)
    if model.buffers is not None and model.buffers.model is not None:
        row["buffer_model"] = model.buffers.model
    guarded = model.qos is not None and model.qos.watchdog is not None
    row["default_pfcwd_status"] = "enable" if guarded else "disable"
    if model.bgp is not None:
        row["docker_routing_config_mode"] = "split-unified"
        row["frr_mgmt_framework_config"] = "true" if _uses_bfd(model.bgp) else "false"
    return row


def _uses_bfd(bgp: Bgp) -> bool:
    return any(group.bfd for group in bgp.peer_groups)


def _ports(model: DeviceModel) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield each port's row.

    ``subport`` says which part of its cage a port is, from 1, and 0 for the whole: the module's driver takes its lanes
    by it (sonic-buildimage, src/sonic-config-engine/portconfig.py).
    """
    modes = dict(model.breakouts)
    parent, legs = 0, 0
    for port in model.interfaces:
        row: dict[str, Value] = columns.write_row(port, columns.PORT)
        if port.name in modes:
            parent, legs = _number(port.name), _legs(modes[port.name])
        leg = (_number(port.name) - parent) // max(len(port.lanes), 1)
        if leg < legs:
            row["subport"] = str(leg + 1) if legs > 1 else "0"
        yield port.name, row


def _number(name: str) -> int:
    match = _PORT_NUMBER.fullmatch(name)
    return int(match[1]) if match else 0


def _legs(mode: str) -> int:
    match = _BREAKOUT.match(mode)
    return int(match[1]) if match else 1


def _interface_rows(interfaces: Iterable[Interface]) -> Iterator[tuple[str, dict[str, Value]]]:
    for interface in interfaces:
        if not interface.addresses and not interface.link_local_only:
            continue
        yield interface.name, {"ipv6_use_link_local_only": "enable"} if interface.link_local_only else {}
        for address in interface.addresses:
            yield f"{interface.name}|{address}", {}


def _parameter_row(row: dict[str, Value]) -> _Rows:
    return {columns.PARAMETER_ROW: row} if row else {}


def _qos_tables(qos: Qos) -> dict[str, _Rows]:
    tables: dict[str, _Rows] = {
        table: {named.name: {str(key): str(value) for key, value in named.entries} for named in getattr(qos, attribute)}
        for attribute, table in columns.MAP_TABLES.items()
    }
    tables["PORT_QOS_MAP"] = {port.interface: columns.write_row(port, columns.PORT_QOS) for port in qos.ports}
    tables["SCHEDULER"] = {
        scheduler.name: columns.write_row(scheduler, columns.SCHEDULER) for scheduler in qos.schedulers
    }
    tables["WRED_PROFILE"] = {profile.name: _ecn_row(profile) for profile in qos.ecn_profiles}
    tables["QUEUE"] = {
        f"{queue.interface}|{queue.queue}": columns.write_row(queue, columns.QUEUE) for queue in qos.queues
    }
    tables["PFC_WD"], tables["FLEX_COUNTER_TABLE"] = _watchdog_tables(qos)
    tables["SWITCH_HASH"] = _hash_table(qos)
    return tables


def _ecn_row(profile: EcnProfile) -> dict[str, Value]:
    """Return a profile's curve for all three colours, as SONiC's own template does: none is left to a default."""
    green = columns.write_row(profile, columns.ECN_PROFILE)
    return {field.replace("green", colour): value for colour in columns.COLOURS for field, value in green.items()}


def _watchdog_tables(qos: Qos) -> tuple[_Rows, _Rows]:
    watchdog = qos.watchdog
    if watchdog is None:
        return {}, {}
    rows: _Rows = {}
    if watchdog.poll_interval_ms is not None:
        rows[columns.GLOBAL] = {"POLL_INTERVAL": str(watchdog.poll_interval_ms)}
    for port in watchdog.ports:
        rows[port.interface] = columns.write_row(port, columns.WATCHDOG)
    if watchdog.counters_enabled is None:
        return rows, {}
    groups = columns.COUNTER_GROUPS if watchdog.counters_enabled else (columns.WATCHDOG_COUNTERS,)
    status = "enable" if watchdog.counters_enabled else "disable"
    return rows, {group: {columns.COUNTER_STATUS: status} for group in groups}


def _hash_table(qos: Qos) -> _Rows:
    """Return the hash of ECMP. It has no seed: SONiC derives that from the device's type."""
    row: dict[str, Value] = {}
    if qos.hashing is not None and qos.hashing.fields:
        row["ecmp_hash"] = list(qos.hashing.fields)
    if qos.hashing is not None and qos.hashing.algorithm is not None:
        row["ecmp_hash_algorithm"] = qos.hashing.algorithm
    return {columns.GLOBAL: row} if row else {}


def _buffer_tables(buffers: Buffers) -> dict[str, _Rows]:
    return {
        "BUFFER_POOL": {pool.name: columns.write_row(pool, columns.POOL) for pool in buffers.pools},
        "BUFFER_PROFILE": {profile.name: _profile_row(profile, buffers.model) for profile in buffers.profiles},
        "BUFFER_PG": _bindings(buffers.ingress),
        "BUFFER_QUEUE": _bindings(buffers.egress),
        "BUFFER_PORT_INGRESS_PROFILE_LIST": {
            entry.interface: columns.write_row(entry, columns.PROFILE_LIST) for entry in buffers.ingress_lists
        },
        "BUFFER_PORT_EGRESS_PROFILE_LIST": {
            entry.interface: columns.write_row(entry, columns.PROFILE_LIST) for entry in buffers.egress_lists
        },
        **{table: _parameter_row(columns.write_row(buffers, fields)) for table, fields in columns.PARAMETERS},
    }


def _profile_row(profile: BufferProfile, model: str | None) -> dict[str, Value]:
    row: dict[str, Value] = columns.write_row(profile, columns.PROFILE)
    if profile.static_headroom:
        row["headroom_type"] = "static"
    elif profile.lossless and model == "dynamic":
        row["headroom_type"] = "dynamic"
    return row


def _bindings(entries: Iterable[IngressBuffer | EgressBuffer]) -> _Rows:
    shared: dict[str, dict[str, Value]] = {}
    rows: _Rows = {}
    for entry in entries:
        index = entry.priority_group if isinstance(entry, IngressBuffer) else entry.queue
        rows[f"{entry.interface}|{index}"] = shared.setdefault(entry.profile, {"profile": entry.profile})
    return rows

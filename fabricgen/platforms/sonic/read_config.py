"""Reads ``config_db.json``: identity, ports, addresses. QoS and buffers have modules of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabricgen.catalog import Catalog
from fabricgen.catalog.sonic import SonicSupport
from fabricgen.device import Interface, Loopback
from fabricgen.platforms.sonic import columns, kinds
from fabricgen.platforms.sonic.columns import Row
from fabricgen.platforms.sonic.rows import Rows
from fabricgen.platforms.sonic.schema import CABLE_LENGTH, TABLES, is_prefix


@dataclass(frozen=True, slots=True)
class Metadata:
    """The device's own row: attributes of the device model, and the settings that decide what else is read."""

    identity: Mapping[str, Any]
    buffer_model: str | None
    routing_mode: str | None
    frr_managed: bool


def read_metadata(rows: Rows) -> Metadata:
    """Read ``DEVICE_METADATA``."""
    table = rows.raw("DEVICE_METADATA")
    row: Row = {}
    for key, raw in table.items():
        if key == columns.LOCALHOST:
            row = rows.checked("DEVICE_METADATA", TABLES["DEVICE_METADATA"], key, raw)
        else:
            rows.unread[f"DEVICE_METADATA|{key}"] += 1
    return Metadata(
        rows.attributes(row, columns.METADATA),
        row.get("buffer_model"),
        row.get("docker_routing_config_mode"),
        row.get("frr_mgmt_framework_config") == "true",
    )


def read_interfaces(rows: Rows, catalog: Catalog, sku: str | None) -> tuple[Interface, ...]:
    """Read ``PORT`` and what other tables say of each port."""
    switch = catalog.switch_of_sku(sku)
    sonic = switch.sonic if switch else None
    lengths = rows.part(("CABLE_LENGTH",), _cable_lengths)
    layer3 = _addresses(rows)
    interfaces = []
    for name, row in rows.rows("PORT"):
        known = rows.attributes(_whole_gbps(rows, row), columns.PORT)
        index = known.get("index")
        if name in layer3:
            known |= layer3[name]
        interfaces.append(Interface(name=name, cage=_cage(sonic, index), cable_length_m=lengths.get(name), **known))
    return tuple(sorted(interfaces, key=lambda interface: rows.order(interface.name)))


def _whole_gbps(rows: Rows, row: Row) -> Row:
    """Leave out a speed that is no whole number of Gb/s, and count it."""
    if int(row.get("speed", 0)) % 1000 == 0:
        return row
    rows.unread["PORT.speed below 1G"] += 1
    return {field: value for field, value in row.items() if field != "speed"}


def _cage(sonic: SonicSupport | None, index: int | None) -> int | None:
    """Return the front-panel cage of a port index, if the catalog knows how the switch counts them."""
    if sonic is None or index is None:
        return None
    cage = index - sonic.first_index + 1
    return cage if 1 <= cage <= len(sonic.ports) else None


def _cable_lengths(rows: Rows) -> dict[str, int]:
    lengths: dict[str, int] = {}
    for name, row in rows.raw("CABLE_LENGTH").items():
        for port, text in row.items():
            if not isinstance(text, str) or not CABLE_LENGTH.accepts(text):
                rows.findings.row(
                    kinds.WRONG_VALUE,
                    "CABLE_LENGTH",
                    name,
                    f"the cable length is `{text}`, not {CABLE_LENGTH.allowed}",
                    remedy=f"write {CABLE_LENGTH.allowed}",
                    name=port,
                )
                continue
            for known in rows.port_names("CABLE_LENGTH", name, port):
                lengths[known] = int(text[:-1])
    return lengths


def _addresses(rows: Rows) -> dict[str, dict[str, Any]]:
    """Return what ``INTERFACE`` says of each port, as attributes of an interface."""
    found: dict[str, dict[str, Any]] = {}
    addresses: dict[str, list[str]] = {}
    for key, row in rows.rows("INTERFACE"):
        name, _, prefix = key.partition("|")
        rows.port_names("INTERFACE", key, name)
        entry = found.setdefault(name, {})
        if not prefix:
            entry["link_local_only"] = row.get("ipv6_use_link_local_only") == "enable"
        elif _good_prefix(rows, "INTERFACE", key, prefix):
            addresses.setdefault(name, []).append(prefix)
            _check_parent(rows, "INTERFACE", key, name)
    for name, prefixes in addresses.items():
        found[name]["addresses"] = tuple(sorted(prefixes, key=rows.order))
    return found


def _good_prefix(rows: Rows, table: str, key: str, prefix: str) -> bool:
    if is_prefix(prefix):
        return True
    rows.findings.row(
        kinds.WRONG_KEY,
        table,
        key,
        f"`{prefix}` is not an address with its prefix length",
        remedy="write the key as `Ethernet0|10.0.0.0/31`",
    )
    return False


def _check_parent(rows: Rows, table: str, key: str, name: str) -> None:
    if name not in rows.raw(table):
        rows.findings.row(
            kinds.CONTRADICTION,
            table,
            key,
            f"{table} has an address of {name} but no row `{name}`",
            remedy=f'add `"{name}": {{}}` to {table}',
        )


def read_loopbacks(rows: Rows) -> tuple[Loopback, ...]:
    """Read ``LOOPBACK_INTERFACE``."""
    table = "LOOPBACK_INTERFACE"
    addresses: dict[str, list[str]] = {}
    for key, _ in rows.rows(table):
        name, _, prefix = key.partition("|")
        found = addresses.setdefault(name, [])
        if prefix and _good_prefix(rows, table, key, prefix):
            found.append(prefix)
            _check_parent(rows, table, key, name)
    return tuple(
        Loopback(name, tuple(sorted(addresses[name], key=rows.order))) for name in sorted(addresses, key=rows.order)
    )


def read_breakouts(rows: Rows) -> tuple[tuple[str, str], ...]:
    """Read ``BREAKOUT_CFG``: parent port and mode."""
    modes = {name: row["brkout_mode"] for name, row in rows.rows("BREAKOUT_CFG") if "brkout_mode" in row}
    return tuple((name, modes[name]) for name in sorted(modes, key=rows.order))

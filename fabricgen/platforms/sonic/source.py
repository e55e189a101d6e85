"""One ``config_db.json`` in memory: its values at once, the places of its values when somebody asks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from fabricgen.core.diagnostics import Diagnostic, Note, Report, Span
from fabricgen.platforms.sonic.kinds import DUPLICATE_KEY, UNREADABLE

#: A key with its colon, another text, or the border of an object.
_TOKEN = re.compile(r'"(?P<key>(?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}]')


class ConfigDb:
    """A parsed file.

    Args:
        file: its name, as findings print it.
        text: what is in it.
        report: takes FG651 and FG652.
    """

    def __init__(self, file: str, text: str, report: Report) -> None:
        self.file = file
        self._text = text
        self._repeats = False
        self.tables = self._load(report)

    def _load(self, report: Report) -> dict[str, dict[str, Any]]:
        try:
            data = json.loads(self._text, object_pairs_hook=self._object)
        except (ValueError, RecursionError) as error:
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

    @cached_property
    def _places(self) -> Mapping[str, Any]:
        """Every value's place by JSON pointer (RFC 6901); slow, so it is done for findings only."""
        from json_source_map import calculate

        places: Mapping[str, Any] = calculate(self._text)
        return places

    def span(self, *path: str) -> Span:
        """Return the place of a table, row or field, or of the nearest thing around it that exists."""
        for end in range(len(path), 0, -1):
            pointer = "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in path[:end])
            entry = self._places.get(pointer)
            if entry is not None:
                start = entry.value_start if end == len(path) == 3 else entry.key_start or entry.value_start
                return Span(self.file, start.line + 1, start.column + 1)
        return Span(self.file, 1, 1)

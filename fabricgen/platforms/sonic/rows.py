"""Reads rows of CONFIG_DB and checks them against what SONiC takes.

What is wrong becomes a finding and is left out; what SONiC knows and the device model does not is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from fabricgen.core.diagnostics import did_you_mean
from fabricgen.core.memo import Memo
from fabricgen.core.model import natural_key
from fabricgen.platforms.sonic import kinds
from fabricgen.platforms.sonic.columns import Column, Row, read_row
from fabricgen.platforms.sonic.findings import Findings, Problem
from fabricgen.platforms.sonic.schema import BRACKETED, INDEX_RANGE, TABLES, Field, Table
from fabricgen.platforms.sonic.source import ConfigDb

T = TypeVar("T")

#: SONiC's way to write a row without fields.
_NO_FIELDS = "NULL"


@dataclass(frozen=True, slots=True)
class _Checked:
    """A row's good fields, what is wrong with the others, and which ones the device model has no place for."""

    row: Row
    problems: tuple[Problem, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part(Generic[T]):
    """What was read of some tables, and all that reading them had to say."""

    value: T
    problems: tuple[tuple[str, Problem, tuple[str, ...]], ...]
    unread: Mapping[str, int]
    tables: frozenset[str]


class Rows:
    """The rows of one file, checked. Equal rows of a table are checked and read once, equal values too.

    Args:
        source: the file.
        memo: keeps what was read of tables that other files have too.
        tables: those that there are; all of the file where left out.
    """

    def __init__(
        self, source: ConfigDb, memo: Memo, tables: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None
    ) -> None:
        self.source = source
        self.memo = memo
        self.tables = source.tables if tables is None else tables
        self.findings = Findings(source)
        self.unread: Counter[str] = Counter()
        self.were_read: set[str] = set()
        self._checked: dict[tuple[str, Any], _Checked] = {}
        self._values: dict[tuple[str, str, str], tuple[str | None, tuple[Problem, ...]]] = {}
        self._attributes: dict[tuple[int, int], tuple[Row, dict[str, Any]]] = {}
        self._orders: dict[str, tuple[tuple[int, int, str], ...]] = memo.get(Rows, dict)

    def part(self, tables: tuple[str, ...], read: Callable[..., T], *more: Hashable) -> T:
        """Return what ``read`` makes of some tables; files that have them alike share one answer.

        Nothing but these tables, which ports there are and ``more`` is at hand for ``read``, so the answer depends on
        nothing else.
        """
        texts = tuple(self.source.texts.get(table) for table in tables)
        ports = tuple(self.tables["PORT"]) if "PORT" in self.tables else None
        answer = partial(self._read_part, tables, ports, read, more)
        found = self.memo.get((read, texts, ports, more), answer) if self.source.texts else answer()
        for table, problem, keys in found.problems:
            for key in keys:
                self.findings.add(table, key, problem)
        self.unread.update(found.unread)
        self.were_read |= found.tables
        return found.value

    def _read_part(
        self, tables: tuple[str, ...], ports: tuple[str, ...] | None, read: Callable[..., T], more: tuple[Hashable, ...]
    ) -> _Part[T]:
        own = {table: self.tables[table] for table in tables if table in self.tables}
        if ports is not None:
            own["PORT"] = {port: {} for port in ports}
        rows = Rows(self.source, self.memo, own)
        value = read(rows, *more)
        return _Part(value, rows.findings.problems(), dict(rows.unread), frozenset(rows.were_read))

    def raw(self, table: str) -> Mapping[str, Mapping[str, Any]]:
        """Return a table as it stands in the file, and count it as read."""
        self.were_read.add(table)
        return self.tables.get(table, {})

    def order(self, name: str) -> tuple[tuple[int, int, str], ...]:
        """Return the sort key of a name; computed once for each."""
        key = self._orders.get(name)
        if key is None:
            key = self._orders[name] = natural_key(name)
        return key

    def rows(self, table: str) -> Iterator[tuple[str, Row]]:
        """Yield the rows of a table by key, with their good fields."""
        schema = TABLES[table]
        for key, row in self.raw(table).items():
            yield key, self.checked(table, schema, key, row)

    def ports(self, table: str, *others: str) -> Iterator[tuple[str, Row]]:
        """Yield the rows of a table whose keys are ports; keys in ``others`` are left out."""
        for key, row in self.rows(table):
            if key not in others:
                for port in self.port_names(table, key, key):
                    yield port, row

    def port_names(self, table: str, key: str, text: str) -> list[str]:
        """Return the ports that a key names, with a finding for each that does not exist."""
        known = self.tables.get("PORT")
        if known is None or text in known:
            return [text]
        names = text.split(",")
        if len(names) > 1:
            self.findings.row(
                kinds.OLD_FORM,
                table,
                key,
                f"several ports in one key: `{text}`",
                remedy="write one row for each port",
            )
        for name in names:
            if name not in known:
                self.findings.row(
                    kinds.DANGLING,
                    table,
                    key,
                    f"there is no port `{name}`",
                    remedy=did_you_mean(name, known) if len(known) < 20 else "name a row of PORT",
                )
        return names

    def indexed(self, table: str, highest: int, *others: str) -> Iterator[tuple[str, int, Row]]:
        """Yield port, index and row for each queue or priority group that a table sets, in order.

        Args:
            table: a table with keys ``port|index`` or ``port|first-last``.
            highest: the largest index that SONiC takes.
            others: first parts of keys that are no ports.
        """
        taken: dict[tuple[str, int], tuple[str, Row]] = {}
        spans: dict[str, range] = {}
        for key, row in self.rows(table):
            text, _, span = key.rpartition("|")
            if text in others or "|" in text:
                self.unread[f"{table}|{text.split('|')[0]}"] += 1
                continue
            indices = spans.get(span)
            if indices is None:
                indices = spans[span] = _indices(span, highest)
            if not indices:
                self._refuse_index(table, key, span, highest)
            for port in self.port_names(table, key, text):
                for index in indices:
                    slot = (port, index)
                    taken[slot] = (key, self._merged(table, key, row, taken[slot]) if slot in taken else row)
        ports = sorted({port for port, _ in taken}, key=self.order)
        rank = {port: position for position, port in enumerate(ports)}
        for port, index in sorted(taken, key=lambda slot: (rank[slot[0]], slot[1])):
            yield port, index, taken[port, index][1]

    def _refuse_index(self, table: str, key: str, span: str, highest: int) -> None:
        self.findings.row(
            kinds.WRONG_KEY,
            table,
            key,
            f"the key ends in `{span}`, not in a number or a range up to {highest}",
            remedy="write the key as `Ethernet0|3` or `Ethernet0|3-4`",
        )

    def _merged(self, table: str, key: str, row: Row, before: tuple[str, Row]) -> Row:
        other_key, other = before
        for name in row.keys() & other.keys():
            if row[name] != other[name]:
                self.findings.row(
                    kinds.OVERLAP,
                    table,
                    key,
                    f"`{name}` is `{row[name]}` here and `{other[name]}` in {table}|{other_key}",
                    remedy="give each queue or priority group one row",
                    name=name,
                )
        return {**other, **row}

    def attributes(self, row: Row, columns: tuple[Column, ...]) -> dict[str, Any]:
        """Return the attributes that a checked row sets; rows that are one object are read once."""
        token = (id(row), id(columns))
        found = self._attributes.get(token)
        if found is None:
            # The row is kept with what was read of it, so that no other row can get its identity.
            found = self._attributes[token] = (row, read_row(row, columns))
        return found[1]

    def leftovers(self) -> Mapping[str, int]:
        """Return the names of what was not read, with how often each occurs."""
        tables = {table: len(rows) for table, rows in self.tables.items() if table not in self.were_read}
        return {**self.unread, **tables}

    def checked(self, table: str, schema: Table, key: str, row: Mapping[str, Any]) -> Row:
        """Return the good fields of a row."""
        token = (table, tuple(row.items()))
        try:
            found = self._checked.get(token)
            if found is None:
                found = self._checked[token] = self._check(table, schema, row)
        except TypeError:  # a list among the values cannot be hashed
            found = self._check(table, schema, row)
        for problem in found.problems:
            self.findings.add(table, key, problem)
        for name in found.unread:
            self.unread[f"{table}.{name}"] += 1
        return found.row

    def _check(self, table: str, schema: Table, row: Mapping[str, Any]) -> _Checked:
        good: dict[str, str] = {}
        problems: list[Problem] = []
        unread: list[str] = []
        for name, value in row.items():
            rule = schema.fields.get(name)
            if rule is not None:
                text, found = self._known_value(table, name, rule, value)
                problems += found
                if text is not None:
                    good[name] = text
            elif name in schema.unmodelled:
                unread.append(name)
            elif name != _NO_FIELDS:
                problems.append(
                    Problem(
                        kinds.UNKNOWN_FIELD,
                        name,
                        f"{table} has no field `{name}`",
                        did_you_mean(name, [*schema.fields, *schema.unmodelled]) if schema.fields else "remove it",
                    )
                )
        problems += [
            Problem(kinds.MISSING_FIELD, "", f"a row of {table} needs `{name}`", f"add `{name}`")
            for name in schema.required
            if name not in row
        ]
        return _Checked(good, tuple(problems), tuple(unread))

    def _known_value(self, table: str, name: str, rule: Field, value: object) -> tuple[str | None, tuple[Problem, ...]]:
        if not isinstance(value, str):
            return self._value(name, rule, value)
        token = (table, name, value)
        found = self._values.get(token)
        if found is None:
            found = self._values[token] = self._value(name, rule, value)
        return found

    def _value(self, name: str, rule: Field, value: object) -> tuple[str | None, tuple[Problem, ...]]:
        """Return a field's value as text, None where it is no good, and what is wrong with it."""
        problems: list[Problem] = []
        text = value
        if rule.listed and isinstance(value, list):
            text = ",".join(map(str, value))
        elif not isinstance(value, str):
            written = str(value).lower() if isinstance(value, int | float) else None
            problems.append(_not_text(name, value, written))
            if written is None:
                return None, tuple(problems)
            text = written
        text = str(text)
        if rule.refers:
            text, found = self._reference(name, rule, text)
            return text, (*problems, *found)
        if not rule.accepts(text):
            problems.append(
                Problem(kinds.WRONG_VALUE, name, f"`{name}` is `{text}`, not {rule.allowed}", f"write {rule.allowed}")
            )
            return None, tuple(problems)
        refusing = rule.release(text) if rule.release else None
        if refusing:
            problems.append(
                Problem(
                    kinds.RELEASE,
                    name,
                    f"`{name}` is `{text}`, which releases {refusing} refuse",
                    "leave it out unless every switch runs another release",
                )
            )
        return text, tuple(problems)

    def _reference(self, name: str, rule: Field, text: str) -> tuple[str, list[Problem]]:
        """Return the names that a value holds, and what is wrong with them; a name that leads nowhere is kept."""
        problems: list[Problem] = []
        names: list[str] = []
        for part in text.split(",") if rule.listed else [text]:
            bare, found = self._named_row(name, rule, part)
            problems += found
            if bare in names:
                problems.append(
                    Problem(kinds.CONTRADICTION, name, f"`{name}` names `{bare}` twice", "name each row once")
                )
            else:
                names.append(bare)
        return ",".join(names), problems

    def _named_row(self, name: str, rule: Field, text: str) -> tuple[str, list[Problem]]:
        """Return the row that one name means, without its brackets, and what is wrong with it."""
        target = self.tables.get(rule.refers, {})
        bracketed = BRACKETED.fullmatch(text)
        bare = bracketed[1] if bracketed else text
        problems = []
        if bracketed:
            problems.append(
                Problem(kinds.OLD_FORM, name, f"`{name}` names a row as `{text}`", f"write the name alone: `{bare}`")
            )
        if bare not in target and not rule.accepts(bare):
            problems.append(
                Problem(
                    kinds.DANGLING,
                    name,
                    f"`{name}` names `{bare}`, which is no row of {rule.refers}",
                    did_you_mean(bare, target) if target else f"add {rule.refers}|{bare}",
                )
            )
        return bare, problems


def _indices(text: str, highest: int) -> range:
    """Return the queues or priority groups of a key's last part, none where it is no such part."""
    match = INDEX_RANGE.fullmatch(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
    return range(first, last + 1) if last <= highest else range(0)


def _not_text(name: str, value: object, written: str | None) -> Problem:
    shown = {"NoneType": "null", "list": "a list", "dict": "an object"}.get(type(value).__name__, f"{value!r}")
    remedy = f'write it in quotes: "{written}"' if written is not None else "write one text"
    return Problem(kinds.NOT_TEXT, name, f"`{name}` is {shown}, which is no text", remedy)

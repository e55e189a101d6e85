"""Reading many switches with one memo gives what reading each alone gives; places are those of a full source map."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from json_source_map import calculate

from fabricgen.core.diagnostics import Report, Span
from fabricgen.core.memo import Memo
from fabricgen.device import DeviceModel
from fabricgen.platforms.base import ReadResult
from fabricgen.platforms.sonic import PLATFORM
from fabricgen.platforms.sonic.source import ConfigDb
from tests.platforms.sonic.samples import catalog, min_roce
from tests.platforms.sonic.strategies import device_models


def answers(result: ReadResult) -> tuple[object, ...]:
    return result.model, result.diagnostics, result.locate(("qos", "ports", "Ethernet0")), result.locate(("bgp",))


def assert_alike(devices: list[dict[str, str]]) -> None:
    memo = Memo()
    for files in devices:
        alone = PLATFORM.read(files, "", catalog())
        assert answers(PLATFORM.read(files, "", catalog(), memo)) == answers(alone)
        assert answers(PLATFORM.read(files, "", catalog(), memo)) == answers(alone)


@given(device_models(), device_models())
def test_models(one: DeviceModel, other: DeviceModel) -> None:
    assert_alike([dict(PLATFORM.emit(model)) for model in (one, other, one)])


def _places(config: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for table, rows in config.items():
        yield (table,)
        for key, row in rows.items():
            yield table, key
            yield from ((table, key, field) for field in row)


def _changed(config: dict[str, Any], place: tuple[str, ...], value: object) -> dict[str, Any]:
    """Return a copy with something else at a place; the place is removed where the value is None."""
    changed = copy.deepcopy(config)
    inner: dict[str, Any] = changed
    for part in place[:-1]:
        inner = inner[part]
    if value is None:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return changed


def test_faults() -> None:
    """One fault anywhere: tables that name what is gone are judged anew although their own text is the same."""
    config = min_roce()
    others: tuple[object, ...] = (None, "7", ["x"])
    faulty = [_changed(config, place, value) for place in _places(config) for value in others]
    assert_alike([{"config_db.json": json.dumps(one, indent=4) + "\n"} for one in [config, *faulty]])


def test_texts_that_cannot_be_taken_apart() -> None:
    good = json.dumps(min_roce(), indent=4) + "\n"
    table = '{\n    "PORT": {\n        "Ethernet0": {}\n    },\n    "PORT": {}\n}\n'
    split = good.replace('"DSCP_TO_TC_MAP"', '"A": "x",\n    "DSCP_TO_TC_MAP"', 1)
    bad = [good[:-3], good.replace("}", "", 1), good.replace(",\n", "\n", 1), table, split, '{\n    "A": 1\n}\n', "[]"]
    assert_alike([{"config_db.json": text} for text in [good, *bad, good.replace("\n", " ")]])


def _expected(text: str, path: tuple[str, ...]) -> tuple[int, int]:
    pointer = "".join(f"/{part}" for part in path)
    entry = calculate(text)[pointer]
    start = entry.value_start if len(path) == 3 else entry.key_start
    assert start is not None
    return start.line + 1, start.column + 1


def test_places() -> None:
    config = min_roce()
    config["PORT"] = {"a, {b}": {"x/y~": "1"}, **config["PORT"]}
    for text in (
        json.dumps(config, indent=4),
        json.dumps(config),
        json.dumps(config, indent="\t", separators=(" ,", " :\n ")),
    ):
        source = ConfigDb("f", text, Report(), Memo())
        for path in [*random.Random(2).sample(list(_places(config)), 12), ("PORT", "a, {b}", "x/y~")]:
            assert source.span(*path) == Span("f", *_expected(text, path))
    assert source.span("NONE", "a") == Span("f", 1, 1)
    assert source.span("PORT", "none", "a") == source.span("PORT")

"""Every rule against its literate file, ``FGnnn.md``, and what all findings of all rules have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from fabricgen.catalog import Catalog, load_catalog
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.device import Network
from fabricgen.rules import rules
from fabricgen.rules.engine import check
from tests.rules.builder import network, resolves

HERE = Path(__file__).parent
_BLOCK = re.compile(r"^## (?P<title>.+?)$(?P<text>.*?)^```yaml\n(?P<yaml>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Case:
    """A case of a literate file: a base, a change, and what the file's rule must find."""

    code: str
    title: str
    data: dict[str, Any]

    @property
    def expected(self) -> list[str]:
        return sorted(f"{severity} {found}" for entry in self.data["expect"] for severity, found in entry.items())

    def network(self) -> Network:
        return network(self.data["base"], self.data.get("change"))


def cases() -> Iterator[Case]:
    for file in sorted(HERE.glob("FG*.md")):
        for match in _BLOCK.finditer(file.read_text(encoding="utf-8")):
            data = YAML(typ="safe").load(match["yaml"])
            assert data.keys() <= {"base", "change", "expect"}, file
            yield Case(file.stem, match["title"], data)


CASES = tuple(cases())


@cache
def catalog() -> Catalog:
    return load_catalog()


def findings(case: Case) -> list[Diagnostic]:
    return [found for found in check(case.network(), catalog()).findings if found.code == case.code]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.title}")
def test_case(case: Case) -> None:
    assert sorted(f"{found.severity} {found.code} {found.path}" for found in findings(case)) == case.expected


@pytest.mark.parametrize("base", ["roce", "infiniband"])
def test_a_valid_network_is_silent_under_every_rule(base: str) -> None:
    assert check(network(base), catalog()).findings == ()


def test_every_rule_runs_on_one_of_the_bases() -> None:
    ran = {code for base in ("roce", "infiniband") for code in check(network(base), catalog()).ran}
    assert ran == set(rules())


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.expected], ids=lambda case: f"{case.code}: {case.title}"
)
def test_what_every_finding_has(case: Case) -> None:
    """A summary on one line, a remedy, and places that are parts of the model."""
    built = case.network()
    for found in check(built, catalog()).findings:
        assert found.summary
        assert "\n" not in found.summary
        assert not found.summary.endswith(".")
        assert found.remedy
        assert re.match(r"(devices|networks)\[", found.path)
        places = [found.span, *(note.span for note in found.related)]
        for place in places:
            assert place is None or place.file == "inventory" or resolves(built, place), place


@pytest.mark.parametrize("code", sorted(rules()))
def test_a_rule_names_a_place(code: str) -> None:
    """A finding without a place in a file is for what no file has: cables, and devices that were not read."""
    without = {"FG207", "FG206", "FG210", "FG212", "FG214", "FG220"}
    found = [found for case in CASES if case.code == code for found in findings(case)]
    assert found
    assert all((one.span is None) == (code in without) for one in found)

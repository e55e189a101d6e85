"""What every rule must be, whoever writes it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from fabricgen.rules import Rule, rules
from fabricgen.rules.base import Need
from tests.rules.test_rules import CASES

HERE = Path(__file__).parent
LITERATE = HERE.parent / "rules"
#: Every code that ever was, with its name. A rule that is removed stays here, so that its code is never used again.
LEDGER = dict(csv.reader((HERE / "rule_codes.csv").read_text(encoding="utf-8").splitlines()))

ALL = pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.kind.code)

#: Codes by subject: links, routing, lossless Ethernet, InfiniBand.
SUBJECTS = {
    "2": {"links", "front_panel", "cabling"},
    "3": {"addresses", "routing", "policies", "propagation"},
    "4": {"classes", "pfc", "headroom", "buffers", "ecn", "watchdog", "references"},
    "5": {"subnet", "subnet_manager", "subnet_routing", "partitions", "virtual_lanes"},
}


@ALL
def test_the_code_and_name_are_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"FG[2-5]\d\d", rule.kind.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", rule.kind.name)


def test_names_are_unique() -> None:
    names = [rule.kind.name for rule in rules().values()]
    assert len(names) == len(set(names))


@ALL
def test_a_code_keeps_its_name_for_ever(rule: Rule) -> None:
    assert LEDGER.get(rule.kind.code) == rule.kind.name, "a new rule is a new line at its place in rule_codes.csv"


def test_the_ledger_has_each_code_once() -> None:
    lines = (HERE / "rule_codes.csv").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert len(LEDGER) == len(lines)
    assert len(set(LEDGER.values())) == len(lines)


@ALL
def test_a_rule_lives_in_a_module_of_its_subject(rule: Rule) -> None:
    assert rule.check.__module__.rpartition(".")[2] in SUBJECTS[rule.kind.code[2]]


@ALL
def test_the_reason_says_why_and_where_from(rule: Rule) -> None:
    reason = rule.kind.reason
    why, mark, source = reason.partition("Source:")
    assert mark, "the docstring names the source of its claim"
    assert len(why.split()) >= 12
    assert len(source.split()) >= 2
    assert rule.kind.title == rule.kind.title.strip(" .")


@ALL
def test_a_rule_says_what_it_needs(rule: Rule) -> None:
    assert rule.needs
    assert rule.needs <= set(Need)


@ALL
def test_a_rule_has_a_literate_file(rule: Rule) -> None:
    text = (LITERATE / f"{rule.kind.code}.md").read_text(encoding="utf-8")
    heading, blank, why = text.splitlines()[:3]
    assert heading == f"# {rule.kind.code} {rule.kind.name}"
    assert blank == ""
    assert len(why.split()) >= 4


@ALL
def test_a_rule_has_a_failing_and_a_passing_case(rule: Rule) -> None:
    verdicts = {bool(case.expected) for case in CASES if case.code == rule.kind.code}
    assert verdicts == {True, False}


@ALL
def test_a_rule_has_one_severity(rule: Rule) -> None:
    expected = {line for case in CASES if case.code == rule.kind.code for line in case.expected}
    assert {line.split()[0] for line in expected} == {str(rule.kind.severity)}


def test_every_literate_file_has_a_rule() -> None:
    assert {file.stem for file in LITERATE.glob("FG*.md")} == set(rules())

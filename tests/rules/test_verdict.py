"""Rules and acceptances end to end: from an inventory and files to a verdict."""

from __future__ import annotations

import dataclasses
import datetime as dt
import random
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.rules import rules
from fabricgen.rules.engine import check
from tests.clusters import infiniband, load_text, roce
from tests.rules.builder import network
from tests.rules.files import change

PORT = "devices[leaf-01].ports[Ethernet0]"
ACCEPTING = """\
accept:
  - {code: FG213, path: "devices[leaf-01].ports[Ethernet0]", reason: lab optics without FEC, until: 2030-06-30}
  - {code: FG425, path: "devices[spine-*", reason: counters are polled elsewhere}
  - {code: FG140, reason: the map is not published}
"""


def plans_of(folder: Path, text: str) -> api.Plans:
    return api.plan(api.Cluster(load_text(folder, text), load_catalog(), ()))


def places(findings: tuple[Diagnostic, ...]) -> set[tuple[str, str]]:
    return {(found.code, found.path) for found in findings}


@pytest.fixture
def accepting(tmp_path: Path) -> tuple[api.Plans, dict[str, str]]:
    """Return a cluster that accepts findings, and its files with FEC off on a port of each leaf."""
    plans = plans_of(tmp_path, roce(extra="uplink_speed: 400G") + ACCEPTING)
    files = api.emit(plans)
    change(files, 'leaf-* config_db.json PORT.Ethernet0.fec = "none"')
    return plans, files


def test_an_inventory_accepts_findings(accepting: tuple[api.Plans, dict[str, str]], tmp_path: Path) -> None:
    verdict = api.judge(*accepting, today=dt.date(2030, 6, 30))
    assert {found.code for found in verdict.accepted} == {"FG213", "FG140"}
    assert ("FG213", PORT) in places(verdict.accepted)
    assert places(verdict.findings) == {
        ("FG213", "devices[leaf-02].ports[Ethernet0]"),
        ("FG001", "accept[FG425]"),
    }
    unused = next(found for found in verdict.findings if found.code == "FG001")
    assert unused.span is not None
    lines = (tmp_path / "fabric.yaml").read_text(encoding="utf-8").splitlines()
    assert "FG425" in lines[(unused.span.line or 0) - 1]


def test_what_was_accepted_until_yesterday_is_back(accepting: tuple[api.Plans, dict[str, str]]) -> None:
    verdict = api.judge(*accepting, today=dt.date(2030, 7, 1))
    assert {found.code for found in verdict.accepted} == {"FG140"}
    assert places(verdict.findings) == {
        ("FG002", "accept[FG213]"),
        ("FG001", "accept[FG425]"),
        ("FG213", PORT),
        ("FG213", "devices[leaf-02].ports[Ethernet0]"),
    }


@pytest.mark.parametrize(("text", "foreign"), [(roce(), "FG5"), (infiniband(), "FG4")])
def test_a_fabric_does_not_pass_the_rules_of_another_kind(tmp_path: Path, text: str, foreign: str) -> None:
    plans = plans_of(tmp_path, text)
    verdict = api.judge(plans, api.emit(plans))
    not_run = dict(verdict.not_run)
    assert {code for code in rules() if code.startswith(foreign)} <= not_run.keys()
    assert not set(verdict.ran) & not_run.keys()
    assert {*verdict.ran, *not_run} == set(rules())


def test_findings_come_in_one_order_whatever_the_order_of_devices_and_links() -> None:
    first = network(
        "roce",
        {
            "leaf-01": {"interfaces": {"Ethernet8": {"mtu_bytes": 1500}}},
            "spine-02": {"qos": {"ports": {"Ethernet0": {"pfc_priorities": [4]}}}},
        },
    )
    names, links = list(first.devices), list(first.links)
    random.Random(7).shuffle(names)
    random.Random(7).shuffle(links)
    second = dataclasses.replace(first, devices={name: first.devices[name] for name in names}, links=tuple(links))
    found, again = (check(one, load_catalog()).findings for one in (first, second))
    assert len(found) > 3
    assert [(one.code, one.path, one.span) for one in found] == [(one.code, one.path, one.span) for one in again]

"""The bench's own judgements, without the programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from fabricgen.cli.main import app
from fabricgen.rehearsal import bench
from fabricgen.rehearsal.bench import BenchError, OpenSmBench
from fabricgen.rehearsal.result import BenchResult
from tests.conftest import ROOT


def test_a_missing_program_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "_SEARCH", str(tmp_path))
    done = CliRunner().invoke(app, ["rehearse", str(ROOT / "tests" / "golden" / "tiny-ib")])
    assert done.exit_code == 2
    assert "opensm is not installed: on Debian, `apt-get install opensm ibsim-utils" in done.output


def test_an_ethernet_fabric_has_no_rehearsal() -> None:
    done = CliRunner().invoke(app, ["rehearse", str(ROOT / "inventories" / "tiny")])
    assert done.exit_code == 2
    assert "no InfiniBand fabric" in done.output


def test_lanes_that_depend_on_the_way_in_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = "ports: in  1, out  5: | 0| 1|\nports: in  2, out  5: | 1| 0|\n"
    monkeypatch.setattr(
        OpenSmBench, "netdiscover", 'Switch\t64 "S-0000000000000001"\t# "leaf" base port 0 lid 7 lmc 0\n'
    )
    monkeypatch.setattr(OpenSmBench, "tool", lambda *_: rows)
    one = OpenSmBench({}, tmp_path)
    with pytest.raises(BenchError, match="are not one table"):
        one.lanes(1, 5)
    monkeypatch.setattr(OpenSmBench, "tool", lambda *_: rows.splitlines()[0])
    assert one.lanes(1, 5) == (0, 1)
    with pytest.raises(BenchError, match="has no LID"):
        one.lanes(2, 5)


def result(tables: dict[str, dict[int, int]]) -> BenchResult:
    """Return two switches in a row with an adapter each: H-…02 at S-…10, H-…04 at S-…20; LIDs 1 and 2."""
    ends = [("H-0000000000000002", 1, "S-0000000000000010", 1), ("H-0000000000000004", 1, "S-0000000000000020", 1),
            ("S-0000000000000010", 2, "S-0000000000000020", 2)]  # fmt: skip
    links = frozenset(frozenset({(a, port_a), (b, port_b)}) for a, port_a, b, port_b in ends)
    nodes = frozenset(node for link in links for node, _ in link)
    return BenchResult("", "", True, "updn", (), {}, nodes, links, nodes, links, "", {3: 1, 5: 2}, tables, 3, {}, {})


GOOD = {"S-0000000000000010": {1: 1, 2: 2}, "S-0000000000000020": {1: 2, 2: 1}}


def test_tables_that_lead_everywhere_have_no_fault() -> None:
    assert result(GOOD).routing_faults() == []


@pytest.mark.parametrize(
    ("table", "fault"),
    [({1: 2, 2: 2}, "a loop"), ({1: 1}, "has no way to LID 2"), ({1: 1, 2: 1}, "arrives at H-0000000000000002")],
)
def test_tables_that_lead_nowhere_are_faults(table: dict[int, int], fault: str) -> None:
    faults = result({**GOOD, "S-0000000000000010": table}).routing_faults()
    assert any(fault in found for found in faults)

"""A rehearsal finds what OpenSM does with files that were changed by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fabricgen.cli.main import app
from fabricgen.rehearsal.bench import PROGRAMS
from tests.conftest import ROOT
from tests.peers import require

pytestmark = pytest.mark.peer

INVENTORY = ROOT / "tests" / "golden" / "tiny-ib"


@pytest.fixture(autouse=True)
def _peers() -> None:
    require(*PROGRAMS)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("rehearse") / "out"
    assert run("build", INVENTORY, "-o", target).exit_code == 0
    return target


def changed(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        file = folder / name
        before = file.read_text()
        after = change(before)
        assert after != before
        file.write_text(after)

    return apply


def option(name: str, value: str) -> Callable[[Path], None]:
    return changed("opensm.conf", lambda text: re.sub(rf"^{name} .*\n", "", text, flags=re.M) + f"{name} {value}\n")


def without_a_cable(text: str) -> str:
    """Take the first cable between two switches out of a netlist, at both ends."""
    near = re.search(r'^Switch.*?"(S-[0-9a-f]+)".*?^(\[(\d+)\]\s+"(S-[0-9a-f]+)"\[(\d+)\].*?\n)', text, re.M | re.S)
    assert near
    far = re.compile(rf'^\[{near[5]}\]\s+"{near[1]}"\[{near[3]}\].*?\n', re.M)
    return far.sub("", text.replace(near[2], "", 1), count=1)


DAMAGE = {
    "an engine that does not exist": (option("routing_engine", "fatree"), {"FG560", "FG561", "FG564"}),
    # ftree then finds roots of its own.
    "roots that are no switches": (
        changed("root_guids.conf", lambda text: re.sub("0x[0-9a-f]+", "0x0123", text)),
        {"FG561"},
    ),
    "an option that does not exist": (option("foo_bar", "TRUE"), {"FG561"}),
    "a value out of range": (option("sm_priority", "99"), {"FG561", "FG564"}),
    "a partition file with an error": (
        changed("partitions.conf", lambda text: text.replace("=0x7fff", "0x7fff", 1)),
        {"FG565"},
    ),
    "members by half of their names": (
        changed("partitions.conf", lambda text: text.replace("=full", "=Full")),
        {"FG561", "FG565"},
    ),
    "LIDs that are not those of the plan": (
        changed("guid2lid", lambda text: re.sub(r"0x0001 0x0001$", "0x0101 0x0101", text, count=1, flags=re.M)),
        {"FG563"},
    ),
}


def test_what_was_built_is_rehearsed_without_a_difference(out: Path) -> None:
    done = run("rehearse", INVENTORY, "--configs", out)
    assert done.exit_code == 0, done.output
    assert "OpenSM routed 4 switches and 8 adapters with ftree" in done.stdout
    assert "nothing found" in done.stdout


@pytest.mark.parametrize("case", DAMAGE)
def test_damage_is_found(case: str, out: Path, tmp_path: Path) -> None:
    damage, expected = DAMAGE[case]
    copy = tmp_path / "out"
    run("build", INVENTORY, "-o", copy)
    damage(copy / "compute" / "subnet-manager")
    done = run("rehearse", INVENTORY, "--configs", copy, "--format", "json", "--keep", tmp_path / "kept")
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)["fabrics"]["compute"]["findings"]
    assert {finding["code"] for finding in found} == expected
    assert all(str(copy) in json.dumps(finding) for finding in found)
    assert (tmp_path / "kept" / "compute" / "bench" / "opensm.log").is_file()


def test_a_missing_cable_is_found(tmp_path: Path) -> None:
    copy = tmp_path / "out"
    run("build", INVENTORY, "-o", copy)
    netlist = copy / "compute" / "subnet-manager" / "fabric.netlist"
    before = netlist.read_text()
    netlist.write_text(without_a_cable(before))
    assert len(netlist.read_text().splitlines()) == len(before.splitlines()) - 2
    done = run("rehearse", INVENTORY, "--configs", copy)
    assert done.exit_code == 1
    assert "FG562" in done.stdout


def test_a_place_that_is_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    done = run("rehearse", INVENTORY, "--keep", tmp_path)
    assert done.exit_code == 2
    assert "not an empty directory" in done.output

"""What ``plan --from`` finds between two states, and what it says of an OLD that it cannot use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fabricgen import api
from fabricgen.cli.main import app
from fabricgen.core.diagnostics import FabricgenError
from fabricgen.report.changes import Change, Verb, compare
from fabricgen.report.changes_text import SHOWN, changes_text
from fabricgen.report.graphs import topology_json
from fabricgen.report.states import DeviceState, FabricState, state_of_documents, state_of_plan
from fabricgen.report.tables import addresses_csv
from tests.clusters import infiniband, roce

LEAF = DeviceState("leaf", "sn5600", "N01")
SPINE = DeviceState("spine", "sn5600", "")
CABLE = (("leaf-01", "a"), ("spine-01", "b"))


def state(**parts: object) -> FabricState:
    base: dict[str, object] = {"devices": {"leaf-01": LEAF, "spine-01": SPINE}, "cables": {CABLE: (400, 300)}}
    return FabricState("compute", **{**base, **parts})  # type: ignore[arg-type]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def inventory(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "fabric.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_state_is_no_different_from_itself() -> None:
    assert compare(state(), state()).changes == ()


@pytest.mark.parametrize(
    ("now", "end", "old", "new"),
    [
        ((("leaf-01", "a"), ("spine-01", "c")), "leaf-01 a", "spine-01 b", "spine-01 c"),
        ((("leaf-01", "z"), ("spine-01", "b")), "spine-01 b", "leaf-01 a", "leaf-01 z"),
    ],
)
def test_a_cable_with_one_end_as_before_is_moved(now: object, end: str, old: str, new: str) -> None:
    assert compare(state(), state(cables={now: (400, 300)})).changes == (Change("cables", Verb.MOVED, end, old, new),)


def test_a_cable_with_two_other_ends_is_another_cable() -> None:
    now = {(("leaf-01", "y"), ("spine-01", "z")): (400, 300)}
    assert [change.verb for change in compare(state(), state(cables=now)).changes] == [Verb.ADDED, Verb.REMOVED]


def test_a_longer_cable_is_changed() -> None:
    (change,) = compare(state(), state(cables={CABLE: (400, 550)})).changes
    assert change == Change("cables", Verb.CHANGED, "leaf-01 a - spine-01 b", "400G, 3 m", "400G, 5.5 m")


def test_a_device_in_another_rack_is_moved_and_one_of_another_model_changed() -> None:
    now = {"leaf-01": DeviceState("leaf", "sn5600", "N02"), "spine-01": DeviceState("spine", "qm9700", "")}
    assert compare(state(), state(devices=now)).changes == (
        Change("devices", Verb.MOVED, "leaf-01", "N01", "N02"),
        Change("devices", Verb.CHANGED, "spine-01", "spine, sn5600", "spine, qm9700"),
    )


def test_a_renamed_device_keeps_its_cables() -> None:
    now = state(devices={"leaf-01": LEAF, "s1": SPINE}, cables={(("leaf-01", "a"), ("s1", "b")): (400, 300)})
    assert compare(state(), now).changes == (Change("devices", Verb.RENAMED, "s1", "spine-01", "s1"),)


def test_addresses() -> None:
    old = state(addresses={("leaf-01", "", "loopback"): "1", ("leaf-01", "a", "address"): "2"})
    new = state(addresses={("leaf-01", "", "loopback"): "9", ("leaf-01", "", "AS number"): "3"})
    assert compare(old, new).changes == (
        Change("addresses", Verb.CHANGED, "leaf-01 loopback", "1", "9"),
        Change("addresses", Verb.ADDED, "leaf-01 AS number", "", "3"),
        Change("addresses", Verb.REMOVED, "leaf-01 a address", "2", ""),
    )


def test_long_lists_are_cut_unless_all_is_asked_for() -> None:
    addresses = {("leaf-01", f"p{number}", "address"): "1" for number in range(SHOWN + 5)}
    found = [compare(state(), state(addresses=addresses))]
    assert "    … 5 more (--all lists them)" in list(changes_text(found, everything=False))
    assert len(list(changes_text(found, everything=True))) == len(list(changes_text(found, everything=False))) + 4


@pytest.mark.parametrize(
    "text", [roce(40, 2, extra="addressing: {links: 10.128.0.0/12}"), infiniband(40)], ids=["roce", "infiniband"]
)
def test_a_state_reads_back_from_what_a_build_writes(tmp_path: Path, text: str) -> None:
    (plan,) = api.plan(api.load(inventory(tmp_path, text))).fabrics
    documents = {"topology.json": topology_json(plan), "addresses.csv": addresses_csv(plan)}
    planned = state_of_plan(plan)
    assert len(planned.cables) == len(plan.fabric.cables)
    assert state_of_documents("compute", documents) == planned


def test_from_an_inventory_and_from_its_output_say_the_same(tmp_path: Path) -> None:
    old, new = inventory(tmp_path / "old", roce(4)), inventory(tmp_path / "new", roce(6))
    api.write(api.build(api.load(old)), tmp_path / "out")
    texts = [run("plan", new, "--from", which) for which in (old, old.parent, tmp_path / "out")]
    assert {text.exit_code for text in texts} == {0}
    assert len({text.stdout for text in texts}) == 1
    assert "devices   2 added" in texts[0].stdout
    data = json.loads(run("plan", new, "--from", old, "--format", "json").stdout)
    added = [change["subject"] for change in data["fabrics"][0]["devices"]["added"]]
    assert added == ["gpu-005", "gpu-006"]


def test_more_spines_are_the_reason(tmp_path: Path) -> None:
    extra = "servers_per_unit: 32\nlink_speed: 400G\nuplink_speed: 400G"
    old, new = (inventory(tmp_path / str(count), roce(count, 8, extra=extra)) for count in (32, 128))
    result = run("plan", new, "--from", old)
    assert result.exit_code == 0, result.output
    assert "  why: links per leaf and spine 16 → 4 because 2 spines became 8\n" in result.stdout


def unusable(old: Path, new: Path) -> str:
    with pytest.raises(FabricgenError) as caught:
        api.changes(api.plan(api.load(new)), old)
    (found,) = caught.value.diagnostics
    assert found.code == "FG013"
    assert found.remedy
    return found.summary


def test_what_cannot_be_compared_with(tmp_path: Path) -> None:
    new = inventory(tmp_path / "new", roce(4))
    assert unusable(tmp_path / "none", new) == "no such file or directory"
    (tmp_path / "empty").mkdir()
    assert unusable(tmp_path / "empty", new) == "the directory has neither manifest.json nor fabric.yaml"
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    assert unusable(tmp_path / "notes.txt", new) == "it is neither an inventory (YAML) nor an output directory"


def test_broken_outputs(tmp_path: Path) -> None:
    new, out = inventory(tmp_path / "new", roce(4)), tmp_path / "out"
    api.write(api.build(api.load(new)), out)
    topology, manifest = out / "compute/topology.json", out / "manifest.json"
    topology.write_text("{}", encoding="utf-8")
    assert unusable(out, new).startswith("compute/topology.json does not have the form that this version writes")
    topology.unlink()
    assert unusable(out, new) == "compute/topology.json cannot be read"
    whole = manifest.read_text(encoding="utf-8")
    manifest.write_text(whole.replace('"schema": 1', '"schema": 7'), encoding="utf-8")
    assert unusable(out, new) == "manifest.json has schema 7 and this version reads 1"
    manifest.write_text("[", encoding="utf-8")
    assert unusable(out, new).startswith("manifest.json cannot be read: ")


def test_the_command_refuses_with_2(tmp_path: Path) -> None:
    new = inventory(tmp_path / "new", roce(4))
    result = run("plan", new, "--from", tmp_path / "none")
    assert result.exit_code == 2
    assert "error[FG013] old-unusable: no such file or directory" in result.stderr

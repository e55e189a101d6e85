from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabricgen.core.diagnostics import FabricgenError
from fabricgen.delivery import compare_tree, digest, make_manifest, read_tree, tree, write_tree

FIRST = {"a/x.conf": "one\n", "b.csv": "two\n"}
SECOND = {"a/x.conf": "changed\n", "c.csv": "three\n"}


def digests(files: dict[str, str]) -> dict[str, str]:
    return {path: digest(content) for path, content in files.items()}


def with_manifest(files: dict[str, str]) -> dict[str, str]:
    return {**files, "manifest.json": make_manifest(digests(files), {"fabric.yaml": "0" * 64})}


def on_disk(target: Path) -> dict[str, str]:
    return {str(path.relative_to(target)): path.read_text() for path in target.rglob("*") if path.is_file()}


def test_a_second_build_replaces_the_first_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "out"
    write_tree(target, with_manifest(FIRST))
    assert on_disk(target) == with_manifest(FIRST)
    write_tree(target, with_manifest(SECOND))
    assert on_disk(target) == with_manifest(SECOND)
    assert [path.name for path in target.parent.iterdir()] == ["out"], "nothing is left beside it"


def test_without_the_one_step_exchange_it_works_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(first: Path, second: Path) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(tree, "_rename_exchange", refuse)
    target = tmp_path / "out"
    write_tree(target, with_manifest(FIRST))
    write_tree(target, with_manifest(SECOND))
    assert on_disk(target) == with_manifest(SECOND)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_failed_write_leaves_the_last_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    write_tree(target, with_manifest(FIRST))

    def fail(staging: Path, final: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tree, "_exchange", fail)
    with pytest.raises(FabricgenError, match="No space left on device"):
        write_tree(target, with_manifest(SECOND))
    assert on_disk(target) == with_manifest(FIRST)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_interrupt_leaves_the_last_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    write_tree(target, with_manifest(FIRST))

    def interrupt(staging: Path, final: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tree, "_exchange", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_tree(target, with_manifest(SECOND))
    assert on_disk(target) == with_manifest(FIRST)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_other_peoples_files_are_never_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "thesis.txt").write_text("mine")
    with pytest.raises(FabricgenError, match=r"FG010.*thesis\.txt"):
        write_tree(target, with_manifest(FIRST))
    assert on_disk(target) == {"thesis.txt": "mine"}


def test_a_file_put_into_the_output_is_not_lost(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_tree(target, with_manifest(FIRST))
    (target / "a" / "notes.txt").write_text("mine")
    with pytest.raises(FabricgenError, match=r"FG010.*a/notes\.txt"):
        write_tree(target, with_manifest(SECOND))
    assert (target / "a" / "notes.txt").read_text() == "mine"


def test_a_file_in_the_way(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("mine")
    with pytest.raises(FabricgenError, match="FG010"):
        write_tree(target, with_manifest(FIRST))
    assert target.read_text() == "mine"


def test_comparison_names_every_difference(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_tree(target, with_manifest(FIRST))
    assert compare_tree(target, digests(with_manifest(FIRST))) == ()
    found = {(difference.path, str(difference.change)) for difference in compare_tree(target, digests(SECOND))}
    assert found == {
        ("a/x.conf", "changed"), ("b.csv", "extra"), ("c.csv", "missing"), ("manifest.json", "extra"),
    }  # fmt: skip
    assert {difference.path for difference in compare_tree(tmp_path / "none", digests(FIRST))} == set(FIRST)


def test_reading_follows_the_manifest_and_stays_inside(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_tree(target, with_manifest(FIRST))
    assert read_tree(target) == FIRST
    secret = tmp_path / "secret"
    secret.write_text("no")
    manifest = json.loads((target / "manifest.json").read_text())
    manifest["files"]["../secret"] = ""
    (target / "manifest.json").write_text(json.dumps(manifest))
    assert read_tree(target) == FIRST
    with pytest.raises(FabricgenError, match="FG012"):
        read_tree(tmp_path / "none")

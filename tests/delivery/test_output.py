"""Files of a build while it is made."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from fabricgen.core.diagnostics import FabricgenError
from fabricgen.delivery import MemoryOutput, Output, StagedOutput, scratch, staged, write_tree

FILES: dict[str, str | bytes] = {"a/text.conf": "größe\n", "b.xlsx": b"\xff\x00"}


@pytest.fixture(params=["memory", "staged"])
def output(request: pytest.FixtureRequest, tmp_path: Path) -> Output[Any]:
    return MemoryOutput() if request.param == "memory" else StagedOutput(tmp_path)


def test_what_is_added_is_there(output: Output[Any]) -> None:
    output.add(FILES)
    assert dict(output) == FILES
    assert len(output) == 2
    assert "b.xlsx" in output
    assert "c" not in output


def test_digests_are_those_of_the_bytes(output: Output[Any]) -> None:
    output.add(FILES)
    assert output.digests() == {
        "a/text.conf": hashlib.sha256("größe\n".encode()).hexdigest(),
        "b.xlsx": hashlib.sha256(b"\xff\x00").hexdigest(),
    }


def test_what_is_stored_is_there_when_it_is_adopted(output: Output[Any]) -> None:
    entries = output.store(FILES)
    assert not dict(output)
    output.adopt(entries)
    assert dict(output) == FILES


def test_what_is_staged_is_moved_in_one_step(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with staged(target) as output:
        output.add(FILES)
        assert not target.exists()
        inode = output.directory.stat().st_ino
        write_tree(target, output)
    assert target.stat().st_ino == inode
    assert target.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_is_staged_elsewhere_is_copied(tmp_path: Path) -> None:
    with scratch() as output:
        output.add(FILES)
        write_tree(tmp_path / "out", output)
        assert dict(output) == FILES
        directory = output.directory
    assert not directory.exists()
    assert (tmp_path / "out" / "b.xlsx").read_bytes() == b"\xff\x00"


def interrupted(target: Path) -> None:
    with staged(target) as output:
        output.add(FILES)
        raise KeyboardInterrupt


def test_what_is_not_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(FabricgenError, match=r"FG011.*No space left"), staged(tmp_path / "out") as output:
        output.add(FILES)
    assert not list(tmp_path.iterdir())

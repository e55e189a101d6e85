"""Every command of the README is run, and what it prints is what the README shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.report.diagrams import topology_svg
from tests.conftest import ROOT

README = ROOT / "README.md"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Commands that the suite cannot run inside itself, and what covers them.
ELSEWHERE = {
    "make run": "the two commands of a fresh clone; test_make_run",
    "make test": "this suite",
    "ansible-playbook": "tests/integrations/test_ansible.py",
}


def sessions() -> list[tuple[str, str]]:
    """Return every command of the README with the output that it shows."""
    found = []
    for block in _BLOCK.findall(README.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command.strip(), output))
    return found


def matches(shown: str, printed: str) -> bool:
    """Return whether the output is as shown; a line that is ``...`` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n"
        for line in shown.rstrip("\n").splitlines()
    )
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed.splitlines())) is not None


def test_the_tour(tmp_path: Path) -> None:
    """The tour runs in one empty directory, in order, as a newcomer would type it."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "COLUMNS": "120",
        "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    ran = 0
    for command, shown in sessions():
        if any(command.startswith(prefix) for prefix in ELSEWHERE):
            continue
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert matches(shown, done.stdout), f"$ {command}\n--- shown\n{shown}\n--- printed\n{done.stdout}"
        ran += 1
    assert ran >= 8


def test_every_console_line_is_covered() -> None:
    commands = {command for command, _ in sessions()}
    assert any(command.startswith("make run") for command in commands)
    assert any(command.startswith("make test") for command in commands)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_make_run_on_what_is_installed(tmp_path: Path) -> None:
    """`make run` builds, validates and says where to look; installing is left out here, .ci/run does it."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "fabricgen").symlink_to(Path(sys.executable).with_name("fabricgen"))
    (programs / "python").symlink_to(sys.executable)
    (tmp_path / ".venv" / ".ready").touch()
    done = subprocess.run(
        ["make", "run", f"SAMPLE={ROOT}/inventories/roce-h200-32", f"OUT={tmp_path}/out"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"files written to {tmp_path}/out" in done.stdout
    assert f"Look at {tmp_path}/out/summary.md" in done.stdout
    assert (tmp_path / "out/compute/switches/leaf-08/frr.conf").is_file()


@pytest.mark.parametrize("name", ["github/fabric.yml", "gitlab/fabric.gitlab-ci.yml"])
def test_pipelines_call_commands_that_exist(name: str, tmp_path: Path) -> None:
    text = (ROOT / "integrations" / name).read_text(encoding="utf-8")
    calls = re.findall(r"fabricgen (?:validate|build) .*", text)
    assert len(calls) == 2
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    shutil.copytree(ROOT / "inventories" / "tiny", tmp_path / "inventory")
    subprocess.run(["fabricgen", "build", "inventory", "-o", "out"], cwd=tmp_path, env=environment, check=True)
    for call in calls:
        subprocess.run(call.split(), cwd=tmp_path, env=environment, check=True)


def test_the_picture_is_what_fabricgen_draws(update_golden: bool) -> None:
    """`make golden` draws it anew."""
    picture = ROOT / "docs" / "images" / "roce-h200-32.svg"
    (plan,) = api.plan(api.load(ROOT / "inventories" / "roce-h200-32")).fabrics
    drawn = topology_svg(plan.fabric)
    if update_golden:
        picture.write_text(drawn, encoding="utf-8")
    assert picture.read_text(encoding="utf-8") == drawn

"""An installed wheel is whole: templates, schemas and inventories are found from it as from a checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fabricgen.core.resources import resource_directory
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    done = subprocess.run([*command, str(ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


def test_a_checkout_uses_its_own_files() -> None:
    assert resource_directory("templates") == ROOT / "templates"


def test_the_wheel_holds_everything(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("templates", "schemas", "inventories"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file():
                assert f"fabricgen/_resources/{file.relative_to(ROOT)}" in names
    for file in sorted((ROOT / "fabricgen" / "catalog" / "data").rglob("*.yaml")):
        assert str(file.relative_to(ROOT)) in names
    assert not [name for name in names if name.startswith("tests/")]


def test_a_build_from_the_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    work = tmp_path / "work"
    work.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    # -S would hide the dependencies too, so the wheel is put in front of the editable checkout instead
    program = "import sys; from fabricgen.cli.main import main; sys.argv = ['fabricgen', *sys.argv[1:]]; main()"

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=work, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    where = subprocess.run(
        [sys.executable, "-c", "import fabricgen; print(fabricgen.__file__)"],
        cwd=work, env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert where.startswith(str(site)), "the wheel is what is tested"
    run("init", "cluster", "--servers", "4")
    run("build", "cluster", "-o", "out")
    assert (work / "out/compute/switches/leaf-01/frr.conf").is_file()
    assert json.loads(run("schema", "inventory"))["title"] == "Inventory"

"""The layout is the architecture: what may import what, and what no module may do."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "fabricgen"
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(module: Path) -> str:
    return str(module.relative_to(ROOT))


def test_imports_go_one_way() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_modules_are_short(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_only_the_command_line_prints_and_exits(module: Path) -> None:
    if module.is_relative_to(PACKAGE / "cli"):
        return
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "exit", "input"}, f"line {node.lineno}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert (node.value.id, node.attr) != ("sys", "exit"), f"line {node.lineno}"


FILES = {"inventory/loader.py", "delivery/tree.py", "report/text.py"}


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_only_loaders_and_delivery_touch_files(module: Path) -> None:
    """Catalog, inventory and delivery read and write files; platforms, plans, rules and designs never do."""
    relative = module.relative_to(PACKAGE)
    if relative.parts[0] not in {"topology", "planning", "rules", "device", "report"} or str(relative) in FILES:
        return
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in {"open", "read_text", "write_text", "read_bytes", "write_bytes"}, f"line {node.lineno}"


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_no_module_keeps_mutable_state(module: Path) -> None:
    """A list, dictionary or set at module level may be read; nothing may change one from a function."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Global), f"line {node.lineno}"

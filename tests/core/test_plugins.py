from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fabricgen.core.plugins import collect


def package(tmp_path: Path, name: str, modules: dict[str, str]) -> object:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)
    sys.path.insert(0, str(tmp_path))
    try:
        return __import__(name)
    finally:
        sys.path.pop(0)


def test_values_are_found_and_sorted(tmp_path: Path) -> None:
    found = package(tmp_path, "plugins_ok", {"b": "VALUE = 2.5\n", "a": "VALUE = 1.5\nOTHER = 'x'\n"})
    sys.path.insert(0, str(tmp_path))
    try:
        assert dict(collect(found, float, str)) == {"1.5": 1.5, "2.5": 2.5}  # type: ignore[arg-type]
    finally:
        sys.path.pop(0)


def test_a_name_used_twice_names_both_modules(tmp_path: Path) -> None:
    found = package(tmp_path, "plugins_twice", {"a": "VALUE = [1]\n", "b": "VALUE = [2]\n"})
    sys.path.insert(0, str(tmp_path))
    try:
        with pytest.raises(ValueError, match=r"plugins_twice\.a and in plugins_twice\.b"):
            collect(found, list, lambda _: "same")  # type: ignore[arg-type]
    finally:
        sys.path.pop(0)

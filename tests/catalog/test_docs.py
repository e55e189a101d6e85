"""What ``docs/catalog.md`` shows is so."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner

from fabricgen.catalog import check_catalog, load_catalog
from fabricgen.cli.main import app
from tests.conftest import ROOT

TEXT = (ROOT / "docs/catalog.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_list_is_as_shown() -> None:
    command, _, shown = blocks("console")[0].partition("\n")
    printed = CliRunner().invoke(app, command.split()[2:]).stdout
    assert [line.rstrip() for line in printed.splitlines()] == [line.rstrip() for line in shown.splitlines()]


def test_every_filter_of_the_table_exists() -> None:
    for option, value in re.findall(r"^\| `(--\w+) (\S+)` \|", TEXT, re.MULTILINE):
        result = CliRunner().invoke(app, ["catalog", "list", option, value, "--format", "json"])
        assert result.exit_code == 0
        assert result.stdout != "[]\n"


def test_the_example_of_an_entry_is_in_order(tmp_path: Path) -> None:
    entry, sources = blocks("yaml")
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters/our-nic.yaml").write_text(entry, encoding="utf-8")
    (tmp_path / "sources.yaml").write_text(sources, encoding="utf-8")
    assert check_catalog(tmp_path) == ()
    assert load_catalog(tmp_path).adapters["our-nic"].power_max_w == 25

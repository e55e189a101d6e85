"""Entries that are read on demand, and the search for a SKU through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen.catalog import CatalogError, Entries, load_catalog
from tests.catalog.directories import SWITCH, write


def test_entries_are_in_natural_order_and_read_once(tmp_path: Path) -> None:
    names = ("x10", "x9", "x2")
    for name in names:
        (tmp_path / name).write_text(name)
    read: list[str] = []

    def reader(file: Path) -> str:
        read.append(file.name)
        return file.read_text()

    entries = Entries({name: tmp_path / name for name in names}, reader)
    assert list(entries) == ["x2", "x9", "x10"]
    assert len(entries) == 3
    assert "x9" in entries
    assert read == []
    assert list(entries.mentioning("x1")) == ["x10"]
    assert read == ["x10"]
    assert list(entries.values()) == ["x2", "x9", "x10"]
    assert read == ["x10", "x2", "x9"]
    assert entries.file("x9") == tmp_path / "x9"


def test_a_sku_is_found_without_reading_the_other_switches(tmp_path: Path) -> None:
    write(tmp_path, switches__broken="id: [", switches__two_cages=SWITCH.format(id="two-cages"))
    catalog = load_catalog(tmp_path)
    for sku in ("Example-2", "Example-2-Split"):
        found = catalog.switch_of_sku(sku)
        assert found is not None
        assert found.id == "two-cages"
    assert catalog.switch_of_sku("Example") is None
    assert catalog.switch_of_sku("") is None
    assert catalog.switch_of_sku(None) is None


def test_a_broken_file_that_mentions_the_sku_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, switches__broken="id: [Example-2")
    with pytest.raises(CatalogError):
        load_catalog(tmp_path).switch_of_sku("Example-2")


def test_a_sku_of_its_own_goes_before_one_that_is_listed(tmp_path: Path) -> None:
    own = SWITCH.format(id="z-own").replace("hwsku: Example-2\n", "hwsku: Example-2-Split\n")
    write(
        tmp_path,
        switches__a_lists=SWITCH.format(id="a-lists"),
        switches__z_own=own.replace("  other_hwskus: [Example-2-Split]\n", ""),
    )
    found = load_catalog(tmp_path).switch_of_sku("Example-2-Split")
    assert found is not None
    assert found.id == "z-own"


def test_a_search_by_sku_needs_no_files() -> None:
    ours = load_catalog()
    copy = type(ours)(dict(ours.switches), {}, {}, {}, {}, {})
    assert copy.switch_of_sku("ACS-SN5600") == ours.switches["sn5600"]

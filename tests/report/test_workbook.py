"""The workbook, read with openpyxl."""

from __future__ import annotations

import io
import zipfile
from importlib.machinery import ModuleSpec
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

from fabricgen import api
from fabricgen.cli.main import app
from fabricgen.report import workbook


@pytest.fixture(scope="module")
def result(inventories: Path) -> api.Build:
    return api.build(api.load(inventories / "roce-h200-32"), workbooks=True)


@pytest.fixture(scope="module")
def xlsx(result: api.Build) -> bytes:
    content = result.files["compute/cabling.xlsx"]
    assert isinstance(content, bytes)
    return content


def test_there_is_a_summary_all_cables_and_a_sheet_for_each_rack(result: api.Build, xlsx: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(xlsx))
    assert book.sheetnames == ["Summary", "Cables", *(f"A{n:02d}" for n in range(1, 9)), "N01", "S01"]
    cables = book["Cables"]
    text = result.files["compute/cabling.csv"]
    assert isinstance(text, str)
    assert [[cell.value or "" for cell in row] for row in cables["A1:B3"]] == [
        line.split(",")[:2] for line in text.splitlines()[:3]
    ]
    assert cables.max_row == 385
    assert cables["K2"].value == 10.5, "figures are numbers"
    assert cables.freeze_panes == "A2"


def test_a_racks_sheet_has_every_end_in_it_from_the_bottom_up(xlsx: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(xlsx))
    rows = list(book["N01"].iter_rows(min_row=2, values_only=True))
    assert len(rows) == 256 + 128, "both the links to servers and those to spines"
    units = [int(str(row[0])) for row in rows]
    assert units == sorted(units)
    assert set(units) == set(range(1, 17, 2)), "eight switches of two units"
    assert rows[0][:4] == (1, "leaf-01", "1", "1/1")
    assert rows[0][12:] == ("A01", 1, "h200-001", "compute1")


def test_the_same_input_gives_the_same_bytes(xlsx: bytes, inventories: Path) -> None:
    again = api.build(api.load(inventories / "roce-h200-32"), workbooks=True).files["compute/cabling.xlsx"]
    assert again == xlsx
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"1980-01-01" in archive.read("docProps/core.xml")


def test_it_is_written_compared_and_listed_like_any_file(result: api.Build, xlsx: bytes, tmp_path: Path) -> None:
    api.write(result, tmp_path / "out")
    assert (tmp_path / "out" / "compute" / "cabling.xlsx").read_bytes() == xlsx
    assert api.compare(result, tmp_path / "out") == ()
    assert "compute/cabling.xlsx" not in api.stored_configuration(tmp_path / "out")
    (tmp_path / "out" / "compute" / "cabling.xlsx").write_bytes(b"other")
    assert [found.path for found in api.compare(result, tmp_path / "out")] == ["compute/cabling.xlsx"]


def test_titles_of_sheets_are_short_and_never_twice() -> None:
    assert workbook._title("R" * 40, []) == "R" * 31
    assert workbook._title("R" * 40, ["R" * 31]) == "R" * 29 + "~2"
    assert workbook._title("cables", ["Cables"]) == "cables~2"


def test_without_openpyxl_the_command_says_how_to_get_it(
    inventories: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(workbook, "find_spec", missing)
    result = CliRunner().invoke(app, ["build", str(inventories / "tiny"), "-o", str(tmp_path / "out"), "--xlsx"])
    assert result.exit_code == 2
    assert "--xlsx needs openpyxl: run `pip install 'fabricgen[xlsx]'`" in result.stderr
    assert not (tmp_path / "out").exists()

"""The cabling plan as an Excel workbook: a summary, all cables, and a sheet for each rack.

openpyxl is an extra (``pip install 'fabricgen[xlsx]'``), so it is imported when a workbook is made.
"""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from fabricgen.core.model import natural_key
from fabricgen.report import bom
from fabricgen.report.bom import Item
from fabricgen.report.cabling import COLUMNS, Cell

if TYPE_CHECKING:
    from openpyxl import Workbook

#: What office programs say of a document's age; the first day that a zip archive can hold.
_EPOCH = dt.datetime(1980, 1, 1)  # noqa: DTZ001 - the format has no time zones
_NUMBERS = frozenset({"speed_gbps", "length_m", "count", "rack_units", "power_w", "unit_price", "price"})

RACK_COLUMNS = (
    *("unit", "device", "cage", "label", "port", "plug", "text", "cable", "leg", "part", "type", "length_m"),
    *("to_rack", "to_unit", "to_device", "to_label"),
)
"""Columns of a rack's sheet: the end that is in the rack, the cable, and where it goes."""


def is_available() -> bool:
    """Return whether openpyxl is installed."""
    return find_spec("openpyxl") is not None


def cabling_xlsx(name: str, rows: Sequence[Sequence[Cell]], items: Sequence[Item], currency: str | None) -> bytes:
    """Return the workbook of a fabric; the same input gives the same bytes with the same openpyxl and zlib.

    Args:
        name: the fabric's name.
        rows: the cabling plan, by the columns of :mod:`fabricgen.report.cabling`.
        items: the bill of materials.
        currency: that of the bill's prices, if it has any.

    Raises:
        ImportError: openpyxl is not installed.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    book.properties.creator = "fabricgen"
    book.properties.title = f"Cabling of {name}"
    book.properties.created = _EPOCH
    book.properties.modified = _EPOCH
    _sheet(book, "Summary", bom.COLUMNS, bom.bom_rows(items, currency))
    _sheet(book, "Cables", COLUMNS, rows)
    for rack, ends in _by_rack(rows).items():
        _sheet(book, _title(rack, book.sheetnames), RACK_COLUMNS, ends)
    return _saved(book)


def _by_rack(rows: Iterable[Sequence[Cell]]) -> dict[str, list[tuple[Cell, ...]]]:
    """Return for each rack a line for each cable end in it, from the lowest unit up."""
    racks: dict[str, list[tuple[Cell, ...]]] = defaultdict(list)
    for row in rows:
        cells = dict(zip(COLUMNS, row, strict=True))
        for here, there in ("ab", "ba"):
            rack = cells[f"{here}_rack"]
            if rack is not None:
                near = [cells[f"{here}_{column}"] for column in RACK_COLUMNS[:7]]
                far = [cells[f"{there}_{column.removeprefix('to_')}"] for column in RACK_COLUMNS[12:]]
                racks[str(rack)].append((*near, *(cells[column] for column in RACK_COLUMNS[7:12]), *far))
    for ends in racks.values():
        ends.sort(key=lambda end: (int(end[0] or 0), natural_key(str(end[1])), natural_key(str(end[3]))))
    return dict(sorted(racks.items(), key=lambda entry: natural_key(entry[0])))


def _sheet(book: Workbook, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet = book.create_sheet(title)
    table = [[_cell(column, value) for column, value in zip(columns, row, strict=True)] for row in rows]
    for index, column in enumerate(columns):
        longest = max((len(str(row[index])) for row in table if row[index] is not None), default=0)
        sheet.column_dimensions[get_column_letter(index + 1)].width = max(longest, len(column)) + 2
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(columns))}{len(table) + 1}"
    sheet.print_title_rows = "1:1"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    heading = []
    for column in columns:
        cell = WriteOnlyCell(sheet, column)
        cell.font = Font(bold=True)
        heading.append(cell)
    sheet.append(heading)
    for row in table:
        sheet.append(row)


def _cell(column: str, value: object) -> object:
    """Return a value as a cell has it: figures as numbers, so that they can be summed."""
    return float(str(value)) if column in _NUMBERS and value is not None else value


def _title(rack: str, taken: Iterable[str]) -> str:
    """Return a sheet's title: at most 31 characters, and none twice in any case."""
    known = {title.lower() for title in taken}
    title, number = rack[:31], 1
    while title.lower() in known:
        number += 1
        suffix = f"~{number}"
        title = rack[: 31 - len(suffix)] + suffix
    return title


def _saved(book: Workbook) -> bytes:
    """Return the file. ``Workbook.save`` puts the time into it, so its steps are taken here with a fixed one."""
    from openpyxl.writer.excel import ExcelWriter

    raw, fixed = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        ExcelWriter(book, archive).save()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, date_time=_EPOCH.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, source.read(name))
    return fixed.getvalue()

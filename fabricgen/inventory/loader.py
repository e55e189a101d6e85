"""Loads an inventory: a file, or a directory with ``fabric.yaml`` and an optional ``guids.csv``."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fabricgen.core.diagnostics import Note, Report, Span
from fabricgen.core.documents import UNREADABLE, Document, format_path, parse_document
from fabricgen.core.documents import Path as ValuePath
from fabricgen.core.guids import parse_guid
from fabricgen.core.provenance import Origin
from fabricgen.core.validation import validate
from fabricgen.inventory.checks import check_inventory
from fabricgen.inventory.kinds import GUID_FILE
from fabricgen.inventory.models import Inventory
from fabricgen.inventory.prices import Prices, read_prices

MAX_FILE_BYTES = 32 << 20


@dataclass(frozen=True)
class LoadedInventory:
    """An inventory, and where everything in it stands.

    Attributes:
        document: the main file.
        directory: the folder that it is in; relative names in it start there.
        digests: SHA-256 of every input file, by the name relative to ``directory``.
        guids: real GUIDs by device and port; port 0 is the device itself.
        prices: the user's price list, if the inventory names one.
    """

    inventory: Inventory
    document: Document
    directory: Path
    digests: Mapping[str, str]
    guids: Mapping[tuple[str, int], int]
    prices: Prices | None = None
    _origins: dict[ValuePath, Origin] = field(default_factory=dict, compare=False, repr=False)

    def span(self, *path: str | int) -> Span:
        """Return the place of a value."""
        return self.document.span(path)

    def origin(self, *path: str | int) -> Origin:
        """Return the origin of what a value asked for; one object for each path."""
        if path not in self._origins:
            self._origins[path] = Origin(format_path(path), self.document.span(path))
        return self._origins[path]


def load_inventory(location: Path, report: Report) -> LoadedInventory:
    """Load and check an inventory.

    Args:
        location: a YAML file, or a directory that holds ``fabric.yaml``.
        report: takes everything that is wrong.

    Raises:
        FabricgenError: the inventory has errors; all of them are in it.
    """
    main = location / "fabric.yaml" if location.is_dir() else location
    text = _read_text(main, report)
    report.stop_on_errors()
    document = parse_document(text, str(main), report)
    report.stop_on_errors()
    inventory = validate(Inventory, document, report)
    digests = {main.name: _digest(text)}
    guids: Mapping[tuple[str, int], int] = {}
    guid_file = main.parent / "guids.csv"
    if guid_file.is_file():
        guid_text = _read_text(guid_file, report)
        digests[guid_file.name] = _digest(guid_text)
        guids = read_guids(guid_text, str(guid_file), report)
    prices = None
    if inventory is not None:
        check_inventory(inventory, document, report)
        if inventory.bill.prices is not None:
            price_file = main.parent / inventory.bill.prices
            price_text = _read_text(price_file, report)
            digests[inventory.bill.prices] = _digest(price_text)
            prices = read_prices(price_text, str(price_file), report) if price_text else None
    report.stop_on_errors()
    assert inventory is not None
    return LoadedInventory(inventory, document, main.parent, digests, guids, prices)


def _read_text(file: Path, report: Report) -> str:
    """Return the text of a file; where it says nothing, that goes into the report and the text is empty."""
    text = ""
    try:
        size = file.stat().st_size
        text = file.read_text(encoding="utf-8-sig") if size <= MAX_FILE_BYTES else ""
        if size > MAX_FILE_BYTES:
            problem = f"the file is larger than {MAX_FILE_BYTES >> 20} MiB"
            remedy = "an inventory holds intent, a few pages: name groups and counts instead of single devices"
        elif not text.strip():
            problem, remedy = "the file is empty", "start from `fabricgen init`"
        else:
            return text
    except FileNotFoundError:
        near = sorted(str(other) for other in file.parent.glob("*.y*ml")) if file.parent.is_dir() else []
        problem = "no such file" + (f"; there is {', '.join(near[:3])}" if near else "")
        remedy = "check the path, or run `fabricgen init` to start"
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
        remedy = "save the file as UTF-8"
    except OSError as error:
        problem, remedy = error.strerror or str(error), "make it readable"
    report.add(UNREADABLE.at("", problem, span=Span(str(file)), remedy=remedy))
    return ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read_guids(text: str, file: str, report: Report) -> dict[tuple[str, int], int]:
    """Read ``device,port,guid`` lines: port 0 (or empty) for a switch's node GUID, 1 and up for adapter ports.

    Args:
        text: the file, with or without the heading ``device,port,guid``.
        file: its name for findings.
        report: takes FG138 for every line that is wrong.
    """
    found: dict[tuple[str, int], int] = {}
    lines: dict[int, int] = {}
    for line, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#") or [cell.lower() for cell in cells] == ["device", "port", "guid"]:
            continue
        span = Span(file, line, 1)
        if len(cells) != 3 or not (cells[1] or "0").isdigit():
            report.add(
                GUID_FILE.at(
                    "",
                    f"{','.join(cells)!r} is not `device,port,guid`",
                    span=span,
                    remedy="write one device, its port number and the GUID on each line",
                )
            )
            continue
        try:
            guid = parse_guid(cells[2])
        except ValueError as error:
            report.add(GUID_FILE.at(cells[0], str(error), span=span, remedy="write the GUID as 0x and 16 hex digits"))
            continue
        key = (cells[0], int(cells[1] or 0))
        if guid in lines or key in found:
            first = lines.get(guid, next((lines[other] for name, other in found.items() if name == key), line))
            report.add(
                GUID_FILE.at(
                    cells[0],
                    f"{cells[2]} or {cells[0]} port {key[1]} is given twice",
                    span=span,
                    related=[Note("first given here", Span(file, first, 1))],
                    remedy="remove one of the two lines",
                )
            )
            continue
        found[key] = guid
        lines[guid] = line
    return found

"""The user's price list. fabricgen has no prices of its own."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from fabricgen.core.diagnostics import Report, Span
from fabricgen.core.units import parse_length_cm
from fabricgen.inventory.kinds import PRICE_LIST

COLUMNS = ("item", "length_m", "price", "currency")


@dataclass(frozen=True)
class Prices:
    """Prices in one currency.

    Attributes:
        of: by catalog id and length in centimetres; None for any length.
    """

    currency: str
    of: Mapping[tuple[str, int | None], Decimal]


def read_prices(text: str, file: str, report: Report) -> Prices | None:
    """Read a price list: a CSV file whose first line is ``item,length_m,price,currency``.

    Args:
        text: the file.
        file: its name for findings.
        report: takes FG146 for every line that is wrong.

    Returns:
        The prices, or None if there is none.
    """

    def wrong(line: int, summary: str, remedy: str) -> None:
        report.add(PRICE_LIST.at("bill.prices", summary, span=Span(file, line, 1), remedy=remedy))

    rows = csv.reader(io.StringIO(text))
    heading = tuple(cell.strip().lower() for cell in next(rows, ()))
    if heading != COLUMNS:
        wrong(1, f"the first line is `{','.join(heading)}`", f"make it `{','.join(COLUMNS)}`")
        return None
    found: dict[tuple[str, int | None], Decimal] = {}
    currency = ""
    for line, row in enumerate(rows, start=2):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        entry = _entry(cells)
        if isinstance(entry, str):
            wrong(line, entry, "write a catalog id, a length in metres or nothing, a price such as 1250.00, and EUR")
        elif currency and entry[2] != currency:
            wrong(line, f"{entry[2]} follows {currency}", "convert all prices to one currency: totals are sums")
        elif entry[0] in found:
            wrong(line, f"{cells[0]} {cells[1]} has a price already".replace("  ", " "), "remove one of the two lines")
        else:
            found[entry[0]], currency = entry[1], entry[2]
    return Prices(currency, found) if found else None


def _entry(cells: list[str]) -> tuple[tuple[str, int | None], Decimal, str] | str:
    """Return the key, price and currency of a line, or what is wrong with it."""
    if len(cells) != len(COLUMNS) or not cells[0] or not cells[3]:
        return f"`{','.join(cells)}` is not `{','.join(COLUMNS)}`"
    try:
        length = parse_length_cm(cells[1]) if cells[1] else None
        price = Decimal(cells[2])
    except InvalidOperation:
        return f"`{cells[2]}` is not a price"
    except ValueError as error:
        return str(error)
    if not price.is_finite() or price < 0:
        return f"`{cells[2]}` is not a price"
    return (cells[0], length), price, cells[3].upper()

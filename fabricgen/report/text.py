"""Findings and plans as text for a terminal. Understandable without colour; colour only where the stream is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fabricgen.core.diagnostics import Diagnostic, Severity, Span

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}

#: Returns a line of a file by name and number, or None.
Lines = Callable[[str, int], str | None]


def file_lines(file: str, number: int) -> str | None:
    """Return a line of a file on disk, or None where it cannot be read."""
    try:
        with Path(file).open(encoding="utf-8", errors="replace") as stream:
            for index, line in enumerate(stream, start=1):
                if index == number:
                    return line.rstrip("\n")
    except OSError:
        return None
    return None


def print_diagnostics(console: Console, diagnostics: Iterable[Diagnostic], lines: Lines = file_lines) -> None:
    """Print findings, worst first, each with its line, notes and remedy.

    Findings that say the same of several places are printed once, with the places.
    """
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for found in sorted(diagnostics, key=lambda found: (found.severity.rank, found.sort_key())):
        groups.setdefault((found.code, found.severity, found.summary, found.remedy), []).append(found)
    for first, *others in groups.values():
        console.print(_diagnostic(first, others, lines), soft_wrap=True)


def _diagnostic(found: Diagnostic, others: Sequence[Diagnostic], lines: Lines) -> Text:
    text = Text()
    if found.span is not None:
        text.append(f"{found.span}: ", style="bold")
    text.append(f"{found.severity}[{found.code}]", style=_STYLES[found.severity])
    text.append(f" {found.name}")
    if found.path:
        text.append(f": {found.path}")
    text.append(f": {found.summary}\n", style="bold")
    _append_line(text, found.span, lines)
    for note in found.related:
        where = f"{note.span}: " if note.span else ""
        text.append("  note: ", style="cyan").append(f"{where}{note.text}\n")
    if others:
        shown = ", ".join(other.path for other in others[:3]) + (", …" if len(others) > 3 else "")
        text.append("  also: ", style="cyan").append(f"{len(others)} more with the same finding: {shown}\n")
    text.append("  remedy: ", style="green").append(found.remedy)
    return text


def _append_line(text: Text, span: Span | None, lines: Lines) -> None:
    if span is None or span.line is None:
        return
    line = lines(span.file, span.line)
    if line is None:
        return
    shown = line.replace("\t", " ")[:160]
    gutter = f"{span.line:>5} | "
    text.append(gutter, style="dim").append(shown + "\n")
    if span.column is not None and span.column <= len(shown) + 1:
        text.append(" " * (len(gutter) - 2) + "| ", style="dim").append(" " * (span.column - 1)).append(
            "^\n", style="red"
        )


def count_line(diagnostics: Sequence[Diagnostic]) -> str:
    """Return ``2 errors, 1 warning`` or ``nothing found``."""
    parts = []
    for severity in Severity:
        number = sum(found.severity is severity for found in diagnostics)
        if number:
            word = "note" if severity is Severity.INFO else str(severity)
            parts.append(f"{number} {word}{'s' if number != 1 else ''}")
    return ", ".join(parts) or "nothing found"


def make_table(title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a plain table; columns of numbers are right-aligned."""
    cells = [[str(cell) for cell in row] for row in rows]
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for index, column in enumerate(columns):
        numeric = bool(cells) and all(row[index].replace(",", "").replace("-", "").isdigit() for row in cells)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*row)
    return table

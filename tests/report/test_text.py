from __future__ import annotations

import io

from rich.console import Console

from fabricgen.core.diagnostics import Diagnostic, Kind, Note, Severity, Span
from fabricgen.report.text import count_line, make_table, print_diagnostics

BAD = Kind("FG998", "bad-thing", Severity.ERROR, "a title", "a reason")
MILD = Kind("FG999", "mild-thing", Severity.INFO, "a title", "a reason")
TEXT = ["first line", "\tport: [bold]x[/bold]"]


def printed(found: list[Diagnostic], *, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=200, highlight=False, force_terminal=colour, color_system="standard" if colour else None
    )

    def lines(file: str, number: int) -> str | None:
        return TEXT[number - 1] if file == "f" and number <= len(TEXT) else None

    print_diagnostics(console, found, lines)
    return stream.getvalue()


def test_a_finding_shows_its_line_notes_and_remedy() -> None:
    found = BAD.at(
        "devices[a]", "it is 1, it must be 2", span=Span("f", 2, 2), related=[Note("the other end", Span("f", 1))],
        remedy="set it to 2",
    )  # fmt: skip
    assert printed([found]) == (
        "f:2:2: error[FG998] bad-thing: devices[a]: it is 1, it must be 2\n"
        "    2 |  port: [bold]x[/bold]\n"
        "      |  ^\n"
        "  note: f:1: the other end\n"
        "  remedy: set it to 2\n"
    )


def test_the_worst_comes_first_and_equal_ones_once() -> None:
    found = [MILD.at("x", "mild", remedy="r")]
    found += [BAD.at(f"devices[{name}]", "same", remedy="r") for name in ("a", "b", "c", "d", "e")]
    text = printed(found)
    assert text.index("FG998") < text.index("FG999")
    assert text.count("FG998") == 1
    assert "also: 4 more with the same finding: devices[b], devices[c], devices[d], …" in text


def test_it_is_understandable_without_colour() -> None:
    found = [BAD.at("p", "s", remedy="r")]
    coloured = printed(found, colour=True)
    assert "\x1b[" in coloured
    assert "\x1b[" not in printed(found)


def test_counts() -> None:
    assert count_line([]) == "nothing found"
    two = [BAD.at("p", "s", remedy="r")] * 2
    assert count_line([*two, MILD.at("p", "s", remedy="r")]) == "2 errors, 1 note"


def test_numbers_stand_right() -> None:
    stream = io.StringIO()
    Console(file=stream, width=80).print(make_table(None, ("name", "number"), [("a", 5), ("b", 12345)]))
    assert [line.rstrip() for line in stream.getvalue().splitlines()] == [
        "name  number",
        "a          5",
        "b      12345",
    ]

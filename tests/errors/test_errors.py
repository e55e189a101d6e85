"""Bad inventories with their exact expected output in the first comment; `make golden` writes the comments anew."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from fabricgen import api
from fabricgen.core.diagnostics import FabricgenError
from fabricgen.report.text import print_diagnostics

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*.yaml"))


def output(case: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(HERE)
    stream = io.StringIO()
    console = Console(file=stream, width=500, no_color=True, highlight=False, soft_wrap=True)
    with pytest.raises(FabricgenError) as caught:
        api.plan(api.load(Path(case.name)))
    print_diagnostics(console, caught.value.diagnostics)
    return stream.getvalue()


def split(text: str) -> tuple[str, str]:
    """Return the first comment without its marks, and the rest."""
    lines = text.splitlines(keepends=True)
    end = next((index for index, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join(line.removeprefix("#").removeprefix(" ") for line in lines[:end]), "".join(lines[end:])


def with_comment(expected: str, body: str) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in expected.splitlines()) + body


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_the_error_is_as_expected(case: Path, update_golden: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found = output(case, monkeypatch)
    expected, body = split(case.read_text(encoding="utf-8"))
    if update_golden:
        for _ in range(4):  # the comment's length moves the lines that it names
            case.write_text(with_comment(found, body), encoding="utf-8")
            found = output(case, monkeypatch)
        return
    assert [line.rstrip() for line in found.splitlines()] == [line.rstrip() for line in expected.splitlines()]


def test_there_are_cases() -> None:
    assert len(CASES) >= 20

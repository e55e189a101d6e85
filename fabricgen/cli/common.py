"""What commands share: consoles, exit codes, and the way from an exception to a message."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from fabricgen.core.diagnostics import Diagnostic, FabricgenError
    from fabricgen.core.files import FileTree
    from fabricgen.report.text import Lines

EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_WRONG_INPUT = 2
EXIT_INTERNAL = 3
EXIT_INTERRUPTED = 130


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


class FailOn(StrEnum):
    """The least bad finding that makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"


InventoryArgument = Annotated[
    Path, typer.Argument(help="The inventory: a YAML file, or a directory with fabric.yaml.", metavar="INVENTORY")
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="Form of the result on stdout.")]
FabricOption = Annotated[
    list[str] | None, typer.Option("--fabric", help="Only this fabric; may be given several times.")
]
FailOnOption = Annotated[FailOn, typer.Option("--fail-on", help="Least bad finding that makes the exit code 1.")]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, show_default="all processors", help="Processes to use; the result is always the same."
    ),
]


def jobs_of(wanted: int | None) -> int:
    """Return how many processes to use."""
    from fabricgen.core.workers import usable_cpus

    return wanted or usable_cpus()


def stdout() -> Console:
    """Return the console for results."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True, markup=False)


def stderr() -> Console:
    """Return the console for progress and problems."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True, markup=False)


def say(console: Console, important: str, rest: str = "") -> None:
    """Print a line whose beginning is bold. Text is never read as markup: names of files may hold brackets."""
    from rich.text import Text

    console.print(Text.assemble((important, "bold"), rest))


@contextlib.contextmanager
def working(console: Console, what: str) -> Iterator[None]:
    """Show that work is going on, on a terminal only."""
    if console.is_terminal:
        with console.status(what):
            yield
    else:
        yield


@contextlib.contextmanager
def refusing(output: Format = Format.TEXT) -> Iterator[None]:
    """Turn a :class:`FabricgenError` into findings on stderr (JSON: on stdout) and exit code 2.

    A worker process that was killed ends the command with exit code 3, since neither input nor findings are at fault.
    """
    from fabricgen.core.diagnostics import FabricgenError
    from fabricgen.core.workers import WorkerLostError

    try:
        yield
    except FabricgenError as error:
        fail(error, output)
    except WorkerLostError as error:
        typer.echo(f"fabricgen: {error}; nothing was written", err=True)
        raise typer.Exit(EXIT_INTERNAL) from error


def fail(error: FabricgenError, output: Format) -> NoReturn:
    """Print why the run cannot go on and exit with 2."""
    if output is Format.JSON:
        from fabricgen.report.machine import diagnostics_json

        typer.echo(diagnostics_json(error.diagnostics), nl=False)
    else:
        from fabricgen.report.text import count_line, print_diagnostics

        console = stderr()
        print_diagnostics(console, error.diagnostics)
        console.print(f"\n{count_line(error.diagnostics)}; nothing was written", style="bold")
    raise typer.Exit(EXIT_WRONG_INPUT)


def usage_error(message: str) -> NoReturn:
    """Print what is wrong with the command line and exit with 2."""
    typer.echo(f"fabricgen: {message}", err=True)
    raise typer.Exit(EXIT_WRONG_INPUT)


def check_fabrics(wanted: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """Return the fabrics asked for; exit with 2 where one does not exist."""
    from fabricgen.core.diagnostics import did_you_mean

    for name in wanted or ():
        if name not in known:
            usage_error(f"there is no fabric {name!r}: {did_you_mean(name, known)}")
    return tuple(wanted or ())


def exit_for(findings: Sequence[Diagnostic], fail_on: FailOn) -> None:
    """Exit with 1 if any finding is at least as bad as asked."""
    from fabricgen.core.diagnostics import Severity

    if fail_on is FailOn.NEVER:
        return
    limit = Severity(fail_on.value)
    if any(found.severity.rank <= limit.rank for found in findings):
        raise typer.Exit(EXIT_FINDINGS)


def lines_of(files: FileTree) -> Lines:
    """Return a function that finds lines in files of an output, then on disk."""
    from fabricgen.core.files import to_bytes
    from fabricgen.report.text import file_lines

    def line(file: str, number: int) -> str | None:
        if file not in files:
            return file_lines(file, number)
        lines = to_bytes(files[file]).decode(errors="replace").splitlines()
        return lines[number - 1] if number <= len(lines) else None

    return line


def report_internal_error(error: Exception) -> None:
    """Say that the fault is ours, and keep what is needed to mend it in a file."""
    from fabricgen import __version__

    handle, name = tempfile.mkstemp(prefix="fabricgen-error-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(f"fabricgen {__version__}, Python {sys.version}\narguments: {sys.argv[1:]}\n\n")
        stream.write("".join(traceback.format_exception(error)))
    typer.echo(
        f"error[FG900] internal-error: {type(error).__name__}: {error}\n"
        f"  this is a fault of fabricgen, not of your input\n"
        f"  remedy: report it and attach {name}",
        err=True,
    )

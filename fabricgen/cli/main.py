"""The ``fabricgen`` command.

Commands import what they need when they run, so that ``--help`` and ``--version`` answer at once.
"""

from __future__ import annotations

import gc
import signal
import sys
from typing import Annotated

import typer

from fabricgen import __version__
from fabricgen.cli.build import build
from fabricgen.cli.catalog import catalog
from fabricgen.cli.explain import explain
from fabricgen.cli.init import init
from fabricgen.cli.plan import plan
from fabricgen.cli.rehearse import rehearse
from fabricgen.cli.schema import schema
from fabricgen.cli.validate import validate

#: A build makes millions of small objects that live until its end. Python's own thresholds (700, 10, 10) have it look
#: for garbage among them again and again: a quarter of the time of a plan for 65,536 GPUs.
GC_THRESHOLDS = (200_000, 30, 30)

app = typer.Typer(
    name="fabricgen",
    help="A compiler for AI-cluster networks: one inventory in, validated RoCE v2 and InfiniBand configuration out.",
    epilog="Exit codes: 0 clean, 1 findings, 2 the command line or the inventory is wrong, 3 an internal error.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"fabricgen {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that every command shares."""


app.command()(init)
app.command()(plan)
app.command()(build)
app.command()(validate)
app.command()(rehearse)
app.command()(explain)
app.add_typer(catalog)
app.command()(schema)


def main() -> None:
    """Run the command line; the entry point of the console script.

    Being told to end (SIGTERM, from a pipeline that is cancelled) is treated like an interrupt from the keyboard, so
    that nothing half made is left behind.
    """
    from fabricgen.cli.common import EXIT_INTERNAL, EXIT_INTERRUPTED, report_internal_error

    gc.set_threshold(*GC_THRESHOLDS)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("interrupted; nothing was changed", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(EXIT_INTERRUPTED)
    except Exception as error:
        report_internal_error(error)
        sys.exit(EXIT_INTERNAL)


if __name__ == "__main__":
    main()

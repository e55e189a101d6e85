"""``fabricgen build``: writes everything, after reading it back and judging it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricgen.cli.common import (
    EXIT_FINDINGS,
    FabricOption,
    FailOn,
    FailOnOption,
    Format,
    FormatOption,
    InventoryArgument,
    JobsOption,
    check_fabrics,
    exit_for,
    jobs_of,
    lines_of,
    refusing,
    say,
    stderr,
    stdout,
    usage_error,
    working,
)

if TYPE_CHECKING:
    from fabricgen.api import Build


def build(
    inventory: InventoryArgument,
    output_directory: Annotated[
        Path, typer.Option("--output", "-o", help="Directory to write; replaced whole or not at all.", metavar="OUT")
    ] = Path("out"),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 where OUT is not what would be written.")
    ] = False,
    xlsx: Annotated[
        bool, typer.Option("--xlsx", help="Write the cabling plans as Excel workbooks too (needs openpyxl).")
    ] = False,
    fabric: FabricOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    jobs: JobsOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Write the whole configuration, cabling and address plans, after reading it back and judging it.

    With errors among the findings nothing is written, unless --fail-on never is given.
    """
    from fabricgen import api
    from fabricgen.delivery import scratch, staged
    from fabricgen.report import workbook

    if xlsx and not workbook.is_available():
        usage_error("--xlsx needs openpyxl: run `pip install 'fabricgen[xlsx]'`")
    with refusing(output):
        cluster = api.load(inventory)
        only = check_fabrics(fabric, list(cluster.loaded.inventory.fabrics))
        with scratch() if check else staged(output_directory) as files:
            with working(stderr(), "building"):
                today = dt.datetime.now(tz=dt.UTC).date()
                result = api.build(cluster, only, today, workbooks=xlsx, output=files, jobs=jobs_of(jobs))
            if check:
                _compare(result, output_directory, output)
                return
            _print_findings(result, output)
            exit_for(result.verdict.findings, fail_on)
            api.write(result, output_directory)
    if output is Format.TEXT:
        _print_summary(result, output_directory)


def _print_findings(result: Build, output: Format) -> None:
    from fabricgen import api
    from fabricgen.report.text import print_diagnostics

    if output is Format.JSON:
        typer.echo(api.verdict_json(result.verdict), nl=False)
    else:
        print_diagnostics(stdout(), result.verdict.findings, lines_of(result.files))


def _print_summary(result: Build, target: Path) -> None:
    from fabricgen.report.summary import counts, folder
    from fabricgen.report.text import count_line

    console = stdout()
    for plan in result.plans.fabrics:
        figures = ", ".join(f"{number} {what}" for what, number in counts(plan).items() if number)
        say(console, plan.fabric.name, f": {figures}")
    verdict = result.verdict
    console.print(f"{len(verdict.ran)} rules ran on the files read back: {count_line(verdict.findings)}")
    console.print(f"{len(result.files)} files written to {target}")
    console.print(f"  read first  {target}/summary.md")
    for plan in result.plans.fabrics:
        name = plan.fabric.name
        files = ", ".join([*filter(None, [folder(plan)]), "cabling.csv", "bom.csv", "addresses.csv", "topology.svg"])
        console.print(f"  {name:<10}  {target}/{name}/{files}")


def _compare(result: Build, target: Path, output: Format) -> None:
    import json

    from fabricgen import api

    differences = api.compare(result, target)
    if output is Format.JSON:
        changes = [{"path": found.path, "change": str(found.change)} for found in differences]
        typer.echo(json.dumps({"schema": 1, "differences": changes}, indent=2))
    else:
        for found in differences:
            typer.echo(f"{found.change:<8} {target}/{found.path}")
        typer.echo(
            f"{len(differences)} of {len(result.files)} files differ" if differences else f"{target} is up to date"
        )
    if differences:
        raise typer.Exit(EXIT_FINDINGS)

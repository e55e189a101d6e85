"""``fabricgen validate``: judges an inventory's configuration, built in memory or as it stands on disk."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricgen.cli.common import (
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
    stderr,
    stdout,
    working,
)

if TYPE_CHECKING:
    from fabricgen.api import Plans, Verdict
    from fabricgen.core.files import FileTree


def validate(
    inventory: InventoryArgument,
    configs: Annotated[
        Path | None,
        typer.Option("--configs", help="Judge the files of this output directory as they are now.", metavar="OUT"),
    ] = None,
    fabric: FabricOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    jobs: JobsOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Judge the configuration of an inventory.

    Builds it in memory and reads it back as the devices would; with --configs, reads what is on disk instead.
    """
    from fabricgen import api
    from fabricgen.delivery import scratch

    today = dt.datetime.now(tz=dt.UTC).date()
    with refusing(output):
        cluster = api.load(inventory)
        plans = api.plan(cluster, check_fabrics(fabric, list(cluster.loaded.inventory.fabrics)))
        if configs is not None:
            stored = api.stored_configuration(configs)
            with working(stderr(), "judging"):
                verdict = api.judge(plans, stored, f"{configs}/", today)
            _print(verdict, plans, stored, output)
        else:
            with scratch() as files:
                with working(stderr(), "judging"):
                    verdict = api.judge_planned(plans, today, output=files, jobs=jobs_of(jobs))
                _print(verdict, plans, files, output)
    exit_for(verdict.findings, fail_on)


def _print(verdict: Verdict, plans: Plans, files: FileTree, output: Format) -> None:
    from fabricgen import api
    from fabricgen.report.text import count_line, print_diagnostics

    if output is Format.JSON:
        typer.echo(api.verdict_json(verdict), nl=False)
        return
    console = stdout()
    print_diagnostics(console, verdict.findings, lines_of(files))
    devices = sum(len(plan.models) for plan in plans.fabrics)
    console.print(
        f"{devices} device{'s' if devices != 1 else ''}, {len(verdict.ran)} rules ran, "
        f"{len(verdict.not_run)} had no input: {count_line(verdict.findings)}"
        + (f", {len(verdict.accepted)} accepted" if verdict.accepted else "")
    )

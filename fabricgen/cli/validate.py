"""``fabricgen validate``: judges an inventory's configuration, built in memory or as it stands on disk."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from fabricgen.cli.common import (
    FabricOption,
    FailOn,
    FailOnOption,
    Format,
    FormatOption,
    InventoryArgument,
    check_fabrics,
    exit_for,
    lines_of,
    refusing,
    stderr,
    stdout,
    working,
)


def validate(
    inventory: InventoryArgument,
    configs: Annotated[
        Path | None,
        typer.Option("--configs", help="Judge the files of this output directory as they are now.", metavar="OUT"),
    ] = None,
    fabric: FabricOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    output: FormatOption = Format.TEXT,
) -> None:
    """Judge the configuration of an inventory.

    Builds it in memory and reads it back as the devices would; with --configs, reads what is on disk instead.
    """
    from fabricgen import api
    from fabricgen.report.text import count_line, print_diagnostics

    with refusing(output), working(stderr(), "judging"):
        cluster = api.load(inventory)
        plans = api.plan(cluster, check_fabrics(fabric, list(cluster.loaded.inventory.fabrics)))
        files = dict(api.emit(plans) if configs is None else api.stored_configuration(configs))
        prefix = "" if configs is None else f"{configs}/"
        verdict = api.judge(plans, files, prefix, dt.datetime.now(tz=dt.UTC).date())
    if output is Format.JSON:
        typer.echo(api.verdict_json(verdict), nl=False)
    else:
        console = stdout()
        print_diagnostics(console, verdict.findings, lines_of(files))
        devices = sum(len(plan.models) for plan in plans.fabrics)
        console.print(
            f"{devices} device{'s' if devices != 1 else ''}, {len(verdict.ran)} rules ran, "
            f"{len(verdict.not_run)} had no input: {count_line(verdict.findings)}"
            + (f", {len(verdict.accepted)} accepted" if verdict.accepted else "")
        )
    exit_for(verdict.findings, fail_on)

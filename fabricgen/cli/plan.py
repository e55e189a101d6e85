"""``fabricgen plan``: what would be built, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricgen.cli.common import (
    FabricOption,
    Format,
    FormatOption,
    InventoryArgument,
    check_fabrics,
    refusing,
    say,
    stdout,
)

if TYPE_CHECKING:
    from rich.console import Console

    from fabricgen.planning.plan import FabricPlan
    from fabricgen.report.changes import FabricChanges


def plan(
    inventory: InventoryArgument,
    fabric: FabricOption = None,
    buffers: Annotated[
        bool, typer.Option("--buffers", help="Print headroom, thresholds and pools with the terms of each sum.")
    ] = False,
    old: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="OLD",
            help="Print what changes since OLD instead: an inventory, or the output directory of a build.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List every switch or change, not only the first of each sort.")
    ] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Print what would be built and why: counts, tiers, ports, addresses, buffers. Nothing is written."""
    from fabricgen import api

    with refusing(output):
        cluster = api.load(inventory)
        only = check_fabrics(fabric, list(cluster.loaded.inventory.fabrics))
        plans = api.plan(cluster, only)
        if old is not None:
            _print_changes(api.changes(plans, old, only), old, everything, output)
            return
    if output is Format.JSON:
        from fabricgen.report.plans import plans_json

        typer.echo(plans_json(plans.fabrics, plans.notes), nl=False)
        return
    from fabricgen.report.text import print_diagnostics

    console = stdout()
    for found in plans.fabrics:
        _print_plan(console, found, everything=everything)
        if buffers:
            _print_buffers(console, found)
    print_diagnostics(console, plans.notes)


def _print_changes(found: Sequence[FabricChanges], old: Path, everything: bool, output: Format) -> None:
    from fabricgen.report.changes_text import changes_json, changes_text

    if output is Format.JSON:
        typer.echo(changes_json(found, str(old)), nl=False)
        return
    for line in changes_text(found, everything=everything):
        typer.echo(line)


def _print_plan(console: Console, found: FabricPlan, *, everything: bool) -> None:
    from fabricgen.report.changes_text import SHOWN
    from fabricgen.report.plans import address_rows, port_rows
    from fabricgen.report.summary import counts
    from fabricgen.report.text import make_table

    fabric = found.fabric
    say(console, fabric.name, f": {fabric.kind}, {fabric.design}")
    for what, number in counts(found).items():
        console.print(f"  {number:>6} {what}")
    console.print("  sizing:")
    for reason in fabric.sizing.reasons:
        console.print(f"    {reason}")
    console.print()
    console.print(make_table("ports", ("switch", "model", "ports down", "uplinks", "free ports"), port_rows(found)))
    console.print()
    columns, rows = address_rows(found)
    if len(columns) == 1:
        return
    limit = len(rows) if everything else SHOWN
    console.print(make_table("addresses", columns, rows[:limit]))
    if len(rows) > limit:
        console.print(f"… {len(rows) - limit} more (--all lists them)")
    console.print()


def _print_buffers(console: Console, found: FabricPlan) -> None:
    from fabricgen.report.plans import distinct_bases
    from fabricgen.report.provenance import basis_lines

    for where, basis in distinct_bases(found):
        say(console, where)
        for line in basis_lines(basis):
            console.print(f"  {line}")
        console.print()

"""``fabricgen rehearse``: runs a planned subnet on the real OpenSM, without any hardware."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
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
    check_fabrics,
    exit_for,
    refusing,
    say,
    stderr,
    stdout,
    usage_error,
    working,
)

if TYPE_CHECKING:
    from fabricgen.rehearsal import Rehearsal


def rehearse(
    inventory: InventoryArgument,
    configs: Annotated[
        Path | None,
        typer.Option("--configs", help="Run the files of this output directory as they are now.", metavar="OUT"),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", help="Leave the files as they were run, the log and the dumps here.", metavar="DIR"),
    ] = None,
    fabric: FabricOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    output: FormatOption = Format.TEXT,
) -> None:
    """Run InfiniBand fabrics on the real OpenSM with ibsim, and report what it made of the files.

    Needs OpenSM, ibsim and the infiniband-diags; no hardware and no privilege. Engine, options, LIDs, partition keys,
    lanes and forwarding tables are read back and compared with the plan.
    """
    from fabricgen import api
    from fabricgen.rehearsal import BenchError

    with refusing(output):
        cluster = api.load(inventory)
        plans = api.plan(cluster, check_fabrics(fabric, list(cluster.loaded.inventory.fabrics)))
        stored = None if configs is None else api.stored_configuration(configs)
    if not any(model.subnet_manager for plan in plans.fabrics for model in plan.models):
        usage_error("there is no InfiniBand fabric to rehearse")
    with _place(keep) as work:
        try:
            with working(stderr(), "rehearsing"):
                found = api.rehearse(plans, work, stored, "" if configs is None else f"{configs}/")
        except BenchError as error:
            usage_error(str(error))
        _print(found, output)
    exit_for([finding for one in found.values() for finding in one.findings], fail_on)


@contextlib.contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="fabricgen-") as directory:
            yield Path(directory)
        return
    if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        usage_error(f"{keep} is not an empty directory")
    keep.mkdir(parents=True, exist_ok=True)
    yield keep


def _print(found: dict[str, Rehearsal], output: Format) -> None:
    from fabricgen.report.machine import diagnostic_data
    from fabricgen.report.text import count_line, print_diagnostics

    if output is Format.JSON:
        fabrics = {
            name: {
                "engine": one.engine,
                "switches": one.switches,
                "adapters": one.adapters,
                "sampled_ports": one.sampled_ports,
                "findings": [diagnostic_data(finding) for finding in one.findings],
            }
            for name, one in found.items()
        }
        typer.echo(json.dumps({"schema": 1, "fabrics": fabrics}, indent=2))
        return
    console = stdout()
    for name, one in found.items():
        print_diagnostics(console, one.findings)
        say(console, name, f": OpenSM routed {one.switches} switches and {one.adapters} adapters with {one.engine}")
        console.print(
            f"compared with the plan: nodes, cables, options, LIDs, forwarding tables, lanes, and partition keys of "
            f"{one.sampled_ports} adapters: {count_line(one.findings)}"
        )

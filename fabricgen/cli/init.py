"""``fabricgen init``: writes a working inventory to start from."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fabricgen.cli.common import refusing, stdout, usage_error


class FabricType(StrEnum):
    """What the first fabric runs."""

    ROCE = "rocev2"
    INFINIBAND = "infiniband"


_SWITCH = {FabricType.ROCE: "sn5600", FabricType.INFINIBAND: "qm9700"}
_ADAPTER = {FabricType.ROCE: "bluefield-3-b3140h", FabricType.INFINIBAND: "connectx-7-osfp"}


def init(
    directory: Annotated[Path, typer.Argument(help="Directory to make the inventory in.")] = Path(),
    servers: Annotated[int, typer.Option("--servers", min=1, max=100_000, help="Number of GPU servers.")] = 32,
    model: Annotated[str, typer.Option("--model", help="Catalog id of the server.")] = "supermicro-sys-821ge-tnhr",
    fabric_type: Annotated[FabricType, typer.Option("--type", help="What the compute fabric runs.")] = FabricType.ROCE,
) -> None:
    """Write a working inventory, with comments on what can be changed. An existing one is never overwritten."""
    from fabricgen.catalog import load_catalog
    from fabricgen.core.diagnostics import did_you_mean
    from fabricgen.report.sample import sample_inventory

    with refusing():
        found = load_catalog()
        if model not in found.servers:
            usage_error(f"the catalog has no server {model!r}: {did_you_mean(model, found.servers)}")
        server = found.servers[model]
    target = directory / "fabric.yaml"
    if target.exists():
        usage_error(f"{target} exists already: name another directory, or remove it")
    text = sample_inventory(
        fabric_type=fabric_type.value,
        servers=servers,
        server=server,
        switch=_SWITCH[fabric_type],
        adapter=_ADAPTER[fabric_type],
    )
    try:
        directory.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        usage_error(f"cannot write {target}: {error.strerror}")
    console = stdout()
    console.print(f"wrote {target}: {servers} servers on one {fabric_type.value} fabric")
    console.print(f"next: fabricgen plan {directory}")

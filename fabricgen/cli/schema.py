"""``fabricgen schema``: the JSON Schemas that editors complete from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fabricgen.cli.common import usage_error


def schema(
    name: Annotated[str | None, typer.Argument(help="Which schema; all names are listed where left out.")] = None,
    write: Annotated[Path | None, typer.Option("--write", help="Write every schema into this directory.")] = None,
) -> None:
    """Print a JSON Schema, or write all of them."""
    from fabricgen.core.diagnostics import did_you_mean
    from fabricgen.report.schemas import schemas

    found = schemas()
    if write is not None:
        write.mkdir(parents=True, exist_ok=True)
        for key, value in found.items():
            (write / f"{key}.schema.json").write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
        typer.echo(f"{len(found)} schemas written to {write}")
    elif name is None:
        typer.echo("\n".join(found))
    elif name in found:
        typer.echo(json.dumps(found[name], indent=2))
    else:
        usage_error(f"there is no schema {name!r}: {did_you_mean(name, found)}")

"""``fabricgen catalog``: the device library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricgen.cli.common import EXIT_WRONG_INPUT, Format, FormatOption, refusing, say, stderr, stdout, usage_error

if TYPE_CHECKING:
    from fabricgen.catalog import Catalog
    from fabricgen.catalog.models import Entry

catalog = typer.Typer(
    name="catalog", help="The device library: switches, ASICs, adapters, servers and cables.", no_args_is_help=True
)

DirectoryOption = Annotated[
    Path | None, typer.Option("--directory", "-d", help="Your own entries, added to ours or replacing them.")
]


def _kinds(found: Catalog) -> Mapping[str, Mapping[str, Entry]]:
    return {
        "switch": found.switches,
        "asic": found.asics,
        "adapter": found.adapters,
        "server": found.servers,
        "cable": found.cables,
    }


def _load(directory: Path | None) -> Catalog:
    from fabricgen.catalog import load_catalog

    return load_catalog(*([directory] if directory else []))


@catalog.command("list")
def list_entries(
    kind: Annotated[str | None, typer.Argument(help="switch, asic, adapter, server or cable.")] = None,
    directory: DirectoryOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """List the entries."""
    with refusing(output):
        kinds = _kinds(_load(directory))
        if kind is not None and kind not in kinds:
            usage_error(f"there is no kind {kind!r}: use one of {', '.join(kinds)}")
        rows = [
            (name, entry.id, entry.vendor, entry.model)
            for name, entries in kinds.items()
            if kind in (None, name)
            for entry in entries.values()
        ]
    if output is Format.JSON:
        keys = ("kind", "id", "vendor", "model")
        typer.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2))
        return
    from fabricgen.report.text import make_table

    stdout().print(make_table(None, ("kind", "id", "vendor", "model"), rows))


@catalog.command("show")
def show(
    key: Annotated[str, typer.Argument(help="Id of an entry.", metavar="ID")],
    directory: DirectoryOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Show one entry with every figure and its source."""
    from fabricgen.core.diagnostics import did_you_mean

    with refusing(output):
        found = _load(directory)
        matches = [entries[key] for entries in _kinds(found).values() if key in entries]
        if not matches:
            known = [name for entries in _kinds(found).values() for name in entries]
            usage_error(f"the catalog has no {key!r}: {did_you_mean(key, known)}")
    entry = matches[0]
    data = entry.model_dump(mode="json")
    if output is Format.JSON:
        typer.echo(json.dumps(data, indent=2))
        return
    from fabricgen.report.text import make_table

    console = stdout()
    say(console, entry.id, f": {entry.vendor} {entry.model}")
    hidden = {"id", "vendor", "model", "source", "field_source", "notes"}
    rows = [
        (field, _figure(value), ", ".join(entry.field_source.get(field, entry.source)))
        for field, value in data.items()
        if field not in hidden and value not in (None, {}, [])
    ]
    console.print(make_table(None, ("figure", "value", "source"), rows))
    for note in entry.notes:
        console.print(f"note: {note}")
    console.print("sources:")
    keys = dict.fromkeys([*entry.source, *(key for keys in entry.field_source.values() for key in keys)])
    for source in keys:
        console.print(f"  {source}: {found.sources[source].title} ({found.sources[source].ref})")


def _figure(value: object) -> str:
    text = json.dumps(value) if isinstance(value, dict | list) else str(value)
    return text if len(text) <= 100 else text[:97] + "..."


@catalog.command("check")
def check(directory: Annotated[Path, typer.Argument(help="A directory of catalog entries.")]) -> None:
    """Check a directory of your own entries; all findings together."""
    from fabricgen.catalog import check_catalog
    from fabricgen.report.text import count_line, print_diagnostics

    findings = check_catalog(directory)
    print_diagnostics(stdout(), findings)
    stderr().print(f"{directory}: {count_line(findings)}")
    if findings:
        raise typer.Exit(EXIT_WRONG_INPUT)

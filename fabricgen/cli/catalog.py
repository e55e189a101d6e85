"""``fabricgen catalog``: the device library."""

from __future__ import annotations

import json
from enum import StrEnum
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


class Protocol(StrEnum):
    """What ports speak."""

    ETHERNET = "ethernet"
    INFINIBAND = "infiniband"


_COLUMNS = ("kind", "id", "vendor", "model", "summary")


def _load(directory: Path | None) -> Catalog:
    from fabricgen.catalog import load_catalog

    return load_catalog(*([directory] if directory else []))


@catalog.command("list")
def list_entries(
    kind: Annotated[str | None, typer.Argument(help="switch, asic, adapter, server or cable.")] = None,
    vendor: Annotated[str | None, typer.Option("--vendor", help="Part of the vendor's name.")] = None,
    protocol: Annotated[Protocol | None, typer.Option("--protocol", help="What one of its ports speaks.")] = None,
    nos: Annotated[str | None, typer.Option("--nos", help="A network operating system that runs on it.")] = None,
    asic: Annotated[str | None, typer.Option("--asic", help="Id of the chip.")] = None,
    speed: Annotated[
        int | None, typer.Option("--speed", min=1, help="A speed of its ports, in Gb/s.", metavar="GBPS")
    ] = None,
    ports: Annotated[
        int | None, typer.Option("--ports", min=1, help="At least so many ports; at --speed, if that is given.")
    ] = None,
    directory: DirectoryOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """List the entries; filters add up."""
    from fabricgen.catalog.query import Query, by_kind, find, summary

    with refusing(output):
        found = _load(directory)
        kinds = by_kind(found)
        if kind is not None and kind not in kinds:
            usage_error(f"there is no kind {kind!r}: use one of {', '.join(kinds)}")
        _check_known("asic", asic, list(found.asics))
        _check_known("nos", nos, sorted({name for switch in found.switches.values() for name in switch.nos}))
        query = Query(vendor, None if protocol is None else protocol.value, nos, asic, speed, ports)
        rows = [(name, entry.id, entry.vendor, entry.model, summary(entry)) for name, entry in find(found, query, kind)]
    if output is Format.JSON:
        typer.echo(json.dumps([dict(zip(_COLUMNS, row, strict=True)) for row in rows], indent=2))
        return
    if not rows:
        stderr().print("no entry is like that")
        return
    from fabricgen.report.text import make_table

    table = make_table(None, _COLUMNS, rows)
    table.columns[1].no_wrap = True  # an id is there to be copied
    stdout().print(table)


def _check_known(option: str, value: str | None, known: list[str]) -> None:
    """Exit with 2 where a filter names what no entry has: an empty list would hide the slip."""
    from fabricgen.core.diagnostics import did_you_mean

    if value is not None and value not in known:
        usage_error(f"no entry has --{option} {value!r}: {did_you_mean(value, known)}")


@catalog.command("show")
def show(
    key: Annotated[str, typer.Argument(help="Id of an entry.", metavar="ID")],
    directory: DirectoryOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Show one entry with every figure and its source."""
    from fabricgen.catalog.query import by_kind
    from fabricgen.core.diagnostics import did_you_mean

    with refusing(output):
        found = _load(directory)
        matches = [(kind, entries[key]) for kind, entries in by_kind(found).items() if key in entries]
        if not matches:
            known = [name for entries in by_kind(found).values() for name in entries]
            usage_error(f"the catalog has no {key!r}: {did_you_mean(key, known)}")
    if output is Format.JSON:
        typer.echo(json.dumps(matches[0][1].model_dump(mode="json"), indent=2))
        return
    for kind, entry in matches:
        _print_sheet(kind, entry, found)


def _print_sheet(kind: str, entry: Entry, found: Catalog) -> None:
    from fabricgen.catalog.sheet import sheet
    from fabricgen.report.text import make_table

    console = stdout()
    say(console, entry.id, f": {entry.vendor} {entry.model} ({kind})")
    lines = sheet(entry)
    rows = [(line.figure, line.value, ", ".join(line.sources)) for line in lines]
    # A figure of several lines has its name and sources on the first.
    shown = [
        row if index == 0 or (row[0], row[2]) != (rows[index - 1][0], rows[index - 1][2]) else ("", row[1], "")
        for index, row in enumerate(rows)
    ]
    console.print(make_table(None, ("figure", "value", "source"), shown))
    missing = [line.figure for line in lines if not line.known]
    if missing:
        console.print(f"not known: {', '.join(missing)}")
    for note in entry.notes:
        console.print(f"note: {note}")
    console.print("sources:")
    for source in dict.fromkeys([*entry.source, *(key for keys in entry.field_source.values() for key in keys)]):
        console.print(f"  {source}: {found.sources[source].title} ({found.sources[source].ref})")


@catalog.command("check")
def check(
    directory: Annotated[Path, typer.Argument(help="A directory of catalog entries.")],
    output: FormatOption = Format.TEXT,
) -> None:
    """Check a directory of your own entries; all findings together."""
    from fabricgen.catalog import check_catalog

    findings = check_catalog(directory)
    if output is Format.JSON:
        from fabricgen.report.machine import diagnostics_json

        typer.echo(diagnostics_json(findings), nl=False)
    else:
        from fabricgen.report.text import count_line, print_diagnostics

        print_diagnostics(stdout(), findings)
        stderr().print(f"{directory}: {count_line(findings)}")
    if findings:
        raise typer.Exit(EXIT_WRONG_INPUT)

"""Checks a whole directory of catalog files at once, for people who write their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from fabricgen.catalog.figures import UNKNOWN
from fabricgen.catalog.kinds import CONTRADICTION, DANGLING_REFERENCE, STRAY_FILE
from fabricgen.catalog.loader import (
    DATA,
    MODELS,
    SOURCES,
    CatalogError,
    assemble,
    entry_files,
    file_name,
    read_document,
    read_sources,
)
from fabricgen.catalog.models import Catalog, Entry, Server, Source, Switch
from fabricgen.core.diagnostics import Diagnostic, Report, Span, did_you_mean
from fabricgen.core.documents import Path as Place
from fabricgen.core.documents import format_path


def check_catalog(directory: Path) -> tuple[Diagnostic, ...]:
    """Return everything that is wrong in a directory of catalog entries, in order of file and line.

    Each file is validated, with the sources and entries of fabricgen's own catalog and of the directory in view.
    Files that nothing reads, and references between entries that lead nowhere, are findings too.
    """
    report = Report()
    sources: Mapping[str, Source] = read_sources(DATA)
    try:
        sources = {**sources, **read_sources(directory)}
    except CatalogError as error:
        report.extend(error.diagnostics)
        if not directory.is_dir():
            return tuple(report)
        sources = _Anything()  # with a broken sources file nothing can be said about a key
    catalog = assemble((DATA, directory), sources)
    report.extend(_stray_files(directory))
    for folder in MODELS:
        entries = getattr(catalog, folder)
        for file in entry_files(directory / folder):
            try:
                entry = entries[file.stem]
            except CatalogError as error:
                report.extend(error.diagnostics)
            else:
                report.extend(_references(entry, file, catalog))
    return tuple(report)


class _Anything(dict[str, Source]):
    """Sources of which every key is taken to exist."""

    def __contains__(self, key: object) -> bool:
        return True


def _stray_files(directory: Path) -> Iterator[Diagnostic]:
    for file in sorted(directory.iterdir()):
        if file.is_dir() and file.name in MODELS:
            wanted = set(entry_files(file))
            for inner in sorted(file.iterdir()):
                if inner not in wanted and not _ignored(inner):
                    remedy = f"name it `{inner.stem}.yaml`" if inner.suffix in (".yml", ".json") else "remove it"
                    yield _stray(inner, f"only files named `*.yaml` are read in `{file.name}`", remedy)
        elif file.name != SOURCES and not _ignored(file):
            yield _stray(file, f"`{file.name}` is not read", did_you_mean(file.name, [*MODELS, SOURCES]))


def _ignored(file: Path) -> bool:
    """Return whether a file may lie in a catalog directory without being part of it."""
    return file.name.startswith((".", "README"))


def _stray(file: Path, summary: str, remedy: str) -> Diagnostic:
    return STRAY_FILE.at("", summary, span=Span(file_name(file)), remedy=remedy)


def _references(entry: Entry, file: Path, catalog: Catalog) -> Iterator[Diagnostic]:
    if isinstance(entry, Switch) and entry.asic not in catalog.asics:
        yield _dangling(file, ("asic",), f"asics has no `{entry.asic}`", did_you_mean(entry.asic, catalog.asics))
    if isinstance(entry, Server):
        for purpose, adapters in entry.adapters.items():
            place: Place = ("adapters", purpose, "adapter")
            if adapters.adapter not in catalog.adapters:
                remedy = did_you_mean(adapters.adapter, catalog.adapters)
                yield _dangling(file, place, f"adapters has no `{adapters.adapter}`", remedy)
            else:
                yield from _port_count(entry, purpose, file, catalog)


def _port_count(server: Server, purpose: str, file: Path, catalog: Catalog) -> Iterator[Diagnostic]:
    adapters = server.adapters[purpose]
    try:
        ports = catalog.adapters[adapters.adapter].ports.count * adapters.count
    except CatalogError:
        return  # a finding of the adapter's own file
    if adapters.map != UNKNOWN and len(adapters.map) != ports:
        place: Place = ("adapters", purpose, "map")
        yield CONTRADICTION.at(
            format_path(place),
            f"{len(adapters.map)} ports in the map, the adapters have {ports}",
            span=_span(file, place),
            remedy="list every port of every adapter, or write `map: unknown`",
        )


def _dangling(file: Path, place: Place, summary: str, remedy: str) -> Diagnostic:
    return DANGLING_REFERENCE.at(format_path(place), summary, span=_span(file, place), remedy=remedy)


def _span(file: Path, place: Place) -> Span:
    """Return a place in a file; it is read again, which only findings need."""
    return read_document(file, Report()).span(place)

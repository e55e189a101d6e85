"""Reads catalog files when an entry is first asked for; a user's directory adds entries and overrides ours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from fabricgen.catalog.consistency import contradictions
from fabricgen.catalog.entries import Entries
from fabricgen.catalog.kinds import NAME_DIFFERS, UNKNOWN_SOURCE, WRONG_FOLDER
from fabricgen.catalog.models import Adapter, Asic, Cable, Catalog, Entry, Server, Source, Switch
from fabricgen.core.diagnostics import FabricgenError, Report, Span
from fabricgen.core.documents import UNREADABLE, Document, format_path, parse_document
from fabricgen.core.documents import Path as Place
from fabricgen.core.validation import validate

#: The entries that come with fabricgen.
DATA = Path(__file__).parent / "data"

#: By folder, the model of its entries.
MODELS: Mapping[str, type[Entry]] = MappingProxyType(
    {"switches": Switch, "asics": Asic, "adapters": Adapter, "servers": Server, "cables": Cable}
)

SOURCES = "sources.yaml"

E = TypeVar("E", bound=Entry)


class CatalogError(FabricgenError):
    """A catalog file is wrong."""


def load_catalog(*directories: Path) -> Catalog:
    """Return the catalog: ours, then each of the user's directories, later ones overriding earlier.

    Entries are read and validated when they are first used.

    Raises:
        CatalogError: a directory does not exist or a sources file is wrong; later, on use of an entry, that its file
            is wrong.
    """
    sources: dict[str, Source] = {}
    for base in (DATA, *directories):
        sources.update(read_sources(base))
    return assemble((DATA, *directories), sources)


def assemble(directories: tuple[Path, ...], sources: Mapping[str, Source]) -> Catalog:
    """Return the catalog of some directories, later ones overriding earlier; nothing is read yet."""

    def entries(folder: str, model: type[E]) -> Entries[E]:
        files = {file.stem: file for base in directories for file in entry_files(base / folder)}
        return Entries(files, partial(read_entry, model=model, sources=sources))

    return Catalog(
        switches=entries("switches", Switch),
        asics=entries("asics", Asic),
        adapters=entries("adapters", Adapter),
        servers=entries("servers", Server),
        cables=entries("cables", Cable),
        sources=sources,
    )


def entry_files(folder: Path) -> list[Path]:
    """Return the files of a folder that hold entries, sorted."""
    return sorted(file for file in folder.glob("*.yaml") if not file.name.startswith("."))


def file_name(file: Path) -> str:
    """Return a file's name for findings: ours relative to the data directory, a user's as given."""
    return f"catalog/{file.relative_to(DATA).as_posix()}" if file.is_relative_to(DATA) else str(file)


def read_sources(directory: Path) -> dict[str, Source]:
    """Return the sources that a directory defines, by key; none where it has no ``sources.yaml``.

    Raises:
        CatalogError: there is no such directory, or the file is wrong.
    """
    from pydantic import RootModel

    class Sources(RootModel[dict[str, Source]]):
        pass

    report = Report()
    if not directory.is_dir():
        report.add(
            UNREADABLE.at(
                "",
                "there is no such directory",
                span=Span(file_name(directory)),
                remedy="correct the path of the catalog directory",
            )
        )
        raise CatalogError(report)
    file = directory / SOURCES
    if not file.is_file():
        return {}
    document = read_document(file, report)
    found = validate(Sources, document, report)
    if found is None or report.has_errors:
        raise CatalogError(report)
    return found.root


def read_document(file: Path, report: Report) -> Document:
    """Return a parsed file.

    Raises:
        CatalogError: it cannot be read or parsed.
    """
    name = file_name(file)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        report.add(
            UNREADABLE.at("", f"cannot be read: {reason}", span=Span(name), remedy="make it a readable text file")
        )
        raise CatalogError(report) from error
    document = parse_document(text, name, report)
    if report.has_errors:
        raise CatalogError(report)
    return document


def read_entry(file: Path, model: type[E], sources: Mapping[str, Source]) -> E:
    """Return the entry of a file.

    Args:
        file: the file.
        model: what the entry must be.
        sources: the sources that it may name.

    Raises:
        CatalogError: with everything that is wrong in the file.
    """
    report = Report()
    document = read_document(file, report)
    other = _other_kind(document.data, model)
    if other is not None:
        report.add(
            WRONG_FOLDER.at(
                "",
                f"this is an entry for `{other}`, in the folder `{file.parent.name}`",
                span=document.span(()),
                remedy=f"move the file to `{other}/{file.name}`",
            )
        )
        raise CatalogError(report)
    entry = validate(model, document, report)
    if entry is not None:
        _check_name(entry, file, document, report)
        _check_sources(entry, document, report, sources)
        report.extend(contradictions(entry, document))
    if entry is None or report.has_errors:
        raise CatalogError(report)
    return entry


def _check_name(entry: Entry, file: Path, document: Document, report: Report) -> None:
    if entry.id != file.stem:
        report.add(
            NAME_DIFFERS.at(
                "id",
                f"id `{entry.id}` in a file named `{file.name}`",
                span=document.span(("id",)),
                remedy=f"name the file `{entry.id}.yaml` or write `id: {file.stem}`",
            )
        )


def _check_sources(entry: Entry, document: Document, report: Report, sources: Mapping[str, Source]) -> None:
    named: list[tuple[Place, str]] = [(("source", index), key) for index, key in enumerate(entry.source)]
    for field, keys in entry.field_source.items():
        named += [(("field_source", field, index), key) for index, key in enumerate(keys)]
    for place, key in named:
        if key not in sources:
            report.add(
                UNKNOWN_SOURCE.at(
                    format_path(place),
                    f"source `{key}` does not exist",
                    span=document.span(place),
                    remedy=f"add it to {SOURCES} with its title and where to find it",
                )
            )


def _other_kind(data: object, model: type[Entry]) -> str | None:
    """Return the folder of another kind that an entry's keys fit, where they do not fit its own kind at all."""
    if not isinstance(data, Mapping) or _own_keys(model) & data.keys():
        return None
    fits = {folder: len(_own_keys(other) & data.keys()) for folder, other in MODELS.items()}
    best = max(fits, key=lambda folder: fits[folder])
    return best if fits[best] else None


def _own_keys(model: type[Entry]) -> set[str]:
    """Return the keys that only this kind of entry has."""
    others = {key for other in MODELS.values() if other is not model for key in other.model_fields}
    return model.model_fields.keys() - others

"""Kinds of findings about catalog files."""

from __future__ import annotations

from fabricgen.core.diagnostics import Kind, Severity

UNKNOWN_SOURCE = Kind(
    "FG110",
    "unknown-source",
    Severity.ERROR,
    "a catalog entry names a source that does not exist",
    "Every figure of the catalog can be traced to a document; a key that leads nowhere breaks the trace.",
)
NAME_DIFFERS = Kind(
    "FG111",
    "catalog-name-differs",
    Severity.ERROR,
    "a catalog entry's id differs from its file's name",
    "Entries are found by their file's name, so the two must agree.",
)
STRAY_FILE = Kind(
    "FG112",
    "catalog-stray-file",
    Severity.ERROR,
    "a file that the catalog does not read",
    "A misspelt folder or ending hides an entry: it is not missed until an inventory asks for it.",
)
WRONG_FOLDER = Kind(
    "FG113",
    "catalog-wrong-folder",
    Severity.ERROR,
    "a catalog entry in the folder of another kind",
    "The folder says what an entry is; in the wrong one it cannot be read.",
)
DANGLING_REFERENCE = Kind(
    "FG114",
    "catalog-dangling-reference",
    Severity.ERROR,
    "a catalog entry refers to one that does not exist",
    "A switch without its ASIC has no buffer, a server without its adapter no ports; plans would stop there.",
)
CONTRADICTION = Kind(
    "FG115",
    "catalog-contradiction",
    Severity.ERROR,
    "two figures of a catalog entry contradict each other",
    "Ports, lanes and names are computed from these figures; if they disagree, ports are named that do not exist.",
)

"""Changes of fabrics as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from fabricgen.report.changes import Change, FabricChanges, Verb

#: Changes of one sort that are listed before the rest is only counted.
SHOWN = 12

_WHATS = ("devices", "cables", "addresses")


def changes_text(fabrics: Iterable[FabricChanges], *, everything: bool) -> Iterator[str]:
    """Yield lines: for each fabric the counts, the reasons, then what changes, most telling first.

    Args:
        fabrics: what :func:`fabricgen.report.changes.compare_all` returned.
        everything: whether all changes are listed, or of each sort at most :data:`SHOWN`.
    """
    for fabric in fabrics:
        yield f"{fabric.name}: {'' if fabric.changes else 'nothing changes'}".rstrip()
        for what in _WHATS:
            counts = [(fabric.counts.get((what, verb), 0), verb) for verb in Verb]
            if any(number for number, _ in counts):
                yield f"  {what:<9} " + ", ".join(f"{number} {verb}" for number, verb in counts if number)
        for reason in fabric.reasons:
            yield f"  why: {reason}"
        for verb in (Verb.MOVED, Verb.REMOVED, Verb.CHANGED, Verb.RENAMED, Verb.ADDED):
            for what in _WHATS:
                found = [change for change in fabric.changes if change.what == what and change.verb is verb]
                yield from _listed(f"{what} {verb}", found, len(found) if everything else SHOWN)
        yield ""


def _listed(heading: str, found: list[Change], limit: int) -> Iterator[str]:
    if not found:
        return
    yield f"  {heading}:"
    for change in found[:limit]:
        yield f"    {_line(change)}"
    if len(found) > limit:
        yield f"    … {len(found) - limit} more (--all lists them)"


def _line(change: Change) -> str:
    if change.verb is Verb.RENAMED:
        return f"{change.old} → {change.new}"
    if change.old and change.new:
        return f"{change.subject}: {change.old} → {change.new}"
    return f"{change.subject}: {change.old or change.new}"


def changes_json(fabrics: Iterable[FabricChanges], old: str) -> str:
    """Return changes as a JSON document; every change is in it."""
    data = [
        {
            "name": fabric.name,
            "reasons": list(fabric.reasons),
            **{
                what: {
                    str(verb): [
                        {"subject": change.subject, "old": change.old or None, "new": change.new or None}
                        for change in fabric.changes
                        if change.what == what and change.verb is verb
                    ]
                    for verb in Verb
                }
                for what in _WHATS
            },
        }
        for fabric in fabrics
    ]
    return json.dumps({"schema": 1, "from": old, "fabrics": data}, indent=1, ensure_ascii=False) + "\n"

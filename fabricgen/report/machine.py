"""Findings as JSON, for programs. The form is versioned: fields are added, never changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from fabricgen.core.diagnostics import Diagnostic, Severity, Span

SCHEMA = 1


def _span(span: Span | None) -> dict[str, Any] | None:
    return None if span is None else {"file": span.file, "line": span.line, "column": span.column}


def diagnostic_data(found: Diagnostic) -> dict[str, Any]:
    """Return a finding as plain data."""
    return {
        "code": found.code,
        "name": found.name,
        "severity": str(found.severity),
        "path": found.path,
        "summary": found.summary,
        "span": _span(found.span),
        "related": [{"text": note.text, "span": _span(note.span)} for note in found.related],
        "numbers": dict(sorted(found.numbers.items())),
        "remedy": found.remedy,
    }


def diagnostics_json(diagnostics: Iterable[Diagnostic], **extra: Mapping[str, Any] | list[Any] | str) -> str:
    """Return findings and whatever else belongs to the run as a JSON document."""
    found = list(diagnostics)
    return (
        json.dumps(
            {
                "schema": SCHEMA,
                **extra,
                "counts": {str(severity): sum(item.severity is severity for item in found) for severity in Severity},
                "diagnostics": [diagnostic_data(item) for item in found],
            },
            indent=2,
        )
        + "\n"
    )

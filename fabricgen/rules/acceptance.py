"""Findings that an inventory accepts: each with a reason, and until when."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity, Span

ACCEPTANCE_UNUSED = Kind(
    "FG001",
    "acceptance-unused",
    Severity.WARNING,
    "an accepted finding that does not occur",
    "What was accepted has been mended, or its path has changed. Left in place, the entry would hide the next finding "
    "that happens to match it.",
)
ACCEPTANCE_EXPIRED = Kind(
    "FG002",
    "acceptance-expired",
    Severity.ERROR,
    "an acceptance whose last day has passed",
    "The date was set so that somebody looks again; an acceptance that outlives it is a fault that nobody owns.",
)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A finding that is known and accepted.

    Attributes:
        code: of the finding.
        path: of the finding; ``*`` stands for any text, all else for itself, brackets too.
        reason: why it is accepted.
        until: last day on which it holds; None for no end.
        span: where the inventory has it.
    """

    code: str
    path: str
    reason: str
    until: dt.date | None = None
    span: Span | None = None

    def matches(self, finding: Diagnostic) -> bool:
        """Return whether the finding is the accepted one."""
        pattern = ".*".join(re.escape(part) for part in self.path.split("*"))
        return self.code == finding.code and re.fullmatch(pattern, finding.path, re.DOTALL) is not None

    def expired(self, today: dt.date | None) -> bool:
        """Return whether its last day lies before ``today``; never where no day is given."""
        return self.until is not None and today is not None and self.until < today


def apply_acceptances(
    findings: Iterable[Diagnostic], acceptances: Sequence[Acceptance], today: dt.date | None
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Divide findings into those that stand and those that are accepted.

    Args:
        findings: in any order.
        acceptances: of the inventory.
        today: the day that they are judged by; none expires where it is None.

    Returns:
        What stands, with FG001 and FG002 about the acceptances themselves, and what is accepted; both sorted.
    """
    kept: list[Diagnostic] = []
    accepted: list[Diagnostic] = []
    used: set[int] = set()
    valid = [(number, item) for number, item in enumerate(acceptances) if not item.expired(today)]
    for finding in findings:
        matching = {number for number, item in valid if item.matches(finding)}
        (accepted if matching else kept).append(finding)
        used |= matching
    for number, item in enumerate(acceptances):
        if item.expired(today):
            kept.append(_expired(item))
        elif number not in used:
            kept.append(_unused(item))
    return tuple(sorted(kept, key=Diagnostic.sort_key)), tuple(sorted(accepted, key=Diagnostic.sort_key))


def _unused(item: Acceptance) -> Diagnostic:
    return ACCEPTANCE_UNUSED.at(
        f"accept[{item.code}]",
        f"no {item.code} at `{item.path}` was found",
        span=item.span,
        remedy="remove the entry, or correct its code or path",
    )


def _expired(item: Acceptance) -> Diagnostic:
    return ACCEPTANCE_EXPIRED.at(
        f"accept[{item.code}]",
        f"{item.code} at `{item.path}` was accepted until {item.until}",
        span=item.span,
        remedy="mend what was accepted and remove the entry, or set a new date with a reason that still holds",
    )

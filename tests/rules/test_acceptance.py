from __future__ import annotations

import datetime as dt

import pytest

from fabricgen.core.diagnostics import Diagnostic, Severity, Span
from fabricgen.rules.acceptance import Acceptance, apply_acceptances

TODAY = dt.date(2026, 6, 15)
PATH = "devices[leaf-01].ports[Ethernet8]"


def finding(code: str = "FG402", path: str = PATH) -> Diagnostic:
    return Diagnostic(code, "pfc-differs", Severity.ERROR, "they differ", path, "make them equal")


def accept(code: str = "FG402", path: str = "*", until: dt.date | None = None) -> Acceptance:
    return Acceptance(code, path, "known", until, Span("fabric.yaml", 7))


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        (PATH, True),
        ("*", True),
        ("devices[leaf-*].ports[*]", True),
        ("devices[leaf-01]*", True),
        ("devices[leaf-01]", False),
        ("devices[leaf-0?].ports[Ethernet8]", False),
        ("devices[leaf-0[12]].ports[Ethernet8]", False),
        ("devices.leaf-01..ports.Ethernet8.", False),
        ("", False),
    ],
)
def test_only_the_star_is_special(pattern: str, matches: bool) -> None:
    kept, accepted = apply_acceptances([finding()], [accept(path=pattern)], TODAY)
    assert bool(accepted) is matches
    assert {found.code for found in kept} == (set() if matches else {"FG001", "FG402"})


def test_another_code_does_not_match() -> None:
    kept, accepted = apply_acceptances([finding("FG403")], [accept()], TODAY)
    assert not accepted
    assert {found.code for found in kept} == {"FG403", "FG001"}


def test_an_unused_acceptance_is_a_warning_at_its_place() -> None:
    (kept,), accepted = apply_acceptances([], [accept(path="devices[gone]*")], TODAY)
    assert not accepted
    assert (kept.code, kept.severity, kept.span) == ("FG001", Severity.WARNING, Span("fabric.yaml", 7))
    assert "devices[gone]*" in kept.summary


@pytest.mark.parametrize(("until", "holds"), [(TODAY, True), (TODAY - dt.timedelta(days=1), False)])
def test_the_last_day_is_still_covered(until: dt.date, holds: bool) -> None:
    kept, accepted = apply_acceptances([finding()], [accept(until=until)], TODAY)
    assert bool(accepted) is holds
    assert [found.code for found in kept] == ([] if holds else ["FG402", "FG002"])


def test_an_expired_acceptance_is_an_error_even_where_nothing_matches() -> None:
    (kept,), _ = apply_acceptances([], [accept(until=dt.date(2020, 1, 1))], TODAY)
    assert (kept.code, kept.severity) == ("FG002", Severity.ERROR)
    assert "2020-01-01" in kept.summary


def test_without_a_day_nothing_expires() -> None:
    kept, accepted = apply_acceptances([finding()], [accept(until=dt.date(2020, 1, 1))], None)
    assert not kept
    assert len(accepted) == 1


def test_two_acceptances_of_one_finding_are_both_used() -> None:
    kept, accepted = apply_acceptances([finding()], [accept(), accept(path=PATH)], TODAY)
    assert not kept
    assert len(accepted) == 1


def test_one_acceptance_may_cover_many_findings() -> None:
    many = [finding(path=f"devices[leaf-{number:02d}]") for number in (10, 9, 1)]
    kept, accepted = apply_acceptances(many, [accept()], TODAY)
    assert not kept
    assert [found.path for found in accepted] == ["devices[leaf-01]", "devices[leaf-09]", "devices[leaf-10]"]

from __future__ import annotations

import pytest

from fabricgen.core.diagnostics import (
    FabricgenError,
    Kind,
    Report,
    Severity,
    Span,
    did_you_mean,
    nearest,
)

KIND = Kind("FG999", "test-kind", Severity.ERROR, "a title", "a reason")
MILD = Kind("FG998", "mild-kind", Severity.INFO, "a title", "a reason")


def test_findings_come_in_a_stable_order() -> None:
    report = Report()
    for device in ("leaf-10", "leaf-9"):
        report.add(KIND.at(f"devices[{device}]", "x", remedy="y"))
    report.add(KIND.at("z", "x", remedy="y", span=Span("a.yaml", 3, 1)))
    assert [found.path for found in report] == ["devices[leaf-9]", "devices[leaf-10]", "z"]


def test_only_errors_stop_a_run() -> None:
    report = Report()
    report.add(MILD.at("a", "x", remedy="y"))
    report.stop_on_errors()
    report.add(KIND.at("b", "x", remedy="y", span=Span("f.yaml", 1, 2)))
    with pytest.raises(FabricgenError, match=r"f.yaml:1:2: error\[FG999\] x") as caught:
        report.stop_on_errors()
    # what is only information does not belong to the reasons
    assert [found.code for found in caught.value.diagnostics] == ["FG999"]


def test_the_nearest_word_is_offered() -> None:
    assert nearest("spne", ["leaf", "spine"]) == "spine"
    assert nearest("SN560", ["sn5600"]) == "sn5600"
    assert nearest("zzz", ["leaf", "spine"]) is None
    assert did_you_mean("lef", ["leaf"]) == "did you mean `leaf`?"
    assert did_you_mean("zzz", ["b", "a"]) == "use one of `a`, `b`"

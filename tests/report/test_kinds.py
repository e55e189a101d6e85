from __future__ import annotations

import re

from fabricgen.report.kinds import all_kinds


def test_codes_and_names_are_unique_and_well_formed() -> None:
    kinds = all_kinds()
    names = [kind.name for kind in kinds.values()]
    assert len(names) == len(set(names))
    for code, kind in kinds.items():
        assert re.fullmatch(r"FG\d{3}", code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", kind.name), kind.name
        assert kind.title == kind.title.strip()
        assert not kind.title.endswith(".")
        assert len(kind.reason.split()) >= 5, f"{code} does not say why it matters"


def test_findings_of_every_part_are_there() -> None:
    kinds = all_kinds()
    for code in ("FG010", "FG101", "FG105", "FG110", "FG120", "FG402", "FG610", "FG655"):
        assert code in kinds

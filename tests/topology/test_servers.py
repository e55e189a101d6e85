from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Report
from fabricgen.topology.servers import check_servers
from tests.clusters import load_text, roce


def found(folder: Path, model: str, adapters: int) -> list[tuple[str, str]]:
    report = Report()
    text = roce(2, adapters).replace("supermicro-sys-821ge-tnhr", model)
    check_servers(load_text(folder, text), load_catalog(), report)
    return [(diagnostic.code, diagnostic.summary) for diagnostic in report]


@pytest.mark.parametrize(("adapters", "share"), [(1, "1 adapter, 50 Gb/s"), (2, "2 adapters, 100 Gb/s")])
def test_gpus_without_a_pcie_switch_share_adapters_across_a_cpu(tmp_path: Path, adapters: int, share: str) -> None:
    ((code, summary),) = found(tmp_path, "supermicro-as-4125gs-tnrt", adapters)
    assert code == "FG152"
    assert share in summary


def test_no_rail_for_each_gpu_where_there_are_two_slots(tmp_path: Path) -> None:
    assert {code for code, _ in found(tmp_path, "supermicro-as-4125gs-tnrt", 8)} == {"FG151", "FG152"}


def test_a_server_whose_slots_are_unknown_is_taken_at_its_word(tmp_path: Path) -> None:
    assert found(tmp_path, "supermicro-sys-821ge-tnhr", 8) == []

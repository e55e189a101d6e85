from __future__ import annotations

from pathlib import Path

from fabricgen.core.diagnostics import Report
from fabricgen.core.guids import is_placeholder
from fabricgen.planning.guids import GuidPlan, plan_guids
from tests.clusters import build, infiniband


def plan(folder: Path, servers: int) -> GuidPlan:
    loaded, fabric = build(folder, infiniband(servers, extra="servers_per_unit: 32"))
    report = Report()
    found = plan_guids(fabric, loaded, report)
    assert not list(report)
    return found


def test_every_guid_and_lid_is_given_once(tmp_path: Path) -> None:
    found = plan(tmp_path, 70)
    guids = [*found.switches.values(), *found.adapters.values()]
    assert len(guids) == len(set(guids)) == len(found.lids) == len(set(found.lids.values()))
    nodes = {guid - 1 for guid in found.adapters.values()}
    assert not nodes & set(guids), "an adapter's node GUID, one below its port's, is free"
    assert min(found.lids.values()) >= 1
    assert max(found.lids.values()) < 0xC000, "LIDs stay in the unicast range"


def test_growing_moves_no_identity(tmp_path: Path) -> None:
    small = plan(tmp_path, 20)
    large = plan(tmp_path, 64)
    assert small.switches.items() <= large.switches.items()
    assert small.adapters.items() <= large.adapters.items()
    assert small.lids.items() <= large.lids.items()


def test_real_guids_replace_placeholders(tmp_path: Path) -> None:
    (tmp_path / "guids.csv").write_text("device,port,guid\nleaf-01,,0xfc6a1c0300a1b2c0\ndgx-001,1,0x946dae0300c4d2e8\n")
    found = plan(tmp_path, 2)
    assert found.switches["leaf-01"] == 0xFC6A1C0300A1B2C0
    assert found.adapters["dgx-001", 1] == 0x946DAE0300C4D2E8
    assert is_placeholder(found.switches["leaf-02"])

"""How fast cabling plan and bill of materials are at 65,536 GPUs; run by ``make bench``. Nothing fails for being
slow."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Report
from fabricgen.planning.plan import FabricPlan
from fabricgen.report.bom import bill, bom_csv
from fabricgen.report.cabling import COLUMNS, cabling_csv, cabling_rows
from fabricgen.report.workbook import cabling_xlsx
from fabricgen.topology.cabling import lay_cables
from fabricgen.topology.designs import designs
from fabricgen.topology.racks import stack_racks
from fabricgen.topology.request import resolve_fabric
from tests.benchmarks.test_speed import clock
from tests.clusters import load_text

pytestmark = pytest.mark.benchmark

INVENTORY = """\
name: bench
servers:
  dgx: {{model: dgx-h100, count: {servers}, racks: {{name: "G{{n:04d}}", per_row: 64}}}}
fabrics:
  compute:
    type: infiniband
    design: rail-optimized
    endpoints: [{{servers: dgx, adapters: compute}}]
    servers_per_unit: 32
    leaf: {{model: qm9700, racks: {{name: "L{{n:04d}}", per_rack: 16, row: 41, per_row: 64}}}}
    spine: {{model: qm9700, racks: {{name: "S{{n:04d}}", per_rack: 16, row: 51, per_row: 64}}}}
    core: {{model: qm9700, racks: {{name: "C{{n:04d}}", per_rack: 16, row: 61, per_row: 64}}}}
    tiers: 3
    cables: {{server: 20m, spine: 45m, core: 80m}}
"""


@pytest.mark.parametrize("servers", [128, 1024, 8192])
def test_cabling(servers: int, tmp_path: Path) -> None:
    loaded, catalog, report = load_text(tmp_path, INVENTORY.format(servers=servers)), load_catalog(), Report()
    request = resolve_fabric(loaded, "compute", catalog, report)
    assert request is not None
    bare = designs()["rail-optimized"].build(request, report)
    report.stop_on_errors()
    assert bare is not None
    switches = bare.sizing.leaves + bare.sizing.spines + bare.sizing.cores
    print(f"\n{servers} servers, {switches} switches, {len(bare.cables)} links")
    (fabric,) = stack_racks([lay_cables(bare, request, Report())], loaded, catalog, Report())
    plan = FabricPlan(fabric, None, None, (), {}, ())
    items = bill(plan, loaded, catalog)
    repeat = 1 if servers > 1024 else 3
    times = [
        clock("assemblies", lambda: lay_cables(bare, request, Report()), repeat),
        clock("rack units", lambda: stack_racks([fabric], loaded, catalog, Report()), repeat),
        clock("cabling.csv", lambda: cabling_csv(plan, catalog), repeat),
        clock("bom.csv", lambda: bom_csv(bill(plan, loaded, catalog), None), repeat),
    ]
    if servers <= 1024:
        rows = cabling_rows(plan, catalog)
        clock(f"cabling.xlsx, {len(rows)} rows of {len(COLUMNS)}", lambda: cabling_xlsx("b", rows, items, None), 1)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"  together, the workbook left out: {sum(times):.2f} s; peak of the process so far {peak_mib} MiB")

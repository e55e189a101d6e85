"""How each stage grows from 1,024 to 65,536 GPUs, and what a whole build takes; run by ``make bench``.

The floor, on two cores: topology and planning in 4 s each, the whole build in 45 s and 3 GB, 3 ms for a switch at any
size, and no worse than linear. Figures are printed and nothing fails for being slow.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest

from fabricgen import api
from fabricgen.cli.main import GC_THRESHOLDS
from fabricgen.core.diagnostics import Report
from fabricgen.delivery import digest, make_manifest, write_tree
from fabricgen.planning.plan import FabricPlan, plan_fabric
from fabricgen.report.bom import bill, bom_csv
from fabricgen.report.cabling import cabling_csv
from fabricgen.report.diagrams import diagrams
from fabricgen.report.graphs import topology_graphml, topology_json
from fabricgen.report.tables import addresses_csv
from fabricgen.rules.engine import check
from fabricgen.topology import build_fabrics
from tests.benchmarks.scale import write_scale

pytestmark = pytest.mark.benchmark

SERVERS = (128, 1024, 8192)
T = TypeVar("T")


class Stages:
    """Seconds of each stage, timed once; garbage of one stage is not collected in the next."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, stage: str, action: Callable[[], T]) -> T:
        gc.collect()
        gc.freeze()
        start = time.perf_counter()
        result = action()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start
        return result


def _documents(plan: FabricPlan, cluster: api.Cluster, stages: Stages) -> dict[str, str]:
    files = {
        "cabling.csv": stages.time("cabling plan", lambda: cabling_csv(plan, cluster.catalog)),
        "addresses.csv": stages.time("other tables", lambda: addresses_csv(plan)),
        "bom.csv": stages.time("other tables", lambda: bom_csv(bill(plan, cluster.loaded, cluster.catalog), None)),
        "topology.json": stages.time("exports", lambda: topology_json(plan)),
        "topology.graphml": stages.time("exports", lambda: topology_graphml(plan)),
    }
    return files | dict(stages.time("pictures", lambda: diagrams(plan.fabric)))


def measure(folder: Path, servers: int) -> tuple[int, int, dict[str, float]]:
    """Return switches, links, and the seconds of each stage in one process."""
    stages, report = Stages(), Report()
    inventory = write_scale(folder / str(servers), servers)
    cluster = stages.time("load", lambda: api.load(inventory))
    (fabric,) = stages.time("topology", lambda: build_fabrics(cluster.loaded, cluster.catalog, report))
    plan = stages.time("planning", lambda: plan_fabric(fabric, cluster.loaded, cluster.catalog, report))
    report.stop_on_errors()
    plans = api.Plans(cluster, (plan,), ())
    files: dict[str, str] = dict(stages.time("emit", lambda: api.emit(plans)))
    networks, _ = stages.time("read back", lambda: api.read_back(plans, files))
    stages.time("rules", lambda: check(networks[0], cluster.catalog))
    files |= _documents(plan, cluster, stages)
    files["manifest.json"] = stages.time(
        "manifest",
        lambda: make_manifest({path: digest(content) for path, content in files.items()}, cluster.loaded.digests),
    )
    stages.time("write", lambda: write_tree(folder / f"out-{servers}", files))
    return sum(1 for _ in fabric.switches), len(fabric.cables), stages.seconds


@pytest.fixture
def as_the_command() -> Iterator[None]:
    """Have Python look for garbage as often as the command does."""
    before = gc.get_threshold()
    gc.set_threshold(*GC_THRESHOLDS)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("as_the_command")
def test_stages(tmp_path: Path) -> None:
    """One process, stage by stage, collecting garbage as the command does; a ratio of 8 is linear."""
    found = {servers: measure(tmp_path, servers) for servers in SERVERS}
    print()
    for servers, (switches, links, _) in found.items():
        print(f"  {servers * 8:6,} GPUs: {servers:,} servers, {switches:,} switches, {links:,} links")
    print(f"  {'seconds':<14}" + "".join(f"{servers * 8:>10,}" for servers in SERVERS) + "    growth     ms/switch")
    for stage in (*found[SERVERS[0]][2], "all"):
        row = [sum(times.values()) if stage == "all" else times[stage] for _, _, times in found.values()]
        growth = "".join(f"{after / before:6.1f}" for before, after in pairwise(row))
        last = row[-1] / found[SERVERS[-1]][0] * 1000
        print(f"  {stage:<14}" + "".join(f"{seconds:10.2f}" for seconds in row) + f"{growth}{last:10.2f}")


def _resident_gb(process: int) -> float:
    """Return the memory of a process and all below it, what they share counted once (proportional set size)."""
    total, waiting = 0, [process]
    while waiting:
        pid = waiting.pop()
        try:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return total * 1024 / 1e9


def whole_build(inventory: Path, target: Path, *options: str) -> tuple[float, float]:
    """Return the seconds and the highest memory, in GB, of ``fabricgen build``."""
    arguments = [sys.executable, "-m", "fabricgen.cli.main", "build", str(inventory), "-o", str(target), *options]
    start, peak = time.perf_counter(), 0.0
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as running:
        done = threading.Event()
        while running.poll() is None:
            peak = max(peak, _resident_gb(running.pid))
            done.wait(0.2)
    assert running.returncode == 0
    return time.perf_counter() - start, peak


def test_whole_build(tmp_path: Path) -> None:
    """The command, from the inventory to the last file; memory is that of all its processes together."""
    print()
    times: dict[int, float] = {}
    for servers in SERVERS:
        inventory = write_scale(tmp_path / str(servers), servers)
        seconds, gigabytes = whole_build(inventory, tmp_path / "out")
        times[servers] = seconds
        switches = len(os.listdir(tmp_path / "out" / "compute" / "switches"))  # noqa: PTH208 - counted, not walked
        print(
            f"  {servers * 8:6,} GPUs, {switches:5,} switches: {seconds:6.1f} s, {gigabytes:.2f} GB, "
            f"{seconds / switches * 1000:.1f} ms for a switch"
        )
    for before, after in pairwise(SERVERS):
        print(f"  {before * 8:,} -> {after * 8:,} GPUs (8 x): {times[after] / times[before]:.1f} x the time")

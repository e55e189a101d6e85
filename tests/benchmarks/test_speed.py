"""How fast it is, in figures; run by ``make bench``. Nothing here fails for being slow."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Report
from fabricgen.planning.plan import plan_fabric
from fabricgen.topology import build_fabrics
from tests.clusters import load_text, roce

pytestmark = pytest.mark.benchmark


def clock(what: str, action: Callable[[], object], repeat: int = 5) -> float:
    """Print and return the best of some runs, in seconds."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    print(f"  {what:<58} {best * 1000:9.1f} ms")
    return best


def command(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run(
        [sys.executable, "-m", "fabricgen.cli.main", *arguments], check=True, capture_output=True
    )


def test_start(inventories: Path) -> None:
    print()
    python = clock("python -c pass", lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    version = clock("fabricgen --version", command("--version"))
    clock("fabricgen --help", command("--help"))
    clock("fabricgen validate inventories/tiny", command("validate", str(inventories / "tiny")))
    print(f"  --version is {version / python:.1f} x an empty Python")


def test_samples(inventories: Path) -> None:
    print()
    for sample in sorted(path for path in inventories.iterdir() if path.is_dir()):
        clock(f"build {sample.name} in memory", lambda sample=sample: api.build(api.load(sample)), 3)  # type: ignore[misc]


def test_growth(tmp_path: Path) -> None:
    """Two tiers of 400G on SN5600 hold 64 leaves at 1:1: 4,096 server ports on 8 rails."""
    print()
    times = {servers: _clock_cluster(tmp_path, servers) for servers in (64, 128, 256, 512)}
    print(f"  64 -> 512 servers (8 x): {times[512] / times[64]:.1f} x the time")


def _clock_cluster(folder: Path, servers: int) -> float:
    loaded = load_text(folder, roce(servers, 8, extra="servers_per_unit: 64\nuplink_speed: 400G"))
    catalog = load_catalog()
    (fabric,) = build_fabrics(loaded, catalog, Report())
    switches = fabric.sizing.leaves + fabric.sizing.spines
    what = f"{servers} servers, {len(fabric.cables)} links"
    topology = clock(f"topology, {what}", lambda: build_fabrics(loaded, catalog, Report()), 3)
    planning = clock("  planning and lowering", lambda: plan_fabric(fabric, loaded, catalog, Report()), 3)
    plans = api.plan(api.load(folder / "fabric.yaml"))
    emit = clock("  emit", lambda: api.emit(plans), 3)
    files = api.emit(plans)
    read = clock("  read back", lambda: api.read_back(plans, files), 3)
    judge = clock("  read back and judge", lambda: api.judge(plans, files), 2)
    parts = {"plan": topology + planning, "emit": emit, "read": read, "rules": judge - read}
    per_switch = ", ".join(f"{part} {seconds / switches * 1000:.2f} ms" for part, seconds in parts.items())
    print(f"  per switch of {switches}: {per_switch}")
    return topology + planning + emit + judge

"""Configuration that is emitted and read back by several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.catalog import Catalog
from fabricgen.core.files import FileSet
from fabricgen.core.memo import Memo
from fabricgen.core.workers import WorkerLostError
from fabricgen.delivery import MemoryOutput, StagedOutput, configuration
from fabricgen.device import DeviceModel
from fabricgen.platforms import platforms
from fabricgen.platforms.base import ReadResult
from tests.benchmarks.scale import write_scale


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> api.Plans:
    """Return plans of 84 switches: enough for two workers."""
    return api.plan(api.load(write_scale(tmp_path_factory.mktemp("scale"), 160)))


def test_any_number_of_processes_makes_the_same_output(plans: api.Plans, tmp_path: Path) -> None:
    alone = api.build(plans.cluster, output=MemoryOutput(), jobs=1)
    together = api.build(plans.cluster, output=StagedOutput(tmp_path), jobs=3)
    assert together.files.digests() == alone.files.digests()
    assert list(together.files) == list(alone.files)
    assert together.verdict == alone.verdict


def test_networks_hold_what_was_read(plans: api.Plans) -> None:
    (network,), findings = configuration.deploy(plans.fabrics, plans.cluster.catalog, MemoryOutput(), jobs=2)
    files = api.emit(plans)
    (expected,), expected_findings = api.read_back(plans, files)
    assert network == expected
    assert findings == expected_findings
    for name in ("leaf-01", "spine-08"):
        model = network.devices[name].model
        assert model is not None
        path = ("interfaces", model.interfaces[0].name, "mtu_bytes")
        span = network.devices[name].locate(path)
        assert span == expected.devices[name].locate(path)
        assert span is not None
        assert span.line is not None
        assert "mtu" in files[span.file].splitlines()[span.line - 1]


def test_what_differs_from_the_plan_comes_back_as_it_was_read(
    plans: api.Plans, monkeypatch: pytest.MonkeyPatch
) -> None:
    sonic = platforms()["sonic"]

    def emit_wrongly(model: DeviceModel, memo: Memo | None = None) -> Mapping[str, str]:
        files = dict(sonic.emit(model, memo))
        if model.name == "core-01":
            files["config_db.json"] = files["config_db.json"].replace('"mtu": "9216"', '"mtu": "1500"')
        return files

    monkeypatch.setattr(configuration, "platforms", lambda: {"sonic": replace(sonic, emit=emit_wrongly)})
    (network,), _ = configuration.deploy(plans.fabrics, plans.cluster.catalog, MemoryOutput(), jobs=2)
    mtus = {
        name: {interface.mtu_bytes for interface in device.model.interfaces}
        for name, device in network.devices.items()
        if device.model
    }
    assert mtus.pop("core-01") == {1500}
    assert all(found == {9216} for found in mtus.values())


def test_a_killed_worker_is_no_result(plans: api.Plans, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, sonic = os.getpid(), platforms()["sonic"]

    def die(files: FileSet, prefix: str, catalog: Catalog, memo: Memo | None = None) -> ReadResult:
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return sonic.read(files, prefix, catalog, memo)

    monkeypatch.setattr(configuration, "platforms", lambda: {"sonic": replace(sonic, read=die)})
    with pytest.raises(WorkerLostError):
        configuration.deploy(plans.fabrics, plans.cluster.catalog, MemoryOutput(), jobs=2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_build_that_is_told_to_end_leaves_the_last_output(number: signal.Signals, tmp_path: Path) -> None:
    inventory, out = write_scale(tmp_path / "inventory", 512), tmp_path / "work" / "out"
    out.mkdir(parents=True)
    command = [sys.executable, "-m", "fabricgen.cli.main", "build", str(inventory), "-o", str(out), "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while running.poll() is None and len(list(out.parent.rglob("config_db.json"))) < 5:
            time.sleep(0.01)
        assert running.poll() is None, "the build was faster than this test"
        running.send_signal(number)
        running.communicate()
    assert running.returncode not in (0, 3)
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert not list(out.iterdir())

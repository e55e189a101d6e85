"""What holds for every sample inventory."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.core.diagnostics import Severity, Span
from fabricgen.delivery.configuration import device_folders
from fabricgen.device import DeviceModel
from fabricgen.rules.engine import check
from tests.conftest import ROOT

PICTURES = [f"topology.{kind}" for kind in ("json", "graphml", "svg", "dot", "mmd")]
SAMPLES = sorted(path.parent for path in (ROOT / "inventories").glob("*/fabric.yaml"))


@pytest.fixture(scope="module", params=SAMPLES, ids=lambda path: path.name)
def plans(request: pytest.FixtureRequest) -> api.Plans:
    return api.plan(api.load(request.param))


def test_what_is_read_back_is_what_was_meant(plans: api.Plans) -> None:
    networks, findings = api.read_back(plans, api.emit(plans))
    accepted = {entry.code for entry in plans.cluster.loaded.inventory.accept}
    assert [found for found in findings if found.code not in accepted] == []
    for plan, network in zip(plans.fabrics, networks, strict=True):
        for model in plan.models:
            assert network.devices[model.name].model == model


def test_the_rules_find_nothing(plans: api.Plans) -> None:
    verdict = api.judge(plans, api.emit(plans))
    about_files = [found for found in verdict.findings if found.code >= "FG2"]
    # placeholder GUIDs are what the samples have; nobody can know the real ones
    assert {found.code for found in about_files if found.severity is not Severity.INFO} <= {"FG508"}


def test_places_are_looked_up_for_findings_only(plans: api.Plans) -> None:
    """Finding a place in JSON reads the file again, which would cost more than all rules together."""
    networks, _ = api.read_back(plans, api.emit(plans))
    networks = [network for network in networks if network.kind == "rocev2"]
    asked: list[tuple[str, ...]] = []

    def locate(path: tuple[str, ...]) -> Span | None:
        asked.append(path)
        return None

    for network in networks:
        devices = {name: dataclasses.replace(device, locate=locate) for name, device in network.devices.items()}
        outcome = check(dataclasses.replace(network, devices=devices), plans.cluster.catalog)
        assert len(asked) <= 2 * len(outcome.findings), asked[:5]
        asked.clear()


def test_every_number_has_a_basis_and_every_port_an_origin(plans: api.Plans) -> None:
    for plan in plans.fabrics:
        for model in plan.models:
            for interface in model.interfaces:
                assert interface.origin is not None
                assert interface.origin.span is not None
                for figure in ("headroom", "ecn"):
                    basis = model.bases[f"{interface.name} {figure}"]
                    assert basis.results
                    assert basis.source
                    assert all(term.source or term.origin or term.value != "" for term in basis.terms)
            _profiles_have_bases(model)


def _profiles_have_bases(model: DeviceModel) -> None:
    for profile in model.buffers.profiles if model.buffers else ():
        assert profile.basis is not None or not profile.lossless, profile.name


def test_the_output_tree_is_as_documented(plans: api.Plans, tmp_path: Path) -> None:
    result = api.build(plans.cluster)
    assert {"manifest.json", "summary.md", "diagnostics.json"} <= set(result.files)
    for plan in plans.fabrics:
        name = plan.fabric.name
        for table in ("cabling.csv", "addresses.csv", "bom.csv", *PICTURES):
            assert f"{name}/{table}" in result.files
        for folder in device_folders(plan).values():
            assert any(path.startswith(f"{folder}/") for path in result.files)
        assert len(result.files[f"{name}/cabling.csv"].splitlines()) == 1 + len(plan.fabric.cables)

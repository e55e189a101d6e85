"""SONiC's own YANG models take what is emitted, and refuse what the reader reports.

``FABRICGEN_SONIC_YANG`` names one or more checkouts of ``src/sonic-yang-models`` of sonic-net/sonic-buildimage, joined
by ``:``; without it these tests are skipped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from fabricgen import api
from fabricgen.device import DeviceModel
from fabricgen.platforms.sonic.emit import CONFIG_DB, emit
from tests.peer.sonic_yang import YangModels
from tests.peers import require
from tests.platforms.sonic.samples import Config, leaf, spine
from tests.platforms.sonic.strategies import device_models
from tests.platforms.sonic.test_read_refusals import ACCEPTED, REFUSED, changed, config_without_algorithm

pytestmark = pytest.mark.peer

VARIABLE = "FABRICGEN_SONIC_YANG"
CHECKOUTS = [path for path in os.environ.get(VARIABLE, "").split(":") if path]

MODELS = {
    "unnumbered": leaf(),
    "numbered with BFD": leaf(numbered=True, bfd=True),
    "traditional buffers": leaf(of="micas-m2-w6940-64oc"),
    "lanes out of order": leaf(of="arista-7060x6-64pe"),
    "spine": spine(),
    "whole switch": leaf(64),
}


@pytest.fixture(scope="module", params=CHECKOUTS or [""])
def models(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> YangModels:
    if not request.param:
        pytest.skip(f"{VARIABLE} is not set: name a checkout of sonic-buildimage's src/sonic-yang-models")
    require("yanglint")
    return YangModels(Path(request.param), tmp_path_factory.mktemp("yang"))


def config_db(model: DeviceModel) -> Config:
    tables: Config = json.loads(emit(model)[CONFIG_DB])
    return tables


@pytest.mark.parametrize("name", MODELS)
def test_the_models_take_what_is_emitted(models: YangModels, name: str) -> None:
    assert models.objections(config_db(MODELS[name])) == []


@pytest.mark.parametrize("sample", ["tiny", "roce-h200-32", "pcie-as4125gs-8"])
def test_the_models_take_the_switches_of_a_sample(models: YangModels, inventories: Path, sample: str) -> None:
    plans = api.plan(api.load(inventories / sample))
    switches = [model for plan in plans.fabrics for model in plan.models if model.platform == "sonic"]
    for model in (switches[0], switches[-1]):
        assert models.objections(config_db(model)) == []


def test_the_models_take_the_good_configuration(models: YangModels) -> None:
    assert models.objections(config_without_algorithm()) == []


def _case_without_algorithm(row: tuple[str, str], fields: dict[str, Any]) -> Config:
    """Return a changed configuration without the field that 202305 does not have, unless it is the one changed."""
    config = changed(*row, fields)
    if row[0] != "SWITCH_HASH":
        del config["SWITCH_HASH"]["GLOBAL"]["ecmp_hash_algorithm"]
    return config


@pytest.mark.parametrize(("row", "fields"), [case[1:3] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_the_models_refuse_what_the_reader_reports(
    models: YangModels, row: tuple[str, str], fields: dict[str, Any]
) -> None:
    assert models.objections(_case_without_algorithm(row, fields))


@pytest.mark.parametrize(("row", "fields"), [case[1:] for case in ACCEPTED], ids=[case[0] for case in ACCEPTED])
def test_the_models_take_what_the_reader_takes(
    models: YangModels, row: tuple[str, str], fields: dict[str, Any]
) -> None:
    assert models.objections(_case_without_algorithm(row, fields)) == []


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
)
@given(model=device_models())
def test_the_models_take_any_device(models: YangModels, model: DeviceModel) -> None:
    assert models.objections(config_db(model)) == []

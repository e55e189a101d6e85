"""What SONiC is told is what is read back."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings

from fabricgen.device import DeviceModel
from fabricgen.platforms.sonic import PLATFORM
from tests.platforms.sonic.samples import read
from tests.platforms.sonic.strategies import device_models

_SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@_SETTINGS
@given(device_models())
def test_read_of_emit_is_the_model(model: DeviceModel) -> None:
    result = read(PLATFORM.emit(model))
    assert result.model == model
    assert result.diagnostics == ()


@_SETTINGS
@given(device_models())
def test_same_model_same_bytes(model: DeviceModel) -> None:
    assert PLATFORM.emit(model) == PLATFORM.emit(model)


@_SETTINGS
@given(device_models())
def test_the_text_is_what_the_json_module_would_indent(model: DeviceModel) -> None:
    text = PLATFORM.emit(model)["config_db.json"]
    assert text == json.dumps(json.loads(text), indent=4) + "\n"


@_SETTINGS
@given(device_models())
def test_every_value_is_text(model: DeviceModel) -> None:
    tables = json.loads(PLATFORM.emit(model)["config_db.json"])
    values = [
        (table, name, value) for table, rows in tables.items() for row in rows.values() for name, value in row.items()
    ]
    assert all(isinstance(value, str) for _, name, value in values if name != "ecmp_hash")

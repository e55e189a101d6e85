"""What is printed for OpenSM reads back as the same model, without a finding."""

from __future__ import annotations

from hypothesis import given, settings

from fabricgen.device import DeviceModel
from fabricgen.platforms.opensm import PLATFORM
from tests.platforms.opensm.samples import read
from tests.platforms.opensm.strategies import subnet_managers


@settings(max_examples=150, deadline=None)
@given(subnet_managers())
def test_read_undoes_emit(model: DeviceModel) -> None:
    files = PLATFORM.emit(model)
    result = read(files, "")
    assert result.diagnostics == ()
    assert result.model == model


@settings(max_examples=30, deadline=None)
@given(subnet_managers())
def test_emit_is_a_function(model: DeviceModel) -> None:
    files = PLATFORM.emit(model)
    again = read(files, "").model
    assert again is not None
    assert PLATFORM.emit(again) == files

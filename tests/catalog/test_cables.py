"""Cables, transceivers and fibres."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen.catalog import UNKNOWN, form_factor, load_catalog
from tests.catalog.directories import errors, expected, write

CABLE = """\
id: dac
vendor: Example
model: DAC
form: cable
type: DAC
medium: passive-copper
protocols: [ethernet]
speeds_gbps: [800]
lane_gbps: 100
near: {connector: OSFP, top: finned, power_max_w: 1.5}
far: {connector: QSFP112, top: none, power_max_w: 0.5}
legs: 2
lengths_cm: [100, 200]
reach_max_m: 2
source: [datasheet]
"""


def test_power_is_that_of_all_ends(tmp_path: Path) -> None:
    assert load_catalog(write(tmp_path, cables__dac=CABLE)).cables["dac"].power_max_w == 2.5


def test_power_is_unknown_if_one_end_is(tmp_path: Path) -> None:
    text = CABLE.replace("top: none, power_max_w: 0.5", "top: none")
    assert load_catalog(write(tmp_path, cables__dac=text)).cables["dac"].power_max_w == UNKNOWN


def test_lengths_rise(tmp_path: Path) -> None:
    write(tmp_path, cables__dac=CABLE.replace("[100, 200]", "[200, 100]"))
    assert errors(tmp_path, "cables", "dac") == expected("""
        cables/dac.yaml:13:13: FG107 lengths_cm: the lengths do not rise (found a list)
            write each once, the shortest first
        """)


@pytest.mark.parametrize(
    ("connector", "found"), [("OSFP twin-port", "OSFP"), ("OSFP flat-top", "OSFP"), ("QSFP112", "QSFP112")]
)
def test_a_form_factor_is_the_first_word(connector: str, found: str) -> None:
    assert form_factor(connector) == found

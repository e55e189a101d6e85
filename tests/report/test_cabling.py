"""The cabling plan as a technician reads it."""

from __future__ import annotations

import csv
import io
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.report.cabling import cabling_csv


def table_of(plans: api.Plans, fabric: int = 0) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(cabling_csv(plans.fabrics[fabric], plans.cluster.catalog))))


@pytest.fixture(scope="module")
def optical(inventories: Path) -> list[dict[str, str]]:
    return table_of(api.plan(api.load(inventories / "roce-h200-32")))


@pytest.fixture(scope="module")
def breakout(inventories: Path) -> list[dict[str, str]]:
    return table_of(api.plan(api.load(inventories / "tiny")))


def test_a_row_names_both_ends_in_both_languages(optical: list[dict[str, str]]) -> None:
    assert len(optical) == 384
    assert optical[0] == {
        "cable": "leaf-01:1/1", "leg": "", "bundle": "A01 > N01", "kind": "server", "rail": "1", "speed_gbps": "400",
        "medium": "multimode", "part": "MFP7E10", "type": "MPO fibre", "cords": "1", "length_m": "10.5",
        "a_rack": "A01", "a_unit": "1", "a_device": "h200-001", "a_cage": "compute1", "a_label": "compute1",
        "a_port": "compute1", "a_plug": "MMA1Z00-NS400", "a_text": "A01-U01 h200-001 compute1 > N01-U01 leaf-01 1/1",
        "b_rack": "N01", "b_unit": "1", "b_device": "leaf-01", "b_cage": "1", "b_label": "1/1",
        "b_port": "Ethernet0", "b_plug": "MMA4Z00-NS", "b_text": "N01-U01 leaf-01 1/1 > A01-U01 h200-001 compute1",
    }  # fmt: skip
    ends = Counter((row[f"{end}_device"], row[f"{end}_port"]) for row in optical for end in "ab")
    assert set(ends.values()) == {1}


def test_the_cables_of_a_bundle_follow_one_another(optical: list[dict[str, str]]) -> None:
    bundles = [key for key, _ in groupby((row["kind"], row["bundle"]) for row in optical)]
    assert len(bundles) == len(set(bundles)) == 8 + 1
    assert bundles[0] == ("server", "A01 > N01")
    assert bundles[-1] == ("spine", "N01 > S01")


def test_the_legs_of_a_cable_follow_one_another_and_share_its_head(breakout: list[dict[str, str]]) -> None:
    first, second = breakout[:2]
    assert (first["cable"], first["leg"], first["type"]) == ("leaf-01:1", "1", "DAC 1:2")
    assert (second["cable"], second["leg"]) == ("leaf-01:1", "2")
    assert first["b_text"] == second["b_text"] == "leaf-01 1 > gpu-01 compute1 + gpu-02 compute1"
    assert first["a_text"] == "gpu-01 compute1 > leaf-01 1/1"
    assert second["a_text"] == "gpu-02 compute1 > leaf-01 1/2"
    cables = [key for key, _ in groupby(row["cable"] for row in breakout)]
    assert len(cables) == len(set(cables))


def test_two_adapters_of_a_dgx_share_a_cage(inventories: Path) -> None:
    table = table_of(api.plan(api.load(inventories / "ib-dgx-h100-1su")))
    ports = Counter((row["a_device"], row["a_cage"]) for row in table if row["kind"] == "server")
    assert set(ports.values()) == {2}
    assert {cage for _, cage in ports} == {"OSFP1", "OSFP2", "OSFP3", "OSFP4"}

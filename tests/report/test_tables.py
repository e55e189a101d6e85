from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.report.tables import addresses_csv, bom_csv, cabling_csv


@pytest.fixture(scope="module")
def plans(inventories: Path) -> api.Plans:
    return api.plan(api.load(inventories / "roce-h200-32"))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_cabling_names_both_ends_in_both_languages(plans: api.Plans) -> None:
    (plan,) = plans.fabrics
    table = rows(cabling_csv(plan))
    assert len(table) == 384
    assert table[0] == {
        "cable": "1", "kind": "server", "rail": "1", "speed_gbps": "400", "length_m": "10.5", "a_rack": "A01",
        "a_device": "h200-001", "a_label": "compute1", "a_port": "compute1", "b_rack": "N01", "b_device": "leaf-01",
        "b_label": "1/1", "b_port": "Ethernet0",
    }  # fmt: skip
    ends = Counter((row[f"{end}_device"], row[f"{end}_port"]) for row in table for end in "ab")
    assert set(ends.values()) == {1}


def test_addresses_are_unique(plans: api.Plans) -> None:
    (plan,) = plans.fabrics
    table = [row for row in rows(addresses_csv(plan)) if row["port"] != "server block"]
    addresses = [row["address"].split("/")[0] for row in table]
    assert len(addresses) == len(set(addresses)) == 10 + 2 * 256


def test_the_bill_counts_every_switch_and_cable(plans: api.Plans) -> None:
    table = rows(bom_csv(plans.fabrics[0], plans.cluster.catalog))
    assert [row["count"] for row in table if row["kind"] == "switch"] == ["10"]
    assert sum(int(row["count"]) for row in table if row["kind"] == "link") == 384

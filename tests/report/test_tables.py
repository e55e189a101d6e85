from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.report.tables import addresses_csv


@pytest.fixture(scope="module")
def plans(inventories: Path) -> api.Plans:
    return api.plan(api.load(inventories / "roce-h200-32"))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_addresses_are_unique(plans: api.Plans) -> None:
    (plan,) = plans.fabrics
    table = [row for row in rows(addresses_csv(plan)) if row["port"] != "server block"]
    addresses = [row["address"].split("/")[0] for row in table]
    assert len(addresses) == len(set(addresses)) == 10 + 2 * 256

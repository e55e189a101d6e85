"""The bill of materials: what is counted, and what is said to be unknown."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.report.bom import bill, bom_csv, total_lines, totals
from tests.clusters import roce

PRICES = """item,length_m,price,currency
sn5600,,70000,USD
bluefield-3-b3140h,,2500,USD
ndr-dac-2-qsfp112,,100,USD
ndr-dac-2-qsfp112,3,120.50,USD
"""


def priced(folder: Path, bill_line: str, prices: str = PRICES) -> api.Cluster:
    text = roce(4, 2, extra="uplink_speed: 800G").replace("spine: 30m", "spine: 1m")
    (folder / "fabric.yaml").write_text(f"{text}bill: {bill_line}\n", encoding="utf-8")
    (folder / "prices.csv").write_text(prices, encoding="utf-8")
    return api.load(folder)


def test_switches_transceivers_and_fibres_are_counted(inventories: Path) -> None:
    cluster = api.load(inventories / "roce-h200-32")
    items = bill(api.plan(cluster).fabrics[0], cluster.loaded, cluster.catalog)
    counts = {(item.kind, item.key): 0 for item in items}
    for item in items:
        counts[item.kind, item.key] += item.count
    assert counts == {
        ("switch", "sn5600"): 10,
        ("transceiver", "ndr-sr-qsfp112"): 256,  # one for each adapter
        ("transceiver", "ndr-sr-twin"): 384,  # 128 cages towards servers, 2 ends of 128 links of 800G
        ("fibre", "fibre-mm-mpo"): 512,  # 256 links of 400G, two fibres for each of 128 links of 800G
    }
    assert totals(items).rack_units == 20
    assert ("power (maxima)", "8832 W, without 10 items of unknown power") in total_lines(items, None)


def test_prices_are_the_users_and_what_has_none_is_said(tmp_path: Path) -> None:
    cluster = priced(tmp_path, "{adapters: true, prices: prices.csv}")
    items = bill(api.plan(cluster).fabrics[0], cluster.loaded, cluster.catalog)
    rows = {(row["kind"], row["id"]): row for row in csv.DictReader(io.StringIO(bom_csv(items, "USD")))}
    assert rows["switch", "sn5600"]["price"] == "280000"
    assert rows["adapter", "bluefield-3-b3140h"]["count"] == "8"
    assert rows["adapter", "bluefield-3-b3140h"]["price"] == "20000"
    cable = rows["cable", "ndr-dac-2-qsfp112"]
    assert (cable["length_m"], cable["unit_price"], cable["price"]) == ("3", "120.50", "482.00"), "by its length"
    dac = rows["cable", "ndr-dac"]
    assert (dac["unit_price"], dac["price"], dac["currency"]) == ("", "", "")
    total = rows["total", ""]
    assert (total["price"], total["currency"]) == ("300482.00", "USD")
    assert f"without {dac['count']} items without a price" in total["description"]
    assert cluster.loaded.digests.keys() == {"fabric.yaml", "prices.csv"}


def test_adapters_are_listed_if_asked_only(tmp_path: Path) -> None:
    cluster = priced(tmp_path, "{prices: prices.csv}")
    items = bill(api.plan(cluster).fabrics[0], cluster.loaded, cluster.catalog)
    assert "adapter" not in {item.kind for item in items}


def test_the_summary_has_the_totals(tmp_path: Path) -> None:
    files = api.build(priced(tmp_path, "{prices: prices.csv}")).files
    summary = files["summary.md"]
    assert isinstance(summary, str)
    assert "| switches | 4 |" in summary
    assert "| rack units | 8 |" in summary
    assert "| price | 280482.00 USD, without" in summary


@pytest.mark.parametrize("name", ["roce-h200-32", "ib-dgx-h100-1su", "pcie-as4125gs-8"])
def test_every_cord_of_the_plan_is_bought(inventories: Path, name: str) -> None:
    cluster = api.load(inventories / name)
    for plan in api.plan(cluster).fabrics:
        items = bill(plan, cluster.loaded, cluster.catalog)
        bought = sum(item.count for item in items if item.kind in {"cable", "fibre", "open"})
        assert bought == sum(assembly.cords for assembly in plan.fabric.assemblies)

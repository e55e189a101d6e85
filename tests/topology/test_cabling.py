"""Which parts and lengths links become, by the shape of their cages."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.topology import Assembly, Fabric
from tests.clusters import infiniband, roce
from tests.conftest import ROOT


def built(folder: Path, text: str) -> tuple[Fabric, tuple[Diagnostic, ...]]:
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    plans = api.plan(api.load(folder))
    return plans.fabrics[0].fabric, plans.notes


def of_tier(fabric: Fabric, role: str) -> list[Assembly]:
    """Return the assemblies whose lower end is a device of a role."""
    return [
        assembly
        for assembly in fabric.assemblies
        if fabric.by_name[fabric.cables[assembly.links[0]].a.device].role == role
    ]


def test_two_servers_below_one_cage_share_a_breakout_cable(tmp_path: Path) -> None:
    fabric, _ = built(tmp_path, roce(4, 2))
    cables = of_tier(fabric, "server")
    assert [cable.name for cable in cables] == ["leaf-01:1", "leaf-01:2", "leaf-02:1", "leaf-02:2"]
    assert {(cable.part, cable.medium, cable.legs, len(cable.links)) for cable in cables} == {
        ("ndr-dac-2-qsfp112", "passive-copper", 2, 2)
    }


def test_a_leg_may_stay_free(tmp_path: Path) -> None:
    fabric, _ = built(tmp_path, roce(3, 1))
    last = of_tier(fabric, "server")[-1]
    assert (last.legs, len(last.links), last.part) == (2, 1, "ndr-dac-2-qsfp112")


def test_beyond_copper_each_link_has_a_fibre_and_each_cage_one_transceiver(tmp_path: Path) -> None:
    fabric, _ = built(tmp_path, roce(4, 2).replace("server: 3m", "server: 12m"))
    cables = of_tier(fabric, "server")
    assert {(cable.part, cable.a_plug, cable.b_plug) for cable in cables} == {
        ("fibre-mm-mpo", "ndr-sr-qsfp112", "ndr-sr-twin")
    }
    assert len(cables) == fabric.transceivers["ndr-sr-qsfp112"] == 8, "one for each adapter"
    spine_links = sum(2 * cable.cords for cable in of_tier(fabric, "leaf"))
    assert fabric.transceivers["ndr-sr-twin"] == 4 + spine_links // 2, "one for each cage: two fibres share it"


def test_two_twin_port_cages_can_share_one_straight_cable(tmp_path: Path) -> None:
    text = infiniband(4).replace("spine: 30m", "spine: 2m")
    fabric, _ = built(tmp_path, text)
    cables = of_tier(fabric, "leaf")
    assert {(cable.part, len(cable.links), cable.legs) for cable in cables} == {("ndr-dac", 2, 1)}


def test_an_undivided_port_takes_the_two_fibres_of_its_transceiver(tmp_path: Path) -> None:
    fabric, _ = built(tmp_path, roce(4, 2, extra="uplink_speed: 800G"))
    cables = of_tier(fabric, "leaf")
    assert {(cable.part, cable.cords, len(cable.links)) for cable in cables} == {("fibre-mm-mpo", 2, 1)}


@pytest.mark.parametrize(
    ("run", "part", "plug"),
    [
        ("1.2m", "ndr-dac", None),
        ("2.1m", "ndr-lacc", None),
        ("49m", "fibre-mm-mpo", "ndr-sr-twin"),
        ("51m", "fibre-sm-mpo", "ndr-dr-twin-100"),
        ("101m", "fibre-sm-mpo", "ndr-dr-twin-500"),
        ("501m", None, "ndr-fr-twin"),
    ],
)
def test_the_first_medium_that_reaches_is_chosen(tmp_path: Path, run: str, part: str | None, plug: str | None) -> None:
    fabric, _ = built(tmp_path, infiniband(4).replace("spine: 30m", f"spine: {run}"))
    assert {(cable.part, cable.a_plug, cable.b_plug) for cable in of_tier(fabric, "leaf")} == {(part, plug, plug)}


def test_a_length_is_rounded_up_to_one_that_is_sold_and_counts_for_the_headroom(tmp_path: Path) -> None:
    fabric, _ = built(tmp_path, roce(4, 2, extra="uplink_speed: 800G").replace("spine: 30m", "spine: 1.2m"))
    assert {cable.length_cm for cable in of_tier(fabric, "leaf")} == {150}
    assert {cable.length_cm for cable in fabric.cables if cable.a.device.startswith("leaf")} == {150}
    longer, _ = built(tmp_path, roce(4, 2, extra="uplink_speed: 800G").replace("spine: 30m", "spine: 2.1m"))
    assert {cable.length_cm for cable in of_tier(longer, "leaf")} == {300}, "the shortest LACC"


def test_the_inventory_may_name_the_medium_or_a_part(tmp_path: Path) -> None:
    for word, plug in (("single-mode", "ndr-dr-twin-100"), ("ndr-dr-twin-500", "ndr-dr-twin-500")):
        text = infiniband(4).replace("spine: 30m", f"spine: 30m, parts: {{spine: {word}}}")
        fabric, _ = built(tmp_path, text)
        assert {cable.b_plug for cable in of_tier(fabric, "leaf")} == {plug}


def test_a_splitter_fibre_serves_two_ports_of_a_cage_in_four(tmp_path: Path) -> None:
    text = (ROOT / "inventories" / "pcie-as4125gs-8" / "fabric.yaml").read_text(encoding="utf-8")
    (tmp_path / "fabric.yaml").write_text(text.replace("server: 3m", "server: 20m"), encoding="utf-8")
    fabric = api.plan(api.load(tmp_path), ["storage"]).fabrics[0].fabric
    cables = of_tier(fabric, "server")
    assert {(cable.part, cable.legs, cable.a_plug, cable.b_plug) for cable in cables} == {
        ("fibre-mm-mpo-2", 2, "ndr-sr-qsfp112", "ndr-sr-twin")
    }
    for cable in cables:
        legs = [fabric.cables[link].b.leg for link in cable.links]
        assert legs in ([1, 2], [3, 4]), "a fibre has neighbouring ports"


def test_what_no_part_fits_is_said_and_left_open(tmp_path: Path) -> None:
    fabric, notes = built(tmp_path, roce(4, 2).replace("spine: 30m", "spine: 3000m"))
    assert {(cable.part, cable.medium) for cable in of_tier(fabric, "leaf")} == {(None, None)}
    (found,) = [note for note in notes if note.code == "FG144"]
    assert found.path == "fabrics.compute.cables.spine"
    assert "every part of the catalog that fits ends at 2000 m" in found.summary
    assert "is 3000 m: leaf-01 33 to spine-01 1" in found.summary
    assert found.remedy.startswith("shorten the run, or add an entry for a part")

from __future__ import annotations

from pathlib import Path

from fabricgen.inventory.models import RackDistances, Racks
from fabricgen.topology.fabric import RackPlace
from fabricgen.topology.racks import cable_length_cm, place
from tests.clusters import build, roce

DISTANCES = RackDistances.model_validate({"rack_pitch": "0.8m", "row_pitch": 3, "rise": "2m", "slack": "1m"})


def test_racks_fill_in_order_and_wrap_into_rows() -> None:
    racks = Racks(name="R{n:02d}", per_rack=2, row=3, column=5, per_row=2)
    assert place(racks, 0) == place(racks, 1) == RackPlace("R01", 3, 5)
    assert place(racks, 2) == RackPlace("R02", 3, 6)
    assert place(racks, 4) == RackPlace("R03", 4, 5)
    assert place(None, 4) is None


def test_length_follows_the_floor_grid() -> None:
    a, b = RackPlace("R01", 1, 1), RackPlace("R09", 2, 4)
    # 3 racks of 0.8 m, one row of 3 m, up and down 2 m each, 1 m slack: 10.4 m, rounded up to half a metre
    assert cable_length_cm(a, b, DISTANCES) == cable_length_cm(b, a, DISTANCES) == 1050
    assert cable_length_cm(a, a, DISTANCES) == 100


def text(servers: int, *, per_rack: int = 3, leaf: str = "", units: str = "") -> str:
    racks = f'racks: {{name: "A{{n:02d}}", per_rack: {per_rack}{units}}}'
    return (
        roce(servers, 2)
        .replace(f"count: {servers}", f"count: {servers}\n    {racks}", 1)
        .replace("leaf: {model: sn5600, nos: sonic}", f"leaf: {{model: sn5600, nos: sonic, {racks[:-1]}{leaf}}}}}")
    )


def units_of(folder: Path, inventory: str) -> dict[str, tuple[str, int | None]]:
    _, fabric = build(folder, inventory)
    return {device.name: (device.place.rack, device.place.rack_unit) for device in fabric.devices if device.place}


def test_groups_of_one_pattern_stand_above_each_other(tmp_path: Path) -> None:
    found = units_of(tmp_path, text(4))
    assert found["gpu-001"] == ("A01", 1)
    assert found["gpu-003"] == ("A01", 17)
    assert found["gpu-004"] == ("A02", 1)
    assert found["leaf-01"] == ("A01", 25), "above three servers of 8 U, whether they are there or not"
    assert found["leaf-02"] == ("A01", 27)


def test_no_device_moves_when_its_group_grows(tmp_path: Path) -> None:
    assert units_of(tmp_path, text(2)).items() <= units_of(tmp_path, text(7)).items()


def test_the_first_unit_may_be_given(tmp_path: Path) -> None:
    assert units_of(tmp_path, text(4, leaf=", first_unit: 39"))["leaf-02"] == ("A01", 41)


def test_a_device_of_unknown_height_has_no_unit(tmp_path: Path) -> None:
    inventory = text(4).replace("model: sn5600", "model: micas-m2-w6940-64oc")
    assert units_of(tmp_path, inventory)["leaf-01"] == ("A01", None)

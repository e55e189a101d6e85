from __future__ import annotations

from fabricgen.inventory.models import RackDistances, Racks
from fabricgen.topology.fabric import RackPlace
from fabricgen.topology.racks import cable_length_cm, place

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

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.inventory.models import Ecn
from fabricgen.planning.buffers import SharedBuffer
from fabricgen.planning.ecn import EcnBound, EcnConflictError, EcnPlan, plan_ecn
from tests.planning.chips import SERVER_CABLES

MTU_BYTES = 9216
ROOMY = SharedBuffer(shared_bytes=130_000_000, ports=64, lossless_priorities=1, alpha_exponent=0)
TIGHT = SharedBuffer(shared_bytes=40_000_000, ports=128, lossless_priorities=1, alpha_exponent=-3)


def plan(shared: SharedBuffer = ROOMY, speed_gbps: int = 400, **intent: int) -> EcnPlan:
    return plan_ecn(
        Ecn.model_validate(intent), shared, speed_gbps=speed_gbps, mtu_bytes=MTU_BYTES, origin=SERVER_CABLES
    )


def test_thresholds_follow_the_round_trip() -> None:
    # 400 Gb/s x 8 us = 400,000 bytes.
    found = plan()
    assert (found.minimum_bytes, found.maximum_bytes, found.probability_percent) == (200_000, 800_000, 100)
    assert found.minimum_bound is found.maximum_bound is EcnBound.ROUND_TRIP
    assert found.marks_before_pause
    assert plan(round_trip_us=4).maximum_bytes == 400_000


def test_pausing_bounds_kmax() -> None:
    found = plan(TIGHT)
    # alpha/8: beta S / (p n (beta + 1)) = 40 MB / 8 / (128 x 9/8), strictly below
    assert found.maximum_bytes == 34722
    assert found.maximum_bound is EcnBound.MARK_BEFORE_PAUSE
    # Half of that is less than two frames, which win.
    assert (found.minimum_bytes, found.minimum_bound) == (18432, EcnBound.TWO_FRAMES)


def test_two_frames_may_break_the_order_and_say_so() -> None:
    found = plan(SharedBuffer(20_000_000, 256, 1, -3))
    assert found.minimum_bytes == 2 * MTU_BYTES
    assert found.maximum_bytes == 3 * MTU_BYTES
    assert found.maximum_bound is EcnBound.TWO_FRAMES
    assert not found.marks_before_pause


def test_slow_port_keeps_two_frames() -> None:
    found = plan(speed_gbps=25)
    assert (found.minimum_bytes, found.minimum_bound) == (18432, EcnBound.TWO_FRAMES)
    assert (found.maximum_bytes, found.maximum_bound) == (50_000, EcnBound.ROUND_TRIP)


def test_inventory_goes_first() -> None:
    found = plan(minimum_bytes=1_048_576, maximum_bytes=2_097_152, probability_percent=5)
    assert (found.minimum_bytes, found.maximum_bytes, found.probability_percent) == (1_048_576, 2_097_152, 5)
    assert found.minimum_bound is found.maximum_bound is EcnBound.INVENTORY
    # SONiC's own thresholds: with 64 ports marking is not sure to come first.
    assert not found.marks_before_pause


def test_kmax_follows_a_kmin_that_the_inventory_sets() -> None:
    found = plan(minimum_bytes=600_000)
    assert (found.minimum_bytes, found.maximum_bytes) == (600_000, 1_200_000)


@pytest.mark.parametrize("intent", [{"minimum_bytes": 9000, "maximum_bytes": 8000}, {"maximum_bytes": 10_000}])
def test_contradiction_is_refused(intent: dict[str, int]) -> None:
    with pytest.raises(EcnConflictError, match="above Kmax") as caught:
        plan(ROOMY, 400, **intent)
    assert caught.value.origin is SERVER_CABLES
    assert caught.value.numbers["minimum_bytes"] > caught.value.numbers["maximum_bytes"]


@given(
    st.sampled_from([25, 50, 100, 200, 400, 800]),
    st.integers(1, 1000),
    st.integers(100_000, 200_000_000),
    st.integers(1, 512),
    st.integers(1, 2),
    st.integers(-7, 7),
)
def test_thresholds_are_in_order(
    speed_gbps: int, round_trip_us: int, shared_bytes: int, ports: int, priorities: int, alpha_exponent: int
) -> None:
    shared = SharedBuffer(shared_bytes, ports, priorities, alpha_exponent)
    found = plan(shared, speed_gbps, round_trip_us=round_trip_us)
    assert 2 * MTU_BYTES <= found.minimum_bytes <= found.maximum_bytes - MTU_BYTES
    assert found.marks_before_pause == (found.maximum_bytes <= shared.marking_bound_bytes)
    if found.maximum_bound is not EcnBound.TWO_FRAMES:
        assert found.marks_before_pause
        assert found.maximum_bytes <= 2 * speed_gbps * round_trip_us * 125


def test_basis_names_the_active_bound() -> None:
    terms = {term.name: term.value for term in plan(TIGHT).basis.terms}
    assert terms["Kmax follows from"] == "mark before pause"
    assert terms["Kmin follows from"] == "two frames"
    assert terms["mark-before-pause bound"] == 34722
    assert terms["alpha"] == "1/8"

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fabricgen.catalog import Asic
from fabricgen.device import PoolDirection, ThresholdMode
from fabricgen.planning.buffers import (
    BufferPlan,
    BufferShortageError,
    BufferUnknownError,
    PortLoad,
    SharedBuffer,
    buffer_pools,
    fixed_profiles,
    plan_buffers,
)
from fabricgen.planning.headroom import HeadroomUnknownError, plan_headroom
from tests.planning.chips import SPECTRUM_4, TOMAHAWK_5, UNKNOWN_CHIP

MTU_BYTES = 9216


def load(asic: Asic, count: int, speed_gbps: int, lanes: int, length_m: int) -> PortLoad:
    headroom = plan_headroom(asic, speed_gbps=speed_gbps, lanes=lanes, length_cm=length_m * 100, mtu_bytes=MTU_BYTES)
    return PortLoad(count, lanes, headroom)


def plan(asic: Asic, *loads: PortLoad, priorities: int = 1, alpha_exponent: int = 0) -> BufferPlan:
    return plan_buffers(asic, loads, lossless_priorities=priorities, alpha_exponent=alpha_exponent, mtu_bytes=MTU_BYTES)


def test_spectrum_takes_each_reservation_once() -> None:
    port = load(SPECTRUM_4, 64, 400, 4, 40)
    found = plan(SPECTRUM_4, port)
    # Each port: the lossless group, a lossy and a management group of 19456, lossy egress 9216, mirror 10240.
    each_bytes = 303104 + 2 * 19456 + 9216 + 10240
    free_bytes = 158229504 - 262144 - 64 * each_bytes
    assert found.shared.shared_bytes == free_bytes // 192 * 192
    assert found.headroom_total_bytes == 64 * 283648
    assert found.headroom_total_bytes + found.reserved_total_bytes == 64 * each_bytes + 262144
    assert found.shared_headroom_bytes is None
    assert found.egress_lossless_bytes == 158229504


def test_cells_pool_the_plain_sum_of_headroom() -> None:
    port = load(TOMAHAWK_5, 128, 400, 4, 40)
    found = plan(TOMAHAWK_5, port)
    assert found.shared_headroom_bytes == found.headroom_total_bytes == 128 * 446024
    # Each port: the lossless guarantee and seven cells for each of two lossy queues.
    assert found.reserved_total_bytes == 128 * (18796 + 2 * 7 * 254)
    assert found.shared.shared_bytes + found.headroom_total_bytes + found.reserved_total_bytes <= found.buffer_bytes


@given(
    st.sampled_from([SPECTRUM_4, TOMAHAWK_5]),
    st.lists(
        st.tuples(st.integers(1, 20), st.sampled_from([100, 200, 400, 800]), st.integers(1, 40)), min_size=1, max_size=3
    ),
    st.integers(1, 4),
    st.integers(1, 2),
)
@example(asic=SPECTRUM_4, ports=[(1, 400, 15), (1, 800, 1)], slices=2, priorities=1)
def test_nothing_is_given_out_twice(
    asic: Asic, ports: list[tuple[int, int, int]], slices: int, priorities: int
) -> None:
    sliced = asic.model_copy(update={"slices": slices})
    loads = [load(asic, count, speed, 8 if speed == 800 else 4, length) for count, speed, length in ports]
    found = plan(sliced, *loads, priorities=priorities)
    taken_bytes = found.shared.shared_bytes + found.headroom_total_bytes + found.reserved_total_bytes
    assert taken_bytes <= found.buffer_bytes <= 162539680
    assert found.headroom_total_bytes >= sum(load.count * load.headroom.headroom_bytes for load in loads) * priorities
    assert found.shared.shared_bytes % (slices * sliced.cell_bytes) == 0  # type: ignore[operator]
    assert found.egress_lossless_bytes >= found.shared.shared_bytes + found.headroom_total_bytes
    # Each of all groups may hold two frames before it pauses.
    assert found.shared.pause_threshold_bytes >= 2 * MTU_BYTES


def test_fullest_slice_decides() -> None:
    halves = TOMAHAWK_5.model_copy(update={"slices": 2})
    short, long = load(TOMAHAWK_5, 2, 400, 4, 5), load(TOMAHAWK_5, 1, 400, 4, 300)
    found = plan(halves, short, long)
    # Two of three ports on one slice, at worst the long one among them.
    assert found.headroom_total_bytes == 2 * (839216 + 393192)
    assert found.buffer_bytes == 162539680 // 2 // 254 * 254 * 2


def test_shortage_says_what_is_needed() -> None:
    # 128 ports of 800G with cables of 300 m: 207 MB of headroom on a chip of 162 MB.
    with pytest.raises(BufferShortageError, match="Tomahawk 5 has 162539680 B") as caught:
        plan(TOMAHAWK_5, load(TOMAHAWK_5, 128, 800, 8, 300))
    numbers = caught.value.numbers
    assert numbers["headroom_bytes"] == 128 * 1621536
    assert numbers["needed_bytes"] == (
        numbers["headroom_bytes"] + numbers["reserved_bytes"] + numbers["shared_minimum_bytes"]
    )
    assert numbers["have_bytes"] == 162539680


def test_small_alpha_needs_more_to_share() -> None:
    full = load(TOMAHAWK_5, 97, 800, 8, 300)
    found = plan(TOMAHAWK_5, full, alpha_exponent=0)
    assert 2 * MTU_BYTES * 98 <= found.shared.shared_bytes < 2 * MTU_BYTES * (97 + 128)
    with pytest.raises(BufferShortageError):
        plan(TOMAHAWK_5, full, alpha_exponent=-7)


def test_unknown_chips_are_refused() -> None:
    port = load(TOMAHAWK_5, 1, 400, 4, 5)
    with pytest.raises(BufferUnknownError, match="Mystery"):
        plan(UNKNOWN_CHIP, port)
    with pytest.raises(HeadroomUnknownError):
        plan(TOMAHAWK_5.model_copy(update={"headroom": "unknown"}), port)


def test_basis_adds_up() -> None:
    found = plan(SPECTRUM_4, load(SPECTRUM_4, 32, 400, 4, 3), load(SPECTRUM_4, 32, 800, 8, 30))
    terms = {term.name: term.value for term in found.basis.terms}
    parts = ("headroom of all ports of a slice", "guarantees of all ports of a slice", "management of a slice")
    left = int(terms["packet buffer"]) - sum(int(terms[name]) for name in parts)
    assert left // 192 * 192 == found.shared.shared_bytes
    assert terms["headroom of each lossless priority of 32 ports"] in (228352, 332800)


@pytest.mark.parametrize("asic", [SPECTRUM_4, TOMAHAWK_5])
def test_profiles_and_pools_agree(asic: Asic) -> None:
    found = plan(asic, load(asic, 64, 400, 4, 40))
    pools = {pool.name: pool for pool in buffer_pools(asic, found)}
    profiles = fixed_profiles(asic, found)
    assert [profile.name for profile in profiles] == sorted(profile.name for profile in profiles)
    for profile in profiles:
        assert profile.pool is not None
        pool = pools[profile.pool]
        assert not profile.lossless
        assert profile.name.startswith(("ingress", "egress", "q_"))
        assert profile.name.startswith("ingress") == (pool.direction is PoolDirection.INGRESS)
        assert (profile.static_threshold_bytes is not None) == (pool.mode is ThresholdMode.STATIC)
        assert (profile.alpha_exponent is not None) == (pool.mode is ThresholdMode.DYNAMIC)


def test_pause_threshold_is_where_equal_groups_settle() -> None:
    # alpha B / (1 + alpha N): the table of dynamic thresholds for alpha 1/8, 1 and 4 and 1, 4 and 31 queues.
    for exponent, groups, share in ((-3, 1, 0.111), (-3, 4, 0.083), (0, 1, 0.5), (0, 31, 0.031), (2, 4, 0.235)):
        shared = SharedBuffer(1_000_000, groups, 1, exponent)
        assert shared.pause_threshold_bytes / 1_000_000 == pytest.approx(share, abs=0.0006)


@given(st.integers(1_000_000, 200_000_000), st.integers(1, 512), st.integers(1, 8), st.integers(-7, 7))
def test_below_the_marking_bound_no_group_pauses(
    shared_bytes: int, ports: int, priorities: int, alpha_exponent: int
) -> None:
    shared = SharedBuffer(shared_bytes, ports, priorities, alpha_exponent)
    queue_bytes = shared.marking_bound_bytes
    # The worst case: all queues of every priority as full as the bound, one ingress group feeding a queue of each port.
    used_bytes = ports * priorities * queue_bytes
    assert ports * queue_bytes < shared.alpha * (shared_bytes - used_bytes)
    more = queue_bytes + 1
    assert ports * more >= shared.alpha * (shared_bytes - ports * priorities * more)

"""DCQCN's own figures (Zhu et al., SIGCOMM 2015, section 4), for a Trident II switch.

12 MB of buffer (10**6 bytes each, as the figures show), 32 ports of 40G, 8 priorities, 22.4 KB of headroom for each
port and priority.
"""

from __future__ import annotations

import pytest

from fabricgen.inventory.models import Ecn
from fabricgen.planning.buffers import SharedBuffer
from fabricgen.planning.ecn import plan_ecn

BUFFER_BYTES = 12_000_000
PORTS, PRIORITIES = 32, 8
FLIGHT_BYTES = 22_400
SHARED_BYTES = BUFFER_BYTES - PRIORITIES * PORTS * FLIGHT_BYTES


def shared(beta: int) -> SharedBuffer:
    """Return the switch; DCQCN's beta is alpha times the priorities."""
    exponents = {1: -3, 2: -2, 4: -1, 8: 0, 64: 3}
    return SharedBuffer(SHARED_BYTES, PORTS, PRIORITIES, exponents[beta])


def test_static_pause_threshold() -> None:
    """An even share of what headroom leaves: 24.47 KB; the dynamic threshold comes to it as alpha grows."""
    generous = SharedBuffer(SHARED_BYTES, PORTS, PRIORITIES, alpha_exponent=7)
    assert generous.pause_threshold_bytes == pytest.approx(24_470, abs=10)
    even_bytes = SHARED_BYTES // (PORTS * PRIORITIES)
    assert even_bytes == 24_475


def test_ecn_threshold_bound() -> None:
    """Beta 8: marking comes before pausing below 21.75 KB."""
    assert shared(8).marking_bound_bytes == pytest.approx(21_750, abs=10)


@pytest.mark.parametrize(("beta", "bound_kb"), [(1, 12.24), (2, 16.32), (4, 19.58), (8, 21.76)])
def test_bound_by_beta(beta: int, bound_kb: float) -> None:
    assert shared(beta).marking_bound_bytes / 1000 == pytest.approx(bound_kb, abs=0.01)


def test_published_thresholds_mark_first_only_at_kmin() -> None:
    """DCQCN deploys Kmin 5 KB, Kmax 200 KB, Pmax 1 %: marking begins before pausing, but Kmax lies beyond the bound."""
    found = plan_ecn(
        Ecn(minimum_bytes=5_000, maximum_bytes=200_000, probability_percent=1),
        shared(8),
        speed_gbps=40,
        mtu_bytes=1500,
    )
    assert found.minimum_bytes < shared(8).marking_bound_bytes < found.maximum_bytes
    assert not found.marks_before_pause


def test_planned_thresholds_keep_the_bound() -> None:
    found = plan_ecn(Ecn(), shared(8), speed_gbps=40, mtu_bytes=1500)
    assert found.maximum_bytes == shared(8).marking_bound_bytes
    assert found.marks_before_pause

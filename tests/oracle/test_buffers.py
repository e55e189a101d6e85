"""Pools against figures that are not ours: what SONiC's own script computes, and what SKUs ship."""

from __future__ import annotations

import pytest

from fabricgen.catalog import Asic, SonicSupport
from fabricgen.inventory.models import QosIntent
from fabricgen.planning.buffers import BufferPlan, PortLoad, plan_buffers
from fabricgen.planning.headroom import plan_headroom
from fabricgen.planning.qos import PortDemand, plan_qos
from tests.planning.chips import DYNAMIC, SPECTRUM_4, SPECTRUM_FACTS, TOMAHAWK_5, TRADITIONAL


def ports(*runs: tuple[int, int, int, int]) -> list[PortDemand]:
    """Return runs of (count, speed in Gb/s, lanes, metres) as ports."""
    kinds = [kind for count, *kind in runs for _ in range(count)]
    return [PortDemand(f"Ethernet{i}", speed, lanes, m * 100) for i, (speed, lanes, m) in enumerate(kinds)]


def plan(asic: Asic, sonic: SonicSupport, demands: list[PortDemand]) -> BufferPlan:
    return plan_qos(QosIntent(), asic, sonic, demands).buffer_plan


@pytest.mark.parametrize(
    ("demands", "device_bytes"),
    [
        (ports((64, 800, 8, 5)), 132_342_784),
        (ports((32, 400, 4, 3), (32, 800, 8, 30)), 132_932_608),
        (ports((128, 400, 4, 40)), 111_698_944),
    ],
    ids=["64x800G", "32x400G+32x800G", "128x400G"],
)
def test_spectrum_pool_is_what_the_device_would_compute(demands: list[PortDemand], device_bytes: int) -> None:
    """The device's figure, less than a cell above ours, which is whole cells.

    It is what cfgmgr/buffer_pool_mellanox.lua (sonic-net/sonic-swss e6b0c5b5d2ab) prints for ingress_lossless_pool, run
    by Lua 5.1 on the pools, profiles, priority groups, queues and profile lists that are planned here, all ports up.
    """
    assert 0 <= device_bytes - plan(SPECTRUM_4, DYNAMIC, demands).shared.shared_bytes < 192


def test_spectrum_pool_against_the_shipped_sku() -> None:
    """ACS-SN5600, t1: two ingress pools of 52,161,690 bytes each; egress lossless pool of 158,229,504.

    Ours is one ingress pool, so it compares with the two together. The SKU is made for 64 ports of 800G, half of them
    with 40 m and half with 300 m of cable, and two lossless priorities. Counting on half as many small packets as its
    own headroom table does, as SONiC's default pattern has it, our plan leaves within 2 % as much.
    """
    shipped_bytes = 2 * 52_161_690
    half = SPECTRUM_4.model_copy(update={"headroom": SPECTRUM_FACTS.model_copy(update={"small_packet_percent": 50})})
    loads = [
        PortLoad(32, 8, plan_headroom(half, speed_gbps=800, lanes=8, length_cm=length_cm, mtu_bytes=9216))
        for length_cm in (4_000, 30_000)
    ]
    found = plan_buffers(half, loads, lossless_priorities=2, alpha_exponent=0, mtu_bytes=9216)
    assert found.shared.shared_bytes == pytest.approx(shipped_bytes, rel=0.02)
    assert found.egress_lossless_bytes == 158_229_504
    # What we plan by default: all packets small, one lossless priority.
    short = plan(SPECTRUM_4, DYNAMIC, ports((32, 800, 8, 5), (32, 800, 8, 40)))
    long = plan(SPECTRUM_4, DYNAMIC, ports((32, 800, 8, 40), (32, 800, 8, 300)))
    assert long.shared.shared_bytes < shipped_bytes < short.shared.shared_bytes


def test_tomahawk_5_pool_against_the_shipped_sku() -> None:
    """Dell-Z9864f-O64, t1: pool of 162,539,680 bytes with a shared headroom of 33,374,584; egress pool as large.

    The SKU's headroom is oversubscribed: 64 ports of 800G at 40 m with two lossless priorities need 3.2 times as much
    (64 x 2 x 835,406). Ours is the plain sum, which cannot run out. The SKU also gives its whole buffer to the pool and
    the headroom on top, which is more than the chip has; both are parts of one memory (sonic-buildimage issue 28657:
    a Tomahawk 6 set up so refuses the profiles), so we take the headroom off.
    """
    found = plan(TOMAHAWK_5, TRADITIONAL, ports((64, 800, 8, 40)))
    shipped_bytes, shipped_headroom_bytes = 162_539_680, 33_374_584
    assert found.shared_headroom_bytes == 64 * 835_406
    assert 2 * found.shared_headroom_bytes / shipped_headroom_bytes == pytest.approx(3.2, abs=0.01)
    assert found.egress_lossless_bytes == shipped_bytes
    assert found.shared.shared_bytes + found.shared_headroom_bytes < shipped_bytes
    assert found.shared.shared_bytes > shipped_bytes - 2 * shipped_headroom_bytes

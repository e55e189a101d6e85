from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.topology.tiers import Demand, SpineFit, fit_cores, fit_spines

# (leaves, uplinks per leaf, spine ports) -> spines, from NVIDIA's DGX SuperPOD reference architectures
PUBLISHED = {
    "H100, 1 SU": (8, 32, 64, 4),
    "H100, 2 SU": (16, 32, 64, 8),
    "H100, 3 SU": (24, 32, 64, 16),  # 12 spines would hold the links, but not evenly
    "H100, 4 SU": (32, 32, 64, 16),
    "B200, 8 SU": (64, 32, 64, 32),
    "B300 XDR, 1 SU": (8, 72, 144, 4),
    "B300 XDR, 2 SU": (16, 72, 144, 8),
    "B300 XDR, 4 SU": (32, 72, 144, 18),
    "B300 XDR, 8 SU": (64, 72, 144, 36),
    "B300 XDR, 18 SU": (144, 72, 144, 72),
    "B300 Spectrum, 16 SU, one plane": (128, 64, 128, 64),
}


@pytest.mark.parametrize("row", PUBLISHED, ids=str)
def test_published_tables(row: str) -> None:
    leaves, uplinks, ports, spines = PUBLISHED[row]
    assert fit_spines(Demand(leaves, uplinks, uplinks), ports) == SpineFit(spines, uplinks // spines)


def test_spare_uplink_ports_save_spines() -> None:
    # 17 is prime: evenly, 17 spines; with one more link from each leaf, 2
    assert fit_spines(Demand(2, 17, 17), 64) == SpineFit(17, 1)
    assert fit_spines(Demand(2, 17, 32), 64) == SpineFit(2, 9)


def test_what_two_tiers_cannot_hold() -> None:
    assert fit_spines(Demand(65, 32, 32), 64) is None


@given(st.integers(2, 200), st.integers(1, 80), st.integers(0, 40), st.sampled_from([32, 64, 128, 144]))
def test_every_answer_fits_and_is_the_least(leaves: int, uplinks: int, spare: int, ports: int) -> None:
    most = uplinks + spare
    found = fit_spines(Demand(leaves, uplinks, most), ports)

    def fits(spines: int, links: int) -> bool:
        return uplinks <= spines * links <= most and leaves * links <= ports and spines >= min(2, uplinks)

    every = [(spines, links) for spines in range(1, most + 1) for links in range(1, most + 1) if fits(spines, links)]
    if found is None:
        assert every == []
    else:
        assert fits(found.spines, found.links)
        assert found.spines == min(spines for spines, _ in every)


@given(st.integers(1, 20), st.integers(0, 6), st.integers(1, 64))
def test_other_leaves_take_ports_from_the_end(main: int, others: int, uplinks: int) -> None:
    alone = Demand(main, uplinks, 64)
    beside = [Demand(others, 8, 64)] if others else []
    found = fit_spines(alone, 64, beside)
    if found is not None:
        assert main * found.links + found.others.ports <= 64
        assert found.others.ports == sum(demand.leaves * -(-8 // found.spines) for demand in beside)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 64), st.integers(0, 8), st.sampled_from([32, 64, 128]))
def test_cores_take_every_spine_evenly(pods: int, spines: int, uplinks: int, spare: int, ports: int) -> None:
    found = fit_cores(pods, spines, uplinks, ports, most_uplinks=uplinks + spare)
    if found is None:
        return
    assert uplinks <= found.uplinks <= uplinks + spare
    assert pods * spines * found.uplinks <= found.cores * ports
    assert found.cores >= min(2, spines)
    assert (pods * spines * found.uplinks) % found.cores == 0, "every core has as many links as every other"

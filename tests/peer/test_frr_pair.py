"""FRR boots a pair of switches: every inter-switch link is an equal path, and the loss of one leaves the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabricgen import api
from tests.clusters import roce
from tests.peer.frr_lab import FrrLab, boot, wait_for

pytestmark = pytest.mark.peer

SPINE, LINKS = "    spine: {model: sn5600, nos: sonic}\n", "addressing: {links: 10.1.0.0/20}"


@pytest.fixture(scope="module", params=["unnumbered", "numbered"])
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FrrLab, api.Plans]]:
    extra = "isl: {speed: 400G}\n" + (LINKS if request.param == "numbered" else "")
    text = roce(3, 2, design="switch-pair", extra=extra).replace(SPINE, "").replace("spine: 30m", "isl: 2m")
    location = tmp_path_factory.mktemp("pair") / "fabric.yaml"
    location.write_text(text, encoding="utf-8")
    with boot(location) as running:
        yield running


def test_the_inter_switch_links_are_equal_paths(lab: tuple[FrrLab, api.Plans]) -> None:
    running, plans = lab
    (plan,) = plans.fabrics
    assert plan.addresses is not None
    assert plan.fabric.sizing.uplinks_per_leaf == 3
    for here, there in (("leaf-01", "leaf-02"), ("leaf-02", "leaf-01")):
        assert wait_for(lambda name=here: running.established(name) == 3, 60)  # type: ignore[misc]
        for prefix in (f"{plan.addresses.loopbacks[there]}/32", str(plan.addresses.server_blocks[there])):
            assert wait_for(lambda a=here, p=prefix: len(running.next_hops(a, p)) == 3, 30), prefix  # type: ignore[misc]


def test_a_failed_link_leaves_the_others(lab: tuple[FrrLab, api.Plans]) -> None:
    running, plans = lab
    (plan,) = plans.fabrics
    assert plan.addresses is not None
    block = str(plan.addresses.server_blocks["leaf-02"])
    link = next(link for link in plan.links if link.a.device == "leaf-01")
    assert wait_for(lambda: len(running.next_hops("leaf-01", block)) == 3, 60)
    running.set_link("leaf-01", link.a.interface, "down")
    try:
        assert wait_for(lambda: len(running.next_hops("leaf-01", block)) == 2, 20)
    finally:
        running.set_link("leaf-01", link.a.interface, "up")
    assert wait_for(lambda: len(running.next_hops("leaf-01", block)) == 3, 60)

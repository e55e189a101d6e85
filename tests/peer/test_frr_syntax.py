"""FRR's own parser takes every ``frr.conf`` that is emitted."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from fabricgen.device import Bgp, BgpNeighbor, DeviceModel
from fabricgen.platforms.sonic.emit import FRR_CONF, emit
from tests.peers import require
from tests.platforms.sonic.samples import bgp, leaf, spine
from tests.platforms.sonic.strategies import bgp_models

pytestmark = pytest.mark.peer


def objections(text: str, directory: Path) -> str:
    """Return what ``vtysh -C`` says about a file; nothing where it takes it."""
    file = directory / FRR_CONF
    file.write_text(text, encoding="utf-8")
    outcome = subprocess.run(
        ["vtysh", "-C", "-f", str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if outcome.returncode == 0:
        return ""
    return outcome.stdout + outcome.stderr or f"vtysh ended with {outcome.returncode}"


def frr_conf(model: DeviceModel) -> str:
    return emit(model)[FRR_CONF]


def mixed() -> Bgp:
    """Return BGP with neighbours of every form."""
    base = bgp(("Ethernet0",))
    return replace(
        base,
        profile="datacenter",
        requires_policy=True,
        neighbors=(
            BgpNeighbor("10.0.0.1", unnumbered=False, remote_as=65001),
            BgpNeighbor("10.0.0.3", unnumbered=False, peer_group="FABRIC", import_policy="IN"),
            BgpNeighbor("10.0.0.5", unnumbered=False, remote_as="external", peer_group="PLAIN"),
            BgpNeighbor("Ethernet0", unnumbered=True, remote_as="external"),
            BgpNeighbor("Ethernet4", unnumbered=True, peer_group="FABRIC", description="to spine-01, port 4"),
            BgpNeighbor("Ethernet8", unnumbered=True, peer_group="PLAIN", remote_as=65002, export_policy="OUT"),
            BgpNeighbor("Ethernet12", unnumbered=True),
        ),
        peer_groups=(*base.peer_groups, replace(base.peer_groups[0], name="PLAIN", remote_as=None, bfd=True)),
    )


MODELS = {
    "unnumbered": leaf(),
    "unnumbered with BFD": leaf(bfd=True),
    "numbered": leaf(numbered=True),
    "numbered with BFD": leaf(numbered=True, bfd=True),
    "spine": spine(),
    "whole switch": leaf(64),
    "mixed": replace(leaf(1), bgp=mixed()),
    "bare": replace(leaf(1), bgp=Bgp(asn=65001)),
    "no policies": replace(leaf(1), bgp=replace(bgp(("Ethernet0",)), requires_policy=False)),
}


@pytest.mark.parametrize("name", MODELS)
def test_frr_takes_what_is_emitted(name: str, tmp_path: Path) -> None:
    require("vtysh")
    assert objections(frr_conf(MODELS[name]), tmp_path) == ""


def test_frr_refuses_what_is_wrong(tmp_path: Path) -> None:
    require("vtysh")
    broken = frr_conf(MODELS["unnumbered"]).replace("remote-as external", "remote-as outside")
    assert "remote-as outside" in objections(broken, tmp_path)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(bgp=bgp_models(("Ethernet0", "Ethernet4")))
def test_frr_takes_any_bgp(bgp: Bgp, tmp_path: Path) -> None:
    require("vtysh")
    assert objections(frr_conf(replace(leaf(1), bgp=bgp)), tmp_path) == ""

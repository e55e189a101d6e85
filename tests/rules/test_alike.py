"""Switches that are alike are judged once: nothing that rules say may come of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.core.memo import Memo
from fabricgen.device import DeviceModel, Network
from fabricgen.rules.base import Context
from fabricgen.rules.engine import check
from tests.rules.builder import network
from tests.rules.test_rules import CASES, Case, catalog


def sharing(one: Network) -> Network:
    """Return the network as a reader gives it: equal parts of switches are one and the same."""
    known: dict[object, Any] = {}

    def shared(model: DeviceModel) -> DeviceModel:
        qos, buffers = (known.setdefault(part, part) for part in (model.qos, model.buffers))
        return replace(model, qos=qos, buffers=buffers)

    devices = {
        name: replace(device, model=shared(device.model)) if device.model else device
        for name, device in one.devices.items()
    }
    return replace(one, devices=devices)


def forget(_: Memo, question: Hashable, answer: Callable[[], Any]) -> Any:
    """Stand in for a memo's method: work everything out anew, so that no two switches share anything."""
    return answer()


def test_switches_that_are_alike_share_their_views() -> None:
    ctx = Context(sharing(network("roce")), catalog())
    leaves = [name for name in ctx.lossless if name.startswith("leaf")]
    assert len(leaves) > 1
    assert len({id(ctx.lossless[name]) for name in leaves}) == len({id(ctx.panels[name]) for name in leaves}) == 1


@pytest.mark.parametrize("field", ["speed_gbps", "cable_length_m", "mtu_bytes", "lanes", "alias", "fec"])
def test_a_port_that_differs_ends_the_sharing(field: str) -> None:
    value = {"lanes": [99], "alias": "other", "fec": "fc"}.get(field, 7)
    changed = network("roce", {"leaf-02": {"interfaces": {"Ethernet0": {field: value}}}})
    ctx = Context(sharing(changed), catalog())
    assert ctx.panels["leaf-01"] is not ctx.panels["leaf-02"]
    assert ctx.lossless["leaf-01"] is not ctx.lossless["leaf-02"]
    assert getattr(ctx.lossless["leaf-02"].interfaces["Ethernet0"], field) != getattr(
        ctx.lossless["leaf-01"].interfaces["Ethernet0"], field
    )


def test_a_fault_that_all_switches_share_is_found_on_each() -> None:
    fault = {"interfaces": {"Ethernet0": {"lanes": [1, 1, 2]}}, "qos": {"watchdog": None}}
    one = network("roce")
    leaves = [name for name in one.devices if name.startswith("leaf") and one.devices[name].model]
    found = check(sharing(network("roce", dict.fromkeys(leaves, fault))), catalog()).findings
    by_code = Counter(finding.code for finding in found)
    assert by_code["FG205"] == by_code["FG409"] == len(leaves) > 1
    for code in ("FG205", "FG409"):
        assert {name for name in leaves if any(name in one.path for one in found if one.code == code)} == set(leaves)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.title}")
def test_sharing_changes_no_finding(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = check(sharing(case.network()), catalog()).findings
    monkeypatch.setattr(Memo, "get", forget)
    assert check(case.network(), catalog()).findings == shared


@pytest.mark.parametrize(
    ("cable", "code"), [("400G 2000m", "FG406"), ("400G 2000m", "FG405"), ("200G 10m", "FG201")], ids=str
)
def test_a_cable_that_differs_is_told_from_those_between_the_same_ports(cable: str, code: str) -> None:
    """The first port of either leaf goes to a server; without their cables the two would be of one kind."""
    same = Context(sharing(network("roce")), catalog())
    changed = sharing(network("roce", {"links": {"gpu-03:rdma0 - leaf-02:Ethernet0": cable}}))
    assert len(Context(changed, catalog()).cable_kinds) == len(same.cable_kinds) + 1 < len(changed.links) + 1
    assert {found.path for found in check(changed, catalog(), select=[code]).findings} == {
        "devices[leaf-02].ports[Ethernet0]"
    }

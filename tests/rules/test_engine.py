from __future__ import annotations

from dataclasses import replace

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.device import Network
from fabricgen.rules import rules
from fabricgen.rules.engine import check
from tests.rules.builder import network

BROKEN = {
    "leaf-01": {"qos": {"ports": {"Ethernet8": {"pfc_priorities": []}}}, "interfaces": {"Ethernet0": {"fec": "fc"}}}
}


def test_findings_are_sorted_and_the_same_twice() -> None:
    first, second = (check(network("roce", BROKEN), load_catalog()).findings for _ in range(2))
    assert len(first) > 2
    assert first == second == tuple(sorted(first, key=Diagnostic.sort_key))


@pytest.mark.parametrize("word", ["FG402", "pfc-differs"])
def test_select_runs_the_named_rules_only(word: str) -> None:
    outcome = check(network("roce", BROKEN), load_catalog(), select=[word])
    assert outcome.ran == ("FG402",)
    assert {found.code for found in outcome.findings} == {"FG402"}


def test_ignore_leaves_rules_out() -> None:
    everything = check(network("roce", BROKEN), load_catalog())
    fewer = check(network("roce", BROKEN), load_catalog(), ignore=["FG402", "headroom-without-pfc"])
    assert set(everything.ran) - set(fewer.ran) == {"FG402", "FG404"}
    assert {found.code for found in everything.findings} - {found.code for found in fewer.findings} == {
        "FG402",
        "FG404",
    }


@pytest.mark.parametrize("where", ["select", "ignore"])
def test_an_unknown_rule_is_refused_with_the_nearest(where: str) -> None:
    with pytest.raises(ValueError, match="pfc-differs"):
        check(network("roce"), load_catalog(), **{where: ["pfc-diffrs"]})


def test_a_rule_without_its_input_is_not_run_and_never_passed() -> None:
    bare = Network("fabric", "rocev2", {}, ())
    outcome = check(bare, load_catalog())
    assert outcome.ran == ()
    assert [code for code, _ in outcome.not_run] == list(rules())
    assert all(reason.startswith("missing: ") for _, reason in outcome.not_run)


@pytest.mark.parametrize(
    ("without", "code", "reason"),
    [
        ("links", "FG402", "missing: links"),
        ("bgp", "FG303", "missing: BGP configurations"),
        ("qos", "FG401", "missing: QoS configurations"),
    ],
)
def test_the_missing_input_is_named(without: str, code: str, reason: str) -> None:
    full = network("roce")
    if without == "links":
        lacking = replace(full, links=())
    else:
        parts = {"bgp": ("bgp",), "qos": ("qos", "buffers")}[without]
        change = {name: dict.fromkeys(parts) for name, device in full.devices.items() if device.model is not None}
        lacking = network("roce", change)
    outcome = check(lacking, load_catalog())
    assert dict(outcome.not_run)[code] == reason
    assert code not in outcome.ran


def test_every_rule_is_either_run_or_not_run() -> None:
    for base in ("roce", "infiniband"):
        outcome = check(network(base), load_catalog())
        assert sorted([*outcome.ran, *(code for code, _ in outcome.not_run)]) == sorted(rules())

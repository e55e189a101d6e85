"""Prefix lists and route maps, against FRR's documented semantics (lib/plist.c, bgpd)."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest

from fabricgen.device import Bgp, PrefixList, PrefixRule, RouteMap, RouteMapEntry
from fabricgen.rules.bgp import as_fits, permits


def bgp(*rules: PrefixRule, entries: tuple[RouteMapEntry, ...] = (RouteMapEntry(10, True, "L"),)) -> Bgp:
    return Bgp(65000, prefix_lists=(PrefixList("L", rules),), route_maps=(RouteMap("M", entries),))


@pytest.mark.parametrize(
    ("least", "most", "matching"),
    [
        (None, None, {16}),
        (None, 24, {16, 20, 24}),
        (20, None, {20, 24, 32}),
        (20, 24, {20, 24}),
        (32, 32, {32}),
    ],
)
def test_bounds_of_a_prefix_rule(least: int | None, most: int | None, matching: set[int]) -> None:
    found = bgp(PrefixRule(5, True, "10.2.0.0/16", least, most))
    assert {length for length in (16, 20, 24, 32) if permits(found, "M", IPv4Network(f"10.2.0.0/{length}"))} == matching
    assert not permits(found, "M", IPv4Network("10.3.0.0/16"))
    assert not permits(found, "M", IPv4Network("10.0.0.0/8"))


def test_the_first_matching_rule_decides() -> None:
    found = bgp(PrefixRule(5, False, "10.2.1.0/24"), PrefixRule(10, True, "10.2.0.0/16", maximum_length=24))
    assert not permits(found, "M", IPv4Network("10.2.1.0/24"))
    assert permits(found, "M", IPv4Network("10.2.2.0/24"))


def test_the_first_matching_entry_decides_and_the_end_denies() -> None:
    entries = (RouteMapEntry(10, False, "L"), RouteMapEntry(20, True, "OTHER"))
    found = bgp(PrefixRule(5, True, "10.2.1.0/24"), entries=entries)
    assert not permits(found, "M", IPv4Network("10.2.1.0/24"))
    assert not permits(found, "M", IPv4Network("10.9.0.0/24"))


def test_an_entry_without_a_match_takes_everything() -> None:
    assert permits(bgp(entries=(RouteMapEntry(10, True),)), "M", IPv4Network("192.0.2.0/24"))


@pytest.mark.parametrize(
    ("expected", "own", "actual", "fits"),
    [
        ("external", 1, 2, True),
        ("external", 1, 1, False),
        ("internal", 1, 1, True),
        ("internal", 1, 2, False),
        (2, 1, 2, True),
        (2, 1, 3, False),
        (None, 1, 2, False),
    ],
)
def test_what_a_remote_as_accepts(expected: int | str | None, own: int, actual: int, fits: bool) -> None:
    assert as_fits(expected, own, actual) is fits

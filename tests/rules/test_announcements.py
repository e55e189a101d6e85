"""What a switch announces of its own prefixes, in cases that random ones seldom meet."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Network

from fabricgen.device import (
    Aggregate,
    Bgp,
    BgpNeighbor,
    PrefixList,
    PrefixRule,
    Redistribution,
    RouteMap,
    RouteMapEntry,
)
from fabricgen.rules.announcements import Announced, OwnPrefix, own_routes
from fabricgen.rules.route_sets import Filters, RouteSpace

OWN: tuple[OwnPrefix, ...] = (
    ("interfaces", "Ethernet0", IPv4Network("10.64.0.0/31")),
    ("interfaces", "Ethernet8", IPv4Network("10.64.0.2/31")),
    ("loopbacks", "Loopback0", IPv4Network("10.0.0.1/32")),
)


SPEAKER = Bgp(
    65000,
    requires_policy=False,
    neighbors=(BgpNeighbor("p", unnumbered=True),),
    redistributions=(Redistribution("connected"),),
)


def announced(*aggregates: Aggregate) -> Announced:
    return own_routes(replace(SPEAKER, aggregates=aggregates), OWN)


def told(found: Announced) -> list[str]:
    return [str(route) for route in found.routes]


def test_without_a_summary_every_prefix_is_announced() -> None:
    assert told(announced()) == ["10.0.0.1/32", "10.64.0.0/31", "10.64.0.2/31"]


def test_a_summary_goes_beside_its_parts_unless_it_is_alone() -> None:
    assert told(announced(Aggregate("10.64.0.0/30"))) == ["10.0.0.1/32", "10.64.0.0/30", "10.64.0.0/31", "10.64.0.2/31"]
    assert told(announced(Aggregate("10.64.0.0/30", summary_only=True))) == ["10.0.0.1/32", "10.64.0.0/30"]


def test_a_summary_alone_stands_for_an_earlier_one_with_the_same_parts() -> None:
    wider = Aggregate("10.64.0.0/26", summary_only=True)
    assert told(announced(Aggregate("10.64.0.0/30"), wider)) == ["10.0.0.1/32", "10.64.0.0/26"]


def test_a_summary_of_nothing_is_not_announced() -> None:
    assert "10.65.0.0/30" not in told(announced(Aggregate("10.65.0.0/30", summary_only=True)))


def test_the_host_bits_of_a_summary_do_not_count() -> None:
    assert "10.64.0.0/30" in told(announced(Aggregate("10.64.0.1/30")))


def test_a_prefix_whose_summary_is_told_is_not_silent() -> None:
    export = PrefixList("L", (PrefixRule(10, True, "10.64.0.0/30"),))
    maps = (RouteMap("M", (RouteMapEntry(10, True, "L"),)),)
    neighbors = (BgpNeighbor("p", unnumbered=True, export_policy="M"),)
    summaries = (Aggregate("10.64.0.0/30", summary_only=True),)
    bgp = replace(SPEAKER, neighbors=neighbors, aggregates=summaries, prefix_lists=(export,), route_maps=maps)
    found = own_routes(bgp, OWN)
    assert told(found) == ["10.64.0.0/30"]
    assert found.silent == (OWN[2],)


def test_of_two_prefix_lists_of_one_name_the_first_counts() -> None:
    route = IPv4Network("10.64.0.0/31")
    lists = tuple(PrefixList("L", (PrefixRule(10, permit, "10.64.0.0/31"),)) for permit in (False, True))
    bgp = Bgp(65000, prefix_lists=lists, route_maps=(RouteMap("M", (RouteMapEntry(10, True, "L"),)),))
    assert not Filters(RouteSpace.of([route])).permitted(bgp, "M")

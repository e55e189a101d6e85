"""Policies judge sets of routes as they judge each route by itself, whatever the policies and the routes."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Network

from hypothesis import given
from hypothesis import strategies as st

from fabricgen.device import (
    Aggregate,
    Bgp,
    BgpNeighbor,
    PeerGroup,
    PrefixList,
    PrefixRule,
    Redistribution,
    RouteMap,
    RouteMapEntry,
)
from fabricgen.rules.announcements import own_routes
from fabricgen.rules.bgp import passes, permits
from fabricgen.rules.route_sets import Filters, RouteSpace

#: Few bits, so that prefixes of rules and routes often lie in one another.
_LENGTHS = (0, 7, 8, 9, 15, 16, 24, 31, 32)
_ADDRESSES = ("10.0.0.0", "10.64.0.0", "10.64.0.2", "10.65.1.1", "11.0.0.0", "192.0.2.255")
_NAMES = ("A", "B", "C")


def networks() -> st.SearchStrategy[IPv4Network]:
    return st.builds(
        lambda address, length: IPv4Network(f"{address}/{length}", strict=False),
        st.sampled_from(_ADDRESSES), st.sampled_from(_LENGTHS),
    )  # fmt: skip


@st.composite
def prefix_rules(draw: st.DrawFn) -> PrefixRule:
    bounds = st.none() | st.sampled_from(_LENGTHS)
    prefix = draw(st.just("any") | st.just("2001:db8::/32") | networks().map(str) | st.just("10.64.0.1/16"))
    return PrefixRule(10, draw(st.booleans()), prefix, draw(bounds), draw(bounds))


@st.composite
def policies(draw: st.DrawFn) -> Bgp:
    lists = st.builds(PrefixList, st.sampled_from(_NAMES), st.lists(prefix_rules(), max_size=4).map(tuple))
    entry = st.builds(RouteMapEntry, st.just(10), st.booleans(), st.none() | st.sampled_from(_NAMES))
    maps = st.builds(RouteMap, st.sampled_from(_NAMES), st.lists(entry, max_size=3).map(tuple))
    return Bgp(
        65000,
        prefix_lists=tuple(draw(st.lists(lists, max_size=3))),
        route_maps=tuple(draw(st.lists(maps, max_size=3))),
    )


@given(policies(), st.lists(networks(), max_size=12))
def test_a_route_map_permits_of_a_set_what_it_permits_one_by_one(bgp: Bgp, routes: list[IPv4Network]) -> None:
    space = RouteSpace.of(routes)
    filters = Filters(space)
    for name in (*_NAMES, None):
        expected = [route for route in sorted(set(routes)) if permits(bgp, name, route)]
        assert list(space.listed(filters.permitted(bgp, name))) == expected


@given(st.lists(networks(), max_size=12), networks(), st.sampled_from(_LENGTHS), st.sampled_from(_LENGTHS))
def test_a_prefix_holds_its_subnets_of_the_lengths_asked_for(
    routes: list[IPv4Network], outer: IPv4Network, least: int, most: int
) -> None:
    space = RouteSpace.of(routes)
    assert set(space.listed(space.within(outer, least, most))) == {
        route for route in routes if route.subnet_of(outer) and least <= route.prefixlen <= most
    }


@given(st.lists(networks(), max_size=12), st.data())
def test_a_set_lists_its_routes_in_their_order(routes: list[IPv4Network], data: st.DataObject) -> None:
    space = RouteSpace.of(routes)
    chosen = data.draw(st.sets(st.sampled_from(routes))) if routes else set()
    assert list(space.listed(space.set_of(chosen))) == sorted(chosen)
    assert list(space.listed(space.all)) == sorted(set(routes))


def originated(bgp: Bgp, network: IPv4Network) -> list[IPv4Network]:
    """Return the routes that BGP makes of one network: the network, summaries of it, both or none."""
    known = str(network) in bgp.networks or any(
        source.protocol == "connected" and permits(bgp, source.route_map, network) for source in bgp.redistributions
    )
    routes = [network] if known else []
    for aggregate in bgp.aggregates if known else ():
        summary = IPv4Network(aggregate.prefix)
        if network.subnet_of(summary) and network != summary:
            routes = [summary] if aggregate.summary_only else [*routes, summary]
    return routes


@st.composite
def speakers(draw: st.DrawFn) -> Bgp:
    name = st.none() | st.sampled_from(_NAMES)
    asn: st.SearchStrategy[int | str | None] = st.sampled_from((None, 65000, 65001, "external", "internal"))
    neighbor = st.builds(BgpNeighbor, st.just("p"), st.just(True), remote_as=asn,
                         peer_group=st.none() | st.just("G"), export_policy=name)  # fmt: skip
    source = st.builds(Redistribution, st.sampled_from(("connected", "static")), name)
    summary = st.builds(Aggregate, networks().map(str), st.booleans())
    return replace(
        draw(policies()),
        requires_policy=draw(st.booleans()),
        neighbors=tuple(draw(st.lists(neighbor, min_size=1, max_size=3))),
        peer_groups=(PeerGroup("G", remote_as=draw(asn), export_policy=draw(name)),),
        networks=tuple(draw(st.lists(networks().map(str), max_size=3))),
        aggregates=tuple(draw(st.lists(summary, max_size=3))),
        redistributions=tuple(draw(st.lists(source, max_size=2))),
    )


@given(speakers(), st.lists(networks(), max_size=8))
def test_a_switch_announces_what_its_networks_announce_one_by_one(bgp: Bgp, own: list[IPv4Network]) -> None:
    told = {
        network: [
            route
            for route in originated(bgp, network)
            if any(passes(bgp, neighbor, "export", route) for neighbor in bgp.neighbors)
        ]
        for network in own
    }
    prefixes = tuple(("interfaces", f"Ethernet{number}", network) for number, network in enumerate(own))
    found = own_routes(bgp, prefixes)
    assert list(found.routes) == sorted({route for routes in told.values() for route in routes})
    assert found.silent == tuple(prefix for prefix in prefixes if not told[prefix[2]])

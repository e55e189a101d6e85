"""Statements of ``frr.conf`` as people, FRR and SONiC write them."""

from __future__ import annotations

import pytest

from fabricgen.core.diagnostics import Diagnostic, Report
from fabricgen.device import (
    Aggregate,
    Bgp,
    BgpNeighbor,
    PeerGroup,
    PrefixRule,
    Redistribution,
    RouteMapEntry,
    StaticRoute,
)
from fabricgen.platforms.sonic.read_frr import FrrConf, read_frr_conf


def read(text: str) -> tuple[FrrConf, list[Diagnostic]]:
    report = Report()
    return read_frr_conf(text, "frr.conf", report), list(report)


def bgp(*lines: str, before: str = "") -> Bgp:
    conf, found = read(before + "\nrouter bgp 65001\n" + "\n".join(f" {line}" for line in lines) + "\n")
    assert found == []
    assert conf.bgp is not None
    return conf.bgp


def test_an_empty_file_has_no_bgp() -> None:
    conf, found = read("!\n# remark\n\n")
    assert conf.bgp is None
    assert found == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["neighbor Ethernet0 interface remote-as external"], BgpNeighbor("Ethernet0", True, "external")),
        (["neighbor Ethernet0 interface v6only remote-as 65002"], BgpNeighbor("Ethernet0", True, 65002)),
        (
            ["neighbor G peer-group", "neighbor Ethernet0 interface v6only peer-group G"],
            BgpNeighbor("Ethernet0", True, None, "G"),
        ),
        (
            ["neighbor Ethernet0 interface", "neighbor Ethernet0 remote-as internal"],
            BgpNeighbor("Ethernet0", True, "internal"),
        ),
        (["neighbor 10.0.0.1 remote-as 65002"], BgpNeighbor("10.0.0.1", False, 65002)),
        (
            ["neighbor fc00::1 remote-as external", "neighbor fc00::1 description two words"],
            BgpNeighbor("fc00::1", False, "external", description="two words"),
        ),
        (
            ["neighbor 10.0.0.1 remote-as 65002", "neighbor 10.0.0.1 shutdown message gone for lunch"],
            BgpNeighbor("10.0.0.1", False, 65002, enabled=False),
        ),
        (
            [
                "neighbor 10.0.0.1 remote-as 65002",
                "neighbor 10.0.0.1 route-map IN in",
                "neighbor 10.0.0.1 route-map OUT out",
            ],
            BgpNeighbor("10.0.0.1", False, 65002, import_policy="IN", export_policy="OUT"),
        ),
    ],
)
def test_neighbours(lines: list[str], expected: BgpNeighbor) -> None:
    assert bgp(*lines).neighbors == (expected,)


def test_peer_groups() -> None:
    group = bgp(
        "neighbor G peer-group",
        "neighbor G remote-as 65002",
        "neighbor G bfd",
        "neighbor G timers 1 3",
        "address-family ipv4 unicast",
        " neighbor G route-map IN in",
        "exit-address-family",
    ).peer_groups
    assert group == (PeerGroup("G", 65002, True, 1, 3, "IN"),)


def test_statements_of_ipv4_unicast_may_stand_outside_their_family() -> None:
    inside = bgp("address-family ipv4 unicast", " network 10.0.0.0/8", " maximum-paths 8", "exit-address-family")
    outside = bgp("network 10.0.0.0/8", "maximum-paths 8")
    assert inside == outside
    assert outside.maximum_paths == 8


def test_other_families_are_counted_not_mixed_in() -> None:
    conf, found = read(
        "router bgp 1\n address-family ipv6 unicast\n  network fc00::/64\n exit-address-family\n"
        " address-family l2vpn evpn\n  advertise-all-vni\n address-family ipv4 unicast\n  network 10.0.0.0/8\n"
    )
    assert found == []
    assert conf.bgp == Bgp(1, networks=("10.0.0.0/8",))
    assert conf.unread == {
        "frr.conf address-family ipv6 unicast": 1,
        "frr.conf address-family ipv6 unicast: network": 1,
        "frr.conf address-family l2vpn evpn": 1,
        "frr.conf address-family l2vpn evpn: advertise-all-vni": 1,
    }


def test_other_vrfs_are_counted_not_mixed_in() -> None:
    conf, _ = read(
        "router bgp 1\nexit\nrouter bgp 2 vrf RED\n network 10.0.0.0/8\nexit\nvrf RED\n ip route 10.0.0.0/8 10.0.0.1\n"
    )
    assert conf.bgp == Bgp(1)
    assert sum(conf.unread.values()) == 4


def test_indentation_does_not_matter_inside_bgp() -> None:
    text = (
        "router bgp 1\nneighbor 10.0.0.1 remote-as 2\naddress-family ipv4 unicast\nnetwork 10.0.0.0/8\n"
        "ip route 10.0.0.0/8 Null0\n"
    )
    conf, _ = read(text)
    assert conf.bgp == Bgp(
        1,
        neighbors=(BgpNeighbor("10.0.0.1", False, 2),),
        networks=("10.0.0.0/8",),
        static_routes=(StaticRoute("10.0.0.0/8", "blackhole"),),
    )


@pytest.mark.parametrize(
    ("lines", "before", "required"),
    [
        ([], "", True),
        ([], "frr defaults datacenter", False),
        (["no bgp ebgp-requires-policy"], "", False),
        (["bgp ebgp-requires-policy"], "frr defaults datacenter", True),
    ],
)
def test_whether_policies_are_required(lines: list[str], before: str, required: bool) -> None:
    assert bgp(*lines, before=before).requires_policy is required


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("seq 10 permit 10.0.0.0/8", PrefixRule(10, True, "10.0.0.0/8")),
        ("seq 10 deny 10.0.0.0/8 ge 24 le 32", PrefixRule(10, False, "10.0.0.0/8", 24, 32)),
        ("permit 10.0.0.0/8 le 32", PrefixRule(5, True, "10.0.0.0/8", None, 32)),
        ("seq 7 permit any", PrefixRule(7, True, "0.0.0.0/0", None, 32)),
    ],
)
def test_prefix_lists(line: str, rule: PrefixRule) -> None:
    (found,) = bgp(before=f"ip prefix-list L {line}").prefix_lists
    assert found.rules == (rule,)


def test_rules_without_a_number_go_in_steps_of_five() -> None:
    (found,) = bgp(before="ip prefix-list L seq 8 permit any\nip prefix-list L deny 10.0.0.0/8").prefix_lists
    assert [rule.sequence for rule in found.rules] == [8, 13]


def test_route_maps() -> None:
    before = "route-map M deny 20\nroute-map M permit 10\n match ip address prefix-list L\n set metric 5\nexit"
    conf, found = read(before + "\nrouter bgp 1\n")
    assert found == []
    assert conf.bgp is not None
    assert conf.bgp.route_maps[0].entries == (RouteMapEntry(10, True, "L"), RouteMapEntry(20, False))
    assert conf.unread == {"frr.conf route-map: set metric": 1}


def test_what_is_announced() -> None:
    found = bgp(
        "redistribute connected", "redistribute static route-map M", "aggregate-address 10.0.0.0/8 summary-only"
    )
    assert found.redistributions == (Redistribution("connected"), Redistribution("static", "M"))
    assert found.aggregates == (Aggregate("10.0.0.0/8", summary_only=True),)


def test_what_sonic_appends_is_silent() -> None:
    # dockers/docker-fpm-frr/docker_init.sh of 202305 and later
    conf, found = read(
        "router bgp 1\nexit\nno fpm use-next-hop-groups\nfpm address 127.0.0.1\nno zebra nexthop kernel enable\n"
    )
    assert found == []
    assert conf.unread == {}


def test_statements_without_a_place_are_counted() -> None:
    conf, _ = read(
        "ip nht resolve-via-default\nrouter bgp 1\n bgp graceful-restart\n timers bgp 3 9\n"
        " neighbor 10.0.0.1 remote-as 2\n neighbor 10.0.0.1 bfd\n neighbor 10.0.0.1 ebgp-multihop 2\n"
    )
    assert conf.unread == {
        "frr.conf ip nht": 1,
        "frr.conf router bgp: bgp graceful-restart": 1,
        "frr.conf router bgp: timers bgp": 1,
        "frr.conf router bgp: neighbor bfd": 1,
        "frr.conf router bgp: neighbor ebgp-multihop": 1,
    }
    assert conf.bfd


@pytest.mark.parametrize(
    ("line", "column", "part"),
    [
        (" neighbor 10.0.0.1 remote-as outside", 2, "`outside` is not an AS number"),
        (" neighbor G remote-as 2", 2, "neither an address nor a peer group"),
        (" neighbor 10.0.0.1", 2, "lacks a setting"),
        (" neighbor 10.0.0.1 route-map M both", 2, "neither `in` nor `out`"),
        (" neighbor Ethernet0 interface remote 2", 2, "cannot follow `interface`"),
        (" network 10.0.0.0", 2, "is not a prefix"),
        (" maximum-paths many", 2, "is not a number of paths"),
        (" bgp router-id leaf-01", 2, "is not an IPv4 address"),
        ("ip prefix-list L seq x permit any", 1, "is not a sequence number"),
        ("ip prefix-list L allow any", 1, "neither `permit` nor `deny`"),
        ("ip prefix-list L permit 10.0.0.0/8 eq 24", 1, "neither `ge` nor `le`"),
        ("ip prefix-list L permit 10.0.0.0/8 le", 1, "lacks a prefix length"),
        ("route-map M permit", 1, "lacks a sequence number"),
        ("frr defaults cloud", 1, "is not a profile"),
        ("router bgp 65536x", 1, "is not an AS number"),
        ("router bgp 2", 1, "there is a BGP instance with AS 1 already"),
    ],
)
def test_statements_that_frr_refuses(line: str, column: int, part: str) -> None:
    _, found = read(f"router bgp 1\n{line}\n")
    assert len(found) == 1
    assert part in found[0].summary
    assert found[0].name == "frr-wrong-statement"
    assert str(found[0].span) == f"frr.conf:2:{column}"


def test_neighbours_that_nothing_activates() -> None:
    text = (
        "router bgp 1\n no bgp default ipv4-unicast\n neighbor G peer-group\n neighbor 10.0.0.1 peer-group G\n"
        " neighbor 10.0.0.3 remote-as 2\n address-family ipv4 unicast\n  neighbor G activate\n"
    )
    _, found = read(text)
    assert [(item.name, item.path, item.span and item.span.line) for item in found] == [
        ("frr-neighbor-not-activated", "frr.conf.neighbors[10.0.0.3]", 5)
    ]


def test_routing_without_bgp_is_counted() -> None:
    conf, _ = read("ip route 10.0.0.0/8 10.0.0.1\nip prefix-list L permit any\nroute-map M permit 10\n")
    assert conf.bgp is None
    assert conf.unread == {"frr.conf ip route": 1, "frr.conf ip prefix-list": 1, "frr.conf route-map": 1}

from __future__ import annotations

from dataclasses import replace

from fabricgen.device import Bgp, BgpNeighbor, PeerGroup, StaticRoute
from fabricgen.platforms.sonic.emit_frr import frr_conf
from tests.platforms.sonic.samples import bgp

UNNUMBERED = """\
frr version 8.5
frr defaults traditional
hostname leaf-01
log syslog informational
log facility local4
!
ip route 10.1.0.0/16 blackhole
!
ip prefix-list LOOPBACKS seq 10 permit 10.255.0.0/16 ge 32
!
route-map IN permit 10
exit
!
route-map OUT permit 10
 match ip address prefix-list LOOPBACKS
exit
!
route-map OUT deny 20
exit
!
router bgp 4200000001
 bgp router-id 10.255.0.1
 bgp bestpath as-path multipath-relax
 neighbor FABRIC peer-group
 neighbor FABRIC remote-as external
 neighbor FABRIC bfd
 neighbor FABRIC timers 3 9
 neighbor Ethernet0 interface peer-group FABRIC
 neighbor Ethernet0 description to gpu-0 port 0
 neighbor Ethernet4 interface peer-group FABRIC
 neighbor Ethernet4 description to gpu-1 port 0
 !
 address-family ipv4 unicast
  network 10.255.0.1/32
  aggregate-address 10.1.0.0/16 summary-only
  redistribute connected route-map OUT
  maximum-paths 64
  neighbor FABRIC route-map IN in
  neighbor FABRIC route-map OUT out
 exit-address-family
exit
!
"""

BARE = """\
frr version 8.5
frr defaults datacenter
hostname spine-01
log syslog informational
log facility local4
!
router bgp 65001
 !
 address-family ipv4 unicast
 exit-address-family
exit
!
"""


def lines(instance: Bgp) -> list[str]:
    return [line.strip() for line in frr_conf("x", instance).splitlines()]


def test_unnumbered() -> None:
    assert frr_conf("leaf-01", bgp(("Ethernet0", "Ethernet4"), bfd=True)) == UNNUMBERED


def test_bare() -> None:
    assert frr_conf("spine-01", Bgp(65001, profile="datacenter", requires_policy=False)) == BARE


def test_policies_are_stated_where_the_profile_says_otherwise() -> None:
    assert "no bgp ebgp-requires-policy" in lines(Bgp(1, requires_policy=False))
    assert "bgp ebgp-requires-policy" in lines(Bgp(1, profile="datacenter", requires_policy=True))
    assert not [line for line in lines(Bgp(1)) if "requires-policy" in line]


def test_a_numbered_neighbour_is_made_by_its_as_before_it_joins_a_group() -> None:
    neighbor = BgpNeighbor("10.0.0.1", unnumbered=False, remote_as=65001, peer_group="G", import_policy="IN")
    found = lines(Bgp(1, neighbors=(neighbor,), peer_groups=(PeerGroup("G"),)))
    assert found.index("neighbor G peer-group") < found.index("neighbor 10.0.0.1 remote-as 65001")
    assert found.index("neighbor 10.0.0.1 remote-as 65001") < found.index("neighbor 10.0.0.1 peer-group G")
    assert "neighbor 10.0.0.1 route-map IN in" in found


def test_an_unnumbered_neighbour_of_its_own() -> None:
    neighbor = BgpNeighbor("Ethernet0", unnumbered=True, remote_as="external")
    assert "neighbor Ethernet0 interface remote-as external" in lines(Bgp(1, neighbors=(neighbor,)))


def test_static_routes() -> None:
    base = Bgp(1, static_routes=(StaticRoute("10.0.0.0/8", "blackhole"), StaticRoute("10.1.0.0/16", "10.0.0.1")))
    assert [line for line in lines(base) if line.startswith("ip route")] == [
        "ip route 10.0.0.0/8 blackhole",
        "ip route 10.1.0.0/16 10.0.0.1",
    ]


def test_a_prefix_length_of_zero_is_written() -> None:
    base = bgp(("Ethernet0",))
    rule = replace(base.prefix_lists[0].rules[0], prefix="0.0.0.0/0", minimum_length=0, maximum_length=0)
    text = frr_conf("x", replace(base, prefix_lists=(replace(base.prefix_lists[0], rules=(rule,)),)))
    assert "permit 0.0.0.0/0 ge 0 le 0\n" in text

"""BGP of the Ethernet underlay: one AS number for each leaf, one for all spines (RFC 7938, 5.2).

Valley paths (leaf, spine, leaf, spine) cannot happen: a leaf announces only what is its own, and all spines share a
number, so that a path through one of them is a loop to the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

from fabricgen.core.model import natural_key
from fabricgen.device import (
    Aggregate,
    Bgp,
    BgpNeighbor,
    PeerGroup,
    PrefixList,
    PrefixRule,
    Redistribution,
    Role,
    RouteMap,
    RouteMapEntry,
)
from fabricgen.inventory import RoceFabric
from fabricgen.planning.addresses import AddressPlan
from fabricgen.topology import Device

LEAF_GROUP, SPINE_GROUP = "LEAVES", "SPINES"
OWN, FABRIC = "OWN", "FABRIC"


@dataclass(frozen=True, slots=True)
class Session:
    """A BGP session to plan: our interface, the peer's device and port, and the peer's address if it has one."""

    interface: str
    peer: str
    peer_port: str
    peer_address: str | None


def plan_bgp(
    device: Device, intent: RoceFabric, addresses: AddressPlan, sessions: Sequence[Session], paths: int
) -> Bgp:
    """Return the BGP configuration of a switch.

    Args:
        device: a leaf or spine.
        intent: the fabric, for its pools.
        addresses: the plan.
        sessions: one for each link to another switch.
        paths: most equal paths to one destination.
    """
    leaf = device.role is Role.LEAF
    group = SPINE_GROUP if leaf else LEAF_GROUP
    block = addresses.server_blocks.get(device.name) if leaf else None
    own = [PrefixRule(10, True, f"{addresses.loopbacks[device.name]}/32")]
    if block is not None:
        own.append(PrefixRule(20, True, str(block), maximum_length=31))
    return Bgp(
        asn=addresses.asns[device.name],
        router_id=str(addresses.loopbacks[device.name]),
        profile="datacenter",
        requires_policy=False,
        multipath_relax=True,
        maximum_paths=max(paths, 1),
        neighbors=_neighbors(sessions, addresses.asns, group, leaf=leaf),
        peer_groups=(
            PeerGroup(
                group,
                remote_as=intent.asn.spine if leaf else None,
                import_policy=FABRIC,
                export_policy=OWN if leaf else FABRIC,
            ),
        ),
        aggregates=() if block is None else (Aggregate(str(block), summary_only=True),),
        redistributions=(Redistribution("connected", OWN),),
        prefix_lists=(PrefixList(FABRIC, _fabric_rules(intent)), PrefixList(OWN, tuple(own))),
        route_maps=(
            RouteMap(FABRIC, (RouteMapEntry(10, True, FABRIC),)),
            RouteMap(OWN, (RouteMapEntry(10, True, OWN),)),
        ),
    )


def _neighbors(
    sessions: Sequence[Session], asns: Mapping[str, int], group: str, *, leaf: bool
) -> tuple[BgpNeighbor, ...]:
    """Return the neighbours. A spine names each leaf's number, so that a leaf cabled to the wrong port is noticed."""
    neighbors = [
        BgpNeighbor(
            peer=session.peer_address or session.interface,
            unnumbered=session.peer_address is None,
            remote_as=None if leaf else asns[session.peer],
            peer_group=group,
            description=f"{session.peer} {session.peer_port}",
        )
        for session in sessions
    ]
    return tuple(sorted(neighbors, key=lambda neighbor: natural_key(neighbor.peer)))


def _fabric_rules(intent: RoceFabric) -> tuple[PrefixRule, ...]:
    pools: list[IPv4Network] = [intent.addressing.loopbacks, intent.addressing.servers]
    return tuple(
        PrefixRule(10 * number, True, str(pool), maximum_length=32) for number, pool in enumerate(pools, start=1)
    )

"""BGP of the Ethernet underlay: an AS number for each leaf, one for a pod's spines, one for all cores (RFC 7938, 5.2).

Valley paths (leaf, spine, leaf, spine) cannot happen: a leaf announces only what is its own, and the spines of a pod
share a number, so that a path through one of them is a loop to the others. The same holds for cores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network
from types import MappingProxyType

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

#: Names of the peer groups, by the peers' role.
PEER_GROUPS = MappingProxyType({Role.LEAF: "LEAVES", Role.SPINE: "SPINES", Role.CORE: "CORES"})
OWN, FABRIC = "OWN", "FABRIC"


@dataclass(frozen=True, slots=True)
class Session:
    """A BGP session to plan: our interface, the peer's device and port, and the peer's address if it has one."""

    interface: str
    peer: str
    peer_role: Role
    peer_port: str
    peer_address: str | None


def plan_bgp(device: Device, intent: RoceFabric, addresses: AddressPlan, sessions: Sequence[Session]) -> Bgp:
    """Return the BGP configuration of a switch.

    Args:
        device: a leaf, spine or core.
        intent: the fabric, for its pools.
        addresses: the plan.
        sessions: one for each link to another switch.
    """
    leaf = device.role is Role.LEAF
    block = addresses.server_blocks.get(device.name) if leaf else None
    own = [PrefixRule(10, True, f"{addresses.loopbacks[device.name]}/32")]
    if block is not None:
        own.append(PrefixRule(20, True, str(block), maximum_length=31))
    # equal paths to one destination lead through neighbours that share a number
    paths = Counter(addresses.asns[session.peer] for session in sessions)
    return Bgp(
        asn=addresses.asns[device.name],
        router_id=str(addresses.loopbacks[device.name]),
        profile="datacenter",
        requires_policy=False,
        multipath_relax=True,
        maximum_paths=max(paths.values(), default=1),
        neighbors=_neighbors(device, sessions, addresses.asns),
        peer_groups=_peer_groups(device, sessions, addresses.asns),
        aggregates=() if block is None else (Aggregate(str(block), summary_only=True),),
        redistributions=(Redistribution("connected", OWN),),
        prefix_lists=(*((PrefixList(FABRIC, _fabric_rules(intent)),) if sessions else ()), PrefixList(OWN, tuple(own))),
        route_maps=tuple(
            RouteMap(name, (RouteMapEntry(10, True, name),)) for name in ((FABRIC, OWN) if sessions else (OWN,))
        ),
    )


def _upward(device: Device, peer: Role) -> bool:
    """Return whether a peer is above; all that are share one number, which its group can then name."""
    return peer.tier > device.role.tier


def _peer_groups(device: Device, sessions: Sequence[Session], asns: Mapping[str, int]) -> tuple[PeerGroup, ...]:
    """Return one group for each role of peers."""
    peers = {session.peer_role: asns[session.peer] for session in sessions}
    return tuple(
        PeerGroup(
            PEER_GROUPS[role],
            remote_as=asn if _upward(device, role) else None,
            import_policy=FABRIC,
            export_policy=OWN if device.role is Role.LEAF else FABRIC,
        )
        for role, asn in sorted(peers.items(), key=lambda item: PEER_GROUPS[item[0]])
    )


def _neighbors(device: Device, sessions: Sequence[Session], asns: Mapping[str, int]) -> tuple[BgpNeighbor, ...]:
    """Return the neighbours. Those below are named by number, so that one cabled to the wrong port is noticed."""
    neighbors = [
        BgpNeighbor(
            peer=session.peer_address or session.interface,
            unnumbered=session.peer_address is None,
            remote_as=None if _upward(device, session.peer_role) else asns[session.peer],
            peer_group=PEER_GROUPS[session.peer_role],
            description=f"{session.peer} {session.peer_port}",
        )
        for session in sessions
    ]
    return tuple(sorted(neighbors, key=lambda neighbor: natural_key(neighbor.peer)))


def _fabric_rules(intent: RoceFabric) -> tuple[PrefixRule, ...]:
    pools: list[IPv4Network] = [intent.addressing.loopbacks, intent.addressing.servers]
    if any(group.endpoints for group in intent.other_leaves.values()):
        pools.append(intent.addressing.other_servers)
    return tuple(
        PrefixRule(10 * number, True, str(pool), maximum_length=32) for number, pool in enumerate(pools, start=1)
    )

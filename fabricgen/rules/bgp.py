"""BGP sessions over the cables between switches, and what policies do to a prefix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Literal

from fabricgen.device import Bgp, BgpNeighbor, PrefixRule
from fabricgen.device.bgp import EXTERNAL, INTERNAL
from fabricgen.rules.addresses import parse_address
from fabricgen.rules.base import Context, Port


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a cable between two switches that both run BGP; ``neighbor`` is None where it has no session."""

    port: Port
    bgp: Bgp
    peer: Port
    peer_bgp: Bgp
    neighbor: BgpNeighbor | None

    @property
    def remote_as(self) -> int | str | None:
        """Return the AS number, or word, that this end expects of its peer."""
        return remote_as(self.bgp, self.neighbor) if self.neighbor else None


def sides(ctx: Context) -> Sequence[tuple[Side, Side]]:
    """Return both ends of every cable between two switches that run BGP."""
    return ctx.once(_sides)


def _sides(ctx: Context) -> list[tuple[Side, Side]]:
    found = []
    neighbors = {
        device.name: {neighbor.peer: neighbor for neighbor in model.bgp.neighbors}
        for device, model in ctx.models()
        if model.bgp is not None
    }
    for a, b in ctx.joined_ports:
        bgp_a, bgp_b = a.model.bgp, b.model.bgp
        if bgp_a is not None and bgp_b is not None:
            found.append(
                (
                    Side(a, bgp_a, b, bgp_b, _neighbor(neighbors[a.end.device], a, b)),
                    Side(b, bgp_b, a, bgp_a, _neighbor(neighbors[b.end.device], b, a)),
                )
            )
    return found


def neighbor_of(bgp: Bgp, near: Port, far: Port) -> BgpNeighbor | None:
    """Return the neighbour of a port in its switch's BGP, named by the port itself or by an address of its peer."""
    return _neighbor({neighbor.peer: neighbor for neighbor in bgp.neighbors}, near, far)


def _neighbor(neighbors: dict[str, BgpNeighbor], near: Port, far: Port) -> BgpNeighbor | None:
    """Return the neighbour of a port, named by the port itself or by an address of its peer."""
    by_interface = neighbors.get(near.interface.name)
    if by_interface is not None:
        return by_interface
    addresses = (parse_address(text) for text in far.interface.addresses)
    return next((neighbors[str(found.ip)] for found in addresses if found and str(found.ip) in neighbors), None)


def remote_as(bgp: Bgp, neighbor: BgpNeighbor) -> int | str | None:
    """Return a neighbour's AS number or word, its own or its peer group's."""
    if neighbor.remote_as is not None:
        return neighbor.remote_as
    group = bgp.peer_group(neighbor.peer_group)
    return group.remote_as if group else None


def is_external(bgp: Bgp, neighbor: BgpNeighbor) -> bool:
    """Return whether a neighbour is declared as one of another AS."""
    expected = remote_as(bgp, neighbor)
    return expected == EXTERNAL or (isinstance(expected, int) and expected != bgp.asn)


def as_fits(expected: int | str | None, own: int, actual: int) -> bool:
    """Return whether a peer's AS number is what its neighbour statement expects."""
    if expected == EXTERNAL:
        return actual != own
    if expected == INTERNAL:
        return actual == own
    return actual == expected


def policy(bgp: Bgp, neighbor: BgpNeighbor, direction: Literal["import", "export"]) -> str | None:
    """Return the route map of a neighbour in a direction, its own or its peer group's."""
    own = neighbor.import_policy if direction == "import" else neighbor.export_policy
    if own:
        return own
    group = bgp.peer_group(neighbor.peer_group)
    if group is None:
        return None
    return group.import_policy if direction == "import" else group.export_policy


def passes(bgp: Bgp, neighbor: BgpNeighbor, direction: Literal["import", "export"], prefix: IPv4Network) -> bool:
    """Return whether a prefix passes a neighbour's policy; without one all does, unless policies are required."""
    name = policy(bgp, neighbor, direction)
    if name is None:
        return not (bgp.requires_policy and is_external(bgp, neighbor))
    return permits(bgp, name, prefix)


def permits(bgp: Bgp, route_map: str | None, prefix: IPv4Network) -> bool:
    """Return whether a route map permits a prefix: its first entry that matches decides, and none denies.

    A route map that is not defined is a finding of its own and is taken to permit.
    """
    found = next((one for one in bgp.route_maps if one.name == route_map), None)
    if found is None:
        return True
    for entry in found.entries:
        if entry.match_prefix_list is None or _in_list(bgp, entry.match_prefix_list, prefix):
            return entry.permit
    return False


def _in_list(bgp: Bgp, name: str, prefix: IPv4Network) -> bool:
    found = next((one for one in bgp.prefix_lists if one.name == name), None)
    decisive = next((rule for rule in found.rules if _matches(rule, prefix)), None) if found else None
    return decisive is not None and decisive.permit


def _matches(rule: PrefixRule, prefix: IPv4Network) -> bool:
    """Return whether a rule matches: the prefix lies in the rule's, and its length in the rule's bounds."""
    if rule.prefix == "any":
        return True
    outer = ipv4_network(rule.prefix)
    if outer is None:
        return False
    least, most = bounds(rule, outer)
    return prefix.subnet_of(outer) and least <= prefix.prefixlen <= most


def bounds(rule: PrefixRule, outer: IPv4Network) -> tuple[int, int]:
    """Return the least and the greatest length that a rule matches.

    Args:
        rule: a rule of a prefix list.
        outer: its prefix.
    """
    least = rule.minimum_length if rule.minimum_length is not None else outer.prefixlen
    if rule.maximum_length is not None:
        return least, rule.maximum_length
    return least, outer.max_prefixlen if rule.minimum_length is not None else outer.prefixlen


def ipv4_network(text: str) -> IPv4Network | None:
    """Return the network of a prefix, whose host bits FRR clears; None for one of IPv6."""
    return None if ":" in text else IPv4Network(text, strict=False)

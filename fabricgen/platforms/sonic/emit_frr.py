"""Prints BGP as ``frr.conf``: decides here, lays out in ``templates/sonic/frr.conf.j2``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabricgen.device import Bgp, BgpNeighbor, PeerGroup, PrefixList
from fabricgen.platforms.sonic.frr_defaults import REQUIRES_POLICY, VERSION
from fabricgen.platforms.templating import render


@dataclass(frozen=True, slots=True)
class _RouteMapBlock:
    name: str
    action: str
    sequence: int
    prefix_list: str | None


def frr_conf(hostname: str, bgp: Bgp) -> str:
    """Return the text of ``frr.conf``, in the order in which FRR writes its own."""
    return render(
        "sonic/frr.conf.j2",
        version=VERSION,
        hostname=hostname,
        bgp=bgp,
        prefix_lines=[line for named in bgp.prefix_lists for line in _prefix_lines(named)],
        route_maps=[
            _RouteMapBlock(named.name, _action(permit=entry.permit), entry.sequence, entry.match_prefix_list)
            for named in bgp.route_maps
            for entry in named.entries
        ],
        instance_lines=[
            *_instance_lines(bgp),
            *(line for group in bgp.peer_groups for line in _group_lines(group)),
            *(line for neighbor in bgp.neighbors for line in _neighbor_lines(neighbor)),
        ],
        family_lines=[
            *_family_lines(bgp),
            *(line for group in bgp.peer_groups for line in _policies(group.name, group)),
            *(line for neighbor in bgp.neighbors for line in _policies(neighbor.peer, neighbor)),
        ],
    )


def _action(*, permit: bool) -> str:
    return "permit" if permit else "deny"


def _prefix_lines(named: PrefixList) -> Iterator[str]:
    for rule in named.rules:
        line = f"{named.name} seq {rule.sequence} {_action(permit=rule.permit)} {rule.prefix}"
        if rule.minimum_length is not None:
            line += f" ge {rule.minimum_length}"
        if rule.maximum_length is not None:
            line += f" le {rule.maximum_length}"
        yield line


def _instance_lines(bgp: Bgp) -> Iterator[str]:
    """Yield the instance's own statements; whether policies are required is written where the profile differs."""
    if bgp.router_id is not None:
        yield f"bgp router-id {bgp.router_id}"
    if bgp.requires_policy is not REQUIRES_POLICY.get(bgp.profile, True):
        yield "bgp ebgp-requires-policy" if bgp.requires_policy else "no bgp ebgp-requires-policy"
    if bgp.multipath_relax:
        yield "bgp bestpath as-path multipath-relax"


def _group_lines(group: PeerGroup) -> Iterator[str]:
    subject = f"neighbor {group.name}"
    yield f"{subject} peer-group"
    if group.remote_as is not None:
        yield f"{subject} remote-as {group.remote_as}"
    if group.bfd:
        yield f"{subject} bfd"
    if group.keepalive_s is not None and group.hold_s is not None:
        yield f"{subject} timers {group.keepalive_s} {group.hold_s}"


def _neighbor_lines(neighbor: BgpNeighbor) -> Iterator[str]:
    """Yield a neighbour's statements, the one that makes it first."""
    subject = f"neighbor {neighbor.peer}"
    remote_as = None if neighbor.remote_as is None else f"remote-as {neighbor.remote_as}"
    group = None if neighbor.peer_group is None else f"peer-group {neighbor.peer_group}"
    if neighbor.unnumbered:
        yield " ".join(part for part in (subject, "interface", group or remote_as) if part)
        rest = [remote_as] if group else []
    else:
        rest = [remote_as, group]
    for part in rest:
        if part is not None:
            yield f"{subject} {part}"
    if neighbor.description is not None:
        yield f"{subject} description {neighbor.description}"
    if not neighbor.enabled:
        yield f"{subject} shutdown"


def _family_lines(bgp: Bgp) -> Iterator[str]:
    for prefix in bgp.networks:
        yield f"network {prefix}"
    for aggregate in bgp.aggregates:
        yield f"aggregate-address {aggregate.prefix}" + (" summary-only" if aggregate.summary_only else "")
    for source in bgp.redistributions:
        yield f"redistribute {source.protocol}" + (f" route-map {source.route_map}" if source.route_map else "")
    if bgp.maximum_paths is not None:
        yield f"maximum-paths {bgp.maximum_paths}"


def _policies(peer: str, settings: PeerGroup | BgpNeighbor) -> Iterator[str]:
    if settings.import_policy is not None:
        yield f"neighbor {peer} route-map {settings.import_policy} in"
    if settings.export_policy is not None:
        yield f"neighbor {peer} route-map {settings.export_policy} out"

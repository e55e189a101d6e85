"""The statements of ``frr.conf`` that are read, one function each.

A function is given the state and the statement's words. It raises :class:`StatementError` for what FRR would refuse and
:class:`NotReadError` for what the device model has no place for.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from fabricgen.device import Aggregate, PrefixRule, Redistribution, RouteMapEntry, StaticRoute
from fabricgen.device.bgp import EXTERNAL, INTERNAL
from fabricgen.platforms.sonic.frr_defaults import REQUIRES_POLICY, SEQUENCE_STEP
from fabricgen.platforms.sonic.frr_state import FrrState, NotReadError, StatementError
from fabricgen.platforms.sonic.schema import is_prefix

Words = Sequence[str]
Statement = Callable[[FrrState, Words], None]


def _word(words: Words, position: int, what: str) -> str:
    if position >= len(words):
        raise StatementError(f"`{' '.join(words)}` lacks {what}", f"add {what}")
    return words[position]


def _number(text: str, low: int, high: int, what: str) -> int:
    if text.isdigit() and low <= int(text) <= high:
        return int(text)
    raise StatementError(f"`{text}` is not {what}", f"write a whole number from {low} to {high}")


def _prefix(text: str) -> str:
    if is_prefix(text):
        return text
    raise StatementError(f"`{text}` is not a prefix", "write it as 10.0.0.0/24")


def _asn(text: str) -> int | str:
    if text in (EXTERNAL, INTERNAL):
        return text
    return _number(text, 1, 2**32 - 1, "an AS number")


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def silent(_state: FrrState, _words: Words) -> None:
    """Take a statement that changes nothing that is checked."""


def _defaults(state: FrrState, words: Words) -> None:
    profile = _word(words, 2, "a profile")
    if profile not in REQUIRES_POLICY:
        raise StatementError(
            f"`{profile}` is not a profile of FRR", "write `frr defaults traditional` or `frr defaults datacenter`"
        )
    state.profile = profile
    state.mark("profile")


def _hostname(state: FrrState, words: Words) -> None:
    state.hostname = _word(words, 1, "a name")
    state.lines[("name",)] = state.line


def _ip_route(state: FrrState, words: Words) -> None:
    prefix, next_hop = _prefix(_word(words, 2, "a prefix")), _word(words, 3, "a next hop")
    if len(words) > 4:
        raise NotReadError
    # FRR's other words for the same route (doc/user/static.rst)
    next_hop = "blackhole" if next_hop.lower() in ("null0", "blackhole") else next_hop
    state.static_routes.add(StaticRoute(prefix, next_hop))
    state.mark("static_routes", prefix)


def _prefix_list(state: FrrState, words: Words) -> None:
    name, rest = _word(words, 2, "a name"), list(words[3:])
    rules = state.prefix_rules.setdefault(name, {})
    if rest[:1] == ["description"]:
        raise NotReadError
    if rest[:1] == ["seq"]:
        sequence = _number(_word(rest, 1, "a sequence number"), 1, 2**32 - 1, "a sequence number")
        rest = rest[2:]
    else:
        sequence = max(rules, default=0) + SEQUENCE_STEP
    permit = _permit(_word(rest, 0, "`permit` or `deny`"))
    prefix, bounds = _word(rest, 1, "a prefix"), rest[2:]
    if prefix == "any":
        prefix, bounds = "0.0.0.0/0", ["le", "32"]
    rules[sequence] = PrefixRule(sequence, permit, _prefix(prefix), **_bounds(bounds))
    state.mark("prefix_lists", name)
    state.mark("prefix_lists", name, str(sequence))


def _permit(word: str) -> bool:
    if word not in ("permit", "deny"):
        raise StatementError(f"`{word}` is neither `permit` nor `deny`", "write `permit` or `deny`")
    return word == "permit"


def _bounds(words: Words) -> dict[str, int]:
    names = {"ge": "minimum_length", "le": "maximum_length"}
    found = {}
    for position in range(0, len(words), 2):
        word = words[position]
        if word not in names:
            raise StatementError(f"`{word}` is neither `ge` nor `le`", "write `ge 24` or `le 32`")
        found[names[word]] = _number(_word(words, position + 1, "a prefix length"), 0, 128, "a prefix length")
    return found


def route_map(state: FrrState, words: Words) -> None:
    """Open an entry of a route map."""
    name, permit = _word(words, 1, "a name"), _permit(_word(words, 2, "`permit` or `deny`"))
    sequence = _number(_word(words, 3, "a sequence number"), 1, 65535, "a sequence number")
    entries = state.policies.setdefault(name, {})
    before = entries.get(sequence, RouteMapEntry(sequence, permit))
    entries[sequence] = replace(before, permit=permit)
    state.entry = (name, sequence)
    state.mark("route_maps", name)
    state.mark("route_maps", name, str(sequence))


def _match(state: FrrState, words: Words) -> None:
    if list(words[1:4]) != ["ip", "address", "prefix-list"]:
        raise NotReadError
    name, sequence = state.entry
    entries = state.policies[name]
    entries[sequence] = replace(entries[sequence], match_prefix_list=_word(words, 4, "a prefix list"))


def router_bgp(state: FrrState, words: Words) -> None:
    """Open the BGP instance."""
    asn = _number(_word(words, 2, "an AS number"), 1, 2**32 - 1, "an AS number")
    before = state.instance.setdefault("asn", asn)
    if before != asn:
        raise StatementError(
            f"there is a BGP instance with AS {before} already",
            f"write `router bgp {before}`, or remove one of the two",
        )
    state.lines.setdefault(("bgp",), state.line)
    state.mark("asn")


def _set(state: FrrState, name: str, value: object) -> None:
    state.instance[name] = value
    state.lines[("bgp", name)] = state.line


def _router_id(state: FrrState, words: Words) -> None:
    text = _word(words, 2, "an IPv4 address")
    if not _is_address(text) or ":" in text:
        raise StatementError(f"`{text}` is not an IPv4 address", "write the address of the loopback")
    _set(state, "router_id", text)


def _policy_required(state: FrrState, _words: Words) -> None:
    _set(state, "requires_policy", True)


def _bestpath(state: FrrState, words: Words) -> None:
    if list(words[2:]) != ["as-path", "multipath-relax"]:
        raise NotReadError
    _set(state, "multipath_relax", True)


def _default(state: FrrState, words: Words) -> None:
    if list(words[2:]) != ["ipv4-unicast"]:
        raise NotReadError
    state.activates_all = True


def _no_bgp(state: FrrState, words: Words) -> None:
    if list(words[2:]) == ["ebgp-requires-policy"]:
        _set(state, "requires_policy", False)
    elif list(words[2:]) == ["default", "ipv4-unicast"]:
        state.activates_all = False
    else:
        raise NotReadError


def _maximum_paths(state: FrrState, words: Words) -> None:
    if words[1:2] == ["ibgp"]:
        raise NotReadError
    _set(state, "maximum_paths", _number(_word(words, 1, "a number"), 1, 999, "a number of paths"))


def _network(state: FrrState, words: Words) -> None:
    prefix = _prefix(_word(words, 1, "a prefix"))
    if len(words) > 2:
        raise NotReadError
    state.networks.add(prefix)
    state.mark("networks", prefix)


def _aggregate(state: FrrState, words: Words) -> None:
    prefix = _prefix(_word(words, 1, "a prefix"))
    if set(words[2:]) - {"summary-only"}:
        raise NotReadError
    state.aggregates[prefix] = Aggregate(prefix, "summary-only" in words)
    state.mark("aggregates", prefix)


def _redistribute(state: FrrState, words: Words) -> None:
    protocol, rest = _word(words, 1, "a protocol"), list(words[2:])
    if rest and (len(rest) != 2 or rest[0] != "route-map"):
        raise NotReadError
    state.redistributions[protocol] = Redistribution(protocol, rest[1] if rest else None)
    state.mark("redistributions", protocol)


def _neighbor(state: FrrState, words: Words) -> None:
    peer, verb = _word(words, 1, "a neighbour"), _word(words, 2, "a setting")
    setting = _NEIGHBOR_SETTINGS.get(verb)
    if setting is None:
        raise NotReadError
    setting(state, peer, words[3:])


def _subject(state: FrrState, peer: str, attribute: str) -> dict[str, Any]:
    """Return the attributes of a peer group or neighbour, which an address need not have had before."""
    if peer in state.groups:
        state.mark("peer_groups", peer, attribute)
        return state.groups[peer]
    if peer not in state.neighbors:
        if not _is_address(peer):
            raise StatementError(
                f"`{peer}` is neither an address nor a peer group or interface that was named before",
                f"write `neighbor {peer} peer-group` or `neighbor {peer} interface` first",
            )
        state.mark("neighbors", peer)
        state.neighbors[peer] = {"unnumbered": False}
    state.mark("neighbors", peer, attribute)
    return state.neighbors[peer]


def _peer_group(state: FrrState, peer: str, words: Words) -> None:
    if words:
        _subject(state, peer, "peer_group")["peer_group"] = words[0]
    else:
        state.groups.setdefault(peer, {})
        state.mark("peer_groups", peer)


def _remote_as(state: FrrState, peer: str, words: Words) -> None:
    value = _asn(_word(words, 0, "an AS number, `external` or `internal`"))
    _subject(state, peer, "remote_as")["remote_as"] = value


def _interface(state: FrrState, peer: str, words: Words) -> None:
    known = state.neighbors.setdefault(peer, {})
    known["unnumbered"] = True
    state.mark("neighbors", peer)
    rest = [word for word in words if word != "v6only"]
    if rest[:1] == ["peer-group"]:
        _peer_group(state, peer, [_word(rest, 1, "a peer group")])
    elif rest[:1] == ["remote-as"]:
        _remote_as(state, peer, rest[1:])
    elif rest:
        raise StatementError(
            f"`{rest[0]}` cannot follow `interface`", "write `peer-group NAME` or `remote-as external`"
        )


def _bfd(state: FrrState, peer: str, words: Words) -> None:
    state.bfd = True
    if peer not in state.groups or words:
        raise NotReadError
    _subject(state, peer, "bfd")["bfd"] = True


def _timers(state: FrrState, peer: str, words: Words) -> None:
    if peer not in state.groups or words[:1] == ["connect"]:
        raise NotReadError
    keepalive_s, hold_s = (_number(_word(words, position, "a time"), 0, 65535, "a time") for position in (0, 1))
    _subject(state, peer, "keepalive_s")["keepalive_s"] = keepalive_s
    _subject(state, peer, "hold_s")["hold_s"] = hold_s


def _description(state: FrrState, peer: str, words: Words) -> None:
    if peer in state.groups:
        raise NotReadError
    _subject(state, peer, "description")["description"] = " ".join(words)


def _policy(state: FrrState, peer: str, words: Words) -> None:
    name, direction = _word(words, 0, "a route map"), _word(words, 1, "`in` or `out`")
    attribute = {"in": "import_policy", "out": "export_policy"}.get(direction)
    if attribute is None:
        raise StatementError(f"`{direction}` is neither `in` nor `out`", "write `in` or `out`")
    _subject(state, peer, attribute)[attribute] = name


def _shutdown(state: FrrState, peer: str, words: Words) -> None:
    if peer in state.groups or words[:1] == ["rtt"]:
        raise NotReadError
    _subject(state, peer, "enabled")["enabled"] = False


def _activate(state: FrrState, peer: str, _words: Words) -> None:
    state.activated.add(peer)


_NEIGHBOR_SETTINGS: Mapping[str, Callable[[FrrState, str, Words], None]] = MappingProxyType(
    {
        "activate": _activate,
        "bfd": _bfd,
        "description": _description,
        "interface": _interface,
        "peer-group": _peer_group,
        "remote-as": _remote_as,
        "route-map": _policy,
        "shutdown": _shutdown,
        "timers": _timers,
    }
)

#: Statements outside any block, by their first one or two words. What is silent changes nothing that is checked:
#: logging, the vty, and what SONiC's routing container appends to the file (dockers/docker-fpm-frr/docker_init.sh).
TOP: Mapping[str, Statement] = MappingProxyType(
    {
        "frr defaults": _defaults,
        "frr version": silent,
        "hostname": _hostname,
        "ip route": _ip_route,
        "ip prefix-list": _prefix_list,
        "agentx": silent,
        "enable password": silent,
        "fpm address": silent,
        "log": silent,
        "no fpm": silent,
        "no service": silent,
        "no zebra": silent,
        "password": silent,
        "service": silent,
    }
)

#: Statements of the BGP instance. FRR takes those of IPv4 unicast outside their address family too.
BGP: Mapping[str, Statement] = MappingProxyType(
    {
        "aggregate-address": _aggregate,
        "bgp bestpath": _bestpath,
        "bgp default": _default,
        "bgp ebgp-requires-policy": _policy_required,
        "bgp log-neighbor-changes": silent,
        "bgp router-id": _router_id,
        "maximum-paths": _maximum_paths,
        "neighbor": _neighbor,
        "network": _network,
        "no bgp": _no_bgp,
        "redistribute": _redistribute,
    }
)

ROUTE_MAP: Mapping[str, Statement] = MappingProxyType({"match": _match})

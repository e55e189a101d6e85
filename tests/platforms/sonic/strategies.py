"""Hypothesis strategies for device models that SONiC's files can express."""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy, composite

from fabricgen.core.model import natural_key
from fabricgen.device import (
    Aggregate,
    Bgp,
    BgpNeighbor,
    BufferPool,
    BufferProfile,
    Buffers,
    DeviceModel,
    EcnProfile,
    EgressBuffer,
    Hashing,
    IngressBuffer,
    Interface,
    Loopback,
    PeerGroup,
    PoolDirection,
    PortProfileList,
    PortQos,
    PrefixList,
    PrefixRule,
    PriorityMap,
    Qos,
    QueueBinding,
    Redistribution,
    RouteMap,
    RouteMapEntry,
    Scheduler,
    SchedulerMode,
    StaticRoute,
    ThresholdMode,
    Watchdog,
    WatchdogPort,
)
from fabricgen.platforms.sonic.schema import HASH_FIELDS
from tests.platforms.sonic.samples import switch

T = TypeVar("T")

SWITCHES = ("sn5600", "micas-m2-w6940-64oc", "arista-7060x6-64pe")

names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,14}", fullmatch=True).filter(lambda name: name != "NULL")
#: YANG's text has no control characters and no code points that Unicode leaves free (RFC 7950, 9.4).
printable = st.characters(exclude_categories=["C"])
sizes = st.integers(0, 2**40)
alphas = st.integers(-8, 7)
priorities = st.lists(st.integers(0, 7), unique=True, max_size=3).map(lambda found: tuple(sorted(found)))
prefixes = st.builds(
    lambda a, b, length: f"{10 + a}.{b}.0.0/{length}", st.integers(0, 99), st.integers(0, 255), st.integers(16, 32)
)
words = st.lists(st.from_regex(r"[A-Za-z0-9.:/_-]{1,8}", fullmatch=True), min_size=1, max_size=4).map(" ".join)

ROLES = ("leaf", "spine", "ToRRouter", "BackEndLeafRouter", "not-provisioned")


def optional(strategy: SearchStrategy[T]) -> SearchStrategy[T | None]:
    return st.none() | strategy


def named(strategy: SearchStrategy[T], attribute: str = "name", least: int = 0) -> SearchStrategy[tuple[T, ...]]:
    """Return a strategy for records with different names, in natural order."""
    return st.lists(strategy, unique_by=lambda record: str(getattr(record, attribute)), min_size=least, max_size=3).map(
        lambda found: tuple(sorted(found, key=lambda record: natural_key(str(getattr(record, attribute)))))
    )


def natural(strategy: SearchStrategy[str], least: int = 0, most: int = 3) -> SearchStrategy[tuple[str, ...]]:
    return st.lists(strategy, unique=True, min_size=least, max_size=most).map(
        lambda found: tuple(sorted(found, key=natural_key))
    )


def maps(keys: SearchStrategy[int], values: SearchStrategy[int]) -> SearchStrategy[tuple[PriorityMap, ...]]:
    entries = st.dictionaries(keys, values, max_size=4).map(lambda found: tuple(sorted(found.items())))
    return named(st.builds(PriorityMap, names, entries))


@composite
def interfaces(draw: st.DrawFn, of: str) -> tuple[tuple[Interface, ...], tuple[tuple[str, str], ...]]:
    """Return ports of a switch and the breakout modes of their cages."""
    sonic = switch(of).sonic
    assert sonic is not None
    found = []
    modes = []
    for cage in sorted(draw(st.sets(st.integers(1, 64), max_size=3))):
        legs = draw(st.sampled_from((1, 2, 4)))
        first, lanes = sonic.cage(cage)
        width = len(lanes) // legs
        if draw(st.booleans()):
            modes.append((f"Ethernet{first}", f"{legs}x100G"))
        for leg in range(legs):
            addresses = draw(natural(prefixes, most=2))
            found.append(
                Interface(
                    name=f"Ethernet{first + leg * width}",
                    alias=draw(optional(st.just(sonic.alias_of(cage, leg, legs)))),
                    speed_gbps=draw(st.sampled_from((100, 200, 400, 800))),
                    lanes=lanes[leg * width : (leg + 1) * width],
                    cage=cage,
                    mtu_bytes=draw(optional(st.integers(68, 9216))),
                    fec=draw(optional(st.sampled_from(("rs", "fc", "none")))),
                    enabled=draw(st.booleans()),
                    description=draw(optional(st.text(printable, max_size=20))),
                    addresses=addresses,
                    link_local_only=draw(st.booleans()),
                    cable_length_m=draw(optional(st.integers(0, 2000))),
                    index=sonic.index_of(cage),
                )
            )
    return (
        tuple(sorted(found, key=lambda port: natural_key(port.name))),
        tuple(sorted(modes, key=lambda mode: natural_key(mode[0]))),
    )


def _one_of(found: tuple[Any, ...]) -> SearchStrategy[str | None]:
    return optional(st.sampled_from([record.name for record in found])) if found else st.none()


@composite
def indexed(draw: st.DrawFn, ports: tuple[str, ...], highest: int) -> list[tuple[str, int]]:
    """Return different pairs of port and index, in order."""
    if not ports:
        return []
    pairs = st.tuples(st.sampled_from(ports), st.integers(0, highest))
    return sorted(draw(st.lists(pairs, unique=True, max_size=6)), key=lambda pair: (natural_key(pair[0]), pair[1]))


@composite
def watchdogs(draw: st.DrawFn, ports: tuple[str, ...]) -> Watchdog | None:
    poll = draw(optional(st.integers(100, 1000)))
    times = st.integers(poll or 100, 5000)
    guarded = draw(st.lists(st.sampled_from(ports), unique=True)) if ports else []
    watchdog = Watchdog(
        poll,
        tuple(
            WatchdogPort(port, draw(st.sampled_from(("drop", "forward", "alert"))), draw(times), draw(times))
            for port in sorted(guarded, key=natural_key)
        ),
        draw(optional(st.booleans())),
    )
    return None if watchdog == Watchdog(None) else watchdog


@composite
def ecn_profiles(draw: st.DrawFn) -> EcnProfile:
    low, high = sorted((draw(sizes), draw(sizes)))
    # SONiC takes no maximum without a minimum.
    minimum, maximum = draw(st.sampled_from(((None, None), (low, None), (low, high))))
    return EcnProfile(
        draw(names),
        minimum,
        maximum,
        draw(st.integers(0, 100)),
        marks=draw(st.booleans()),
        active=draw(st.booleans()),
    )


@composite
def qos_models(draw: st.DrawFn, ports: tuple[str, ...]) -> Qos | None:
    classes, groups = st.integers(0, 15), st.integers(0, 7)
    parts: dict[str, Any] = {
        "dscp_to_traffic_class": draw(maps(st.integers(0, 63), classes)),
        "pcp_to_traffic_class": draw(maps(groups, classes)),
        "traffic_class_to_priority_group": draw(maps(classes, groups)),
        "traffic_class_to_queue": draw(maps(classes, groups)),
        "pfc_priority_to_queue": draw(maps(groups, groups)),
        "pfc_priority_to_priority_group": draw(maps(groups, groups)),
    }
    schedulers = draw(named(st.builds(Scheduler, names, st.sampled_from(SchedulerMode), optional(st.integers(1, 100)))))
    profiles = draw(named(ecn_profiles()))
    qos_ports = sorted(draw(st.sets(st.sampled_from(ports))), key=natural_key) if ports else []
    fields = draw(st.lists(st.sampled_from(HASH_FIELDS[:-1]), unique=True, max_size=4))
    hashing = Hashing(tuple(fields))
    qos = Qos(
        **parts,
        ports=tuple(
            PortQos(
                port,
                **{attribute: draw(_one_of(found)) for attribute, found in parts.items()},
                pfc_priorities=draw(priorities),
                watchdog_priorities=draw(priorities),
            )
            for port in qos_ports
        ),
        schedulers=schedulers,
        ecn_profiles=profiles,
        queues=tuple(
            QueueBinding(port, queue, draw(_one_of(schedulers)), draw(_one_of(profiles)))
            for port, queue in draw(indexed(ports, 9))
        ),
        watchdog=draw(watchdogs(ports)),
        hashing=None if hashing == Hashing() else hashing,
    )
    return None if qos == Qos() else qos


@composite
def profiles_of(draw: st.DrawFn, pools: tuple[BufferPool, ...]) -> BufferProfile:
    return BufferProfile(
        name=draw(names),
        pool=draw(st.sampled_from([pool.name for pool in pools])),
        size_bytes=draw(sizes),
        xon_bytes=draw(optional(sizes)),
        xon_offset_bytes=draw(optional(sizes)),
        headroom_bytes=draw(optional(sizes)),
        alpha_exponent=draw(optional(alphas)),
        static_threshold_bytes=draw(optional(sizes)),
        static_headroom=draw(st.booleans()),
    )


@composite
def buffer_models(draw: st.DrawFn, ports: tuple[str, ...]) -> Buffers | None:
    pool = st.builds(
        BufferPool,
        names,
        st.sampled_from((PoolDirection.INGRESS, PoolDirection.EGRESS)),
        st.sampled_from(ThresholdMode),
        optional(sizes),
        optional(sizes),
    )
    pools = draw(named(pool))
    profiles = draw(named(profiles_of(pools))) if pools else ()
    profile = st.sampled_from([found.name for found in profiles]) if profiles else st.nothing()
    listed = sorted(draw(st.sets(st.sampled_from(ports))), key=natural_key) if ports and profiles else []
    lists = st.lists(profile, unique=True, min_size=1, max_size=2).map(tuple)
    pattern = draw(optional(st.tuples(st.integers(1, 9216), st.integers(0, 100)))) or (None, None)
    bound = ports if profiles else ()
    buffers = Buffers(
        model=draw(optional(st.sampled_from(("dynamic", "traditional")))),
        pools=pools,
        profiles=profiles,
        ingress=tuple(IngressBuffer(port, group, draw(profile)) for port, group in draw(indexed(bound, 7))),
        egress=tuple(EgressBuffer(port, queue, draw(profile)) for port, queue in draw(indexed(bound, 9))),
        ingress_lists=tuple(PortProfileList(port, draw(lists)) for port in listed),
        egress_lists=tuple(PortProfileList(port, draw(lists)) for port in listed),
        default_alpha_exponent=draw(optional(alphas)),
        lossless_mtu_bytes=pattern[0],
        small_packet_percent=pattern[1],
    )
    return None if buffers == Buffers() else buffers


asns = st.integers(1, 2**32 - 1)
remote_asns = asns | st.sampled_from(("external", "internal"))
addresses = st.ip_addresses(v=4).map(str)


@composite
def peer_groups(draw: st.DrawFn) -> PeerGroup:
    keepalive_s, hold_s = draw(optional(st.tuples(st.integers(0, 65535), st.integers(0, 65535)))) or (None, None)
    return PeerGroup(
        draw(names),
        draw(optional(remote_asns)),
        draw(st.booleans()),
        keepalive_s,
        hold_s,
        draw(optional(names)),
        draw(optional(names)),
    )


@composite
def neighbors(draw: st.DrawFn, groups: tuple[PeerGroup, ...], ports: tuple[str, ...]) -> BgpNeighbor:
    unnumbered = bool(ports) and draw(st.booleans())
    group = draw(_one_of(groups))
    # A numbered neighbour exists only by its AS or its group.
    remote_as = draw(optional(remote_asns) if unnumbered or group else remote_asns)
    return BgpNeighbor(
        draw(st.sampled_from(ports) if unnumbered else addresses),
        unnumbered,
        remote_as,
        group,
        draw(optional(words)),
        draw(optional(names)),
        draw(optional(names)),
        draw(st.booleans()),
    )


@composite
def prefix_rules(draw: st.DrawFn, sequence: int) -> PrefixRule:
    low, high = sorted((draw(st.integers(0, 32)), draw(st.integers(0, 32))))
    return PrefixRule(
        sequence, draw(st.booleans()), draw(prefixes), draw(optional(st.just(low))), draw(optional(st.just(high)))
    )


@composite
def sequences(draw: st.DrawFn) -> list[int]:
    return sorted(draw(st.sets(st.integers(1, 65535), min_size=1, max_size=3)))


@composite
def prefix_lists(draw: st.DrawFn) -> PrefixList:
    return PrefixList(draw(names), tuple(draw(prefix_rules(number)) for number in draw(sequences())))


@composite
def route_maps(draw: st.DrawFn) -> RouteMap:
    return RouteMap(
        draw(names),
        tuple(RouteMapEntry(number, draw(st.booleans()), draw(optional(names))) for number in draw(sequences())),
    )


@composite
def bgp_models(draw: st.DrawFn, ports: tuple[str, ...]) -> Bgp:
    groups = draw(named(peer_groups()))
    routes = st.builds(StaticRoute, prefixes, st.just("blackhole") | addresses)
    return Bgp(
        asn=draw(asns),
        router_id=draw(optional(addresses)),
        profile=draw(st.sampled_from(("traditional", "datacenter"))),
        requires_policy=draw(st.booleans()),
        multipath_relax=draw(st.booleans()),
        maximum_paths=draw(optional(st.integers(1, 256))),
        neighbors=draw(named(neighbors(groups, ports), "peer")),
        peer_groups=groups,
        networks=draw(natural(prefixes)),
        aggregates=draw(named(st.builds(Aggregate, prefixes, st.booleans()), "prefix")),
        redistributions=draw(
            named(st.builds(Redistribution, st.sampled_from(("connected", "static")), optional(names)), "protocol")
        ),
        prefix_lists=draw(named(prefix_lists())),
        route_maps=draw(named(route_maps())),
        static_routes=tuple(
            sorted(draw(st.sets(routes, max_size=3)), key=lambda r: (natural_key(r.prefix), natural_key(r.next_hop)))
        ),
    )


@composite
def device_models(draw: st.DrawFn) -> DeviceModel:
    """Return a device model that SONiC's files can express."""
    of = draw(st.sampled_from(SWITCHES))
    sonic = switch(of).sonic
    assert sonic is not None
    found, modes = draw(interfaces(of))
    ports = tuple(port.name for port in found)
    loopbacks = named(
        st.builds(Loopback, st.integers(0, 9).map(lambda number: f"Loopback{number}"), natural(prefixes, most=2))
    )
    return DeviceModel(
        name=draw(st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True)),
        platform="sonic",
        sku=sonic.hwsku,
        hardware_platform=draw(optional(st.just(sonic.platform))),
        role=draw(optional(st.sampled_from(ROLES))),
        mac=draw(optional(st.just("00:11:22:33:44:55"))),
        interfaces=found,
        loopbacks=draw(loopbacks),
        breakouts=modes,
        qos=draw(optional(qos_models(ports))),
        buffers=draw(optional(buffer_models(ports))),
        bgp=draw(optional(bgp_models(ports))),
    )

"""Device models and files that several tests use."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from fabricgen.catalog import Catalog, Switch, load_catalog
from fabricgen.core.diagnostics import Diagnostic
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
from fabricgen.platforms.base import ReadResult
from fabricgen.platforms.sonic import PLATFORM

DATA = Path(__file__).parent / "data"

Config = dict[str, dict[str, dict[str, Any]]]


@cache
def catalog() -> Catalog:
    """Return the catalog, loaded once."""
    return load_catalog()


def switch(name: str = "sn5600") -> Switch:
    return catalog().switches[name]


def min_roce() -> Config:
    """Return a fresh copy of a small RoCE leaf that the YANG models of 202405 to 202511 take."""
    config: Config = copy.deepcopy(_min_roce())
    return config


@cache
def _min_roce() -> Config:
    config: Config = json.loads((DATA / "min_roce.json").read_text(encoding="utf-8"))
    return config


def read(files: Mapping[str, str], prefix: str = "") -> ReadResult:
    return PLATFORM.read(files, prefix, catalog())


def read_config(config: Mapping[str, Any]) -> ReadResult:
    return read({"config_db.json": json.dumps(config, indent=4)})


def model_of(result: ReadResult) -> DeviceModel:
    assert result.model is not None
    return result.model


def codes(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return [found.name for found in diagnostics]


IDENTITY = (PriorityMap("FABRIC", tuple((number, number) for number in range(8))),)


def ports(cages: int, *, numbered: bool = False, of: str = "sn5600") -> tuple[Interface, ...]:
    """Return the ports of the first cages of a switch, each split into two of 400 Gb/s."""
    found = []
    for cage in range(1, cages + 1):
        for leg in range(2):
            assert PLATFORM.port is not None
            name = PLATFORM.port(switch(of), cage, leg, 2)
            found.append(
                Interface(
                    name=name.name,
                    alias=name.alias,
                    speed_gbps=400,
                    lanes=name.lanes,
                    cage=cage,
                    mtu_bytes=9216,
                    fec="rs",
                    enabled=True,
                    description=f"to gpu-{cage} port {leg}",
                    addresses=(f"10.{cage}.{leg}.0/31",) if numbered else (),
                    link_local_only=not numbered,
                    cable_length_m=3,
                    index=name.index,
                )
            )
    return tuple(sorted(found, key=lambda port: natural_key(port.name)))


def _port_qos(name: str) -> PortQos:
    return PortQos(
        name,
        dscp_to_traffic_class="FABRIC",
        traffic_class_to_priority_group="FABRIC",
        traffic_class_to_queue="FABRIC",
        pfc_priority_to_queue="FABRIC",
        pfc_priority_to_priority_group="FABRIC",
        pfc_priorities=(3,),
        watchdog_priorities=(3,),
    )


def qos(names: tuple[str, ...]) -> Qos:
    """Return QoS for ports with one lossless priority, 3."""
    return Qos(
        dscp_to_traffic_class=(PriorityMap("FABRIC", tuple((dscp, 3 if dscp == 26 else 0) for dscp in range(64))),),
        traffic_class_to_priority_group=IDENTITY,
        traffic_class_to_queue=IDENTITY,
        pfc_priority_to_queue=IDENTITY,
        pfc_priority_to_priority_group=(PriorityMap("FABRIC", ((3, 3),)),),
        ports=tuple(_port_qos(name) for name in names),
        schedulers=(Scheduler("CNP", SchedulerMode.STRICT), Scheduler("ROCE", SchedulerMode.DWRR, 60)),
        ecn_profiles=(EcnProfile("ROCE", 150_000, 1_500_000, 100, marks=True, active=True),),
        queues=tuple(
            queue for name in names for queue in (QueueBinding(name, 3, "ROCE", "ROCE"), QueueBinding(name, 6, "CNP"))
        ),
        watchdog=Watchdog(200, tuple(WatchdogPort(name, "drop", 400, 800) for name in names), counters_enabled=True),
        hashing=Hashing(("DST_IP", "SRC_IP", "L4_SRC_PORT")),
    )


def buffers(names: tuple[str, ...], model: str = "dynamic") -> Buffers:
    """Return buffers for ports with one lossless priority group, 3."""
    return Buffers(
        model=model,
        pools=(
            BufferPool("egress_lossless_pool", PoolDirection.EGRESS, ThresholdMode.DYNAMIC, 158_229_504),
            BufferPool("ingress_lossless_pool", PoolDirection.INGRESS, ThresholdMode.DYNAMIC, 67_737_959, 0),
        ),
        profiles=(
            BufferProfile("egress_lossless_profile", "egress_lossless_pool", 0, alpha_exponent=7),
            BufferProfile(
                "lossless",
                "ingress_lossless_pool",
                size_bytes=303_104,
                xon_bytes=19_456,
                headroom_bytes=283_648,
                alpha_exponent=-1,
                static_headroom=model == "dynamic",
            ),
        ),
        ingress=tuple(IngressBuffer(name, 3, "lossless") for name in names),
        egress=tuple(EgressBuffer(name, 3, "egress_lossless_profile") for name in names),
        ingress_lists=tuple(PortProfileList(name, ("lossless",)) for name in names),
        egress_lists=tuple(PortProfileList(name, ("egress_lossless_profile",)) for name in names),
        default_alpha_exponent=0 if model == "dynamic" else None,
        lossless_mtu_bytes=1024 if model == "dynamic" else None,
        small_packet_percent=100 if model == "dynamic" else None,
    )


def bgp(names: tuple[str, ...], *, numbered: bool = False, bfd: bool = False) -> Bgp:
    """Return BGP with one peer group; numbered neighbours have addresses 10.0.0.0 and up."""
    peers = tuple(f"10.0.{number}.1" for number in range(len(names))) if numbered else names
    return Bgp(
        asn=4_200_000_001,
        router_id="10.255.0.1",
        requires_policy=True,
        multipath_relax=True,
        maximum_paths=64,
        neighbors=tuple(
            BgpNeighbor(peer, not numbered, peer_group="FABRIC", description=f"to gpu-{number} port 0")
            for number, peer in enumerate(peers)
        ),
        peer_groups=(PeerGroup("FABRIC", "external", bfd, 3, 9, "IN", "OUT"),),
        networks=("10.255.0.1/32",),
        aggregates=(Aggregate("10.1.0.0/16", summary_only=True),),
        redistributions=(Redistribution("connected", "OUT"),),
        prefix_lists=(
            PrefixList("LOOPBACKS", (PrefixRule(10, permit=True, prefix="10.255.0.0/16", minimum_length=32),)),
        ),
        route_maps=(
            RouteMap("IN", (RouteMapEntry(10, permit=True),)),
            RouteMap("OUT", (RouteMapEntry(10, True, "LOOPBACKS"), RouteMapEntry(20, permit=False))),
        ),
        static_routes=(StaticRoute("10.1.0.0/16", "blackhole"),),
    )


def leaf(cages: int = 2, *, numbered: bool = False, bfd: bool = False, of: str = "sn5600") -> DeviceModel:
    """Return a leaf switch with everything that SONiC can be told."""
    interfaces = ports(cages, numbered=numbered, of=of)
    names = tuple(port.name for port in interfaces)
    sonic = switch(of).sonic
    assert sonic is not None
    parents = tuple(
        (f"Ethernet{sonic.cage(cage).first_port}", sonic.breakout_modes["2x400G"]) for cage in range(1, cages + 1)
    )
    return DeviceModel(
        name="leaf-01",
        platform="sonic",
        sku=sonic.hwsku,
        hardware_platform=sonic.platform,
        role="leaf",
        mac="00:11:22:33:44:55",
        interfaces=interfaces,
        loopbacks=(Loopback("Loopback0", ("10.255.0.1/32",)),),
        breakouts=tuple(sorted(parents, key=lambda parent: natural_key(parent[0]))),
        qos=qos(names),
        buffers=buffers(names, sonic.buffer_model),
        bgp=bgp(names, numbered=numbered, bfd=bfd),
    )


def spine() -> DeviceModel:
    """Return a spine without buffers, loopbacks or a watchdog."""
    model = leaf(1)
    assert model.qos is not None
    return replace(
        model,
        name="spine-01",
        role="spine",
        buffers=None,
        loopbacks=(),
        qos=replace(model.qos, watchdog=None, hashing=None),
    )

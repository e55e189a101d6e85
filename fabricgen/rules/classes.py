"""Classification: which traffic class, priority group and queue a packet gets, on every hop the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import PortQos, SchedulerMode
from fabricgen.rules.alike import alike
from fabricgen.rules.base import Context, Need, and_more, by_view, device_path, port_path, rule
from fabricgen.rules.lossless import LosslessView

#: DSCP that RoCE adapters give CNPs unless told otherwise (NVIDIA ConnectX: cnp_dscp, mlx5 default 48).
CNP_DSCP = 48

#: Traffic class of a DSCP that a map leaves out.
DEFAULT_CLASS = 0


@dataclass(frozen=True, slots=True)
class _MapUse:
    """A DSCP map of a device that lossless ports use, and the DSCPs that it makes lossless."""

    device: str
    name: str
    entries: Mapping[int, int]
    lossless: frozenset[int]

    def class_of(self, dscp: int) -> int:
        """Return the traffic class of a DSCP."""
        return self.entries.get(dscp, DEFAULT_CLASS)


@rule("FG401", "class-differs-along-path", Severity.ERROR, "a lossless DSCP changes its class from hop to hop",
      Need.LINKS, Need.QOS)  # fmt: skip
def class_differs(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A packet is lossless only where every hop puts it into the class that is paused.

    One hop with another class drops what all others protect, and pauses a priority that nobody meant. The maps of both
    ends of each link are compared in both directions, for every DSCP that is lossless on either side; the device whose
    entry is rarer in the fabric is named. Source: Guo et al., RDMA over Commodity Ethernet at Scale (SIGCOMM 2016),
    section 3, on DSCP-based PFC; ucx issue 10325 for a class that was lossless in one direction only.
    """
    if _maps_agree(ctx):
        return
    uses = {device: _map_uses(device, view) for device, view in ctx.lossless.items()}
    every_use = [use for of_device in uses.values() for use in of_device]
    lossless = frozenset[int]().union(*(use.lossless for use in every_use))
    votes = Counter((dscp, use.class_of(dscp)) for use in every_use for dscp in lossless)
    found: dict[tuple[str, str, int, int, int], dict[str, tuple[int, _MapUse]]] = defaultdict(dict)
    for sender, receiver, dscp, links in _class_changes(ctx, uses):
        odd, other = sorted((sender, receiver), key=lambda use: (votes[dscp, use.class_of(dscp)], use.device))
        key = (odd.device, odd.name, dscp, odd.class_of(dscp), other.class_of(dscp))
        found[key][other.device] = (links, other)
    for (device, name, dscp, have, meant), peers in found.items():
        links, (_, other) = sum(count for count, _ in peers.values()), next(iter(peers.values()))
        place = ("qos", "dscp_to_traffic_class")
        yield kind.at(
            device_path(device, f"dscp_to_traffic_class[{name}]"),
            f"DSCP {dscp} is traffic class {have} here and {meant} on {other.device}{and_more(len(peers) - 1, 'peer')}",
            span=ctx.span(device, *place, name, str(dscp)),
            related=(ctx.note(f"DSCP {dscp} is traffic class {meant}", other.device, *place, other.name, str(dscp)),),
            numbers={"dscp": dscp, "have_class": have, "peer_class": meant, "links": links},
            remedy=f"map DSCP {dscp} to traffic class {meant} in {name} of {device}",
        )


def _maps_agree(ctx: Context) -> bool:
    """Return whether all maps of lossless ports give every DSCP that one of them makes lossless the same class."""
    uses = [use for device, view in ctx.view_kinds.items() for use in _map_uses(device, view)]
    lossless = frozenset[int]().union(*(use.lossless for use in uses))
    return len({tuple(use.class_of(dscp) for dscp in lossless) for use in uses}) < 2


def _map_uses(device: str, view: LosslessView) -> list[_MapUse]:
    """Return the DSCP maps of a switch's lossless ports."""
    classes: dict[str, set[int]] = defaultdict(set)
    for port in view.lossless_ports:
        if port.dscp_to_traffic_class in view.dscp_maps:
            classes[port.dscp_to_traffic_class or ""] |= view.lossless_classes(port)
    return [
        _MapUse(device, name, view.dscp_maps[name],
                frozenset(dscp for dscp, tc in view.dscp_maps[name].items() if tc in found))
        for name, found in classes.items()
    ]  # fmt: skip


def _class_changes(ctx: Context, uses: Mapping[str, list[_MapUse]]) -> Iterator[tuple[_MapUse, _MapUse, int, int]]:
    """Yield (map of the sender, map of the receiver, DSCP, links) where a lossless DSCP changes its class."""
    hops: Counter[tuple[str, str, str]] = Counter()
    for pair in ctx.joined_ports:
        for near, far in (pair, pair[::-1]):
            view = ctx.lossless.get(far.end.device)
            port = view.ports.get(far.interface.name) if view else None
            if port is not None and port.dscp_to_traffic_class and port.pfc_priorities:
                hops[near.end.device, far.end.device, port.dscp_to_traffic_class] += 1
    for (near_name, far_name, map_name), links in hops.items():
        for receiver in (use for use in uses[far_name] if use.name == map_name):
            for sender in uses.get(near_name, ()):
                for dscp in sorted(sender.lossless):
                    if sender.class_of(dscp) != receiver.class_of(dscp):
                        yield sender, receiver, dscp, links


@rule("FG407", "class-chain-broken", Severity.ERROR, "the maps of a port do not make one lossless class", Need.QOS)
@by_view
def class_chain_broken(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """The group that asks for a pause and the queue that a pause stops must hold the same traffic.

    A port's pause for priority p comes from the priority group of p, and a pause that it receives stops the queue of p.
    If the classes of that group leave by another queue, the wrong traffic stops and the right one goes on. Source: SAI,
    saiport.h (PFC priority to queue and to priority group maps); sonic-swss, orchagent/qosorch.cpp.
    """
    faults = ((fault, port) for port in view.lossless_ports for fault in _chain_faults(view, port))
    for (field, summary), port, more in alike(faults):
        name = getattr(port, field) or ""
        yield kind.at(
            port_path(device, port.interface),
            f"{summary}{and_more(more, 'port')}",
            span=ctx.span(device, "qos", field, name) if name else ctx.span(device, "qos", "ports", port.interface),
            remedy="make traffic class, priority group, queue and PFC priority of the lossless class one chain",
        )


def _chain_faults(view: LosslessView, port: PortQos) -> Iterator[tuple[str, str]]:
    """Yield the faulty map's field and what is wrong, for each lossless priority of a port."""
    for priority in port.pfc_priorities:
        group, queue = view.group_of_priority(port, priority), view.paused_queue(port, priority)
        if group is None:
            yield (
                "pfc_priority_to_priority_group",
                f"PFC priority {priority} has no priority group in {port.pfc_priority_to_priority_group}",
            )
        if queue is None:
            yield "pfc_priority_to_queue", f"PFC priority {priority} has no queue in {port.pfc_priority_to_queue}"
        if group is None or port.traffic_class_to_priority_group not in view.group_maps:
            continue
        classes = view.classes_of_group(port, group)
        if not classes:
            yield (
                "traffic_class_to_priority_group",
                f"no traffic class fills priority group {group} of PFC priority {priority}",
            )
        for traffic_class in classes if port.traffic_class_to_queue in view.queue_maps and queue is not None else ():
            found = view.queue_of_class(port, traffic_class)
            if found != queue:
                yield (
                    "traffic_class_to_queue",
                    f"a pause of priority {priority} stops queue {queue}; its class {traffic_class} leaves by {found}",
                )
        if classes and queue is not None:
            yield from _intruders(view, port, queue)


def _intruders(view: LosslessView, port: PortQos, queue: int) -> Iterator[tuple[str, str]]:
    """Yield the classes that leave by a lossless queue and fill no lossless group: they stop with it, unprotected."""
    lossless = view.lossless_classes(port)
    for traffic_class, found in view.queue_maps.get(port.traffic_class_to_queue or "", {}).items():
        if found == queue and traffic_class not in lossless:
            yield (
                "traffic_class_to_queue",
                f"class {traffic_class} leaves by lossless queue {queue}, but fills no priority group with PFC",
            )


@rule("FG418", "lossless-port-unclassified", Severity.WARNING, "a port with PFC lacks a map of its classes", Need.QOS)
@by_view
def lossless_port_unclassified(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Without its map a port puts every packet into class, group or queue 0, whatever its DSCP.

    Source: SAI, saiport.h: without a map all packets go to queue 0 and priority group 0.
    """
    fields = ("dscp_to_traffic_class", "traffic_class_to_priority_group", "traffic_class_to_queue")
    missing = ((tuple(field for field in fields if getattr(port, field) is None), port) for port in view.lossless_ports)
    for lacking, port, more in alike(missing):
        if lacking:
            words = " and ".join(field.replace("_", " ") for field in lacking)
            yield kind.at(
                port_path(device, port.interface),
                f"PFC is on for {_listed(port.pfc_priorities)} without a map {words}{and_more(more, 'port')}",
                span=ctx.span(device, "qos", "ports", port.interface),
                remedy=f"give {port.interface} a map {words}",
            )


@rule("FG413", "cnp-not-separate", Severity.WARNING, "CNPs share a queue with data", Need.QOS)
@by_view
def cnp_not_separate(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Congestion notification packets must overtake the congestion that they report.

    Behind best-effort traffic they come late or not at all, and senders slow down only when PFC stops them; in the
    lossless queue they are paused with the data. Source: Zhu et al., Congestion Control for Large-Scale RDMA
    Deployments (SIGCOMM 2015), section 3.1: CNPs go with high priority.
    """
    faults = ((fault, port) for port in view.lossless_ports if (fault := _cnp_fault(view, port)))
    for summary, port, more in alike(faults):
        yield kind.at(
            port_path(device, port.interface),
            f"{summary}{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "dscp_to_traffic_class", port.dscp_to_traffic_class or "", str(CNP_DSCP)),
            numbers={"dscp": CNP_DSCP},
            remedy=f"map DSCP {CNP_DSCP}, or the one that your adapters use, to a class with a strict queue of its "
            "own that is not lossless",
        )


@rule("FG429", "lossless-queue-strict", Severity.WARNING, "the lossless queue has strict priority", Need.QOS)
@by_view
def lossless_queue_strict(ctx: Context, kind: Kind, device: str, view: LosslessView) -> Iterator[Diagnostic]:
    """Bulk data with strict priority takes the whole link, and everything else gets what is left: nothing.

    Routing and management share these links, and a session that times out takes the link away. Strict priority is for
    traffic that is small by nature, such as CNPs. Source: IEEE 802.1Q, 8.6.8.1 (strict priority) and 37.3 (ETS, which
    shares bandwidth).
    """
    strict = (
        (queue, port)
        for port in view.lossless_ports
        for queue in view.lossless_queues(port)
        if _is_strict(view, port.interface, queue)
    )
    for queue, port, more in alike(strict):
        yield kind.at(
            port_path(device, port.interface),
            f"lossless queue {queue} is served with strict priority{and_more(more, 'port')}",
            span=ctx.span(device, "qos", "queues", port.interface, str(queue), "scheduler"),
            numbers={"queue": queue},
            remedy=f"give queue {queue} of {port.interface} a weighted scheduler",
        )


def _cnp_fault(view: LosslessView, port: PortQos) -> str | None:
    entries = view.dscp_maps.get(port.dscp_to_traffic_class or "")
    queues = view.queue_maps.get(port.traffic_class_to_queue or "")
    if entries is None or queues is None:
        return None
    queue = queues.get(entries.get(CNP_DSCP, DEFAULT_CLASS))
    lossless = set(view.lossless_queues(port))
    if queue in lossless:
        return f"CNPs (DSCP {CNP_DSCP}) go to lossless queue {queue}"
    default = queues.get(entries.get(0, DEFAULT_CLASS))
    if queue != default or any(
        _is_strict(view, port.interface, other)
        for other in {queues.get(tc) for tc in entries.values()} - lossless - {default, None}
    ):
        return None
    return f"CNPs (DSCP {CNP_DSCP}) go to queue {queue} with everything else"


def _is_strict(view: LosslessView, interface: str, queue: int | None) -> bool:
    binding = view.bindings.get((interface, -1 if queue is None else queue))
    scheduler = view.schedulers.get(binding.scheduler or "") if binding else None
    return scheduler is not None and scheduler.mode is SchedulerMode.STRICT


def _listed(priorities: tuple[int, ...]) -> str:
    return f"priorit{'y' if len(priorities) == 1 else 'ies'} {', '.join(map(str, priorities))}"

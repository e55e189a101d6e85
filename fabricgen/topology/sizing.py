"""How many spines and cores a fabric needs: the arithmetic, and its reasons in words.

All planes are equal, so everything here is about one plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabricgen.core.diagnostics import Report
from fabricgen.core.units import ceil_div
from fabricgen.inventory.kinds import TIER_MISSING, TOO_FEW_PORTS
from fabricgen.topology.request import FabricRequest, LeafRequest
from fabricgen.topology.tiers import CoreFit, Demand, SpineFit, fit_cores, fit_spines, other_slots


@dataclass(frozen=True, slots=True)
class PlaneSize:
    """The tiers of one plane.

    Attributes:
        pods: sets of leaves with spines of their own; 1 with two tiers.
        leaves_per_pod: main leaves of a full pod.
        fit: the spines of each pod.
        cores: the cores; None with two tiers.
        reasons: the arithmetic in words, one step a line.
    """

    pods: int
    leaves_per_pod: int
    fit: SpineFit
    cores: CoreFit | None
    reasons: tuple[str, ...]


def size_plane(
    request: FabricRequest,
    demands: Sequence[Demand],
    leaves_per_unit: int,
    report: Report,
    *,
    planes: int = 1,
    three_tiers: bool = False,
) -> PlaneSize | None:
    """Size one plane.

    Args:
        request: the resolved fabric.
        demands: of the main leaves, then of each other leaf group.
        leaves_per_unit: main leaves of a unit, which stay together in one pod.
        report: takes FG132 and FG147.
        planes: number of planes; given numbers of switches are for all together.
        three_tiers: whether the design has cores whatever the number of servers.

    Returns:
        The size, or None where it does not fit.
    """
    return _Sizer(request, demands, leaves_per_unit, report, planes, three_tiers).size()


def uplinks_needed(leaf: LeafRequest, downlinks: int, uplink_gbps: int) -> int:
    """Return the uplinks that a leaf with some server links needs at its oversubscription."""
    ratio = leaf.oversubscription
    return ceil_div(downlinks * leaf.link_gbps * ratio.up, uplink_gbps * ratio.down)


@dataclass(frozen=True)
class _Sizer:
    request: FabricRequest
    demands: Sequence[Demand]
    leaves_per_unit: int
    report: Report
    planes: int
    forced: bool

    def size(self) -> PlaneSize | None:
        main = self.demands[0]
        tiers = self.request.intent.tiers
        needs_core = self.forced or tiers == 3
        if sum(demand.leaves for demand in self.demands) == 1 and self.count("spine") is None and not needs_core:
            return PlaneSize(1, 1, SpineFit(0, 0), None, ("a single leaf needs no spine",))
        if self.request.spine is None:
            self.missing("spine", f"{main.leaves} leaves need spines to join them")
            return None
        if needs_core and self.request.core is None:
            self.missing("core", "three tiers are asked for")
            return None
        if not needs_core:
            found = self.two_tiers(report_problem=tiers == 2 or self.request.core is None)
            if found is not None or tiers == 2 or self.request.core is None:
                return found
        return self.three_tiers()

    def missing(self, tier: str, why: str) -> None:
        remedy = f"add `{tier}: {{model: …}}` to the fabric"
        self.report.add(self.request.finding(TIER_MISSING, (), f"{why}, and no `{tier}` is given", remedy))

    def count(self, tier: str) -> int | None:
        found = getattr(self.request.intent, tier)
        return None if found is None else found.count

    def per(self, tier: str, parts: int, what: str) -> int | None:
        """Return the given number of switches of a tier in one part of the fabric, or None where it is not given."""
        count = self.count(tier)
        if count is None:
            return None
        if count % parts:
            self.misfit(
                (tier, "count"),
                f"{count} {tier}s cannot be shared evenly by {parts} {what}",
                f"set it to a multiple of {parts}, or leave it out to have it computed",
            )
        return max(count // parts, 1)

    def misfit(self, path: tuple[str, ...], summary: str, remedy: str) -> None:
        self.report.add(self.request.finding(TOO_FEW_PORTS, path, summary, remedy))

    # two tiers

    def two_tiers(self, *, report_problem: bool) -> PlaneSize | None:
        request, main, others = self.request, self.demands[0], self.demands[1:]
        assert request.spine_whole is not None
        ports = request.spine_whole.capacity
        fixed = self.per("spine", self.planes, "planes")
        fit = fit_spines(main, ports, others, exactly=fixed)
        if fit is None:
            if report_problem and fixed is not None:
                self.fixed_misfit(fixed, ports)
            elif report_problem:
                self.unfixed_misfit(ports)
            return None
        return PlaneSize(1, main.leaves, fit, None, self.reasons(main.leaves, fit, ports, fixed))

    def reasons(self, leaves: int, fit: SpineFit, ports: int, fixed: int | None) -> tuple[str, ...]:
        request, main = self.request, self.demands[0]
        assert request.spine is not None
        least = ceil_div(leaves * main.uplinks, ports)
        besides = [
            f"{other.group}: {_count(demand.leaves, 'leaf', 'leaves')} x {demand.uplinks} uplinks besides"
            for other, demand in zip(request.others, self.demands[1:], strict=True)
        ]
        spines, links = fit.spines, fit.links
        return (
            (
                f"{leaves} leaves x {main.uplinks} uplinks / {ports} ports of a {request.spine.model} = "
                f"{_count(least, 'spine')} at least"
            ),
            *besides,
            f"{_count(spines, 'spine')} take{'s' if spines == 1 else ''} {_count(links, 'link')} from every leaf"
            + (f", {spines * links} uplinks a leaf" if spines * links != main.uplinks else "")
            + (" (the number of spines is given)" if fixed else ""),
        )

    def fixed_misfit(self, fixed: int, ports: int) -> None:
        main = self.demands[0]
        links = ceil_div(main.uplinks, fixed)
        taken = main.leaves * links + (slots.ports if (slots := other_slots(self.demands[1:], fixed)) else 0)
        self.misfit(
            ("spine", "count"),
            f"{fixed} spines need {links} links from each of {main.leaves} leaves: {links * fixed} uplink ports of "
            f"{main.most} on a leaf, {taken} ports of {ports} on a spine",
            "change `count` of the spines, or leave it out to have it computed",
        )

    def unfixed_misfit(self, ports: int) -> None:
        main, others = self.demands[0], sum(demand.leaves for demand in self.demands[1:])
        also = f" and {_count(others, 'other leaf', 'other leaves')}" if others else ""
        self.misfit(
            ("spine", "model"),
            f"{main.leaves} leaves with {main.uplinks} uplinks each{also} do not fit on spines of {ports} ports of "
            f"{self.request.uplink_gbps}G: two tiers hold {ports} leaves at most",
            "lower `count` of the servers, raise `oversubscription`, choose a spine with more ports, or add a third "
            "tier with `core`",
        )

    # three tiers

    def three_tiers(self) -> PlaneSize | None:
        request, main = self.request, self.demands[0]
        assert request.core is not None
        assert request.core_whole is not None
        if request.spine_halves is None:
            self.misfit(
                ("spine", "model"),
                f"no division of its cages gives {request.uplink_gbps}G ports down and enough {request.core_gbps}G "
                f"ports up at {request.intent.spine_oversubscription}",
                "raise `spine_oversubscription`, or choose other speeds",
            )
            return None
        units = ceil_div(main.leaves, self.leaves_per_unit)
        per_pod = self.units_per_pod()
        if per_pod is None:
            return None
        pods = ceil_div(units, per_pod)
        leaves = min(units, per_pod) * self.leaves_per_unit
        fixed = self.per("spine", self.planes * pods, "pods" if self.planes == 1 else "pods and planes")
        down = request.spine_halves.down.capacity
        fit = fit_spines(Demand(leaves, main.uplinks, main.most), down, self.demands[1:], exactly=fixed)
        if fit is None:
            assert fixed is not None
            self.fixed_misfit(fixed, down)
            return None
        return self.with_cores(pods, min(units, per_pod), per_pod, fit, fixed)

    def units_per_pod(self) -> int | None:
        """Return the units of a full pod: as asked, or as many as its spines can take with one link from each leaf."""
        request, main, leaves = self.request, self.demands[0], self.leaves_per_unit
        assert request.spine_halves is not None
        down = request.spine_halves.down.capacity
        asked = request.intent.units_per_pod

        def fits(units: int) -> bool:
            return fit_spines(Demand(units * leaves, main.uplinks, main.most), down, self.demands[1:]) is not None

        most = next((units for units in range(down // leaves, 0, -1) if fits(units)), 0)
        if asked is None and most:
            return most
        if asked is not None and asked <= most:
            return asked
        self.misfit(
            ("spine", "model") if asked is None else ("units_per_pod",),
            f"a pod holds {_count(most, 'unit')} of {_count(leaves, 'leaf', 'leaves')} with {main.uplinks} uplinks "
            f"each on spines of {down} ports down at {request.intent.spine_oversubscription}",
            f"set it to {most} or less" if asked is not None and most else "choose a spine with more ports",
        )
        return None

    def with_cores(self, pods: int, units: int, per_pod: int, fit: SpineFit, fixed: int | None) -> PlaneSize | None:
        """Add the cores above some pods. Spines are given uplinks for a pod of ``units``, the fullest there is."""
        request, leaves = self.request, units * self.leaves_per_unit
        assert request.spine_halves is not None
        assert request.core is not None
        assert request.core_whole is not None
        ratio = request.intent.spine_oversubscription
        below = leaves * fit.links + fit.others.ports
        needed = ceil_div(below * request.uplink_gbps * ratio.up, request.core_gbps * ratio.down)
        ports, most = request.core_whole.capacity, request.spine_halves.up.capacity
        given = self.per("core", self.planes, "planes")
        found = fit_cores(pods, fit.spines, needed, ports, most_uplinks=most, exactly=given)
        if found is None:
            self.core_misfit(pods, fit.spines, needed, most, given)
            return None
        spines = pods * fit.spines
        unit = _count(self.leaves_per_unit, "leaf", "leaves")
        pod_reasons = self.reasons(leaves, fit, request.spine_halves.down.capacity, fixed)
        reasons = (
            f"three tiers: {_count(per_pod, 'unit')} of {unit} to a pod, {_count(pods, 'pod')}",
            *(f"in each pod: {line}" for line in pod_reasons),
            (
                f"{_count(below, 'link')} of {request.uplink_gbps}G below each spine at {ratio} need "
                f"{_count(needed, 'uplink')} of {request.core_gbps}G"
            ),
            (
                f"{spines} spines x {needed} uplinks / {ports} ports of a {request.core.model} = "
                f"{_count(ceil_div(spines * needed, ports), 'core')} at least"
            ),
            f"{_count(found.cores, 'core')}: every spine has {_count(found.links, 'link')} to {found.each} of them"
            + (" (the number of cores is given)" if given else ""),
        )
        return PlaneSize(pods, per_pod * self.leaves_per_unit, fit, found, reasons)

    def core_misfit(self, pods: int, spines: int, needed: int, most: int, given: int | None) -> None:
        assert self.request.core_whole is not None
        ports = self.request.core_whole.capacity
        where = f"{pods} pods of {spines} spines with {needed} to {most} uplinks each"
        if given is None:
            self.misfit(
                ("core", "model"),
                f"{where} do not fit under cores of {ports} ports: a core reaches {ports} pods at most",
                "lower `count` of the servers, raise an oversubscription, or choose a core with more ports",
            )
        else:
            self.misfit(
                ("core", "count"),
                f"{where} cannot be joined evenly by {given} cores of {ports} ports",
                f"set it to a multiple or a divisor of {spines * self.planes} that fits, or leave it out to have it "
                "computed",
            )


def _count(number: int, what: str, plural: str = "") -> str:
    return f"{number} {what if number == 1 else plural or what + 's'}"

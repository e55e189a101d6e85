"""The Subnet Manager's own configuration: routing engine, roots, GUID lists, QoS, redundancy."""

from __future__ import annotations

from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity, Span, did_you_mean
from fabricgen.core.guids import format_guid
from fabricgen.rules.base import Context, Need, device_path, rule
from fabricgen.rules.infiniband import Subnet

#: Routing engines of OpenSM 3.3.23 (`opensm --help`), and the word that forbids minhop as a last resort.
ENGINES = (
    "minhop", "updn", "dnup", "file", "ftree", "lash", "dor", "torus-2QoS", "nue", "dfsssp", "sssp", "no_fallback",
)  # fmt: skip

#: Engines whose freedom from credit loops rests on the right roots (OpenSM, doc/current-routing.txt).
ROOTED_ENGINES = ("ftree", "updn")

#: Engines that avoid credit loops by virtual lanes, which are programmed only with QoS on (same document).
LANE_ENGINES = ("lash", "dfsssp", "torus-2QoS")

#: Unicast LIDs run from 0x0001 to 0xbfff (ib_types.h).
UNICAST_LIDS = 0xBFFF

#: Share of the LIDs from which growth should be planned.
NEARLY_FULL_PERCENT = 80


def _path(subnet: Subnet, part: str) -> str:
    return device_path(subnet.device, part)


def _option_span(ctx: Context, subnet: Subnet, option: str) -> Span | None:
    return ctx.span(subnet.device, "subnet_manager", "options", option)


@rule("FG501", "routing-engine-unusable", Severity.ERROR, "a routing engine that does not exist or lacks its roots",
      Need.SUBNET_MANAGER)  # fmt: skip
def routing_engine_unusable(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """OpenSM brings the subnet up with minhop when an engine fails, and minhop promises no freedom from credit loops.

    `ftree` and `updn` guess their roots without a list, by statistics that a missing cable upsets. Source: OpenSM,
    doc/current-routing.txt and osm_opensm.c (`cannot find or setup routing engine`).
    """
    for subnet in ctx.subnets:
        path, span = _path(subnet, "options[routing_engine]"), _option_span(ctx, subnet, "routing_engine")
        for engine in subnet.engines:
            if engine not in ENGINES:
                yield kind.at(
                    path, f"there is no routing engine `{engine}`", span=span, remedy=did_you_mean(engine, ENGINES)
                )
        rooted = [engine for engine in subnet.engines if engine in ROOTED_ENGINES]
        if rooted and not subnet.manager.root_guids:
            yield kind.at(
                path,
                f"`{rooted[0]}` has no list of roots, so OpenSM guesses them",
                span=span,
                remedy="list every switch of the top tier in root_guid_file",
            )


@rule("FG502", "roots-wrong", Severity.ERROR, "the roots are not the switches of the top tier", Need.SUBNET)
def roots_wrong(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Up and down are counted from the roots: a missing or foreign root turns some paths over and permits credit loops.

    A root outside the subnet makes `updn` fall back to minhop; half of the spines as roots pass without a word.
    Source: OpenSM, osm_ucast_updn.c and osm_ucast_ftree.c; both reactions were measured on OpenSM 3.3.23.
    """
    for subnet in ctx.subnets:
        roots = subnet.manager.root_guids
        if not roots or not subnet.manager.nodes:
            continue
        for guid in roots:
            if guid not in subnet.top:
                yield kind.at(
                    _path(subnet, f"root_guids[{format_guid(guid)}]"),
                    _not_a_root(subnet, guid),
                    span=ctx.span(subnet.device, "subnet_manager", "root_guids", format_guid(guid)),
                    remedy="list the node GUIDs of the switches of the top tier, and nothing else",
                )
        missing = subnet.top - set(roots)
        if missing:
            yield kind.at(
                _path(subnet, "root_guids"),
                f"{len(missing)} of {len(subnet.top)} switches of the top tier are missing: {subnet.names(missing)}",
                span=ctx.span(subnet.device, "subnet_manager", "root_guids"),
                numbers={"missing": len(missing), "needed": len(subnet.top)},
                remedy=f"add {', '.join(format_guid(guid) for guid in sorted(missing)[:3])} to the roots"
                + (" and the others that are missing" if len(missing) > 3 else ""),
            )


def _not_a_root(subnet: Subnet, guid: int) -> str:
    if guid in subnet.adapters:
        return f"{subnet.name(guid)} is an adapter"
    if guid in subnet.switches:
        return f"{subnet.name(guid)} is a switch of tier {subnet.tiers.get(guid, 0)}, below the top"
    return f"{format_guid(guid)} is not in the subnet"


@rule("FG503", "compute-guids-wrong", Severity.ERROR, "a list of adapter ports has something else", Need.SUBNET)
def compute_guids_wrong(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """The lists take the GUIDs of adapter ports; with node GUIDs `ftree` gives up and OpenSM goes on with minhop.

    Source: OpenSM, osm_ucast_ftree.c (AB23, AB27); measured on OpenSM 3.3.23.
    """
    for subnet in ctx.subnets:
        if not subnet.manager.nodes:
            continue
        for field in ("compute_guids", "io_guids"):
            wrong = [guid for guid in getattr(subnet.manager, field) or () if guid not in subnet.adapters]
            if not wrong:
                continue
            guid = wrong[0]
            what = "a switch" if guid in subnet.switches else "no adapter port of the subnet"
            if guid + 1 in subnet.adapters:
                what = "a node GUID, one below the port's"
            yield kind.at(
                _path(subnet, f"{field}[{format_guid(guid)}]"),
                f"{format_guid(guid)} is {what}" + (f"; {len(wrong) - 1} more are wrong" if len(wrong) > 1 else ""),
                span=ctx.span(subnet.device, "subnet_manager", field, format_guid(guid)),
                numbers={"wrong": len(wrong)},
                remedy="list port GUIDs of adapters, as `ibstat -p` prints them",
            )


@rule("FG507", "service-level-without-qos", Severity.ERROR, "a service level is set while QoS is off",
      Need.SUBNET_MANAGER)  # fmt: skip
def service_level_without_qos(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """With `qos` other than TRUE OpenSM forces every service level to 0 and programs no virtual lanes.

    It says so in a debug message only. Source: OpenSM, osm_prtn_config.c and osm_qos.c.
    """
    for subnet in ctx.subnets:
        if subnet.flag("qos"):
            continue
        policy = subnet.manager.qos_policy
        users = [
            *((("partitions", one.name), one.service_level or 0) for one in subnet.manager.partitions or ()),
            *((("qos_policy", "levels", one.name), one.service_level) for one in (policy.levels if policy else ())),
            *((("qos_policy", "ulps", one.match), one.service_level) for one in (policy.ulps if policy else ())),
        ]
        for place, level in users:
            if level:
                yield kind.at(
                    _path(subnet, f"{place[-2]}[{place[-1]}]"),
                    f"service level {level} has no effect: `qos` is not TRUE",
                    span=ctx.span(subnet.device, "subnet_manager", *place),
                    related=(ctx.note("`qos`", subnet.device, "subnet_manager", "options", "qos"),),
                    numbers={"service_level": level},
                    remedy="set `qos TRUE`, or take the service level out",
                )


@rule("FG515", "engine-needs-qos", Severity.ERROR, "a routing engine that needs virtual lanes while QoS is off",
      Need.SUBNET_MANAGER)  # fmt: skip
def engine_needs_qos(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """These engines break credit loops by putting paths on different virtual lanes, which `qos TRUE` alone programs.

    Without it all paths share one lane and the loops are there. Source: OpenSM, doc/current-routing.txt; measured on
    rings of four and five switches with OpenSM 3.3.23.
    """
    for subnet in ctx.subnets:
        for engine in subnet.engines:
            if engine in LANE_ENGINES and not subnet.flag("qos"):
                yield kind.at(
                    _path(subnet, "options[routing_engine]"),
                    f"`{engine}` needs virtual lanes, and `qos` is not TRUE",
                    span=_option_span(ctx, subnet, "routing_engine"),
                    remedy="set `qos TRUE`, or use `ftree` or `updn` with a list of roots",
                )


@rule("FG516", "ftree-with-lmc", Severity.ERROR, "ftree with several LIDs for each port", Need.SUBNET_MANAGER)
def ftree_with_lmc(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """`ftree` does not do LMC above 0: OpenSM drops it and takes the next engine, or minhop.

    Source: OpenSM, osm_ucast_ftree.c; measured on OpenSM 3.3.23.
    """
    for subnet in ctx.subnets:
        lmc = subnet.number("lmc", 0)
        if "ftree" in subnet.engines and lmc:
            yield kind.at(
                _path(subnet, "options[lmc]"),
                f"`lmc` is {lmc}, and `ftree` needs 0",
                span=_option_span(ctx, subnet, "lmc"),
                numbers={"lmc": lmc},
                remedy="set `lmc 0`, or use `updn`",
            )


def _lids(subnet: Subnet) -> int:
    """Return the LIDs of a subnet: 2**lmc for each adapter port, and for a switch 1, or the same with lmc_esp0."""
    each = 1 << max(0, min(7, subnet.number("lmc", 0)))
    return len(subnet.adapters) * each + len(subnet.switches) * (each if subnet.flag("lmc_esp0") else 1)


@rule("FG509", "lids-run-out", Severity.ERROR, "the subnet needs more LIDs than there are", Need.SUBNET)
def lids_run_out(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A port without a LID stays in INIT and carries nothing.

    There are 49151 unicast LIDs; each adapter port takes 2 to the power of LMC, each switch one. Source: ib_types.h
    (0x0001 to 0xbfff); OpenSM manual, `lmc`.
    """
    for subnet in ctx.subnets:
        needed, lmc = _lids(subnet), subnet.number("lmc", 0)
        if needed > UNICAST_LIDS:
            yield kind.at(
                _path(subnet, "options[lmc]"),
                f"{len(subnet.adapters)} adapter ports and {len(subnet.switches)} switches need {needed} LIDs with "
                f"`lmc` {lmc}; there are {UNICAST_LIDS}",
                span=_option_span(ctx, subnet, "lmc"),
                numbers={"needed": needed, "limit": UNICAST_LIDS, "lmc": lmc},
                remedy=f"set `lmc` to {lmc - 1} or less" if lmc else "divide the subnet",
            )


@rule("FG517", "lids-nearly-full", Severity.WARNING, "little is left of the LIDs", Need.SUBNET)
def lids_nearly_full(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """The next extension may find no LIDs, and lowering LMC later renumbers the whole subnet.

    Source: as for FG509; the limit of 80 % is a choice of this rule.
    """
    for subnet in ctx.subnets:
        needed = _lids(subnet)
        if UNICAST_LIDS * NEARLY_FULL_PERCENT // 100 < needed <= UNICAST_LIDS:
            yield kind.at(
                _path(subnet, "options[lmc]"),
                f"{needed} of {UNICAST_LIDS} LIDs are used",
                span=_option_span(ctx, subnet, "lmc"),
                numbers={"needed": needed, "limit": UNICAST_LIDS},
                remedy="lower `lmc` before the subnet grows",
            )


@rule(
    "FG520", "subnet-managers-disagree", Severity.ERROR, "two Subnet Managers of one subnet differ", Need.SUBNET_MANAGER
)
def subnet_managers_disagree(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """When the standby takes over, its own files rule: other routes, other partitions, a subnet without isolation.

    With equal priorities the lower GUID wins, which may be the one that was to stand by. Source: IBTA volume 1, 14.4.1;
    OpenSM manual, `sm_priority`.
    """
    found = ctx.subnets
    for other in found[1:]:
        first = found[0]
        place = (other.device, "subnet_manager")
        priorities = [subnet.number("sm_priority", 0) for subnet in (first, other)]
        if priorities[0] == priorities[1]:
            yield kind.at(
                _path(other, "options[sm_priority]"),
                f"its priority is {priorities[1]}, that of {first.device} too",
                span=ctx.span(*place, "options", "sm_priority"),
                numbers={"priority": priorities[1]},
                remedy="give the master the higher `sm_priority`",
            )
        for option in ("routing_engine", "subnet_prefix", "lmc", "qos"):
            here, there = other.manager.option(option), first.manager.option(option)
            if here != there:
                yield kind.at(
                    _path(other, f"options[{option}]"),
                    f"`{option}` is {here or 'unset'}, on {first.device} {there or 'unset'}",
                    span=ctx.span(*place, "options", option),
                    remedy="give both Subnet Managers the same files, `sm_priority` aside",
                )
        for field in ("partitions", "root_guids", "qos_policy"):
            if getattr(other.manager, field) != getattr(first.manager, field):
                yield kind.at(
                    _path(other, field),
                    f"{field.replace('_', ' ')} differ from those of {first.device}",
                    span=ctx.span(*place, field),
                    remedy="give both Subnet Managers the same files, `sm_priority` aside",
                )

"""Service levels, virtual lanes and their arbitration."""

from __future__ import annotations

from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.rules.base import Context, Need, device_path, rule
from fabricgen.rules.infiniband import Subnet

#: Beginnings of OpenSM's sets of QoS options: all ports, adapters, switches' own, external switch and router ports.
SETS = ("qos", "qos_ca", "qos_sw0", "qos_swe", "qos_rtr")

#: The lane of management, which as an entry of SL2VL means "drop" (IBTA volume 1, 7.6.6).
DROP_LANE = 15

#: Data lanes where an option says 0 or nothing (`opensm -c`: 0 is unset, 15).
MOST_LANES = 15


@rule("FG514", "lanes-misconfigured", Severity.ERROR, "service levels, lanes and arbitration do not fit together",
      Need.SUBNET_MANAGER)  # fmt: skip
def lanes_misconfigured(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A service level on a lane that is not there, or that gets no turn, carries nothing.

    OpenSM warns of values out of range and writes them all the same, cut to size. Source: OpenSM, osm_qos.c and
    doc/QoS_management_in_OpenSM.txt; IBTA volume 1, 7.6.6 and 7.6.9.
    """
    for subnet in ctx.subnets:
        if not subnet.flag("qos"):
            continue
        for prefix in SETS:
            for option, summary in _faults(subnet, prefix):
                yield kind.at(
                    device_path(subnet.device, f"options[{option}]"),
                    summary,
                    span=ctx.span(subnet.device, "subnet_manager", "options", option),
                    remedy=f"correct `{option}`: 16 lanes for sl2vl, `lane:weight` for vlarb, lanes below max_vls",
                )


def _faults(subnet: Subnet, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield option and fault of a set of QoS options."""
    lanes = subnet.number(f"{prefix}_max_vls", 0) or subnet.number("qos_max_vls", 0) or MOST_LANES
    levels = _sl2vl(subnet, prefix)
    if levels is not None:
        if len(levels) != 16:
            yield f"{prefix}_sl2vl", f"{len(levels)} service levels have a lane; 16 must"
        for level, lane in enumerate(levels):
            if not 0 <= lane <= DROP_LANE or lanes <= lane < DROP_LANE:
                yield f"{prefix}_sl2vl", f"service level {level} goes to lane {lane}, and there are {lanes}"
    turns: dict[int, int] = {}
    for option in (f"{prefix}_vlarb_high", f"{prefix}_vlarb_low"):
        for lane, weight in _pairs(subnet.manager.option(option)):
            turns[lane] = turns.get(lane, 0) + weight
            if not 0 <= lane < MOST_LANES or not 0 <= weight <= 255:
                yield option, f"lane {lane} with weight {weight} is out of range: lanes 0 to 14, weights 0 to 255"
    starved = (
        {lane for lane in levels or () if lane < min(lanes, DROP_LANE) and not turns.get(lane)} if turns else set()
    )
    for lane in sorted(starved):
        yield f"{prefix}_vlarb_low", f"lane {lane} is used by sl2vl and has no weight in either arbitration table"


def _sl2vl(subnet: Subnet, prefix: str) -> list[int] | None:
    text = subnet.manager.option(f"{prefix}_sl2vl")
    if text is None or text == "(null)":
        return None
    return [int(word) for word in text.split(",") if word.strip().isdigit()]


def _pairs(text: str | None) -> Iterator[tuple[int, int]]:
    for pair in (text or "").split(","):
        lane, _, weight = pair.strip().partition(":")
        if lane.isdigit() and weight.isdigit():
            yield int(lane), int(weight)


def _used_levels(subnet: Subnet) -> dict[int, str]:
    """Return the service levels that traffic gets, each with what asks for it."""
    manager, policy = subnet.manager, subnet.manager.qos_policy
    asked = [
        *((one.service_level or 0, f"partition {one.name}") for one in manager.partitions or ()),
        *((one.service_level, f"the rule `{one.match}`") for one in (policy.ulps if policy else ())),
        *((one.service_level, f"level {one.name}") for one in (policy.levels if policy else ())),
        *([] if manager.partitions else [(0, "the default partition")]),
    ]
    return dict(reversed(asked))


def _sl2vl_options(subnet: Subnet) -> tuple[str, ...]:
    """Return the maps that hosts and switch ports have: their own where it is set, else the one for all ports."""
    own = [
        next((name for name in (f"{ports}_sl2vl", "qos_sl2vl") if subnet.manager.option(name) not in (None, "(null)")),
             None)
        for ports in ("qos_ca", "qos_swe")
    ]  # fmt: skip
    return tuple(dict.fromkeys(name for name in own if name))


@rule("FG525", "used-level-dropped", Severity.ERROR, "a service level in use goes to the lane that drops",
      Need.SUBNET_MANAGER)  # fmt: skip
def used_level_dropped(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Lane 15 in SL2VL means that data packets of the level are thrown away, which is right for levels nobody uses.

    A partition without a service level uses level 0. Source: IBTA volume 1, 7.6.6; OpenSM,
    doc/QoS_management_in_OpenSM.txt.
    """
    for subnet in ctx.subnets:
        for option in _sl2vl_options(subnet) if subnet.flag("qos") else ():
            lanes = [word.strip() for word in (subnet.manager.option(option) or "").split(",")]
            dropped = {level for level, lane in enumerate(lanes) if lane == str(DROP_LANE)}
            for level, user in sorted(_used_levels(subnet).items()):
                if level in dropped:
                    yield kind.at(
                        device_path(subnet.device, f"options[{option}]"),
                        f"service level {level} of {user} goes to lane {DROP_LANE}, which drops its packets",
                        span=ctx.span(subnet.device, "subnet_manager", "options", option),
                        numbers={"service_level": level},
                        remedy=f"give entry {level} of `{option}` a data lane, counted from 0",
                    )

"""The front panel of one switch: lanes, names and splits of its ports."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import Interface
from fabricgen.rules.base import Context, Need, by_panel, device_path, port_path, rule
from fabricgen.rules.panel import Panel

_MODE = re.compile(r"\d+x(?P<speed>\d+)G(?:\[(?P<others>[^\]]*)\])?")


@rule("FG205", "lanes-wrong", Severity.ERROR, "a lane serves two ports, or a port's lanes do not make up its speed",
      Need.ETHERNET)  # fmt: skip
@by_panel
def lanes_wrong(ctx: Context, kind: Kind, device: str, panel: Panel) -> Iterator[Diagnostic]:
    """A SerDes lane belongs to one port; the chip refuses the second port that claims it.

    Source: sonic-buildimage, TCS9400-128CC/port_config.ini, whose ports of four lanes stand two lanes apart.
    """
    owners: dict[int, Interface] = {}
    for interface in panel.ports:
        shared = sorted({lane for lane in interface.lanes if owners.get(lane, interface) is not interface})
        owners.update((lane, interface) for lane in interface.lanes if lane not in owners)
        path = port_path(device, interface.name)
        if shared:
            other = owners[shared[0]]
            yield kind.at(
                path,
                f"lanes {', '.join(map(str, shared))} belong to {other.name} too",
                span=ctx.span(device, "interfaces", interface.name, "lanes"),
                related=(ctx.note(f"lanes of {other.name}", device, "interfaces", other.name, "lanes"),),
                remedy=f"give {interface.name} lanes of its own, as the platform's port table has them",
            )
        lanes, speed = len(interface.lanes), interface.speed_gbps
        if lanes != len(set(interface.lanes)) or (lanes and speed and speed % lanes):
            yield kind.at(
                path,
                f"{lanes} lanes, {len(set(interface.lanes))} of them different, do not make up {speed} Gb/s",
                span=ctx.span(device, "interfaces", interface.name, "lanes"),
                numbers={"lanes": lanes, "speed_gbps": speed or 0},
                remedy=f"correct the lanes of {interface.name}: speed divided by lane rate",
            )


@rule("FG216", "lanes-of-another-cage", Severity.ERROR, "a port's lanes are not those of its cage", Need.ETHERNET)
@by_panel
def lanes_of_another_cage(ctx: Context, kind: Kind, device: str, panel: Panel) -> Iterator[Diagnostic]:
    """A cage is soldered to its lanes; a port with other lanes drives another cage, or none.

    The cage is that of the port's index, its lanes those of the platform files, as far as the catalog has them. Source:
    sonic-buildimage, platform.json of each platform (`index` and `lanes` of each parent port).
    """
    switch = ctx.catalog.switch_of_sku(panel.sku)
    if switch is None or switch.sonic is None:
        return
    for interface in panel.ports:
        if interface.cage is None:
            continue
        lanes = switch.sonic.cage(interface.cage).lanes
        foreign = sorted(set(interface.lanes) - set(lanes))
        if foreign:
            yield kind.at(
                port_path(device, interface.name),
                f"lanes {', '.join(map(str, foreign))} are not of cage {interface.cage}, which has "
                f"{', '.join(map(str, lanes))}",
                span=ctx.span(device, "interfaces", interface.name, "lanes"),
                numbers={"cage": interface.cage},
                remedy=f"correct the lanes or the index of {interface.name}, as the platform's port table has them",
            )


@rule("FG218", "sku-of-another-switch", Severity.ERROR, "a configuration for other hardware than is planned",
      Need.ETHERNET)  # fmt: skip
@by_panel
def sku_of_another_switch(ctx: Context, kind: Kind, device: str, panel: Panel) -> Iterator[Diagnostic]:
    """Ports, lanes and buffers follow from the SKU, so a configuration for another one does not load, or loads wrongly.

    Source: sonic-buildimage, device/VENDOR/PLATFORM/HWSKU, where a switch finds its port table and buffer defaults; the
    SKUs of a switch are those of the catalog.
    """
    planned = ctx.catalog.switches.get(panel.hardware or "")
    skus = planned.sonic.hwskus if planned and planned.sonic else ()
    if panel.sku is not None and skus and panel.sku not in skus:
        yield kind.at(
            device_path(device, "sku"),
            f"the SKU is {panel.sku}; {panel.hardware} has {', '.join(skus)}",
            span=ctx.span(device, "sku"),
            remedy=f"put the configuration of {device} on it, or correct the SKU or the planned model",
        )


@rule("FG209", "alias-repeated", Severity.ERROR, "two ports of a switch have one front-panel name", Need.ETHERNET)
@by_panel
def alias_repeated(ctx: Context, kind: Kind, device: str, panel: Panel) -> Iterator[Diagnostic]:
    """LLDP announces the front-panel name, so cable checks and people find the wrong port.

    Source: sonic-buildimage, DellEMC-S5448f-C48O8/port_config.ini, where `hundredGigE1/32` stands for several ports.
    """
    owners: dict[str, str] = {}
    for interface in panel.ports:
        if not interface.alias:
            continue
        first = owners.setdefault(interface.alias, interface.name)
        if first != interface.name:
            yield kind.at(
                port_path(device, interface.name),
                f"the alias `{interface.alias}` is that of {first} too",
                span=ctx.span(device, "interfaces", interface.name, "alias"),
                related=(ctx.note(f"alias of {first}", device, "interfaces", first, "alias"),),
                remedy=f"give {interface.name} the name that its cage has on the front panel",
            )


@rule("FG211", "breakout-speed-mixed", Severity.ERROR, "ports of one cage have speeds that its split does not allow",
      Need.ETHERNET)  # fmt: skip
@by_panel
def breakout_speed_mixed(ctx: Context, kind: Kind, device: str, panel: Panel) -> Iterator[Diagnostic]:
    """The ports of a split cage share a clock, so a speed outside the split's mode cannot be set beside the others.

    Source: sonic-swss issue 3981: one child of a 2x200G split at 40G made the switch agent restart for ever.
    """
    modes = dict(panel.breakouts)
    for ports in _cages(panel):
        mode = next((modes[port.name] for port in ports if port.name in modes), None)
        for port, allowed in _wrong_speeds(ports, mode):
            yield kind.at(
                port_path(device, port.name),
                f"the port runs at {port.speed_gbps} Gb/s; "
                + (f"the split `{mode}` allows" if mode else "the other ports of its cage run at")
                + f" {', '.join(map(str, sorted(allowed)))} Gb/s",
                span=ctx.span(device, "interfaces", port.name, "speed_gbps"),
                numbers={"have_gbps": port.speed_gbps or 0},
                remedy=f"set {port.name} to a speed that all ports of the cage share, or split the cage otherwise",
            )


def _cages(panel: Panel) -> Iterator[list[Interface]]:
    """Yield the ports of each cage, by the device's own count of cages where it has one."""
    cages: dict[int | str, list[Interface]] = defaultdict(list)
    for interface in panel.ports:
        cage = interface.index if interface.index is not None else interface.cage
        if interface.speed_gbps is not None:
            # a port that says no cage is compared with its own split only
            cages[interface.name if cage is None else cage].append(interface)
    yield from cages.values()


def _wrong_speeds(ports: list[Interface], mode: str | None) -> Iterator[tuple[Interface, set[int]]]:
    """Yield the ports whose speed is not one of the mode's, or else not that of most ports of the cage."""
    if mode is not None and "+" in mode:
        return
    speeds = Counter(port.speed_gbps for port in ports)
    allowed = _mode_speeds(mode)
    outside = [port for port in ports if allowed and port.speed_gbps not in allowed]
    if outside:
        yield from ((port, allowed) for port in outside)
    elif len(speeds) > 1:
        usual, _ = speeds.most_common(1)[0]
        yield from ((port, {usual or 0}) for port in ports if port.speed_gbps != usual)


def _mode_speeds(mode: str | None) -> set[int]:
    """Return the speeds of a mode such as ``2x400G[200G,100G]``; none where it cannot be read."""
    match = _MODE.match(mode or "")
    if match is None:
        return set()
    return {int(match["speed"]), *(int(word) for word in re.findall(r"(\d+)G", match["others"] or ""))}

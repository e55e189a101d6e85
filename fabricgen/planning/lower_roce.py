"""Lowers a RoCE fabric to the device models of its switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.catalog import Catalog, Switch, breakout_name
from fabricgen.core.diagnostics import Kind, Report, did_you_mean
from fabricgen.core.model import natural_key
from fabricgen.core.provenance import Origin
from fabricgen.device import Bgp, DeviceModel, Interface, Loopback, Role
from fabricgen.inventory import LoadedInventory, RoceFabric
from fabricgen.inventory.kinds import LOSSLESS_UNPLANNABLE, PLATFORM_UNKNOWN, UNSUPPORTED_FEATURE
from fabricgen.inventory.models import SwitchTier
from fabricgen.planning.addresses import AddressPlan, LinkAddresses
from fabricgen.planning.qos import PortDemand, QosPlan, QosPlanner, QosPlanningError
from fabricgen.planning.routing import Session, plan_bgp
from fabricgen.platforms import Feature, Platform, PortNaming, platforms
from fabricgen.topology import Cable, Device, Fabric, Port

#: From this lane rate on, both ends run RS-FEC: clause 91 (25 Gb/s lanes) and all PAM4 lanes (IEEE 802.3bs, 802.3ck).
RS_FEC_LANE_GBPS = 25

PortNames = dict[tuple[str, int], str]


def lower_roce(
    fabric: Fabric, addresses: AddressPlan, loaded: LoadedInventory, catalog: Catalog, report: Report
) -> tuple[tuple[DeviceModel, ...], PortNames]:
    """Return the device model of every switch, and every switch port's name in its own language.

    Args:
        fabric: the built fabric.
        addresses: its addresses and AS numbers.
        loaded: the inventory.
        catalog: the device library.
        report: takes FG131, FG137 and FG141.
    """
    return _Lowering(fabric, addresses, loaded, catalog, report).lower()


class _CabledPort(NamedTuple):
    """A switch port with all that is known of it.

    ``near`` is its own address and ``far`` that of a peer that is a switch, ``peer_name`` the peer's port in the peer's
    language.
    """

    port: Port
    naming: PortNaming
    cable: Cable
    peer: Port
    near: str | None
    far: str | None
    peer_name: str
    to_server: bool


class _Lowering:
    def __init__(
        self, fabric: Fabric, addresses: AddressPlan, loaded: LoadedInventory, catalog: Catalog, report: Report
    ) -> None:
        intent = loaded.inventory.fabrics[fabric.name]
        assert isinstance(intent, RoceFabric)
        self.fabric = fabric
        self.addresses = addresses
        self.intent = intent
        self.loaded = loaded
        self.catalog = catalog
        self.report = report
        self.qos_plans: dict[tuple[object, ...], QosPlan | None] = {}
        self.splits: dict[tuple[object, ...], tuple[tuple[str, str], ...]] = {}
        self.planners: dict[str, QosPlanner] = {}
        self.reported: set[tuple[str, str]] = set()

    def lower(self) -> tuple[tuple[DeviceModel, ...], PortNames]:
        groups = dict.fromkeys(device.group for device in self.fabric.switches)
        chosen = {group: self.platform(group) for group in groups}
        devices = [device for device in self.fabric.switches if chosen[device.group]]
        if None in chosen.values() or not self.breakouts_possible(devices):
            return (), {}
        namings = self.namings(devices, chosen)
        links = {id(cable): link for cable, link in zip(self.fabric.cables, self.addresses.links, strict=True)}
        models = []
        for device in devices:
            platform = chosen[device.group]
            assert platform is not None
            model = self.model(device, platform, self.cabled(device, namings, links))
            if model is not None:
                models.append(model)
        return tuple(models), {key: naming.name for key, naming in namings.items()}

    def tier(self, group: str) -> tuple[SwitchTier, tuple[str, ...]]:
        """Return a group of switches as the inventory has it, and where it stands below the fabric."""
        if group in self.intent.other_leaves:
            return self.intent.other_leaves[group], ("other_leaves", group)
        tier: SwitchTier = getattr(self.intent, group)
        return tier, (group,)

    def platform(self, group: str) -> Platform | None:
        """Return the platform of a group of switches, or report why there is none."""
        tier, path = self.tier(group)
        switch = self.catalog.switches[tier.model]
        fitting = [name for name, found in platforms().items() if "ethernet" in found.protocols and name in switch.nos]
        if tier.nos is None:
            self.add(PLATFORM_UNKNOWN, path, f"no `nos` is given for the {group} switches",
                     f"add `nos:` with one of {', '.join(fitting) or 'none that is known'}")  # fmt: skip
            return None
        platform = platforms().get(tier.nos)
        if platform is None or "ethernet" not in platform.protocols:
            known = [name for name, found in platforms().items() if "ethernet" in found.protocols]
            self.add(
                PLATFORM_UNKNOWN,
                (*path, "nos"),
                f"there is no platform `{tier.nos}`",
                did_you_mean(tier.nos, known),
            )
            return None
        if tier.nos not in switch.nos or platform.port is None:
            self.add(
                PLATFORM_UNKNOWN,
                (*path, "nos"),
                f"{platform.title} does not run on {switch.model} as far as the catalog knows",
                f"use one of {', '.join(switch.nos)}, or add the platform's port names to the catalog entry",
            )
            return None
        if not _names_ports(platform, switch):
            self.add(
                PLATFORM_UNKNOWN,
                (*path, "model"),
                f"the catalog does not know what {platform.title} calls the ports of {switch.model}",
                "choose another model, or add the platform's port names to a catalog entry of your own",
            )
            return None
        return platform

    def add(self, kind: Kind, path: tuple[str, ...], summary: str, remedy: str) -> None:
        origin = self.origin(*path)
        self.report.add(kind.at(origin.path, summary, span=origin.span, remedy=remedy))

    def origin(self, *path: str) -> Origin:
        return self.loaded.origin("fabrics", self.fabric.name, *path)

    def breakouts_possible(self, devices: list[Device]) -> bool:
        """Return whether the platform has every split that the design uses; report those that it has not."""
        used = {
            (device.hardware, breakout_name(port.legs, port.speed_gbps)): cable.origin
            for device in devices
            for port, cable in self.fabric.ports(device.name)
        }
        possible = True
        for (hardware, mode), origin in used.items():
            sonic = self.catalog.switches[hardware].sonic
            if sonic is None or mode in sonic.breakout_modes:
                continue
            possible = False
            why = sonic.unsupported_breakouts.get(mode, f"{hardware} has no breakout {mode}")
            self.report.add(
                UNSUPPORTED_FEATURE.at(
                    origin.path if origin else "",
                    why,
                    span=origin.span if origin else None,
                    remedy="set `link_speed` or `uplink_speed` to another speed, or choose another switch",
                )
            )
        return possible

    def namings(
        self, devices: list[Device], chosen: Mapping[str, Platform | None]
    ) -> dict[tuple[str, int], PortNaming]:
        shared: dict[tuple[str, str, int, int, int], PortNaming] = {}
        namings = {}
        for device in devices:
            platform = chosen[device.group]
            assert platform is not None
            assert platform.port is not None
            for port, _ in self.fabric.ports(device.name):
                key = (platform.name, device.hardware, port.cage, port.leg, port.legs)
                if key not in shared:
                    switch = self.catalog.switches[device.hardware]
                    shared[key] = platform.port(switch, port.cage, max(port.leg - 1, 0), port.legs)
                namings[device.name, port.number] = shared[key]
        return namings

    def cabled(
        self,
        device: Device,
        namings: Mapping[tuple[str, int], PortNaming],
        links: Mapping[int, LinkAddresses | None],
    ) -> list[_CabledPort]:
        ports, devices = [], self.fabric.by_name
        for port, cable in self.fabric.ports(device.name):
            lower_end = cable.a is port
            peer = cable.b if lower_end else cable.a
            link = links[id(cable)]
            to_server = devices[peer.device].role is Role.SERVER
            near = far = None
            if link is not None:
                near = str(link.a if lower_end else link.b)
                far = None if to_server else str(link.b if lower_end else link.a)
            naming = namings.get((peer.device, peer.number))
            ports.append(
                _CabledPort(
                    port=port,
                    naming=namings[device.name, port.number],
                    cable=cable,
                    peer=peer,
                    near=near,
                    far=far,
                    peer_name=naming.name if naming else peer.label,
                    to_server=to_server,
                )
            )
        return ports

    def model(self, device: Device, platform: Platform, ports: list[_CabledPort]) -> DeviceModel | None:
        switch = self.catalog.switches[device.hardware]
        qos = self.qos(device, switch, ports)
        if qos is None:
            return None
        interfaces = [self.interface(port, qos) for port in ports]
        sonic = switch.sonic
        self.check_features(device, platform)
        return DeviceModel(
            name=device.name,
            platform=platform.name,
            sku=sonic.hwsku if sonic else None,
            hardware_platform=sonic.platform if sonic else None,
            role=str(device.role),
            interfaces=tuple(sorted(interfaces, key=lambda interface: natural_key(interface.name))),
            loopbacks=(Loopback("Loopback0", (f"{self.addresses.loopbacks[device.name]}/32",)),),
            breakouts=self.breakouts(switch, platform, ports),
            qos=qos.qos,
            buffers=qos.buffers,
            bgp=self.bgp(device, ports),
            bases=qos.bases,
        )

    def demand(self, port: _CabledPort) -> PortDemand:
        cable = port.cable
        return PortDemand(
            port.naming.name, port.port.speed_gbps, len(port.naming.lanes), cable.length_cm, cable.length_origin
        )

    def qos(self, device: Device, switch: Switch, ports: list[_CabledPort]) -> QosPlan | None:
        """Return the QoS of a switch; switches with equal ports share one plan, and one report of what is wrong."""
        # Lengths that are equal and asked for in two places are two, since each plan says where its figures are from.
        key = (
            device.hardware,
            tuple(
                (port.naming.name, port.port.speed_gbps, port.cable.length_cm, id(port.cable.length_origin))
                for port in ports
            ),
        )
        if key not in self.qos_plans:
            try:
                self.qos_plans[key] = self.planner(switch).plan(tuple(self.demand(port) for port in ports))
            except QosPlanningError as error:
                self.qos_plans[key] = None
                self.report_problems(device, error)
        return self.qos_plans[key]

    def planner(self, switch: Switch) -> QosPlanner:
        if switch.id not in self.planners:
            assert switch.sonic is not None
            asic = self.catalog.asics[switch.asic]
            self.planners[switch.id] = QosPlanner(self.intent.qos, asic, switch.sonic, self.origin("qos"))
        return self.planners[switch.id]

    def report_problems(self, device: Device, error: QosPlanningError) -> None:
        for problem in error.problems:
            origin = problem.origin or self.origin(*self.tier(device.group)[1], "model")
            key = (origin.path, problem.summary)
            if key not in self.reported:
                self.reported.add(key)
                self.report.add(
                    LOSSLESS_UNPLANNABLE.at(
                        origin.path,
                        f"{device.name}: {problem.summary}",
                        span=origin.span,
                        remedy=problem.remedy,
                        numbers=problem.numbers,
                    )
                )

    def interface(self, port: _CabledPort, qos: QosPlan) -> Interface:
        naming, speed = port.naming, port.port.speed_gbps
        return Interface(
            name=naming.name,
            alias=naming.alias,
            speed_gbps=speed,
            lanes=naming.lanes,
            cage=port.port.cage,
            index=naming.index,
            mtu_bytes=self.intent.qos.switch_mtu_bytes,
            fec="rs" if speed >= RS_FEC_LANE_GBPS * len(naming.lanes) else None,
            enabled=True,
            description=f"{port.peer.device} {port.peer_name}",
            addresses=() if port.near is None else (f"{port.near}/31",),
            link_local_only=port.near is None,
            cable_length_m=qos.cable_lengths_m[naming.name],
            origin=port.cable.origin,
        )

    def breakouts(self, switch: Switch, platform: Platform, ports: list[_CabledPort]) -> tuple[tuple[str, str], ...]:
        """Return the split of every used cage, by its parent interface, in the device's words."""
        assert platform.port is not None
        assert switch.sonic is not None
        splits = tuple(dict.fromkeys((port.port.cage, port.port.legs, port.port.speed_gbps) for port in ports))
        key = (platform.name, switch.id, splits)
        if key not in self.splits:
            found = (
                (
                    platform.port(switch, cage, 0, legs).name,
                    switch.sonic.breakout_modes[breakout_name(legs, speed_gbps)],
                )
                for cage, legs, speed_gbps in splits
            )
            self.splits[key] = tuple(sorted(found, key=lambda entry: natural_key(entry[0])))
        return self.splits[key]

    def bgp(self, device: Device, ports: list[_CabledPort]) -> Bgp:
        roles = self.fabric.by_name
        sessions = [
            Session(port.naming.name, port.peer.device, roles[port.peer.device].role, port.peer_name, port.far)
            for port in ports
            if not port.to_server
        ]
        return plan_bgp(device, self.intent, self.addresses, sessions)

    def check_features(self, device: Device, platform: Platform) -> None:
        """Report what the platform cannot do, once for each tier, at the line that asks for it."""
        links = self.intent.addressing.links
        needed = {
            Feature.PFC: ("qos",),
            Feature.ECN: ("qos", "ecn"),
            Feature.PFC_WATCHDOG: ("qos", "watchdog"),
            Feature.STATIC_HEADROOM: ("cables",),
            Feature.BGP_UNNUMBERED if links == "unnumbered" else Feature.BGP_NUMBERED: ("addressing", "links"),
        }
        for feature, path in needed.items():
            refusal = platform.refusal(feature)
            key = (device.group, feature)
            if refusal is not None and key not in self.reported:
                self.reported.add(key)
                self.add(UNSUPPORTED_FEATURE, path, refusal, f"choose another `nos` for the {device.group} switches")


def _names_ports(platform: Platform, switch: Switch) -> bool:
    """Return whether the catalog holds what a platform needs to name the ports of a switch."""
    assert platform.port is not None
    try:
        platform.port(switch, 1, 0, 1)
    except ValueError:
        return False
    return True

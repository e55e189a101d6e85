"""What a rule is, and what it is given."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial, wraps
from typing import TypeVar

from fabricgen.catalog import Asic, Catalog
from fabricgen.core.diagnostics import Diagnostic, Kind, Note, Severity, Span
from fabricgen.core.memo import Memo
from fabricgen.device import DeviceModel, Interface, Link, LinkEnd, Network, NetworkDevice, Role
from fabricgen.rules.infiniband import Subnet
from fabricgen.rules.lossless import LosslessView
from fabricgen.rules.panel import Panel, panel_key, panel_of

T = TypeVar("T")
V = TypeVar("V")

_SWITCH_ROLES = (Role.LEAF, Role.SPINE, Role.CORE)


class Need(StrEnum):
    """Input that a rule cannot do without; where it is missing the rule is reported as not run, never as passed."""

    LINKS = "links"
    ETHERNET = "ethernet switch configurations"
    QOS = "QoS configurations"
    BGP = "BGP configurations"
    SUBNET_MANAGER = "Subnet Manager configuration"
    SUBNET = "the nodes of the InfiniBand subnet"


@dataclass(frozen=True, slots=True)
class Port:
    """A switch port whose configuration was read, and the cable in it."""

    end: LinkEnd
    interface: Interface
    model: DeviceModel
    far: LinkEnd
    link: Link

    @property
    def path(self) -> str:
        """Return the path that findings about the port have."""
        return port_path(self.end.device, self.interface.name)

    @property
    def speed_gbps(self) -> int | None:
        """Return the configured speed, or that of the cable where the configuration does not say."""
        return self.interface.speed_gbps or self.link.speed_gbps


@dataclass(frozen=True, slots=True)
class _Read:
    """A device that was read: its model and panel, and what all that are alike in panel, QoS and buffers share."""

    model: DeviceModel
    panel: Panel
    kind: Hashable


@dataclass(frozen=True)
class Context:
    """What a rule judges: one network, and the catalog for facts of the hardware."""

    network: Network
    catalog: Catalog

    def models(self) -> Iterator[tuple[NetworkDevice, DeviceModel]]:
        """Yield every device whose configuration was read."""
        for device in self.network.devices.values():
            if device.model is not None:
                yield device, device.model

    def switch_models(self) -> Iterator[tuple[NetworkDevice, DeviceModel]]:
        """Yield every Ethernet switch whose configuration was read."""
        for device, model in self.models():
            if model.subnet_manager is None:
                yield device, model

    def model(self, name: str) -> DeviceModel | None:
        """Return the configuration of a device, if it was read."""
        device = self.network.devices.get(name)
        return device.model if device else None

    def role(self, name: str) -> Role | None:
        """Return what a device is, where known."""
        device = self.network.devices.get(name)
        return device.role if device else None

    def tier(self, name: str) -> int | None:
        """Return the tier of a switch, from 1 for a leaf; None for anything else and where it is not known."""
        return self._tiers.get(name)

    def is_switch(self, name: str) -> bool:
        """Return whether a device forwards: its role says so, or its configuration where no role is known."""
        return name in self._forwarding

    def interface(self, end: LinkEnd) -> Interface | None:
        """Return the configuration of a port by its name or alias, if it was read."""
        device = self._read.get(end.device)
        position = device.panel.positions.get(end.interface) if device else None
        return device.model.interfaces[position] if device and position is not None else None

    def ports(self, device: str) -> Sequence[Port]:
        """Return the cabled ports of a switch that its configuration has."""
        return self._ports.get(device, ())

    def ends(self, link: Link) -> tuple[Port | None, Port | None]:
        """Return the ports at both ends of a cable, None for one that is not of a switch or was not read."""
        return self._port(link.a, link.b, link), self._port(link.b, link.a, link)

    def asic(self, name: str) -> Asic | None:
        """Return the chip of a switch by its catalog id or SKU, if the catalog has it."""
        device, model = self.network.devices.get(name), self.model(name)
        switch = self.catalog.switches.get(device.hardware or "") if device else None
        switch = switch or self.catalog.switch_of_sku(model.sku if model else None)
        return self.catalog.asics.get(switch.asic) if switch else None

    def span(self, device: str, *path: str) -> Span | None:
        """Return the place in a file of a part of a device's model."""
        found = self.network.devices.get(device)
        return found.locate(path) if found else None

    def port_span(self, port: Port, field: str) -> Span | None:
        """Return the place in a file of a field of an interface."""
        return self.span(port.end.device, "interfaces", port.interface.name, field)

    def note(self, text: str, device: str, *path: str) -> Note:
        """Return a note about a part of a device's model."""
        return Note(text, self.span(device, *path))

    def port_note(self, port: Port, text: str, field: str) -> Note:
        """Return a note about a field of an interface, which it names."""
        return Note(f"{port.path}: {text}", self.port_span(port, field))

    def once(self, work: Callable[[Context], T]) -> T:
        """Return what a function makes of this context, worked out once; nobody may change it."""
        return self._memo.get(work, lambda: work(self))

    @cached_property
    def _memo(self) -> Memo:
        return Memo()

    @cached_property
    def panels(self) -> Mapping[str, Panel]:
        """Return the panel of every Ethernet switch that was read; one for all switches that are alike in it."""
        return {device.name: self._panels[device.name] for device, _ in self.switch_models()}

    @cached_property
    def lossless(self) -> Mapping[str, LosslessView]:
        """Return the QoS and buffers of every switch that has any; one view for all switches that are alike in it.

        They are told apart by identity, which is what readers give to parts whose text is the same.
        """
        views = {}
        for device, model in self.switch_models():
            if model.qos is not None or model.buffers is not None:
                panel = self._panels[device.name]
                key = (LosslessView, id(panel), id(model.qos), id(model.buffers))
                views[device.name] = self._memo.get(key, partial(LosslessView.of, panel, model))
        return views

    @cached_property
    def view_kinds(self) -> Mapping[str, LosslessView]:
        """Return every view of :attr:`lossless` once, by the first switch that has it."""
        first: dict[int, str] = {}
        for device, view in self.lossless.items():
            first.setdefault(id(view), device)
        return {device: self.lossless[device] for device in first.values()}

    @cached_property
    def subnets(self) -> tuple[Subnet, ...]:
        """Return the subnet of every Subnet Manager of the network."""
        return tuple(
            Subnet(device.name, model.subnet_manager)
            for device, model in self.models()
            if model.subnet_manager is not None
        )

    @cached_property
    def switch_links(self) -> tuple[Link, ...]:
        """Return the cables between two switches."""
        return tuple(
            link for link in self.network.links if self.is_switch(link.a.device) and self.is_switch(link.b.device)
        )

    @property
    def joined_ports(self) -> Sequence[tuple[Port, Port]]:
        """Return both ports of every cable between two switches whose configurations have them."""
        return self._cabled[1]

    @cached_property
    def cable_kinds(self) -> tuple[Link, ...]:
        """Return one cable of each kind: a fault that none of these has, none of the others has either.

        This holds for whatever follows from speed and length of a cable, from the panels, QoS and buffers of the
        switches at its ends, and from which ports it joins; not for what follows from addresses, sessions or names.
        """
        kinds: dict[Hashable, Link] = {}
        for link in self.network.links:
            kinds.setdefault((self._like(link.a), self._like(link.b), link.speed_gbps, link.length_cm), link)
        return tuple(kinds.values())

    @cached_property
    def joined_kinds(self) -> tuple[tuple[Port, Port], ...]:
        """Return both ports of one cable of each kind that joins two switches; see :attr:`cable_kinds`."""
        return tuple((a, b) for a, b in map(self.ends, self.cable_kinds) if a is not None and b is not None)

    @cached_property
    def port_kinds(self) -> tuple[Port, ...]:
        """Return the switch ports at the ends of one cable of each kind; see :attr:`cable_kinds`."""
        return tuple(port for ends in map(self.ends, self.cable_kinds) for port in ends if port is not None)

    def ports_where(self, fault: Callable[[Port], bool]) -> Iterator[Port]:
        """Yield the cabled ports with a fault that all ports of a kind have or none; see :attr:`cable_kinds`."""
        if any(map(fault, self.port_kinds)):
            for device, _ in self.switch_models():
                yield from filter(fault, self.ports(device.name))

    @cached_property
    def _tiers(self) -> Mapping[str, int]:
        return {name: device.role.tier for name, device in self.network.devices.items() if device.role in _SWITCH_ROLES}

    @cached_property
    def _forwarding(self) -> frozenset[str]:
        return frozenset(
            name
            for name, device in self.network.devices.items()
            if (device.role in _SWITCH_ROLES if device.role else device.model is not None)
        )

    @cached_property
    def _panels(self) -> Mapping[str, Panel]:
        return {
            device.name: self._memo.get(panel_key(device.hardware, model), partial(panel_of, device.hardware, model))
            for device, model in self.models()
        }

    @property
    def _ports(self) -> Mapping[str, Sequence[Port]]:
        return self._cabled[0]

    @cached_property
    def _cabled(self) -> tuple[Mapping[str, Sequence[Port]], Sequence[tuple[Port, Port]]]:
        """Return the cabled ports by switch, and both ports of the cables that have two."""
        ports: dict[str, list[Port]] = defaultdict(list)
        pairs = []
        for link in self.network.links:
            a, b = self.ends(link)
            if a is not None:
                ports[link.a.device].append(a)
            if b is not None:
                ports[link.b.device].append(b)
            if a is not None and b is not None:
                pairs.append((a, b))
        return ports, pairs

    def _port(self, near: LinkEnd, far: LinkEnd, link: Link) -> Port | None:
        interface = self.interface(near)
        if interface is None or not self.is_switch(near.device):
            return None
        return Port(near, interface, self._read[near.device].model, far, link)

    def _like(self, end: LinkEnd) -> Hashable:
        """Return what ends of cables have in common that are the same port of devices that are alike."""
        device = self._read.get(end.device)
        return (device.kind, device.panel.positions.get(end.interface)) if device else None

    @cached_property
    def _read(self) -> Mapping[str, _Read]:
        return {
            device.name: _Read(model, panel := self._panels[device.name],
                               (id(self.lossless.get(device.name, panel)), self.is_switch(device.name)))
            for device, model in self.models()
        }  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """A rule: its kind of finding, what it needs, and the function that yields findings."""

    kind: Kind
    needs: frozenset[Need]
    check: Callable[[Context, Kind], Iterable[Diagnostic]]


def rule(
    code: str, name: str, severity: Severity, title: str, *needs: Need
) -> Callable[[Callable[[Context, Kind], Iterable[Diagnostic]]], Rule]:
    """Turn a function into a rule; its docstring is the reason that ``fabricgen explain`` prints."""

    def wrap(check: Callable[[Context, Kind], Iterable[Diagnostic]]) -> Rule:
        reason = inspect.getdoc(check)
        if not reason:
            msg = f"rule {code} has no docstring: say why it matters"
            raise ValueError(msg)
        return Rule(Kind(code, name, severity, title, reason), frozenset(needs), check)

    return wrap


def _shared(
    views: Callable[[Context], Mapping[str, V]],
) -> Callable[
    [Callable[[Context, Kind, str, V], Iterable[Diagnostic]]], Callable[[Context, Kind], Iterator[Diagnostic]]
]:
    """Return a decorator that makes a rule of a function that judges one switch by its view alone.

    Switches that are alike share a view, so where nothing was found for one, the others need no look.
    """

    def wrap(
        check: Callable[[Context, Kind, str, V], Iterable[Diagnostic]],
    ) -> Callable[[Context, Kind], Iterator[Diagnostic]]:
        @wraps(check)
        def judge(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
            sound: set[int] = set()
            for device, view in views(ctx).items():
                if id(view) not in sound:
                    found = list(check(ctx, kind, device, view))
                    yield from found
                    if not found:
                        sound.add(id(view))

        return judge

    return wrap


#: Makes a rule of a function that is given a switch and its panel, and looks at nothing else of the network.
by_panel = _shared(lambda ctx: ctx.panels)

#: Makes a rule of a function that is given a switch and its lossless view, and looks at nothing else of the network.
by_view = _shared(lambda ctx: ctx.lossless)


def device_path(device: str, *parts: str) -> str:
    """Return the path of a device, or of a part of it: ``devices[leaf-01].bgp``."""
    return ".".join((f"devices[{device}]", *parts))


def port_path(device: str, interface: str) -> str:
    """Return the path of a port."""
    return device_path(device, f"ports[{interface}]")


def and_more(count: int, what: str) -> str:
    """Return `` and 3 more ports`` for a finding that stands for several alike; empty for none."""
    return f" and {count} more {what}{'s' if count != 1 else ''}" if count > 0 else ""

"""What a rule is, and what it is given."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from fabricgen.catalog import Asic, Catalog
from fabricgen.core.diagnostics import Diagnostic, Kind, Note, Severity, Span
from fabricgen.device import DeviceModel, Interface, Link, LinkEnd, Network, NetworkDevice, Role
from fabricgen.rules.infiniband import Subnet
from fabricgen.rules.lossless import LosslessView

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
        role = self.role(name)
        return role.tier if role in _SWITCH_ROLES and role else None

    def is_switch(self, name: str) -> bool:
        """Return whether a device forwards: its role says so, or its configuration where no role is known."""
        role = self.role(name)
        return role in _SWITCH_ROLES if role else self.model(name) is not None

    def interface(self, end: LinkEnd) -> Interface | None:
        """Return the configuration of a port by its name or alias, if it was read."""
        return self._interfaces.get((end.device, end.interface))

    def ports(self, device: str) -> tuple[Port, ...]:
        """Return the cabled ports of a switch that its configuration has."""
        return self._ports.get(device, ())

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

    @cached_property
    def lossless(self) -> Mapping[str, LosslessView]:
        """Return the QoS and buffers of every switch that has any."""
        return {
            device.name: LosslessView(model)
            for device, model in self.switch_models()
            if model.qos is not None or model.buffers is not None
        }

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

    @cached_property
    def joined_ports(self) -> tuple[tuple[Port, Port], ...]:
        """Return both ports of every cable between two switches whose configurations have them."""
        found = {(port.end, port.link): port for device in self._ports for port in self._ports[device]}
        pairs = ((found.get((link.a, link)), found.get((link.b, link))) for link in self.switch_links)
        return tuple((a, b) for a, b in pairs if a is not None and b is not None)

    @cached_property
    def _interfaces(self) -> Mapping[tuple[str, str], Interface]:
        by_alias = {
            (device.name, interface.alias): interface
            for device, model in self.models()
            for interface in model.interfaces
            if interface.alias
        }
        by_name = {
            (device.name, interface.name): interface
            for device, model in self.models()
            for interface in model.interfaces
        }
        return {**by_alias, **by_name}

    @cached_property
    def _ports(self) -> Mapping[str, tuple[Port, ...]]:
        ports: dict[str, list[Port]] = defaultdict(list)
        for link in self.network.links:
            for near, far in link.ends:
                model, interface = self.model(near.device), self.interface(near)
                if model is not None and interface is not None and self.is_switch(near.device):
                    ports[near.device].append(Port(near, interface, model, far, link))
        return {device: tuple(found) for device, found in ports.items()}


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


def device_path(device: str, *parts: str) -> str:
    """Return the path of a device, or of a part of it: ``devices[leaf-01].bgp``."""
    return ".".join((f"devices[{device}]", *parts))


def port_path(device: str, interface: str) -> str:
    """Return the path of a port."""
    return device_path(device, f"ports[{interface}]")


def and_more(count: int, what: str) -> str:
    """Return `` and 3 more ports`` for a finding that stands for several alike; empty for none."""
    return f" and {count} more {what}{'s' if count != 1 else ''}" if count > 0 else ""

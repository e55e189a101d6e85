"""The built fabric: devices, ports and cables, frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import networkx as nx

from fabricgen.core.provenance import Origin
from fabricgen.device import Role

FabricKind = Literal["rocev2", "infiniband", "ethernet"]


@dataclass(frozen=True, slots=True)
class RackPlace:
    """Where a device stands: its rack, and the rack's place on the floor grid.

    Attributes:
        rack_unit: the lowest rack unit that it fills, from 1 at the bottom; None where a height in the rack is unknown.
    """

    rack: str
    row: int
    column: int
    rack_unit: int | None = None


@dataclass(frozen=True, slots=True)
class Device:
    """A switch or server of a fabric.

    Attributes:
        hardware: catalog id.
        group: server group; for a switch the name of its role, or of its leaf group (``storage``).
        index: its number within its group, from 0, over all planes.
        unit: scalable unit, from 1; None for switches above the leaves.
        rail: the rail that a leaf serves, from 0.
        plane: the plane that a switch belongs to, from 0; None where the fabric has one plane only.
        pod: the pod of a leaf or spine, from 1; None where the fabric has two tiers.
        nos: platform of a switch.
    """

    name: str
    role: Role
    hardware: str
    group: str
    index: int
    unit: int | None = None
    rail: int | None = None
    plane: int | None = None
    pod: int | None = None
    nos: str | None = None
    place: RackPlace | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Receptacle:
    """The physical cage behind one or more ports: what a plug goes into. Equal ones of equal devices are one object.

    Attributes:
        name: what is printed beside it: ``17``, ``OSFP4``.
        connector: as the catalog has it: ``OSFP twin-port``.
        ways: ports that it is, or could be, as it is split; a twin-port cage of a server is two adapters'.
    """

    name: str
    connector: str
    ways: int


@dataclass(frozen=True, slots=True)
class Port:
    """A logical port.

    Attributes:
        device: the device's name.
        number: counts the device's logical ports from 1, cage by cage: the port number of an InfiniBand switch.
        cage: receptacle, from 1; for a server the adapter's number within its purpose.
        leg: part of the cage, from 1; 0 where the cage is one port.
        legs: parts that the cage is split into; 1 where it is not.
        label: what is printed on the box, or ``cage/leg``.
        receptacle: the physical cage.
    """

    device: str
    number: int
    cage: int
    leg: int
    legs: int
    speed_gbps: int
    label: str
    receptacle: Receptacle


@dataclass(frozen=True, slots=True)
class Cable:
    """A link between two ports; ``a`` is the lower tier's end, or that of the first switch of a pair."""

    a: Port
    b: Port
    speed_gbps: int
    length_cm: int
    rail: int | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)
    length_origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assembly:
    """What is pulled as a whole: a cable with all its legs, or the fibre between two transceivers.

    Attributes:
        name: the upper end of a server's cable, the lower end of any other: it stays when the fabric grows.
        links: positions in ``Fabric.cables``; several for a breakout cable, and for two twin-port cages.
        medium: ``passive-copper``, ``single-mode``; None where the catalog has no part.
        part: catalog id of the cable or fibre; None where the catalog has none.
        a_plug: catalog id of the transceiver at the lower end; None where the plug is the cable's own or not known.
        b_plug: the same at the upper end.
        length_cm: a length that is sold, if the catalog knows the lengths.
        cords: fibres that run side by side, where one link takes several.
        legs: ends that the cable has at its split side.
    """

    name: str
    links: tuple[int, ...]
    medium: str | None
    part: str | None
    a_plug: str | None
    b_plug: str | None
    length_cm: int
    cords: int = 1
    legs: int = 1


@dataclass(frozen=True, slots=True)
class Room:
    """Ports that a switch of some group could have, down and up.

    It depends on the switch and the oversubscription only, so numbers that count by it stay when the fabric grows.

    Attributes:
        numbers: the highest port number, where ports down and up mix and each is numbered by its cage; None where the
            ports down are the first ones.
    """

    down: int
    up: int
    numbers: int | None = None


@dataclass(frozen=True, slots=True)
class Sizing:
    """How many switches there are, and why. Numbers of switches are those of all planes and pods together.

    Attributes:
        units: scalable units (leaf-spine: leaves).
        pods: sets of leaves with spines of their own; 0 where there are no cores.
        leaves: all leaves, the other leaf groups' included.
        downlinks_per_leaf: server links of a full leaf.
        uplinks_per_leaf: links from each main leaf to all its spines together.
        links_per_spine: links from each main leaf to one spine.
        uplinks_per_spine: links from each spine to all its cores together.
        links_per_core: links from each spine to one core.
        reasons: the arithmetic in words, one step a line.
    """

    servers: int
    units: int
    planes: int
    pods: int
    leaves: int
    spines: int
    cores: int
    downlinks_per_leaf: int
    uplinks_per_leaf: int
    links_per_spine: int
    uplinks_per_spine: int
    links_per_core: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Fabric:
    """A fabric: what the inventory asked for, down to the port.

    Attributes:
        devices: servers, leaves, spines, cores, each in the order of their numbers.
        cables: server links first, then leaf-spine and spine-core links, in the order of the lower end's port; or the
            links between the switches of a pair.
        rooms: by group of switches (``leaf``, ``spine``, ``core``, other leaf groups), the ports that one could have.
        assemblies: the physical cables, each link in one of them, in the order of their first link.
        transceivers: number of each transceiver by catalog id.
    """

    name: str
    kind: FabricKind
    design: str
    devices: tuple[Device, ...]
    cables: tuple[Cable, ...]
    sizing: Sizing
    rooms: Mapping[str, Room] = field(default_factory=dict)
    assemblies: tuple[Assembly, ...] = ()
    transceivers: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def other_groups(self) -> tuple[str, ...]:
        """Return the names of the leaf groups beside the main one, in the inventory's order."""
        return tuple(group for group in self.rooms if group not in {"leaf", "spine", "core"})

    def other_number(self, device: Device) -> int:
        """Return the number of a leaf among those of the other leaf groups, which take turns so that each can grow."""
        return device.index * len(self.other_groups) + self.other_groups.index(device.group)

    @cached_property
    def leaves_per_unit(self) -> int:
        """Return the number of main leaves of a unit, those of all planes."""
        return max(sum(leaf.unit == 1 and leaf.group == "leaf" for leaf in self.of_role(Role.LEAF)), 1)

    @cached_property
    def by_name(self) -> dict[str, Device]:
        """Return the devices by name."""
        return {device.name: device for device in self.devices}

    @cached_property
    def _ports(self) -> dict[str, list[tuple[Port, Cable]]]:
        ports: dict[str, list[tuple[Port, Cable]]] = {device.name: [] for device in self.devices}
        for cable in self.cables:
            ports[cable.a.device].append((cable.a, cable))
            ports[cable.b.device].append((cable.b, cable))
        for entries in ports.values():
            entries.sort(key=lambda entry: entry[0].number)
        return ports

    def ports(self, device: str) -> list[tuple[Port, Cable]]:
        """Return a device's cabled ports, in order, each with its cable."""
        return self._ports[device]

    def of_role(self, *roles: Role) -> Iterator[Device]:
        """Yield the devices of some roles, in order."""
        return (device for device in self.devices if device.role in roles)

    @property
    def switches(self) -> Iterator[Device]:
        """Yield leaves, spines and cores, in order."""
        return self.of_role(Role.LEAF, Role.SPINE, Role.CORE)

    @cached_property
    def graph(self) -> nx.MultiGraph[str]:
        """Return the fabric as a networkx multigraph: nodes with ``device``, edges with ``cable``."""
        graph: nx.MultiGraph[str] = nx.MultiGraph(name=self.name)
        graph.add_nodes_from((device.name, {"device": device}) for device in self.devices)
        graph.add_edges_from((cable.a.device, cable.b.device, {"cable": cable}) for cable in self.cables)
        return graph

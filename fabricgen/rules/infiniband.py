"""The subnet of a Subnet Manager as a graph: nodes by GUID, tiers, links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fabricgen.core.guids import format_guid
from fabricgen.device import IbNode, IbNodeKind, IbPort, SubnetManager


@dataclass(frozen=True)
class Subnet:
    """The nodes that a Subnet Manager is meant for; ``device`` is where it runs."""

    device: str
    manager: SubnetManager

    @cached_property
    def nodes(self) -> Mapping[int, IbNode]:
        """Return the nodes by GUID, the first where two have one."""
        return {node.guid: node for node in reversed(self.manager.nodes)}

    @cached_property
    def adapters(self) -> frozenset[int]:
        """Return the GUIDs of adapter ports."""
        return frozenset(node.guid for node in self.manager.nodes if node.kind is IbNodeKind.ADAPTER)

    @cached_property
    def switches(self) -> frozenset[int]:
        """Return the GUIDs of switches."""
        return frozenset(node.guid for node in self.manager.nodes if node.kind is IbNodeKind.SWITCH)

    @cached_property
    def tiers(self) -> Mapping[int, int]:
        """Return the tier of every switch: 1 for those with adapters, one more for each hop away from them."""
        tiers = {
            guid: 1
            for guid in sorted(self.switches)
            if any(port.peer_guid in self.adapters for port in self._ports(guid))
        }
        edge = list(tiers)
        while edge:
            reached = (port.peer_guid for guid in edge for port in self._ports(guid))
            fresh = [guid for guid in dict.fromkeys(reached) if guid in self.switches and guid not in tiers]
            tiers.update((guid, tiers[edge[0]] + 1) for guid in fresh)
            edge = fresh
        return tiers

    @cached_property
    def top(self) -> frozenset[int]:
        """Return the GUIDs of the switches of the highest tier."""
        highest = max(self.tiers.values(), default=0)
        return frozenset(guid for guid, tier in self.tiers.items() if tier == highest)

    def _ports(self, guid: int) -> Sequence[IbPort]:
        return self.nodes[guid].ports

    def name(self, guid: int) -> str:
        """Return a node's description, or its GUID where it has none."""
        node = self.nodes.get(guid)
        return node.description if node is not None and node.description else format_guid(guid)

    def names(self, guids: Iterable[int], most: int = 3) -> str:
        """Return the names of some nodes, the first few spelt out."""
        ordered = sorted(guids)
        shown = ", ".join(self.name(guid) for guid in ordered[:most])
        return f"{shown} and {len(ordered) - most} more" if len(ordered) > most else shown

    def links(self) -> Iterator[tuple[tuple[IbNode, IbPort], tuple[IbNode, IbPort]]]:
        """Yield both ends of every link that the netlist has at both ends, lower GUID first."""
        ports = {(node.guid, port.number): port for node in self.nodes.values() for port in reversed(node.ports)}
        for node in self.nodes.values():
            for port in node.ports:
                back = ports.get((port.peer_guid, port.peer_port))
                if back is not None and (node.guid, port.number) < (port.peer_guid, back.number):
                    yield (node, port), (self.nodes[port.peer_guid], back)

    def flag(self, option: str) -> bool:
        """Return whether a boolean option is on: only the exact word TRUE is (osm_subnet.c)."""
        return self.manager.option(option) == "TRUE"

    def number(self, option: str, default: int) -> int:
        """Return a numeric option, decimal or ``0x``; the default where it is unset or no number."""
        text = self.manager.option(option)
        try:
            return default if text is None else int(text, 0)
        except ValueError:
            return default

    @property
    def engines(self) -> tuple[str, ...]:
        """Return the routing engines in the order in which they are tried; empty where the default holds."""
        text = self.manager.option("routing_engine") or ""
        return tuple(text.replace(",", " ").split())

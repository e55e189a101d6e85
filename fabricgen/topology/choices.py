"""Choices that every design makes alike: models of switches from the catalog, and speeds of links."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fabricgen.catalog import Adapter, Switch
from fabricgen.inventory.kinds import IMPOSSIBLE_BREAKOUT, NO_COMMON_SPEED, WRONG_PROTOCOL
from fabricgen.inventory.models import SwitchTier
from fabricgen.topology.endpoints import Path, Resolver
from fabricgen.topology.ports import speeds_gbps

PROTOCOLS: Mapping[str, str] = {"rocev2": "ethernet", "infiniband": "infiniband", "ethernet": "ethernet"}


class Chooser:
    """The choices of one fabric."""

    def __init__(self, resolver: Resolver) -> None:
        """Take the fabric; its report takes what cannot be had."""
        self.resolver = resolver
        self.intent = resolver.loaded.inventory.fabrics[resolver.name]
        self.protocol = PROTOCOLS[self.intent.type]

    def switch(self, tier: SwitchTier, path: Path) -> Switch | None:
        """Return the model of a tier, or None with FG121 or FG136."""
        resolver, switches = self.resolver, self.resolver.catalog.switches
        if not resolver.entry(switches, tier.model, "switch", ("fabrics", resolver.name, *path, "model")):
            return None
        switch = switches[tier.model]
        if switch.protocol == self.protocol:
            return switch
        resolver.add(
            WRONG_PROTOCOL,
            (*path, "model"),
            f"{switch.model} is an {switch.protocol} switch and the fabric is {self.intent.type}",
            f"choose one that `fabricgen catalog list switch --protocol {self.protocol}` names, or change the fabric's "
            "`type`",
        )
        return None

    def adapter_speeds(self, adapter: Adapter) -> tuple[str, Collection[int]]:
        """Return an adapter's model with the speeds of its ports."""
        speeds = adapter.ports.ethernet_gbps if self.protocol == "ethernet" else adapter.ports.infiniband_gbps
        return adapter.model, speeds

    def speed(
        self,
        path: Path,
        ends: Sequence[tuple[str, Collection[int]]],
        asked: int | None,
        model_path: Path = ("leaf", "model"),
    ) -> int:
        """Return the speed of a kind of link: as asked, if every end has it, else the fastest in common; 0 if none.

        Adds FG133 or FG134 where there is none.
        """
        common = set(ends[0][1]).intersection(*(speeds for _, speeds in ends[1:]))
        listed = "; ".join(f"{model} has {_list(speeds)}" for model, speeds in ends)
        if asked is None:
            if common:
                return max(common)
            self.resolver.add(NO_COMMON_SPEED, model_path, listed, "choose models that share a speed")
            return 0
        if asked in common:
            return asked
        kind = IMPOSSIBLE_BREAKOUT if any(max(speeds, default=0) > asked for _, speeds in ends) else NO_COMMON_SPEED
        remedy = f"set `{path[-1]}` to one of {_list(common)}" if common else "choose models that share a speed"
        self.resolver.add(kind, path, f"{asked}G cannot be had at both ends: {listed}", remedy)
        return 0


def speeds_of(*switches: Switch | None) -> list[tuple[str, Collection[int]]]:
    """Return switches by model, each with the speeds of its ports."""
    return [(switch.model, speeds_gbps(switch)) for switch in switches if switch is not None]


def _list(speeds: Collection[int]) -> str:
    return ", ".join(f"{speed}G" for speed in sorted(speeds, reverse=True)) or "no speed of this protocol"

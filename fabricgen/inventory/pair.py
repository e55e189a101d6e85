"""What a user writes about a pair of switches: where ports are on them, and the links between the two."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.core.model import Model, Name
from fabricgen.inventory.scalars import SpeedGbps


class Placement(Model):
    """Where the two switches of `switch-pair` take the ports of some servers: in the same cages of both."""

    link_speed: SpeedGbps | None = None
    """Speed of these links; the fabric's `link_speed`, or the highest that adapter and switch share, where left out."""
    first_cage: Annotated[int, Field(ge=1)] | None = None
    """Cage that they start in; where left out they go on after the entry before."""
    ports_per_cage: Annotated[int, Field(ge=1)] | None = None
    """Ports of a cage that are used; all that its split gives where left out."""
    sides: Literal["alternate", "halves"] = "alternate"
    """Whether a server's ports go to the two switches in turn, or the first half of them to the first switch."""
    order: Literal["server", "port"] = "server"
    """Whether all ports of a server come before those of the next, or the first ports of all servers before the
    second ones."""
    room_for: Annotated[int, Field(ge=1)] | None = None
    """Servers that ports are kept for, so that the group can grow; its `count` where left out."""


class InterSwitchLinks(Model):
    """The links between the two switches of `switch-pair`: the same port of both."""

    links: Annotated[int, Field(ge=1)] | None = None
    """How many; where left out, as many as carry what one switch's links to the `carries` adapters bring, at the
    fabric's `oversubscription`."""
    carries: tuple[Name, ...] = ("compute",)
    """Purposes of the adapters whose traffic crosses between the switches."""
    speed: SpeedGbps | None = None
    """The switch's highest where left out."""
    first_cage: Annotated[int, Field(ge=1)] | None = None
    """Cage that they start in; the first that the servers leave free where left out."""

"""What a design is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fabricgen.core.diagnostics import Report
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest


@dataclass(frozen=True)
class Design:
    """A way to cable servers.

    Attributes:
        name: what inventories say.
        title: what it is, in one line.
        build: makes the fabric; adds what cannot be built to the report and then returns None.
    """

    name: str
    title: str
    build: Callable[[FabricRequest, Report], Fabric | None]

"""Lengths of cables: as given for their tier, or from the places of racks."""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.core.provenance import Origin
from fabricgen.inventory.kinds import LENGTH_UNKNOWN
from fabricgen.topology.fabric import RackPlace
from fabricgen.topology.racks import cable_length_cm
from fabricgen.topology.request import Request


class Lengths:
    """Cable lengths by tier or by the places of racks; each missing one is reported once."""

    def __init__(self, request: Request, report: Report) -> None:
        """Take the lengths that are given; ``report`` takes FG135."""
        self._request = request
        self._report = report
        self._given: dict[str, tuple[int, Origin]] = {}
        cables = request.intent.cables
        for tier in ("server", "spine", "core", "isl"):
            length = getattr(cables, tier)
            if length is not None:
                self._given[tier] = (length, request.origin("cables", tier))
        self._missing: set[str] = set()

    def between(self, tier: str, a: RackPlace | None, b: RackPlace | None) -> tuple[int, Origin]:
        """Return the length of a cable in centimetres, and what it comes from."""
        given = self._given.get(tier)
        if given is not None:
            return given
        distances = self._request.intent.cables.distances
        if distances is not None and a is not None and b is not None:
            return cable_length_cm(a, b, distances), self._request.origin("cables", "distances")
        if tier not in self._missing:
            self._missing.add(tier)
            why = "the devices have no racks" if distances else "neither it nor `distances` is given"
            self._report.add(
                self._request.finding(
                    LENGTH_UNKNOWN,
                    ("cables",),
                    f"the length of {tier} cables is not known: {why}",
                    f"add `{tier}: 3m` below `cables`, or `distances` and racks for all devices",
                )
            )
        return 100, self._request.origin("cables")

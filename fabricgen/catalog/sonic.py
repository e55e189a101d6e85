"""What SONiC calls the cages of a switch, and how it keeps their buffers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from fabricgen.core.model import Model

_SONIC_CAGE = re.compile(r"Ethernet(?P<port>\d{1,4}) (?P<first>\d{1,4})(?:-(?P<last>\d{1,4}))?")


class SonicCage(NamedTuple):
    """SONiC's view of a cage: N of its parent port ``EthernetN`` (children count on, one per lane), and its lanes."""

    first_port: int
    lanes: tuple[int, ...]


def _read_sonic_cage(value: object) -> SonicCage:
    """Read ``Ethernet16 9-16`` as a port number and an ascending run of lanes."""
    match = _SONIC_CAGE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        msg = f"{value!r} is not a SONiC cage: write the parent port and its lanes as `Ethernet16 9-16`"
        raise ValueError(msg)
    first, last = int(match["first"]), int(match["last"] or match["first"])
    if last < first:
        msg = f"the lanes of {value!r} do not rise: write the lower lane first"
        raise ValueError(msg)
    return SonicCage(int(match["port"]), tuple(range(first, last + 1)))


CageText = Annotated[
    SonicCage,
    BeforeValidator(_read_sonic_cage),
    WithJsonSchema({"type": "string", "pattern": r"^Ethernet\d{1,4} \d{1,4}(-\d{1,4})?$"}),
]
"""A cage as catalog files have it: ``Ethernet16 9-16``."""


def _check_alias(value: str) -> str:
    """Return a front-panel name pattern if it can be filled in and tells cages and their children apart."""
    rest = value.replace("{cage}", "").replace("{leg}", "", 1)
    if "{" in rest or "}" in rest or "{cage}" not in value or "{leg}" not in value:
        msg = "a front-panel name needs `{cage}`, `{leg}` once, and no other braces"
        raise ValueError(msg)
    return value


def breakout_name(ports: int, speed_gbps: int) -> str:
    """Return a split as SONiC's modes begin: ``2x400G``."""
    return f"{ports}x{speed_gbps}G"


class SonicSupport(Model):
    """What SONiC needs to know of a switch. Lane numbers are never computed: they come from its platform files."""

    platform: str
    """``DEVICE_METADATA.platform``, the folder below ``device/VENDOR``."""
    hwsku: str
    """``DEVICE_METADATA.hwsku``."""
    buffer_model: Literal["dynamic", "traditional"]
    """Whether the buffer manager takes headroom as given (dynamic, with static profiles) or by (speed, cable length)
    from the SKU's ``pg_profile_lookup.ini``. A traditional SKU without that file gives no ``cable_lengths_m``."""
    cable_lengths_m: Mapping[int, tuple[int, ...]] = {}
    """By port speed in Gb/s, the cable lengths that ``pg_profile_lookup.ini`` has rows for (traditional model)."""
    ports: Annotated[tuple[CageText, ...], Field(min_length=1)]
    """By cage, in the order of the front panel."""
    alias: Annotated[str, AfterValidator(_check_alias)]
    """Front-panel name with ``{cage}`` and, where the children's names begin, ``{leg}``: ``etp{cage}{leg}``."""
    leg_names: Annotated[tuple[str, ...], Field(min_length=1)] = ("a", "b", "c", "d", "e", "f", "g", "h")
    """What ``{leg}`` is for each child of a split cage; nothing for a cage that is whole."""
    legs_by_lane: bool = False
    """Whether ``leg_names`` go by a child's first lane, of a whole cage of several lanes too: ``Ethernet2/1``."""
    first_cage: Annotated[int, Field(ge=0)] = 1
    """What ``{cage}`` is for the first cage; the others count on."""
    first_index: Annotated[int, Field(ge=0)] = 1
    """``PORT.index`` of the first cage; the others count on."""
    breakout_modes: Mapping[str, str]
    """From ``PORTSxSPEEDG`` (``2x400G``) to the mode's whole name in ``platform.json``."""
    unsupported_breakouts: Mapping[str, str] = {}
    """From ``PORTSxSPEEDG`` to the sentence why SONiC cannot split so, though the hardware can."""
    other_hwskus: tuple[str, ...] = ()
    """Further SKUs of the same platform: the same cages and lanes, other default splits and buffers."""

    @property
    def hwskus(self) -> tuple[str, ...]:
        """Return every SKU."""
        return (self.hwsku, *self.other_hwskus)

    def alias_of(self, cage: int, leg: int = 0, legs: int = 1) -> str:
        """Return the front-panel name of a port: leg ``leg`` (from 0) of a cage that is split into ``legs``."""
        number = self.first_cage + cage - 1
        if self.legs_by_lane:
            lanes = len(self.cage(cage).lanes)
            return self.alias.format(cage=number, leg=self.leg_names[leg * lanes // legs] if lanes > 1 else "")
        return self.alias.format(cage=number, leg=self.leg_names[leg] if legs > 1 else "")

    def index_of(self, cage: int) -> int:
        """Return ``PORT.index`` of a cage; cages count from 1."""
        return self.first_index + cage - 1

    def cage(self, number: int) -> SonicCage:
        """Return SONiC's view of a cage; cages count from 1.

        Raises:
            IndexError: there is no such cage.
        """
        if number < 1:
            raise IndexError(number)
        return self.ports[number - 1]

"""The parts that cables and transceivers are described with."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from fabricgen.catalog.figures import UNKNOWN, Number, Unknown
from fabricgen.core.model import Model

Form = Literal["cable", "transceiver", "fibre"]
"""A cable with its plugs, a transceiver without its fibre, or the fibre between two transceivers."""

Medium = Literal["passive-copper", "active-copper", "multimode", "single-mode", "active-optical"]

Top = Literal["finned", "flat", "none", "unknown"]
"""The lid of an OSFP plug: finned ones fit switch cages only, flat ones adapters and liquid-cooled boxes; other plugs
have none."""


def form_factor(connector: str) -> str:
    """Return the first word of a connector, by which plugs and cages match: ``OSFP`` of ``OSFP twin-port``."""
    return connector.split(" ", 1)[0]


class CableEnd(Model):
    """One end of a cable, or of one of its legs."""

    connector: str
    """Form factor as cages have it (``OSFP``, ``QSFP112``), or the fibre's plug (``MPO-12/APC``)."""
    top: Top = "unknown"
    power_max_w: Number = UNKNOWN


def _check_lengths(value: object) -> object:
    if isinstance(value, list | tuple) and sorted(set(value)) != list(value):
        msg = "the lengths do not rise: write each once, the shortest first"
        raise ValueError(msg)
    return value


Lengths = Annotated[
    Annotated[
        tuple[Annotated[int, Field(gt=0)], ...], Field(min_length=1), BeforeValidator(_check_lengths), Tag("list")
    ]
    | Annotated[Unknown, Tag(UNKNOWN)],
    Discriminator(lambda value: UNKNOWN if isinstance(value, str) else "list"),
]
"""The lengths that a part is sold in, or that nobody trustworthy publishes them."""

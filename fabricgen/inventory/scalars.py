"""Scalars with a meaning: AS numbers, address pools, ratios, speeds, lengths and name patterns."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Network, NetmaskValueError
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema

from fabricgen.core.model import check_name
from fabricgen.core.units import parse_length_cm, parse_speed_gbps

__all__ = [
    "Asn",
    "LengthCm",
    "NamePattern",
    "Oversubscription",
    "Pool",
    "Ratio",
    "SpeedGbps",
    "SwitchNamePattern",
    "fill_pattern",
]

_DOTTED = re.compile(r"(\d{1,5})\.(\d{1,5})")
_PATTERN_FIELD = re.compile(r"\{(?:group|n(?::0?\d{1,2}d)?)\}")
_SWITCH_PATTERN_FIELD = re.compile(r"\{(?:group|(?:n|plane|pod|unit|rail)(?::0?\d{1,2}d)?)\}")
_RATIO = re.compile(r"(\d{1,4})\s*:\s*(\d{1,4})")

#: Reserved: RFC 7607 (0), RFC 6793 (23456), RFC 7300 (65535 and 4294967295).
_RESERVED_ASNS = {0, 23456, 65535, 4_294_967_295}


def _read_asn(value: Any) -> int:
    if isinstance(value, float):
        msg = (
            "YAML reads a dotted AS number as a decimal number and loses its trailing zeros: write it in quotes, or as "
            "one whole number"
        )
        raise ValueError(msg)  # noqa: TRY004 - Pydantic turns a ValueError into a finding
    if isinstance(value, str):
        dotted = _DOTTED.fullmatch(value)
        if dotted and all(int(part) <= 65535 for part in dotted.groups()):
            value = int(dotted[1]) * 65536 + int(dotted[2])
        elif value.isdigit():
            value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**32:
        msg = "not an AS number: write 1 to 4294967294, or asdot in quotes (RFC 5396)"
        raise ValueError(msg)
    if value in _RESERVED_ASNS:
        msg = f"AS number {value} is reserved: use a private one, 4200000000 to 4294967294 (RFC 6996)"
        raise ValueError(msg)
    return value


Asn = Annotated[
    int,
    BeforeValidator(_read_asn),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^\d+(\.\d+)?$"}]}),
]
"""A 4-byte AS number: a whole number, or asdot text."""


def _read_pool(value: Any) -> IPv4Network:
    if isinstance(value, IPv4Network):
        return value
    if not isinstance(value, str) or "/" not in value:
        msg = "not an address pool: write it as 10.0.0.0/16"
        raise ValueError(msg)
    try:
        return IPv4Network(value)
    except (AddressValueError, NetmaskValueError) as error:
        msg = f"not an IPv4 network ({error}): write it as 10.0.0.0/16"
        raise ValueError(msg) from error
    except ValueError as error:
        network = IPv4Network(value, strict=False)
        msg = f"the address has bits right of the prefix: write {network}"
        raise ValueError(msg) from error


Pool = Annotated[
    IPv4Network,
    BeforeValidator(_read_pool),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": r"^\d+\.\d+\.\d+\.\d+/\d+$"}),
]
"""An IPv4 network that addresses are given out of."""


class Ratio(NamedTuple):
    """Bandwidth down against bandwidth up."""

    down: int
    up: int

    def __str__(self) -> str:
        """Print as ``3:2``."""
        return f"{self.down}:{self.up}"


def _read_ratio(value: Any) -> Ratio:
    if isinstance(value, Ratio):
        return value
    match = _RATIO.fullmatch(value) if isinstance(value, str) else None
    if match is None or not int(match[1]) or not int(match[2]):
        msg = "not a ratio of two whole numbers: write it as 1:1 or 3:2"
        raise ValueError(msg)
    return Ratio(int(match[1]), int(match[2]))


Oversubscription = Annotated[
    Ratio,
    BeforeValidator(_read_ratio),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": r"^\d+:\d+$"}),
]
"""A ratio such as ``1:1``."""


def _check_fields(value: str, fields: re.Pattern[str], words: str, counting: str = r"\{n[:}]") -> str:
    bare = fields.sub("1", value)
    if "{" in bare or "}" in bare:
        msg = f"unknown words in braces: use only {words}"
        raise ValueError(msg)
    if re.search(counting, value) is None:
        msg = "all devices would have one name: put `{n}` into the pattern"
        raise ValueError(msg)
    check_name(bare)
    return value


def _check_pattern(value: str) -> str:
    return _check_fields(value, _PATTERN_FIELD, "`{n}`, `{n:02d}` and `{group}`")


def _check_switch_pattern(value: str) -> str:
    words = "`{n}`, `{plane}`, `{pod}`, `{unit}`, `{rail}` (each as `{n:02d}` too) and `{group}`"
    return _check_fields(value, _SWITCH_PATTERN_FIELD, words, r"\{(n|plane|pod|unit|rail)[:}]")


NamePattern = Annotated[str, AfterValidator(_check_pattern)]
"""A name with a number in it: ``gpu-{n:03d}``."""
SwitchNamePattern = Annotated[str, AfterValidator(_check_switch_pattern)]
"""The name of a switch: ``su{unit:02d}-leaf-{n}``. ``{n}`` counts the switches that share the other words' values."""


def fill_pattern(pattern: str, number: int, group: str = "", **fields: int) -> str:
    """Return the name of device ``number`` by a checked pattern; ``fields`` are a switch's other numbers, from 1."""
    return pattern.format(n=number, group=group, **fields)


def _is_quantity(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _read_speed(value: Any) -> Any:
    return parse_speed_gbps(str(value)) if _is_quantity(value) else value


def _read_length(value: Any) -> Any:
    return parse_length_cm(str(value)) if _is_quantity(value) else value


_QUANTITY_SCHEMA = WithJsonSchema({"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string"}]})
SpeedGbps = Annotated[int, BeforeValidator(_read_speed), Field(gt=0, le=1600), _QUANTITY_SCHEMA]
LengthCm = Annotated[int, BeforeValidator(_read_length), Field(gt=0, le=1_000_000), _QUANTITY_SCHEMA]

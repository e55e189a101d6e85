"""Integer units and the one rounding rule.

Every quantity inside fabricgen is an integer whose unit is in its name: bytes, Gb/s, centimetres, picoseconds.
Where a division does not come out even, the result is rounded **up**: a buffer a byte too large is safe, a byte
too small loses packets.
"""

from __future__ import annotations

import re
from fractions import Fraction

#: Propagation delay of fibre and copper, upper end of the 4.5 to 5 ns/m that cable vendors give
#: (NVIDIA LinkX product guide).
PROPAGATION_PS_PER_M = 5_000

#: One PFC pause quantum is 512 bit times, that is 64 bytes (IEEE 802.3 annex 31B).
PAUSE_QUANTUM_BYTES = 64

_SPEED = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[GT])?(?:b(?:it)?/?p?s)?", re.IGNORECASE)
_LENGTH = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>m|cm)?", re.IGNORECASE)


def ceil_div(numerator: int, denominator: int) -> int:
    """Return ``numerator / denominator`` rounded up to an integer."""
    return -(-numerator // denominator)


def round_up(value: int, multiple: int) -> int:
    """Return ``value`` rounded up to the next multiple of ``multiple``."""
    return ceil_div(value, multiple) * multiple


def parse_speed_gbps(text: str) -> int:
    """Read a link speed such as ``400``, ``400G``, ``400 Gb/s`` or ``1.6T`` as whole Gb/s.

    Raises:
        ValueError: the text is not a speed, or not a whole number of Gb/s.
    """
    match = _SPEED.fullmatch(text.strip())
    if match is None:
        msg = f"{text!r} is not a speed: write it as 400G or 1.6T"
        raise ValueError(msg)
    gbps = Fraction(match["number"]) * (1000 if (match["unit"] or "G").upper() == "T" else 1)
    if gbps.denominator != 1 or gbps <= 0:
        msg = f"{text!r} is not a whole number of Gb/s above zero: write it as 400G or 1.6T"
        raise ValueError(msg)
    return int(gbps)


def parse_length_cm(text: str) -> int:
    """Read a cable length such as ``3``, ``1.5m`` or ``50cm`` (metres where no unit is given) as whole centimetres.

    Raises:
        ValueError: the text is not a length, or finer than a centimetre.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        msg = f"{text!r} is not a length: write it as 3m or 1.5m"
        raise ValueError(msg)
    length_cm = Fraction(match["number"]) * (1 if (match["unit"] or "m").lower() == "cm" else 100)
    if length_cm.denominator != 1:
        msg = f"{text!r} is finer than one centimetre: round it up"
        raise ValueError(msg)
    return int(length_cm)


def length_m(length_cm: int) -> int:
    """Return a length in whole metres, rounded up: the form that switches take for headroom."""
    return ceil_div(length_cm, 100)


def format_length(length_cm: int) -> str:
    """Print a length in metres with no more decimals than it has: ``3``, ``1.5``, ``0.25``."""
    return f"{length_cm / 100:g}"


def bytes_in_time(speed_gbps: int, picoseconds: int) -> int:
    """Return the bytes that a link carries in a time, rounded up: ``speed x time / 8``."""
    # Gb/s x ps = 1e-3 bit
    return ceil_div(speed_gbps * picoseconds, 8_000)


def bytes_on_cable(speed_gbps: int, length_cm: int) -> int:
    """Return the bytes in flight on a cable, one way, at 5 ns/m, rounded up."""
    return ceil_div(speed_gbps * length_cm * PROPAGATION_PS_PER_M, 8_000 * 100)


def format_bytes(value: int) -> str:
    """Print a byte count for people, with the exact number kept: ``303104 B (296.0 KiB)``."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value >= size:
            return f"{value} B ({value / size:.1f} {unit})"
    return f"{value} B"

"""OpenSM's options: the table of names, kinds, defaults and legal values, and the check of a value.

The table is ``options.csv``: one row for each option of OpenSM 3.3.23 (``opensm -c`` prints them with their defaults),
and of 3.3.24 where ``since`` says so. Kinds and ranges are those of the parsers in ``opensm/osm_subnet.c``
(``opt_tbl``, ``osm_subn_verify_config``) and of the comments that ``opensm -c`` writes. ``applied`` says whether SIGHUP
is enough or a restart is needed.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

#: What OpenSM prints and takes for an unset text.
NULL = "(null)"

#: Routing engines of NVIDIA's own OpenSM, which the community's does not have (osm_opensm.h of MLNX_OFED's OpenSM).
NVIDIA_ENGINES = frozenset(
    (
        "ar_dor", "ar_ftree", "ar_minhop", "ar_torus", "ar_updn", "auto", "chain", "dfp", "dfp2", "kdor-ghc",
        "kdor-hc", "pqft",
    )
)  # fmt: skip

#: Beginnings of options that only NVIDIA's own OpenSM has (osm_subnet.h of MLNX_OFED's OpenSM).
NVIDIA_OPTIONS = (
    "ar_", "calculate_missing_routes", "device_configuration_file", "dfp_", "dump_ar", "enable_ar_", "fabric_mode_",
    "find_roots_", "force_link_speed_ext2", "gmp_threads", "hbf_", "hm_", "key_mgr_seed", "master_sm_", "max_cas_on_",
    "mlnx_congestion_control", "n2n_key_", "nvl_", "nvlink_", "offsweep_", "pfrn_", "pgrp_policy_file", "qos_sw2sw_",
    "rch_policy_file", "routing_flags", "routing_threads_num", "rtr_", "sa_etm_", "sharp_", "shield_mode",
    "smp_threads", "tenants_policy_file", "topo_policy_file", "updn_lid_tracking_", "validate_conf_files", "virt_",
    "vs_key_",
)  # fmt: skip

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)|0[xX][0-9a-fA-F]+")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of OpenSM.

    Attributes:
        kind: how its value is read: ``number``, ``boolean``, ``word``, ``engines``, ``path``, ``text``, ``vlarb``,
            ``sl2vl``, ``mask``, ``cct`` or ``per_sl``.
        default: as ``opensm -c`` prints it.
        allowed: words or number ranges between ``|``; for lists the most entries, for a mask its bits.
        applied: ``reload`` where SIGHUP is enough, else ``restart``.
        since: the first version that is known to have it.
    """

    name: str
    kind: str
    default: str
    allowed: str
    applied: str
    since: str


@cache
def options() -> Mapping[str, Option]:
    """Return every option by name."""
    text = files(__package__).joinpath("options.csv").read_text(encoding="utf-8")
    return MappingProxyType({row["name"]: Option(**row) for row in csv.DictReader(text.splitlines())})


def objection(option: Option, value: str) -> str | None:
    """Return what is wrong with an option's value and what OpenSM would do about it, or None if nothing is."""
    return _CHECKS[option.kind](option, value)


def in_ranges(value: int, ranges: str) -> bool:
    """Return whether a number is in ranges like ``0..7|30|31``."""
    return any(low <= value <= high for low, high in _bounds(ranges))


def _bounds(ranges: str) -> list[tuple[int, int]]:
    pairs = [part.partition("..") for part in ranges.split("|")]
    return [(int(low), int(high or low)) for low, _, high in pairs]


def in_words(ranges: str) -> str:
    """Print number ranges for a finding: ``0 to 7, 30, 31``."""
    return ranges.replace("..", " to ").replace("|", ", ")


def plain_number(text: str) -> int | None:
    """Return a decimal or ``0x`` number, or None; a leading zero is refused, because C reads it as octal."""
    return int(text, 0) if _NUMBER.fullmatch(text) else None


def _number(option: Option, value: str) -> str | None:
    number = plain_number(value)
    legal = in_words(option.allowed)
    if number is None:
        return f"is no number; {legal} are allowed, and OpenSM keeps {option.default}"
    if not in_ranges(number, option.allowed):
        return f"is out of range; {legal} are allowed, and OpenSM keeps {option.default} or cuts the number to size"
    return None


def _boolean(_: Option, value: str) -> str | None:
    if value in ("TRUE", "FALSE"):
        return None
    return "is neither `TRUE` nor `FALSE`, and OpenSM takes it for FALSE without a word"


def _word(option: Option, value: str) -> str | None:
    words = option.allowed.split("|")
    if value in words:
        return None
    return f"is none of {', '.join(words)}, and OpenSM keeps `{option.default}`"


def _text(_: Option, value: str) -> str | None:
    return None if value else f"is empty; OpenSM takes it as a name of no letters, and `{NULL}` as none"


def _path(option: Option, value: str) -> str | None:
    if value == NULL or value.startswith("/"):
        return None
    return _text(option, value) or "is a relative path, which depends on where OpenSM is started"


def _vlarb(option: Option, value: str) -> str | None:
    if value == NULL:
        return None
    entries = value.split(",")
    if len(entries) > int(option.allowed):
        return f"has {len(entries)} entries, and a table has {option.allowed}; OpenSM drops the rest"
    for entry in entries:
        vl, colon, weight = entry.partition(":")
        if not colon or not _within(vl, "0..14") or not _within(weight, "0..255"):
            return f"has the entry `{entry}`, which is no VL of 0 to 14, colon and weight of 0 to 255; OpenSM cuts it"
    return None


def _sl2vl(option: Option, value: str) -> str | None:
    if value == NULL:
        return None
    entries = value.split(",")
    if len(entries) != int(option.allowed):
        return f"lists {len(entries)} VLs, and there are {option.allowed} SLs; OpenSM maps those left out to VL 0"
    wrong = [entry for entry in entries if not _within(entry, "0..15")]
    return f"has the VL `{wrong[0]}`, which is not 0 to 15; OpenSM cuts it to size" if wrong else None


def _within(text: str, ranges: str) -> bool:
    number = plain_number(text.strip())
    return number is not None and in_ranges(number, ranges)


def _mask(option: Option, value: str) -> str | None:
    digits = int(option.allowed) // 4
    if re.fullmatch(rf"0[xX][0-9a-fA-F]{{1,{digits}}}", value):
        return None
    return f"is not 0x and up to {digits} hex digits; OpenSM keeps its mask or cuts this one"


def _cct(option: Option, value: str) -> str | None:
    if value == NULL and option.default == NULL:
        return None
    entries = value.split(",")
    if len(entries) > int(option.allowed):
        return f"has {len(entries)} entries, and {option.allowed} are allowed"
    for entry in entries:
        shift, colon, multiplier = entry.partition(":")
        if not colon or not _within(shift, "0..3") or not _within(multiplier, "0..16383"):
            return f"has the entry `{entry}`, which is no shift of 0 to 3, colon and multiplier of 0 to 16383"
    return None


def _per_sl(option: Option, value: str) -> str | None:
    parts = value.split()
    if len(parts) == 2 and _within(parts[0], "0..15") and _within(parts[1], option.allowed):
        return None
    return f"is no SL of 0 to 15 and a number of {in_words(option.allowed)}; OpenSM keeps its default"


_CHECKS: Mapping[str, Callable[[Option, str], str | None]] = {
    "number": _number,
    "boolean": _boolean,
    "word": _word,
    "text": _text,
    "path": _path,
    "vlarb": _vlarb,
    "sl2vl": _sl2vl,
    "mask": _mask,
    "cct": _cct,
    "per_sl": _per_sl,
    "engines": lambda *_: None,
}

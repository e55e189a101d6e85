"""The frozen base of every Pydantic model, and the ordering of names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

_DIGITS = re.compile(r"(\d+)")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


class Model(BaseModel):
    """A frozen model that refuses unknown keys; the border between what people write and what passes compute."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False, use_attribute_docstrings=True)


# The same few thousand names of ports and devices are sorted once for every device.
@lru_cache(maxsize=1 << 16)
def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts ``leaf-10`` after ``leaf-9``."""
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in _DIGITS.split(name) if part)


def naturally_sorted(names: Iterable[str]) -> list[str]:
    """Return the names in natural order."""
    return sorted(names, key=natural_key)


def check_name(name: str) -> str:
    """Return the name if it can be a host name, a folder and a word in a configuration file.

    Raises:
        ValueError: the name is anything but letters, digits and inner hyphens, 63 characters at most (RFC 1123, 2.1).
    """
    if not _NAME.fullmatch(name):
        msg = (
            f"{name!r} is not a usable name: use only letters, digits and hyphens, a letter or digit at both ends, "
            "63 characters at most"
        )
        raise ValueError(msg)
    return name


#: A device, fabric or group name: safe as a host name, as a folder name and inside every configuration language.
Name = Annotated[str, AfterValidator(check_name)]

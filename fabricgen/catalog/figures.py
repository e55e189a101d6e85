"""The scalars of catalog entries: ids, and figures that may be unknown."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

Unknown = Literal["unknown"]
UNKNOWN: Unknown = "unknown"


def _check_figure(value: object) -> object:
    if value == UNKNOWN or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    msg = "not a figure: write a whole number from 0 up, or `unknown`"
    raise ValueError(msg)


def _check_number(value: object) -> object:
    if value == UNKNOWN or (isinstance(value, int | float) and not isinstance(value, bool) and value >= 0):
        return value
    msg = "not a figure: write a number from 0 up, or `unknown`"
    raise ValueError(msg)


Figure = Annotated[Annotated[int, Field(ge=0)] | Unknown, BeforeValidator(_check_figure)]
"""A whole number, or that nobody trustworthy publishes it."""
Number = Annotated[Annotated[float, Field(ge=0)] | Unknown, BeforeValidator(_check_number)]
"""A number, or that nobody trustworthy publishes it."""

_ID = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?")


def check_id(value: str) -> str:
    """Return the id if it can be a file name and a plain word of an inventory on every system.

    Raises:
        ValueError: it is anything but lower-case letters, digits, inner hyphens and dots, 64 characters at most.
    """
    if not _ID.fullmatch(value):
        msg = (
            f"{value!r} is not a usable id: use lower-case letters, digits, hyphens and dots, a letter or digit at "
            "both ends, 64 characters at most"
        )
        raise ValueError(msg)
    return value


EntryId = Annotated[str, AfterValidator(check_id), Field(json_schema_extra={"pattern": f"^{_ID.pattern}$"})]
"""The id of a catalog entry."""

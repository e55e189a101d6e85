"""What a platform is: its abilities, and the functions that print and read its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from fabricgen.catalog import Catalog, Switch
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.core.files import FileSet
from fabricgen.core.memo import Memo
from fabricgen.device import DeviceModel
from fabricgen.device.network import Locate


class Feature(StrEnum):
    """Abilities that a device model may need and a platform may lack."""

    ETHERNET = "ethernet"
    INFINIBAND = "infiniband"
    PFC = "pfc"
    PFC_WATCHDOG = "pfc-watchdog"
    ECN = "ecn"
    STATIC_HEADROOM = "static-headroom"
    BGP_UNNUMBERED = "bgp-unnumbered"
    BGP_NUMBERED = "bgp-numbered"
    BFD = "bfd"
    HASH_SEED = "hash-seed"
    PARTITIONS = "partitions"
    IB_QOS = "ib-qos"


@dataclass(frozen=True, slots=True)
class PortNaming:
    """How a device names a logical port: native name, front-panel alias, SerDes lanes, and its number of the cage."""

    name: str
    alias: str
    lanes: tuple[int, ...]
    index: int | None = None


@dataclass(frozen=True)
class ReadResult:
    """What a platform's ``read`` made of a device's files.

    Attributes:
        model: None where the files do not even name a device.
        diagnostics: what could not be read or is plainly wrong in the files' own terms (kinds FG6xx).
        locate: finds the place of a part of the model; see :data:`fabricgen.device.network.Locate`.
    """

    model: DeviceModel | None
    diagnostics: tuple[Diagnostic, ...]
    locate: Locate


class Reader(Protocol):
    """Makes a device model of a device's files.

    File names in findings begin with ``prefix``; files of other names are ignored. ``memo`` serves the files of many
    devices and changes no result.
    """

    def __call__(self, files: FileSet, prefix: str, catalog: Catalog, memo: Memo | None = None) -> ReadResult:
        """Return what the files say."""


class Emitter(Protocol):
    """Prints a device model as the device's files; ``memo`` serves many devices and changes no result."""

    def __call__(self, model: DeviceModel, memo: Memo | None = None) -> FileSet:
        """Return the files, by their name in the device's own folder."""


@dataclass(frozen=True)
class Platform:
    """A target.

    Attributes:
        name: what inventories say: ``sonic``.
        title: what people say: ``SONiC (community)``.
        protocols: what it runs.
        supports: by feature: True, or the sentence that the user gets to see.
        emit: device model to files, paths relative to the device's own folder.
        read: a device's files to its model.
        recognises: whether a file is one of this platform's, by name and first bytes.
        port: names a logical port by switch, cage, leg (from 0) and number of legs (1 if unsplit); None for a platform
            that configures no switch ports.
    """

    name: str
    title: str
    protocols: tuple[Literal["ethernet", "infiniband"], ...]
    supports: Mapping[Feature, Literal[True] | str]
    emit: Emitter
    read: Reader
    recognises: Callable[[str, str], bool]
    port: Callable[[Switch, int, int, int], PortNaming] | None = None

    def refusal(self, feature: Feature) -> str | None:
        """Return why the platform cannot do something, or None if it can."""
        answer = self.supports.get(feature, f"{self.title} does not support {feature}")
        return None if answer is True else answer

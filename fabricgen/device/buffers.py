"""Shared-memory buffers: pools, profiles, and what each priority group and queue uses.

``headroom_bytes`` is the space kept for what still arrives after a pause frame was sent. SONiC calls that ``xoff``;
here a threshold is always an occupancy and is named so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from fabricgen.core.provenance import Basis


class PoolDirection(StrEnum):
    """Which side of the switch a pool accounts for."""

    INGRESS = "ingress"
    EGRESS = "egress"
    BOTH = "both"


class ThresholdMode(StrEnum):
    """Whether a pool's users are limited by a share of what is free (alpha) or by a fixed number of bytes."""

    DYNAMIC = "dynamic"
    STATIC = "static"


@dataclass(frozen=True, slots=True)
class BufferPool:
    """A named pool.

    Attributes:
        size_bytes: bytes that its users share; None where the device computes it.
        shared_headroom_bytes: headroom that all ports share; None where each priority group has its own.
    """

    name: str
    direction: PoolDirection
    mode: ThresholdMode
    size_bytes: int | None = None
    shared_headroom_bytes: int | None = None
    basis: Basis | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BufferProfile:
    """A named profile.

    Attributes:
        pool: the pool it draws on.
        size_bytes: guaranteed bytes; on chips with headroom in the reserved part (Spectrum) XON + headroom.
        xon_bytes: occupancy at which a paused priority resumes.
        xon_offset_bytes: how far below the pausing occupancy it resumes, on chips that count so (Broadcom).
        headroom_bytes: what may still arrive after the pause frame was sent; None or 0 for a lossy profile.
        alpha_exponent: the dynamic threshold is ``2 ** alpha_exponent`` times the free shared bytes.
        static_threshold_bytes: fixed threshold.
        static_headroom: whether the device must take the headroom as given rather than compute it.
    """

    name: str
    pool: str | None
    size_bytes: int | None = None
    xon_bytes: int | None = None
    xon_offset_bytes: int | None = None
    headroom_bytes: int | None = None
    alpha_exponent: int | None = None
    static_threshold_bytes: int | None = None
    static_headroom: bool = False
    basis: Basis | None = field(default=None, compare=False, repr=False)

    @property
    def lossless(self) -> bool:
        """Return whether the profile keeps headroom."""
        return bool(self.headroom_bytes)


@dataclass(frozen=True, slots=True)
class IngressBuffer:
    """The profile of one priority group of a port."""

    interface: str
    priority_group: int
    profile: str


@dataclass(frozen=True, slots=True)
class EgressBuffer:
    """The profile of one egress queue of a port."""

    interface: str
    queue: int
    profile: str


@dataclass(frozen=True, slots=True)
class PortProfileList:
    """The profiles that limit a whole port in one direction."""

    interface: str
    profiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Buffers:
    """The buffer configuration of a device.

    Attributes:
        model: ``dynamic`` where the device computes headroom itself unless told otherwise, ``traditional`` where it
            takes it from profiles and its own look-up table.
    """

    model: str | None = None
    pools: tuple[BufferPool, ...] = ()
    profiles: tuple[BufferProfile, ...] = ()
    ingress: tuple[IngressBuffer, ...] = ()
    egress: tuple[EgressBuffer, ...] = ()
    ingress_lists: tuple[PortProfileList, ...] = ()
    egress_lists: tuple[PortProfileList, ...] = ()
    default_alpha_exponent: int | None = None
    lossless_mtu_bytes: int | None = None
    small_packet_percent: int | None = None

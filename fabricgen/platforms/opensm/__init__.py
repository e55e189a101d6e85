"""OpenSM, the community's InfiniBand Subnet Manager: its files, and the subnet as a netlist for ibsim.

Written for OpenSM 3.3.23 and 3.3.24. OpenSM fails open: nearly every mistake in its files leaves the subnet up with
something else than what was asked for. The reader is therefore strict, and says for each finding what OpenSM would
have done.
"""

from __future__ import annotations

from typing import Literal

from fabricgen.platforms.base import Feature, Platform
from fabricgen.platforms.opensm.files import emit, read, recognises

_ETHERNET_ONLY = "OpenSM manages InfiniBand subnets; {} belongs to Ethernet switches"

_SUPPORTS: dict[Feature, Literal[True] | str] = {
    Feature.ETHERNET: _ETHERNET_ONLY.format("Ethernet"),
    Feature.INFINIBAND: True,
    Feature.PFC: _ETHERNET_ONLY.format("priority flow control")
    + ", and InfiniBand links are lossless by their credits",
    Feature.PFC_WATCHDOG: _ETHERNET_ONLY.format("the PFC watchdog"),
    Feature.ECN: _ETHERNET_ONLY.format("ECN") + "; InfiniBand's own congestion control is set by the cc_* options",
    Feature.STATIC_HEADROOM: _ETHERNET_ONLY.format("headroom") + "; InfiniBand switches size their own credit buffers",
    Feature.BGP_UNNUMBERED: _ETHERNET_ONLY.format("BGP") + ", and the Subnet Manager computes all routes",
    Feature.BGP_NUMBERED: _ETHERNET_ONLY.format("BGP") + ", and the Subnet Manager computes all routes",
    Feature.BFD: _ETHERNET_ONLY.format("BFD"),
    Feature.HASH_SEED: _ETHERNET_ONLY.format("an ECMP hash") + "; InfiniBand forwards by LID",
    Feature.PARTITIONS: True,
    Feature.IB_QOS: True,
}

PLATFORM = Platform(
    name="opensm",
    title="OpenSM (community)",
    protocols=("infiniband",),
    supports=_SUPPORTS,
    emit=emit,
    read=read,
    recognises=recognises,
)

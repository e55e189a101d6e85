"""Community SONiC: ``config_db.json`` and ``frr.conf`` in split-unified routing mode.

SONiC's own daemons make BGP from CONFIG_DB only in part (bgpcfgd knows no unnumbered sessions, and frrcfgd's tables are
at odds with the YANG models up to 202505), so BGP goes to ``frr.conf``, which the routing container loads as it is with
``docker_routing_config_mode`` ``split-unified``.
"""

from __future__ import annotations

from types import MappingProxyType

from fabricgen.platforms.base import Feature, Platform
from fabricgen.platforms.sonic.emit import emit
from fabricgen.platforms.sonic.ports import port
from fabricgen.platforms.sonic.read import read, recognises

PLATFORM = Platform(
    name="sonic",
    title="SONiC (community)",
    protocols=("ethernet",),
    supports=MappingProxyType(
        {
            Feature.ETHERNET: True,
            Feature.INFINIBAND: "SONiC runs Ethernet only",
            Feature.PFC: True,
            Feature.PFC_WATCHDOG: True,
            Feature.ECN: True,
            Feature.STATIC_HEADROOM: True,
            Feature.BGP_UNNUMBERED: True,
            Feature.BGP_NUMBERED: True,
            Feature.BFD: True,
            Feature.HASH_SEED: "SONiC has no setting for the hash seed: it follows from the device's type",
            Feature.PARTITIONS: "partitions are an InfiniBand feature, and SONiC runs Ethernet only",
            Feature.IB_QOS: "service levels are an InfiniBand feature, and SONiC runs Ethernet only",
        }
    ),
    emit=emit,
    read=read,
    recognises=recognises,
    port=port,
)

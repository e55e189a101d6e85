"""Service levels and virtual lanes of an InfiniBand fabric.

Each service level that a partition asks for gets a virtual lane of its own, so that its packets never wait for another
level's credits. Lanes share a link equally. A fabric without such partitions has one level and OpenSM's own defaults.
"""

from __future__ import annotations

from fabricgen.device import QosLevel, QosPolicy, UlpRule
from fabricgen.inventory.models import SubnetManagerIntent

#: Weight of a lane in units of 64 bytes: one packet of 4096 bytes a turn (IBTA 7.6.9; OpenSM's QoS text asks for
#: multiples of 64 at this MTU).
LANE_WEIGHT = 64

SERVICE_LEVELS = 16


def used_levels(manager: SubnetManagerIntent) -> tuple[int, ...]:
    """Return the service levels in use, ascending; level 0 always is."""
    return tuple(sorted({0, *(partition.service_level for partition in manager.partitions.values())}))


def qos_options(manager: SubnetManagerIntent, directory: str) -> dict[str, str]:
    """Return OpenSM's QoS options, none where only level 0 is in use.

    Args:
        manager: the Subnet Manager's intent.
        directory: where OpenSM finds its files.
    """
    levels = used_levels(manager)
    if len(levels) == 1:
        return {}
    lanes = range(len(levels))
    sl2vl = [levels.index(level) if level in levels else 0 for level in range(SERVICE_LEVELS)]
    return {
        "qos": "TRUE",
        "qos_high_limit": "0",
        "qos_max_vls": str(len(levels)),
        "qos_policy_file": f"{directory}/qos-policy.conf",
        "qos_sl2vl": ",".join(map(str, sl2vl)),
        "qos_vlarb_high": ",".join(f"{lane}:0" for lane in lanes),
        "qos_vlarb_low": ",".join(f"{lane}:{LANE_WEIGHT}" for lane in lanes),
    }


def qos_policy(manager: SubnetManagerIntent) -> QosPolicy | None:
    """Return the policy that gives each partition's path queries its level, or None where only level 0 is in use."""
    levels = used_levels(manager)
    if len(levels) == 1:
        return None
    tenants = sorted(manager.partitions.values(), key=lambda partition: partition.pkey)
    return QosPolicy(
        levels=tuple(QosLevel("DEFAULT" if level == 0 else f"sl{level}", level) for level in levels),
        ulps=(
            *(
                UlpRule(f"any, pkey 0x{found.pkey:04x}", found.service_level)
                for found in tenants
                if found.service_level
            ),
            UlpRule("default", 0),
        ),
    )

"""An InfiniBand Subnet Manager: its options, GUID lists, partitions, QoS policy, and the subnet that it is meant for.

GUIDs are 64-bit integers here and ``0x%016x`` in files. Switches are named by their node GUID, adapters by the GUID of
the port (OpenSM's file formats differ in which they take).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Membership(StrEnum):
    """Membership in a partition; two limited members cannot talk to each other (IBTA 10.9.3)."""

    FULL = "full"
    LIMITED = "limited"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class PartitionMember:
    """A member: a port GUID, or one of OpenSM's words (``ALL``, ``ALL_CAS``, ``ALL_SWITCHES``, ``SELF``, …)."""

    member: int | str
    membership: Membership | None = None


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition.

    Attributes:
        pkey: 15-bit key, without the membership bit; None where OpenSM is to choose one.
        ipoib: whether an IPoIB broadcast group is made.
        default_membership: of members that name none; OpenSM's own default is limited.
        mtu_code: 1 to 5 for 256 to 4096 bytes.
        rate_code: the IBTA rate code of the broadcast group.
        index0: whether the key must stand first in every table.
    """

    name: str
    pkey: int | None
    members: tuple[PartitionMember, ...]
    ipoib: bool = False
    default_membership: Membership = Membership.LIMITED
    mtu_code: int | None = None
    rate_code: int | None = None
    service_level: int | None = None
    scope: int | None = None
    index0: bool = False


@dataclass(frozen=True, slots=True)
class QosLevel:
    """A level of the QoS policy: a name for a service level and its limits."""

    name: str
    service_level: int
    mtu_limit: int | None = None
    rate_limit: int | None = None
    pkey: int | None = None


@dataclass(frozen=True, slots=True)
class UlpRule:
    """A simple rule: queries that match get a service level; ``match`` is OpenSM's text before the colon."""

    match: str
    service_level: int


@dataclass(frozen=True, slots=True)
class QosPolicy:
    """The QoS policy file, as far as it is read: levels and simple rules."""

    levels: tuple[QosLevel, ...] = ()
    ulps: tuple[UlpRule, ...] = ()


class IbNodeKind(StrEnum):
    """What a node of a subnet is."""

    SWITCH = "switch"
    ADAPTER = "adapter"


@dataclass(frozen=True, slots=True)
class IbPort:
    """A cabled port of a node and its peer; ``speed_gbps`` is the rate of the whole link, all lanes."""

    number: int
    peer_guid: int
    peer_port: int
    speed_gbps: int | None = None


@dataclass(frozen=True, slots=True)
class IbNode:
    """A node of the subnet.

    Attributes:
        guid: node GUID of a switch; port GUID of an adapter port, each of which is a node of its own.
        description: the node description, 64 bytes at most.
        port_count: ports that it has, cabled or not.
    """

    guid: int
    kind: IbNodeKind
    description: str
    port_count: int
    ports: tuple[IbPort, ...] = ()


@dataclass(frozen=True, slots=True)
class SubnetManager:
    """A Subnet Manager and its subnet.

    Attributes:
        options: ``opensm.conf`` as pairs, sorted by name, values as text.
        root_guids: node GUIDs of the switches that routing starts from.
        compute_guids: port GUIDs of compute nodes; None where there is no such file.
        io_guids: port GUIDs of I/O nodes; None where there is no such file.
        node_names: GUID and name pairs of the node name map.
        lids: GUID and LID pairs of the ``guid2lid`` cache.
        nodes: the subnet, sorted by kind and GUID.
    """

    options: tuple[tuple[str, str], ...] = ()
    root_guids: tuple[int, ...] | None = None
    compute_guids: tuple[int, ...] | None = None
    io_guids: tuple[int, ...] | None = None
    partitions: tuple[Partition, ...] | None = None
    qos_policy: QosPolicy | None = None
    node_names: tuple[tuple[int, str], ...] = ()
    lids: tuple[tuple[int, int], ...] = ()
    nodes: tuple[IbNode, ...] = ()

    def option(self, name: str) -> str | None:
        """Return the value of an option; the last one wins, as in OpenSM."""
        return dict(self.options).get(name)

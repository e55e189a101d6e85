"""Prints ``partitions.conf``, and holds the words of its grammar (osm_prtn_config.c, doc/partition-config.txt)."""

from __future__ import annotations

from fabricgen.core.guids import format_guid
from fabricgen.device import Membership, Partition, PartitionMember
from fabricgen.platforms.opensm.scan import plain

#: Words for members, in the order in which OpenSM compares beginnings.
MEMBER_WORDS = ("NONE", "ALL", "ALL_CAS", "ALL_SWITCHES", "ALL_ROUTERS", "SELF")

#: Membership words, in the order in which OpenSM compares beginnings.
MEMBERSHIP_WORDS = ("full", "both", "limited")

#: Legal values of flags. MTU codes 1 to 5 are 256 to 4096 bytes, rate codes 2 to 24 are 2.5 to 1200 Gb/s
#: (IBTA 1.4, 15.2.5.16; ib_types.h of OpenSM 3.3.24, of which 3.3.23 lacks 23 and 24).
FLAG_RANGES = {
    "mtu": "1..5",
    "rate": "2..24",
    "sl": "0..15",
    "scope": "1..15",
    "Q_Key": "1..4294967295",
    "TClass": "0..255",
    "FlowLabel": "0..1048575",
}

#: Flags, in the order in which OpenSM compares beginnings.
FLAGS = ("mtu", "rate", "scope", "Q_Key", "TClass", "sl", "FlowLabel", "ipoib", "defmember", "indx0")

#: Most bytes of a name that OpenSM keeps (``char name[32]``, osm_partition.h).
LONGEST_NAME = 31

LAST_PKEY = 0x7FFF


def emit_partitions(name: str, partitions: tuple[Partition, ...]) -> str:
    """Return ``partitions.conf``: a definition's head on one line, as OpenSM demands, and each member on its own.

    Raises:
        ValueError: a name or number cannot be written so that OpenSM would read it back.
    """
    blocks = [f"# Partitions (partition_config_file); goes to /etc/opensm/{name}.\n"]
    blocks += [_definition(partition) for partition in partitions]
    return "\n".join(blocks)


def _definition(partition: Partition) -> str:
    head = ", ".join([_head(partition), *_flags(partition)])
    members = ",\n    ".join(_member(member) for member in partition.members)
    return f"{head} :\n    {members};\n" if members else f"{head} : ;\n"


def _head(partition: Partition) -> str:
    name, pkey = partition.name, partition.pkey
    anonymous = pkey is None and name[:1].isdigit()
    if anonymous or not plain(name, 4000, "=:,;#"):
        msg = f"{name!r} cannot be written as the name of a partition"
        raise ValueError(msg)
    if pkey is None:
        return name
    if not 1 <= pkey <= LAST_PKEY:
        msg = f"0x{pkey:x} is no partition key: 0x0001 to 0x7fff"
        raise ValueError(msg)
    return f"{name}=0x{pkey:04x}"


def _flags(partition: Partition) -> list[str]:
    numbers = {
        "mtu": partition.mtu_code,
        "rate": partition.rate_code,
        "sl": partition.service_level,
        "scope": partition.scope,
    }
    flags = ["indx0"] if partition.index0 else []
    flags += ["ipoib"] if partition.ipoib else []
    if partition.default_membership is not Membership.LIMITED:
        flags.append(f"defmember={partition.default_membership}")
    return flags + [f"{name}={value}" for name, value in numbers.items() if value is not None]


def _member(member: PartitionMember) -> str:
    if isinstance(member.member, str) and member.member not in MEMBER_WORDS:
        msg = f"{member.member!r} is no member of a partition: a port GUID or one of {', '.join(MEMBER_WORDS)}"
        raise ValueError(msg)
    who = format_guid(member.member) if isinstance(member.member, int) else member.member
    return who if member.membership is None else f"{who}={member.membership}"

"""Findings of the OpenSM reader: what OpenSM would take amiss without saying so (FG610 to FG639).

What OpenSM does with each was measured with OpenSM 3.3.23 on ibsim 0.10, and is in its sources: the files that the
reasons name are those of linux-rdma/opensm and linux-rdma/ibsim.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Kind, Severity

OPTION_UNKNOWN = Kind(
    "FG610",
    "opensm-option-unknown",
    Severity.ERROR,
    "an option that OpenSM does not know",
    "OpenSM prints `Unrecognized token` on its standard output, writes nothing to its log, and brings the subnet up "
    "with the option's default (osm_subnet.c).",
)
OPTION_VALUE = Kind(
    "FG611",
    "opensm-option-value",
    Severity.ERROR,
    "a value that the option does not take",
    "OpenSM goes on with the default, or cuts the value to size; a boolean is true only for the exact word TRUE, and "
    "everything else is silently false (osm_subnet.c).",
)
OPTION_REPEATED = Kind(
    "FG612",
    "opensm-option-repeated",
    Severity.WARNING,
    "an option is given twice",
    "OpenSM takes the last one and says nothing, so one of the two lines misleads its reader (osm_subnet.c).",
)
ENGINE_UNKNOWN = Kind(
    "FG613",
    "opensm-engine-unknown",
    Severity.ERROR,
    "a routing engine that OpenSM does not have",
    "OpenSM takes the next engine of the list, and minhop after the last, which makes no promise of freedom from "
    "credit loops; the subnet comes up all the same (osm_opensm.c).",
)
LINE_TOO_LONG = Kind(
    "FG614",
    "opensm-line-too-long",
    Severity.ERROR,
    "a line is longer than the reader's buffer",
    "The programs read lines into fixed buffers and take the rest as a line of its own.",
)
FILE_MISSING = Kind(
    "FG615",
    "opensm-file-missing",
    Severity.ERROR,
    "a file that the options name is not there",
    "OpenSM comes up without it: no opensm.conf means defaults, no partitions file means that everyone is a full "
    "member of the default partition, no root file means guessed roots.",
)
FILE_UNUSED = Kind(
    "FG616",
    "opensm-file-unused",
    Severity.WARNING,
    "a file that no option names",
    "OpenSM never opens it, so what it says has no effect.",
)
GUID_MALFORMED = Kind(
    "FG617",
    "guid-malformed",
    Severity.ERROR,
    "a GUID that is not 0x and up to 16 hex digits",
    "Without 0x the digits are read as a decimal number, or an octal one after a leading zero, and any letter makes "
    "OpenSM drop the whole file; longer numbers become 2^64 - 1 (C strtoull).",
)
GUID_REPEATED = Kind(
    "FG618",
    "guid-repeated",
    Severity.ERROR,
    "a GUID is listed twice",
    "GUIDs are unique (IBTA 1.4, 4.1), so one of the two was meant to be another. OpenSM drops the second entry of "
    "its LID cache, and ibsim refuses the netlist.",
)
GUID_LINE_TAIL = Kind(
    "FG619",
    "guid-line-tail",
    Severity.ERROR,
    "text after the GUID of a line",
    "OpenSM reads the first GUID of a line and skips the rest, a second GUID included (cl_nodenamemap.c).",
)
GUID_LIST_EMPTY = Kind(
    "FG620",
    "guid-list-empty",
    Severity.ERROR,
    "a GUID file without a GUID",
    "An empty cn_guid_file makes ftree fail and OpenSM fall back to minhop; empty roots are guessed.",
)
PARTITION_SYNTAX = Kind(
    "FG621",
    "partition-syntax",
    Severity.ERROR,
    "a partition definition that OpenSM cannot parse",
    "OpenSM drops the whole partitions file and makes every port a full member of the default partition: tenants are "
    "no longer apart (osm_prtn_config.c).",
)
PARTITION_FLAG = Kind(
    "FG622",
    "partition-flag",
    Severity.ERROR,
    "a partition flag that OpenSM does not know",
    "OpenSM ignores the flag and says so only at log level 0x04 (osm_prtn_config.c).",
)
PARTITION_FLAG_VALUE = Kind(
    "FG623",
    "partition-flag-value",
    Severity.ERROR,
    "a partition flag with a value that it does not take",
    "OpenSM keeps its default (SL, scope), or makes no broadcast group (MTU, rate): IPoIB does not work there.",
)
PARTITION_MEMBERSHIP = Kind(
    "FG624",
    "partition-membership",
    Severity.ERROR,
    "a membership word that OpenSM does not know",
    "Words are compared with their case. OpenSM takes any other word for `limited`, and limited members cannot talk "
    "to each other (IBTA 1.4, 10.9.3).",
)
PARTITION_PKEY = Kind(
    "FG625",
    "partition-pkey",
    Severity.ERROR,
    "a partition key outside 0x0001 to 0x7fff",
    "OpenSM cuts the number to 16 bits, drops bit 15, and where nothing is left gives a key of its own choice, from "
    "0x0001 up; all without a word (osm_prtn.c).",
)
PARTITION_PKEY_BIT15 = Kind(
    "FG626",
    "partition-pkey-bit15",
    Severity.WARNING,
    "a partition key with the membership bit",
    "Bit 15 says full or limited and is set by OpenSM for each member; in a definition it is dropped, whatever it was "
    "meant to say (osm_prtn.c).",
)
PARTITION_PKEY_NONE = Kind(
    "FG627",
    "partition-pkey-none",
    Severity.WARNING,
    "a partition without a key",
    "OpenSM gives it the first free key from 0x0001 up, so the key changes when a partition is added or moved "
    "(osm_prtn.c).",
)
PARTITION_REPEATED = Kind(
    "FG628",
    "partition-repeated",
    Severity.WARNING,
    "a partition key is defined twice",
    "OpenSM merges the two; where a port is in both, the last membership wins, and the first definition's name and "
    "service level stay (osm_prtn.c).",
)
PARTITION_MEMBER = Kind(
    "FG629",
    "partition-member",
    Severity.ERROR,
    "a partition member that is neither a GUID nor a word of OpenSM's",
    "The words are compared with their case, by their beginning. Anything else makes OpenSM drop the whole partitions "
    "file: everyone becomes a full member of the default partition (osm_prtn_config.c).",
)
QOS_SYNTAX = Kind(
    "FG630",
    "qos-policy-syntax",
    Severity.ERROR,
    "a line of the QoS policy that OpenSM cannot parse",
    "OpenSM drops the whole policy and brings the subnet up without it (osm_qos_parser_y.y).",
)
QOS_VALUE = Kind(
    "FG631",
    "qos-policy-value",
    Severity.ERROR,
    "a value that the QoS policy does not take",
    "OpenSM drops the whole policy and brings the subnet up without it (osm_qos_parser_y.y).",
)
QOS_DEFAULT = Kind(
    "FG632",
    "qos-policy-default",
    Severity.ERROR,
    "a QoS policy without a default level",
    "A level named DEFAULT, or a `default` rule, must say what queries get that match nothing; without it OpenSM drops "
    "the whole policy (osm_qos_policy.c).",
)
NAME_MAP_LINE = Kind(
    "FG633",
    "node-name-map-line",
    Severity.ERROR,
    "a line of the node name map that cannot be read",
    "A line is a GUID and a name between double quotes; one bad GUID loses the whole map, and a name ends at the first "
    '`"` or `#` (cl_nodenamemap.c).',
)
LID_CACHE_LINE = Kind(
    "FG634",
    "lid-cache-line",
    Severity.ERROR,
    "an entry of the LID cache that OpenSM would not keep",
    "An entry is `GUID first-LID last-LID` and ends at an empty line; LIDs are 0x0001 to 0xbfff (IBTA 1.4, 4.1.3). "
    "OpenSM drops what it cannot read, comments included, and gives the port another LID (osm_db_files.c).",
)
LID_REPEATED = Kind(
    "FG635",
    "lid-repeated",
    Severity.ERROR,
    "two ports have the same LID",
    "OpenSM drops the later entry and gives the port another LID (osm_lid_mgr.c).",
)
NETLIST_SYNTAX = Kind(
    "FG636",
    "netlist-syntax",
    Severity.ERROR,
    "a line of the netlist that cannot be read",
    "ibsim stops with exit status 255, or skips the line and lacks what it said (ibsim/sim_net.c).",
)
NETLIST_LINK = Kind(
    "FG637",
    "netlist-link",
    Severity.ERROR,
    "a link that is not the same at both of its ends",
    "A link is listed at both ends; ibsim stops with exit status 255 where they differ (ibsim/sim_net.c).",
)
NETLIST_SPEED = Kind(
    "FG638",
    "netlist-speed",
    Severity.ERROR,
    "a link speed that is not a width and a speed word",
    "ibsim then runs the link at 2.5 Gb/s a lane (ibsim/sim_net.c).",
)

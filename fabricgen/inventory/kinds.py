"""Kinds of findings about an inventory, from its words to what cannot be built."""

from __future__ import annotations

from fabricgen.core.diagnostics import Kind, Severity

UNKNOWN_REFERENCE = Kind(
    "FG120",
    "unknown-reference",
    Severity.ERROR,
    "a name that the inventory does not define",
    "A fabric joins servers by the name of their group; a name that leads nowhere would silently leave them out.",
)
UNKNOWN_CATALOG_ENTRY = Kind(
    "FG121",
    "unknown-catalog-entry",
    Severity.ERROR,
    "a model that the catalog does not have",
    "Port counts, lanes, buffers and reach all come from the catalog; nothing can be planned for an unknown model. "
    "Add an entry in a directory of your own and name it with `catalog:`.",
)
DUPLICATE_NAME = Kind(
    "FG122",
    "duplicate-name",
    Severity.ERROR,
    "two devices have one name",
    "Names are host names, folders and the keys of cabling and address plans; each must name one device.",
)
POOLS_OVERLAP = Kind(
    "FG123",
    "pools-overlap",
    Severity.ERROR,
    "two address pools overlap",
    "Addresses are given out of each pool on its own, so overlapping pools end in duplicate addresses.",
)
POOL_TOO_SMALL = Kind(
    "FG124",
    "pool-too-small",
    Severity.ERROR,
    "an address pool is too small",
    "Every switch needs a loopback and every server port its subnet; none is left out in silence.",
)
CLASS_CONFLICT = Kind(
    "FG125",
    "class-conflict",
    Severity.ERROR,
    "two traffic classes share a DSCP or a priority",
    "CNPs must not wait behind the data that they report on, nor be paused with it (DCQCN, SIGCOMM 2015, section 3).",
)
ASN_CONFLICT = Kind(
    "FG126",
    "asn-conflict",
    Severity.ERROR,
    "two AS number ranges collide",
    "A leaf with its spine's number drops the spine's routes as loops (RFC 4271, 9.1.2).",
)
PREFIX_CONFLICT = Kind(
    "FG127",
    "subnet-prefix-conflict",
    Severity.ERROR,
    "two InfiniBand fabrics share a subnet prefix",
    "A server that joins both would see two ports with prefixes that claim one subnet (IBTA 4.1.1).",
)
NO_COMPUTE_SERVERS = Kind(
    "FG128",
    "no-compute-servers",
    Severity.ERROR,
    "all servers of an InfiniBand fabric are I/O nodes",
    "Routing engines balance the traffic of compute nodes; with none, OpenSM's fat-tree engine gives up (AB27) "
    "and another one routes.",
)
DESIGN_UNKNOWN = Kind(
    "FG130",
    "design-unknown",
    Severity.ERROR,
    "a topology design that does not exist",
    "The design decides how many switches there are and what is cabled to what.",
)
PLATFORM_UNKNOWN = Kind(
    "FG131",
    "platform-unknown",
    Severity.ERROR,
    "a platform that does not exist, or cannot run on this switch",
    "The platform writes the configuration; without one the switch would stay unconfigured.",
)
TOO_FEW_PORTS = Kind(
    "FG132",
    "too-few-ports",
    Severity.ERROR,
    "more links than ports",
    "A design that does not fit its switches must change in the inventory; leaving links out would not be noticed "
    "until the cables are pulled.",
)
IMPOSSIBLE_BREAKOUT = Kind(
    "FG133",
    "impossible-breakout",
    Severity.ERROR,
    "a speed that no split of the cage gives",
    "A cage's lanes can only be grouped in the ways that its chip and cage allow.",
)
NO_COMMON_SPEED = Kind(
    "FG134",
    "no-common-speed",
    Severity.ERROR,
    "the two ends of a link have no speed in common",
    "The link would stay down.",
)
LENGTH_UNKNOWN = Kind(
    "FG135",
    "cable-length-unknown",
    Severity.ERROR,
    "a cable's length is not known",
    "Headroom and reach depend on the length; a guessed one loses packets or wastes buffer.",
)
WRONG_PROTOCOL = Kind(
    "FG136",
    "wrong-protocol",
    Severity.ERROR,
    "a device that does not speak the fabric's protocol",
    "An Ethernet switch cannot join an InfiniBand fabric, nor the other way round.",
)
LOSSLESS_UNPLANNABLE = Kind(
    "FG137",
    "lossless-unplannable",
    Severity.ERROR,
    "a switch cannot be made lossless as asked",
    "Without enough headroom PFC pauses too late and lossless traffic is lost (IEEE 802.1Q, annex N); a watchdog that "
    "looks less often than it must act never acts in time.",
)
GUID_FILE = Kind(
    "FG138",
    "guid-file",
    Severity.ERROR,
    "guids.csv is wrong",
    "GUIDs name the real devices in every Subnet Manager file; a wrong one drops a device in silence.",
)
AFFINITY_UNKNOWN = Kind(
    "FG140",
    "affinity-unknown",
    Severity.INFO,
    "it is not known which adapter is nearest to which GPU",
    "Rail i should be the adapter on GPU i's PCIe switch, or GPUDirect RDMA crosses the CPU. The catalog has no "
    "trustworthy map for this server, so adapters are taken in the order of their number.",
)
UNSUPPORTED_FEATURE = Kind(
    "FG141",
    "unsupported-feature",
    Severity.ERROR,
    "the platform cannot do what the inventory asks",
    "What a platform cannot express is refused where it was asked for, never dropped in silence.",
)
RACK_CONFLICT = Kind(
    "FG142",
    "rack-conflict",
    Severity.ERROR,
    "devices that cannot stand where the inventory puts them",
    "A rack has a fixed number of units and one place on the floor; cabling plan and cable lengths depend on both.",
)
CABLE_OUT_OF_REACH = Kind(
    "FG143",
    "cable-out-of-reach",
    Severity.ERROR,
    "a cable is longer than the medium that is asked for reaches, or than it is sold",
    "Beyond its rated reach a link has errors or stays down; a length that nobody sells cannot be bought.",
)
CABLE_UNKNOWN = Kind(
    "FG144",
    "cable-unknown",
    Severity.WARNING,
    "the catalog has no cable or transceiver that fits a link and reaches",
    "The cabling plan and the bill of materials leave the part open; whether one can be bought is not known.",
)
CABLE_MISFIT = Kind(
    "FG145",
    "cable-misfit",
    Severity.ERROR,
    "a cable or medium that the links of its tier cannot have",
    "A plug must fit its cage, and the ends of one copper cable cannot go to cages that are shared with other cables.",
)
PRICE_LIST = Kind(
    "FG146",
    "price-list",
    Severity.ERROR,
    "the price list is wrong",
    "A price that is misread, or in another currency, makes a wrong total; fabricgen has no prices of its own.",
)
TIER_MISSING = Kind(
    "FG147",
    "tier-missing",
    Severity.ERROR,
    "the fabric needs a tier of switches that is not given",
    "Leaves that no spine joins are separate networks, and a fat tree has three tiers; fabricgen does not choose a "
    "model.",
)
DESIGN_REFUSES = Kind(
    "FG148",
    "design-refuses",
    Severity.ERROR,
    "the topology design cannot have what is asked for",
    "Each design has its own shape; a value that it has no use for would be ignored, and the fabric would not be what "
    "its inventory says.",
)
LIDS_EXHAUSTED = Kind(
    "FG149",
    "lids-exhausted",
    Severity.ERROR,
    "an InfiniBand fabric with more devices than a subnet has LIDs",
    "A subnet has 49,151 unicast LIDs (0x0001 to 0xBFFF); a device without one of its own is not reached.",
)
PORT_JOINED_TWICE = Kind(
    "FG150",
    "port-joined-twice",
    Severity.ERROR,
    "an adapter port is given to two fabrics, or twice to one",
    "A port has one cable. Adapters of two purposes, or `ports` that differ, join a server twice.",
)
TOO_FEW_SLOTS = Kind(
    "FG151",
    "too-few-slots",
    Severity.ERROR,
    "a server has fewer free slots than adapters are planned",
    "A rail for each GPU needs an adapter for each GPU, which a server whose slots are full of GPUs cannot take.",
)
GPUDIRECT_CROSSES_CPU = Kind(
    "FG152",
    "gpudirect-crosses-cpu",
    Severity.INFO,
    "GPUs and adapters meet at a CPU, not at a PCIe switch",
    "Between devices below one PCIe switch GPUDirect RDMA is best; through one CPU it works and is slower, reads above "
    "all; between two CPUs it is slowest (NVIDIA, GPUDirect RDMA documentation, supported systems). By default NCCL "
    "uses it up to PXB, no host bridge on the way, and otherwise copies through host memory: each byte then crosses "
    "the CPU's memory twice more at each end (NCCL_NET_GDR_LEVEL in NVIDIA's NCCL documentation).",
)

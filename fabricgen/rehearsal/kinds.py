"""What a rehearsal on the real OpenSM can find."""

from __future__ import annotations

from fabricgen.core.diagnostics import Kind, Severity

ENGINE_OTHER = Kind(
    "FG560",
    "rehearsed-engine-other",
    Severity.ERROR,
    "OpenSM routed with another engine than the first that it was asked for",
    "OpenSM brings the subnet up with whatever engine succeeds, in the end with `minhop`, whose links may wait for one "
    "another in a circle and are loaded unevenly. Source: OpenSM, osm_opensm.c.",
)
COMPLAINT = Kind(
    "FG561",
    "rehearsed-complaint",
    Severity.ERROR,
    "OpenSM complained about a file",
    "OpenSM goes on after nearly every mistake, with something else than what was asked for; what it then says is in "
    "its log, or on standard output only.",
)
SUBNET_OTHER = Kind(
    "FG562",
    "rehearsed-subnet-other",
    Severity.ERROR,
    "the subnet that was discovered is not the planned one",
    "What the netlist describes is what ibsim simulates; a node or cable that is not found again is described wrongly.",
)
LIDS_OTHER = Kind(
    "FG563",
    "rehearsed-lids-other",
    Severity.ERROR,
    "OpenSM gave out other LIDs than planned",
    "Routes, counters and dumps are by LID: where they move, whatever was written down about them is wrong. Source: "
    "OpenSM, osm_lid_mgr.c (the guid2lid cache).",
)
OPTION_OTHER = Kind(
    "FG564",
    "rehearsed-option-other",
    Severity.ERROR,
    "OpenSM did not take an option as it is written",
    "A value that OpenSM cannot read is replaced by its default, often without a line in the log. Source: OpenSM, "
    "osm_subnet.c.",
)
KEYS_OTHER = Kind(
    "FG565",
    "rehearsed-keys-other",
    Severity.ERROR,
    "an adapter has other partition keys than planned",
    "A partition file that OpenSM cannot read as a whole makes everyone a full member of the default partition. "
    "Source: OpenSM, osm_prtn_config.c.",
)
ROUTE_MISSING = Kind(
    "FG566",
    "rehearsed-route-missing",
    Severity.ERROR,
    "a pair of adapters has no way, or one that runs in a circle",
    "The forwarding tables are followed switch by switch, as packets are.",
)
LANES_OTHER = Kind(
    "FG567",
    "rehearsed-lanes-other",
    Severity.ERROR,
    "a port sends service levels to other virtual lanes than planned",
    "Lanes keep traffic classes apart and routes free of circles; they are programmed only with `qos TRUE`. Source: "
    "OpenSM, osm_qos.c.",
)

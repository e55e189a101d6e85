"""What OpenSM said and did, as read from what a run of it left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

#: What OpenSM and its parsers print to standard output when they do something else than what was asked for.
_COMPLAINTS = re.compile(
    r"Unrecognized token|Invalid Cached Option|-E- Parsing error|Warning: Cached Option|Error in QoS Policy|PARSE ERROR"
    r"|WARNING failed|improperly formatted|out of range|< 16 VLs"
)

Link = frozenset[tuple[str, int]]


@dataclass(frozen=True)
class BenchResult:
    """What OpenSM made of its files.

    Attributes:
        log: OpenSM's log.
        stdout: what it printed; parts of its complaints are only there.
        subnet_up: whether it said SUBNET UP; of little worth alone.
        engine: the routing engine that filled the tables.
        problems: errors in the log and complaints on standard output, each once.
        options: options whose values differ from the defaults, as OpenSM echoed them, bench options included. OpenSM
            cuts each line of its echo at :data:`LONGEST_ECHO` characters.
        asked_nodes: node ids of the netlist; ``S-`` or ``H-`` and 16 hex digits.
        asked_links: cables of the netlist.
        nodes: node ids that ibnetdiscover found.
        links: cables that ibnetdiscover found.
        netdiscover: what ibnetdiscover printed.
        lids: LID by GUID, from OpenSM's own cache after it stopped.
        tables: linear forwarding tables: port by destination LID, by node id of the switch.
        manager_guid: GUID of the port that OpenSM ran on: that of the netlist's first node.
        pkeys: entries of the partition table, by port GUID, for the ports that were asked for.
        lanes: virtual lane by service level, by GUID and outgoing port, for the ports that were asked for.
    """

    log: str
    stdout: str
    subnet_up: bool
    engine: str | None
    problems: tuple[str, ...]
    options: Mapping[str, str]
    asked_nodes: frozenset[str]
    asked_links: frozenset[Link]
    nodes: frozenset[str]
    links: frozenset[Link]
    netdiscover: str
    lids: Mapping[int, int]
    tables: Mapping[str, Mapping[int, int]]
    manager_guid: int
    pkeys: Mapping[int, tuple[int, ...]]
    lanes: Mapping[tuple[int, int], tuple[int, ...]]

    def adapter_lids(self) -> dict[str, int]:
        """Return the LID of every adapter by node id; the port GUID is one above the node GUID on this bench."""
        return {node: self.lids[int(node[2:], 16) + 1] for node in self.asked_nodes if node.startswith("H-")}

    def routing_faults(self) -> list[str]:
        """Follow the tables from every switch with adapters to every adapter, and return what does not arrive.

        A walk ends well at the adapter that has the LID. It fails where a switch has no entry, sends the packet out of
        an uncabled port or to another adapter, or comes back to a switch: a loop.
        """
        ends: dict[tuple[str, int], tuple[str, int]] = {}
        for link in self.asked_links:
            a, b = link
            ends[a], ends[b] = b, a
        edges = sorted({far[0] for near, far in ends.items() if near[0].startswith("H-")})
        return [
            fault
            for adapter, lid in sorted(self.adapter_lids().items())
            for switch in edges
            if (fault := self._walk(switch, adapter, lid, ends)) is not None
        ]

    def _walk(self, start: str, adapter: str, lid: int, ends: Mapping[tuple[str, int], tuple[str, int]]) -> str | None:
        at, seen = start, set[str]()
        while at.startswith("S-"):
            if at in seen:
                return f"from {start} to {adapter}: a loop through {at}"
            seen.add(at)
            port = self.tables.get(at, {}).get(lid)
            if port is None or (at, port) not in ends:
                return f"from {start} to {adapter}: {at} has no way to LID {lid} (port {port})"
            at = ends[at, port][0]
        return None if at == adapter else f"from {start} to {adapter}: arrives at {at}"


def parse_netlist(text: str) -> tuple[frozenset[str], frozenset[Link]]:
    """Return the node ids and cables of a netlist, or of what ibnetdiscover printed."""
    nodes, links, at = set(), set(), ""
    for line in text.splitlines():
        if head := re.match(r'(?:Switch|Ca)\s+\d+\s+"([^"]+)"', line):
            at = head[1]
            nodes.add(at)
        elif port := re.match(r'\[(\d+)\][^"]*"([^"]+)"\[(\d+)\]', line):
            links.add(frozenset({(at, int(port[1])), (port[2], int(port[3]))}))
    return frozenset(nodes), frozenset(links)


def first_port(netlist: str) -> int:
    """Return the port GUID of the netlist's first adapter, which clients of ibsim attach to if it comes first."""
    head = re.search(r'^Ca\s+\d+\s+"H-([0-9a-f]{16})"', netlist, re.MULTILINE)
    return int(head[1], 16) + 1 if head else 0


def problems(log: str, stdout: str) -> Iterator[str]:
    """Yield errors in OpenSM's log and complaints on its standard output."""
    for line in log.splitlines():
        if " 0x01 -> " in line or "PARSE WARN" in line:
            yield line.partition(" -> ")[2].strip()
    for line in stdout.splitlines():
        if _COMPLAINTS.search(line):
            yield line.strip()


def tables(dump: str) -> dict[str, dict[int, int]]:
    """Return the port by destination LID, by node id of the switch, of OpenSM's dump of its forwarding tables."""
    tables: dict[str, dict[int, int]] = {}
    table: dict[int, int] = {}
    for line in dump.splitlines():
        if head := re.search(r"of switch Lid \d+ guid 0x([0-9a-f]{16})", line):
            table = tables.setdefault(f"S-{head[1]}", {})
        elif entry := re.match(r"0x([0-9a-f]{4}) (\d{3}) ", line):
            table[int(entry[1], 16)] = int(entry[2])
    return tables


def cached_lids(text: str) -> dict[int, int]:
    """Return the LID by GUID of OpenSM's ``guid2lid`` cache."""
    entries = re.findall(r"^(0x[0-9a-f]{16}) (0x[0-9a-f]{4}) 0x[0-9a-f]{4}$", text, re.MULTILINE)
    return {int(guid, 16): int(lid, 16) for guid, lid in entries}

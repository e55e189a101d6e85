"""Prints and reads the subnet as ibsim's netlist, which is what ``ibnetdiscover`` prints (ibsim/sim_net.c).

Adapters come first: programs that attach to ibsim without a choice stand on the first node, and the Subnet Manager
belongs on a host. Each adapter port is a node of its own, with a node GUID one below its port GUID: ibsim gives port n
of a node the node's GUID plus n, and OpenSM's files name adapters by port.

A link is written as four lanes of the speed whose rate it has: 100 Gb/s is ``4xEDR``, whatever lanes it truly runs on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Note
from fabricgen.core.guids import format_guid
from fabricgen.device import IbNode, IbNodeKind, IbPort
from fabricgen.platforms.opensm import kinds
from fabricgen.platforms.opensm.scan import Source, Word, allowed, plain

#: Gb/s of four lanes of each speed, as the speeds are named (IBTA 1.7, table of link rates; XDR is four lanes of 200).
FOUR_LANE_GBPS: Mapping[str, int] = {
    "SDR": 10,
    "DDR": 20,
    "QDR": 40,
    "FDR10": 40,
    "FDR": 56,
    "EDR": 100,
    "HDR": 200,
    "NDR": 400,
    "XDR": 800,
}

_WORDS = {gbps: word for word, gbps in FOUR_LANE_GBPS.items() if word != "FDR10"}
_WIDTHS = (1, 2, 4, 8, 12)

#: A node description that ibsim keeps (``char nodedesc[64]``, sim.h, one byte for its end).
LONGEST_DESCRIPTION = 63

#: Most ports of a node: a port number is 8 bits and 255 has a meaning of its own (IBTA 1.4, 14.2.5.3).
MOST_PORTS = 254

#: Most bytes of a line (``MAXLINE 256``, sim.h).
LONGEST_LINE = 254

_NODE = re.compile(r'(Switch|Ca|Hca|Rt)\s+(\d+)\s+"([^"]+)"(?:\s*#\s*"([^"]*)")?.*')
_PORT = re.compile(r'\[(\d+)\](?:\(([0-9a-fA-F]+)\))?\s*"([^"]+)"\[(\d+)\](.*)')
_SPEED = re.compile(r'lid\s+\d+\s+(\S+)[^"]*$')
_RATE = re.compile(r"(\d+)x(\w+)")
_GUID_LINE = re.compile(r"(switchguid|caguid|hcaguids|rtguid)=(0x[0-9a-fA-F]+)")
_IGNORED = re.compile(r"(#.*|(vendid|devid|sysimgguid|portguid)=.*|DR path.*|)")


def emit_netlist(nodes: tuple[IbNode, ...]) -> str:
    """Return the netlist of a subnet.

    Raises:
        ValueError: a description, GUID or speed cannot be written, or a peer is not among the nodes.
    """
    by_guid = {node.guid: node for node in nodes}
    ordered = sorted(nodes, key=lambda node: (node.kind is IbNodeKind.SWITCH, node.guid))
    head = "# The subnet, in the form of ibnetdiscover; input of ibsim, and the plan to compare the real fabric with.\n"
    return "\n".join([head, *[_node(node, by_guid) for node in ordered]])


def _node(node: IbNode, by_guid: Mapping[int, IbNode]) -> str:
    if not plain(node.description, LONGEST_DESCRIPTION, '"') or not 1 <= node.port_count <= MOST_PORTS:
        msg = f"node {format_guid(node.guid)} with the description {node.description!r} cannot be written to a netlist"
        raise ValueError(msg)
    if node.kind is IbNodeKind.SWITCH:
        lines = [f"switchguid={format_guid(node.guid)}({node.guid:016x})"]
        lines.append(f'Switch\t{node.port_count} "{_id(node)}"\t\t# "{node.description}" enhanced port 0 lid 0 lmc 0')
    else:
        lines = [
            f"caguid={format_guid(_node_guid(node))}",
            f'Ca\t{node.port_count} "{_id(node)}"\t\t# "{node.description}"',
        ]
    return "\n".join([*lines, *[_port(node, port, by_guid) for port in node.ports]]) + "\n"


def _node_guid(node: IbNode) -> int:
    return node.guid if node.kind is IbNodeKind.SWITCH else node.guid - 1


def _id(node: IbNode) -> str:
    return f"{'S' if node.kind is IbNodeKind.SWITCH else 'H'}-{_node_guid(node):016x}"


def _port(node: IbNode, port: IbPort, by_guid: Mapping[int, IbNode]) -> str:
    peer = by_guid.get(port.peer_guid)
    if peer is None or (port.speed_gbps is not None and port.speed_gbps not in _WORDS):
        msg = f"port {port.number} of {node.description!r} cannot be written to a netlist: {port}"
        raise ValueError(msg)
    speed = f" 4x{_WORDS[port.speed_gbps]}" if port.speed_gbps is not None else ""
    far = f'"{_id(peer)}"[{port.peer_port}]'
    if node.kind is IbNodeKind.ADAPTER:
        return f'[{port.number}]({node.guid:016x}) \t{far}\t\t# lid 0 lmc 0 "{peer.description}" lid 0{speed}'
    guid = f"({peer.guid:016x})" if peer.kind is IbNodeKind.ADAPTER else ""
    return f'[{port.number}]\t{far}{guid}\t\t# "{peer.description}" lid 0{speed}'


@dataclass
class _Port:
    """A port line: GUID in parentheses, node id and port of the peer, rate."""

    guid: int | None
    peer_id: str
    peer_port: int
    speed_gbps: int | None
    where: Word


@dataclass
class _Node:
    """A node while it is read; ``guid`` is the node GUID."""

    kind: IbNodeKind
    guid: int
    description: str
    port_count: int
    where: Word
    ports: dict[int, _Port] = field(default_factory=dict)

    def port_guid(self, number: int) -> int:
        """Return the GUID of an adapter's port: the one in parentheses, else as ibsim counts."""
        port = self.ports.get(number)
        return self.guid + number if port is None or port.guid is None else port.guid


def read_netlist(source: Source) -> tuple[IbNode, ...]:
    """Read a netlist, or what ``ibnetdiscover`` printed; each adapter port becomes a node of its own."""
    reader = _Reader(source)
    for number, line in source.lines(LONGEST_LINE):
        reader.line(Word(line.rstrip(), number, 1))
    return reader.finish()


class _Reader:
    """The state between lines: the GUID that waits for its node, and the node that takes port lines."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.nodes: dict[str, _Node] = {}
        self.guids: dict[int, Word] = {}
        self.guid: int | None = None
        self.open: _Node | None = None

    def line(self, word: Word) -> None:
        """Read a line."""
        if word.text.startswith("["):
            self.port(word)
            return
        if not word.text.startswith("#"):
            self.open = None
        guid = _GUID_LINE.match(word.text)
        if guid is not None:
            self.guid = int(guid[2], 16)
        elif re.match(r"(Switch|Ca|Hca|Rt)\s", word.text):
            self.node(word)
        elif not _IGNORED.fullmatch(word.text):
            self.fail(word, "is no line of a netlist")

    def fail(self, word: Word, reason: str) -> None:
        """Report a line that cannot be read."""
        self.source.add(
            kinds.NETLIST_SYNTAX,
            ("nodes",),
            f"`{word.text}` {reason}",
            word,
            remedy="write the file anew with `ibnetdiscover` or `fabricgen build`",
        )

    def node(self, word: Word) -> None:
        """Read a node's line. Without a GUID line before it, the GUID is the one in its id."""
        match = _NODE.fullmatch(word.text)
        if match is None or not 1 <= int(match[2]) <= MOST_PORTS:
            self.fail(word, "is no node: kind, number of ports, id between double quotes")
            return
        kind, ports, node_id, description = match.groups()
        guid = self.guid if self.guid is not None else _trailing_guid(node_id)
        self.guid = None
        if kind == "Rt":
            self.source.skipped("Rt")
            return
        if not guid:
            self.fail(word, "has no GUID")
            return
        switch = kind == "Switch"
        node = _Node(
            IbNodeKind.SWITCH if switch else IbNodeKind.ADAPTER, guid, description or node_id, int(ports), word
        )
        if not self.source.unique(("nodes", format_guid(guid)), guid, word, self.guids):
            return
        self.open = self.nodes[node_id] = node

    def port(self, word: Word) -> None:
        """Read a port's line."""
        match = _PORT.fullmatch(word.text)
        if match is None:
            self.fail(word, 'is no port: `[number](guid) "peer"[port]`')
            return
        if self.open is None:
            return
        number = int(match[1])
        if not 1 <= number <= self.open.port_count or number in self.open.ports:
            self.fail(word, f"is given twice or is not 1 to {self.open.port_count}")
            return
        adapter = self.open.kind is IbNodeKind.ADAPTER
        guid = int(match[2], 16) if match[2] and adapter else None
        self.open.ports[number] = _Port(guid, match[3], int(match[4]), self.rate(word, match[5]), word)

    def rate(self, word: Word, rest: str) -> int | None:
        """Return the Gb/s of all lanes; None where the line does not say, or says it wrongly."""
        found = _SPEED.search(rest)
        if found is None:
            return None
        match = _RATE.fullmatch(found[1])
        if match and int(match[1]) in _WIDTHS and match[2] in FOUR_LANE_GBPS:
            return FOUR_LANE_GBPS[match[2]] * int(match[1]) // 4
        self.source.add(
            kinds.NETLIST_SPEED,
            ("nodes",),
            f"`{found[1]}` is no number of lanes, `x` and one of {allowed(FOUR_LANE_GBPS)}",
            Word(found[1], word.line, word.column + word.text.rindex(found[1])),
            remedy="write the speed as `4xNDR`",
        )
        return None

    def finish(self) -> tuple[IbNode, ...]:
        """Return the nodes, with the links that are the same at both ends."""
        nodes = []
        for node_id, node in self.nodes.items():
            ports = {
                number: port for number, port in sorted(node.ports.items()) if self.linked(node_id, node, number, port)
            }
            nodes += self.switch(node, ports) if node.kind is IbNodeKind.SWITCH else self.adapter(node, ports)
        return tuple(sorted(nodes, key=lambda node: (node.kind, node.guid)))

    def linked(self, node_id: str, node: _Node, number: int, port: _Port) -> bool:
        """Return whether the peer lists this port as its own peer; report it if not."""
        far = self.nodes.get(port.peer_id)
        back = far.ports.get(port.peer_port) if far else None
        if back is not None and (back.peer_id, back.peer_port) == (node_id, number):
            return True
        found = "does not list that port" if back is None else f'lists "{back.peer_id}"[{back.peer_port}] there'
        reason = f"`{port.peer_id}` {'is not in the file' if far is None else found}"
        self.source.add(
            kinds.NETLIST_LINK,
            ("nodes", format_guid(node.guid), "ports", str(number)),
            f'port {number} of "{node.description}" leads to "{port.peer_id}"[{port.peer_port}], but {reason}',
            port.where,
            remedy="list the link at both ends, or at neither",
            related=[Note("the other end", self.source.span(back.where))] if back else [],
        )
        return False

    def peer(self, number: int, port: _Port) -> IbPort:
        """Return a port with its peer by the GUID that the model names it by."""
        far = self.nodes[port.peer_id]
        if far.kind is IbNodeKind.SWITCH:
            return IbPort(number, far.guid, port.peer_port, port.speed_gbps)
        return IbPort(number, far.port_guid(port.peer_port), 1, port.speed_gbps)

    def switch(self, node: _Node, ports: Mapping[int, _Port]) -> list[IbNode]:
        self.source.place(("nodes", format_guid(node.guid)), node.where)
        links = tuple(self.peer(number, port) for number, port in ports.items())
        return [IbNode(node.guid, node.kind, node.description, node.port_count, links)]

    def adapter(self, node: _Node, ports: Mapping[int, _Port]) -> list[IbNode]:
        """Return a node for each port that has a line; one for the whole adapter where none has."""
        nodes = []
        for number in node.ports or [1]:
            guid = node.port_guid(number)
            self.source.place(("nodes", format_guid(guid)), node.where)
            links = (self.peer(1, ports[number]),) if number in ports else ()
            nodes.append(IbNode(guid, node.kind, node.description, 1, links))
        return nodes


def _trailing_guid(node_id: str) -> int | None:
    match = re.fullmatch(r"[A-Z]+-([0-9a-fA-F]{1,16})", node_id)
    return int(match[1], 16) if match else None

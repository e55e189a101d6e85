"""Reads ``frr.conf``: BGP for IPv4 unicast, its policies, and static routes.

FRR's language is a list of statements, some of which open a block. vtysh looks a statement up in the open block and
then in the blocks around it, whatever the indentation, and so does this reader. A statement that the device model has
no place for is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from fabricgen.core.diagnostics import Diagnostic, Report, Span
from fabricgen.device import Bgp
from fabricgen.platforms.sonic.frr_state import FrrState, ModelPath, NotReadError, StatementError
from fabricgen.platforms.sonic.frr_statements import BGP, ROUTE_MAP, TOP, Statement, Words, route_map, router_bgp
from fabricgen.platforms.sonic.kinds import FRR_SYNTAX, NOT_ACTIVATED

#: Words that open a block whose statements are only counted.
_UNREAD_BLOCKS = frozenset(
    {"bfd", "interface", "key", "line", "nexthop-group", "router", "segment-routing", "vrf", "address-family"}
)
_EMPTY: Mapping[str, Statement] = MappingProxyType({})


@dataclass(frozen=True)
class FrrConf:
    """What an ``frr.conf`` says.

    Attributes:
        bgp: the BGP instance of the default VRF.
        bfd: whether anything asks for BFD.
        lines: by path in the device model, the line that set it.
        unread: statements that were not read, with counts.
    """

    hostname: str | None
    bgp: Bgp | None
    bfd: bool
    lines: Mapping[ModelPath, int]
    unread: Mapping[str, int]


@dataclass
class _Block:
    """An open block: its name for counts, and the statements that are read in it."""

    name: str
    statements: Mapping[str, Statement]


@dataclass
class _Reader:
    state: FrrState = field(default_factory=FrrState)
    blocks: list[_Block] = field(default_factory=lambda: [_Block("", TOP)])

    def statement(self, words: Words, *, indented: bool) -> None:
        """Read one statement, in the innermost block that knows it.

        The statements of a block that is not read are not known here, so what is indented belongs to it.
        """
        if words[0] in ("exit", "end", "quit") or words[0].startswith("exit-"):
            self.close(words[0])
            return
        deepest = len(self.blocks) - 1
        if not self.blocks[deepest].statements:
            opens_family = words[0] == "address-family" and deepest > 1
            deepest = deepest - 1 if opens_family else -1 if indented else 0
        for depth in range(deepest, -1, -1):
            read = self.lookup(depth, words)
            if read is not None:
                del self.blocks[depth + 1 :]
                read(self.state, words)
                return
        raise NotReadError

    def close(self, word: str) -> None:
        if word == "end":
            del self.blocks[1:]
        elif len(self.blocks) > 1:
            self.blocks.pop()

    def lookup(self, depth: int, words: Words) -> Statement | None:
        """Return the function that reads a statement in a block, an opening of a block included."""
        block = self.blocks[depth]
        pair = " ".join(words[:2])
        found = block.statements.get(pair) or block.statements.get(words[0])
        if found is not None:
            return found
        if depth == 0:
            return self.opening(pair, words)
        if words[0] == "address-family" and block.name == "router bgp":
            return self.family
        return None

    def opening(self, pair: str, words: Words) -> Statement | None:
        if pair == "router bgp" and "vrf" not in words and "view" not in words:
            return self.bgp
        if words[0] == "route-map":
            return self.route_map
        return self.unread_block if words[0] in _UNREAD_BLOCKS else None

    def bgp(self, state: FrrState, words: Words) -> None:
        self.blocks.append(_Block("router bgp", BGP))
        router_bgp(state, words)

    def family(self, _state: FrrState, words: Words) -> None:
        if list(words[1:3]) in (["ipv4", "unicast"], ["ipv4"]):
            self.blocks.append(_Block("address-family", BGP))
        else:
            self.blocks.append(_Block(" ".join(words), _EMPTY))
            raise NotReadError

    def route_map(self, state: FrrState, words: Words) -> None:
        self.blocks.append(_Block("route-map", ROUTE_MAP))
        route_map(state, words)

    def unread_block(self, _state: FrrState, words: Words) -> None:
        self.blocks.append(_Block(words[0], _EMPTY))
        raise NotReadError

    def label(self, words: Words) -> str:
        """Return how a statement is counted that is not read."""
        inner = self.blocks[-1]
        if words[0] == "neighbor":
            shown = f"neighbor {' '.join(words[2:3])}"
        elif words[0] in _UNREAD_BLOCKS:
            shown = words[0] if words[0] != "address-family" else " ".join(words)
        else:
            first = words[: 3 if words[0] == "no" else 2]
            shown = " ".join(word for word in first if word.replace("-", "").isalpha())
        within = f"{inner.name}: " if inner.name and inner.name != shown and len(self.blocks) > 1 else ""
        return f"frr.conf {within}{shown}"


def read_frr_conf(text: str, file: str, report: Report) -> FrrConf:
    """Read an ``frr.conf``.

    Args:
        text: what is in it.
        file: its name, as findings print it.
        report: takes FG665 and FG668.
    """
    reader = _Reader()
    state = reader.state
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0][0] in "!#":
            continue
        state.line = number
        try:
            reader.statement(words, indented=line[0].isspace())
        except NotReadError:
            state.unread[reader.label(words)] += 1
        except StatementError as error:
            report.add(_refused(error, words, Span(file, number, len(line) - len(line.lstrip()) + 1)))
    report.extend(_silent_neighbor(state, peer, file) for peer in state.silent_neighbors())
    bgp = state.bgp()
    return FrrConf(state.hostname, bgp, state.bfd, state.lines, state.unread)


def _refused(error: StatementError, words: Words, span: Span) -> Diagnostic:
    return FRR_SYNTAX.at(f"frr.conf[{' '.join(words)}]", error.summary, span=span, remedy=error.remedy)


def _silent_neighbor(state: FrrState, peer: str, file: str) -> Diagnostic:
    return NOT_ACTIVATED.at(
        f"frr.conf.neighbors[{peer}]",
        f"neighbour `{peer}` is not activated for IPv4 unicast",
        span=Span(file, state.lines.get(("bgp", "neighbors", peer)), 2),
        remedy=f"add `neighbor {peer} activate` below `address-family ipv4 unicast`",
    )

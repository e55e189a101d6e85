"""Runs a planned subnet on the real OpenSM with ibsim, and compares what came of it with the plan."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fabricgen.core.diagnostics import Diagnostic, Kind, Span
from fabricgen.core.files import FileSet
from fabricgen.core.guids import format_guid
from fabricgen.device import IbNode, IbNodeKind, Membership, Partition, SubnetManager
from fabricgen.rehearsal import kinds
from fabricgen.rehearsal.bench import LONGEST_ECHO, BenchError, opensm_defaults, run_opensm
from fabricgen.rehearsal.result import BenchResult

#: Ports whose tables are read, each by a program of its own that takes 10 to 20 ms; more are read from evenly spread
#: ports only.
SAMPLED_PORTS = 128

#: Key of the default partition (IBTA volume 1, 10.9.1), and the bit of full members.
_DEFAULT_PKEY, _FULL = 0x7FFF, 0x8000

_ADAPTER_WORDS = ("ALL", "ALL_CAS")


@dataclass(frozen=True)
class Rehearsal:
    """What came of a run.

    Attributes:
        engine: the routing engine that filled the tables; None if none did.
        switches, adapters: of the subnet.
        sampled_ports: adapter ports whose partition tables were read.
        seconds: the run's wall time.
        findings: what differs from the plan.
    """

    engine: str | None
    switches: int
    adapters: int
    sampled_ports: int
    seconds: float
    findings: tuple[Diagnostic, ...]


def rehearse(device: str, manager: SubnetManager, files: FileSet, work: Path, prefix: str = "") -> Rehearsal:
    """Run OpenSM on the files of a Subnet Manager and compare what it programmed with what they are meant to say.

    Args:
        device: name of the Subnet Manager, for findings.
        manager: the plan.
        files: what the platform emitted for it, ``fabric.netlist`` and ``opensm.conf`` among them.
        work: an empty directory; the files as they were run, the log and the dumps stay there.
        prefix: put before file names in findings.

    Raises:
        BenchError: a program is missing, did not get ready, or stopped.
    """
    missing = [name for name in ("fabric.netlist", "opensm.conf") if name not in files]
    if missing:
        raise BenchError(f"{prefix}: {', '.join(missing)} is missing")
    start = time.monotonic()
    adapters = [node for node in manager.nodes if node.kind is IbNodeKind.ADAPTER]
    sample = _spread(adapters, SAMPLED_PORTS)
    lanes_of = _lane_ports(manager)
    result = run_opensm(files, work / "bench", [node.guid for node in sample], lanes_of)
    comparison = _Comparison(device, manager, result, work, prefix)
    return Rehearsal(
        engine=result.engine,
        switches=len(manager.nodes) - len(adapters),
        adapters=len(adapters),
        sampled_ports=len(sample),
        seconds=time.monotonic() - start,
        findings=tuple(sorted(comparison.findings(), key=Diagnostic.sort_key)),
    )


def _spread(nodes: Sequence[IbNode], most: int) -> list[IbNode]:
    """Return at most so many of some nodes, the first and the last among them."""
    if len(nodes) <= most:
        return list(nodes)
    return [nodes[(len(nodes) - 1) * index // (most - 1)] for index in range(most)]


def _lane_ports(manager: SubnetManager) -> list[tuple[int, int]]:
    """Return one cabled port of the first adapter, leaf and root, whose lanes stand for all; none without QoS."""
    if manager.option("qos") != "TRUE":
        return []
    roots = manager.root_guids or ()
    firsts = {
        (node.kind, node.guid in roots): (node.guid, node.ports[0].number)
        for node in reversed(manager.nodes)
        if node.ports
    }
    return sorted(firsts.values())


def _shown(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


class _Comparison:
    """A run beside its plan."""

    def __init__(self, device: str, manager: SubnetManager, result: BenchResult, work: Path, prefix: str) -> None:
        self._device = device
        self._manager = manager
        self._result = result
        self._work = work
        self._prefix = prefix
        self._names = {node.guid: node.description for node in manager.nodes}

    def findings(self) -> Iterator[Diagnostic]:
        yield from self._engine()
        yield from self._complaints()
        yield from self._subnet()
        yield from self._options()
        yield from self._lids()
        yield from self._keys()
        yield from self._lanes()
        yield from self._routes()

    def _at(self, kind: Kind, path: str, summary: str, remedy: str, file: str = "opensm.conf") -> Diagnostic:
        where = f"devices[{self._device}].{path}" if path else f"devices[{self._device}]"
        return kind.at(where, summary, span=Span(f"{self._prefix}{file}"), remedy=remedy)

    def _name(self, guid: int) -> str:
        return self._names.get(guid) or format_guid(guid)

    def _engine(self) -> Iterator[Diagnostic]:
        asked = (self._manager.option("routing_engine") or "minhop").split(",")[0].strip()
        if self._result.engine != asked:
            yield self._at(
                kinds.ENGINE_OTHER,
                "options[routing_engine]",
                f"`{asked}` was asked for and `{self._result.engine or 'nothing'}` routed",
                f"see why {asked} gave up in {self._work / 'bench' / 'opensm.log'}",
            )

    def _complaints(self) -> Iterator[Diagnostic]:
        for problem in self._result.problems:
            yield self._at(
                kinds.COMPLAINT, "", f"OpenSM says: {problem}", "correct what it complains about and rehearse again"
            )

    def _subnet(self) -> Iterator[Diagnostic]:
        result = self._result
        nodes = {node.guid: node for node in self._manager.nodes}
        cables = {
            _cable({(_node_id(node), port.number), (_node_id(nodes[port.peer_guid]), port.peer_port)})
            for node in self._manager.nodes
            for port in node.ports
        }
        for what, asked, found in (
            ("node", {_node_id(node) for node in self._manager.nodes}, result.nodes),
            ("cable", cables, {_cable(link) for link in result.links}),
        ):
            for word, odd in (("not found", asked - found), ("not planned", found - asked)):
                if odd:
                    yield self._at(
                        kinds.SUBNET_OTHER,
                        "nodes",
                        f"{len(odd)} {what}{'s' if len(odd) != 1 else ''} {word}: {_shown(sorted(odd))}",
                        "compare fabric.netlist with the plan",
                        "fabric.netlist",
                    )

    def _options(self) -> Iterator[Diagnostic]:
        defaults = opensm_defaults(self._work)
        for name, value in self._manager.options:
            echo = self._result.options.get(name)
            if name not in defaults or (echo is None and _same(defaults[name], value)):
                continue  # an option that OpenSM does not know is among its complaints
            # The bench keeps files in a directory of its own, and OpenSM cuts what it echoes.
            wanted = str((self._work / "bench").resolve() / Path(value).name) if value.startswith("/") else value
            wanted = wanted[: LONGEST_ECHO - len(f" Loading Cached Option:{name} = ")]
            if echo is None or not _same(echo, wanted):
                yield self._at(
                    kinds.OPTION_OTHER,
                    f"options[{name}]",
                    f"`{value}` was asked for and OpenSM took {f'`{echo}`' if echo else 'its default'}",
                    f"write a value that OpenSM takes for {name}",
                )

    def _lids(self) -> Iterator[Diagnostic]:
        planned = dict(self._manager.lids)
        other = sorted(guid for guid, lid in planned.items() if self._result.lids.get(guid) != lid)
        if other:
            first = other[0]
            yield self._at(
                kinds.LIDS_OTHER,
                f"lids[{self._name(first)}]",
                f"{len(other)} of {len(planned)} LIDs differ: {self._name(first)} has "
                f"{self._result.lids.get(first, 'none')} instead of {planned[first]}",
                "put guid2lid where OpenSM keeps its cache, and see that its GUIDs are port GUIDs",
                "guid2lid",
            )

    def _keys(self) -> Iterator[Diagnostic]:
        odd: dict[tuple[str, str], list[int]] = {}
        for guid, found in self._result.pkeys.items():
            expected, first = self._expected_keys(guid)
            # A switch's own order of keys is not planned, but for the one that stands first.
            if frozenset(found) != expected or (first is not None and found[:1] != (first,)):
                odd.setdefault((_keys(sorted(expected)), _keys(found)), []).append(guid)
        for (expected_text, found_text), guids in odd.items():
            yield self._at(
                kinds.KEYS_OTHER,
                f"partitions[{self._name(guids[0])}]",
                f"the partition keys are {found_text} instead of {expected_text}: "
                f"{_shown([self._name(guid) for guid in guids])}",
                "compare partitions.conf with the plan, its port GUIDs above all",
                "partitions.conf",
            )

    def _expected_keys(self, guid: int) -> tuple[frozenset[int], int | None]:
        """Return the keys that a port must have, and the one that must stand first."""
        keys: dict[int, Membership] = {}
        first: int | None = None
        for partition in self._manager.partitions or ():
            membership = self._membership(partition, guid)
            if membership is not None and partition.pkey is not None:
                keys[partition.pkey] = membership
                if partition.index0:
                    first = _entry(partition.pkey, membership)
        if not any(partition.pkey == _DEFAULT_PKEY for partition in self._manager.partitions or ()):
            everyone = self._manager.partitions is None or guid == self._result.manager_guid
            keys[_DEFAULT_PKEY] = Membership.FULL if everyone else Membership.LIMITED
        if self._manager.option("allow_both_pkeys") == "TRUE":
            both = {pkey for pkey, membership in keys.items() if membership is Membership.BOTH}
        else:
            both = set()
        return frozenset(_entry(pkey, membership) for pkey, membership in keys.items()) | both, first

    def _membership(self, partition: Partition, guid: int) -> Membership | None:
        found = None
        for entry in partition.members:
            if (
                entry.member == guid
                or entry.member in _ADAPTER_WORDS
                or (entry.member == "SELF" and guid == self._result.manager_guid)
            ):
                found = entry.membership or partition.default_membership
        return found

    def _lanes(self) -> Iterator[Diagnostic]:
        kinds_of = {node.guid: node.kind for node in self._manager.nodes}
        for (guid, port), found in self._result.lanes.items():
            prefix = "qos_ca_sl2vl" if kinds_of[guid] is IbNodeKind.ADAPTER else "qos_swe_sl2vl"
            text = self._manager.option(prefix) or self._manager.option("qos_sl2vl")
            if text and tuple(int(lane) for lane in text.split(",")) != found:
                yield self._at(
                    kinds.LANES_OTHER,
                    f"options[{prefix}]",
                    f"{self._name(guid)} port {port} sends service levels 0 to 15 to lanes "
                    f"{','.join(map(str, found))} instead of {text}",
                    "see that the lanes are among those that max_op_vls and qos_max_vls leave",
                )

    def _routes(self) -> Iterator[Diagnostic]:
        faults = self._result.routing_faults()
        if faults:
            yield self._at(
                kinds.ROUTE_MISSING,
                "routes",
                f"{len(faults)} ways do not arrive: {faults[0]}",
                "look for missing cables and wrong roots, and rehearse again",
                "root_guids.conf",
            )


def _entry(pkey: int, membership: Membership) -> int:
    return pkey if membership is Membership.LIMITED else pkey | _FULL


def _keys(entries: Iterable[int]) -> str:
    return " ".join(f"0x{entry:04x}" for entry in entries) or "none"


def _node_id(node: IbNode) -> str:
    """Return what the netlist calls a node; ibsim makes a port's GUID from its adapter's, which is one less."""
    return f"S-{node.guid:016x}" if node.kind is IbNodeKind.SWITCH else f"H-{node.guid - 1:016x}"


def _cable(link: Iterable[tuple[str, int]]) -> str:
    return " - ".join(f"{node}[{port}]" for node, port in sorted(link))


def _same(echoed: str, wanted: str) -> bool:
    """Compare values as OpenSM does: numbers by value."""
    try:
        return int(echoed, 0) == int(wanted, 0)
    except ValueError:
        return echoed == wanted

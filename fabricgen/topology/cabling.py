"""From links to what is bought and pulled: cables with legs, fibres and transceivers, in lengths that are sold.

A cage has one plug, so all links of a cage share its kind, and so do the links of the cages at their other ends. Cages
that are joined so, directly or over others, make one component, and a component gets one choice of parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fabricgen.catalog import form_factor
from fabricgen.core.diagnostics import Kind, Report, did_you_mean
from fabricgen.core.units import format_length
from fabricgen.device import Role
from fabricgen.inventory.kinds import CABLE_MISFIT, CABLE_OUT_OF_REACH, CABLE_UNKNOWN, UNKNOWN_CATALOG_ENTRY
from fabricgen.topology.choices import PROTOCOLS
from fabricgen.topology.fabric import Assembly, Cable, Fabric, Port
from fabricgen.topology.parts import MEDIA, Choice, Demand, PartFinder, Shape, Socket
from fabricgen.topology.request import Request


def lay_cables(fabric: Fabric, request: Request, report: Report) -> Fabric:
    """Return the fabric with its assemblies, and with the lengths that are sold.

    Args:
        fabric: devices and links, each with the length of its run.
        request: what the inventory asks for, and the catalog.
        report: takes FG121 and FG143 to FG145.
    """
    cages = _Cages(fabric)
    buyer = _Buyer(request, report)
    assemblies: list[Assembly] = []
    transceivers: Counter[str] = Counter()
    cables = list(fabric.cables)
    for links in cages.components():
        tier = cages.tier(links[0])
        demand = cages.demand(links)
        choice = buyer.choice(tier, demand, [cables[link] for link in links])
        for assembly in _assemble(cages, links, choice):
            assemblies.append(assembly)
            for link in assembly.links:
                if cables[link].length_cm != assembly.length_cm:
                    cables[link] = _of_length(cables[link], assembly.length_cm)
        if choice is not None and choice.transceivers:
            found = {cage for link in links for cage in (cages.near[link], cages.far[link])}
            transceivers.update(choice.transceivers[cages.sockets[cage]].id for cage in found)
    buyer.report_all()
    assemblies.sort(key=lambda assembly: assembly.links[0])
    return replace(
        fabric,
        cables=tuple(cables),
        assemblies=tuple(assemblies),
        transceivers=dict(sorted(transceivers.items())),
    )


def tier_of(fabric: Fabric, cable: Cable) -> str:
    """Return the tier of a link as inventories call it: ``server``, ``spine``, ``core`` or ``isl``."""
    lower, upper = fabric.by_name[cable.a.device].role, fabric.by_name[cable.b.device].role
    if lower is Role.SERVER:
        return "server"
    if lower is upper:
        return "isl"
    return "core" if upper is Role.CORE else "spine"


class _Cages:
    """The cages of a fabric by number, and the links of each.

    Attributes:
        near: by link, the cage of its lower end.
        far: by link, the cage of its upper end.
        sockets: by cage, what a plug must fit.
    """

    def __init__(self, fabric: Fabric) -> None:
        self.cables = fabric.cables
        self.near: list[int] = []
        self.far: list[int] = []
        self.sockets: list[Socket] = []
        self._fabric = fabric
        self._links: list[list[int]] = []
        numbers: dict[tuple[str, str], int] = {}
        sockets: dict[tuple[str, int, bool], Socket] = {}
        switches = {device.name for device in fabric.switches}
        for link, cable in enumerate(fabric.cables):
            for port, side in ((cable.a, self.near), (cable.b, self.far)):
                receptacle = port.receptacle
                number = numbers.setdefault((port.device, receptacle.name), len(self._links))
                if number == len(self._links):
                    self._links.append([])
                    kind = (receptacle.connector, receptacle.ways, port.device in switches)
                    socket = sockets.get(kind) or Socket(form_factor(kind[0]), *kind[1:])
                    self.sockets.append(sockets.setdefault(kind, socket))
                self._links[number].append(link)
                side.append(number)

    def tier(self, link: int) -> str:
        return tier_of(self._fabric, self.cables[link])

    def components(self) -> Iterator[list[int]]:
        """Yield the links of each component, in order."""
        seen = bytearray(len(self.cables))
        for start in range(len(self.cables)):
            if seen[start]:
                continue
            seen[start] = 1
            links = [start]
            cages = {self.near[start], self.far[start]}
            open_cages = list(cages)
            while open_cages:
                for link in self._links[open_cages.pop()]:
                    if seen[link]:
                        continue
                    seen[link] = 1
                    links.append(link)
                    for cage in (self.near[link], self.far[link]):
                        if cage not in cages:
                            cages.add(cage)
                            open_cages.append(cage)
            links.sort()
            yield links

    def demand(self, links: Sequence[int]) -> Demand:
        """Return what the parts of a component must do."""
        speed = self.cables[links[0]].speed_gbps
        shape, head = self.shape(links)
        cages = {cage for link in links for cage in (self.near[link], self.far[link])} - {head}
        return Demand(shape, self.sockets[head], frozenset(self.sockets[cage] for cage in cages), speed)

    def shape(self, links: Sequence[int]) -> tuple[Shape, int]:
        """Return how a component is joined, and its head: the cage that is split, if one is."""
        near, far = self.near[links[0]], self.far[links[0]]
        ends = {cage for link in links for cage in (self.near[link], self.far[link])}
        if len(ends) == 2 and self.sockets[near].ways == self.sockets[far].ways:
            return "straight", near
        for head in (near, far):
            if len(self._links[head]) == len(links) and all(self.sockets[end].ways == 1 for end in ends - {head}):
                return "splitter", head
        return "mesh", near


def _assemble(cages: _Cages, links: Sequence[int], choice: Choice | None) -> Iterator[Assembly]:
    """Yield the assemblies of a component."""
    cables = cages.cables
    if choice is None:
        for link in links:
            yield Assembly(_name(cages, link), (link,), None, None, None, None, cables[link].length_cm)
        return
    part = choice.cable.id if choice.cable else None
    if not choice.transceivers:
        run = max(cables[link].length_cm for link in links)
        name, legs = _name(cages, links[0], whole_cage=True), choice.cable.legs if choice.cable else 1
        yield Assembly(name, tuple(links), choice.medium, part, None, None, choice.length_cm(run), legs=legs)
        return
    lengths = {run: choice.length_cm(run) for run in {cables[link].length_cm for link in links}}
    for shared in _by_fibre(cages, links, choice.split):
        first = shared[0]
        yield Assembly(
            _name(cages, first),
            shared,
            choice.medium,
            part,
            choice.transceivers[cages.sockets[cages.near[first]]].id,
            choice.transceivers[cages.sockets[cages.far[first]]].id,
            max([lengths[cables[link].length_cm] for link in shared]),
            choice.cords,
            choice.split,
        )


def _by_fibre(cages: _Cages, links: Sequence[int], split: int) -> list[tuple[int, ...]]:
    """Return the links that share each fibre of a component; a fibre of two legs has neighbouring ports of the head."""
    if split == 1:
        return [(link,) for link in links]
    _, head = cages.shape(links)
    fibres: dict[int, list[int]] = {}
    for link in links:
        cable = cages.cables[link]
        port = cable.a if cages.near[link] == head else cable.b
        fibres.setdefault((port.leg - 1) // split, []).append(link)
    return [tuple(shared) for shared in fibres.values()]


def _name(cages: _Cages, link: int, *, whole_cage: bool = False) -> str:
    cable = cages.cables[link]
    port: Port = cable.a if cages.sockets[cages.near[link]].on_switch else cable.b
    return f"{port.device}:{port.receptacle.name if whole_cage else port.label}"


def _of_length(cable: Cable, length_cm: int) -> Cable:
    return Cable(cable.a, cable.b, cable.speed_gbps, length_cm, cable.rail, cable.origin, cable.length_origin)


@dataclass
class _Problem:
    """Links of one tier and kind that no part serves, and the worst of them."""

    links: int
    worst: Cable
    choices: Sequence[Choice]


class _Buyer:
    """Chooses the parts of a fabric; what cannot be had is reported once for each tier and kind of link."""

    def __init__(self, request: Request, report: Report) -> None:
        self._request = request
        self._report = report
        catalog = request.resolver.catalog.cables
        self._finder = PartFinder(catalog.values(), PROTOCOLS[request.kind])
        self._choices: dict[tuple[str, Demand], list[Choice]] = {}
        self._problems: dict[tuple[Kind, str, Demand], _Problem] = {}
        self._words: dict[str, str] = {}
        for tier, word in request.intent.cables.parts:
            if word is None:
                continue
            self._words[tier] = word
            if word not in MEDIA and word not in catalog:
                summary, known = f"there is no cable, transceiver or medium `{word}`", [*MEDIA, *catalog]
                path = ("cables", "parts", tier)
                report.add(request.finding(UNKNOWN_CATALOG_ENTRY, path, summary, did_you_mean(word, known)))

    def choice(self, tier: str, demand: Demand, links: Sequence[Cable]) -> Choice | None:
        """Return the parts of a component: the first that reaches, of those that the inventory names if it does."""
        choices = self._choices.get((tier, demand))
        word = self._words.get(tier)
        if choices is None:
            choices = self._finder.choices(demand)
            self._choices[tier, demand] = choices
        named = [choice for choice in choices if choice.is_called(word)] if word else choices
        worst = max(links, key=lambda link: link.length_cm)
        found = next((choice for choice in named if choice.longest_cm >= worst.length_cm), None)
        if found is None:
            kind = CABLE_UNKNOWN if word is None else CABLE_OUT_OF_REACH if named else CABLE_MISFIT
            problem = self._problems.setdefault((kind, tier, demand), _Problem(0, worst, named or choices))
            problem.links += len(links)
            problem.worst = max(problem.worst, worst, key=lambda link: link.length_cm)
        return found

    def report_all(self) -> None:
        """Add the findings."""
        for (kind, tier, demand), problem in self._problems.items():
            word = self._words.get(tier)
            if word is not None and word not in MEDIA and word not in self._request.resolver.catalog.cables:
                continue
            self._report.add(self._request.finding(kind, self._path(tier), *_words(kind, word, demand, problem)))

    def _path(self, tier: str) -> tuple[str, ...]:
        cables = self._request.intent.cables
        if tier in self._words:
            return ("cables", "parts", tier)
        return ("cables", tier) if getattr(cables, tier) is not None else ("cables", "distances")


def _words(kind: Kind, word: str | None, demand: Demand, problem: _Problem) -> tuple[str, str]:
    """Return the summary and the remedy of a finding."""
    worst = problem.worst
    length = format_length(worst.length_cm)
    where = f"{worst.a.device} {worst.a.label} to {worst.b.device} {worst.b.label}"
    links = f"{problem.links} link{'' if problem.links == 1 else 's'} of {demand.speed_gbps}G"
    media = sorted({choice.medium for choice in problem.choices}, key=MEDIA.index)
    if kind is CABLE_MISFIT:
        ends = " and ".join(sorted({_cage(socket) for socket in (demand.head, *demand.others)}))
        also = ", and their cages are shared with other links" if demand.shape == "mesh" else ""
        remedy = f"name one of {', '.join(media)}" if media else "leave it out"
        return f"`{word}` does not fit {links}: they join {ends}{also}; one is {where}", remedy
    if not problem.choices:
        ends = " and ".join(sorted({_cage(socket) for socket in (demand.head, *demand.others)}))
        return (
            f"no cable or transceiver of the catalog fits {links} between {ends}; one is {where}",
            "choose the parts yourself, or add entries for them in a directory named with `catalog:`",
        )
    longest = format_length(max(choice.longest_cm for choice in problem.choices))
    what = f"`{word}`" if word else "every part of the catalog that fits"
    remedy = "shorten the run, or add an entry for a part that reaches in a directory named with `catalog:`"
    if word:
        remedy = "shorten the run, or name another part or medium"
    return f"{what} ends at {longest} m, and the longest of {links} is {length} m: {where}", remedy


def _cage(socket: Socket) -> str:
    """Return a cage in words: ``OSFP cages of switches, split in 2``."""
    split = f", split in {socket.ways}" if socket.ways > 1 else ""
    return f"{socket.form_factor} cages of {'switches' if socket.on_switch else 'servers'}{split}"

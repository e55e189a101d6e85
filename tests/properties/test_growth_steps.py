"""Random sequences of growth, compared step by step with what ``plan --from`` compares by.

Nothing moves, goes or changes, apart from links between switches where the number of switches above them changed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen import api
from fabricgen.report.changes import Change, Verb, compare
from fabricgen.report.states import FabricState, state_of_plan

_HARMLESS = {Verb.ADDED}
_SWITCHES = ("leaf", "spine", "core")


@dataclass(frozen=True)
class Cluster:
    """The sizes that grow: servers of each group, and of each other leaf group."""

    groups: tuple[int, ...] = (4,)
    others: tuple[int, ...] = ()

    def text(self, fabric: str, server: str, other: str) -> str:
        servers = [f"  g{n}: {{model: {server}, count: {count}}}" for n, count in enumerate(self.groups)]
        servers += [f"  o{n}: {{model: {server}, count: {count}}}" for n, count in enumerate(self.others)]
        ends = ", ".join(f"{{servers: g{n}, adapters: compute}}" for n in range(len(self.groups)))
        leaves = [
            f"      o{n}: {{{other}, name: 'o{n}-{{n:02d}}', endpoints: [{{servers: o{n}, adapters: compute}}]}}"
            for n in range(len(self.others))
        ]
        lines = ["name: test", "servers:", *servers, "fabrics:", "  compute:", f"    endpoints: [{ends}]"]
        lines += [f"    {line}" for line in fabric.splitlines()]
        return "\n".join([*lines, *(["    other_leaves:", *leaves] if leaves else [])]) + "\n"


_ROCE = "supermicro-sys-821ge-tnhr, adapters: {compute: {adapter: bluefield-3-b3140h, count: 2}}"
_TWO = """type: rocev2
leaf: {model: sn5600, nos: sonic}
spine: {model: sn5600, nos: sonic%s}
uplink_speed: 400G
link_speed: 400G
cables: {server: 3m, spine: 30m, core: 50m}
addressing: {links: 10.128.0.0/11}
"""
_TWINS = _ROCE.replace("b3140h", "b3220")
_SLOW = _TWO.replace("link_speed: 400G", "link_speed: 200G")
_THREE = "core: {model: sn5600, nos: sonic}\ntiers: 3\nservers_per_unit: 4\nunits_per_pod: 2\n"
_INFINIBAND = """type: infiniband
design: rail-optimized
leaf: {model: qm9700}
spine: {model: qm9700}
servers_per_unit: 16
cables: {server: 3m, spine: 30m}
"""

#: Fabric and server by the name of the case.
CASES = {
    "rail-optimized": (_TWO % "" + "design: rail-optimized\nservers_per_unit: 8\n", _ROCE),
    "reserved spines": (_TWO % ", count: 8" + "design: rail-optimized\nservers_per_unit: 8\n", _ROCE),
    "leaf-spine": (_TWO % "" + "design: leaf-spine\nservers_per_unit: 8\n", _ROCE),
    "three tiers": (_TWO % "" + "design: rail-optimized\n" + _THREE, _ROCE),
    "fat-tree": (_TWO % "" + "design: fat-tree\n" + _THREE.replace("tiers: 3\n", ""), _ROCE),
    "rail-only": (_TWO % "" + "design: rail-only\nservers_per_unit: 8\n", _ROCE),
    "multi-plane": (_SLOW % "" + "design: multi-plane\nservers_per_unit: 8\n", _TWINS),
    "dual-tor": (_SLOW % "" + "design: dual-tor\nservers_per_unit: 8\n", _TWINS),
    "dual-tor in one plane": (_SLOW % "" + "design: dual-tor\nplanes: 1\nservers_per_unit: 8\n", _TWINS),
    "single-switch": (
        "design: single-switch\n"
        + "\n".join(line for line in (_TWO % "").splitlines() if not line.startswith(("spine", "uplink"))),
        _ROCE,
    ),
    "switch-pair": (
        "design: switch-pair\nisl: {links: 8, speed: 400G, first_cage: 61}\n"
        + "\n".join(line for line in (_SLOW % "").splitlines() if not line.startswith(("spine", "uplink"))).replace(
            "spine: 30m, core: 50m", "isl: 2m"
        ),
        _TWINS,
    ),
    "infiniband": (_INFINIBAND, "dgx-h100"),
}

steps = st.lists(
    st.one_of(
        st.tuples(st.just("servers"), st.integers(1, 6)),
        st.tuples(st.just("unit"), st.integers(1, 4)),
        st.tuples(st.just("group"), st.integers(1, 9)),
    ),
    min_size=1,
    max_size=3,
)


def grown(cluster: Cluster, step: tuple[str, int]) -> Cluster:
    """Return a cluster after one step; a unit is 8 servers, so two of them are a pod of three tiers."""
    what, number = step
    if what == "group":
        return replace(cluster, groups=(*cluster.groups, number))
    if what == "leaves":
        return replace(cluster, others=(*cluster.others, number))
    return replace(cluster, groups=(*cluster.groups[:-1], cluster.groups[-1] + number * (8 if what == "unit" else 1)))


_OTHER_ROCE = "model: sn5600, nos: sonic, link_speed: 400G"


def state(case: str, cluster: Cluster) -> FabricState:
    return state_of(*CASES[case], cluster)


def state_of(fabric: str, server: str, cluster: Cluster) -> FabricState:
    other = "model: qm9700" if "infiniband" in fabric else _OTHER_ROCE
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fabric.yaml"
        file.write_text(cluster.text(fabric, server, other), encoding="utf-8")
        return state_of_plan(api.plan(api.load(file)).fabrics[0])


def number(found: FabricState, roles: Sequence[str]) -> int:
    return sum(device.role in roles for device in found.devices.values())


def unwanted(old: FabricState, new: FabricState) -> list[Change]:
    """Return the changes that growth may not make."""
    changes = [change for change in compare(old, new).changes if change.verb not in _HARMLESS]
    if number(old, ("spine", "core")) == number(new, ("spine", "core")):
        return changes
    return [change for change in changes if not _between_switches(change, old, new)]


def _between_switches(change: Change, old: FabricState, new: FabricState) -> bool:
    """Return whether a change is a link between switches, or the address of such a link's upper end."""
    if change.what == "cables":
        ends = [part.split(" ")[0] for part in (*change.subject.split(" - "), change.old, change.new)]
        devices = [old.devices.get(end) or new.devices.get(end) for end in ends]
        return all(device.role in _SWITCHES for device in devices if device is not None)
    owner = new.devices.get(change.subject.split(" ")[0])
    return change.subject.endswith(" address") and owner is not None and owner.role in {"spine", "core"}


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=6, deadline=None, derandomize=True)
@given(start=st.integers(1, 20), sequence=steps)
def test_growth_moves_nothing(case: str, start: int, sequence: list[tuple[str, int]]) -> None:
    cluster = Cluster((start,))
    before = state(case, cluster)
    for step in sequence:
        cluster = grown(cluster, step)
        after = state(case, cluster)
        assert unwanted(before, after) == [], f"{cluster} after {step}"
        before = after


@pytest.mark.parametrize("case", ["rail-optimized", "leaf-spine", "infiniband"])
@pytest.mark.parametrize("others", [(), (3,)])
def test_another_leaf_group_moves_nothing(case: str, others: tuple[int, ...]) -> None:
    cluster = Cluster((16,), others)
    assert unwanted(state(case, cluster), state(case, grown(cluster, ("leaves", 5)))) == []


def test_without_a_unit_size_a_leaf_gets_more_uplinks_as_it_fills_up_and_this_is_said() -> None:
    """Fewer spines now against moves later: a unit's size settles it."""
    fabric, server = CASES["rail-optimized"]
    unsized = fabric.replace("servers_per_unit: 8\n", "")
    before, after = (state_of(unsized, server, Cluster((count,))) for count in (4, 6))
    found = compare(before, after)
    assert {change.what for change in found.changes if change.verb is Verb.MOVED} == {"cables"}
    assert len(found.reasons) == 1
    assert "because uplinks per leaf went" in found.reasons[0]


def test_reserved_spines_move_nothing_however_far_it_grows() -> None:
    before, after = (state("reserved spines", Cluster((count,))) for count in (8, 256))
    assert {change.verb for change in compare(before, after).changes} == {Verb.ADDED}


def test_without_a_reserve_further_spines_take_over_ports_and_this_is_said() -> None:
    before, after = (state("infiniband", Cluster((count,))) for count in (5, 60))
    found = compare(before, after)
    assert found.counts["cables", Verb.MOVED] == 126
    assert found.reasons == ("links per leaf and spine 8 → 2 because 2 spines became 8",)

"""Whatever the fabric, its assemblies are such as can be plugged."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.catalog import load_catalog
from fabricgen.topology import Fabric
from tests.clusters import build, infiniband, roce

CABLES = load_catalog().cables


@st.composite
def fabrics(draw: st.DrawFn) -> Fabric:
    servers = draw(st.integers(1, 40))
    design = draw(st.sampled_from(["rail-optimized", "leaf-spine"]))
    near, far = draw(st.sampled_from(["0.7m", "3m", "20m", "60m"])), draw(st.sampled_from(["1m", "4m", "30m", "300m"]))
    if draw(st.booleans()):
        text = infiniband(servers, design=design)
    else:
        extra = f"servers_per_unit: 8\nuplink_speed: {draw(st.sampled_from(['400G', '800G']))}"
        text = roce(servers, draw(st.sampled_from([1, 2, 4])), design=design, extra=extra)
        text = text.replace("bluefield-3-b3140h", draw(st.sampled_from(["bluefield-3-b3140h", "bluefield-3-b3220"])))
    text = text.replace("server: 3m", f"server: {near}").replace("spine: 30m", f"spine: {far}")
    with tempfile.TemporaryDirectory() as folder:
        return build(Path(folder), text)[1]


@settings(max_examples=40, deadline=None)
@given(fabrics())
def test_assemblies(fabric: Fabric) -> None:
    links = Counter(link for assembly in fabric.assemblies for link in assembly.links)
    assert links == Counter(range(len(fabric.cables))), "each link is in one assembly"
    names = Counter(assembly.name for assembly in fabric.assemblies)
    assert set(names.values()) <= {1}, "no two have one name"

    plugs: dict[tuple[str, str], set[str]] = {}
    for assembly in fabric.assemblies:
        part = CABLES[assembly.part] if assembly.part else None
        for link in assembly.links:
            cable = fabric.cables[link]
            assert cable.length_cm == assembly.length_cm, "the links are as long as their cable"
            for port, plug in ((cable.a, assembly.a_plug), (cable.b, assembly.b_plug)):
                in_cage = plug or (assembly.name if part else "open")
                plugs.setdefault((port.device, port.receptacle.name), set()).add(in_cage)
        if part is not None:
            assert len(assembly.links) <= max(part.legs, part.ports)
            assert assembly.length_cm <= part.reach_max_m * 100 if not isinstance(part.reach_max_m, str) else True
            if not isinstance(part.lengths_cm, str):
                assert assembly.length_cm in part.lengths_cm, "the length is sold"
    assert {len(found) for found in plugs.values()} == {1}, "each cage has one plug"
    counted = Counter(next(iter(found)) for found in plugs.values())
    assert {key: counted[key] for key in fabric.transceivers} == fabric.transceivers

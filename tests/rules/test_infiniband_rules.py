"""Rules of InfiniBand on whole subnets: rings and trees, mended and broken, small and large."""

from __future__ import annotations

import time

import pytest

from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.core.guids import format_guid
from fabricgen.device import Membership, Partition, PartitionMember, QosLevel, QosPolicy, SubnetManager, UlpRule
from fabricgen.rules.engine import check
from tests.rules.infiniband_subnets import adapter, changed, network, ring, subnet, switch, two_tiers

ENGINE = "devices[subnet-manager].options[routing_engine]"
NEW = ("FG521", "FG522", "FG523", "FG524", "FG525", "FG526", "FG527", "FG528")

#: How a finding goes on where an engine fails.
LEFT = "cannot be relied on, which leaves `minhop`"

#: Leaf 0 has lost its link to spine 4 and leaf 1 that to spine 3, so the shortest path between them turns at leaf 2.
LAME = [(0, 3), (1, 4), (2, 3), (2, 4), (5, 3), (5, 4)]

#: Two pods of two leaves and two spines, one core for each of the two planes.
THREE_TIERS = [(0, 4), (0, 5), (1, 4), (1, 5), (2, 6), (2, 7), (3, 6), (3, 7), (4, 8), (6, 8), (5, 9), (7, 9)]


def found(manager: SubnetManager, *codes: str) -> list[Diagnostic]:
    return list(check(network(manager), load_catalog(), select=codes or NEW).findings)


def engine(manager: SubnetManager, word: str, **options: str) -> SubnetManager:
    return changed(manager, options={"routing_engine": word, **options})


def tenant(service_level: int | None = None, **fields: object) -> Partition:
    members = tuple(PartitionMember(adapter(number)) for number in (0, 1))
    return Partition(
        "blue", 0x101, members, default_membership=Membership.FULL, service_level=service_level, **fields,  # type: ignore[arg-type]
    )  # fmt: skip


def with_partitions(default: Membership, *partitions: Partition) -> SubnetManager:
    words = (PartitionMember("ALL", default), PartitionMember("SELF", Membership.FULL))
    return changed(two_tiers(), partitions=(Partition("Default", 0x7FFF, words), *partitions))


def test_a_valid_subnet_is_silent_under_every_rule() -> None:
    outcome = check(network(two_tiers()), load_catalog())
    assert outcome.findings == ()
    assert set(NEW) <= set(outcome.ran)


@pytest.mark.parametrize(
    ("manager", "who"),
    [
        pytest.param(ring(4), "`minhop` routes", id="ring of four, minhop"),
        pytest.param(ring(5), "`minhop` routes", id="ring of five, minhop"),
        pytest.param(engine(ring(5), "sssp"), "`sssp` routes", id="ring, sssp"),
        pytest.param(changed(ring(4), options={"routing_engine": "(null)"}), "`minhop` routes", id="no engine set"),
        pytest.param(engine(ring(4), "updn"), f"`updn` {LEFT}", id="ring, updn without roots"),
        pytest.param(changed(engine(ring(4), "updn"), root_guids=(0x1234,)), f"`updn` {LEFT}", id="foreign root"),
        pytest.param(
            changed(engine(ring(4), "updn"), root_guids=tuple(map(switch, range(4)))),
            "`updn` has roots that are neighbours", id="ring, all switches as roots",
        ),
        pytest.param(
            changed(engine(ring(4), "ftree"), root_guids=(switch(0),)), f"`ftree` {LEFT}",
            id="ring, ftree: hosts on all ranks",
        ),
        pytest.param(engine(ring(4), "ftree", lmc="1"), f"`ftree` {LEFT}", id="ring, ftree with LMC"),
        pytest.param(engine(ring(4), "torus-2QoS"), f"`torus-2QoS` {LEFT}", id="torus without QoS"),
        pytest.param(engine(ring(4), "fatree"), f"`fatree` {LEFT}", id="unknown engine"),
        pytest.param(subnet(LAME, {0: 1, 1: 1, 2: 1, 5: 1}), "`minhop` routes", id="tree with two cables missing"),
    ],
)  # fmt: skip
def test_credit_loops(manager: SubnetManager, who: str) -> None:
    (finding,) = found(manager, "FG521")
    assert (finding.code, finding.path) == ("FG521", ENGINE)
    assert finding.summary.startswith(f"{who}; ")
    assert "links can wait in a circle: switch-" in finding.summary
    assert finding.numbers["links"] in (4, 5)
    assert finding.related


@pytest.mark.parametrize(
    "manager",
    [
        pytest.param(changed(engine(ring(4), "updn"), root_guids=(switch(0),)), id="ring, updn from one root"),
        pytest.param(
            changed(engine(ring(4), "ftree,updn"), root_guids=(switch(0),)), id="ring, ftree fails and updn follows"
        ),
        pytest.param(engine(ring(4), "nue"), id="ring, nue"),
        pytest.param(engine(ring(4), "dfsssp", qos="TRUE"), id="ring, dfsssp"),
        pytest.param(engine(ring(4), "torus-2QoS", qos="TRUE"), id="ring, torus with QoS"),
        pytest.param(engine(ring(4), "fatree,no_fallback"), id="ring, nothing routes at all"),
        pytest.param(engine(two_tiers(), "minhop"), id="leaf-spine, minhop"),
        pytest.param(engine(two_tiers(links=3), "sssp"), id="parallel links"),
        pytest.param(subnet(THREE_TIERS, dict.fromkeys(range(4), 2)), id="three tiers, minhop"),
        pytest.param(
            subnet([*[(leaf, spine) for leaf in (0, 1) for spine in (2, 3)], (0, 1)], {0: 2, 1: 2}),
            id="a link between two leaves that no path goes on from",
        ),
        pytest.param(subnet([(0, 1), (1, 2)], {0: 1, 1: 1, 2: 1}), id="chain"),
        pytest.param(subnet([(0, 1), (1, 2), (2, 3), (3, 0)], {0: 2, 2: 2}), id="ring with hosts on two: a tree"),
        pytest.param(
            changed(
                engine(subnet([*[(leaf, spine) for leaf in (0, 1) for spine in (2, 3)], (2, 3)], {0: 2, 1: 2}), "updn"),
                root_guids=(switch(2), switch(3)),
            ),
            id="spines that are neighbours, in a tree all the same",
        ),
        pytest.param(ring(3), id="triangle: every path is one link"),
    ],
)
def test_no_credit_loop(manager: SubnetManager) -> None:
    assert found(manager, "FG521") == []


@pytest.mark.parametrize(
    ("manager", "code", "path", "words"),
    [
        pytest.param(
            changed(two_tiers(), options={"connect_roots": "TRUE"}),
            "FG522", "options[connect_roots]", "`connect_roots TRUE` adds routes", id="roots connected",
        ),
        pytest.param(
            changed(two_tiers(), options={"max_reverse_hops": "2"}, compute_guids=None, io_guids=(adapter(7),)),
            "FG522", "options[max_reverse_hops]", "down and up again", id="reverse hops",
        ),
        pytest.param(
            changed(subnet([(0, 2), (0, 3), (1, 2), (1, 3)], {0: 2, 1: 2, 2: 1}), options={"routing_engine": "ftree"},
                    root_guids=(switch(2), switch(3))),
            "FG523", f"nodes[{format_guid(adapter(4))}]", "gpu-4 HCA-1 is a compute node on switch-2 of rank 0",
            id="storage on a spine, and no list of compute nodes",
        ),
        pytest.param(
            subnet([(0, 1), (2, 3)], {0: 3, 2: 1}),
            "FG524", f"nodes[{format_guid(switch(2))}]", "switch-2, switch-3 and the adapters below, 3 nodes",
            id="two islands",
        ),
        pytest.param(
            changed(two_tiers(), options={"qos": "TRUE", "qos_sl2vl": ",".join(["15", *"0" * 15])}),
            "FG525", "options[qos_sl2vl]", "service level 0 of partition Default goes to lane 15", id="level 0 dropped",
        ),
        pytest.param(
            changed(two_tiers(), options={"qos": "TRUE", "qos_swe_sl2vl": ",".join(["0", "0", "15", *"0" * 13])},
                    qos_policy=QosPolicy((QosLevel("DEFAULT", 0),), (UlpRule("any, pkey 0x0101", 2),))),
            "FG525", "options[qos_swe_sl2vl]", "service level 2 of the rule `any, pkey 0x0101`", id="rule dropped",
        ),
        pytest.param(
            with_partitions(Membership.LIMITED, tenant()),
            "FG526", "partitions[blue]", "not first in the tables of 2 adapter ports", id="tenant without indx0",
        ),
        pytest.param(
            with_partitions(Membership.FULL, tenant(ipoib=True, mtu_code=5, rate_code=21)),
            "FG527", "partitions[blue]", "400 Gb/s, which gpu-0 HCA-1, gpu-1 HCA-1 at 200 Gb/s", id="rate of 400",
        ),
        pytest.param(
            changed(two_tiers(), io_guids=(adapter(3), adapter(4))),
            "FG528", f"io_guids[{format_guid(adapter(3))}]", "gpu-3 HCA-1 and 1 more adapter are", id="both lists",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_found_and_nothing_else(manager: SubnetManager, code: str, path: str, words: str) -> None:
    (finding,) = found(manager)
    assert (finding.code, finding.path) == (code, f"devices[subnet-manager].{path}")
    assert words in finding.summary
    assert finding.span


@pytest.mark.parametrize(
    "manager",
    [
        pytest.param(changed(two_tiers(), options={"max_reverse_hops": "2"}), id="reverse hops of no I/O node"),
        pytest.param(engine(two_tiers(), "nue", connect_roots="TRUE"), id="connect_roots of another engine"),
        pytest.param(
            changed(subnet([(0, 2), (0, 3), (1, 2), (1, 3)], {0: 2, 1: 2, 2: 1}), options={"routing_engine": "ftree"},
                    root_guids=(switch(2), switch(3)), compute_guids=tuple(map(adapter, range(4)))),
            id="storage on a spine that is no compute node",
        ),
        pytest.param(
            changed(two_tiers(), options={"qos": "TRUE", "qos_sl2vl": ",".join(["0", *["15"] * 15])}),
            id="unused levels dropped",
        ),
        pytest.param(
            changed(two_tiers(), options={"qos_sl2vl": ",".join(["15"] * 16)}), id="QoS off: no lanes programmed"
        ),
        pytest.param(
            changed(two_tiers(), options={"qos": "TRUE", "qos_sl2vl": ",".join(["15"] * 16),
                                          "qos_ca_sl2vl": ",".join("0" * 16), "qos_swe_sl2vl": ",".join("0" * 16)}),
            id="a map that no port uses",
        ),
        pytest.param(with_partitions(Membership.LIMITED, tenant(index0=True)), id="tenant first"),
        pytest.param(with_partitions(Membership.FULL, tenant()), id="the default key is usable"),
        pytest.param(
            with_partitions(Membership.LIMITED, tenant(), Partition("red", 0x102, (PartitionMember(adapter(0)),))),
            id="a host of two tenants",
        ),
        pytest.param(
            with_partitions(Membership.FULL, tenant(ipoib=True, mtu_code=5, rate_code=17)), id="rate of the links"
        ),
        pytest.param(with_partitions(Membership.FULL, tenant(rate_code=21)), id="a rate without an IPoIB group"),
        pytest.param(changed(two_tiers(), io_guids=()), id="an empty list"),
    ],
)  # fmt: skip
def test_what_looks_like_a_fault_and_is_none(manager: SubnetManager) -> None:
    assert found(manager) == []


@pytest.mark.parametrize(
    "manager",
    [
        pytest.param(two_tiers(128, 64, 32), id="ftree"),
        pytest.param(engine(two_tiers(128, 64, 32), "minhop"), id="minhop"),
    ],
)
def test_4096_adapters_are_judged_at_once(manager: SubnetManager) -> None:
    """A second is five times what it takes on a slow machine."""
    built, catalog = network(manager), load_catalog()
    start = time.process_time()
    outcome = check(built, catalog, ignore=[])
    assert time.process_time() - start < 1
    assert [finding for finding in outcome.findings if finding.code >= "FG5"] == []

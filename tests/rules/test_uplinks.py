from __future__ import annotations

from fabricgen.rules.majority import disagreements
from fabricgen.rules.uplinks import Uplinks, components

#: Two pods of two leaves and two spines; spine n of each pod goes to core n alone.
TIERS = {"l1": 1, "l2": 1, "l3": 1, "l4": 1, "s1": 2, "s2": 2, "s3": 2, "s4": 2, "c1": 3, "c2": 3}
POD = [("l1", "s1"), ("l1", "s2"), ("l2", "s1"), ("l2", "s2")]
OTHER_POD = [("l3", "s3"), ("l3", "s4"), ("l4", "s3"), ("l4", "s4")]
CORES = [("s1", "c1"), ("s2", "c2"), ("s3", "c1"), ("s4", "c2")]


def test_a_fat_tree_is_even() -> None:
    uplinks = Uplinks.of([*POD, *OTHER_POD, *CORES], TIERS)
    assert list(uplinks.single()) == []
    assert list(uplinks.uneven()) == []


def test_a_missing_link_is_uneven_within_its_pod_only() -> None:
    uplinks = Uplinks.of([*POD, ("l1", "s1"), *OTHER_POD, *CORES], TIERS)
    assert list(uplinks.uneven()) == [("l1", "s2", 1, "s1", 2)]


def test_a_leaf_on_one_spine_is_single_and_not_uneven() -> None:
    uplinks = Uplinks.of([("l1", "s1"), ("l1", "s1"), *POD[2:], *OTHER_POD, *CORES], TIERS)
    assert list(uplinks.single()) == [("l1", "s1", 2, 4)]
    assert list(uplinks.uneven()) == []


def test_components_keep_the_order_of_nodes() -> None:
    assert components("abcd", [("d", "b")]) == [["a"], ["b", "d"], ["c"]]


def test_the_rarer_value_is_named() -> None:
    pairs = [(("p1", 9216), ("p2", 9216)), (("p3", 9216), ("p4", 9100))]
    assert list(disagreements(pairs)) == [(("p4", 9100), ("p3", 9216))]


def test_of_two_equally_rare_values_the_first_is_named() -> None:
    assert list(disagreements([(("p1", 1), ("p2", 2))])) == [(("p1", 1), ("p2", 2))]

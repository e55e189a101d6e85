from __future__ import annotations

from fabricgen.inventory.models import SubnetManagerIntent
from fabricgen.planning.service_levels import qos_options, qos_policy, used_levels


def manager(**levels: int) -> SubnetManagerIntent:
    partitions = {
        name: {"pkey": number, "service_level": level} for number, (name, level) in enumerate(levels.items(), start=1)
    }
    return SubnetManagerIntent.model_validate({"partitions": partitions})


def test_without_levels_opensm_keeps_its_defaults() -> None:
    assert qos_options(manager(a=0, b=0), "/etc/opensm") == {}
    assert qos_policy(manager(a=0)) is None


def test_every_level_has_a_lane_of_its_own() -> None:
    found = manager(a=5, b=0, c=2, d=5)
    assert used_levels(found) == (0, 2, 5)
    options = qos_options(found, "/etc/opensm")
    lanes = [int(lane) for lane in options["qos_sl2vl"].split(",")]
    assert len(lanes) == 16
    assert (lanes[0], lanes[2], lanes[5]) == (0, 1, 2)
    assert {lanes[level] for level in range(16) if level not in (2, 5)} == {0}, "what nobody asked for shares lane 0"
    assert options["qos_max_vls"] == "3"
    assert options["qos_vlarb_low"] == "0:64,1:64,2:64"
    assert options["qos"] == "TRUE", "OpenSM takes only this word for true"


def test_path_queries_get_their_partitions_level() -> None:
    policy = qos_policy(manager(a=5, b=0))
    assert policy is not None
    assert [(rule.match, rule.service_level) for rule in policy.ulps] == [("any, pkey 0x0001", 5), ("default", 0)]
    assert [level.name for level in policy.levels] == ["DEFAULT", "sl5"]

"""Which files there are, how they are found, and what is read from them."""

from __future__ import annotations

import dataclasses

import pytest

from fabricgen.core.diagnostics import Span
from fabricgen.device import (
    Membership,
    Partition,
    PartitionMember,
    QosLevel,
    QosPolicy,
    SubnetManager,
    UlpRule,
)
from fabricgen.platforms.base import Feature
from fabricgen.platforms.opensm import PLATFORM
from fabricgen.platforms.opensm.files import PARTS
from tests.platforms.opensm.fat_tree import TreeSize, fat_tree
from tests.platforms.opensm.samples import ALL_FILES, findings, manager, read


def test_every_part_is_a_field_of_the_model() -> None:
    assert {part.field for part in PARTS} | {"options"} == {field.name for field in dataclasses.fields(SubnetManager)}


def test_places() -> None:
    model = fat_tree(TreeSize(2, 2, 8), engine="ftree,updn", tenant=True)
    result = read(PLATFORM.emit(model))
    assert result.model == model
    places = {
        ("options", "routing_engine"): "sm/opensm.conf:10:1",
        ("options", "no-such-option"): "sm/opensm.conf:1:1",
        ("root_guids", "0xb83fd20300000010"): "sm/root_guids.conf:3:1",
        ("compute_guids", "0x946dae0300200001"): "sm/cn_guids.conf:2:1",
        ("partitions", "tenant-a"): "sm/partitions.conf:8:1",
        ("partitions", "tenant-a", "members", "0x946dae0300200008"): "sm/partitions.conf:12:5",
        ("node_names", "0xb83fd20300000000"): "sm/node-name-map:2:1",
        ("lids", "0x946dae0300200002"): "sm/guid2lid:3:1",
        ("nodes", "0x946dae0300200002"): "sm/fabric.netlist:8:1",
        ("nodes", "0xb83fd20300000000", "ports", "5"): "sm/fabric.netlist:36:1",
    }
    assert {path: str(result.locate(("subnet_manager", *path))) for path in places} == places
    assert result.locate(("qos",)) is None


def test_a_named_file_that_is_missing() -> None:
    files = {"opensm.conf": "# one\nroot_guid_file /etc/opensm/roots\n"}
    assert findings(files) == [("FG615", "sm/opensm.conf:2:1")]
    assert manager(files).root_guids is None


def test_opensm_conf_is_missing() -> None:
    result = read({"partitions.conf": "Default=0x7fff : ALL=full;\n"})
    assert [finding.code for finding in result.diagnostics] == ["FG615"]
    assert result.model is not None


def test_no_files_are_no_device() -> None:
    result = read({"README": "hello"})
    assert result.model is None
    assert [finding.code for finding in result.diagnostics] == ["FG615"]


def test_a_file_that_no_option_names() -> None:
    files = {"opensm.conf": "lmc 0\n", "cn_guids.conf": "0x1\n", "partitions.conf": "a=0x1 : ALL;\n"}
    assert findings(files) == [("FG616", "sm/cn_guids.conf:1:1")]
    assert manager(files).compute_guids is None
    assert manager(files).partitions is not None


def test_a_file_beside_the_one_that_the_option_names() -> None:
    files = {"opensm.conf": "partition_config_file /etc/opensm/p\n", "p": "a=0x1 : ALL;\n", "partitions.conf": ""}
    assert findings(files) == [("FG616", "sm/partitions.conf:1:1")]


def test_repeated_option_the_last_one_wins() -> None:
    files = {"opensm.conf": "lmc 0\nqos TRUE\nlmc 1\n"}
    result = read(files)
    assert [(found.code, str(found.span), str(found.related[0].span)) for found in result.diagnostics] == [
        ("FG612", "sm/opensm.conf:3:1", "sm/opensm.conf:1:1")
    ]
    assert manager(files).options == (("lmc", "0"), ("lmc", "1"), ("qos", "TRUE"))
    assert manager(files).option("lmc") == "1"
    assert str(result.locate(("subnet_manager", "options", "lmc"))) == "sm/opensm.conf:3:1"


def test_options_for_each_service_level_are_repeated_by_design() -> None:
    name = "cc_ca_cong_setting_ccti_min"
    assert findings({"opensm.conf": f"{name} 0 1\n{name} 1 1\n"}) == []
    assert findings({"opensm.conf": f"{name} 0 1\n{name} 0 2\n"}) == [("FG612", "sm/opensm.conf:2:1")]


def test_options_as_opensm_reads_them() -> None:
    text = "  lmc\t0  # zero\n\nlog_prefix 'a b'\n#qos TRUE\nevent_plugin_options \"x y\"\n"
    assert manager({"opensm.conf": text}).options == (
        ("event_plugin_options", "x y"),
        ("lmc", "0"),
        ("log_prefix", "a b"),
    )


def test_partitions_over_several_lines_and_with_what_the_model_lacks() -> None:
    text = (
        "Default = 0x7fff , ipoib, Q_Key=0x0b1b, scope=2, scope=5 : ALL, # everyone\n"
        "\n"
        "   SELF = full ;  a=1:\n"
        "0x1=full\n"
        "0x2\n"
        "mgid=ff12:401b::1, sl=1\n"
        "; 0x3 : ALL\n"
    )
    result = read({"opensm.conf": "", "partitions.conf": text})
    assert result.diagnostics == ()
    assert result.model is not None
    assert result.model.unread == (
        ("partitions.conf Q_Key", 1),
        ("partitions.conf mgid", 1),
        ("partitions.conf scope", 1),
    )
    sm = result.model.subnet_manager
    assert sm is not None
    assert sm.partitions == (
        Partition(
            "Default", 0x7FFF, (PartitionMember("ALL"), PartitionMember("SELF", Membership.FULL)), ipoib=True, scope=2
        ),
        Partition("a", 1, (PartitionMember(1, Membership.FULL), PartitionMember(2))),
        Partition("0003", 3, (PartitionMember("ALL"),)),
    )


def test_what_opensm_makes_of_wrong_partitions() -> None:
    text = "a=0x18003, ip, sl=99, defmember=f : ALL=Full, 0x1=b;\nb=0 : AL;\n"
    assert manager({"opensm.conf": "", "partitions.conf": text}).partitions == (
        Partition(
            "a",
            3,
            (PartitionMember("ALL", Membership.LIMITED), PartitionMember(1, Membership.BOTH)),
            ipoib=True,
            default_membership=Membership.FULL,
        ),
        Partition("b", None, (PartitionMember("ALL"),)),
    )


def test_policy_sections_that_are_not_read_are_counted() -> None:
    text = (
        "port-groups\n  port-group\n    name: Storage\n    port-guid: 0x1\n  end-port-group\nend-port-groups\n"
        "qos-setup\nend-qos-setup\n"
        "qos-levels # levels\n qos-level\n  name: default\n  use: the rest\n  sl: 0\n end-qos-level\nend-qos-levels\n"
        "qos-match-rules\n qos-match-rule\n  source: Storage\n  qos-level-name: default\n end-qos-match-rule\n"
        "end-qos-match-rules\n"
        "qos-ulps\n SDP , port-num 10000-20000 : 1\nend-qos-ulps\n"
    )
    result = read({"opensm.conf": "", "qos-policy.conf": text})
    assert result.diagnostics == ()
    assert result.model is not None
    assert [name for name, _ in result.model.unread] == [
        f"qos-policy.conf {name}" for name in ("port-groups", "qos-match-rules", "qos-setup", "use")
    ]
    sm = result.model.subnet_manager
    assert sm is not None
    assert sm.qos_policy == QosPolicy((QosLevel("default", 0),), (UlpRule("SDP , port-num 10000-20000", 1),))


def test_netlist_of_a_real_fabric() -> None:
    """Read what ibnetdiscover prints of a two-port adapter whose port GUIDs are its own, and of an odd width."""
    text = (
        "# Topology file: generated on Mon Dec  1 10:00:00 2025\n"
        "#\n"
        "# Initiated from node 946dae0300000010 port 946dae0300000010\n"
        "\n"
        "vendid=0x2c9\n"
        "devid=0xd2f2\n"
        "sysimgguid=0xb83fd20300000000\n"
        "switchguid=0xb83fd20300000000(b83fd20300000000)\n"
        'Switch\t65 "S-b83fd20300000000"\t\t# "MF0;leaf-1:MQM9700/U1" enhanced port 0 lid 1 lmc 0\n'
        '[1]\t"H-946dae0300000010"[1](946dae0300000010) \t\t# "node-1 mlx5_0" lid 2 4xNDR\n'
        '[2]\t"H-946dae0300000010"[2](946dae0300000018) \t\t# "node-1 mlx5_0" lid 3 2xHDR\n'
        "\n"
        "vendid=0x2c9\n"
        "devid=0x1021\n"
        "sysimgguid=0x946dae0300000010\n"
        "caguid=0x946dae0300000010\n"
        'Ca\t2 "H-946dae0300000010"\t\t# "node-1 mlx5_0"\n'
        '[1](946dae0300000010) \t"S-b83fd20300000000"[1]\t\t# lid 2 lmc 0 "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR\n'
        '[2](946dae0300000018) \t"S-b83fd20300000000"[2]\t\t# lid 3 lmc 0 "MF0;leaf-1:MQM9700/U1" lid 1 2xHDR\n'
    )
    result = read({"opensm.conf": "", "fabric.netlist": text})
    assert result.diagnostics == ()
    nodes = manager({"opensm.conf": "", "fabric.netlist": text}).nodes
    assert [(hex(node.guid), node.description, node.port_count) for node in nodes] == [
        ("0x946dae0300000010", "node-1 mlx5_0", 1),
        ("0x946dae0300000018", "node-1 mlx5_0", 1),
        ("0xb83fd20300000000", "MF0;leaf-1:MQM9700/U1", 65),
    ]
    assert [(port.number, hex(port.peer_guid), port.peer_port, port.speed_gbps) for port in nodes[2].ports] == [
        (1, "0x946dae0300000010", 1, 400),
        (2, "0x946dae0300000018", 1, 100),
    ]
    assert [node.ports[0].peer_port for node in nodes[:2]] == [1, 2]


def test_the_name_of_the_device() -> None:
    conf = "lmc 0\n"
    for files, prefix, name in [
        ({"opensm.conf": "# Host: sm-01\n" + conf}, "out/compute/subnet-manager/", "sm-01"),
        ({"opensm.conf": conf}, "etc/sm-02/", "sm-02"),
        ({"opensm.conf": conf}, "", "subnet-manager"),
    ]:
        model = read(files, prefix).model
        assert model is not None
        assert model.name == name


def test_files_in_folders_are_found_by_their_last_name() -> None:
    result = read({"etc/opensm/opensm.conf": "lmc 9\n"}, "host/")
    assert [finding.span for finding in result.diagnostics] == [Span("host/etc/opensm/opensm.conf", 1, 5)]


@pytest.mark.parametrize(
    ("name", "text", "known"),
    [
        ("etc/opensm.conf", "", True),
        ("partitions.conf", "", True),
        ("guid2lid", "", True),
        ("fabric.netlist", "", True),
        ("sm.conf", "#\n# DEVICE ATTRIBUTES OPTIONS\n#\n", True),
        ("config_db.json", "{}", False),
        ("frr.conf", "router bgp 1", False),
    ],
)
def test_recognises(name: str, text: str, known: bool) -> None:
    assert PLATFORM.recognises(name, text) is known


def test_every_feature_has_an_answer() -> None:
    assert set(PLATFORM.supports) == set(Feature)
    assert [feature for feature in Feature if PLATFORM.refusal(feature) is None] == [
        Feature.INFINIBAND,
        Feature.PARTITIONS,
        Feature.IB_QOS,
    ]
    assert PLATFORM.refusal(Feature.BFD) == "OpenSM manages InfiniBand subnets; BFD belongs to Ethernet switches"


def test_options_name_every_file_in_the_samples() -> None:
    assert [line.split()[0] for line in ALL_FILES.splitlines()] == sorted(part.option for part in PARTS if part.option)

"""The exact text of each file, and what is refused rather than written wrongly."""

from __future__ import annotations

import pytest

from fabricgen.device import (
    DeviceModel,
    Membership,
    Partition,
    PartitionMember,
    QosLevel,
    QosPolicy,
    SubnetManager,
    UlpRule,
)
from fabricgen.platforms.opensm import PLATFORM
from tests.platforms.opensm.fat_tree import TreeSize, fat_tree


def device(**fields: object) -> DeviceModel:
    """Return a device with a Subnet Manager."""
    return DeviceModel("subnet-manager", "opensm", subnet_manager=SubnetManager(**fields))  # type: ignore[arg-type]


def emit(**fields: object) -> dict[str, str]:
    """Return the files of a Subnet Manager."""
    return dict(PLATFORM.emit(device(**fields)))


def test_options_as_printed() -> None:
    files = emit(options=(("lmc", "0"), ("qos", "TRUE"), ("routing_engine", "ftree,updn")))
    assert files == {
        "opensm.conf": (
            "# OpenSM options; goes to /etc/opensm/opensm.conf. Options that are not here have OpenSM's own defaults.\n"
            "# Host: subnet-manager\n"
            "\n"
            "lmc 0\n"
            "qos TRUE\n"
            "routing_engine ftree,updn\n"
        )
    }


def test_guid_lists_as_printed() -> None:
    files = emit(
        options=(("io_guid_file", "/etc/opensm/storage"),),
        root_guids=(0xB83FD203,),
        compute_guids=(2, 1),
        io_guids=(3,),
    )
    assert files["root_guids.conf"].splitlines()[1:] == ["0x00000000b83fd203"]
    assert files["cn_guids.conf"].splitlines()[1:] == ["0x0000000000000002", "0x0000000000000001"]
    assert files["storage"] == (
        "# Port GUIDs of I/O nodes (io_guid_file); goes to /etc/opensm/storage.\n0x0000000000000003\n"
    )


def test_partitions_as_printed() -> None:
    default = Partition(
        "Default",
        0x7FFF,
        (PartitionMember("ALL", Membership.LIMITED), PartitionMember("SELF", Membership.FULL)),
        ipoib=True,
    )
    tenant = Partition(
        "tenant-a",
        0xA01,
        (PartitionMember(0x946DAE0300200001),),
        default_membership=Membership.FULL,
        mtu_code=5,
        rate_code=21,
        service_level=1,
        scope=2,
        index0=True,
    )
    files = emit(partitions=(default, tenant, Partition("empty", 1, ())))
    assert files["partitions.conf"] == (
        "# Partitions (partition_config_file); goes to /etc/opensm/partitions.conf.\n"
        "\n"
        "Default=0x7fff, ipoib :\n"
        "    ALL=limited,\n"
        "    SELF=full;\n"
        "\n"
        "tenant-a=0x0a01, indx0, defmember=full, mtu=5, rate=21, sl=1, scope=2 :\n"
        "    0x946dae0300200001;\n"
        "\n"
        "empty=0x0001 : ;\n"
    )


def test_policy_as_printed() -> None:
    policy = QosPolicy((QosLevel("DEFAULT", 0), QosLevel("fast", 1, 5, 21, 0xA01)), (UlpRule("ipoib, pkey 0x0a01", 4),))
    assert emit(qos_policy=policy)["qos-policy.conf"] == (
        "# QoS policy (qos_policy_file); goes to /etc/opensm/qos-policy.conf. Needs `qos TRUE` in opensm.conf.\n"
        "\n"
        "qos-levels\n"
        "    qos-level\n"
        "        name: DEFAULT\n"
        "        sl: 0\n"
        "    end-qos-level\n"
        "    qos-level\n"
        "        name: fast\n"
        "        sl: 1\n"
        "        mtu-limit: 5\n"
        "        rate-limit: 21\n"
        "        pkey: 0x0a01\n"
        "    end-qos-level\n"
        "end-qos-levels\n"
        "\n"
        "qos-ulps\n"
        "    ipoib, pkey 0x0a01 : 4\n"
        "end-qos-ulps\n"
    )


def test_names_and_lids_as_printed() -> None:
    files = emit(
        options=(("lmc", "2"), ("node_name_map_name", "/etc/opensm/names")),
        node_names=((16, "leaf-1"),),
        lids=((16, 4),),
    )
    assert files["names"].splitlines()[1:] == ['0x0000000000000010 "leaf-1"']
    assert files["guid2lid"] == "0x0000000000000010 0x0004 0x0007\n\n"


@pytest.mark.parametrize(("esp0", "last"), [("FALSE", "0x0004"), ("TRUE", "0x0007")])
def test_a_switch_has_one_lid_unless_lmc_esp0_is_set(esp0: str, last: str) -> None:
    tree = fat_tree(TreeSize(1, 1, 1), engine="updn").subnet_manager
    assert tree is not None
    switch = tree.nodes[-1].guid
    files = emit(options=(("lmc", "2"), ("lmc_esp0", esp0)), nodes=tree.nodes, lids=((switch, 4),))
    assert files["guid2lid"].split()[1:] == ["0x0004", last]


def test_netlist_as_printed() -> None:
    tree = fat_tree(TreeSize(1, 1, 1), engine="updn")
    assert PLATFORM.emit(tree)["fabric.netlist"].splitlines()[2:] == [
        "caguid=0x946dae0300200000",
        'Ca\t1 "H-946dae0300200000"\t\t# "node-1 HCA-1"',
        '[1](946dae0300200001) \t"S-b83fd20300010000"[1]\t\t# lid 0 lmc 0 "leaf-1" lid 0 4xNDR',
        "",
        "switchguid=0xb83fd20300000000(b83fd20300000000)",
        'Switch\t64 "S-b83fd20300000000"\t\t# "spine-1" enhanced port 0 lid 0 lmc 0',
        '[1]\t"S-b83fd20300010000"[2]\t\t# "leaf-1" lid 0 4xNDR',
        "",
        "switchguid=0xb83fd20300010000(b83fd20300010000)",
        'Switch\t64 "S-b83fd20300010000"\t\t# "leaf-1" enhanced port 0 lid 0 lmc 0',
        '[1]\t"H-946dae0300200000"[1](946dae0300200001)\t\t# "node-1 HCA-1" lid 0 4xNDR',
        '[2]\t"S-b83fd20300000000"[1]\t\t# "spine-1" lid 0 4xNDR',
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"options": (("log_prefix", "a # b"),)},
        {"options": (("log_prefix", '"quoted"'),)},
        {"options": (("log_prefix", " blank"),)},
        {"options": (("two words", "1"),)},
        {"options": (("log_prefix", "x" * 2000),)},
        {"partitions": (Partition("a:b", 1, ()),)},
        {"partitions": (Partition("12", None, ()),)},
        {"partitions": (Partition("a", 0x8001, ()),)},
        {"partitions": (Partition("a", 1, (PartitionMember("everyone"),)),)},
        {"qos_policy": QosPolicy((QosLevel("two words", 0),))},
        {"qos_policy": QosPolicy(ulps=(UlpRule("mpi", 0),))},
        {"node_names": ((1, 'a"b'),)},
        {"lids": ((1, 0),)},
        {"lids": ((1, 0xC000),)},
        {"options": (("lmc", "1"),), "lids": ((1, 0xBFFF),)},
        {"options": (("root_guid_file", "/a/x"), ("cn_guid_file", "/b/x")), "root_guids": (1,), "compute_guids": (1,)},
    ],
)
def test_what_cannot_be_written_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"cannot be written|no partition key|no member|would be named"):
        emit(**fields)


def test_a_device_without_a_subnet_manager_is_refused() -> None:
    with pytest.raises(ValueError, match="leaf-1 has no Subnet Manager"):
        PLATFORM.emit(DeviceModel("leaf-1", "sonic"))


def test_netlist_refuses_what_it_has_no_word_for() -> None:
    nodes = fat_tree(TreeSize(1, 1, 1), engine="updn", speed_gbps=25).subnet_manager
    assert nodes is not None
    with pytest.raises(ValueError, match="cannot be written to a netlist"):
        emit(nodes=nodes.nodes)
    with pytest.raises(ValueError, match="cannot be written to a netlist"):
        emit(nodes=nodes.nodes[:1])

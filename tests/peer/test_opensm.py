"""The real OpenSM, on ibsim, takes every file that the platform prints, and fails as the reader says it does.

Measured with OpenSM 3.3.23, ibsim 0.10 and infiniband-diags 44.0 (Debian 12).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.device import DeviceModel, IbNode, IbNodeKind, Partition, QosLevel, QosPolicy, SubnetManager, UlpRule
from fabricgen.platforms.opensm import PLATFORM
from fabricgen.platforms.opensm.options import options
from fabricgen.rehearsal.bench import LONGEST_ECHO, PROGRAMS, BenchError, opensm_defaults, run_opensm
from fabricgen.rehearsal.result import BenchResult
from tests.conftest import ROOT
from tests.peers import require
from tests.platforms.opensm.fat_tree import TreeSize, fat_tree
from tests.platforms.opensm.samples import read

pytestmark = pytest.mark.peer

ENGINES = ("ftree", "updn", "minhop")
SMALL = TreeSize(leaves=2, spines=2, adapters=8)
SCALABLE_UNIT = TreeSize(leaves=8, spines=4, adapters=256)


@pytest.fixture(autouse=True)
def _peers() -> None:
    require(*PROGRAMS)


def subnet_manager(model: DeviceModel) -> SubnetManager:
    """Return the Subnet Manager of a model that has one."""
    assert model.subnet_manager is not None
    return model.subnet_manager


def adapters(model: DeviceModel) -> list[IbNode]:
    """Return the adapters of the subnet."""
    return [node for node in subnet_manager(model).nodes if node.kind is IbNodeKind.ADAPTER]


def same_value(echoed: str, wanted: str) -> bool:
    """Compare values as OpenSM does: numbers by value."""
    try:
        return int(echoed, 0) == int(wanted, 0)
    except ValueError:
        return echoed == wanted


def echoed_wrongly(model: DeviceModel, result: BenchResult, work: Path) -> list[str]:
    """Return the options that differ from OpenSM's default and that OpenSM did not take as they are."""
    defaults = opensm_defaults(work)
    wrong = []
    for name, value in subnet_manager(model).options:
        echo = result.options.get(name)
        if same_value(defaults[name], value) and echo is None:
            continue
        # The bench moves files into its own directory.
        wanted = str(work / "bench" / Path(value).name) if value.startswith("/") else value
        wanted = wanted[: LONGEST_ECHO - len(f" Loading Cached Option:{name} = ")]
        if echo is None or not same_value(echo, wanted):
            wrong.append(f"{name}: {echo} instead of {wanted}")
    return wrong


@pytest.mark.parametrize("size", [SMALL, SCALABLE_UNIT], ids=["8-adapters", "256-adapters"])
@pytest.mark.parametrize("engine", ENGINES)
def test_opensm_runs_what_was_printed(engine: str, size: TreeSize, tmp_path: Path) -> None:
    model = fat_tree(size, engine=engine, tenant=True)
    outsider, *_, full, limited = [node.guid for node in adapters(model)]
    files = PLATFORM.emit(model)
    assert read(files).diagnostics == ()
    result = run_opensm(files, tmp_path / "bench", pkeys_of=(outsider, full, limited))
    assert result.subnet_up
    assert result.engine == engine
    assert result.problems == ()
    assert echoed_wrongly(model, result, tmp_path) == []
    assert len(result.nodes) == sum(size)
    assert result.nodes == result.asked_nodes
    assert len(result.links) == 2 * size.adapters
    assert result.links == result.asked_links
    assert result.lids == dict(subnet_manager(model).lids)
    assert len(result.tables) == size.leaves + size.spines
    assert result.routing_faults() == []
    # OpenSM itself runs on the first adapter: SELF, a full member of the default partition.
    assert result.pkeys == {outsider: (0xFFFF,), full: (0x8A01, 0x7FFF), limited: (0x0A01, 0x7FFF)}


@pytest.mark.parametrize(
    "inventory", ["inventories/ib-dgx-h100-1su", "inventories/pcie-as4125gs-8", "tests/golden/tiny-ib"]
)
def test_opensm_runs_a_built_inventory(inventory: str, tmp_path: Path) -> None:
    """The whole way: a shipped inventory, planned, lowered and printed."""
    plans = api.plan(api.load(ROOT / inventory))
    [(fabric, model)] = [
        (fabric.fabric.name, model) for fabric in plans.fabrics for model in fabric.models if model.subnet_manager
    ]
    folder = f"{fabric}/subnet-manager/"
    files = {path.removeprefix(folder): text for path, text in api.emit(plans).items() if path.startswith(folder)}
    assert read(files).model == model
    assert read(files).diagnostics == ()
    result = run_opensm(files, tmp_path / "bench")
    assert result.problems == ()
    assert result.engine == (subnet_manager(model).option("routing_engine") or "").split(",")[0]
    assert echoed_wrongly(model, result, tmp_path) == []
    assert (result.nodes, result.links) == (result.asked_nodes, result.asked_links)
    assert result.lids == dict(subnet_manager(model).lids)
    assert len(result.adapter_lids()) == len(adapters(model)) > 0
    assert result.routing_faults() == []


def test_what_ibnetdiscover_finds_is_the_model(tmp_path: Path) -> None:
    model = fat_tree(SMALL, engine="updn", speed_gbps=200)
    result = run_opensm(PLATFORM.emit(model), tmp_path / "bench")
    found = read({"opensm.conf": "", "fabric.netlist": result.netdiscover})
    assert found.diagnostics == ()
    assert found.model is not None
    assert subnet_manager(found.model).nodes == subnet_manager(model).nodes


def test_qos_policy_and_tables(tmp_path: Path) -> None:
    policy = QosPolicy(
        (QosLevel("DEFAULT", 0), QosLevel("fast-1", 1, mtu_limit=4, rate_limit=7, pkey=0x0A01)),
        (UlpRule("any, pkey 0x0a01", 2), UlpRule("srp, target-port-guid 0x946dae0300200001", 3), UlpRule("sdp", 1)),
    )
    tables = {
        "qos": "TRUE",
        "qos_policy_file": "/etc/opensm/qos-policy.conf",
        "qos_max_vls": "2",
        "qos_high_limit": "0",
        "qos_vlarb_high": "0:64,1:192",
        "qos_vlarb_low": "0:64,1:64",
        "qos_sl2vl": ",".join(["0", "1"] * 8),
    }
    model = with_parts(fat_tree(SMALL, engine="updn", options=tables, tenant=True), qos_policy=policy)
    files = PLATFORM.emit(model)
    assert read(files).diagnostics == ()
    result = run_opensm(files, tmp_path / "bench")
    assert result.problems == ()
    assert echoed_wrongly(model, result, tmp_path) == []


def test_partitions_of_every_form(tmp_path: Path) -> None:
    """An empty partition, and every flag, are taken without a complaint."""
    # With `qos TRUE` a policy must be there, else OpenSM logs ERR AC01.
    model = with_parts(
        fat_tree(SMALL, engine="updn", options={"qos": "TRUE"}), qos_policy=QosPolicy((QosLevel("DEFAULT", 0),))
    )
    default = (subnet_manager(model).partitions or ())[0]
    more = (
        dataclasses.replace(default, mtu_code=4, rate_code=7, service_level=1, scope=2, index0=True),
        Partition("nobody", 0x0001, ()),
        Partition("0123", 0x0123, default.members),
    )
    files = PLATFORM.emit(with_parts(model, partitions=more))
    assert read(files).diagnostics == ()
    first = adapters(model)[0].guid
    result = run_opensm(files, tmp_path / "bench", pkeys_of=(first,))
    assert result.problems == ()
    assert result.pkeys[first] == (0xFFFF, 0x8123)


def test_the_lid_cache_is_kept_to_without_honor_guid2lid_file(tmp_path: Path) -> None:
    """The option is only about a standby that takes over (osm_lid_mgr.c); at the start the cache always counts."""
    model = fat_tree(SMALL, engine="updn", options={"honor_guid2lid_file": "FALSE"})
    assert run_opensm(PLATFORM.emit(model), tmp_path / "bench").lids == dict(subnet_manager(model).lids)


def test_every_option_and_default_of_the_table(tmp_path: Path) -> None:
    known = {name: option.default for name, option in options().items() if option.since == "3.3.23"}
    installed = opensm_defaults(tmp_path)
    newer = {name for name, option in options().items() if option.since != "3.3.23"}
    assert {name: value for name, value in installed.items() if name not in newer} == known


def test_opensm_s_own_default_file_has_no_finding(tmp_path: Path) -> None:
    opensm_defaults(tmp_path)
    result = read({"opensm.conf": (tmp_path / "defaults.conf").read_text()})
    missing = {found.summary.split("`")[1] for found in result.diagnostics if found.code == "FG615"}
    assert missing == {"partition_config_file", "qos_policy_file"}
    assert {found.code for found in result.diagnostics} == {"FG615"}


def with_parts(model: DeviceModel, **parts: object) -> DeviceModel:
    """Return the device with parts of its Subnet Manager replaced."""
    return dataclasses.replace(model, subnet_manager=dataclasses.replace(subnet_manager(model), **parts))  # type: ignore[arg-type]


def test_a_damaged_table_is_a_fault(tmp_path: Path) -> None:
    """The bench's own judge: tables that OpenSM did not write are found wrong."""
    result = run_opensm(PLATFORM.emit(fat_tree(SMALL, engine="updn")), tmp_path / "bench")
    adapter, lid = next(iter(sorted(result.adapter_lids().items())))
    leaf = next(far for link in result.links for far, _ in link if adapter in dict(link) and far != adapter)
    other = next(switch for switch in result.tables if switch != leaf and result.tables[switch].get(lid, 0) > 4)

    def faults(port: int | None, switch: str) -> list[str]:
        table = {key: value for key, value in result.tables[switch].items() if key != lid or port is not None}
        table |= {} if port is None else {lid: port}
        return dataclasses.replace(result, tables={**result.tables, switch: table}).routing_faults()

    assert "has no way" in faults(None, leaf)[0]
    assert "arrives at" in faults(2, leaf)[0]
    assert any("a loop" in fault for fault in faults(5, leaf))
    assert faults(result.tables[other][lid], other) == []


Damage = Callable[[dict[str, str]], dict[str, str]]


def replaced(name: str, old: str, new: str) -> Damage:
    """Return a function that changes a text in one file."""

    def damage(files: dict[str, str]) -> dict[str, str]:
        assert old in files[name]
        return {**files, name: files[name].replace(old, new, 1)}

    return damage


def added(name: str, line: str) -> Damage:
    """Return a function that adds a line to one file."""
    return lambda files: {**files, name: files[name] + line + "\n"}


def removed(name: str) -> Damage:
    """Return a function that removes a file; its path still stands in opensm.conf."""

    def damage(files: dict[str, str]) -> dict[str, str]:
        conf = files["opensm.conf"].replace(f"/etc/opensm/{name}", f"/nonexistent/{name}")
        return {key: text for key, text in {**files, "opensm.conf": conf}.items() if key != name}

    return damage


FALLS_TO_MINHOP = [
    pytest.param(replaced("opensm.conf", "routing_engine ftree", "routing_engine fatree"), "FG613", id="engine"),
    pytest.param(replaced("opensm.conf", "routing_engine ftree", "routing_engine ar_ftree"), "FG613", id="nvidia"),
    pytest.param(replaced("opensm.conf", "routing_engine", "routing_engin"), "FG610", id="option"),
    pytest.param(added("cn_guids.conf", "garbage"), "FG617", id="compute GUID"),
    pytest.param(lambda files: {**files, "cn_guids.conf": "# none\n"}, "FG620", id="no compute GUID"),
]


@pytest.mark.parametrize(("damage", "code"), FALLS_TO_MINHOP)
def test_what_lets_opensm_fall_to_minhop_is_found(damage: Damage, code: str, tmp_path: Path) -> None:
    files = damage(dict(PLATFORM.emit(fat_tree(SMALL, engine="ftree"))))
    result = run_opensm(files, tmp_path / "bench")
    assert result.subnet_up
    assert result.engine == "minhop"
    assert code in [finding.code for finding in read(files).diagnostics]


EVERYONE_FULL = [
    pytest.param(replaced("partitions.conf", "ALL=limited", "all=limited"), "FG629", id="lower-case all"),
    pytest.param(replaced("partitions.conf", " :\n", "\n"), "FG621", id="no colon"),
    pytest.param(replaced("partitions.conf", "0x946dae0300200008", "946dae0300200008"), "FG617", id="no 0x"),
    pytest.param(lambda files: {**files, "partitions.conf": "# none\n"}, "FG621", id="empty"),
    pytest.param(removed("partitions.conf"), "FG615", id="missing"),
]


@pytest.mark.parametrize(("damage", "code"), EVERYONE_FULL)
def test_what_makes_everyone_a_full_member_is_found(damage: Damage, code: str, tmp_path: Path) -> None:
    model = fat_tree(SMALL, engine="updn", tenant=True)
    files = damage(dict(PLATFORM.emit(model)))
    limited = adapters(model)[-1].guid
    result = run_opensm(files, tmp_path / "bench", pkeys_of=(limited,))
    assert result.subnet_up
    assert result.pkeys[limited] == (0xFFFF,)
    found = read(files)
    assert code in [finding.code for finding in found.diagnostics]
    assert found.model is not None
    assert subnet_manager(found.model).partitions is None


PKEYS = [
    # (damage, code, the partition table of a full member of the tenant)
    pytest.param(replaced("partitions.conf", "200007=full", "200007=Full"), "FG624", (0x0A01, 0x7FFF), id="=Full"),
    pytest.param(replaced("partitions.conf", "200007=full", "200007=fu"), "FG624", (0x8A01, 0x7FFF), id="=fu"),
    pytest.param(replaced("partitions.conf", "=0x0a01", "=0x12345"), "FG625", (0xA345, 0x7FFF), id="0x12345"),
    pytest.param(replaced("partitions.conf", "=0x0a01", "=0x8000"), "FG625", (0x8001, 0x7FFF), id="0x8000"),
    pytest.param(replaced("partitions.conf", "=0x0a01", "=0x8a01"), "FG626", (0x8A01, 0x7FFF), id="0x8a01"),
    pytest.param(replaced("partitions.conf", "=0x0a01", ""), "FG627", (0x8001, 0x7FFF), id="none"),
    pytest.param(replaced("partitions.conf", "200007=full", "200007=full extra"), "FG624", (0x0A01, 0x7FFF), id="tail"),
]


@pytest.mark.parametrize(("damage", "code", "table"), PKEYS)
def test_what_opensm_makes_of_partitions_is_what_is_read(
    damage: Damage, code: str, table: tuple[int, ...], tmp_path: Path
) -> None:
    model = fat_tree(SMALL, engine="updn", tenant=True)
    files = damage(dict(PLATFORM.emit(model)))
    guid = adapters(model)[-2].guid
    result = run_opensm(files, tmp_path / "bench", pkeys_of=(guid,))
    assert result.pkeys[guid] == table
    found = read(files)
    assert [finding.code for finding in found.diagnostics] == [code]
    assert found.model is not None
    tenant = (subnet_manager(found.model).partitions or ())[1]
    membership = next(member.membership for member in tenant.members if member.member == guid)
    assert (tenant.pkey or table[0] & 0x7FFF, membership) == (
        table[0] & 0x7FFF,
        "full" if table[0] >> 15 else "limited",
    )


def test_qos_true_is_false(tmp_path: Path) -> None:
    files = added("opensm.conf", "qos true")(dict(PLATFORM.emit(fat_tree(SMALL, engine="updn"))))
    result = run_opensm(files, tmp_path / "bench")
    assert result.subnet_up
    assert result.problems == ()
    assert "qos" not in result.options
    assert [finding.code for finding in read(files).diagnostics] == ["FG611"]


@pytest.mark.parametrize(
    ("line", "code", "complaint"),
    [
        ("lmc 9", "FG611", "Invalid Cached Option Value:lmc = 9"),
        ("max_wire_smps2 abc", "FG611", "-E- Parsing error in field max_wire_smps2"),
        ("foo_bar 1", "FG610", 'Unrecognized token: "foo_bar"'),
    ],
)
def test_what_opensm_says_on_standard_output_only(line: str, code: str, complaint: str, tmp_path: Path) -> None:
    files = added("opensm.conf", line)(dict(PLATFORM.emit(fat_tree(SMALL, engine="updn"))))
    result = run_opensm(files, tmp_path / "bench")
    assert result.subnet_up
    assert any(complaint in problem for problem in result.problems)
    assert complaint not in result.log
    assert [finding.code for finding in read(files).diagnostics] == [code]


def test_a_bad_line_loses_the_whole_name_map(tmp_path: Path) -> None:
    files = dict(PLATFORM.emit(fat_tree(SMALL, engine="updn")))
    files["node-name-map"] += 'spine-9 "0xb83fd20300000000"\n'
    result = run_opensm(files, tmp_path / "bench")
    assert any("WARNING failed to parse node name map" in problem for problem in result.problems)
    found = read(files)
    assert [finding.code for finding in found.diagnostics] == ["FG617"]
    assert found.model is not None
    assert subnet_manager(found.model).node_names == ()


def test_a_comment_in_the_lid_cache_is_an_error(tmp_path: Path) -> None:
    files = dict(PLATFORM.emit(fat_tree(SMALL, engine="updn")))
    files["guid2lid"] = "# comment\n\n" + files["guid2lid"]
    result = run_opensm(files, tmp_path / "bench")
    assert any("Key:# is invalid" in problem for problem in result.problems)
    assert [finding.code for finding in read(files).diagnostics] == ["FG634"]


POLICIES = [
    ("qos-levels\n qos-level\n name: A\n sl: 0\n end-qos-level\nend-qos-levels\n", "FG632", "Default qos-level"),
    ("qos-ulps\n sdp : 1\nend-qos-ulps\n", "FG632", "Default qos-level"),
    ("# none\n", "FG632", "Default qos-level"),
    ("qos-ulps\n default : 16\nend-qos-ulps\n", "FG631", "illegal SL value"),
    ("qos-levels\n qos-level\n name: DEFAULT\n sl: 0\n mtu-limit: 9\n end-qos-level\nend-qos-levels\n", "FG631", "mtu"),
    ("qos-levels\n qos-level\n name: DEFAULT\n end-qos-level\nend-qos-levels\n", "FG630", "no 'sl' specified"),
    ("qos-levels\n qos-level\n sl: 0\n sl: 1\n end-qos-level\nend-qos-levels\n", "FG630", "multiple 'sl' tags"),
    ("qos-ulps\n default : 0\n mpi : 1\nend-qos-ulps\n", "FG630", "syntax error"),
    ("qos-ulps\n default : 0\n", "FG630", "syntax error"),
]


@pytest.mark.parametrize(("policy", "code", "complaint"), POLICIES)
def test_a_policy_that_opensm_drops_is_found(policy: str, code: str, complaint: str, tmp_path: Path) -> None:
    conf = {"qos": "TRUE", "qos_policy_file": "/etc/opensm/qos-policy.conf"}
    files = dict(PLATFORM.emit(fat_tree(SMALL, engine="updn", options=conf))) | {"qos-policy.conf": policy}
    result = run_opensm(files, tmp_path / "bench")
    assert result.subnet_up
    assert any(complaint in problem for problem in result.problems)
    assert any("QoS policy file" in problem for problem in result.problems)
    found = read(files)
    assert code in {finding.code for finding in found.diagnostics}
    assert found.model is not None
    assert subnet_manager(found.model).qos_policy is None


@pytest.mark.parametrize(
    "damage",
    [
        replaced("fabric.netlist", "[1](", "[9]("),
        replaced("fabric.netlist", '"S-b83fd20300010000"[1]', '"S-b83fd20300099999"[1]'),
        replaced("fabric.netlist", "switchguid=0xb83fd20300000010", "switchguid=0xb83fd20300000000"),
    ],
)
def test_what_ibsim_refuses_is_found(damage: Damage, tmp_path: Path) -> None:
    files = damage(dict(PLATFORM.emit(fat_tree(SMALL, engine="updn"))))
    with pytest.raises(BenchError, match=r"exit status 255 before 'Network simulator ready\.'"):
        run_opensm(files, tmp_path / "bench")
    assert {finding.code for finding in read(files).diagnostics} & {"FG618", "FG636", "FG637"}

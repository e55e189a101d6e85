"""Inputs that OpenSM takes without an error: each must be a finding at its place.

What OpenSM does with each was measured with OpenSM 3.3.23 on ibsim 0.10; tests/peer/test_opensm.py shows some again.
"""

from __future__ import annotations

import pytest

from tests.platforms.opensm.samples import alone, findings, manager, read

OPTIONS = [
    # (line of opensm.conf, code, column)
    pytest.param("foo_bar 1", "FG610", 1, id="unknown option: a line on stdout only"),
    pytest.param("routing_engin ftree", "FG610", 1, id="misspelt option"),
    pytest.param("ar_mode 1", "FG610", 1, id="option of NVIDIA's OpenSM"),
    pytest.param("qos true", "FG611", 5, id="qos true is FALSE"),
    pytest.param("qos yes", "FG611", 5, id="qos yes is FALSE"),
    pytest.param("qos", "FG611", 4, id="boolean without a value"),
    pytest.param("lmc 9", "FG611", 5, id="lmc 9 becomes 0"),
    pytest.param("lmc -1", "FG611", 5, id="lmc -1 is refused"),
    pytest.param("lmc 010", "FG611", 5, id="leading zero is octal"),
    pytest.param("sm_priority 99", "FG611", 13, id="priority 99 becomes 0"),
    pytest.param("force_link_speed_ext 99", "FG611", 22, id="speed 99 becomes 31"),
    pytest.param("max_wire_smps abc", "FG611", 15, id="not a number"),
    pytest.param("qos_sl2vl 0,1,2", "FG611", 11, id="sl2vl too short: the rest goes to VL 0"),
    pytest.param("qos_sl2vl " + ",".join(["99"] * 16), "FG611", 11, id="VL 99 is cut and written"),
    pytest.param("qos_vlarb_high 0:300", "FG611", 16, id="weight 300 is cut and written"),
    pytest.param("qos_vlarb_low 20:1", "FG611", 15, id="VL 20 is cut and written"),
    pytest.param("part_enforce inn", "FG611", 14, id="unknown word"),
    pytest.param("root_guid_file root_guids", "FG611", 16, id="relative path"),
    pytest.param("routing_engine fatree", "FG613", 16, id="unknown engine: minhop"),
    pytest.param("routing_engine ar_ftree", "FG613", 16, id="NVIDIA's engine: minhop"),
    pytest.param("routing_engine foo,updn", "FG613", 16, id="unknown engine first"),
    pytest.param("routing_engine ftree, foo", "FG613", 23, id="unknown engine second"),
    pytest.param("log_file /" + "x" * 1100, "FG614", 1022, id="line longer than the buffer"),
]


@pytest.mark.parametrize(("line", "code", "column"), OPTIONS)
def test_options(line: str, code: str, column: int) -> None:
    found = findings({"opensm.conf": f"# first\n{line}   # why\n", "root_guids": "0x1\n"})
    assert (code, f"sm/opensm.conf:2:{column}") in found
    assert {name for name, _ in found} <= {code, "FG615"}


GUIDS = [
    pytest.param("b83fd20300000000", "FG617", 1, None, id="no 0x: the file is dropped"),
    pytest.param("1234", "FG617", 1, (1234,), id="no 0x: a decimal number"),
    pytest.param("0010", "FG617", 1, (8,), id="no 0x: an octal number"),
    pytest.param("0x1234g", "FG617", 1, None, id="not hex"),
    pytest.param("garbage", "FG617", 1, None, id="garbage"),
    pytest.param("0x0", "FG617", 1, None, id="zero"),
    pytest.param("0x1b83fd20300000000", "FG617", 1, (2**64 - 1,), id="more than 64 bits"),
    pytest.param("0x7", "FG618", 1, (7,), id="listed twice"),
    pytest.param("0x8 0x9", "FG619", 5, (7, 8), id="second GUID of a line is skipped"),
]


@pytest.mark.parametrize("file", ["root_guids.conf", "cn_guids.conf", "io_guids.conf"])
@pytest.mark.parametrize(("line", "code", "column", "kept"), GUIDS)
def test_guid_lists(file: str, line: str, code: str, column: int, kept: tuple[int, ...] | None) -> None:
    files = alone(file, f"# first\n0x7\n{line}\n")
    assert findings(files) == [(code, f"sm/{file}:3:{column}")]
    sm = manager(files)
    read_guids = {"root": sm.root_guids, "cn": sm.compute_guids, "io": sm.io_guids}[file.partition("_")[0]]
    assert read_guids == (kept if kept is None or 7 in kept else (7, *kept))


def test_empty_guid_list() -> None:
    assert findings(alone("cn_guids.conf", "# none\n")) == [("FG620", "sm/cn_guids.conf:1:1")]


PARTITIONS = [
    # (text, code, line:column); text is written on line 2, after a sound definition
    pytest.param("a=0x1 : ALL=Full;", "FG624", "2:13", id="=Full is limited"),
    pytest.param("a=0x1 : ALL=fully;", "FG624", "2:13", id="=fully is limited"),
    pytest.param("a=0x1 : ALL=fu;", "FG624", "2:13", id="=fu is full, by its beginning"),
    pytest.param("a=0x1, defmember=Full : ALL;", "FG624", "2:18", id="defmember=Full"),
    pytest.param("a=0x1 : all=full;", "FG629", "2:9", id="all: the whole file is dropped"),
    pytest.param("a=0x1 : AL=full;", "FG629", "2:9", id="AL is ALL, by its beginning"),
    pytest.param("a=0x1 : leaf-1=full;", "FG629", "2:9", id="a host name"),
    pytest.param("a=0x1 : 0x12g=full;", "FG617", "2:9", id="bad GUID: the whole file is dropped"),
    pytest.param("a=0x1 : 1234=full;", "FG617", "2:9", id="decimal GUID"),
    pytest.param("a=0x1 : 0x1, 0x1=full;", "FG618", "2:14", id="member listed twice"),
    pytest.param("a=0x12345 : ALL;", "FG625", "2:3", id="pkey 0x12345 is 0x2345"),
    pytest.param("a=0x0 : ALL;", "FG625", "2:3", id="pkey 0 is one of OpenSM's choice"),
    pytest.param("a=0x8000 : ALL;", "FG625", "2:3", id="pkey 0x8000 is one of OpenSM's choice"),
    pytest.param("a=0x8001 : ALL;", "FG626", "2:3", id="pkey with the membership bit"),
    pytest.param("a=010 : ALL;", "FG625", "2:3", id="octal pkey"),
    pytest.param("a=key : ALL;", "FG621", "2:3", id="pkey that is no number"),
    pytest.param("a : ALL;", "FG627", "2:1", id="no pkey"),
    pytest.param("a=0x7fff : ALL;", "FG628", "2:1", id="same pkey twice"),
    pytest.param("a=0x1, ipiob : ALL;", "FG622", "2:8", id="unknown flag is ignored"),
    pytest.param("a=0x1, ip : ALL;", "FG622", "2:8", id="ip is ipoib, by its beginning"),
    pytest.param("a=0x1, mtu=9 : ALL;", "FG623", "2:12", id="mtu 9: no broadcast group"),
    pytest.param("a=0x1, mtu=4096 : ALL;", "FG623", "2:12", id="mtu in bytes"),
    pytest.param("a=0x1, rate=400 : ALL;", "FG623", "2:13", id="rate in Gb/s"),
    pytest.param("a=0x1, sl=20 : ALL;", "FG623", "2:11", id="sl 20 is ignored"),
    pytest.param("a=0x1, scope=0 : ALL;", "FG623", "2:14", id="scope 0 is ignored"),
    pytest.param("a=0x1, mtu : ALL;", "FG623", "2:11", id="mtu without a value"),
    pytest.param("a=0x1, ipoib", "FG621", "2:1", id="no colon on the line"),
    pytest.param("a=0x1 : ALL;;", "FG621", "2:13", id="empty definition"),
]


@pytest.mark.parametrize(("text", "code", "place"), PARTITIONS)
def test_partitions(text: str, code: str, place: str) -> None:
    files = alone("partitions.conf", f"Default=0x7fff : ALL=full;\n{text}\n")
    assert findings(files) == [(code, f"sm/partitions.conf:{place}")]


@pytest.mark.parametrize(
    "text", ["a=0x1 : all=full;", "a=0x1 : 0x12g=full;", "a=key : ALL;", "a=0x1, ipoib", "# nothing\n"]
)
def test_what_makes_opensm_drop_the_partitions_is_no_partition(text: str) -> None:
    assert manager(alone("partitions.conf", text)).partitions is None


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        pytest.param("qos-level\nname: A\n", 1, "FG630", id="level outside its section"),
        pytest.param(
            "qos-levels\nqos-level\nname: DEFAULT\nsl: 16\nend-qos-level\nend-qos-levels\n", 4, "FG631", id="sl"
        ),
        pytest.param("qos-levels\nqos-level\nname: DEFAULT\nend-qos-level\nend-qos-levels\n", 2, "FG630", id="no sl"),
        pytest.param(
            "qos-levels\nqos-level\nname: DEFAULT\nsl: 0\nmtu-limit: 4096\nend-qos-level\nend-qos-levels\n",
            5,
            "FG631",
            id="mtu in bytes",
        ),
        pytest.param(
            "qos-levels\nqos-level\nname: A\nsl: 0\nend-qos-level\nend-qos-levels\n", 1, "FG632", id="default"
        ),
        pytest.param("qos-ulps\ndefault : 0\nmpi : 3\nend-qos-ulps\n", 3, "FG630", id="MPI is no rule"),
        pytest.param("qos-ulps\ndefault : 0\nipoib, pkey : 3\nend-qos-ulps\n", 3, "FG630", id="rule without its value"),
        pytest.param("qos-ulps\ndefault : 0\n", 1, "FG630", id="section without an end"),
    ],
)
def test_qos_policy(text: str, line: int, code: str) -> None:
    files = alone("qos-policy.conf", text)
    found = findings(files)
    assert manager(files).qos_policy is None
    assert (code, line) in [(name, int(place.split(":")[1])) for name, place in found]


@pytest.mark.parametrize(
    ("line", "code", "column", "kept"),
    [
        pytest.param('spine-1 "0x2"', "FG617", 1, False, id="a bad line loses the whole map"),
        pytest.param("0x2 spine-1", "FG633", 5, True, id="no quotes"),
        pytest.param("0x2", "FG633", 4, True, id="no name"),
        pytest.param('0x2 "spi"ne"', "FG633", 5, True, id="a quote within"),
        pytest.param(f'0x2 "{"x" * 65}"', "FG633", 5, True, id="longer than a node description"),
        pytest.param('0x1 "spine-1"', "FG618", 1, True, id="listed twice"),
    ],
)
def test_name_map(line: str, code: str, column: int, kept: bool) -> None:
    files = alone("node-name-map", f'0x1 "leaf-1"\n{line}\n')
    assert findings(files) == [(code, f"sm/node-name-map:2:{column}")]
    assert ((1, "leaf-1") in manager(files).node_names) is kept


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param("# comment\n\n", "FG634", 3, id="comment"),
        pytest.param("0x2 0x0002\n\n", "FG634", 3, id="one LID only"),
        pytest.param("0x2 0x0000 0x0000\n\n", "FG634", 3, id="LID 0"),
        pytest.param("0x2 0xc000 0xc000\n\n", "FG634", 3, id="multicast LID"),
        pytest.param("0x2 0x0004 0x0006\n\n", "FG634", 3, id="no power of two"),
        pytest.param("0x2 0x0002 0x0002\n0x3 0x0003 0x0003\n", "FG634", 4, id="no empty line between"),
        pytest.param("0x2 0x0001 0x0001\n\n", "FG635", 3, id="LID taken"),
        pytest.param("0x1 0x0002 0x0002\n\n", "FG618", 3, id="GUID listed twice"),
        pytest.param("2 0x0002 0x0002\n\n", "FG617", 3, id="GUID without 0x"),
    ],
)
def test_lid_cache(text: str, code: str, line: int) -> None:
    files = alone("guid2lid", f"0x1 0x0001 0x0001\n\n{text}")
    assert findings(files) == [(code, f"sm/guid2lid:{line}:1")]
    assert (1, 1) in manager(files).lids


NETLIST = """\
caguid=0x100
Ca	1 "H-100"		# "node-1 HCA-1"
[1](101) 	"S-200"[1]		# lid 0 lmc 0 "leaf-1" lid 0 4xNDR

switchguid=0x200(200)
Switch	8 "S-200"		# "leaf-1" enhanced port 0 lid 0 lmc 0
[1]	"H-100"[1](101)		# "node-1 HCA-1" lid 0 4xNDR
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param('"S-200"[1]', '"S-200"[2]', [("FG637", "3:1"), ("FG637", "7:1")], id="not the same at both ends"),
        pytest.param('"S-200"[1]', '"S-300"[1]', [("FG637", "3:1"), ("FG637", "7:1")], id="unknown peer"),
        pytest.param('[1]\t"H-100"[1](101)\t\t# "node-1 HCA-1" lid 0 4xNDR\n', "", [("FG637", "3:1")], id="one-sided"),
        pytest.param('leaf-1" lid 0 4xNDR', 'leaf-1" lid 0 4xPDR', [("FG638", "3:52")], id="unknown speed"),
        pytest.param('leaf-1" lid 0 4xNDR', 'leaf-1" lid 0 3xNDR', [("FG638", "3:52")], id="unknown width"),
        pytest.param('[1]\t"H', '[9]\t"H', [("FG637", "3:1"), ("FG636", "7:1")], id="port number past the last"),
        pytest.param(
            "switchguid=0x200(200)", "switchguid=0x100", [("FG618", "6:1"), ("FG637", "3:1")], id="GUID twice"
        ),
        pytest.param("Switch\t8", "Switch\t255", [("FG636", "6:1"), ("FG637", "3:1")], id="255 ports"),
        pytest.param("caguid=0x100", "hello", [("FG636", "1:1")], id="no line of a netlist"),
    ],
)
def test_netlist(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    assert old in NETLIST
    found = findings(alone("fabric.netlist", NETLIST.replace(old, new)))
    assert sorted(found) == sorted((code, f"sm/fabric.netlist:{place}") for code, place in expected)


def test_findings_say_what_opensm_would_do_and_what_to_do() -> None:
    files = {"opensm.conf": "qos true\nrouting_engine ar_ftree\nrouting_engin updn\n"}
    found = {finding.code: finding for finding in read(files).diagnostics}
    assert (
        found["FG611"].summary == "`true` is neither `TRUE` nor `FALSE`, and OpenSM takes it for FALSE without a word"
    )
    assert found["FG611"].path == "subnet_manager.options[qos]"
    assert found["FG613"].summary.startswith(
        "`ar_ftree` is an engine of NVIDIA's own OpenSM only; OpenSM takes the next"
    )
    assert found["FG613"].remedy == "did you mean `ftree`?"
    assert found["FG610"].remedy == "did you mean `routing_engine`?"

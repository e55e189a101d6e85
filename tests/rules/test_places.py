"""From a fault in a file to the line that the finding names: every Ethernet rule, through the reader.

The literate files judge device models; here a fault is put into the files of a small fabric, and the finding must have
the path of what is wrong and a place in the file that says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fabricgen.rules import rules
from tests.rules.files import Files, judge

#: Rules of cables, which no file is about, and of hash seeds, which CONFIG_DB has not: their literate files say it all.
WITHOUT_FILES = {"FG206", "FG207", "FG210", "FG214", "FG220", "FG310"}

LEAF, SPINE = "devices[leaf-01]", "devices[spine-01]"
LOSSLESS = "BUFFER_PROFILE.pg_lossless_400000_20m_profile"
WRED = "WRED_PROFILE.FABRIC_ROCE_400G"


@dataclass(frozen=True)
class Fault:
    """A fault in the files, and what must be found.

    Attributes:
        changes: lines as :mod:`tests.rules.files` has them, each with its device.
        path: of a finding.
        line: what the line of its place must contain; empty where the fault has no line.
    """

    code: str
    changes: str
    path: str
    line: str
    base: str = "tiny"


FAULTS = (
    Fault("FG201", 'leaf-01 config_db.json PORT.Ethernet0.speed = "200000"', f"{LEAF}.ports[Ethernet0]", '"speed"'),
    Fault("FG202", 'spine-01 config_db.json PORT.Ethernet4.mtu = "9100"', f"{SPINE}.ports[Ethernet4]", '"9100"'),
    Fault("FG203", 'leaf-01 config_db.json PORT.Ethernet260.mtu = "4000"', f"{LEAF}.ports[Ethernet260]", '"4000"'),
    Fault("FG204", 'spine-01 config_db.json PORT.Ethernet0.fec = "fc"', f"{SPINE}.ports[Ethernet0]", '"fc"'),
    Fault("FG205", 'leaf-01 config_db.json PORT.Ethernet4.lanes = "2,3,4,5"', f"{LEAF}.ports[Ethernet4]", '"2,3,4,5"'),
    Fault("FG208", 'leaf-01 config_db.json PORT.Ethernet0.admin_status = "down"', f"{LEAF}.ports[Ethernet0]", "admin"),
    Fault("FG209", 'leaf-01 config_db.json PORT.Ethernet4.alias = "etp1a"', f"{LEAF}.ports[Ethernet4]", '"etp1a"'),
    Fault("FG211", 'leaf-01 config_db.json PORT.Ethernet4.speed = "800000"', f"{LEAF}.ports[Ethernet4]", '"800000"'),
    Fault("FG212", "spine-01 *.* delete", SPINE, ""),
    Fault("FG213", 'leaf-01 config_db.json PORT.Ethernet0.fec = "none"', f"{LEAF}.ports[Ethernet0]", '"none"'),
    Fault("FG215", '* config_db.json PORT.*.mtu = "2000"', "networks[compute]", '"2000"'),
    Fault("FG216", 'leaf-01 config_db.json PORT.Ethernet4.lanes = "12,13,14,15"', f"{LEAF}.ports[Ethernet4]", "12,13"),
    Fault("FG217", "leaf-01 config_db.json PORT.Ethernet260.fec delete", f"{LEAF}.ports[Ethernet260]", "Ethernet260"),
    Fault("FG218", 'leaf-01 config_db.json DEVICE_METADATA.localhost.hwsku = "ACS-SN4700"', f"{LEAF}.sku", "hwsku"),
    Fault("FG219", "leaf-01 config_db.json PORT.Ethernet260.mtu delete", f"{LEAF}.ports[Ethernet260]", "Ethernet260"),
    Fault("FG301", "leaf-02 config_db.json LOOPBACK_INTERFACE.Loopback0|10.0.0.1/32 = {}",
          "devices[leaf-02].loopbacks[Loopback0]", "Loopback0"),
    Fault("FG301", "leaf-02 frr.conf s#router-id .*#router-id 10.0.0.1#", "devices[leaf-02].bgp",
          "bgp router-id 10.0.0.1"),
    Fault("FG302", """spine-01 config_db.json INTERFACE.Ethernet0|10.1.0.1/31 delete
spine-01 config_db.json INTERFACE.Ethernet0|10.1.9.1/31 = {}""", f"{SPINE}.ports[Ethernet0]", "Ethernet0", "numbered"),
    Fault("FG303", r"leaf-01 frr.conf s#^router bgp .*#router bgp 65001#", f"{LEAF}.bgp", "router bgp 65001"),
    Fault("FG303", r"spine-01 frr.conf s#Ethernet0 remote-as \d+#Ethernet0 remote-as 65001#",
          f"{SPINE}.bgp.neighbors[Ethernet0]", "neighbor Ethernet0"),
    Fault("FG304", r"leaf-01 frr.conf s#maximum-paths \d#maximum-paths 2#", f"{LEAF}.bgp", "maximum-paths 2"),
    Fault("FG305", r"leaf-01 frr.conf s#^ neighbor Ethernet260 .*\n##g", f"{LEAF}.ports[Ethernet260]", ""),
    Fault("FG305", "leaf-01 frr.conf delete", f"{LEAF}.bgp", ""),
    Fault("FG306", "leaf-01 frr.conf s#SPINES route-map OWN out#SPINES route-map OWNS out#",
          f"{LEAF}.bgp.peer_groups[SPINES]", "neighbor SPINES"),
    Fault("FG307", """leaf-01 frr.conf s#^frr defaults .*#frr defaults traditional#
leaf-01 frr.conf s#^  neighbor SPINES route-map FABRIC in\\n##""",
          f"{LEAF}.bgp.neighbors[Ethernet256]", "neighbor Ethernet256"),
    Fault("FG308", r"leaf-01 frr.conf s#^ip prefix-list OWN seq 10 .*\n##", f"{LEAF}.loopbacks[Loopback0]",
          "Loopback0"),
    Fault("FG309", r"""leaf-01 frr.conf s#^  neighbor SPINES route-map OWN out\n##
spine-02 frr.conf s#^router bgp .*#router bgp 4200000001#""", f"{LEAF}.bgp", "neighbor Ethernet"),
    Fault("FG311", "leaf-02 frr.conf s#^router bgp .*#router bgp 4200010001#", "devices[leaf-02].bgp", "router bgp"),
    Fault("FG312", "leaf-01 frr.conf s#^router bgp#ip prefix-list GONE seq 5 permit any\\nrouter bgp#",
          f"{LEAF}.bgp.prefix_lists[GONE]", "prefix-list GONE"),
    Fault("FG313", """leaf-01 config_db.json INTERFACE.Ethernet4|10.64.0.2/31 delete
leaf-01 config_db.json INTERFACE.Ethernet4|10.64.0.4/30 = {}""", f"{LEAF}.ports[Ethernet8]", "Ethernet8"),
    Fault("FG314", r"""leaf-01 frr.conf s#^ bgp bestpath .*\n##
spine-02 frr.conf s#^router bgp .*#router bgp 4200000001#""", f"{LEAF}.bgp", "router bgp"),
    Fault("FG315", r"leaf-01 frr.conf s#^ip prefix-list FABRIC seq 20 .*\n##", f"{LEAF}.bgp.route_maps[FABRIC]",
          "route-map FABRIC"),
    Fault("FG316", "leaf-01 config_db.json INTERFACE.Ethernet260 delete", f"{LEAF}.ports[Ethernet260]", "INTERFACE"),
    Fault("FG317", "leaf-01 config_db.json INTERFACE.Ethernet4* delete", f"{LEAF}.ports[Ethernet4]", "INTERFACE"),
    Fault("FG318", 'leaf-01 config_db.json SWITCH_HASH.GLOBAL.ecmp_hash = ["DST_IP"]', f"{LEAF}.hashing", "ecmp_hash"),
    Fault("FG319", r"leaf-01 frr.conf s#(?<=neighbor Ethernet260) description .*# shutdown#",
          f"{LEAF}.bgp.neighbors[Ethernet260]", "neighbor Ethernet260 shutdown"),
    Fault("FG401", 'leaf-01 config_db.json DSCP_TO_TC_MAP.FABRIC.26 = "0"', f"{LEAF}.dscp_to_traffic_class[FABRIC]",
          '"26": "0"'),
    Fault("FG402", 'leaf-01 config_db.json PORT_QOS_MAP.Ethernet260.pfc_enable = "4"', f"{LEAF}.ports[Ethernet260]",
          '"pfc_enable": "4"'),
    Fault("FG403", 'leaf-01 config_db.json BUFFER_PG.Ethernet0|3.profile = "ingress_lossy_profile"',
          f"{LEAF}.ports[Ethernet0]", "Ethernet0|3"),
    Fault("FG404", "leaf-01 config_db.json PORT_QOS_MAP.Ethernet0.pfc_enable delete", f"{LEAF}.ports[Ethernet0]",
          "Ethernet0|3"),
    Fault("FG405", f'leaf-01 config_db.json {LOSSLESS}.xoff = "70000"', f"{LEAF}.ports[Ethernet256]", '"70000"'),
    Fault("FG406", 'leaf-01 config_db.json CABLE_LENGTH.AZURE.Ethernet260 = "5m"', f"{LEAF}.ports[Ethernet260]",
          '"5m"'),
    Fault("FG407", 'leaf-01 config_db.json TC_TO_QUEUE_MAP.FABRIC.3 = "4"', f"{LEAF}.ports[Ethernet0]", "FABRIC"),
    Fault("FG408", f'leaf-01 config_db.json {WRED}.wred_green_enable = "false"', f"{LEAF}.ports[Ethernet0]",
          "FABRIC_ROCE_400G"),
    Fault("FG409", "leaf-01 config_db.json PFC_WD.Ethernet4 delete", f"{LEAF}.ports[Ethernet4]", "pfcwd_sw_enable"),
    Fault("FG410", 'leaf-01 config_db.json QUEUE.Ethernet4|6.scheduler = "FABRIC_CPN"', f"{LEAF}.ports[Ethernet4]",
          "FABRIC_CPN"),
    Fault("FG411", 'leaf-01 config_db.json BUFFER_POOL.ingress_lossless_pool.size = "165415552"',
          f"{LEAF}.buffer_pools", "165415552"),
    Fault("FG412", 'leaf-01 config_db.json BUFFER_QUEUE.Ethernet4|3.profile = "q_lossy_profile"',
          f"{LEAF}.ports[Ethernet4]", "Ethernet4|3"),
    Fault("FG413", 'leaf-01 config_db.json DSCP_TO_TC_MAP.FABRIC.48 = "0"', f"{LEAF}.ports[Ethernet0]", '"48": "0"'),
    Fault("FG414", '* config_db.json DSCP_TO_TC_MAP.FABRIC.0 = "3"', f"{LEAF}.ports[Ethernet0]", '"0": "3"'),
    Fault("FG415", 'leaf-01 config_db.json BUFFER_PROFILE.q_lossy_profile.static_th = "100000"',
          f"{LEAF}.buffer_profiles[q_lossy_profile]", "q_lossy_profile"),
    Fault("FG416", "leaf-01 config_db.json BUFFER_POOL.ingress_lossless_pool.size delete", f"{LEAF}.buffer_pools",
          "BUFFER_POOL"),
    Fault("FG417", "leaf-01 config_db.json PORT_QOS_MAP.Ethernet0.pfc_enable delete", f"{LEAF}.ports[Ethernet0]",
          "Ethernet0"),
    Fault("FG418", "leaf-01 config_db.json PORT_QOS_MAP.Ethernet0.dscp_to_tc_map delete", f"{LEAF}.ports[Ethernet0]",
          "Ethernet0"),
    Fault("FG419", 'leaf-01 config_db.json CABLE_LENGTH.AZURE.Ethernet260 = "40m"', f"{LEAF}.ports[Ethernet260]",
          "Ethernet260|3"),
    Fault("FG420", """leaf-01 config_db.json DEVICE_METADATA.localhost.hwsku = "M2-W6940-64OC"
leaf-01 config_db.json DEVICE_METADATA.localhost.buffer_model = "traditional"
leaf-01 config_db.json CABLE_LENGTH.AZURE.Ethernet260 = "50m\"""", f"{LEAF}.ports[Ethernet260]", '"50m"'),
    Fault("FG421", "leaf-01 config_db.json QUEUE.Ethernet4|3.wred_profile delete", f"{LEAF}.ports[Ethernet4]",
          "Ethernet4|3"),
    Fault("FG422", f'leaf-01 config_db.json {WRED}.green_min_threshold = "900000"',
          f"{LEAF}.ecn_profiles[FABRIC_ROCE_400G]", '"900000"'),
    Fault("FG423", f'leaf-01 config_db.json {WRED}.green_max_threshold = "100000000"',
          f"{LEAF}.ecn_profiles[FABRIC_ROCE_400G]", '"100000000"'),
    Fault("FG424", 'leaf-01 config_db.json PFC_WD.Ethernet4.detection_time = "100"', f"{LEAF}.ports[Ethernet4]",
          "Ethernet4"),
    Fault("FG425", 'leaf-01 config_db.json FLEX_COUNTER_TABLE.PFCWD.FLEX_COUNTER_STATUS = "disable"',
          f"{LEAF}.watchdog", '"disable"'),
    Fault("FG426", "leaf-01 config_db.json FLEX_COUNTER_TABLE.PFCWD delete", f"{LEAF}.watchdog", "PFC_WD"),
    Fault("FG427", "leaf-01 config_db.json PORT_QOS_MAP.Ethernet0.pfc_enable delete", f"{LEAF}.ports[Ethernet0]",
          "Ethernet0"),
    Fault("FG428", f'leaf-01 config_db.json {WRED}.green_max_threshold = "20000000"',
          f"{LEAF}.ecn_profiles[FABRIC_ROCE_400G]", '"20000000"'),
    Fault("FG429", 'leaf-01 config_db.json QUEUE.Ethernet4|3.scheduler = "FABRIC_CNP"', f"{LEAF}.ports[Ethernet4]",
          "FABRIC_CNP"),
    Fault("FG432", "leaf-01 config_db.json CABLE_LENGTH.AZURE.Ethernet260 delete", f"{LEAF}.ports[Ethernet260]",
          "AZURE"),
    Fault("FG431", 'leaf-01 config_db.json PFC_WD.Ethernet4.action = "alert"', f"{LEAF}.ports[Ethernet4]", '"alert"'),
    Fault("FG430", f'leaf-01 config_db.json {LOSSLESS}.xoff = "120000"', f"{LEAF}.ports[Ethernet256]", '"120000"'),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.code}: {fault.path}")
def test_a_finding_names_the_line(fault: Fault) -> None:
    findings, files = judge(fault.base, fault.changes.splitlines())
    matching = [found for found in findings if (found.code, found.path) == (fault.code, fault.path)]
    assert matching, [f"{found.code} {found.path}: {found.summary}" for found in findings]
    found = matching[0]
    assert found.remedy
    if fault.line:
        assert found.span is not None
        assert fault.line in _line(files, found.span.file, found.span.line)
    for note in found.related:
        assert note.span is None or note.span.file.endswith(".yaml") or _line(files, note.span.file, note.span.line)


def _line(files: Files, file: str, line: int | None) -> str:
    return files[file].splitlines()[(line or 1) - 1]


@pytest.mark.parametrize("base", ["tiny", "numbered"])
def test_without_a_fault_nothing_is_found(base: str) -> None:
    findings, _ = judge(base, [])
    assert [found.code for found in findings if found.code >= "FG2"] == []


def test_every_ethernet_rule_has_a_fault() -> None:
    assert {fault.code for fault in FAULTS} | WITHOUT_FILES == {code for code in rules() if code < "FG5"}

"""One fault put into the files of a correct fabric, anywhere: a rule finds it and names the device.

The faults are those that people and tools make: a line forgotten, a number halved, two names swapped. Each is put at
places drawn at random, from a fixed seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from fabricgen.core.diagnostics import Diagnostic, Severity
from tests.rules.files import judge

LEAVES = ("leaf-01", "leaf-02")
SPINES = ("spine-01", "spine-02")
SERVER_PORTS = ("Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12")
UPLINKS = ("Ethernet256", "Ethernet260", "Ethernet264", "Ethernet268")
PLACES = 3


@dataclass(frozen=True)
class Fault:
    """A fault: the changes of files that make it, and the codes of which one at least must be found.

    Attributes:
        change: one or more lines without the device, with ``{port}``.
        codes: a finding with one of them must name the device.
        where: ``leaf``, ``spine`` or ``any`` switch.
        ports: ``any`` of the switch, or only an ``uplink`` of it (any port of a spine is one).
        base: the inventory.
    """

    name: str
    change: str
    codes: frozenset[str]
    where: str = "any"
    ports: str = "any"
    base: str = "tiny"


def _fault(name: str, change: str, codes: str, where: str = "any", ports: str = "any", base: str = "tiny") -> Fault:
    return Fault(name, change, frozenset(codes.split()), where, ports, base)


FAULTS = (
    # PFC and its watchdog
    _fault("PFC dropped", "config_db.json PORT_QOS_MAP.{port}.pfc_enable delete", "FG402 FG404 FG417"),
    _fault("PFC on another priority", 'config_db.json PORT_QOS_MAP.{port}.pfc_enable = "4"', "FG402 FG403 FG407"),
    _fault("PFC on one priority more", 'config_db.json PORT_QOS_MAP.{port}.pfc_enable = "3,4"', "FG402 FG407 FG409"),
    _fault("QoS of a port dropped", "config_db.json PORT_QOS_MAP.{port} delete", "FG402 FG404 FG417"),
    _fault("watchdog row dropped", "config_db.json PFC_WD.{port} delete", "FG409"),
    _fault("watchdog on another priority", 'config_db.json PORT_QOS_MAP.{port}.pfcwd_sw_enable = "4"', "FG409"),
    _fault("watchdog only alerts", 'config_db.json PFC_WD.{port}.action = "alert"', "FG431"),
    _fault("watchdog polls too seldom", 'config_db.json PFC_WD.GLOBAL.POLL_INTERVAL = "1000"', "FG424"),
    _fault("watchdog counters off", 'config_db.json FLEX_COUNTER_TABLE.PFCWD.FLEX_COUNTER_STATUS = "disable"', "FG425"),
    _fault("watchdog counters unset", "config_db.json FLEX_COUNTER_TABLE.PFCWD delete", "FG426"),
    # buffers
    _fault("lossy profile on the lossless group",
           'config_db.json BUFFER_PG.{port}|3.profile = "ingress_lossy_profile"', "FG403"),
    _fault("lossless group dropped", "config_db.json BUFFER_PG.{port}|3 delete", "FG403"),
    _fault("headroom halved", 'config_db.json BUFFER_PROFILE.pg_lossless_*.xoff = "120000"', "FG405 FG430"),
    _fault("headroom of one frame", 'config_db.json BUFFER_PROFILE.pg_lossless_*.xoff = "9216"', "FG405"),
    _fault("alpha of nothing", 'config_db.json BUFFER_PROFILE.pg_lossless_*.dynamic_th = "-8"', "FG423"),
    _fault("threshold of the other kind",
           'config_db.json BUFFER_PROFILE.egress_lossless_profile.static_th = "150000000"', "FG415"),
    _fault("cable told shorter", 'config_db.json CABLE_LENGTH.AZURE.{port} = "1m"', "FG406 FG419"),
    _fault("cable length dropped", "config_db.json CABLE_LENGTH.AZURE.{port} delete", "FG432"),
    _fault("SKU of another switch", 'config_db.json DEVICE_METADATA.localhost.hwsku = "ACS-SN4700"', "FG218"),
    _fault("pool doubled", 'config_db.json BUFFER_POOL.ingress_lossless_pool.size = "310831104"', "FG411"),
    _fault("egress pool halved", 'config_db.json BUFFER_POOL.egress_lossless_pool.size = "79114752"', "FG412"),
    _fault("lossy egress on the lossless queue",
           'config_db.json BUFFER_QUEUE.{port}|3.profile = "q_lossy_profile"', "FG412"),
    _fault("egress profile dropped", "config_db.json BUFFER_QUEUE.{port}|3 delete", "FG412"),
    _fault("profile misspelt", 'config_db.json BUFFER_PG.{port}|3.profile = "pg_lossless"', "FG410"),
    _fault("pool misspelt", 'config_db.json BUFFER_PROFILE.egress_lossless_profile.pool = "egress_pool"', "FG410"),
    # classes
    _fault("DSCP 26 unclassified", 'config_db.json DSCP_TO_TC_MAP.FABRIC.26 = "0"', "FG401"),
    _fault("DSCP 26 left out", "config_db.json DSCP_TO_TC_MAP.FABRIC.26 delete", "FG401"),
    _fault("DSCP 26 in another class", 'config_db.json DSCP_TO_TC_MAP.FABRIC.26 = "4"', "FG401"),
    _fault("one DSCP more is lossless", 'config_db.json DSCP_TO_TC_MAP.FABRIC.24 = "3"', "FG401"),
    _fault("CNPs with everything else", 'config_db.json DSCP_TO_TC_MAP.FABRIC.48 = "0"', "FG413"),
    _fault("CNPs in the lossless class", 'config_db.json DSCP_TO_TC_MAP.FABRIC.48 = "3"', "FG413 FG401"),
    _fault("class leaves by another queue", 'config_db.json TC_TO_QUEUE_MAP.FABRIC.3 = "4"', "FG407"),
    _fault("class fills another group", 'config_db.json TC_TO_PRIORITY_GROUP_MAP.FABRIC.3 = "4"', "FG407"),
    _fault("best effort in the lossless queue", 'config_db.json TC_TO_QUEUE_MAP.FABRIC.0 = "3"', "FG407"),
    _fault("pause stops another queue", 'config_db.json MAP_PFC_PRIORITY_TO_QUEUE.FABRIC.3 = "4"', "FG407"),
    _fault("pause asked for another group",
           'config_db.json PFC_PRIORITY_TO_PRIORITY_GROUP_MAP.FABRIC.3 = "4"', "FG403 FG404 FG407"),
    _fault("port without DSCP map", "config_db.json PORT_QOS_MAP.{port}.dscp_to_tc_map delete", "FG418"),
    _fault("DSCP map misspelt", 'config_db.json PORT_QOS_MAP.{port}.dscp_to_tc_map = "FABRC"', "FG410"),
    _fault("data queue strict", 'config_db.json QUEUE.{port}|3.scheduler = "FABRIC_CNP"', "FG429"),
    # ECN
    _fault("Kmin above Kmax", 'config_db.json WRED_PROFILE.*.green_min_threshold = "900000"', "FG422"),
    _fault("thresholds in kilobytes", 'config_db.json WRED_PROFILE.*.green_min_threshold = "200"', "FG422"),
    _fault("Kmax above the pool", 'config_db.json WRED_PROFILE.*.green_max_threshold = "800000000"', "FG422 FG423"),
    _fault("Kmax above the pause", 'config_db.json WRED_PROFILE.*.green_max_threshold = "90000000"', "FG423"),
    _fault("marking off", 'config_db.json WRED_PROFILE.*.ecn = "ecn_none"', "FG408"),
    _fault("marking not active", 'config_db.json WRED_PROFILE.*.wred_green_enable = "false"', "FG408"),
    _fault("queue without ECN", "config_db.json QUEUE.{port}|3.wred_profile delete", "FG421"),
    # links
    _fault("MTU changed", 'config_db.json PORT.{port}.mtu = "9100"', "FG202", ports="uplink"),
    _fault("MTU not set", "config_db.json PORT.{port}.mtu delete", "FG219", ports="uplink"),
    _fault("MTU small", 'config_db.json PORT.{port}.mtu = "1500"', "FG203"),
    _fault("speed changed", 'config_db.json PORT.{port}.speed = "200000"', "FG201"),
    _fault("FEC off", 'config_db.json PORT.{port}.fec = "none"', "FG213"),
    _fault("FEC not set", "config_db.json PORT.{port}.fec delete", "FG217", ports="uplink"),
    _fault("port shut", 'config_db.json PORT.{port}.admin_status = "down"', "FG208"),
    _fault("port row dropped", "config_db.json PORT.{port} delete", "FG208"),
    _fault("lanes of another port", 'config_db.json PORT.{port}.lanes = "8,9,10,11"', "FG205 FG216", ports="uplink"),
    _fault("lanes of an empty cage", 'config_db.json PORT.{port}.lanes = "504,505,506,507"', "FG216"),
    _fault("lane missing", 'config_db.json PORT.{port}.lanes = "252,253,254"', "FG205"),
    _fault("alias of another port", 'config_db.json PORT.{port}.alias = "etp1a"', "FG209", "leaf", "uplink"),
    _fault("split of another speed", 'config_db.json PORT.{port}.speed = "800000"', "FG201 FG211"),
    # routing
    _fault("address of another link", "config_db.json INTERFACE.{port}|10.64.0.200/31 = {{}}", "FG302 FG308",
           "leaf"),
    _fault("address of another port", 'config_db.json INTERFACE.{port}|10.64.0.0/31 = {{}}', "FG301 FG302 FG313",
           "leaf", "uplink"),
    _fault("AS number changed", r"frr.conf s#^router bgp \d+#router bgp 4200099999#", "FG303"),
    _fault("spine expects another AS", r"frr.conf s#{port} remote-as \d+#{port} remote-as 4200012345#",
           "FG303", "spine"),
    _fault("leaves expect another AS", r"frr.conf s#SPINES remote-as \d+#SPINES remote-as 4200012345#", "FG303",
           "leaf"),
    _fault("remote AS dropped", r"frr.conf s#^ neighbor SPINES remote-as .*\n##", "FG303", "leaf"),
    _fault("one path", r"frr.conf s#maximum-paths \d+#maximum-paths 1#", "FG304"),
    _fault("neighbour dropped", r"frr.conf s#^ neighbor {port} .*\n##g", "FG305", ports="uplink"),
    _fault("route map dropped", r"frr.conf s#^route-map OWN permit 10\n.*\nexit\n##", "FG306"),
    _fault("prefix list dropped", r"frr.conf s#^ip prefix-list FABRIC .*\n##g", "FG306"),
    _fault("prefix list entry dropped", r"frr.conf s#^ip prefix-list OWN seq 10 .*\n##", "FG308"),
    _fault("server subnet not exported", r"frr.conf s#^ip prefix-list OWN seq 20 .*\n##", "FG308", "leaf"),
    _fault("entry denies", r"frr.conf s#prefix-list OWN seq 10 permit#prefix-list OWN seq 10 deny#", "FG308"),
    _fault("redistribution dropped", r"frr.conf s#^  redistribute .*\n##", "FG308"),
    _fault("traditional defaults without policies",
           r"frr.conf s#frr defaults datacenter|^  neighbor .* route-map .*$#!#g", "FG307"),
    _fault("router ID of a spine", r"frr.conf s#router-id .*#router-id 10.0.16.1#", "FG301", "leaf"),
    _fault("neighbour shut down", r"frr.conf s#(?<=neighbor {port}) description .*# shutdown#", "FG319",
           ports="uplink"),
    _fault("port not routed", "config_db.json INTERFACE.{port} delete", "FG316", ports="uplink"),
    _fault("hash without ports", 'config_db.json SWITCH_HASH.GLOBAL.ecmp_hash = ["SRC_IP", "DST_IP"]', "FG318"),
    _fault("no routing configuration", "frr.conf delete", "FG305"),
    _fault("no configuration", "*.* delete", "FG212"),
    _fault("spine exports only its own", "frr.conf s#LEAVES route-map FABRIC out#LEAVES route-map OWN out#", "FG315",
           "spine"),
    _fault("fabric list entry dropped", r"frr.conf s#^ip prefix-list FABRIC seq 20 .*\n##", "FG315"),
    _fault("link address changed", """config_db.json INTERFACE.{port}|10.1.* delete
config_db.json INTERFACE.{port}|10.1.77.0/31 = {{}}""", "FG302", ports="uplink", base="numbered"),
    _fault("link address dropped", "config_db.json INTERFACE.{port}|10.1.* delete", "FG302", ports="uplink",
           base="numbered"),
    _fault("neighbour of another address", r"frr.conf s#^ neighbor 10\.1\.0\.\d+ #neighbor 10.1.99.9 #g", "FG305",
           base="numbered"),
)  # fmt: skip


def places(fault: Fault) -> list[tuple[str, str]]:
    """Return some (device, port) at which the fault is put, always the same."""
    leaves = [
        (leaf, port) for leaf in LEAVES for port in (UPLINKS if fault.ports == "uplink" else SERVER_PORTS + UPLINKS)
    ]
    spines = [(spine, port) for spine in SPINES for port in SERVER_PORTS]
    choice = {"leaf": leaves, "spine": spines, "any": leaves + spines}[fault.where]
    return random.Random(fault.name).sample(choice, PLACES)


CASES = [(fault, *place) for fault in FAULTS for place in places(fault)]


@pytest.mark.parametrize(("fault", "device", "port"), CASES, ids=lambda part: getattr(part, "name", part))
def test_a_fault_is_found(fault: Fault, device: str, port: str) -> None:
    changes = [f"{device} {line}" for line in fault.change.format(port=port).splitlines()]
    findings, _ = judge(fault.base, changes)
    found = {one.code for one in findings if _names(one, device)}
    assert found & fault.codes, [f"{one.code} {one.path}: {one.summary}" for one in findings]


def _names(finding: Diagnostic, device: str) -> bool:
    return finding.severity is not Severity.INFO and finding.path.startswith(f"devices[{device}]")

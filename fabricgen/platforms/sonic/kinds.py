"""Findings about SONiC's own files: what SONiC would refuse, ignore or misread, and what the reader had to guess."""

from __future__ import annotations

from fabricgen.core.diagnostics import Kind, Severity

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

_YANG = "SONiC checks a configuration against its YANG models (sonic-buildimage, src/sonic-yang-models) and refuses "

UNREADABLE = Kind(
    "FG651",
    "sonic-unreadable",
    _ERROR,
    "config_db.json is not a JSON object of tables",
    "SONiC loads nothing from a file that it cannot parse.",
)
DUPLICATE_KEY = Kind(
    "FG652",
    "sonic-duplicate-key",
    _ERROR,
    "a table, row or field is given twice",
    "JSON parsers keep the last of two equal keys without a word (RFC 8259, 4), so the first is lost on the device.",
)
NOT_TEXT = Kind(
    "FG653",
    "sonic-not-text",
    _ERROR,
    "a value that is not text",
    "CONFIG_DB is a Redis database of text: sonic-cfggen and the YANG models take numbers only in quotes.",
)
UNKNOWN_FIELD = Kind(
    "FG654",
    "sonic-unknown-field",
    _ERROR,
    "a field that SONiC does not know",
    _YANG + "the whole file for one unknown field of a table that has a model; daemons of older releases ignore it.",
)
WRONG_VALUE = Kind(
    "FG655",
    "sonic-wrong-value",
    _ERROR,
    "a value that SONiC does not take",
    _YANG + "values outside a leaf's type, range or pattern.",
)
MISSING_FIELD = Kind(
    "FG656",
    "sonic-missing-field",
    _ERROR,
    "a field that must be there is missing",
    _YANG + "a row without its mandatory leaves; daemons drop it.",
)
WRONG_KEY = Kind(
    "FG657",
    "sonic-wrong-key",
    _ERROR,
    "a row whose key SONiC cannot read",
    _YANG + "keys that do not have the parts of the table's list, joined by `|`.",
)
DANGLING = Kind(
    "FG658",
    "sonic-dangling-reference",
    _ERROR,
    "a name that no row of the other table has",
    _YANG + "a leafref without its target; the daemon waits for it for ever and the setting never takes effect.",
)
OLD_FORM = Kind(
    "FG659",
    "sonic-old-form",
    _WARNING,
    "an old way to write a reference or a list of ports",
    "`[TABLE|name]` references and several ports in one key were written by SONiC before 202111. Its YANG models "
    "refuse both since; they are read here as what they mean.",
)
OVERLAP = Kind(
    "FG660",
    "sonic-overlapping-rows",
    _WARNING,
    "two rows set the same queue or priority group differently",
    "Rows are applied in no fixed order, so which one holds after a reload is chance (sonic-swss, "
    "cfgmgr/buffermgr.cpp writes its own row beside one of another range).",
)
CONTRADICTION = Kind(
    "FG661",
    "sonic-contradiction",
    _ERROR,
    "two values that exclude each other",
    _YANG + "rows that break a `must` statement.",
)
RELEASE = Kind(
    "FG662",
    "sonic-release-dependent",
    _WARNING,
    "a value that only some SONiC releases take",
    "The YANG models of 202305 to 202511 differ in a few types. A value outside the common part stops the load of the "
    "whole file on the other releases.",
)
UNUSED_FRR = Kind(
    "FG663",
    "sonic-frr-conf-unused",
    _ERROR,
    "frr.conf is there but the device does not load it",
    "Only with `docker_routing_config_mode` `split-unified` does the routing container load /etc/sonic/frr/frr.conf "
    "(sonic-buildimage, dockers/docker-fpm-frr/docker_init.sh); in the other modes it removes or overwrites the file.",
)
BFD_OFF = Kind(
    "FG664",
    "sonic-bfd-daemon-off",
    _ERROR,
    "BGP asks for BFD but the BFD daemon does not run",
    "The routing container starts bfdd only with `frr_mgmt_framework_config` `true` (sonic-buildimage, "
    "dockers/docker-fpm-frr/frr/supervisord). Without it BFD lines are accepted and do nothing: a dead link is noticed "
    "by BGP's hold timer only.",
)
FRR_SYNTAX = Kind(
    "FG665",
    "frr-wrong-statement",
    _ERROR,
    "an FRR statement that FRR does not take",
    "vtysh skips a statement that it cannot parse and goes on with the next, so a part of the routing is missing.",
)
NAMES_DIFFER = Kind(
    "FG666",
    "sonic-names-differ",
    _WARNING,
    "config_db.json and frr.conf name different devices",
    "Most likely one of the two files belongs to another device.",
)
NO_NAME = Kind(
    "FG667",
    "sonic-no-name",
    _ERROR,
    "the files do not say which device they are for",
    "Without a host name the device cannot be found in the topology, so nothing about it can be checked.",
)
NOT_ACTIVATED = Kind(
    "FG668",
    "frr-neighbor-not-activated",
    _WARNING,
    "a BGP neighbour that exchanges no IPv4 routes",
    "With `no bgp default ipv4-unicast` a neighbour needs `activate` in the address family: the session comes up and "
    "carries nothing.",
)

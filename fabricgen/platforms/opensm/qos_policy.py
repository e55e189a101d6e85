"""Prints and reads ``qos-policy.conf``: QoS levels and simple rules (doc/QoS_management_in_OpenSM.txt).

Port groups and match rules are counted as unread; ``qos-setup`` is read and ignored by OpenSM itself.
"""

from __future__ import annotations

import re

from fabricgen.core.diagnostics import did_you_mean
from fabricgen.device import QosLevel, QosPolicy, UlpRule
from fabricgen.platforms.opensm import kinds
from fabricgen.platforms.opensm.options import in_ranges, in_words, plain_number
from fabricgen.platforms.opensm.scan import Source, Word, plain

_SKIPPED = ("port-groups", "qos-setup", "qos-match-rules")
_SECTIONS = (*_SKIPPED, "qos-levels", "qos-ulps")
_RANGES = {"sl": "0..15", "mtu-limit": "1..5", "rate-limit": "2..24", "pkey": "1..32767"}
_UNKEPT = ("use", "packet-life", "path-bits")
_LIST = r"(?:0[xX][0-9a-fA-F]+|\d+)(?: *- *(?:0[xX][0-9a-fA-F]+|\d+))?"
_RULE = re.compile(
    r"(?:default|sdp|rds|iser|ipoib"
    rf"|(?:sdp|rds|iser) ?, ?port-num {_LIST}(?: ?, ?{_LIST})*"
    rf"|ipoib ?, ?pkey {_LIST}(?: ?, ?{_LIST})*"
    rf"|srp ?, ?target-port-guid {_LIST}(?: ?, ?{_LIST})*"
    rf"|any ?, ?(?:service-id|pkey|(?:source-|target-|source-target-)port-guid) {_LIST}(?: ?, ?{_LIST})*)",
    re.IGNORECASE,
)


def emit_policy(name: str, policy: QosPolicy) -> str:
    """Return ``qos-policy.conf``.

    Raises:
        ValueError: a name or rule cannot be written so that OpenSM would read it back.
    """
    lines = [f"# QoS policy (qos_policy_file); goes to /etc/opensm/{name}. Needs `qos TRUE` in opensm.conf."]
    if policy.levels:
        levels = [line for level in policy.levels for line in _level_lines(level)]
        lines += ["", "qos-levels", *levels, "end-qos-levels"]
    if policy.ulps:
        lines += ["", "qos-ulps", *[_rule_line(rule) for rule in policy.ulps], "end-qos-ulps"]
    return "\n".join(lines) + "\n"


def _level_lines(level: QosLevel) -> list[str]:
    if not plain(level.name, 4000, '#:, "'):
        msg = f"{level.name!r} cannot be written as the name of a QoS level"
        raise ValueError(msg)
    lines = [f"name: {level.name}", f"sl: {level.service_level}"]
    lines += [f"mtu-limit: {level.mtu_limit}"] if level.mtu_limit is not None else []
    lines += [f"rate-limit: {level.rate_limit}"] if level.rate_limit is not None else []
    lines += [f"pkey: 0x{level.pkey:04x}"] if level.pkey is not None else []
    return ["    qos-level", *[f"        {line}" for line in lines], "    end-qos-level"]


def _rule_line(rule: UlpRule) -> str:
    if not _RULE.fullmatch(rule.match):
        msg = f"{rule.match!r} cannot be written as a rule of the QoS policy"
        raise ValueError(msg)
    return f"    {rule.match} : {rule.service_level}"


def read_policy(source: Source) -> QosPolicy | None:
    """Read ``qos-policy.conf``; None where OpenSM would drop it."""
    reader = _Reader(source)
    for word in source.bare_lines():
        reader.line(word)
    return reader.finish()


class _Reader:
    """The state between lines: the open section, the open level, and what is finished."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.section: Word | None = None
        self.level: dict[str, Word] | None = None
        self.level_start = Word("", 1, 1)
        self.levels: list[QosLevel] = []
        self.ulps: list[UlpRule] = []
        self.dropped = False

    def line(self, word: Word) -> None:
        """Read a line by the section that it is in."""
        if self.section is None:
            self.open_section(word)
        elif word.text == f"end-{self.section.text}" and self.level is None:
            self.section = None
        elif self.section.text == "qos-levels":
            self.level_line(word)
        elif self.section.text == "qos-ulps":
            self.rule(word)

    def open_section(self, word: Word) -> None:
        if word.text not in _SECTIONS:
            self.fail(word, f"`{word.text}` begins no section", did_you_mean(word.text, _SECTIONS))
            return
        self.section = word
        if word.text in _SKIPPED:
            self.source.skipped(word.text)

    def level_line(self, word: Word) -> None:
        """Read a line within ``qos-levels``."""
        if self.level is None:
            if word.text == "qos-level":
                self.level, self.level_start = {}, word
            else:
                self.fail(word, f"`{word.text}` stands outside a level", "begin a level with `qos-level`")
        elif word.text == "end-qos-level":
            self.close_level(self.level)
            self.level = None
        else:
            self.attribute(self.level, word)

    def attribute(self, level: dict[str, Word], word: Word) -> None:
        name, *values = word.split(":", 1)
        known = ("name", *_RANGES, *_UNKEPT)
        if not values or name.text not in known:
            self.fail(name, f"`{word.text}` is no attribute of a level", did_you_mean(name.text, known))
        elif name.text in _UNKEPT:
            self.source.skipped(name.text)
        elif name.text in level:
            self.fail(name, f"`{name.text}` is given twice", "remove one of the two")
        else:
            level[name.text] = values[0]

    def close_level(self, level: dict[str, Word]) -> None:
        """Finish a level."""
        missing = [name for name in ("name", "sl") if name not in level]
        if missing:
            self.fail(self.level_start, f"a level has no `{missing[0]}`", f"add `{missing[0]}:` to the level")
            return
        name = level["name"]
        if not plain(name.text, 4000, '#:, "'):
            self.fail(name, f"`{name.text}` is no name of a level", "use letters, digits, `-` and `_`")
        values = {key: self.number(name.text, key, word) for key, word in level.items() if key in _RANGES}
        self.source.place(("qos_policy", "levels", name.text), name)
        self.levels.append(
            QosLevel(
                name=name.text,
                service_level=values["sl"] or 0,
                mtu_limit=values.get("mtu-limit"),
                rate_limit=values.get("rate-limit"),
                pkey=values.get("pkey"),
            )
        )

    def rule(self, word: Word) -> None:
        """Read a simple rule."""
        match, *values = word.split(":", 1)
        text = " ".join(match.text.split())
        if not values or not _RULE.fullmatch(text):
            self.fail(
                word,
                f"`{word.text}` is no rule",
                "write `default : <sl>`, or a protocol (sdp, rds, iser, srp, ipoib, any) with what it is to match, a "
                "colon and a service level",
            )
            return
        level = self.number(text, "sl", values[0])
        self.source.place(("qos_policy", "ulps", text), match)
        self.ulps.append(UlpRule(text, level or 0))

    def number(self, path: str, name: str, word: Word) -> int | None:
        """Read a number; one that is not legal makes OpenSM drop the policy."""
        value = plain_number(word.text)
        if value is not None and in_ranges(value, _RANGES[name]):
            return value
        self.dropped = True
        self.source.add(
            kinds.QOS_VALUE,
            ("qos_policy", path, name),
            f"`{word.text}` is not {in_words(_RANGES[name])}; OpenSM drops the whole policy",
            word,
            remedy=f"set `{name}` to one of {in_words(_RANGES[name])}",
        )
        return value

    def fail(self, word: Word, reason: str, remedy: str) -> None:
        """Report what makes OpenSM drop the policy."""
        self.dropped = True
        self.source.add(
            kinds.QOS_SYNTAX, ("qos_policy",), f"{reason}; OpenSM drops the whole policy", word, remedy=remedy
        )

    def finish(self) -> QosPolicy | None:
        """Return what was read, or None where OpenSM would drop it."""
        if self.section is not None:
            self.fail(self.section, f"`{self.section.text}` is not closed", f"add `end-{self.section.text}`")
        names = [level.name.lower() for level in self.levels] + [rule.match.lower() for rule in self.ulps]
        if "default" not in names and not self.dropped:
            self.dropped = True
            self.source.add(
                kinds.QOS_DEFAULT,
                ("qos_policy",),
                "the policy has no level named DEFAULT and no `default` rule; OpenSM drops it",
                Word("", 1, 1),
                remedy="add a level named DEFAULT, or `default : <sl>` to the simple rules",
            )
        return None if self.dropped else QosPolicy(tuple(self.levels), tuple(self.ulps))

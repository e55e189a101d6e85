"""Reads ``partitions.conf`` as OpenSM does, line by line, and reports where OpenSM is lax (osm_prtn_config.c)."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Note, did_you_mean
from fabricgen.core.guids import format_guid
from fabricgen.device import Membership, Partition, PartitionMember
from fabricgen.platforms.opensm import kinds
from fabricgen.platforms.opensm.options import in_ranges, in_words, plain_number
from fabricgen.platforms.opensm.partitions import FLAG_RANGES, FLAGS, LAST_PKEY, MEMBER_WORDS, MEMBERSHIP_WORDS
from fabricgen.platforms.opensm.scan import Source, Word, allowed, begins, c_number

#: Most bytes of a line: OpenSM reads with ``fgets(line, 4095, file)`` (osm_prtn_config.c).
LONGEST_LINE = 4093

_DROPPED = "OpenSM drops the whole file and makes every port a full member of the default partition"


@dataclass
class _Definition:
    """A definition while its lines are read."""

    name: str
    pkey: int | None
    where: Word
    flags: dict[str, int] = field(default_factory=dict)
    ipoib: bool = False
    index0: bool = False
    membership: Membership = Membership.LIMITED
    members: list[PartitionMember] = field(default_factory=list)
    seen: dict[int, Word] = field(default_factory=dict)

    def finished(self) -> Partition:
        return Partition(
            name=self.name,
            pkey=self.pkey,
            members=tuple(self.members),
            ipoib=self.ipoib,
            default_membership=self.membership,
            mtu_code=self.flags.get("mtu"),
            rate_code=self.flags.get("rate"),
            service_level=self.flags.get("sl"),
            scope=self.flags.get("scope"),
            index0=self.index0,
        )


def read_partitions(source: Source) -> tuple[Partition, ...] | None:
    """Read ``partitions.conf``; None where OpenSM would drop the file."""
    reader = _Reader(source)
    for number, line in source.lines(LONGEST_LINE):
        reader.line(line.partition("#")[0], number)
    return reader.finish()


class _Reader:
    """The state between lines: finished definitions, and the one that is open."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.partitions: list[Partition] = []
        self.keys: dict[int, Word] = {}
        self.open: _Definition | None = None
        self.dropped = False

    def line(self, text: str, number: int) -> None:
        """Read a line: pieces between semicolons, each a definition or the rest of one."""
        pieces = Word(text, number, 1).split(";")
        for piece in pieces[:-1]:
            self.piece(piece, closed=True)
            self.close()
        self.piece(pieces[-1], closed=False)

    def piece(self, word: Word, *, closed: bool) -> None:
        """Read a piece of a line."""
        if not word.text and not (closed and self.open is None):
            return
        if self.open is not None:
            self.items(word)
        elif ":" in word.text:
            head, body = word.split(":", 1)
            self.open = self.head(head)
            self.items(body)
        else:
            self.fail(word, "no `:` on the line on which a definition starts")

    def close(self) -> None:
        """End the open definition."""
        if self.open is not None:
            self.partitions.append(self.open.finished())
            self.open = None

    def finish(self) -> tuple[Partition, ...] | None:
        """Return what was read, or None where OpenSM would drop it."""
        self.close()
        if not self.partitions and not self.dropped:
            self.fail(Word("", 1, 1), "no partition in the file")
        return None if self.dropped else tuple(self.partitions)

    def fail(self, word: Word, reason: str) -> None:
        """Report what makes OpenSM drop the file."""
        self.dropped = True
        self.source.add(
            kinds.PARTITION_SYNTAX,
            ("partitions",),
            f"{reason}; {_DROPPED}",
            word,
            remedy="write a definition as `name=0x<key>, <flags> : <member>=<membership>, ... ;` with the part before "
            "the colon on one line and `;` at its end",
        )

    def head(self, word: Word) -> _Definition:
        """Read a definition up to its colon."""
        first, *flags = word.split(",")
        name, *key = first.split("=", 1)
        if not key and name.text[:1].isdigit():
            key = [name]
        pkey = self.pkey(name.text, key[0]) if key else None
        label = f"{pkey or 0:04x}" if key and (key[0] is name or not name.text) else name.text
        if not key:
            self.source.add(
                kinds.PARTITION_PKEY_NONE,
                ("partitions", label),
                f"partition `{label}` has no key; OpenSM gives it the first free one from 0x0001 up",
                name,
                remedy=f"write `{label}=0x<key>`",
            )
        definition = _Definition(label, pkey, first)
        self.source.place(("partitions", label), first)
        self.unique_key(definition)
        for flag in flags:
            self.flag(definition, flag)
        return definition

    def pkey(self, name: str, word: Word) -> int | None:
        """Read a partition key and return what OpenSM makes of it."""
        number = c_number(word.text)
        if number is None:
            self.fail(word, f"`{word.text}` is no partition key")
            return None
        actual = number & LAST_PKEY
        effect = f"OpenSM uses 0x{actual:04x}" if actual else "OpenSM gives it the first free key from 0x0001 up"
        legal = plain_number(word.text)
        if legal is None or not 1 <= number <= LAST_PKEY:
            bit15_only = legal is not None and 0x8000 < number <= 0xFFFF
            self.source.add(
                kinds.PARTITION_PKEY_BIT15 if bit15_only else kinds.PARTITION_PKEY,
                ("partitions", name),
                f"`{word.text}` is not 0x0001 to 0x7fff; {effect}",
                word,
                remedy=f"write 0x{actual:04x}, and say `full` or `limited` with the members"
                if bit15_only
                else "choose a key from 0x0001 to 0x7fff and write it with 0x",
            )
        return actual or None

    def unique_key(self, definition: _Definition) -> None:
        if definition.pkey is None:
            return
        first = self.keys.setdefault(definition.pkey, definition.where)
        if first is not definition.where:
            self.source.add(
                kinds.PARTITION_REPEATED,
                ("partitions", definition.name),
                f"key 0x{definition.pkey:04x} is defined a second time; OpenSM merges the two, and the "
                "last membership of a port wins",
                definition.where,
                remedy="join the two definitions, or give one of them another key",
                related=[Note("first defined here", self.source.span(first))],
            )

    def flag(self, definition: _Definition, word: Word) -> None:
        """Read a flag. An empty one begins every flag, so OpenSM takes it for ``mtu`` without a value."""
        name, *values = word.split("=", 1)
        known = begins(name.text, FLAGS[:-1]) or ("indx0" if name.text == "indx0" else None)
        if known is None or name.text != known:
            effect = f"OpenSM takes it for `{known}`" if known else "OpenSM ignores it"
            self.source.add(
                kinds.PARTITION_FLAG,
                ("partitions", definition.name, name.text),
                f"`{name.text}` is no partition flag; {effect}",
                name,
                remedy=did_you_mean(name.text, FLAGS),
            )
        if known in FLAG_RANGES:
            self.number(definition, known, values[0] if values else Word("", name.line, name.column + len(name.text)))
        elif known == "defmember":
            word = values[0] if values else Word("", name.line, name.column + len(name.text))
            definition.membership = self.membership(definition, word) or definition.membership
        elif known == "ipoib":
            definition.ipoib = True
        elif known == "indx0":
            definition.index0 = True

    def number(self, definition: _Definition, flag: str, word: Word) -> None:
        """Read the value of a flag."""
        ranges = FLAG_RANGES[flag]
        value = plain_number(word.text)
        if value is None or not in_ranges(value, ranges):
            keeps = flag in ("sl", "scope", "FlowLabel")
            effect = "OpenSM ignores it" if keeps else "OpenSM takes it, and makes no broadcast group with it"
            self.source.add(
                kinds.PARTITION_FLAG_VALUE,
                ("partitions", definition.name, flag),
                f"`{flag}={word.text}` is not {in_words(ranges)}; {effect}",
                word,
                remedy=f"set `{flag}` to one of {in_words(ranges)}",
            )
            value = None if keeps else c_number(word.text)
        if value is None:
            return
        if flag not in ("mtu", "rate", "sl", "scope") or (flag == "scope" and flag in definition.flags):
            self.source.skipped(flag)
            return
        definition.flags[flag] = value

    def membership(self, definition: _Definition, word: Word) -> Membership | None:
        """Read a membership word and return what OpenSM makes of it; None where it keeps its default."""
        if word.text in MEMBERSHIP_WORDS:
            return Membership(word.text)
        actual = begins(word.text, MEMBERSHIP_WORDS)
        self.source.add(
            kinds.PARTITION_MEMBERSHIP,
            ("partitions", definition.name),
            f"`{word.text}` is none of {allowed(MEMBERSHIP_WORDS)}; OpenSM takes it for `{actual or 'limited'}`",
            word,
            remedy=did_you_mean(word.text, MEMBERSHIP_WORDS),
        )
        return Membership(actual) if actual else None

    def items(self, word: Word) -> None:
        """Read members, and the multicast group that a line may end with."""
        assert self.open is not None
        items = word.split(",")
        for item in items:
            if item.text.partition("=")[0].strip() == "mgid":
                self.source.skipped("mgid")
                return
            if item.text:
                self.member(self.open, item)

    def member(self, definition: _Definition, item: Word) -> None:
        """Read a member and its membership."""
        name, *values = item.split("=", 1)
        membership = (self.membership(definition, values[0]) or Membership.LIMITED) if values else None
        who = self.who(definition, name)
        if who is None:
            return
        label = who if isinstance(who, str) else format_guid(who)
        self.source.place(("partitions", definition.name, "members", label), name)
        definition.members.append(PartitionMember(who, membership))

    def who(self, definition: _Definition, name: Word) -> int | str | None:
        """Return the member that OpenSM takes a name for; None where it drops the file."""
        if name.text in MEMBER_WORDS:
            return name.text
        path = ("partitions", definition.name, name.text)
        if name.text[:1].isdigit():
            guid = self.source.guid(path, name, _DROPPED)
            if guid is None:
                self.dropped = True
            else:
                self.source.unique(path, guid, name, definition.seen)
            return guid
        word = begins(name.text, MEMBER_WORDS)
        self.dropped |= word is None
        self.source.add(
            kinds.PARTITION_MEMBER,
            path,
            f"`{name.text}` is neither a GUID nor one of {allowed(MEMBER_WORDS)}; "
            + (f"OpenSM takes it for `{word}`" if word else _DROPPED),
            name,
            remedy=did_you_mean(name.text, MEMBER_WORDS),
        )
        return word

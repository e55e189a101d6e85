"""What the readers of all files share: lines with places, numbers as C reads them, GUIDs, and findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Diagnostic, Kind, Note, Span
from fabricgen.core.guids import parse_guid
from fabricgen.platforms.opensm import kinds

#: A path into the device model, as :data:`fabricgen.device.network.Locate` takes it.
ModelPath = tuple[str, ...]

_C_NUMBER = re.compile(r"\s*([-+]?)(?:(0[xX][0-9a-fA-F]+)|(0[0-7]*)|([1-9][0-9]*))")
_LARGEST = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a line: its text without surrounding blanks, and its place; both counts are from 1."""

    text: str
    line: int
    column: int

    def split(self, separator: str, limit: int = -1) -> list[Word]:
        """Split at a separator, as :meth:`str.split`, keeping places."""
        words, offset = [], 0
        for part in self.text.split(separator, limit):
            words.append(trimmed(part, self.line, self.column + offset))
            offset += len(part) + len(separator)
        return words


def trimmed(text: str, line: int, column: int) -> Word:
    """Return a piece of a line that starts at ``column``, without blanks around it."""
    kept = text.strip()
    return Word(kept, line, column + (len(text) - len(text.lstrip()) if kept else 0))


@dataclass
class Findings:
    """Collects what reading one device's files finds, and where each part of its model is."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    places: dict[ModelPath, Span] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """One file that is being read.

    Attributes:
        file: its name, as findings print it.
        base: its name without folders.
        text: what is in it.
        findings: takes what is found.
    """

    file: str
    base: str
    text: str
    findings: Findings

    def lines(self, longest: int | None = None) -> Iterator[tuple[int, str]]:
        """Yield every line and its number, and report lines that a program's buffer cannot take (FG614).

        Args:
            longest: most bytes of a line, without its end.
        """
        for number, line in enumerate(self.text.split("\n"), start=1):
            if longest is not None and len(line.encode()) > longest:
                self.add(
                    kinds.LINE_TOO_LONG,
                    (self.base,),
                    f"the line has {len(line.encode())} bytes and the program's buffer takes {longest}; the rest would "
                    "be read as another line",
                    Word(line, number, longest + 1),
                    remedy="break the line",
                )
            yield number, line

    def bare_lines(self, longest: int | None = None) -> Iterator[Word]:
        """Yield what is on each line before any ``#``; empty lines are left out."""
        for number, line in self.lines(longest):
            word = trimmed(line.partition("#")[0], number, 1)
            if word.text:
                yield word

    def span(self, word: Word) -> Span:
        """Return the place of a word."""
        return Span(self.file, word.line, word.column)

    def place(self, path: ModelPath, word: Word) -> None:
        """Note where a part of the model is; the last place wins, as OpenSM's options do."""
        self.findings.places[("subnet_manager", *path)] = self.span(word)

    def skipped(self, what: str) -> None:
        """Count something legal that the device model has no room for."""
        name = f"{self.base} {what}"
        self.findings.unread[name] = self.findings.unread.get(name, 0) + 1

    def add(
        self, kind: Kind, path: ModelPath, summary: str, word: Word, *, remedy: str, related: Iterable[Note] = ()
    ) -> None:
        """Add a finding about a word."""
        where = f"subnet_manager.{path[0]}" + "".join(f"[{part}]" for part in path[1:])
        self.findings.diagnostics.append(kind.at(where, summary, remedy=remedy, span=self.span(word), related=related))

    def guid(self, path: ModelPath, word: Word, consequence: str) -> int | None:
        """Read a GUID strictly, and return what OpenSM would read.

        Args:
            path: what the GUID is for.
            word: its text.
            consequence: what OpenSM does where it can read no number.
        """
        actual = c_number(word.text)
        try:
            return parse_guid(word.text)
        except ValueError as error:
            effect = consequence if not actual else f"OpenSM reads it as 0x{actual:016x}"
            self.add(
                kinds.GUID_MALFORMED,
                path,
                f"{error}; {effect}",
                word,
                remedy="write the GUID as 0x and 16 hex digits, as `ibstat` and `ibnetdiscover` print it",
            )
            return actual or None

    def unique(self, path: ModelPath, guid: int, word: Word, seen: dict[int, Word]) -> bool:
        """Report a GUID that was seen before (FG618), and return whether it was not."""
        first = seen.setdefault(guid, word)
        if first is word:
            return True
        self.add(
            kinds.GUID_REPEATED,
            path,
            f"0x{guid:016x} is listed a second time",
            word,
            remedy="remove one of the two lines, or correct its GUID",
            related=[Note("first listed here", self.span(first))],
        )
        return False


def c_number(text: str) -> int | None:
    """Return what C's ``strtoull(text, &end, 0)`` makes of a whole text, or None where it stops before the end.

    Octal after a leading zero, hexadecimal after ``0x``; numbers past 64 bits become 2^64 - 1 (ISO C 7.22.1.4).
    """
    match = _C_NUMBER.fullmatch(text)
    if match is None:
        return None
    sign, hexadecimal, octal, decimal = match.groups()
    value = int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else int(decimal)
    value = min(value, _LARGEST)
    return -value % (_LARGEST + 1) if sign == "-" else value


def begins(text: str, words: Sequence[str]) -> str | None:
    """Return the first of OpenSM's words that starts with a text: its parsers compare with ``strncmp``."""
    return next((word for word in words if word.startswith(text)), None)


def allowed(words: Iterable[str]) -> str:
    """Print words as a list for a finding."""
    return ", ".join(f"`{word}`" for word in words)


def plain(text: str, longest: int, without: str) -> bool:
    """Return whether a text is printable, not empty, without blanks around it, and free of certain characters.

    Args:
        text: a name that is to be printed.
        longest: most bytes.
        without: the characters that would end it.
    """
    return (
        bool(text)
        and text.isprintable()
        and text == text.strip()
        and len(text.encode()) <= longest
        and not set(text) & set(without)
    )

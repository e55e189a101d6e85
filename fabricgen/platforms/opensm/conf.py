"""Prints and reads ``opensm.conf``: a name and a value on each line, ``#`` begins a comment anywhere."""

from __future__ import annotations

import re

from fabricgen.core.diagnostics import Note, did_you_mean
from fabricgen.platforms.opensm import kinds
from fabricgen.platforms.opensm.options import NULL, NVIDIA_ENGINES, NVIDIA_OPTIONS, Option, objection, options
from fabricgen.platforms.opensm.scan import Source, Word

#: Most bytes of a line: OpenSM reads with ``fgets(line, 1023, file)`` (osm_subnet.c).
LONGEST_LINE = 1021

_HOST = re.compile(r"^# Host: (\S+)$", re.MULTILINE)
_QUOTES = ('"', "'")

Options = tuple[tuple[str, str], ...]


def emit_options(host: str, values: Options) -> str:
    """Return ``opensm.conf``.

    Args:
        host: name of the device that OpenSM runs on; the file has no other place for it than a comment.
        values: the options.

    Raises:
        ValueError: a name or value cannot be written so that OpenSM would read it back.
    """
    lines = ["# OpenSM options; goes to /etc/opensm/opensm.conf. Options that are not here have OpenSM's own defaults."]
    lines += [f"# Host: {host}", ""]
    for name, value in values:
        line = f"{name} {value}"
        if not _printable(name, value) or len(line.encode()) > LONGEST_LINE:
            msg = f"the option {name!r} with the value {value!r} cannot be written to opensm.conf"
            raise ValueError(msg)
        lines.append(line)
    return "\n".join(lines) + "\n"


def _printable(name: str, value: str) -> bool:
    quoted = value[:1] in _QUOTES and value[:1] == value[-1:]
    return (
        bool(re.fullmatch(r"[^\s#]+", name)) and value == value.strip() and not quoted and not set(value) & set("#\n")
    )


def host_name(text: str) -> str | None:
    """Return the host that the file's own comment names."""
    found = _HOST.search(text)
    return found[1] if found else None


def read_options(source: Source) -> Options:
    """Read ``opensm.conf``: every pair as it stands, sorted by name, the order of repeated ones kept."""
    pairs: list[tuple[str, str]] = []
    seen: dict[str, Word] = {}
    for word in source.bare_lines(LONGEST_LINE):
        name, value = _pair(word)
        source.place(("options", name.text), name)
        _check(source, name, value)
        _check_repeated(source, name, value, seen)
        pairs.append((name.text, value.text))
    return tuple(sorted(pairs, key=lambda pair: pair[0]))


def _pair(word: Word) -> tuple[Word, Word]:
    """Split a line into its name and value; quotes around a value are dropped, as OpenSM does."""
    parts = word.text.split(None, 1)
    name = Word(parts[0], word.line, word.column)
    if len(parts) == 1:
        return name, Word("", word.line, word.column + len(name.text))
    value = Word(parts[1], word.line, word.column + len(word.text) - len(parts[1]))
    if len(value.text) > 1 and value.text[0] in _QUOTES and value.text[0] == value.text[-1]:
        value = Word(value.text[1:-1], value.line, value.column + 1)
    return name, value


def _check(source: Source, name: Word, value: Word) -> None:
    option = options().get(name.text)
    path = ("options", name.text)
    if option is None:
        source.add(
            kinds.OPTION_UNKNOWN,
            path,
            f"`{name.text}` is no option of OpenSM; it is skipped and the default stays",
            name,
            remedy=_unknown_remedy(name.text),
        )
        return
    if option.kind == "engines":
        _check_engines(source, option, value)
        return
    wrong = objection(option, value.text)
    if wrong:
        source.add(
            kinds.OPTION_VALUE, path, f"`{value.text}` {wrong}", value, remedy=f"set `{name.text}` to a legal value"
        )


def _unknown_remedy(name: str) -> str:
    if name.startswith(NVIDIA_OPTIONS):
        return "remove it, or run NVIDIA's own OpenSM, which seems to be meant"
    if name == "dimn_ports_file":
        return "write `port_search_ordering_file`, its newer name"
    return did_you_mean(name, options()) if len(name) > 2 else "remove it"


def _check_engines(source: Source, option: Option, value: Word) -> None:
    """Report engines that OpenSM does not have; it splits the list at commas and blanks."""
    if value.text == NULL:
        return
    engines = option.allowed.split("|")
    for part in value.split(","):
        if part.text in engines:
            continue
        what = "is an engine of NVIDIA's own OpenSM only" if part.text in NVIDIA_ENGINES else "is no routing engine"
        source.add(
            kinds.ENGINE_UNKNOWN,
            ("options", option.name),
            f"`{part.text}` {what}; OpenSM takes the next of the list, or minhop",
            part,
            remedy=did_you_mean(part.text, engines),
        )


def _check_repeated(source: Source, name: Word, value: Word, seen: dict[str, Word]) -> None:
    """Report an option given twice; those with a value for each SL are repeated by design."""
    option = options().get(name.text)
    per_sl = option is not None and option.kind == "per_sl"
    key = f"{name.text} {value.text.split()[0]}" if per_sl and value.text else name.text
    first = seen.setdefault(key, name)
    if first is not name:
        source.add(
            kinds.OPTION_REPEATED,
            ("options", name.text),
            f"`{name.text}` is given a second time; OpenSM takes the last, `{value.text}`",
            name,
            remedy="remove one of the two lines",
            related=[Note("first given here", source.span(first))],
        )

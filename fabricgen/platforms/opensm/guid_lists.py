"""Prints and reads what is a list of GUIDs: root, compute and I/O nodes, the node name map, and the LID cache."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fabricgen.core.diagnostics import Note
from fabricgen.core.guids import format_guid
from fabricgen.platforms.opensm import kinds
from fabricgen.platforms.opensm.scan import Source, Word, plain

#: Most bytes of a line of a GUID list or name map: ``fgets`` into 256 bytes (cl_nodenamemap.c).
LONGEST_LINE = 254

#: A node description has 64 bytes (IBTA 1.4, 14.2.5.2).
LONGEST_DESCRIPTION = 64

#: Last unicast LID (IBTA 1.4, 4.1.3).
LAST_UNICAST_LID = 0xBFFF


@dataclass(frozen=True, slots=True)
class GuidList:
    """A kind of GUID list: its field in the model, what it holds, and what OpenSM does without it."""

    field: str
    title: str
    without: str


LISTS = (
    GuidList(
        "root_guids",
        "Node GUIDs of the switches that routing starts from (root_guid_file)",
        "OpenSM drops the file and guesses the roots",
    ),
    GuidList(
        "compute_guids",
        "Port GUIDs of compute nodes (cn_guid_file)",
        "OpenSM drops the file, ftree fails, and minhop routes",
    ),
    GuidList(
        "io_guids",
        "Port GUIDs of I/O nodes (io_guid_file)",
        "OpenSM drops the file, ftree fails, and minhop routes",
    ),
)


def emit_guids(what: GuidList, name: str, guids: tuple[int, ...]) -> str:
    """Return a GUID list, one to a line."""
    return "\n".join([f"# {what.title}; goes to /etc/opensm/{name}.", *map(format_guid, guids)]) + "\n"


def read_guids(source: Source, what: GuidList) -> tuple[int, ...] | None:
    """Read a GUID list; None where OpenSM would drop the file."""
    guids: list[int] = []
    seen: dict[int, Word] = {}
    whole = True
    for word in source.bare_lines(LONGEST_LINE):
        first, *rest = re.split(r"(\s+)", word.text, maxsplit=1)
        path = (what.field, first)
        head = Word(first, word.line, word.column)
        guid = source.guid(path, head, what.without)
        if rest:
            source.add(
                kinds.GUID_LINE_TAIL,
                path,
                f"`{rest[1]}` after the GUID is skipped",
                Word(rest[1], word.line, word.column + len(first) + len(rest[0])),
                remedy="put each GUID on a line of its own, and anything else behind `#`",
            )
        if guid is None:
            whole = False
        elif source.unique(path, guid, head, seen):
            source.place((what.field, format_guid(guid)), head)
            guids.append(guid)
    if whole and not guids:
        source.add(
            kinds.GUID_LIST_EMPTY,
            (what.field,),
            "the file lists no GUID",
            Word("", 1, 1),
            remedy="list the GUIDs, or remove the file and its option",
        )
    return tuple(guids) if whole else None


def emit_name_map(name: str, names: tuple[tuple[int, str], ...]) -> str:
    """Return the node name map.

    Raises:
        ValueError: a name cannot be written so that OpenSM would read it back.
    """
    lines = [f"# Names of switches for logs and tools (node_name_map_name); goes to /etc/opensm/{name}."]
    for guid, text in names:
        if not plain(text, LONGEST_DESCRIPTION, '"#'):
            msg = f"{text!r} cannot be written to the node name map"
            raise ValueError(msg)
        lines.append(f'{format_guid(guid)} "{text}"')
    return "\n".join(lines) + "\n"


def read_name_map(source: Source) -> tuple[tuple[int, str], ...]:
    """Read the node name map; empty where OpenSM would drop it."""
    names: list[tuple[int, str]] = []
    seen: dict[int, Word] = {}
    whole = True
    for word in source.bare_lines(LONGEST_LINE):
        first, _, rest = word.text.partition(" ") if " " in word.text else word.text.partition("\t")
        head = Word(first, word.line, word.column)
        path = ("node_names", first)
        guid = source.guid(path, head, "OpenSM drops the whole map")
        text = _map_name(source, path, Word(rest.strip(), word.line, word.column + len(word.text) - len(rest.lstrip())))
        if guid is None:
            whole = False
        elif source.unique(path, guid, head, seen) and text:
            source.place(("node_names", format_guid(guid)), head)
            names.append((guid, text))
    return tuple(sorted(names)) if whole else ()


def _map_name(source: Source, path: tuple[str, ...], word: Word) -> str:
    """Return the name as OpenSM reads it: up to the first quote, leading quotes skipped."""
    match = re.fullmatch(r'"([^"]+)"', word.text)
    name = match[1] if match else word.text.strip('"').partition('"')[0].strip()
    if match and len(name.encode()) <= LONGEST_DESCRIPTION:
        return name
    source.add(
        kinds.NAME_MAP_LINE,
        path,
        f"`{word.text}` is no name between double quotes of {LONGEST_DESCRIPTION} bytes at most; OpenSM takes `{name}`",
        word,
        remedy='write the name between double quotes, without `"` or `#` in it',
    )
    return name


def lid_spans(lids: tuple[tuple[int, int], ...], switches: frozenset[int], options: Mapping[str, str]) -> list[int]:
    """Return how many LIDs each entry takes: 2^LMC, and one for a switch unless ``lmc_esp0`` is set."""
    ports = 1 << int(options.get("lmc", "0"), 0)
    wide_switches = options.get("lmc_esp0") == "TRUE"
    return [1 if guid in switches and not wide_switches else ports for guid, _ in lids]


def emit_lids(lids: tuple[tuple[int, int], ...], spans: list[int]) -> str:
    """Return OpenSM's ``guid2lid`` cache; it takes no comments, which OpenSM would report as bad keys.

    Raises:
        ValueError: a LID is no unicast LID.
    """
    lines = []
    for (guid, lid), span in zip(lids, spans, strict=True):
        last = lid + span - 1
        if not 1 <= lid <= last <= LAST_UNICAST_LID:
            msg = f"LIDs {lid} to {last} of {format_guid(guid)} cannot be written; the last is {LAST_UNICAST_LID}"
            raise ValueError(msg)
        lines.append(f"{format_guid(guid)} 0x{lid:04x} 0x{last:04x}\n\n")
    return "".join(lines)


def read_lids(source: Source) -> tuple[tuple[int, int], ...]:
    """Read the ``guid2lid`` cache; entries that OpenSM would drop are left out."""
    lids: list[tuple[int, int]] = []
    seen: dict[int, Word] = {}
    owners: dict[int, Word] = {}
    open_entry = False
    for number, line in source.lines():
        word = Word(line.rstrip(), number, 1)
        if not word.text:
            open_entry = False
            continue
        entry = _lid_entry(source, word, open_entry)
        open_entry = True
        if entry is None:
            continue
        guid, first, last = entry
        path = ("lids", format_guid(guid))
        if source.unique(path, guid, word, seen) and _lids_free(source, path, word, range(first, last + 1), owners):
            source.place(path, word)
            lids.append((guid, first))
    return tuple(sorted(lids))


def _lid_entry(source: Source, word: Word, open_entry: bool) -> tuple[int, int, int] | None:
    """Return GUID, first and last LID of a line, or report why OpenSM would drop it."""
    parts = word.text.split()
    path = ("lids", parts[0])
    reason = ""
    numbers = [int(part, 16) for part in parts[1:] if re.fullmatch(r"0x[0-9a-fA-F]{1,4}", part)]
    if open_entry:
        reason = "does not follow an empty line, so OpenSM takes it as part of the entry above"
    elif word.text[0].isspace() or len(parts) != 3 or len(numbers) != 2:
        reason = "is not `GUID first-LID last-LID`"
    elif not 1 <= numbers[0] <= numbers[1] <= LAST_UNICAST_LID:
        reason = "has LIDs outside 0x0001 to 0xbfff, or in the wrong order"
    elif numbers[1] - numbers[0] + 1 not in (1, 2, 4, 8, 16, 32, 64, 128):
        reason = "spans a number of LIDs that no LMC gives"
    if reason:
        source.add(
            kinds.LID_CACHE_LINE,
            path,
            f"`{word.text}` {reason}",
            word,
            remedy="write the entry as `0x<16 digits> 0x<first> 0x<last>` with an empty line after it, and no comments",
        )
        return None
    guid = source.guid(path, Word(parts[0], word.line, 1), "OpenSM drops the entry")
    return None if guid is None else (guid, numbers[0], numbers[1])


def _lids_free(source: Source, path: tuple[str, ...], word: Word, lids: range, owners: dict[int, Word]) -> bool:
    taken = next((lid for lid in lids if lid in owners), None)
    if taken is None:
        owners.update(dict.fromkeys(lids, word))
        return True
    source.add(
        kinds.LID_REPEATED,
        path,
        f"LID 0x{taken:04x} is taken by another port; OpenSM gives this one another LID",
        word,
        remedy="give the port a LID of its own",
        related=[Note("taken here", source.span(owners[taken]))],
    )
    return False

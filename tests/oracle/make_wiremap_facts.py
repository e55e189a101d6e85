"""Makes the CSVs of links on the switches of NVIDIA's Enterprise Reference Architectures, from a checkout.

Both ends and the speed, nothing else. Run by hand when the repository has moved on; the wiremaps are PDFs, which takes
`pip install pdfplumber`:

    python -m tests.oracle.make_wiremap_facts wiremap ~/enterprise-ras > tests/oracle/data/era_wiremaps.csv
    python -m tests.oracle.make_wiremap_facts air ~/enterprise-ras > tests/oracle/data/era_air_links.csv
"""

from __future__ import annotations

import csv
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from fabricgen.core.model import natural_key

Row = tuple[str, ...]

ARCHITECTURES = ("2-4-3-200", "2-8-5-200", "2-8-9-400")
SOURCE = "NVIDIA/enterprise-ras 6c19a5908, spectrum-era/*/"

_CORE = re.compile(r"core-\d\d")
_PORT = re.compile(r"swp\d+(?:s\d)?")
_SWITCH = re.compile(r"(?:core|oob-switch)-\d\d")


def wiremap_rows(checkout: Path) -> Iterator[Row]:
    """Yield architecture, switch, port, speed, device and port of every cabled port of a switch, 1G ports too."""
    yield "architecture", "switch", "port", "speed_gbps", "device", "device_port"
    for architecture in ARCHITECTURES:
        (file,) = (checkout / "spectrum-era" / architecture).glob("*iremap*.pdf")
        rows = [_without_flag(row) for row in _table(file)]
        yield from sorted(
            ((architecture, *link) for link in (*_server_links(rows), *_switch_links(rows))),
            key=lambda link: [natural_key(word) for word in link[:3]],
        )


def _table(file: Path) -> Iterator[list[str]]:
    with importlib.import_module("pdfplumber").open(file) as document:
        for page in document.pages:
            for table in page.extract_tables():
                yield from ([cell or "" for cell in row] for row in table)


def _without_flag(row: list[str]) -> list[str]:
    """Drop the column ``Display in Air``, which two of the three have."""
    return row[1:] if len(row) == 14 else row


def _server_links(rows: list[list[str]]) -> Iterator[Row]:
    """Yield the links of servers. A server's name stands in one of its rows, not always the first, on each page."""
    names: list[str] = []
    block: list[tuple[str, str, str, str]] = []
    for row in [*rows, ["", "B3220 SL0 P1", *[""] * 11]]:
        if re.fullmatch(r"B3220 .*P(?:ort )?1", row[1]):
            name = next(iter(names), "")
            yield from ((switch, port, speed, name, label) for switch, port, speed, label in block)
            names, block = [], []
        names += [word for word in row[0].split("\n") if word and word != "System name" and not _SWITCH.match(word)]
        if _SWITCH.fullmatch(row[8]) and not _SWITCH.match(row[0]):
            block.append((row[8], row[9], row[3].removesuffix("G"), row[1]))


def _switch_links(rows: list[list[str]]) -> Iterator[Row]:
    """Yield the links that are listed by the core switch's port."""
    for row in rows:
        if _CORE.fullmatch(row[0]) and _PORT.fullmatch(row[1]) and row[8]:
            yield row[0], row[1], row[12].removesuffix("G"), row[8], row[9]


def air_rows(checkout: Path) -> Iterator[Row]:
    """Yield architecture, switch, port, device and port of every link of a core switch in the simulated topologies."""
    yield "architecture", "switch", "port", "device", "device_port"
    for architecture in ARCHITECTURES:
        (file,) = (checkout / "spectrum-era" / architecture).glob("*-topology.json")
        links = json.loads(file.read_text(encoding="utf-8"))["content"]["links"]
        found = []
        for link in links:
            ends = sorted((end["node"], end["interface"]) for end in link if isinstance(end, dict))
            core, *others = sorted(ends, key=lambda end: not _CORE.fullmatch(end[0]))
            if _CORE.fullmatch(core[0]) and others:
                found.append((architecture, *core, *others[0]))
        yield from sorted(found, key=lambda row: [natural_key(word) for word in row])


MAKERS: Mapping[str, Callable[[Path], Iterable[Row]]] = {"wiremap": wiremap_rows, "air": air_rows}
FILES = {"wiremap": "the wiremaps (PDF)", "air": "*-topology.json"}


def main(maker: str, checkout: str) -> None:
    """Print one CSV."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    print(f"# {SOURCE}{FILES[maker]}")
    writer.writerows(MAKERS[maker](Path(checkout)))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A picture as a Mermaid flowchart, for a README: GitHub and GitLab draw it.

Mermaid refuses more than 500 edges or 50,000 characters (``maxEdges``, ``maxTextSize`` of its schema), its
version 10.6 more than 280 edges (mermaid issue 5042), and a README cannot raise that. An outline has fewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricgen.report.diagrams.outline import Block, Outline
from fabricgen.report.diagrams.svg import RAIL_COLOURS
from fabricgen.report.diagrams.words import span_text

MAX_EDGES, MAX_CHARACTERS = 280, 50_000


def render(outline: Outline) -> str:
    """Return an outline as a Mermaid flowchart, servers at the bottom."""
    return "\n".join(_lines(outline)) + "\n"


def _lines(outline: Outline) -> Iterator[str]:
    ids = {block.key: block.key for block in outline.blocks}
    devices = [device for block in outline.blocks if block.named for device in block.devices]
    ids.update({device.name: f"d{number}" for number, device in enumerate(devices, start=1)})
    yield "flowchart TB"
    for block in outline.blocks:
        yield from _block(block, ids)
    # Mermaid draws the first end of an edge above the second.
    for bundle in outline.bundles:
        yield f'  {ids[bundle.upper]} ---|"{bundle.text}"| {ids[bundle.lower]}'
    for number, colour in enumerate(RAIL_COLOURS):
        names = [
            ids[device.name]
            for device in devices
            if device.rail is not None and device.rail % len(RAIL_COLOURS) == number
        ]
        if names:
            yield f"  classDef r{number} stroke:{colour},stroke-width:3px"
            yield f"  class {','.join(names)} r{number}"


def _block(block: Block, ids: Mapping[str, str]) -> Iterator[str]:
    places = (span_text("plane", block.planes), span_text("pod", block.pods))
    if not block.named:
        yield f'  {block.key}["{"<br/>".join(filter(None, (*places, *block.lines)))}"]'
        return
    where = ", ".join(filter(None, (block.group, *places, span_text("unit", block.units))))
    yield f'  subgraph {block.key}["{where}"]'
    yield from (f'    {ids[device.name]}["{device.name}"]' for device in block.devices)
    yield "  end"

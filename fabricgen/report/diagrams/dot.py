"""A picture as Graphviz DOT; ``dot -Tsvg`` draws it."""

from __future__ import annotations

from collections.abc import Iterator

from fabricgen.report.diagrams.outline import Block, Bundle, Detail, Outline
from fabricgen.report.diagrams.svg import RAIL_COLOURS
from fabricgen.report.diagrams.words import device_title, span_text, summary


def render(outline: Outline) -> str:
    """Return an outline as a DOT graph; blocks of named devices are clusters, trunks lead from cluster to cluster."""
    return "\n".join(_lines(outline)) + "\n"


def _lines(outline: Outline) -> Iterator[str]:
    fabric = outline.fabric
    yield f"graph {quoted(fabric.name)} {{"
    title = f"{fabric.name}: {fabric.kind}, {fabric.design}\n{summary(fabric)}"
    yield f'  graph [label={quoted(title)}, labelloc=t, rankdir=BT, compound=true, fontname="monospace", ranksep=1.2];'
    yield '  node [shape=box, fontname="monospace", fontsize=10];'
    yield '  edge [fontname="monospace", fontsize=9, color="#6b7480"];'
    for block in outline.blocks:
        yield from _block(block)
    blocks = {block.key: block for block in outline.blocks if block.named and outline.detail is not Detail.LINKS}
    yield from (_edge(bundle, blocks) for bundle in outline.bundles)
    yield "}"


def _block(block: Block) -> Iterator[str]:
    places = (span_text("plane", block.planes), span_text("pod", block.pods))
    if not block.named:
        yield f"  {block.key} [label={quoted(chr(10).join(filter(None, (*places, *block.lines))))}];"
        return
    where = ", ".join(filter(None, (block.group, *places, span_text("unit", block.units))))
    yield f"  subgraph cluster_{block.key} {{"
    yield f'    label={quoted(where)}; color="#8a94a3";'
    for device in block.devices:
        colour = "" if device.rail is None else f', color="{_colour(device.rail)}", penwidth=2'
        yield f"    {quoted(device.name)} [tooltip={quoted(device_title(device))}{colour}];"
    yield "  }"


def _edge(bundle: Bundle, blocks: dict[str, Block]) -> str:
    ends, attributes = [], [f"label={quoted(bundle.text)}"]
    for key, side in ((bundle.lower, "ltail"), (bundle.upper, "lhead")):
        block = blocks.get(key)
        ends.append(quoted(block.devices[len(block.devices) // 2].name if block else key))
        if block:
            attributes.append(f"{side}=cluster_{key}")
    if bundle.rail is not None:
        attributes.append(f'color="{_colour(bundle.rail)}"')
    return f"  {' -- '.join(ends)} [{', '.join(attributes)}];"


def _colour(rail: int) -> str:
    return RAIL_COLOURS[rail % len(RAIL_COLOURS)]


def quoted(text: str) -> str:
    """Return a text as a DOT string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

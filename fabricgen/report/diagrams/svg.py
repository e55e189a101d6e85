"""A picture as SVG: one file without scripts or fonts of its own, for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from fabricgen.report.diagrams.layout import lay_out
from fabricgen.report.diagrams.outline import Outline
from fabricgen.report.diagrams.shapes import Label, Picture, Shape, Wire
from fabricgen.report.diagrams.words import summary

#: Colours of the rails: Okabe and Ito's, moved until any two differ by 20 (CIE76) to normal, protanopic, deuteranopic
#: eyes, and each has a contrast of 2.8:1 on both grounds. Rails are named as well, never told by colour alone.
RAIL_COLOURS = ("#1d698f", "#ad4306", "#00b059", "#b48992", "#c19100", "#5699db", "#715f46", "#6158cb")

_STYLE = """\
text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2328}
.m{text-anchor:middle}.s{font-weight:bold}
.page,.paper{fill:#fff}.frame{fill:none;stroke:#8a94a3;stroke-dasharray:5 3}
.block,.tag{fill:#e9edf2}.block{stroke:#8a94a3}.cell{fill:#fff;stroke:#6b7480}
path{fill:none;stroke:#6b7480;stroke-opacity:.75}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page,.paper{fill:#0d1117}.frame{stroke:#5c6673}
.block,.tag{fill:#1c232d}.block{stroke:#5c6673}.cell{fill:#0d1117;stroke:#8a94a3}path{stroke:#9aa4b1}}"""


def render(outline: Outline) -> str:
    """Return an outline as an SVG document."""
    return "\n".join(_document(outline, lay_out(outline))) + "\n"


def _document(outline: Outline, picture: Picture) -> Iterator[str]:
    fabric = outline.fabric
    rails = "".join(
        f"path.r{rail}{{stroke:{colour}}}rect.r{rail}{{fill:{colour};stroke:none}}"
        for rail, colour in enumerate(RAIL_COLOURS)
    )
    size = f'width="{picture.width}" height="{picture.height}" viewBox="0 0 {picture.width} {picture.height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">'
    yield f'<title id="title">{escape(f"Fabric {fabric.name}: {fabric.kind}, {fabric.design}")}</title>'
    description = (summary(fabric), f"Shown: {outline.detail.value}", *fabric.sizing.reasons)
    yield f'<desc id="desc">{escape(". ".join(description))}.</desc>'
    yield f"<style>{_STYLE}\n{rails}</style>"
    yield f'<rect class="page" width="{picture.width}" height="{picture.height}"/>'
    yield from (_rect(shape) for shape in picture.frames)
    yield from (_wire(wire) for wire in picture.wires)
    yield from (text for shape in picture.shapes for text in _shape(shape))
    yield from (_label(label) for label in picture.labels)
    yield "</svg>"


def _shape(shape: Shape) -> Iterator[str]:
    yield _rect(shape)
    if shape.kind == "cell" and shape.rail is not None:
        box = shape.box
        yield f'<rect class="{_rail(shape.rail)}" x="{box.x:.1f}" y="{box.y:.1f}" width="5" height="{box.height:.1f}"/>'


def _rect(shape: Shape) -> str:
    box = shape.box
    kind = _rail(shape.rail) if shape.kind == "swatch" and shape.rail is not None else shape.kind
    rounded = {"frame": ' rx="6"', "block": ' rx="4"'}.get(shape.kind, "")
    place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"{rounded}'
    if not shape.title:
        return f'<rect class="{kind}" {place}/>'
    return f'<rect class="{kind}" {place}><title>{escape(shape.title)}</title></rect>'


def _wire(wire: Wire) -> str:
    middle = (wire.turn + wire.arrive) / 2
    to = f"{wire.x2:.1f} {wire.arrive:.1f}" + (f"V{wire.y2:.1f}" if wire.arrive != wire.y2 else "")
    across = f"C{wire.x1:.1f} {middle:.1f} {wire.x2:.1f} {middle:.1f} {to}" if wire.curved else f"L{to}"
    start = f"M{wire.x1:.1f} {wire.y1:.1f}"
    if wire.turn != wire.y1:
        start += f"V{wire.turn:.1f}"
    number = sum(number for _, number in wire.bundle.speeds)
    width = min(1 + len(bin(number)) / 4 - 0.75, 4)
    rail = wire.bundle.rail
    kind = "" if rail is None else f' class="{_rail(rail)}"'
    title = escape(f"{wire.bundle.lower} to {wire.bundle.upper}: {wire.bundle.text}")
    return f'<path{kind} d="{start}{across}" stroke-width="{width:.2f}"><title>{title}</title></path>'


def _label(label: Label) -> str:
    kinds = " ".join(kind for kind, on in (("m", label.middle), ("s", label.strong)) if on)
    kind = f' class="{kinds}"' if kinds else ""
    return f'<text{kind} x="{label.x:.1f}" y="{label.y:.1f}" font-size="{label.size}">{escape(label.text)}</text>'


def _rail(rail: int) -> str:
    return f"r{rail % len(RAIL_COLOURS)}"

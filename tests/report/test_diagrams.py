from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable

import pytest

from fabricgen.device import Role
from fabricgen.report.diagrams import diagrams, topology_svg
from fabricgen.report.diagrams.layout import lay_out
from fabricgen.report.diagrams.mermaid import MAX_CHARACTERS, MAX_EDGES
from fabricgen.report.diagrams.outline import MOST_LINES, Detail, outline
from fabricgen.report.diagrams.shapes import Box, Picture
from fabricgen.report.diagrams.svg import RAIL_COLOURS
from tests.report.fabrics import INVENTORIES, fabric

SVG = "{http://www.w3.org/2000/svg}"
NAMES = sorted(INVENTORIES)


def overlapping(boxes: Iterable[Box]) -> list[tuple[Box, Box]]:
    ordered = sorted(boxes, key=lambda box: box.x)
    found = []
    for number, a in enumerate(ordered):
        for b in ordered[number + 1 :]:
            if b.x >= a.x + a.width - 0.01:
                break
            if a.y < b.bottom - 0.01 and b.y < a.bottom - 0.01:
                found.append((a, b))
    return found


def inside(a: Box, b: Box) -> bool:
    return b.x <= a.x and a.x + a.width <= b.x + b.width and b.y <= a.y and a.bottom <= b.bottom


def picture(name: str) -> Picture:
    return lay_out(outline(fabric(name)))


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("every-link", Detail.LINKS), ("rail-only", Detail.LINKS), ("rail-80", Detail.NAMES),
        ("leaf-spine-16", Detail.NAMES), ("multi-plane", Detail.NAMES), ("rail-3-tiers", Detail.COUNTS),
    ],
)  # fmt: skip
def test_the_detail_follows_from_the_size(name: str, detail: Detail) -> None:
    assert outline(fabric(name)).detail is detail


@pytest.mark.parametrize("name", NAMES)
def test_every_device_and_link_is_in_the_outline_once(name: str) -> None:
    shown, built = outline(fabric(name)), fabric(name)
    assert Counter(device.name for block in shown.blocks for device in block.devices) == Counter(
        device.name for device in built.devices
    )
    assert sum(number for bundle in shown.bundles for _, number in bundle.speeds) == len(built.cables)


@pytest.mark.parametrize("name", NAMES)
def test_every_device_is_drawn_or_counted(name: str) -> None:
    shown = outline(fabric(name))
    texts = [label.text for label in picture(name).labels]
    for block in shown.blocks:
        assert block.named or any(text.startswith(f"{len(block.devices):,} ") for text in texts)
        for device in block.devices if block.named else ():
            assert device.name in texts
    if shown.detail is not Detail.COUNTS:
        assert {device.name for device in fabric(name).switches} <= set(texts)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_drawn_over_anything_else(name: str) -> None:
    drawn = picture(name)
    assert not overlapping(label.box for label in drawn.labels)
    assert not overlapping(shape.box for shape in drawn.frames if shape.kind == "block")
    assert not overlapping(shape.box for shape in drawn.shapes if shape.kind == "cell")
    page = Box(0, 0, drawn.width, drawn.height)
    for box in [shape.box for shape in (*drawn.frames, *drawn.shapes)] + [label.box for label in drawn.labels]:
        assert inside(box, page), box


@pytest.mark.parametrize("name", NAMES)
def test_labels_stay_within_their_boxes(name: str) -> None:
    drawn = picture(name)
    for shape in drawn.shapes:
        if shape.kind == "cell":
            (label,) = [label for label in drawn.labels if shape.title.startswith(f"{label.text}:")]
            assert inside(label.box, shape.box), label.text
    for block in (shape.box for shape in drawn.frames if shape.kind == "block"):
        for label in drawn.labels:
            if overlapping([block, label.box]):
                assert inside(label.box, block), label.text


@pytest.mark.parametrize("name", NAMES)
def test_it_is_never_a_hairball(name: str) -> None:
    shown = outline(fabric(name))
    assert len(shown.bundles) <= (MOST_LINES if shown.detail is Detail.LINKS else 64)
    assert len(shown.blocks) <= 64


@pytest.mark.parametrize("name", NAMES)
def test_lines_end_at_what_they_join(name: str) -> None:
    drawn = picture(name)
    boxes = [shape.box for shape in (*drawn.frames, *drawn.shapes) if shape.kind in {"block", "cell"}]
    assert drawn.wires
    for wire in drawn.wires:
        assert any(abs(box.y - wire.y1) < 0.1 and box.x <= wire.x1 <= box.x + box.width for box in boxes)
        from_above = wire.y1 == wire.y2  # to the twin of a pair, on top of it
        ends = [(box.y if from_above else box.bottom, box.x, box.x + box.width) for box in boxes]
        assert any(abs(y - wire.y2) < 0.1 and left <= wire.x2 <= right for y, left, right in ends)
        assert wire.y1 >= wire.turn >= wire.arrive
        assert from_above or wire.arrive >= wire.y2


@pytest.mark.parametrize("name", NAMES)
def test_the_svg_is_well_formed_small_and_described(name: str) -> None:
    text = topology_svg(fabric(name))
    root = ET.fromstring(text)
    assert root.find(f"{SVG}title") is not None
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert description.text is not None
    assert all(reason in description.text for reason in fabric(name).sizing.reasons)
    assert root.get("role") == "img"
    assert "prefers-color-scheme:dark" in text
    assert len(text) < 48_000


@pytest.mark.parametrize("name", NAMES)
def test_the_same_fabric_gives_the_same_bytes(name: str) -> None:
    assert diagrams(fabric(name)) == diagrams(fabric(name))


@pytest.mark.parametrize("name", NAMES)
def test_github_draws_the_mermaid(name: str) -> None:
    text = diagrams(fabric(name))["topology.mmd"]
    edges = re.findall(r'^  (\w+) ---\|"[^"]+"\| (\w+)$', text, re.MULTILINE)
    declared = set(re.findall(r"^ +(?:subgraph )?(\w+)\[", text, re.MULTILINE))
    assert {end for edge in edges for end in edge} <= declared
    assert len(edges) == len(outline(fabric(name)).bundles) <= MAX_EDGES
    assert len(text) <= MAX_CHARACTERS


def test_like_pods_in_the_middle_are_counted_together() -> None:
    shown = outline(fabric("rail-14-pods"))
    assert [block.pods for block in shown.of_role(Role.SPINE)] == [(1, 1), (2, 2), (3, 3), (4, 12), (13, 13)]
    assert "pods 4–12" in [label.text for label in picture("rail-14-pods").labels]


def test_rails_have_a_colour_and_a_legend() -> None:
    root = ET.fromstring(topology_svg(fabric("rail-80")))
    texts = {element.text for element in root.iter(f"{SVG}text")}
    assert {f"rail {number}" for number in range(1, 9)} <= texts
    strips = Counter(element.get("class") for element in root.iter(f"{SVG}rect") if element.get("width") == "5")
    assert strips == {f"r{rail}": 8 for rail in range(8)}


def _linear(colour: str) -> list[float]:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _luminance(colour: str) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), _linear(colour), strict=True))


@pytest.mark.parametrize("page", ["#ffffff", "#0d1117"])
def test_rail_colours_stand_out_from_light_and_dark_pages(page: str) -> None:
    """WCAG 2.1, 1.4.11 asks 3:1 of graphics that are needed; rails are named too, so that 2.8:1 does."""
    for colour in RAIL_COLOURS:
        bright, dim = sorted((_luminance(colour), _luminance(page)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 2.8, colour


#: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG
#: 15(6), 2009: severity 1.0, on linear RGB.
DEFICIENCIES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
}  # fmt: skip


def _lab(rgb: list[float]) -> tuple[float, float, float]:
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [sum(a * b for a, b in zip(row, rgb, strict=True)) for row in to_xyz]
    scaled = [value / white for value, white in zip(xyz, (0.9505, 1.0, 1.089), strict=True)]
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("seen", sorted(DEFICIENCIES))
def test_rail_colours_differ_for_colour_blind_readers(seen: str) -> None:
    """A CIE76 difference of 2.3 is just noticeable; 20 tells narrow strips apart at a glance."""
    colours = {}
    for colour in RAIL_COLOURS:
        linear = _linear(colour)
        mixed = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in DEFICIENCIES[seen]]
        colours[colour] = _lab([min(max(part, 0), 1) for part in mixed])
    for a, b in itertools.combinations(RAIL_COLOURS, 2):
        distance = sum((p - q) ** 2 for p, q in zip(colours[a], colours[b], strict=True)) ** 0.5
        assert distance >= 20, (a, b, distance)

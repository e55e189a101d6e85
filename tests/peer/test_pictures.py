"""Graphviz and Chromium draw what fabricgen writes."""

from __future__ import annotations

import json
import struct
import subprocess
import zlib
from collections import Counter
from pathlib import Path

import pytest

from fabricgen.report.diagrams import diagrams
from fabricgen.report.diagrams.outline import outline
from fabricgen.report.diagrams.svg import RAIL_COLOURS
from tests.peers import require
from tests.report.fabrics import INVENTORIES, fabric

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("name", sorted(INVENTORIES))
def test_graphviz_draws_the_dot(name: str) -> None:
    require("dot")
    text = diagrams(fabric(name))["topology.dot"]
    done = subprocess.run(["dot", "-Tjson0"], input=text, capture_output=True, text=True, check=True, timeout=60)
    assert not done.stderr
    shown = outline(fabric(name))
    drawn = json.loads(done.stdout)
    nodes = {item["name"] for item in drawn["objects"] if not item["name"].startswith("cluster_")}
    assert nodes == {
        node for block in shown.blocks for node in ([d.name for d in block.devices] if block.named else [block.key])
    }
    assert Counter(edge["label"] for edge in drawn["edges"]) == Counter(bundle.text for bundle in shown.bundles)


@pytest.mark.parametrize("name", ["every-link", "rail-80", "rail-14-pods", "multi-plane"])
def test_chromium_draws_the_svg(name: str, tmp_path: Path) -> None:
    require("chromium")
    picture, shot = tmp_path / "topology.svg", tmp_path / "shot.png"
    text = diagrams(fabric(name))["topology.svg"]
    picture.write_text(text, encoding="utf-8")
    width, height = (int(word.split('"')[1]) for word in text.split(maxsplit=4)[2:4])
    subprocess.run(
        [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},{height}", f"--screenshot={shot}",
            picture.as_uri(),
        ],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    size, colours = png_colours(shot.read_bytes())
    assert size == (width, height)
    assert colours.most_common(1)[0][1] < 0.97 * width * height, "nothing is drawn"
    rails = [tuple(bytes.fromhex(colour[1:])) for colour in RAIL_COLOURS[:2]]
    assert all(colours[rail] >= 50 for rail in rails), "rails have no colour"


def png_colours(data: bytes) -> tuple[tuple[int, int], Counter[tuple[int, ...]]]:
    """Return size and number of pixels of each colour of an 8-bit RGB or RGBA picture (PNG specification, 9.2)."""
    width, height, _, kind = struct.unpack(">IIBB", data[16:26])
    size, packed, place = {2: 3, 6: 4}[kind], b"", 8
    while place < len(data):
        length, tag = struct.unpack(">I4s", data[place : place + 8])
        packed += data[place + 8 : place + 8 + length] if tag == b"IDAT" else b""
        place += length + 12
    raw, step = zlib.decompress(packed), width * size + 1
    colours: Counter[tuple[int, ...]] = Counter()
    above = bytearray(step - 1)
    for row in range(height):
        above = _unfiltered(raw[row * step], bytearray(raw[row * step + 1 : (row + 1) * step]), above, size)
        colours.update(zip(above[0::size], above[1::size], above[2::size], strict=True))
    return (width, height), colours


def _unfiltered(kind: int, line: bytearray, above: bytearray, size: int) -> bytearray:
    for place in range(len(line) if kind else 0):
        left = line[place - size] if place >= size else 0
        corner = above[place - size] if place >= size else 0
        up = above[place]
        guess = left + up - corner
        paeth = min((left, up, corner), key=lambda value: abs(guess - value))
        line[place] = (line[place] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
    return line

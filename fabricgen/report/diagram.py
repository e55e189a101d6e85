"""A picture of a fabric: tiers as rows, rails as colours, parallel links as one line with their number."""

from __future__ import annotations

from collections import Counter
from html import escape

from fabricgen.device import Role
from fabricgen.topology import Device, Fabric

_PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d1f", "#6a51a3")
_GREY = "#8a8f98"
_WIDTH, _ROW, _TOP, _MARGIN, _BOX = 1200, 170, 90, 40, 30
#: Most boxes of one row that are drawn with their names; a longer row is summarised.
_MOST = 40


def topology_svg(fabric: Fabric) -> str:
    """Return the fabric as an SVG document. Servers beyond what a row holds are drawn as one box with their number."""
    rows = [row for row in (list(fabric.of_role(role)) for role in (Role.SPINE, Role.LEAF, Role.SERVER)) if row]
    height = _TOP + _ROW * (len(rows) - 1) + _BOX + 50
    places: dict[str, tuple[float, float]] = {}
    boxes: list[str] = []
    for index, row in enumerate(rows):
        y = _TOP + index * _ROW
        shown = row if len(row) <= _MOST else row[:_MOST]
        step = (_WIDTH - 2 * _MARGIN) / len(shown)
        for place, device in enumerate(shown):
            x = _MARGIN + step * (place + 0.5)
            places[device.name] = (x, y)
            boxes.append(_box(device, x, y, min(step - 6, 120)))
        if len(row) > len(shown):
            boxes.append(_text(_WIDTH / 2, y + _BOX + 18, f"and {len(row) - len(shown)} more", 11))
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="system-ui, sans-serif">',
        f"<title>{escape(fabric.name)}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(_WIDTH / 2, 30, _caption(fabric), 16),
        _text(_WIDTH / 2, 52, "; ".join(fabric.sizing.reasons), 11),
        *_lines(fabric, places),
        *boxes,
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def _caption(fabric: Fabric) -> str:
    size = fabric.sizing
    sizes = f"{size.servers} servers, {size.leaves} leaves, {size.spines} spines"
    return f"{fabric.name}: {fabric.kind}, {fabric.design}: {sizes}"


def _colour(rail: int | None) -> str:
    return _GREY if rail is None else _PALETTE[rail % len(_PALETTE)]


def _lines(fabric: Fabric, places: dict[str, tuple[float, float]]) -> list[str]:
    bundles = Counter((cable.a.device, cable.b.device) for cable in fabric.cables)
    rails = {(cable.a.device, cable.b.device): cable.rail for cable in fabric.cables}
    lines = []
    for (a, b), number in bundles.items():
        if a not in places or b not in places:
            continue
        (x1, y1), (x2, y2) = places[a], places[b]
        rail = rails[a, b] if fabric.design == "rail-optimized" else None
        speed = f"{number} link{'s' if number > 1 else ''} {a} to {b}"
        lines.append(
            f'<line x1="{x1:.1f}" y1="{y1}" x2="{x2:.1f}" y2="{y2 + _BOX}" stroke="{_colour(rail)}" '
            f'stroke-opacity="0.55" stroke-width="{min(1 + number / 4, 5):.2f}"><title>{escape(speed)}</title></line>'
        )
    return lines


def _box(device: Device, x: float, y: float, width: float) -> str:
    fill = {Role.SPINE: "#eef2f7", Role.LEAF: "#ffffff", Role.SERVER: "#f7f7f5"}.get(device.role, "#ffffff")
    edge = _colour(device.rail) if device.role is Role.LEAF else _GREY
    size = 11 if width > 60 else 9
    rotate = f' transform="rotate(-60 {x:.1f} {y + _BOX + 26:.1f})"' if width <= 44 else ""
    label_y = y + _BOX / 2 + 4 if width > 44 else y + _BOX + 26
    return (
        f'<rect x="{x - width / 2:.1f}" y="{y}" width="{width:.1f}" height="{_BOX}" rx="4" fill="{fill}" '
        f'stroke="{edge}" stroke-width="1.5"/>'
        f'<text x="{x:.1f}" y="{label_y:.1f}" font-size="{size}" text-anchor="middle"{rotate} '
        f'fill="#20242a">{escape(device.name)}</text>'
    )


def _text(x: float, y: float, text: str, size: int) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="middle" fill="#20242a">{escape(text)}</text>'

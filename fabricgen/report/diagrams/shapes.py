"""What a picture is drawn with, in pixels at real size."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabricgen.report.diagrams.outline import Bundle

#: Widest advance of the fonts used, as a part of the size; that of the common monospaced fonts is 0.602.
_ADVANCE = 0.605


@dataclass(frozen=True)
class Box:
    """A rectangle with its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Return the middle's x."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Return the lower edge's y."""
        return self.y + self.height


@dataclass(frozen=True)
class Shape:
    """A drawn rectangle: ``frame``, ``block``, ``cell``, ``swatch``, ``paper`` or ``tag`` behind a label."""

    kind: str
    box: Box
    rail: int | None = None
    title: str = ""


@dataclass(frozen=True)
class Label:
    """A line of text; ``x`` is its left edge or its middle, ``y`` its base line."""

    x: float
    y: float
    text: str
    size: int = 11
    middle: bool = True
    strong: bool = False

    @property
    def box(self) -> Box:
        """Return the room that the text takes at most."""
        width = text_width(self.text, self.size)
        return Box(self.x - width / 2 if self.middle else self.x, self.y - self.size * 0.8, width, self.size)


@dataclass(frozen=True)
class Wire:
    """A line from a lower device or block to an upper one: up to ``turn``, across to below it at ``arrive``, and up."""

    x1: float
    y1: float
    turn: float
    arrive: float
    x2: float
    y2: float
    bundle: Bundle
    curved: bool


@dataclass
class Picture:
    """All that is drawn, in the order in which it is drawn: shapes, wires, labels' paper, labels."""

    width: float = 0
    height: float = 0
    frames: list[Shape] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def text_width(text: str, size: int) -> float:
    """Return the most pixels that a line of text takes."""
    return len(text) * size * _ADVANCE

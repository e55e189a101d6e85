"""Pictures of a fabric, all of one outline: SVG, Graphviz DOT and Mermaid."""

from __future__ import annotations

from collections.abc import Mapping

from fabricgen.report.diagrams import dot, mermaid, svg
from fabricgen.report.diagrams.outline import outline
from fabricgen.topology import Fabric

__all__ = ["diagrams", "topology_svg"]


def diagrams(fabric: Fabric) -> Mapping[str, str]:
    """Return the pictures of a fabric by file name."""
    shown = outline(fabric)
    return {
        "topology.svg": svg.render(shown),
        "topology.dot": dot.render(shown),
        "topology.mmd": mermaid.render(shown),
    }


def topology_svg(fabric: Fabric) -> str:
    """Return the picture of a fabric as SVG."""
    return svg.render(outline(fabric))

"""Fabrics of every design and of every size class, for pictures and exports."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fabricgen.topology import Fabric
from tests.clusters import build, infiniband, roce

SN5600, QM9700 = "core: {model: sn5600, nos: sonic}", "core: {model: qm9700}"


def _cored(text: str) -> str:
    return text.replace("spine: 30m", "spine: 30m, core: 50m")


def _two_ports(text: str) -> str:
    return text.replace("bluefield-3-b3140h", "bluefield-3-b3220")


STORAGE = """\
other_leaves:
  border:
    model: sn5600
    nos: sonic
    count: 2
    external_ports: 8
uplink_speed: 400G"""

INVENTORIES = {
    "every-link": roce(4, 2, extra="uplink_speed: 400G"),
    "leaf-spine": roce(24, 8, design="leaf-spine", extra="servers_per_unit: 4\nuplink_speed: 400G"),
    "leaf-spine-16": roce(128, 8, design="leaf-spine", extra="servers_per_unit: 8\nuplink_speed: 400G"),
    "rail-80": roce(256, 8, extra="servers_per_unit: 32\nuplink_speed: 400G"),
    "rail-3-tiers": _cored(
        roce(512, 8, extra=f"servers_per_unit: 32\nuplink_speed: 400G\ntiers: 3\nunits_per_pod: 2\n{SN5600}")
    ),
    "rail-14-pods": _cored(infiniband(416, extra=f"servers_per_unit: 32\ntiers: 3\nunits_per_pod: 1\n{QM9700}")),
    "other-leaves": roce(64, 8, extra=STORAGE),
    "fat-tree": _cored(infiniband(32, design="fat-tree", extra=f"servers_per_unit: 4\nunits_per_pod: 2\n{QM9700}")),
    "fat-tree-large": _cored(infiniband(256, design="fat-tree", extra=f"servers_per_unit: 4\n{QM9700}")),
    "rail-only": roce(128, 8, design="rail-only", extra="servers_per_unit: 64\nuplink_speed: 400G"),
    "multi-plane": _two_ports(roce(64, 8, design="multi-plane", extra="servers_per_unit: 32")),
    "dual-tor": _two_ports(roce(128, 8, design="dual-tor", extra="servers_per_unit: 64")),
    "switch-pair": roce(8, 4, design="switch-pair")
    .replace("    spine: {model: sn5600, nos: sonic}\n", "")
    .replace("spine: 30m", "isl: 2m"),
    "single-switch": roce(8, 4, design="single-switch").replace("    spine: {model: sn5600, nos: sonic}\n", ""),
}


@cache
def fabric(name: str) -> Fabric:
    """Return a fabric by its name above."""
    with TemporaryDirectory() as folder:
        return build(Path(folder), INVENTORIES[name])[1]

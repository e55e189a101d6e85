"""Small inventories for tests, written in Python."""

from __future__ import annotations

from pathlib import Path

from fabricgen.catalog import Catalog, load_catalog
from fabricgen.core.diagnostics import Report
from fabricgen.inventory import LoadedInventory, load_inventory
from fabricgen.topology import Fabric, build_fabrics

ROCE = """\
name: test
servers:
  gpu:
    model: supermicro-sys-821ge-tnhr
    count: {servers}
    adapters:
      compute: {{adapter: bluefield-3-b3140h, count: {adapters}}}
fabrics:
  compute:
    type: rocev2
    design: {design}
    endpoints: [{{servers: gpu, adapters: compute}}]
    leaf: {{model: {leaf}, nos: sonic}}
    spine: {{model: {leaf}, nos: sonic}}
    cables: {{server: 3m, spine: 30m}}
{extra}"""

INFINIBAND = """\
name: test
servers:
  dgx: {{model: dgx-h100, count: {servers}}}
fabrics:
  compute:
    type: infiniband
    design: {design}
    endpoints: [{{servers: dgx, adapters: compute}}]
    leaf: {{model: qm9700}}
    spine: {{model: qm9700}}
    cables: {{server: 3m, spine: 30m}}
{extra}"""


def roce(
    servers: int = 4, adapters: int = 2, *, design: str = "rail-optimized", leaf: str = "sn5600", extra: str = ""
) -> str:
    """Return a RoCE inventory; ``extra`` lines are keys of the fabric."""
    return ROCE.format(servers=servers, adapters=adapters, design=design, leaf=leaf, extra=_indented(extra))


def infiniband(servers: int = 4, *, design: str = "rail-optimized", extra: str = "") -> str:
    """Return an InfiniBand inventory; ``extra`` lines are keys of the fabric."""
    return INFINIBAND.format(servers=servers, design=design, extra=_indented(extra))


def _indented(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.splitlines())


def load_text(folder: Path, text: str) -> LoadedInventory:
    """Write an inventory and load it."""
    file = folder / "fabric.yaml"
    file.write_text(text, encoding="utf-8")
    return load_inventory(file, Report())


def build(folder: Path, text: str, catalog: Catalog | None = None) -> tuple[LoadedInventory, Fabric]:
    """Load an inventory of one fabric and build it."""
    loaded = load_text(folder, text)
    report = Report()
    fabrics = build_fabrics(loaded, catalog or load_catalog(), report)
    report.stop_on_errors()
    return loaded, fabrics[0]

"""Catalog directories that tests write, and findings as one line of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

import pytest

from fabricgen.catalog import CatalogError, load_catalog
from fabricgen.core.diagnostics import Diagnostic

SOURCES = """\
datasheet:
  title: Data sheet
  ref: https://example.com/datasheet
"""

SWITCH = """\
id: {id}
vendor: Example
model: Two cages
protocol: ethernet
asic: tomahawk-5
rack_units: 1
cages:
  - {{first: 1, count: 2, connector: OSFP, lanes: 8, speed_gbps: 800, breakouts: [{{ports: 2, speed_gbps: 400}}]}}
  - {{first: 3, count: 1, connector: SFP28, lanes: 1, speed_gbps: 25, service: true}}
max_logical_ports: 4
power_typical_w: unknown
power_max_w: unknown
latency_ns: unknown
nos: [sonic]
sonic:
  platform: x86_64-example-r0
  hwsku: Example-2
  other_hwskus: [Example-2-Split]
  buffer_model: traditional
  cable_lengths_m: {{400: [5, 40]}}
  alias: "etp{{cage}}{{leg}}"
  breakout_modes: {{1x800G: "1x800G[400G]", 2x400G: 2x400G, 1x25G: 1x25G}}
  ports:
    - Ethernet0 9-16
    - Ethernet8 1-8
    - Ethernet16 17
source: [datasheet]
"""

ASIC = """\
id: {id}
vendor: Example
model: Chip
capacity_gbps: 1600
buffer_bytes: unknown
cell_bytes: 254
source: [datasheet]
"""

ADAPTER = """\
id: {id}
vendor: Example
model: Two ports
ports: {{count: 2, connector: QSFP112, ethernet_gbps: [200]}}
pcie: Gen5 x16
max_qps: unknown
power_max_w: unknown
source: [datasheet]
"""

SERVER = """\
id: {id}
vendor: Example
model: Two GPUs
rack_units: 2
gpus: 2
cpus: 1
power_w: unknown
gpu_nic_affinity: switch-per-pair
adapters:
  compute:
    adapter: connectx-7-osfp
    count: 2
    map:
      - {{gpu: 0, pci: "18:00.0", rdma: mlx5_0}}
      - {{gpu: 1, pci: "40:00.0", rdma: mlx5_1}}
source: [datasheet]
"""


def write(directory: Path, **files: str) -> Path:
    """Write files into a catalog directory; two underscores of a name are a slash, the ending is added."""
    for name, text in {"sources": SOURCES, **files}.items():
        file = directory / f"{name.replace('__', '/').replace('_', '-')}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return directory


def text(directory: Path, findings: Iterable[Diagnostic]) -> str:
    """Return findings as people would read them: file names relative to the directory, wrapped, the remedy indented."""
    blocks = []
    for found in findings:
        head = f"{found.span}: {found.code} {found.path}: {found.summary}".replace(f"{directory}/", "")
        blocks += textwrap.wrap(head, 110, subsequent_indent="  ", break_on_hyphens=False)
        blocks += textwrap.wrap(found.remedy, 110, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(blocks) + "\n"


def errors(directory: Path, folder: str, key: str) -> str:
    """Return what is said on reading an entry that is wrong."""
    with pytest.raises(CatalogError) as raised:
        getattr(load_catalog(directory), folder)[key]
    return text(directory, raised.value.diagnostics)


def expected(block: str) -> str:
    """Return an indented block of a test as :func:`text` prints it."""
    return textwrap.dedent(block).lstrip("\n")

"""The cluster that the floor of speed is given for: rail-optimised RoCE v2 with three tiers, switches of 64 ports."""

from __future__ import annotations

from pathlib import Path

from ruamel.yaml import YAML

from fabricgen.catalog.loader import DATA

#: Chosen for its headroom rows of 400G; the copy below has its cages unsplit, so that it has 64 logical ports.
_SWITCH = "arista-7060x6-64pe"

_INVENTORY = """\
name: scale
catalog: catalog
servers:
  gpu:
    model: supermicro-sys-821ge-tnhr
    count: {servers}
    name: "gpu-{{n:05d}}"
    adapters:
      compute: {{adapter: bluefield-3-b3140h, count: 8}}
fabrics:
  compute:
    type: rocev2
    design: rail-optimized
    endpoints: [{{servers: gpu, adapters: compute}}]
    leaf: {{model: radix-64, nos: sonic}}
    spine: {{model: radix-64, nos: sonic}}
    core: {{model: radix-64, nos: sonic}}
    tiers: 3
    servers_per_unit: 32
    units_per_pod: 4
    cables: {{server: 3m, spine: 30m, core: 50m}}
    addressing: {{servers: 10.64.0.0/12}}
accept:
  - {{code: FG662, path: "devices[core-*", reason: the cores run SONiC 202505 or later}}
"""


def write_scale(folder: Path, servers: int) -> Path:
    """Write the inventory of some servers with eight GPUs and eight 400G ports each, and its catalog; return it.

    8,192 servers take 2,048 leaves, 2,048 spines, 1,024 cores and 196,608 links.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write_switch(folder / "catalog" / "switches" / "radix-64.yaml")
    (folder / "fabric.yaml").write_text(_INVENTORY.format(servers=servers), encoding="utf-8")
    return folder


def _write_switch(file: Path) -> None:
    yaml = YAML()
    entry = yaml.load(DATA / "switches" / f"{_SWITCH}.yaml")
    entry["id"] = file.stem
    entry["cages"][0] |= {"speed_gbps": 400, "breakouts": []}
    entry["sonic"] |= {"breakout_modes": {"1x400G": "1x400G", "1x10G": "1x10G"}}
    file.parent.mkdir(parents=True, exist_ok=True)
    yaml.dump(entry, file)

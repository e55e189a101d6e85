"""Makes the CSVs of ports that the catalog is compared with, from checkouts of the public repositories.

Names and numbers only. Run by hand when a repository has moved on:

    python -m tests.oracle.make_port_facts sonic ~/sonic-buildimage > tests/oracle/data/sonic_ports.csv
    python -m tests.oracle.make_port_facts hedgehog ~/fabric > tests/oracle/data/hedgehog_ports.csv
    python -m tests.oracle.make_port_facts netbox ~/devicetype-library > tests/oracle/data/netbox_ports.csv
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from ruamel.yaml import YAML

from fabricgen.catalog import load_catalog

#: A row of a CSV.
Row = tuple[object, ...]

#: Switches of the catalog by device type of the NetBox library.
NETBOX = {
    "Arista/DCS-7060X6-64PE-F.yaml": "arista-7060x6-64pe",
    "Cisco/N9K-C9364D-GX2A.yaml": "cisco-n9k-c9364d-gx2a",
    "Edgecore/AS9817-64O-O-AC-F.yaml": "edgecore-ais800-64o",
    "Mellanox/SN3700.yml": "sn3700",
    "Mellanox/SN4600.yml": "sn4600",
    "Mellanox/SN4600C.yml": "sn4600c",
    "Mellanox/SN4700.yml": "sn4700",
    "Mellanox/qm8700.yml": "qm8700",
    "Nvidia/Q3400-RA.yaml": "q3400-ra",
    "Nvidia/QM9700.yaml": "qm9700",
    "Nvidia/SN2201.yaml": "sn2201",
    "Nvidia/SN5600.yaml": "sn5600",
    "Nvidia/SN5610.yaml": "sn5610",
    "UfiSpace/S9321-64E.yaml": "ufispace-s9321-64e",
}

#: Switches of the catalog by Hedgehog's profile.
HEDGEHOG = {
    "celestica_ds4000": "celestica-ds4000",
    "celestica_ds4101": "celestica-ds4101",
    "celestica_ds5000": "celestica-ds5000",
    "dell_z9332f_on": "dell-z9332f",
    "edgecore_dcs240": "edgecore-as9726-32db",
}

#: Management ports, which are not counted.
_MANAGEMENT = re.compile(r"(?:eth|fnm|mgmt)\d|Management", re.IGNORECASE)


def sonic_rows(checkout: Path) -> Iterator[Row]:
    """Yield switch, kind of fact, name and value for the platforms of the catalog.

    A port has its index, its lanes, its alias when whole and those of the most children; a mode has the cages that
    have it.
    """
    yield "switch", "fact", "name", "value"
    wanted = {switch.sonic.platform: key for key, switch in load_catalog().switches.items() if switch.sonic}
    for file in sorted(checkout.glob("device/*/*/platform.json")):
        switch = wanted.get(file.parent.name)
        if switch is None:
            continue
        interfaces = json.loads(file.read_text(encoding="utf-8"))["interfaces"]
        modes: Counter[str] = Counter()
        for port, facts in interfaces.items():
            names: list[list[str]] = list(facts["breakout_modes"].values())
            fewest, most = min(names, key=len), max(names, key=len)
            lanes = facts["lanes"].split(",")
            aliases = fewest if len(fewest) == len(most) else [*fewest, *most]
            yield switch, "port", port, " ".join([facts["index"].split(",")[0], f"{lanes[0]}-{lanes[-1]}", *aliases])
            modes.update(facts["breakout_modes"].keys())
        yield from ((switch, "mode", mode, count) for mode, count in modes.items())


def hedgehog_rows(checkout: Path) -> Iterator[Row]:
    """Yield switch, kind of fact, name and value: ports with their base name and pipeline, splits, pipelines."""
    yield "switch", "fact", "name", "value"
    for profile, switch in HEDGEHOG.items():
        text = (checkout / f"pkg/ctrl/switchprofile/p_bcm_{profile}.go").read_text(encoding="utf-8")
        ports = r'"E1/(\d+)":\s+\{NOSName: "[^"]*", BaseNOSName: "(\w+)",.*Pipeline: "(\d+)"\}'
        for cage, base, pipeline in re.findall(ports, text):
            yield switch, "port", cage, f"{base} {pipeline}"
        for mode, offsets in re.findall(r'"(\d+x\d+G)":\s+\{Offsets: \[\]string\{([^}]*)\}\}', text):
            yield switch, "split", mode, offsets.replace('"', "").replace(",", "")
        for pipeline, most in re.findall(r'"(\d+)":\s+\{MaxPorts: (\d+)\}', text):
            yield switch, "pipeline", pipeline, most


def netbox_rows(checkout: Path) -> Iterator[Row]:
    """Yield switch, device type, type of port and number of ports."""
    yield "switch", "device_type", "type", "ports"
    for name, switch in NETBOX.items():
        document = YAML(typ="safe").load((checkout / "device-types" / name).read_text(encoding="utf-8"))
        counts = Counter(
            port["type"]
            for port in document["interfaces"]
            if not port.get("mgmt_only") and not _MANAGEMENT.match(port["name"])
        )
        yield from ((switch, name, kind, count) for kind, count in sorted(counts.items()))


MAKERS: Mapping[str, Callable[[Path], Iterable[Row]]] = {
    "sonic": sonic_rows,
    "hedgehog": hedgehog_rows,
    "netbox": netbox_rows,
}

SOURCES = {
    "sonic": "sonic-net/sonic-buildimage 086b03bd70f9, device/*/*/platform.json",
    "hedgehog": "githedgehog/fabric 78827debafab, pkg/ctrl/switchprofile",
    "netbox": "netbox-community/devicetype-library, device-types, files read in December 2026",
}


def main(maker: str, checkout: str) -> None:
    """Print one CSV."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    print(f"# {SOURCES[maker]}")
    writer.writerows(MAKERS[maker](Path(checkout)))


if __name__ == "__main__":
    main(*sys.argv[1:])

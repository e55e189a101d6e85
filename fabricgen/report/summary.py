"""The summary of a build, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fabricgen.core.diagnostics import Diagnostic
from fabricgen.device import Role
from fabricgen.planning.plan import FabricPlan
from fabricgen.report.bom import Item, total_lines
from fabricgen.report.text import count_line

_PLURALS = {
    "switch": "switches",
    "adapter": "adapters",
    "transceiver": "transceivers",
    "cable": "cables",
    "fibre": "fibres",
    "open": "cables whose part is left open",
}


def counts(plan: FabricPlan) -> dict[str, int]:
    """Return the figures of a fabric by their names."""
    fabric = plan.fabric
    server_links = sum(fabric.by_name[cable.a.device].role is Role.SERVER for cable in fabric.cables)
    cores = {"cores": fabric.sizing.cores} if fabric.sizing.cores else {}
    return {
        "servers": fabric.sizing.servers,
        "leaves": fabric.sizing.leaves,
        "spines": fabric.sizing.spines,
        **cores,
        "server links": server_links,
        "switch links": len(fabric.cables) - server_links,
    }


def summary_markdown(
    name: str,
    plans: Sequence[FabricPlan],
    findings: Sequence[Diagnostic],
    bills: Mapping[str, Sequence[Item]],
    currency: str | None,
) -> str:
    """Return the summary of a whole build.

    Args:
        name: the cluster's.
        plans: its fabrics.
        findings: what was found in the files.
        bills: by fabric, the bill of materials.
        currency: that of the bills' prices, if they have any.
    """
    lines = [f"# {name}", ""]
    for plan in plans:
        fabric = plan.fabric
        lines += [f"## {fabric.name}", "", f"{fabric.kind}, {fabric.design}", ""]
        lines += [
            "| what | number |",
            "|---|---:|",
            *(f"| {what} | {number} |" for what, number in counts(plan).items()),
        ]
        lines += ["", "Sizing:", "", *(f"- {reason}" for reason in fabric.sizing.reasons)]
        lines += ["", *_materials(bills[fabric.name], currency)]
        tables = f"cabling: `{fabric.name}/cabling.csv`; materials: `{fabric.name}/bom.csv`"
        lines += ["", f"Configuration: {_configuration(plan)}; {tables}.", ""]
    lines += ["## Findings", "", count_line(findings), ""]
    lines += [f"- {found.severity} {found.code} {found.name}: {found.path}: {found.summary}" for found in findings]
    return "\n".join(lines).rstrip() + "\n"


def _materials(items: Sequence[Item], currency: str | None) -> list[str]:
    """Return the table of what is bought, by kind, with the totals."""
    kinds: Counter[str] = Counter()
    for item in items:
        kinds[item.kind] += item.count
    return [
        "| materials | |",
        "|---|---:|",
        *(f"| {_PLURALS.get(kind, kind)} | {count} |" for kind, count in kinds.items()),
        *(f"| {what} | {value} |" for what, value in total_lines(items, currency)),
    ]


def folder(plan: FabricPlan) -> str | None:
    """Return the folder of a fabric's configuration files, None where it has none."""
    return {"rocev2": "switches/", "infiniband": "subnet-manager/"}.get(plan.fabric.kind)


def _configuration(plan: FabricPlan) -> str:
    found = folder(plan)
    return f"`{plan.fabric.name}/{found}`" if found else "none"

"""The summary of a build, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from fabricgen.core.diagnostics import Diagnostic
from fabricgen.device import Role
from fabricgen.planning.plan import FabricPlan
from fabricgen.report.text import count_line


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


def summary_markdown(name: str, plans: Sequence[FabricPlan], findings: Sequence[Diagnostic]) -> str:
    """Return the summary of a whole build."""
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
        lines += ["", f"Configuration: `{fabric.name}/{_folder(plan)}`; cabling: `{fabric.name}/cabling.csv`.", ""]
    lines += ["## Findings", "", count_line(findings), ""]
    lines += [f"- {found.severity} {found.code} {found.name}: {found.path}: {found.summary}" for found in findings]
    return "\n".join(lines).rstrip() + "\n"


def _folder(plan: FabricPlan) -> str:
    return "switches/" if plan.fabric.kind == "rocev2" else "subnet-manager/"

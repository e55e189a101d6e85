"""The public functions, one verb for each pass; the whole compiler on one screen.

>>> from pathlib import Path
>>> from fabricgen import api
>>> cluster = api.load(Path("inventories/tiny"))          # doctest: +SKIP
>>> result = api.build(cluster)                           # doctest: +SKIP
>>> api.write(result, Path("out"))                        # doctest: +SKIP
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from fabricgen import rehearsal
from fabricgen.catalog import Catalog, load_catalog
from fabricgen.core.diagnostics import Diagnostic, Report, Severity
from fabricgen.core.documents import UNREADABLE
from fabricgen.core.files import FileSet
from fabricgen.core.workers import run_both
from fabricgen.delivery import (
    Difference,
    MemoryOutput,
    Output,
    compare_tree,
    configuration,
    is_output,
    make_manifest,
    read_documents,
    read_tree,
    unusable,
    write_tree,
)
from fabricgen.device import Network
from fabricgen.inventory import LoadedInventory, load_inventory
from fabricgen.planning.plan import FabricPlan, plan_fabric
from fabricgen.rehearsal import Rehearsal
from fabricgen.report import cabling
from fabricgen.report.bom import Item, bill, bom_csv
from fabricgen.report.changes import FabricChanges, compare_all
from fabricgen.report.diagrams import diagrams
from fabricgen.report.graphs import topology_graphml, topology_json
from fabricgen.report.machine import diagnostics_json
from fabricgen.report.states import DOCUMENTS, FabricState, state_of_documents, state_of_plan
from fabricgen.report.summary import summary_markdown
from fabricgen.report.tables import addresses_csv, csv_text
from fabricgen.report.workbook import cabling_xlsx
from fabricgen.rules.acceptance import Acceptance, apply_acceptances
from fabricgen.rules.engine import Outcome, check
from fabricgen.topology import build_fabrics

E = TypeVar("E")


@dataclass(frozen=True)
class Cluster:
    """A loaded inventory with its catalog, and what loading had to say that is no error."""

    loaded: LoadedInventory
    catalog: Catalog
    notes: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Plans:
    """The plans of a cluster's fabrics, and what planning had to say that is no error."""

    cluster: Cluster
    fabrics: tuple[FabricPlan, ...]
    notes: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Verdict:
    """What was found in a cluster's files.

    Attributes:
        findings: everything that is not accepted, in a stable order.
        accepted: what the inventory accepts.
        ran: codes of the rules that ran, on any fabric.
        not_run: code and reason of the rules that had no input on any fabric.
    """

    findings: tuple[Diagnostic, ...]
    accepted: tuple[Diagnostic, ...]
    ran: tuple[str, ...]
    not_run: tuple[tuple[str, str], ...]

    def worst_at_least(self, severity: Severity) -> bool:
        """Return whether anything is as bad as ``severity`` or worse."""
        return any(found.severity.rank <= severity.rank for found in self.findings)


@dataclass(frozen=True)
class Build:
    """A finished build: its plans, its verdict, and every file, the manifest included."""

    plans: Plans
    verdict: Verdict
    files: Output[Any]


def load(location: Path) -> Cluster:
    """Load an inventory (a file, or a directory with ``fabric.yaml``) and its catalog.

    Raises:
        FabricgenError: the inventory is wrong; all its errors are in it.
    """
    report = Report()
    loaded = load_inventory(location, report)
    return Cluster(loaded, _catalog(loaded, report), tuple(report))


def _catalog(loaded: LoadedInventory, report: Report) -> Catalog:
    extra = loaded.inventory.catalog
    if extra is None:
        return load_catalog()
    directory = loaded.directory / extra
    if not directory.is_dir():
        origin = loaded.origin("catalog")
        summary = f"there is no directory {directory}"
        report.add(
            UNREADABLE.at(origin.path, summary, span=origin.span, remedy="correct the path, or make the directory")
        )
        report.stop_on_errors()
    return load_catalog(directory)


def plan(cluster: Cluster, only: Collection[str] = ()) -> Plans:
    """Build and plan the fabrics of a cluster.

    Args:
        cluster: what :func:`load` returned.
        only: names of the fabrics; all where empty.

    Raises:
        FabricgenError: something cannot be built; all reasons are in it.
    """
    report = Report()
    fabrics = build_fabrics(cluster.loaded, cluster.catalog, report, only)
    report.stop_on_errors()
    plans = tuple(plan_fabric(fabric, cluster.loaded, cluster.catalog, report) for fabric in fabrics)
    report.stop_on_errors()
    return Plans(cluster, plans, (*cluster.notes, *report))


def changes(plans: Plans, old: Path, only: Collection[str] = ()) -> tuple[FabricChanges, ...]:
    """Return what differs between an earlier state and a plan, fabric by fabric.

    Args:
        plans: what would be built.
        old: an inventory, or the output directory of a build.
        only: names of the fabrics; all where empty.

    Raises:
        FabricgenError: FG013 where ``old`` is neither, or it is an inventory with errors.
    """
    earlier = _stored_states(old) if is_output(old) else _planned_states(old)
    kept = [state for state in earlier if not only or state.name in only]
    return compare_all(kept, map(state_of_plan, plans.fabrics))


def _planned_states(old: Path) -> list[FabricState]:
    return [state_of_plan(fabric) for fabric in plan(load(old)).fabrics]


def _stored_states(old: Path) -> list[FabricState]:
    try:
        return [state_of_documents(name, texts) for name, texts in read_documents(old, DOCUMENTS).items()]
    except ValueError as error:
        raise unusable(old, str(error), "name the inventory that it was built from instead") from error


def emit(plans: Plans) -> dict[str, str]:
    """Return the configuration files of every device, by path within the output."""
    return configuration.emit(plans.fabrics)


def read_back(plans: Plans, files: FileSet, prefix: str = "") -> tuple[list[Network], list[Diagnostic]]:
    """Read configuration files as the devices would, and return one network for each fabric.

    Args:
        plans: say which devices there are and how they are cabled.
        files: configuration files by path within the output.
        prefix: put before file names in findings.

    Returns:
        The networks, and what the readers had to say.
    """
    return configuration.read_back(plans.fabrics, files, plans.cluster.catalog, prefix)


def judge(plans: Plans, files: FileSet, prefix: str = "", today: dt.date | None = None) -> Verdict:
    """Read configuration files back and run the rules on them.

    Args:
        plans: say which devices there are and how they are cabled.
        files: configuration files by path within the output.
        prefix: put before file names in findings.
        today: the day that acceptances are judged by; none expires where it is left out.
    """
    networks, findings = read_back(plans, files, prefix)
    return _verdict(plans, findings, _outcomes(plans, networks), today)


def judge_planned(
    plans: Plans, today: dt.date | None = None, *, output: Output[Any] | None = None, jobs: int = 1
) -> Verdict:
    """Emit the configuration of plans, read it back, and run the rules on it.

    Args:
        plans: what to emit.
        today: the day that acceptances are judged by; none expires where it is left out.
        output: takes the files; memory if left out.
        jobs: processes to use at most; the result is the same for any number.
    """
    output = MemoryOutput() if output is None else output
    networks, findings = configuration.deploy(plans.fabrics, plans.cluster.catalog, output, jobs)
    return _verdict(plans, findings, _outcomes(plans, networks), today)


def _outcomes(plans: Plans, networks: Iterable[Network]) -> list[Outcome]:
    return [check(network, plans.cluster.catalog) for network in networks]


def _verdict(
    plans: Plans, findings: Sequence[Diagnostic], outcomes: Iterable[Outcome], today: dt.date | None
) -> Verdict:
    """Put together what the readers and the rules had to say, and take out what the inventory accepts."""
    found = [*plans.notes, *findings]
    ran: set[str] = set()
    missing: dict[str, str] = {}
    for outcome in outcomes:
        found += outcome.findings
        ran.update(outcome.ran)
        missing.update(outcome.not_run)
    loaded = plans.cluster.loaded
    acceptances = [
        Acceptance(item.code, item.path, item.reason, item.until, loaded.span("accept", index))
        for index, item in enumerate(loaded.inventory.accept)
    ]
    kept, accepted = apply_acceptances(found, acceptances, today)
    not_run = tuple(sorted((code, reason) for code, reason in missing.items() if code not in ran))
    return Verdict(tuple(kept), tuple(accepted), tuple(sorted(ran)), not_run)


def build(
    cluster: Cluster,
    only: Collection[str] = (),
    today: dt.date | None = None,
    *,
    workbooks: bool = False,
    output: Output[Any] | None = None,
    jobs: int = 1,
) -> Build:
    """Run every pass: plan, emit, read back, judge, and put the documents beside the configuration.

    Args:
        cluster: what :func:`load` returned.
        only: names of the fabrics; all where empty.
        today: the day that acceptances are judged by; none expires where it is left out.
        workbooks: whether the cabling plans are written as Excel workbooks too.
        output: takes the files as they are made, :func:`fabricgen.delivery.staged` for instance; memory if left out.
        jobs: processes to use at most; the result is the same for any number.

    Raises:
        FabricgenError: something cannot be built or stored; all reasons are in it.
        ImportError: workbooks are asked for, and openpyxl is not installed.
    """
    output = MemoryOutput() if output is None else output
    plans = plan(cluster, only)
    networks, findings = configuration.deploy(plans.fabrics, cluster.catalog, output, jobs)
    outcomes, (entries, bills) = run_both(
        partial(_outcomes, plans, networks), partial(_documents, plans, output, workbooks=workbooks), here=jobs < 2
    )
    output.adopt(entries)
    verdict = _verdict(plans, findings, outcomes, today)
    name = cluster.loaded.inventory.name
    output.add(
        {
            "summary.md": summary_markdown(name, plans.fabrics, verdict.findings, bills, _currency(cluster)),
            "diagnostics.json": verdict_json(verdict),
        }
    )
    output.add({"manifest.json": make_manifest(output.digests(), cluster.loaded.digests)})
    return Build(plans, verdict, output)


def _documents(plans: Plans, output: Output[E], *, workbooks: bool) -> tuple[dict[str, E], dict[str, Sequence[Item]]]:
    """Store what stands beside the configuration; return what was stored, and the bill of each fabric."""
    cluster = plans.cluster
    entries: dict[str, E] = {}
    bills: dict[str, Sequence[Item]] = {}
    for fabric in plans.fabrics:
        bills[fabric.fabric.name] = items = bill(fabric, cluster.loaded, cluster.catalog)
        entries |= output.store(_fabric_documents(fabric, cluster, items, workbooks=workbooks))
    return entries, bills


def _fabric_documents(
    fabric: FabricPlan, cluster: Cluster, items: Sequence[Item], *, workbooks: bool
) -> dict[str, str | bytes]:
    """Return what stands beside a fabric's configuration, by path within the output."""
    name, currency = fabric.fabric.name, _currency(cluster)
    rows = cabling.cabling_rows(fabric, cluster.catalog)
    files: dict[str, str | bytes] = {
        f"{name}/cabling.csv": csv_text(cabling.COLUMNS, rows),
        f"{name}/addresses.csv": addresses_csv(fabric),
        f"{name}/bom.csv": bom_csv(items, currency),
        f"{name}/topology.json": topology_json(fabric),
        f"{name}/topology.graphml": topology_graphml(fabric),
        **{f"{name}/{file}": text for file, text in diagrams(fabric.fabric).items()},
    }
    if workbooks:
        files[f"{name}/cabling.xlsx"] = cabling_xlsx(name, rows, items, currency)
    return files


def _currency(cluster: Cluster) -> str | None:
    prices = cluster.loaded.prices
    return prices.currency if prices else None


def verdict_json(verdict: Verdict) -> str:
    """Return a verdict as JSON."""
    return diagnostics_json(
        verdict.findings,
        rules={"ran": list(verdict.ran), "not_run": dict(verdict.not_run)},
        accepted=[f"{found.code} {found.path}" for found in verdict.accepted],
    )


def write(result: Build, target: Path) -> None:
    """Write a build; the target is replaced whole or not at all. What is staged beside the target is moved.

    Raises:
        FabricgenError: the target holds something else, or cannot be written.
    """
    write_tree(target, result.files)


def compare(result: Build, target: Path) -> tuple[Difference, ...]:
    """Return how an output directory differs from a build."""
    return compare_tree(target, result.files.digests())


def rehearse(plans: Plans, work: Path, files: FileSet | None = None, prefix: str = "") -> dict[str, Rehearsal]:
    """Run the Subnet Managers of plans on the real OpenSM with ibsim; return what came of it, by fabric.

    Args:
        plans: what to rehearse; fabrics without a Subnet Manager are left out.
        work: a directory for the files as they were run, the logs and the dumps; it holds a folder for each fabric.
        files: configuration files by path within the output; those of the plans where left out.
        prefix: put before file names in findings.

    Raises:
        BenchError: a program is missing, did not get ready, or stopped.
    """
    files = emit(plans) if files is None else files
    found = {}
    for fabric in plans.fabrics:
        folders = configuration.device_folders(fabric)
        for model in fabric.models:
            if model.subnet_manager is None:
                continue
            folder, place = f"{folders[model.name]}/", work / fabric.fabric.name
            own = {path.removeprefix(folder): text for path, text in files.items() if path.startswith(folder)}
            place.mkdir()
            found[fabric.fabric.name] = rehearsal.rehearse(
                model.name, model.subnet_manager, own, place, f"{prefix}{folder}"
            )
    return found


def stored_configuration(target: Path) -> Mapping[str, str]:
    """Return the files of an output directory, as they are now.

    Raises:
        FabricgenError: it is no output directory.
    """
    return read_tree(target)

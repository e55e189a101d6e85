"""``fabricgen explain``: why a rule exists, or how a number came about."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricgen.cli.common import refusing, say, stdout, usage_error

if TYPE_CHECKING:
    from fabricgen.api import Plans
    from fabricgen.core.diagnostics import Kind
    from fabricgen.device import DeviceModel, Interface

_FRONT_PANEL = re.compile(r"(?:swp|etp|port)?(?P<cage>\d+)(?:[s/](?P<leg>\d+)|(?P<letter>[a-h]))?")


def explain(
    what: Annotated[
        list[str],
        typer.Argument(help="A code or name of a finding; or a device, a port and a figure.", metavar="WHAT..."),
    ],
    inventory: Annotated[
        Path, typer.Option("--inventory", "-i", help="The inventory that devices and ports are looked up in.")
    ] = Path(),
) -> None:
    """Print why a rule exists (explain FG402), or how a number came about (explain leaf-03 etp17 headroom)."""
    from fabricgen.report.kinds import all_kinds

    kinds = all_kinds()
    by_name = {kind.name: kind for kind in kinds.values()}
    kind = kinds.get(what[0].upper()) or by_name.get(what[0])
    if kind is not None and len(what) == 1:
        _print_kind(kind)
        return
    if len(what) == 1 and re.fullmatch(r"FG\d+", what[0], re.IGNORECASE):
        from fabricgen.core.diagnostics import did_you_mean

        usage_error(f"there is no finding {what[0]}: {did_you_mean(what[0].upper(), kinds)}")
    from fabricgen import api

    with refusing():
        plans = api.plan(api.load(inventory))
    _explain_figure(plans, what)


def _print_kind(kind: Kind) -> None:
    console = stdout()
    say(console, kind.code, f" {kind.name} ({kind.severity}): {kind.title}\n")
    console.print(kind.reason)


def _explain_figure(plans: Plans, what: list[str]) -> None:
    from fabricgen.core.diagnostics import did_you_mean
    from fabricgen.report.provenance import basis_lines

    models = {model.name: model for plan in plans.fabrics for model in plan.models}
    model = models.get(what[0])
    if model is None:
        usage_error(f"there is no device or finding {what[0]!r}: {did_you_mean(what[0], models)}")
    interface = _interface(model, what[1]) if len(what) > 1 else None
    figure = " ".join(what[2 if interface else 1 :])
    subject = f"{interface.name} " if interface else ""
    if interface is None and figure and figure not in model.bases:
        usage_error(f"{model.name} has no cabled port {what[1]!r}: {did_you_mean(what[1], _port_words(model))}")
    known = sorted(key.removeprefix(subject) for key in model.bases if key.startswith(subject))
    if f"{subject}{figure}" not in model.bases:
        usage_error(f"figures of {' '.join(what[:2])}: {', '.join(known)}")
    console = stdout()
    alias = f" ({interface.alias})" if interface and interface.alias else ""
    say(console, " ".join(f"{model.name} {subject.strip()}{alias} {figure}".split()) + "\n")
    for line in basis_lines(model.bases[f"{subject}{figure}"]):
        console.print(line)
    if interface is not None and interface.origin is not None:
        console.print(f"\nasked for by {interface.origin}")


def _port_words(model: DeviceModel) -> list[str]:
    return [word for interface in model.interfaces for word in (interface.name, interface.alias) if word]


def _interface(model: DeviceModel, word: str) -> Interface | None:
    """Find a port by its name, its alias, or what stands on the front panel: 17, 17/2, etp17b, swp17s1."""
    found = model.interface(word)
    match = _FRONT_PANEL.fullmatch(word)
    if found is not None or match is None:
        return found
    in_cage = [interface for interface in model.interfaces if interface.cage == int(match["cage"])]
    position = 0
    if match["letter"]:
        position = ord(match["letter"]) - ord("a")
    elif match["leg"]:
        # Cumulus counts children from 0 (swp17s1), labels count legs from 1 (17/2)
        position = int(match["leg"]) - (0 if word.startswith("swp") else 1)
    return in_cage[position] if 0 <= position < len(in_cage) else None

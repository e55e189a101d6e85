"""Runs the rules on a network."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Diagnostic, did_you_mean
from fabricgen.device import Network
from fabricgen.rules import rules
from fabricgen.rules.base import Context, Need, Rule


@dataclass(frozen=True)
class Outcome:
    """What the rules said of a network.

    Attributes:
        findings: in a stable order.
        ran: codes of the rules that ran, sorted.
        not_run: code and reason of the rules whose input is missing; they say nothing about the network.
    """

    findings: tuple[Diagnostic, ...]
    ran: tuple[str, ...]
    not_run: tuple[tuple[str, str], ...]


_HAS: Mapping[Need, Callable[[Context], bool]] = MappingProxyType(
    {
        Need.LINKS: lambda ctx: bool(ctx.network.links),
        Need.ETHERNET: lambda ctx: any(True for _ in ctx.switch_models()),
        Need.QOS: lambda ctx: bool(ctx.lossless),
        Need.BGP: lambda ctx: any(model.bgp is not None for _, model in ctx.models()),
        Need.SUBNET_MANAGER: lambda ctx: bool(ctx.subnets),
        Need.SUBNET: lambda ctx: any(subnet.manager.nodes for subnet in ctx.subnets),
    }
)


def check(network: Network, catalog: Catalog, *, select: Collection[str] = (), ignore: Collection[str] = ()) -> Outcome:
    """Run the rules on a network.

    Args:
        network: its devices, as their files were read, and its links.
        catalog: facts of the hardware.
        select: codes or names of the rules to run; all where empty.
        ignore: codes or names of the rules to leave out.

    Raises:
        ValueError: there is no rule of a code or name.
    """
    context = Context(network, catalog)
    missing = [need for need in Need if not _HAS[need](context)]
    findings: list[Diagnostic] = []
    ran: list[str] = []
    not_run: list[tuple[str, str]] = []
    for code, found in _chosen(select, ignore).items():
        lacking = [str(need) for need in missing if need in found.needs]
        if lacking:
            not_run.append((code, f"missing: {', '.join(lacking)}"))
            continue
        findings.extend(found.check(context, found.kind))
        ran.append(code)
    return Outcome(tuple(sorted(findings, key=Diagnostic.sort_key)), tuple(ran), tuple(not_run))


def _chosen(select: Collection[str], ignore: Collection[str]) -> dict[str, Rule]:
    wanted, unwanted = _codes(select), _codes(ignore)
    return {code: found for code, found in rules().items() if (not wanted or code in wanted) and code not in unwanted}


def _codes(words: Collection[str]) -> set[str]:
    by_word = {word: code for code, found in rules().items() for word in (code, found.kind.name)}
    for word in words:
        if word not in by_word:
            msg = f"there is no rule {word!r}: {did_you_mean(word, by_word)}"
            raise ValueError(msg)
    return {by_word[word] for word in words}

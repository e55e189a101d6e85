"""The shape of the fabric: how leaves and spines are joined, and what is missing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import LinkEnd
from fabricgen.rules.base import Context, Need, device_path, rule
from fabricgen.rules.uplinks import Uplinks, components


def _uplinks(ctx: Context) -> Uplinks[str]:
    """Return the links of the network from a tier to the one above it."""
    return ctx.once(_count_uplinks)


def _count_uplinks(ctx: Context) -> Uplinks[str]:
    pairs = []
    for link in ctx.switch_links:
        for near, far in link.ends:
            tier, above = ctx.tier(near.device), ctx.tier(far.device)
            if tier is not None and above == tier + 1:
                pairs.append((near.device, far.device))
    upper = {name: tier for name in ctx.network.devices if (tier := ctx.tier(name)) is not None}
    return Uplinks.of(pairs, upper)


@rule("FG206", "uplinks-to-one-spine", Severity.ERROR, "all uplinks of a switch go to one switch above it",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def uplinks_to_one_spine(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A leaf that hangs on one spine goes down with it, and gets the bandwidth of that spine alone.

    Source: datacenter/ACI-Pre-Upgrade-Validation-Script issue 125: both uplinks of a leaf on one spine, an outage at
    the upgrade of that spine.
    """
    for lower, upper, count, choice in _uplinks(ctx).single():
        yield kind.at(
            device_path(lower),
            f"{count} uplink{'s' if count != 1 else ''}, all to {upper}; there are {choice} switches in that tier",
            numbers={"uplinks": count, "reached": 1, "available": choice},
            remedy=f"move uplinks of {lower} from {upper} to the other switches of the tier",
        )


@rule("FG207", "uplinks-uneven", Severity.WARNING, "a switch has more links to one switch above it than to another",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def uplinks_uneven(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """ECMP gives every next hop the same share, whatever the bandwidth behind it, so the thinner side congests.

    Source: RFC 2992 for the equal split of ECMP; RFC 7938, 6.1, which assumes equal links in its Clos.
    """
    for lower, fewest, few, most, many in _uplinks(ctx).uneven():
        yield kind.at(
            device_path(lower),
            f"{few} links to {fewest} and {many} to {most}",
            numbers={"fewest_links": few, "most_links": many},
            remedy=f"cable {lower} with the same number of links to every switch of the tier above",
        )


@rule("FG210", "fabric-in-islands", Severity.WARNING, "the switches form several islands", Need.LINKS)
def fabric_in_islands(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Traffic between islands has no path; a job across them hangs at its first collective.

    Planes that the inventory asks for are judged one by one. Source: Imbue, "From bare metal to a 70B model": rails
    wired as separate networks had to be cabled anew.
    """
    planes: dict[int | None, list[str]] = defaultdict(list)
    for name in filter(ctx.is_switch, ctx.network.devices):
        planes[ctx.network.planes.get(name)].append(name)
    links = [(link.a.device, link.b.device) for link in ctx.switch_links]
    for plane, switches in planes.items():
        if not any((ctx.tier(name) or 0) > 1 for name in switches):
            continue
        inside = set(switches)
        islands = components(switches, [ends for ends in links if inside.issuperset(ends)])
        if len(islands) > 1:
            smallest = min(islands, key=len)
            whole = "the switches" if plane is None else f"the switches of plane {plane + 1}"
            yield kind.at(
                f"networks[{ctx.network.name}]",
                f"{whole} form {len(islands)} islands; the smallest is {', '.join(smallest[:3])}"
                + (f" and {len(smallest) - 3} more" if len(smallest) > 3 else ""),
                numbers={"islands": len(islands), "smallest_switches": len(smallest)},
                remedy="add the missing links between the islands, or accept this finding if they are planes of "
                "their own",
            )


@rule("FG220", "planes-joined", Severity.ERROR, "a link joins two planes", Need.LINKS)
def planes_joined(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A fault of one plane must not reach the other, and routes must not lead from one to the other.

    Source: Qian et al., "Alibaba HPN", SIGCOMM 2024, section 5: two planes without a link between them, so that the
    same path down is taken whatever the hash.
    """
    planes = ctx.network.planes
    for link in ctx.switch_links:
        near, far = planes.get(link.a.device), planes.get(link.b.device)
        if near is not None and far is not None and near != far:
            yield kind.at(
                str(link.a),
                f"{link.a.device} is of plane {near + 1}, and {link.b.device} at the other end is of plane {far + 1}",
                remedy=f"cable {link.a.interface} of {link.a.device} to a switch of plane {near + 1}",
            )


@rule("FG212", "switch-not-read", Severity.WARNING, "a switch whose configuration is not at hand", Need.ETHERNET)
def switch_not_read(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Nothing about the switch is judged, and of its links only the other ends.

    Source: a property of the network, which names the switch and has no model of it.
    """
    for device in ctx.network.devices.values():
        if ctx.tier(device.name) is not None and device.model is None:
            yield kind.at(
                device_path(device.name),
                "no configuration was read for this switch",
                remedy=f"add the files of {device.name}, or correct the host name in them",
            )


@rule("FG214", "port-cabled-twice", Severity.ERROR, "a port stands at the end of two cables", Need.LINKS)
def port_cabled_twice(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A port takes one cable, so one of the two rows of the cabling is wrong.

    Source: Cray-HPE/canu pull request 213, which tells this fault of a cable sheet from LLDP, where a link is seen from
    both ends and is one cable.
    """
    ends = {(end.device, end.interface) for link in ctx.network.links for end in (link.a, link.b)}
    if len(ends) == 2 * len(ctx.network.links):
        return
    cables: Counter[LinkEnd] = Counter(end for link in set(ctx.network.links) for end in (link.a, link.b))
    for end, count in cables.items():
        if count > 1:
            peers = sorted({str(far) for link in ctx.network.links for near, far in link.ends if near == end})
            yield kind.at(
                str(end),
                f"{count} cables end here: from {', '.join(peers)}",
                numbers={"cables": count},
                remedy=f"correct the cabling so that {end.interface} has one cable",
            )

"""Addresses: each once, and both ends of a link in one subnet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network, ip_interface

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.rules.base import Context, Need, Port, device_path, port_path, rule

Address = IPv4Interface | IPv6Interface
Subnet = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class _Use:
    """A place where an address is configured."""

    device: str
    label: str
    address: Address
    segment: object
    path: tuple[str, ...]

    @property
    def where(self) -> str:
        """Return the path for findings."""
        return port_path(self.device, self.label) if self.path[0] == "interfaces" else device_path(
            self.device, f"{self.path[0]}[{self.label}]")  # fmt: skip


def parse_address(text: str) -> Address | None:
    """Return an address with its prefix length; None where the text is none, which its reader has reported."""
    try:
        return ip_interface(text)
    except ValueError:
        return None


def _uses(ctx: Context) -> Iterator[_Use]:
    """Yield every configured address but link-local ones; the ends of a cable are one segment."""
    for device, model in ctx.switch_models():
        links = {port.interface.name: port.link for port in ctx.ports(device.name)}
        owners = [
            *((port.name, port.addresses, links.get(port.name, (device.name, port.name)), "interfaces")
              for port in model.interfaces),
            *((loop.name, loop.addresses, (device.name, loop.name), "loopbacks") for loop in model.loopbacks),
        ]  # fmt: skip
        for name, addresses, segment, field in owners:
            for text in addresses:
                address = parse_address(text)
                if address is not None and not address.is_link_local:
                    yield _Use(device.name, name, address, segment, (field, name, "addresses"))


@rule("FG301", "address-repeated", Severity.ERROR, "an address is configured twice", Need.ETHERNET)
def address_repeated(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Traffic for an address that two devices have goes to whichever is nearer.

    A router ID that two switches share keeps them from a session, and makes one of two equal paths vanish. Source: RFC
    4271, 4.2 (BGP identifier); RFC 5227 for what a duplicate address does.
    """
    by_address: dict[object, list[_Use]] = defaultdict(list)
    for use in _uses(ctx):
        by_address[use.address.ip].append(use)
    for address, uses in by_address.items():
        for use in uses[1:]:
            yield kind.at(
                use.where,
                f"{address} is the address of {uses[0].where} too",
                span=ctx.span(use.device, *use.path),
                related=(ctx.note(f"{uses[0].where}: {address}", uses[0].device, *uses[0].path),),
                remedy=f"give {use.label} of {use.device} an address of its own",
            )
    owners: dict[str, str] = {}
    for device, model in ctx.switch_models():
        identity = parse_address(model.bgp.router_id or "") if model.bgp else None
        if identity is None:
            continue
        router_id = str(identity.ip)
        first = owners.setdefault(router_id, device.name)
        holder = next((use for use in by_address.get(identity.ip, ()) if use.device != device.name), None)
        if first != device.name or holder is not None:
            yield kind.at(
                device_path(device.name, "bgp"),
                f"the router ID {router_id} belongs to {holder.device if holder else first} too",
                span=ctx.span(device.name, "bgp", "router_id"),
                remedy=f"set the router ID of {device.name} to its own loopback address",
            )


@rule("FG313", "subnets-overlap", Severity.ERROR, "two links have overlapping subnets", Need.ETHERNET)
def subnets_overlap(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """A route leads to one of the two links only, so the other's hosts are out of reach from afar.

    Source: RFC 1812, 4.2.2.11 and 5.2.4.3 (longest match); AVD issue 5777, where a formula gave one /31 to two links.
    """
    places: dict[int, dict[tuple[Subnet, object], _Use]] = {4: {}, 6: {}}
    for use in _uses(ctx):
        if use.path[0] == "interfaces":
            places[use.address.version].setdefault((use.address.network, use.segment), use)
    for uses in places.values():
        ordered = sorted(uses.values(), key=lambda use: (use.address.network.network_address,
                                                         use.address.network.prefixlen))  # fmt: skip
        widest: _Use | None = None
        for use in ordered:
            if widest is None or not use.address.network.overlaps(widest.address.network):
                widest = use
            elif widest.segment != use.segment:
                yield kind.at(
                    use.where,
                    f"{use.address.network} overlaps {widest.address.network} of {widest.where}, which is another link",
                    span=ctx.span(use.device, *use.path),
                    related=(ctx.note(f"{widest.where}: {widest.address}", widest.device, *widest.path),),
                    remedy=f"number {use.where} from a subnet of its own",
                )


@rule("FG317", "server-port-unaddressed", Severity.WARNING, "a server port without an address, unlike its like",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def server_port_unaddressed(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Where server links are routed, a port without an address leaves its server without a way out.

    Only switches most of whose server ports have addresses are judged, and none with VLANs, where the address is
    elsewhere. Source: RFC 1812, 2.2.5.1; RFC 7938, 5.2.1 (servers on routed links).
    """
    for device, model in ctx.switch_models():
        ports = [port for port in ctx.ports(device.name) if not ctx.is_switch(port.far.device)]
        bare = [port for port in ports if not port.interface.addresses and not port.interface.link_local_only]
        if 2 * len(bare) >= len(ports) or any("VLAN" in name for name, _ in model.unread):
            continue
        for port in bare:
            yield kind.at(
                port.path,
                f"the port to {port.far} has no address; {len(ports) - len(bare)} other server ports have one",
                span=ctx.port_span(port, "addresses"),
                remedy=f"give {port.interface.name} an address in the subnet of its server",
            )


@rule("FG302", "link-subnets-differ", Severity.ERROR, "the two ends of a link are not in one subnet",
      Need.LINKS, Need.ETHERNET)  # fmt: skip
def link_subnets_differ(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Two ends that are in different subnets cannot reach each other, so no session comes up over the link.

    Mostly two cables are swapped. Source: RFC 1812, 2.2.5.1; RFC 3021 for /31.
    """
    listed = [pair for pair in ctx.joined_ports if any(map(_networks, pair))]
    numbered = sum(all(map(_networks, pair)) for pair in listed)
    for pair in listed:
        bare = [port for port in pair if not _networks(port)]
        if not bare and _networks(pair[0]) & _networks(pair[1]):
            continue
        at_fault = bare[0] if bare and numbered else _unexpected(*pair)
        peer = pair[1] if at_fault is pair[0] else pair[0]
        have, other = (", ".join(port.interface.addresses) or "none" for port in (at_fault, peer))
        yield kind.at(
            at_fault.path,
            f"the address is {have}, that of its peer {peer.path} {other}",
            span=ctx.port_span(at_fault, "addresses"),
            related=(ctx.port_note(peer, other, "addresses"),),
            remedy="number both ends from one subnet, or swap the cables back if two are exchanged",
        )


def _unexpected(a: Port, b: Port) -> Port:
    """Return the end to name: the one whose address is no BGP neighbour of its peer, or the first with an address."""
    for port, peer in ((a, b), (b, a)):
        neighbors = {neighbor.peer for neighbor in peer.model.bgp.neighbors} if peer.model.bgp else set()
        if _networks(port) and not neighbors & {text.partition("/")[0] for text in port.interface.addresses}:
            return port
    return a if _networks(a) else b


def _networks(port: Port) -> set[Subnet]:
    found = (parse_address(text) for text in port.interface.addresses)
    return {address.network for address in found if address is not None and not address.is_link_local}

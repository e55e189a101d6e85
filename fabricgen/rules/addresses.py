"""Addresses: each once, and both ends of a link in one subnet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
    ip_interface,
)
from itertools import chain, groupby

from fabricgen.core.diagnostics import Diagnostic, Kind, Severity
from fabricgen.device import DeviceModel, Interface, Loopback
from fabricgen.rules.base import Context, Need, Port, device_path, port_path, rule

Address = IPv4Interface | IPv6Interface
Subnet = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Use:
    """A place where an address is configured; the numbers stand for the address, which is large to keep.

    Attributes:
        field: ``interfaces`` or ``loopbacks``.
        label: name of the interface or loopback.
        text: the address, with its prefix length.
        version: 4 or 6.
        address: as a number.
        length: of the prefix.
        port: the interface's cabled port, if it is one.
    """

    device: str
    field: str
    label: str
    text: str
    version: int
    address: int
    length: int
    port: Port | None

    @property
    def path(self) -> tuple[str, ...]:
        """Return the place in the model."""
        return self.field, self.label, "addresses"

    @property
    def where(self) -> str:
        """Return the path for findings."""
        return port_path(self.device, self.label) if self.field == "interfaces" else device_path(
            self.device, f"{self.field}[{self.label}]")  # fmt: skip

    @property
    def ip(self) -> str:
        """Return the address without its prefix length."""
        return str(IPv4Address(self.address) if self.version == 4 else IPv6Address(self.address))

    @property
    def network(self) -> Subnet:
        """Return the network of the address."""
        return IPv4Network((self.first, self.length)) if self.version == 4 else IPv6Network((self.first, self.length))

    @property
    def segment(self) -> object:
        """Return what the two ends of a cable have in common, and nothing else has."""
        return self.port.link if self.port else (self.device, self.label)

    @property
    def first(self) -> int:
        """Return the first address of the network, as a number."""
        free = (32 if self.version == 4 else 128) - self.length
        return self.address >> free << free

    @property
    def last(self) -> int:
        """Return the last address of the network, as a number."""
        return self.first | (1 << (32 if self.version == 4 else 128) - self.length) - 1


def parse_address(text: str) -> Address | None:
    """Return an address with its prefix length; None where the text is none, which its reader has reported."""
    try:
        return ip_interface(text)
    except ValueError:
        return None


def uses(ctx: Context) -> Mapping[str, Sequence[Use]]:
    """Return every configured address but link-local ones, by switch."""
    return ctx.once(_uses)


def _uses(ctx: Context) -> dict[str, list[Use]]:
    return {device.name: list(_uses_of(ctx, device.name, model)) for device, model in ctx.switch_models()}


def _uses_of(ctx: Context, device: str, model: DeviceModel) -> Iterator[Use]:
    ports = {port.interface.name: port for port in ctx.ports(device)}
    owners: Iterable[tuple[str, Interface | Loopback, Port | None]] = chain(
        (("interfaces", interface, ports.get(interface.name)) for interface in model.interfaces if interface.addresses),
        (("loopbacks", loopback, None) for loopback in model.loopbacks),
    )
    for field, owner, port in owners:
        for text in owner.addresses:
            found = parse_address(text)
            if found is not None and not found.is_link_local:
                yield Use(device, field, owner.name, text, found.version, int(found), found.network.prefixlen, port)


@rule("FG301", "address-repeated", Severity.ERROR, "an address is configured twice", Need.ETHERNET)
def address_repeated(ctx: Context, kind: Kind) -> Iterator[Diagnostic]:
    """Traffic for an address that two devices have goes to whichever is nearer.

    A router ID that two switches share keeps them from a session, and makes one of two equal paths vanish. Source: RFC
    4271, 4.2 (BGP identifier); RFC 5227 for what a duplicate address does.
    """
    by_address: dict[tuple[int, int], list[Use]] = defaultdict(list)
    for use in chain.from_iterable(uses(ctx).values()):
        by_address[use.version, use.address].append(use)
    for first, *others in by_address.values():
        for use in others:
            yield kind.at(
                use.where,
                f"{use.ip} is the address of {first.where} too",
                span=ctx.span(use.device, *use.path),
                related=(ctx.note(f"{first.where}: {use.ip}", first.device, *first.path),),
                remedy=f"give {use.label} of {use.device} an address of its own",
            )
    yield from _router_ids_repeated(ctx, kind, by_address)


def _router_ids_repeated(
    ctx: Context, kind: Kind, by_address: Mapping[tuple[int, int], Sequence[Use]]
) -> Iterator[Diagnostic]:
    owners: dict[str, str] = {}
    for device, model in ctx.switch_models():
        identity = parse_address(model.bgp.router_id or "") if model.bgp else None
        if identity is None:
            continue
        router_id = str(identity.ip)
        first = owners.setdefault(router_id, device.name)
        holders = by_address.get((identity.version, int(identity)), ())
        holder = next((use for use in holders if use.device != device.name), None)
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
    ported = (use for use in chain.from_iterable(uses(ctx).values()) if use.field == "interfaces")
    widest: Use | None = None
    for use in _by_subnet(ported):
        if widest is None or use.version != widest.version or use.first > widest.last:
            widest = use
        elif widest.segment != use.segment:
            yield kind.at(
                use.where,
                f"{use.network} overlaps {widest.network} of {widest.where}, which is another link",
                span=ctx.span(use.device, *use.path),
                related=(ctx.note(f"{widest.where}: {widest.text}", widest.device, *widest.path),),
                remedy=f"number {use.where} from a subnet of its own",
            )


def _by_subnet(found: Iterable[Use]) -> Iterator[Use]:
    """Yield addresses sorted by their networks, wide before narrow; of a segment's addresses in a network the first."""
    ordered = sorted(found, key=lambda use: (use.version, use.first, use.length))
    for _, group in groupby(ordered, key=lambda use: (use.version, use.first, use.length)):
        segments: list[object] = []
        for use in group:
            if use.segment not in segments:
                segments.append(use.segment)
                yield use


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

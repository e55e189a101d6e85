"""One device: identity, interfaces, and the optional parts that its role needs.

Tuples are sorted by the natural order of their first field, so that equal configurations are equal values.
``origin`` and ``basis`` say where a value comes from; they are not configuration and do not take part in equality.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricgen.core.provenance import Basis, Origin
from fabricgen.device.bgp import Bgp
from fabricgen.device.buffers import Buffers
from fabricgen.device.qos import Qos
from fabricgen.device.subnet_manager import SubnetManager


@dataclass(frozen=True, slots=True)
class Interface:
    """A physical port after breakout.

    Attributes:
        name: the name in the device's own language: ``Ethernet16``.
        alias: the front-panel name that the device prints: ``etp3``.
        speed_gbps: configured speed; None where the configuration does not say.
        lanes: SerDes lanes, in order; empty where the configuration does not say.
        cage: front-panel cage, from 1.
        mtu_bytes: largest frame as the device counts it.
        fec: ``rs``, ``fc``, ``none`` or ``auto``.
        enabled: whether the port is administratively up.
        description: free text.
        addresses: IP addresses with prefix length, as text, sorted.
        link_local_only: IPv6 link-local addressing without a configured address: an unnumbered routed port.
        cable_length_m: cable length that the device was told, in whole metres.
        index: the cage by the device's own count, where it has one; some count from 0.
    """

    name: str
    alias: str | None = None
    speed_gbps: int | None = None
    lanes: tuple[int, ...] = ()
    cage: int | None = None
    mtu_bytes: int | None = None
    fec: str | None = None
    enabled: bool = False
    description: str | None = None
    addresses: tuple[str, ...] = ()
    link_local_only: bool = False
    cable_length_m: int | None = None
    index: int | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Loopback:
    """A loopback interface and its addresses."""

    name: str
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceModel:
    """What one device is configured to do.

    Attributes:
        name: host name.
        platform: name of the platform that emits or read it: ``sonic``, ``opensm``.
        sku: the hardware as the device names it: a SONiC ``hwsku``.
        hardware_platform: the vendor's platform string, where the device has one.
        role: what the device says it is: ``leaf``, ``spine`` or ``core``, or its own word where it is none of these.
        mac: base MAC address.
        breakouts: cage's parent interface and its breakout mode in the device's words.
        unread: names of sections that the reader does not know, with how often each occurs; kept so that nothing is
            dropped in silence.
        bases: how computed numbers came about, by ``<interface> <figure>`` or by the name of a profile.
    """

    name: str
    platform: str
    sku: str | None = None
    hardware_platform: str | None = None
    role: str | None = None
    mac: str | None = None
    interfaces: tuple[Interface, ...] = ()
    loopbacks: tuple[Loopback, ...] = ()
    breakouts: tuple[tuple[str, str], ...] = ()
    qos: Qos | None = None
    buffers: Buffers | None = None
    bgp: Bgp | None = None
    subnet_manager: SubnetManager | None = None
    unread: tuple[tuple[str, int], ...] = ()
    bases: Mapping[str, Basis] = field(default_factory=dict, compare=False, repr=False, hash=False)

    def interface(self, name: str) -> Interface | None:
        """Return the interface of that name or alias."""
        for interface in self.interfaces:
            if name in (interface.name, interface.alias):
                return interface
        return None

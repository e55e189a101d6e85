"""The plan of a fabric: everything resolved, down to one device model for each device that is configured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Report
from fabricgen.device import DeviceModel, Link, LinkEnd, Role
from fabricgen.inventory import LoadedInventory
from fabricgen.planning.addresses import AddressPlan, plan_addresses
from fabricgen.planning.guids import GuidPlan, plan_guids
from fabricgen.planning.lower_infiniband import SUBNET_MANAGER, lower_infiniband
from fabricgen.planning.lower_roce import lower_roce
from fabricgen.topology import Fabric, Port


@dataclass(frozen=True)
class FabricPlan:
    """A planned fabric.

    Attributes:
        addresses: of a RoCE fabric.
        guids: of an InfiniBand fabric.
        models: one for each device that gets files, in order; an InfiniBand fabric has one, its Subnet Manager, and
            a plain Ethernet network none.
        port_names: by device and port number, the name in the device's own language.
        links: the cables, in those names.
    """

    fabric: Fabric
    addresses: AddressPlan | None
    guids: GuidPlan | None
    models: tuple[DeviceModel, ...]
    port_names: Mapping[tuple[str, int], str]
    links: tuple[Link, ...]

    def port_name(self, port: Port) -> str:
        """Return a port's name in its device's own language."""
        return self.port_names.get((port.device, port.number), port.label)

    def roles(self) -> dict[str, Role]:
        """Return what each device of the fabric is, the Subnet Manager included."""
        roles = {device.name: device.role for device in self.fabric.devices}
        if self.guids is not None:
            roles[SUBNET_MANAGER] = Role.SUBNET_MANAGER
        return roles


def plan_fabric(fabric: Fabric, loaded: LoadedInventory, catalog: Catalog, report: Report) -> FabricPlan:
    """Plan a built fabric.

    Args:
        fabric: what the design made.
        loaded: the inventory that it was made from.
        catalog: the device library.
        report: takes FG124, FG126, FG131, FG137, FG141 and FG149.
    """
    addresses: AddressPlan | None = None
    guids: GuidPlan | None = None
    if fabric.kind == "rocev2":
        addresses = plan_addresses(fabric, loaded, report)
        models, names = ((), {}) if report.has_errors else lower_roce(fabric, addresses, loaded, catalog, report)
    elif fabric.kind == "ethernet":
        models, names = (), {}
    else:
        guids = plan_guids(fabric, loaded, report)
        names = {
            (device.name, port.number): str(port.number)
            for device in fabric.switches
            for port, _ in fabric.ports(device.name)
        }
        models = (lower_infiniband(fabric, guids, loaded, catalog, report),)
    return FabricPlan(fabric, addresses, guids, models, names, _links(fabric, names))


def _links(fabric: Fabric, names: Mapping[tuple[str, int], str]) -> tuple[Link, ...]:
    def end(port: Port) -> LinkEnd:
        return LinkEnd(port.device, names.get((port.device, port.number), port.label))

    return tuple(
        Link(
            a=end(cable.a),
            b=end(cable.b),
            speed_gbps=cable.speed_gbps,
            length_cm=cable.length_cm,
            length_span=cable.length_origin.span if cable.length_origin else None,
        )
        for cable in fabric.cables
    )

"""What a server's slots allow, and what its PCIe tree means for GPUDirect RDMA."""

from __future__ import annotations

from fabricgen.catalog import Catalog, Server
from fabricgen.core.diagnostics import Report
from fabricgen.inventory import LoadedInventory, ServerGroup
from fabricgen.inventory.kinds import GPUDIRECT_CROSSES_CPU, TOO_FEW_SLOTS


def check_servers(loaded: LoadedInventory, catalog: Catalog, report: Report) -> None:
    """Check the adapters of every server group against its model.

    Args:
        loaded: the inventory.
        catalog: the device library; models that it has not are reported elsewhere.
        report: takes FG151 and FG152.
    """
    for name, group in loaded.inventory.servers.items():
        if group.model in catalog.servers:
            model = catalog.servers[group.model]
            _check_slots(name, group, model, loaded, report)
            _check_gpudirect(name, group, model, catalog, loaded, report)


def _check_slots(name: str, group: ServerGroup, model: Server, loaded: LoadedInventory, report: Report) -> None:
    count, slots = sum(choice.count for choice in group.adapters.values()), model.nic_slots
    if isinstance(slots, str) or count <= slots:
        return
    origin = loaded.origin("servers", name, "adapters")
    gpus = f" beside {model.gpus} GPUs" if model.gpus else ""
    plan = " or ".join(str(number) for number in range(1, slots + 1)) if slots else "no adapter"
    report.add(
        TOO_FEW_SLOTS.at(
            origin.path,
            f"{count} adapters, and {model.model} has {slots} slot{'' if slots == 1 else 's'} for them{gpus}",
            span=origin.span,
            remedy=f"plan {plan} in all, shared by the GPUs, or choose a server with a slot for each",
            numbers={"adapters": count, "slots": slots},
        )
    )


def _check_gpudirect(
    name: str, group: ServerGroup, model: Server, catalog: Catalog, loaded: LoadedInventory, report: Report
) -> None:
    choice = group.adapters.get("compute")
    if model.gpu_nic_affinity != "dual-root" or choice is None or choice.adapter not in catalog.adapters:
        return
    ports = catalog.adapters[choice.adapter].ports
    speed_gbps = max((*ports.ethernet_gbps, *ports.infiniband_gbps), default=0) * ports.count
    origin = loaded.origin("servers", name, "adapters", "compute")
    share = choice.count * speed_gbps / model.gpus
    report.add(
        GPUDIRECT_CROSSES_CPU.at(
            origin.path,
            f"{model.model} has no PCIe switch: {model.gpus} GPUs share {choice.count} adapter"
            f"{'' if choice.count == 1 else 's'}, {share:g} Gb/s each, and every transfer crosses a CPU",
            span=origin.span,
            remedy="expect NCCL to copy through host memory, unless NCCL_NET_GDR_LEVEL is PHB (for GPUs of the "
            "adapter's own socket) or SYS (for all); measure both",
            numbers={"gpus": model.gpus, "adapters": choice.count},
        )
    )

"""Emits the configuration of every device, and reads it back as the device would."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, Literal, TypeVar

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Diagnostic, Span
from fabricgen.core.files import FileSet
from fabricgen.core.memo import Memo
from fabricgen.core.workers import run_all, slices
from fabricgen.delivery.output import Output
from fabricgen.device import DeviceModel, Network, NetworkDevice, Role
from fabricgen.device.network import Locate
from fabricgen.planning.plan import FabricPlan
from fabricgen.platforms import platforms

E = TypeVar("E")

#: Devices below which a worker costs more than it gains.
_DEVICES_PER_WORKER = 40

#: What a worker sends for a model that is equal to the planned one, which its parent has.
_AS_PLANNED: Final = "as planned"


@dataclass(frozen=True, slots=True)
class _Device:
    """A device that gets files: the folder that they are in, and what they are to say."""

    folder: str
    model: DeviceModel

    def emit(self, memo: Memo) -> FileSet:
        return platforms()[self.model.platform].emit(self.model, memo)


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a device; ``model`` is None where the files name none."""

    model: DeviceModel | None
    findings: tuple[Diagnostic, ...]
    locate: Locate


def device_folders(fabric: FabricPlan) -> dict[str, str]:
    """Return the folder of each device's files within the output, by device."""
    roles, name = fabric.roles(), fabric.fabric.name
    return {
        model.name: f"{name}/subnet-manager"
        if roles.get(model.name) is Role.SUBNET_MANAGER
        else f"{name}/switches/{model.name}"
        for model in fabric.models
    }


def emit(fabrics: Iterable[FabricPlan]) -> dict[str, str]:
    """Return the configuration files of every device, by path within the output."""
    memo = Memo()
    return {
        f"{device.folder}/{name}": text
        for fabric in fabrics
        for device in _devices(fabric)
        for name, text in device.emit(memo).items()
    }


def read_back(
    fabrics: Sequence[FabricPlan], files: FileSet, catalog: Catalog, prefix: str = ""
) -> tuple[list[Network], list[Diagnostic]]:
    """Read configuration files as the devices would, and return one network for each fabric.

    Args:
        fabrics: say which devices there are and how they are cabled.
        files: configuration files by path within the output.
        catalog: the device library.
        prefix: put before file names in findings.

    Returns:
        The networks, and what the readers had to say.
    """
    by_folder: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        folder, _, name = path.rpartition("/")
        by_folder.setdefault(folder, {})[name] = text
    memo = Memo()
    return _networks(
        fabrics,
        (
            _read(device, by_folder.get(device.folder, {}), catalog, memo, prefix)
            for fabric in fabrics
            for device in _devices(fabric)
        ),
    )


def deploy(
    fabrics: Sequence[FabricPlan], catalog: Catalog, output: Output[Any], jobs: int = 1
) -> tuple[list[Network], list[Diagnostic]]:
    """Emit the configuration of every device into an output and read it back from there.

    A device's text is dropped when it has been read, so memory does not grow with the configuration's size.

    Args:
        fabrics: what to emit.
        catalog: the device library.
        output: takes the files.
        jobs: worker processes to use at most.

    Returns:
        One network for each fabric, and what the readers had to say.
    """
    devices = [device for fabric in fabrics for device in _devices(fabric)]
    shards = slices(devices, min(jobs, len(devices) // _DEVICES_PER_WORKER))
    read: list[_Read] = []
    for shard, (entries, answers) in zip(
        shards, run_all([partial(_deploy, shard, catalog, output) for shard in shards]), strict=True
    ):
        output.adopt(entries)
        read += [
            _Read(device.model if model == _AS_PLANNED else model, findings, _locator(device, catalog))
            for device, (model, findings) in zip(shard, answers, strict=True)
        ]
    return _networks(fabrics, read)


def _devices(fabric: FabricPlan) -> list[_Device]:
    folders = device_folders(fabric)
    return [_Device(folders[model.name], model) for model in fabric.models]


_Answer = tuple[DeviceModel | Literal["as planned"] | None, tuple[Diagnostic, ...]]


def _deploy(devices: Iterable[_Device], catalog: Catalog, output: Output[E]) -> tuple[dict[str, E], list[_Answer]]:
    """Emit, store and read some devices; return what was stored, and each device's model and findings."""
    memo = Memo()
    entries: dict[str, E] = {}
    answers: list[_Answer] = []
    for device in devices:
        files = device.emit(memo)
        entries |= output.store({f"{device.folder}/{name}": text for name, text in files.items()})
        read = _read(device, files, catalog, memo)
        answers.append((_AS_PLANNED if read.model == device.model else read.model, read.findings))
    return entries, answers


def _read(device: _Device, files: FileSet, catalog: Catalog, memo: Memo, prefix: str = "") -> _Read:
    result = platforms()[device.model.platform].read(files, f"{prefix}{device.folder}/", catalog, memo)
    return _Read(result.model, result.diagnostics, result.locate)


def _locator(device: _Device, catalog: Catalog) -> Locate:
    """Return a function that finds places in a device's files; they are emitted again, the same as before."""

    @cache
    def found() -> Locate:
        memo = Memo()
        return _read(device, device.emit(memo), catalog, memo).locate

    def locate(path: tuple[str, ...]) -> Span | None:
        return found()(path)

    return locate


def _networks(fabrics: Sequence[FabricPlan], read: Iterable[_Read]) -> tuple[list[Network], list[Diagnostic]]:
    """Put what was read, fabric by fabric in the order of the models, into networks."""
    networks: list[Network] = []
    findings: list[Diagnostic] = []
    remaining = iter(read)
    for plan in fabrics:
        fabric = plan.fabric
        hardware = {device.name: device.hardware for device in fabric.devices}
        devices = {name: NetworkDevice(name, role, hardware=hardware.get(name)) for name, role in plan.roles().items()}
        for model, found in zip(plan.models, remaining, strict=False):
            findings += found.findings
            devices[model.name] = NetworkDevice(
                model.name, devices[model.name].role, found.model, hardware.get(model.name), found.locate
            )
        planes = {device.name: device.plane for device in fabric.switches if device.plane is not None}
        networks.append(Network(fabric.name, fabric.kind, devices, plan.links, planes=planes))
    return networks, findings

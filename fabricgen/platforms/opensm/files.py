"""Which file holds which part of a Subnet Manager, and the two directions between the files and the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fabricgen.catalog import Catalog
from fabricgen.core.files import FileSet
from fabricgen.core.memo import Memo
from fabricgen.device import DeviceModel, IbNodeKind, SubnetManager
from fabricgen.device.network import Locate
from fabricgen.platforms.base import ReadResult
from fabricgen.platforms.opensm import guid_lists, kinds
from fabricgen.platforms.opensm.conf import Options, emit_options, host_name, read_options
from fabricgen.platforms.opensm.netlist import emit_netlist, read_netlist
from fabricgen.platforms.opensm.options import NULL, options
from fabricgen.platforms.opensm.partition_reader import read_partitions
from fabricgen.platforms.opensm.partitions import emit_partitions
from fabricgen.platforms.opensm.qos_policy import emit_policy, read_policy
from fabricgen.platforms.opensm.scan import Findings, Source, Word

#: The device's name where its files do not tell.
DEFAULT_NAME = "subnet-manager"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the model that has a file of its own.

    Attributes:
        field: its field in :class:`SubnetManager`.
        file: the file's usual name.
        option: the option that holds the file's path, if any does.
    """

    field: str
    file: str
    option: str | None = None


OPTIONS_FILE = "opensm.conf"
PARTS = (
    Part("root_guids", "root_guids.conf", "root_guid_file"),
    Part("compute_guids", "cn_guids.conf", "cn_guid_file"),
    Part("io_guids", "io_guids.conf", "io_guid_file"),
    Part("partitions", "partitions.conf", "partition_config_file"),
    Part("qos_policy", "qos-policy.conf", "qos_policy_file"),
    Part("node_names", "node-name-map", "node_name_map_name"),
    Part("lids", "guid2lid"),
    Part("nodes", "fabric.netlist"),
)

_GUID_LISTS = {what.field: what for what in guid_lists.LISTS}


def file_name(part: Part, values: Mapping[str, str]) -> str:
    """Return the name of a part's file: the last component of the path that its option holds, or the usual name."""
    path = _path(part, values)
    return path.rpartition("/")[2] or part.file


def _path(part: Part, values: Mapping[str, str]) -> str:
    """Return the path at which OpenSM looks for a part's file; empty where it looks for none."""
    if part.option is None:
        return part.file
    path = values.get(part.option, options()[part.option].default)
    return "" if path == NULL else path


def emit(model: DeviceModel, memo: Memo | None = None) -> FileSet:  # noqa: ARG001 - a fabric has one Subnet Manager
    """Return the files of a Subnet Manager.

    Raises:
        ValueError: the model has no Subnet Manager, or something in it cannot be written so that OpenSM would read it
            back.
    """
    manager = model.subnet_manager
    if manager is None:
        msg = f"{model.name} has no Subnet Manager"
        raise ValueError(msg)
    values = dict(manager.options)
    files = {OPTIONS_FILE: emit_options(model.name, manager.options)}
    for part in PARTS:
        content = getattr(manager, part.field)
        if content is None or (content == () and not (part.option and part.option in values)):
            continue
        name = file_name(part, values)
        if name in files:
            msg = f"two files of {model.name} would be named {name}"
            raise ValueError(msg)
        files[name] = _emit_part(part, name, manager)
    return files


def _emit_part(part: Part, name: str, manager: SubnetManager) -> str:
    if part.field in _GUID_LISTS:
        return guid_lists.emit_guids(_GUID_LISTS[part.field], name, getattr(manager, part.field))
    if part.field == "partitions":
        return emit_partitions(name, manager.partitions or ())
    if part.field == "qos_policy":
        assert manager.qos_policy is not None
        return emit_policy(name, manager.qos_policy)
    if part.field == "node_names":
        return guid_lists.emit_name_map(name, manager.node_names)
    if part.field == "lids":
        switches = frozenset(node.guid for node in manager.nodes if node.kind is IbNodeKind.SWITCH)
        spans = guid_lists.lid_spans(manager.lids, switches, dict(manager.options))
        return guid_lists.emit_lids(manager.lids, spans)
    return emit_netlist(manager.nodes)


def read(files: FileSet, prefix: str, catalog: Catalog, memo: Memo | None = None) -> ReadResult:  # noqa: ARG001
    """Read the files of a Subnet Manager. See :class:`fabricgen.platforms.base.Platform`.

    What OpenSM would drop is absent from the model, so that rules judge what OpenSM would run.
    """
    findings = Findings()
    sources = {
        name.rpartition("/")[2]: Source(f"{prefix}{name}", name.rpartition("/")[2], text, findings)
        for name, text in sorted(files.items())
    }
    values = _read_options(sources, prefix, findings)
    manager = SubnetManager(options=values)
    found = OPTIONS_FILE in sources
    for part in PARTS:
        source = _find(part, values, sources, prefix, findings)
        if source is not None:
            found = True
            findings.places[("subnet_manager", part.field)] = source.span(Word("", 1, 1))
            # SubnetManager's own fields: `part.field` is one of them, which tests check.
            manager = replace(manager, **{part.field: _read_part(part, source)})
    name = _device_name(sources, prefix)
    model = DeviceModel(name, "opensm", subnet_manager=manager, unread=tuple(sorted(findings.unread.items())))
    return ReadResult(model if found else None, tuple(findings.diagnostics), _locate(findings))


def _read_options(sources: Mapping[str, Source], prefix: str, findings: Findings) -> Options:
    source = sources.get(OPTIONS_FILE)
    if source is not None:
        findings.places[("subnet_manager", "options")] = source.span(Word("", 1, 1))
        return read_options(source)
    Source(f"{prefix}{OPTIONS_FILE}", OPTIONS_FILE, "", findings).add(
        kinds.FILE_MISSING,
        ("options",),
        f"there is no {OPTIONS_FILE}; OpenSM comes up with the defaults of all its options",
        Word("", 1, 1),
        remedy=f"put {OPTIONS_FILE} beside the other files",
    )
    return ()


def _find(part: Part, values: Options, sources: Mapping[str, Source], prefix: str, findings: Findings) -> Source | None:
    """Return the file of a part that OpenSM would read; report one that is missing, or there for nothing."""
    named = dict(values)
    name = file_name(part, named)
    source = sources.get(name) if _path(part, named) else None
    if source is None and part.option in named and _path(part, named):
        span = findings.places["subnet_manager", "options", part.option]
        Source(span.file, OPTIONS_FILE, "", findings).add(
            kinds.FILE_MISSING,
            (part.field,),
            f"`{part.option}` names {named[part.option]}, and there is no file {prefix}{name}",
            Word("", span.line or 1, span.column or 1),
            remedy=f"add the file, or remove `{part.option}`",
        )
    usual = sources.get(part.file)
    if usual is not None and usual is not source and OPTIONS_FILE in sources:
        usual.add(
            kinds.FILE_UNUSED,
            (part.field,),
            f"{part.file} is there, but `{part.option}` does not name it",
            Word("", 1, 1),
            remedy=f"set `{part.option} /etc/opensm/{part.file}` in {OPTIONS_FILE}, or remove the file",
        )
    return source


def _read_part(part: Part, source: Source) -> Any:
    if part.field in _GUID_LISTS:
        return guid_lists.read_guids(source, _GUID_LISTS[part.field])
    readers = {
        "partitions": read_partitions,
        "qos_policy": read_policy,
        "node_names": guid_lists.read_name_map,
        "lids": guid_lists.read_lids,
        "nodes": read_netlist,
    }
    return readers[part.field](source)


def _device_name(sources: Mapping[str, Source], prefix: str) -> str:
    """Return the host that opensm.conf names, else the folder that the files are in."""
    source = sources.get(OPTIONS_FILE)
    return (source and host_name(source.text)) or prefix.rstrip("/").rpartition("/")[2] or DEFAULT_NAME


def _locate(findings: Findings) -> Locate:
    places = findings.places

    def locate(path: tuple[str, ...]) -> Any:
        return next((places[path[:end]] for end in range(len(path), 0, -1) if path[:end] in places), None)

    return locate


def recognises(name: str, first_text: str) -> bool:
    """Return whether a file is one of a Subnet Manager's: by its name, or by what ``opensm -c`` writes first."""
    base = name.rpartition("/")[2]
    return base in {OPTIONS_FILE, *(part.file for part in PARTS)} or "# DEVICE ATTRIBUTES OPTIONS" in first_text[:200]

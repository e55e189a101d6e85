"""Reads a switch's files as the device would, and says what is wrong in the files' own terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Diagnostic, Note, Report, Span
from fabricgen.core.files import FileSet
from fabricgen.core.memo import Memo
from fabricgen.core.model import natural_key
from fabricgen.device import DeviceModel
from fabricgen.platforms.base import ReadResult
from fabricgen.platforms.sonic.emit import CONFIG_DB, FRR_CONF
from fabricgen.platforms.sonic.kinds import BFD_OFF, NAMES_DIFFER, NO_NAME, UNUSED_FRR
from fabricgen.platforms.sonic.locate import File, Locator
from fabricgen.platforms.sonic.read_buffers import BUFFER_TABLES, read_buffers
from fabricgen.platforms.sonic.read_config import (
    Metadata,
    read_breakouts,
    read_interfaces,
    read_loopbacks,
    read_metadata,
)
from fabricgen.platforms.sonic.read_frr import FrrConf, read_frr_conf
from fabricgen.platforms.sonic.read_qos import QOS_TABLES, read_qos
from fabricgen.platforms.sonic.rows import Rows
from fabricgen.platforms.sonic.source import ConfigDb

#: The routing mode in which the device loads frr.conf as it is.
_ROUTING_MODE = "split-unified"


def recognises(name: str, first_text: str) -> bool:
    """Return whether a file is SONiC's, by its name and first characters."""
    base = name.rpartition("/")[2]
    if base.endswith(".json"):
        return base == CONFIG_DB or '"DEVICE_METADATA"' in first_text or '"PORT"' in first_text
    return base == FRR_CONF


def read(files: FileSet, prefix: str, catalog: Catalog, memo: Memo | None = None) -> ReadResult:
    """Return the device model of a switch's files.

    Args:
        files: ``config_db.json`` and ``frr.conf``, either may be missing. Other names are ignored, except that a single
            JSON file with tables of SONiC may have any name.
        prefix: put before file names in findings.
        catalog: tells how the switch of the device's SKU counts its cages.
        memo: keeps what other switches' files have too; one for each catalog.
    """
    report, memo = Report(), memo or Memo()
    config_name = _config_name(files)
    frr_file = File(f"{prefix}{FRR_CONF}", files[FRR_CONF]) if FRR_CONF in files else None
    frr = read_frr_conf(frr_file.text, frr_file.name, report) if frr_file else None
    if config_name is None:
        model = _routing_only(frr, f"{prefix}{FRR_CONF}", report)
        return ReadResult(model, tuple(report), Locator(None, frr_file))
    config = File(f"{prefix}{config_name}", files[config_name])
    source = ConfigDb(config.name, config.text, report, memo)
    model = _whole(Rows(source, memo), frr, f"{prefix}{FRR_CONF}", catalog, report)
    return ReadResult(model, tuple(report), Locator(config, frr_file))


def _config_name(files: FileSet) -> str | None:
    """Return the name of the file that holds CONFIG_DB, if there is one."""
    if CONFIG_DB in files:
        return CONFIG_DB
    others = [name for name, text in files.items() if name.endswith(".json") and recognises(name, text)]
    return others[0] if len(others) == 1 else None


def _routing_only(frr: FrrConf | None, frr_file: str, report: Report) -> DeviceModel | None:
    if frr is None or frr.hostname is None:
        report.add(_no_name(Span(frr_file, 1, 1) if frr else None))
        return None
    return DeviceModel(frr.hostname, "sonic", bgp=frr.bgp, unread=_unread(frr.unread))


def _whole(rows: Rows, frr: FrrConf | None, frr_file: str, catalog: Catalog, report: Report) -> DeviceModel | None:
    source = rows.source
    metadata = read_metadata(rows)
    identity = dict(metadata.identity)
    name = identity.pop("name", None) or (frr.hostname if frr else None)
    model = DeviceModel(
        name=name or "?",
        platform="sonic",
        **identity,
        interfaces=read_interfaces(rows, catalog, identity.get("sku")),
        loopbacks=read_loopbacks(rows),
        breakouts=rows.part(("BREAKOUT_CFG",), read_breakouts),
        qos=rows.part(QOS_TABLES, read_qos),
        buffers=rows.part(BUFFER_TABLES, read_buffers, metadata.buffer_model),
        bgp=frr.bgp if frr else None,
        unread=_unread({**rows.leftovers(), **(frr.unread if frr else {})}),
    )
    report.extend(rows.findings.diagnostics(model.name))
    if frr is not None:
        report.extend(_disagreements(source, metadata, frr, frr_file, model.name))
    if name is None:
        report.add(_no_name(Span(source.file, 1, 1)))
    return model if name else None


def _unread(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(
        sorted(((name, count) for name, count in counts.items() if count), key=lambda item: natural_key(item[0]))
    )


def _disagreements(
    source: ConfigDb, metadata: Metadata, frr: FrrConf, frr_file: str, name: str
) -> Iterator[Diagnostic]:
    """Yield what one of the two files says against the other."""
    path = f"devices[{name}].config_db[DEVICE_METADATA|localhost]"
    place = ("DEVICE_METADATA", "localhost")
    if metadata.routing_mode != _ROUTING_MODE:
        found = f"`{metadata.routing_mode}`" if metadata.routing_mode else "not set"
        yield UNUSED_FRR.at(
            f"{path}.docker_routing_config_mode",
            f"docker_routing_config_mode is {found}, so frr.conf is not loaded",
            span=source.span(*place, "docker_routing_config_mode"),
            related=[Note("the file that is not loaded", Span(frr_file, 1, 1))],
            remedy=f"set docker_routing_config_mode to `{_ROUTING_MODE}`",
        )
    if frr.bfd and not metadata.frr_managed:
        yield BFD_OFF.at(
            f"{path}.frr_mgmt_framework_config",
            "frr.conf asks for BFD, but frr_mgmt_framework_config is not `true`",
            span=source.span(*place, "frr_mgmt_framework_config"),
            remedy="set frr_mgmt_framework_config to `true`, or take BFD out of frr.conf",
        )
    if frr.hostname is not None and frr.hostname != name:
        yield NAMES_DIFFER.at(
            f"{path}.hostname",
            f"config_db.json is for `{name}`, frr.conf for `{frr.hostname}`",
            span=source.span(*place, "hostname"),
            related=[Note("the other name", Span(frr_file, frr.lines.get(("name",)), 1))],
            remedy="put each device's files together, or make the two names equal",
        )


def _no_name(span: Span | None) -> Diagnostic:
    return NO_NAME.at(
        "config_db[DEVICE_METADATA|localhost].hostname",
        "no file names its device",
        span=span,
        remedy="add `hostname` to DEVICE_METADATA|localhost",
    )

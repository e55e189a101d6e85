"""A catalog entry as a sheet: every figure in words, with the sources that it was read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabricgen.catalog.cables import CableEnd
from fabricgen.catalog.figures import UNKNOWN
from fabricgen.catalog.models import Affinity, Cable, CageGroup, Entry, Pipeline
from fabricgen.catalog.sonic import SonicCage, breakout_name
from fabricgen.core.model import Model

#: Fields that a sheet has in its head or below its table.
_APART = frozenset({"id", "vendor", "model", "source", "field_source", "notes"})


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of a sheet.

    Attributes:
        figure: its name; a dot leads into a field's own fields.
        value: in words.
        sources: keys of the sources that it was read from; none for what is not known.
    """

    figure: str
    value: str
    sources: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Return whether some source gives the figure."""
        return self.value != UNKNOWN


def sheet(entry: Entry) -> tuple[Line, ...]:
    """Return every figure that an entry gives, or that it says is unknown, in the order of the entry's model."""
    return tuple(
        Line(figure, value, () if value == UNKNOWN else _sources(entry, figure))
        for figure, value in _fields(entry, "")
        if figure not in _APART
    )


def _sources(entry: Entry, figure: str) -> tuple[str, ...]:
    """Return the sources of a figure: its own, else those of what it is a part of, else the entry's."""
    parts = figure.split(".")
    for length in range(len(parts), 0, -1):
        found = entry.field_source.get(".".join(parts[:length]))
        if found:
            return found
    return entry.source


def _fields(model: Model, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield what a model gives or says is unknown; what it leaves at its default has no source, so it is left out."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        given = name in model.model_fields_set and value is not None and value not in ((), {})
        if given or (value == UNKNOWN and not _beside_the_point(model, name)):
            yield from _lines(value, f"{prefix}{name}")


def _beside_the_point(model: Model, name: str) -> bool:
    """Return whether a figure has no meaning for a part: a transceiver's length, a cable's reach over splitters."""
    if not isinstance(model, Cable):
        return False
    return name == ("lengths_cm" if model.form == "transceiver" else "reach_split_m")


def _lines(value: object, figure: str) -> Iterator[tuple[str, str]]:
    """Yield a value as one line, or as one for each of its parts."""
    if isinstance(value, CableEnd):
        yield from ((f"{figure}.{name}", _text(getattr(value, name))) for name in type(value).model_fields)
    elif isinstance(value, Model):
        yield from _fields(value, f"{figure}.")
    elif isinstance(value, Mapping) and any(isinstance(inner, Model) for inner in value.values()):
        for key, inner in value.items():
            yield from _lines(inner, f"{figure}.{key}")
    elif isinstance(value, tuple):
        yield from ((figure, text) for text in _list(value))
    else:
        yield figure, _text(value)


def _list(values: tuple[object, ...]) -> Iterator[str]:
    first = values[0]
    if isinstance(first, CageGroup):
        yield from (_cages(group) for group in values if isinstance(group, CageGroup))
    elif isinstance(first, Affinity):
        yield from (_affinity(port) for port in values if isinstance(port, Affinity))
    elif isinstance(first, Pipeline):
        yield from _pipelines([pipeline for pipeline in values if isinstance(pipeline, Pipeline)])
    elif isinstance(first, SonicCage):
        last = values[-1]
        assert isinstance(last, SonicCage)
        yield f"{len(values)} cages, from {_sonic_cage(first)} to {_sonic_cage(last)}"
    else:
        yield ", ".join(map(_text, values))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_text(inner)}" for key, inner in value.items())
    if isinstance(value, tuple):
        return "/".join(map(_text, value))
    return str(value)


def _cages(group: CageGroup) -> str:
    last = group.numbers[-1]
    numbers = f"{group.first}-{last}" if last > group.first else str(last)
    lanes = f"{group.lanes} lane{'s' * (group.lanes > 1)}"
    parts = [f"{numbers}: {group.connector}, {lanes}, {breakout_name(group.ports, group.speed_gbps)}"]
    splits = [
        breakout_name(split.ports, split.speed_gbps)
        + (" (the next cage stays dark)" if split.disables_next_cage else "")
        for split in group.breakouts
    ]
    if splits:
        parts.append("splits " + ", ".join(splits))
    if not group.breakouts_known:
        parts.append("further splits unknown" if splits else "splits unknown")
    if group.optic_max_w != UNKNOWN:
        parts.append(f"optics up to {group.optic_max_w:g} W")
    if group.service:
        parts.append("service")
    return "; ".join(parts)


def _affinity(port: Affinity) -> str:
    words = [f"GPU {port.gpu}"] if port.gpu is not None else []
    words += [word for word in (port.label, port.pci, port.rdma, port.ifname) if word]
    return ", ".join(words)


def _pipelines(pipelines: list[Pipeline]) -> Iterator[str]:
    for (cages, ports), count in Counter((len(pipeline.cages), pipeline.max_ports) for pipeline in pipelines).items():
        yield f"{count} of {cages} cages with {ports} ports each"


def _sonic_cage(cage: SonicCage) -> str:
    first, last = cage.lanes[0], cage.lanes[-1]
    return f"Ethernet{cage.first_port} on " + (f"lanes {first}-{last}" if last > first else f"lane {first}")

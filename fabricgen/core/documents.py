"""YAML and JSON documents with the place of every value.

The loader composes nodes with ruamel.yaml and constructs the values itself, strictly by the YAML 1.2 core schema:
``on``, ``off``, ``yes`` and ``no`` are text, ``1:30`` is text, and what a person most likely did not mean (a number
with leading zeros, a key given twice) is a finding rather than a surprise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Kind, Note, Report, Severity, Span

if TYPE_CHECKING:
    from ruamel.yaml.nodes import MappingNode, Node, ScalarNode

Path = tuple[str | int, ...]

#: Most values that one document may expand to; aliases count each time they are used.
MAX_VALUES = 2_000_000

YAML_SYNTAX = Kind(
    "FG101",
    "yaml-syntax",
    Severity.ERROR,
    "the file is not YAML",
    "A file that cannot be parsed says nothing, so nothing is built from it.",
)
DUPLICATE_KEY = Kind(
    "FG102",
    "duplicate-key",
    Severity.ERROR,
    "a key is given twice in one mapping",
    "YAML 1.2 (3.2.1.3) requires unique keys; most parsers silently keep the last, so half of what was written is "
    "lost.",
)
AMBIGUOUS_SCALAR = Kind(
    "FG103",
    "ambiguous-scalar",
    Severity.ERROR,
    "a value that YAML reads differently from what it looks like",
    "A number with leading zeros is octal to YAML 1.1 and decimal to YAML 1.2; quote it to make it text, or drop the "
    "zeros.",
)
UNREADABLE = Kind(
    "FG104",
    "file-unreadable",
    Severity.ERROR,
    "a file is missing, empty, not text or too large",
    "Without its input a build would describe some other fabric.",
)

_INT = re.compile(r"[-+]?\d+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?")
_LEADING_ZERO = re.compile(r"[-+]?0\d+")
_NULLS = {"", "~", "null", "Null", "NULL"}
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


@dataclass(frozen=True)
class Document:
    """A loaded document.

    Attributes:
        file: its name, as findings print it.
        data: plain Python values.
        keys: path to the place of the key (of the value, for list items).
        values: path to the place of the value.
        raw: path to the text of each plain scalar, for findings about how YAML read it.
    """

    file: str
    data: object
    keys: Mapping[Path, Span]
    values: Mapping[Path, Span]
    raw: Mapping[Path, str]

    def span(self, path: Path, *, key: bool = False) -> Span:
        """Return the place of a value (or of its key), or of the nearest thing around it that exists."""
        table = self.keys if key else self.values
        for end in range(len(path), -1, -1):
            found = table.get(path[:end]) or self.values.get(path[:end])
            if found is not None:
                return found
        return Span(self.file, 1, 1)


class _Constructor:
    """Turns composed nodes into values and remembers their places."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report
        self.keys: dict[Path, Span] = {}
        self.values: dict[Path, Span] = {}
        self.raw: dict[Path, str] = {}
        self._open: set[int] = set()

    def place(self, node: Node) -> Span:
        return Span(self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def value(self, node: Node, path: Path) -> object:
        from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

        self.values[path] = self.place(node)
        if isinstance(node, ScalarNode):
            return self.scalar(node, path)
        if id(node) in self._open:
            self.refuse(node, path, "this alias contains itself")
            return None
        if len(self.values) > MAX_VALUES:
            self.refuse(node, path, f"the document expands to more than {MAX_VALUES} values")
            return None
        self._open.add(id(node))
        try:
            if isinstance(node, MappingNode):
                return self.mapping(node, path)
            if isinstance(node, SequenceNode):
                return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        finally:
            self._open.discard(id(node))
        return None

    def refuse(self, node: Node, path: Path, summary: str) -> None:
        if not self.report.has_errors:
            place = self.place(node)
            self.report.add(
                YAML_SYNTAX.at(format_path(path), summary, span=place, remedy="write the values out without aliases")
            )

    def mapping(self, node: MappingNode, path: Path) -> dict[str, object]:
        result: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = getattr(key_node, "value", None)
            if not isinstance(key, str):
                self.report.add(
                    YAML_SYNTAX.at(
                        format_path(path),
                        "a key must be a plain word",
                        span=self.place(key_node),
                        remedy="write one word before the colon",
                    )
                )
                continue
            here = (*path, key)
            if key in result:
                self.report.add(
                    DUPLICATE_KEY.at(
                        format_path(here),
                        f"`{key}` is given twice",
                        span=self.place(key_node),
                        related=[Note("first given here", self.keys[here])],
                        remedy="remove one of the two, or rename it",
                    )
                )
                continue
            self.keys[here] = self.place(key_node)
            result[key] = self.value(value_node, here)
        return result

    def scalar(self, node: ScalarNode, path: Path) -> object:
        text: str = node.value
        if node.style in ("'", '"', "|", ">"):
            return text
        self.raw[path] = text
        if _LEADING_ZERO.fullmatch(text):
            self.report.add(
                AMBIGUOUS_SCALAR.at(
                    format_path(path),
                    f"`{text}` has a leading zero",
                    span=self.values[path],
                    remedy=f'write `{int(text)}` for the number or `"{text}"` for the text',
                )
            )
        return read_scalar(text)


def read_scalar(text: str) -> object:
    """Return what a plain scalar is by the YAML 1.2 core schema: null, boolean, integer, number or text."""
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INT.fullmatch(text):
        return int(text) if len(text) < 400 else text
    if _HEX.fullmatch(text):
        return int(text, 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def parse_document(text: str, file: str, report: Report) -> Document:
    """Parse one YAML (or JSON) document.

    Args:
        text: the document.
        file: its name for findings.
        report: takes FG101 to FG104.

    Returns:
        The document; its ``data`` is None where the text has no value or cannot be parsed.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="safe", pure=True)
    constructor = _Constructor(file, report)
    data: object = None
    try:
        node = yaml.compose(text)
        if node is None:
            report.add(
                UNREADABLE.at(
                    "", "the file holds no values", span=Span(file, 1, 1), remedy="start from `fabricgen init`"
                )
            )
        else:
            data = constructor.value(node, ())
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        span = Span(file, mark.line + 1, mark.column + 1) if mark else Span(file)
        problem = " ".join(part for part in (error.context, error.problem) if part)
        report.add(YAML_SYNTAX.at("", problem, span=span, remedy=_syntax_remedy(text, span, problem)))
    except (YAMLError, RecursionError, ValueError) as error:
        message = "it is nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        report.add(YAML_SYNTAX.at("", message, span=Span(file, 1, 1), remedy="write plain, text-only YAML"))
    return Document(file, data, constructor.keys, constructor.values, constructor.raw)


def _syntax_remedy(text: str, span: Span, problem: str) -> str:
    lines = text.splitlines()
    line = lines[span.line - 1] if span.line and span.line <= len(lines) else ""
    if "\t" in line or "'\\t'" in problem:
        return "indent with spaces: YAML does not allow tabs there"
    if "could not find expected ':'" in problem:
        return "add the colon and a space after the key, or indent the continued value"
    return "mend the YAML at this place; indentation and a missing colon, quote or bracket are the usual causes"


def format_path(path: Path) -> str:
    """Print a path by names: ``fabrics.compute.leaf.model``, ``endpoints[0].servers``."""
    out = ""
    for part in path:
        if isinstance(part, int):
            out += f"[{part}]"
        else:
            out += f".{part}" if out else part
    return out

"""Turns what Pydantic says about a document into findings with places, nearest names and remedies."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from fabricgen.core.diagnostics import Diagnostic, Kind, Report, Severity, did_you_mean
from fabricgen.core.documents import Document, Path, format_path

UNKNOWN_KEY = Kind(
    "FG105",
    "unknown-key",
    Severity.ERROR,
    "a key that does not exist",
    "A misspelt key would otherwise be ignored and its default used, which nobody notices until the fabric is up.",
)
MISSING_KEY = Kind(
    "FG106",
    "missing-key",
    Severity.ERROR,
    "a key that must be given is missing",
    "There is no value that would be right for everyone.",
)
WRONG_VALUE = Kind(
    "FG107",
    "wrong-value",
    Severity.ERROR,
    "a value of the wrong type or out of range",
    "The value cannot mean anything in its place.",
)

M = TypeVar("M", bound=BaseModel)


def validate(model: type[M], document: Document, report: Report) -> M | None:
    """Validate a document against a model.

    Args:
        model: the Pydantic model.
        document: what was loaded.
        report: takes FG105 to FG107, one finding for every error.

    Returns:
        The model, or None if anything was wrong.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            report.add(_diagnostic(model, document, details))
        return None


def _diagnostic(model: type[BaseModel], document: Document, details: ErrorDetails) -> Diagnostic:
    path = _document_path(document, details["loc"])
    kind = details["type"]
    if kind == "extra_forbidden":
        key = str(path[-1])
        known = _known_keys(model, path[:-1])
        return UNKNOWN_KEY.at(
            format_path(path),
            f"`{key}` is not a key here",
            span=document.span(path, key=True),
            remedy=did_you_mean(key, known) if known else "remove it",
        )
    if kind == "missing":
        key = str(path[-1])
        return MISSING_KEY.at(
            format_path(path),
            f"`{key}` is missing",
            span=document.span(path[:-1], key=True),
            remedy=f"add `{key}:` below this line",
        )
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _wrong_tag(document, path, details)
    message, remedy = _message(details)
    found = _found(document, path, details["input"])
    said = found.strip("`'\"") in message
    return WRONG_VALUE.at(
        format_path(path),
        message if said else f"{message} (found {found})",
        span=document.span(path),
        remedy=remedy,
    )


def _wrong_tag(document: Document, path: Path, details: ErrorDetails) -> Diagnostic:
    """Explain a key that decides which other keys there are (``type``) and is missing or unknown."""
    context = details.get("ctx", {})
    key = str(context["discriminator"]).strip("'")
    here = (*path, key)
    if details["type"] == "union_tag_not_found":
        return MISSING_KEY.at(
            format_path(here),
            f"`{key}` is missing",
            span=document.span(path, key=True),
            remedy=f"add `{key}:` below this line; it decides which other keys there are",
        )
    expected = [word.strip(" '") for word in str(context["expected_tags"]).split(",")]
    found = str(context["tag"])
    return WRONG_VALUE.at(
        format_path(here), f"`{found}` is no {key}", span=document.span(here), remedy=did_you_mean(found, expected)
    )


def _message(details: ErrorDetails) -> tuple[str, str]:
    """Return what is wrong and how to mend it; our own validators say both, with a colon between."""
    message = details["msg"].removeprefix("Value error, ")
    problem, _, remedy = message.partition(": ")
    return problem, remedy or _remedy(details)


def _found(document: Document, path: Path, value: object) -> str:
    raw = document.raw.get(path)
    if raw is not None:
        return f"`{raw}`" if raw else "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _remedy(details: ErrorDetails) -> str:
    context = details.get("ctx", {})
    if "expected" in context:
        return f"write {context['expected']}"
    bounds = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    limits = [f"{word} {context[key]}" for key, word in bounds.items() if key in context]
    if limits:
        return "write a number that is " + " and ".join(limits)
    words = {
        "string": "write text, in quotes if it looks like a number",
        "int": "write a whole number",
        "bool": "write `true` or `false`",
        "dict": "write a mapping, `key: value` lines indented below",
        "model": "write a mapping, `key: value` lines indented below",
        "tuple": "write a list, `- item` lines or `[a, b]`",
        "list": "write a list, `- item` lines or `[a, b]`",
    }
    return next((remedy for word, remedy in words.items() if details["type"].startswith(word)), "correct the value")


def _document_path(document: Document, loc: tuple[int | str, ...]) -> Path:
    """Drop the parts of a Pydantic location that name a union's member or a mapping's key, not a place."""
    path: Path = ()
    node: object = document.data
    for position, part in enumerate(loc):
        last = position == len(loc) - 1
        if part == "[key]":
            break
        if isinstance(node, dict):
            if part in node:
                node = node[part]
                path = (*path, part)
            elif last:
                path = (*path, part)
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            node = node[part]
            path = (*path, part)
    return path


def _known_keys(model: type[BaseModel], path: Path) -> list[str]:
    """Return the keys that the model allows at a place."""
    candidates: list[Any] = [model]
    for part in path:
        candidates = [step for annotation in candidates for step in _step(annotation, part)]
    return sorted(
        {
            field.alias or name
            for annotation in candidates
            for member in _members(annotation)
            if isinstance(member, type) and issubclass(member, BaseModel)
            for name, field in member.model_fields.items()
        }
    )


def _step(annotation: Any, part: str | int) -> list[Any]:
    found: list[Any] = []
    for member in _members(annotation):
        if isinstance(member, type) and issubclass(member, BaseModel):
            for name, field in member.model_fields.items():
                if part in (name, field.alias):
                    found.append(field.annotation)
        else:
            arguments = [argument for argument in typing.get_args(member) if argument is not Ellipsis]
            if arguments:
                found.append(arguments[-1])
    return found


def _members(annotation: Any) -> list[Any]:
    """Return the members of a union, without its wrappers."""
    if typing.get_origin(annotation) is typing.Annotated:
        return _members(typing.get_args(annotation)[0])
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return [inner for member in typing.get_args(annotation) for inner in _members(member)]
    return [annotation]

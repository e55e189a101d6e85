"""Templates lay out, they do not decide: loops, ``if`` on a value, filters and printing are all that they may hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jinja2 import nodes

from fabricgen.core.resources import resource_directory
from fabricgen.platforms.templating import environment

TEMPLATES = resource_directory("templates")
FILES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2"))

#: Whole of what a template may be made of.
ALLOWED = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.For,
    nodes.If,
    nodes.Name,
    nodes.Getattr,
    nodes.Filter,
    nodes.Const,
)
#: A condition is a value, or that there is none.
CONDITIONS = (nodes.Name, nodes.Getattr, nodes.Not)


def objections(source: str) -> Iterator[str]:
    """Yield what a template holds that it must not."""
    tree = environment().parse(source)
    for node in _walk(tree):
        name = type(node).__name__
        if isinstance(node, nodes.If):
            if not isinstance(node.test, CONDITIONS):
                yield f"line {node.lineno}: the condition is a {type(node.test).__name__}, not a value"
        elif isinstance(node, nodes.For) and (node.test is not None or node.recursive):
            yield f"line {node.lineno}: a loop with a condition"
        elif not isinstance(node, (*ALLOWED, nodes.Not)):
            yield f"line {node.lineno}: {name}"


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)


def test_there_are_templates() -> None:
    assert "sonic/frr.conf.j2" in FILES


def test_all_files_are_templates() -> None:
    assert [path.name for path in TEMPLATES.rglob("*") if path.is_file() and path.suffix != ".j2"] == []


@pytest.mark.parametrize("file", FILES)
def test_template_only_lays_out(file: str) -> None:
    assert list(objections((TEMPLATES / file).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "{% set x = 1 %}",
        "{{ a + 1 }}",
        "{{ a ~ b }}",
        "{{ f(a) }}",
        "{{ a[0] }}",
        "{{ a.b() }}",
        "{% if a == 1 %}x{% endif %}",
        "{% if a and b %}x{% endif %}",
        "{% if a is defined %}x{% endif %}",
        "{% for a in b if a %}x{% endfor %}",
        "{% macro m() %}x{% endmacro %}",
        "{% include 'x' %}",
        "{% import 'x' as y %}",
        "{% extends 'x' %}",
        "{{ [1, 2] }}",
        "{{ 'a' if b else 'c' }}",
        "{% filter upper %}x{% endfilter %}",
    ],
)
def test_the_lint_refuses(source: str) -> None:
    assert list(objections(source))


@pytest.mark.parametrize(
    "source",
    [
        "text",
        "{{ a.b | join(', ') }}",
        "{% for a in b.c %}{{ a }}{% else %}none{% endfor %}",
        "{% if a.b %}x{% else %}y{% endif %}",
        "{% if not a %}x{% endif %}",
        "{# remark #}",
    ],
)
def test_the_lint_allows(source: str) -> None:
    assert list(objections(source)) == []

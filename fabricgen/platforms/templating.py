"""Jinja2 for line-oriented configuration languages: layout only, every decision is made before.

Templates live below ``templates/``, one folder per platform. An undefined name is an error, never an empty string.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fabricgen.core.resources import resource_directory

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """Return the one environment that all templates are rendered in.

    Raises:
        FileNotFoundError: the installation has no templates.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(resource_directory("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render(template: str, **values: object) -> str:
    """Return a template's text.

    Args:
        template: its path below ``templates/``: ``sonic/frr.conf.j2``.
        values: what it prints.

    Raises:
        jinja2.UndefinedError: the template names something that was not given.
    """
    return environment().get_template(template).render(values)

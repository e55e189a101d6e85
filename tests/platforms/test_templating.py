from __future__ import annotations

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from fabricgen.platforms.templating import environment, render


def test_a_missing_value_is_an_error_not_an_empty_string() -> None:
    with pytest.raises(UndefinedError, match="version"):
        render("sonic/frr.conf.j2")


def test_a_missing_template_is_an_error() -> None:
    with pytest.raises(TemplateNotFound):
        render("sonic/none.j2")


def test_lines_of_blocks_leave_no_empty_lines() -> None:
    source = "{% for line in lines %}\n {{ line }}\n{% endfor %}\n!\n"
    assert environment().from_string(source).render(lines=["a", "b"]) == " a\n b\n!\n"


def test_nothing_is_escaped() -> None:
    assert environment().from_string("{{ text }}").render(text="<&>") == "<&>"

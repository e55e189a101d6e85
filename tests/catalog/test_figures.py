"""Ids that are safe everywhere, and figures that may be unknown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from fabricgen.catalog.figures import Figure, Number, check_id

FIGURE: TypeAdapter[Any] = TypeAdapter(Figure)
NUMBER: TypeAdapter[Any] = TypeAdapter(Number)


@given(st.text(alphabet=st.sampled_from("aZ09.-_/\\ \n\0ä"), max_size=70))
def test_an_id_is_safe_or_refused(word: str) -> None:
    safe = (
        0 < len(word) <= 64
        and set(word) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
        and word[0] not in "-."
        and word[-1] not in "-."
    )
    if safe:
        assert check_id(word) == word
    else:
        with pytest.raises(ValueError, match="is not a usable id"):
            check_id(word)


@pytest.mark.parametrize("word", ["..", "../x", "a/b", "a\\b", "A", "a b", "a\n", "a" * 65])
def test_unsafe_ids_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match="is not a usable id"):
        check_id(word)


@pytest.mark.parametrize("value", [-1, 1.5, True, "many", "Unknown", None])
def test_a_figure_is_a_whole_number_or_unknown(value: object) -> None:
    with pytest.raises(ValidationError, match="not a figure: write a whole number from 0 up, or `unknown`"):
        FIGURE.validate_python(value)


@pytest.mark.parametrize("value", [-0.1, False, "many", None])
def test_a_number_may_have_a_fraction(value: object) -> None:
    with pytest.raises(ValidationError, match="not a figure: write a number from 0 up, or `unknown`"):
        NUMBER.validate_python(value)
    assert NUMBER.validate_python(0.1) == 0.1


@pytest.mark.parametrize("adapter", [FIGURE, NUMBER])
def test_unknown_is_kept_as_a_word(adapter: TypeAdapter[Any]) -> None:
    assert adapter.validate_python("unknown") == "unknown"
    assert adapter.validate_python(0) == 0

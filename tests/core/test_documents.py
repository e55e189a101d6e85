from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.core.diagnostics import Report
from fabricgen.core.documents import Document, parse_document


def load(text: str) -> tuple[Document, list[tuple[str, str, int | None, int | None]]]:
    report = Report()
    document = parse_document(text, "f.yaml", report)
    found = [(d.code, d.summary, d.span.line if d.span else None, d.span.column if d.span else None) for d in report]
    return document, found


def test_every_value_and_key_has_its_place() -> None:
    document, found = load("a:\n  b: [1, {c: x}]\n")
    assert found == []
    assert document.data == {"a": {"b": [1, {"c": "x"}]}}
    assert str(document.span(("a", "b", 1, "c"))) == "f.yaml:2:14"
    assert str(document.span(("a", "b", 1, "c"), key=True)) == "f.yaml:2:11"
    assert str(document.span(("a", "b", 7))) == "f.yaml:2:6", "an unknown place falls back on what is around it"


@pytest.mark.parametrize("word", ["on", "off", "yes", "no", "1:30", "65000:10", "0o17", "1_000", "2026-12-01"])
def test_words_that_yaml_1_1_would_turn_into_something_else_stay_text(word: str) -> None:
    assert load(f"a: {word}\n")[0].data == {"a": word}


@pytest.mark.parametrize(
    ("word", "value"), [("true", True), ("null", None), ("~", None), ("12", 12), ("0x1F", 31), ("-3", -3), ("1.5", 1.5)]
)
def test_the_core_schema(word: str, value: object) -> None:
    assert load(f"a: {word}\n")[0].data == {"a": value}


def test_quoted_words_are_text() -> None:
    assert load("a: '12'\nb: \"true\"\n")[0].data == {"a": "12", "b": "true"}


def test_a_key_given_twice() -> None:
    document, found = load("a: 1\nb: 2\na: 3\n")
    assert found == [("FG102", "`a` is given twice", 3, 1)]
    assert document.data == {"a": 1, "b": 2}


def test_leading_zeros() -> None:
    assert load("a: 010\n")[1] == [("FG103", "`010` has a leading zero", 1, 4)]


def test_a_tab_gets_its_own_remedy() -> None:
    report = Report()
    parse_document("a:\n\tb: 1\n", "f.yaml", report)
    (found,) = report
    assert found.code == "FG101"
    assert found.span is not None
    assert found.span.line == 2
    assert "spaces" in found.remedy


def test_aliases_cannot_explode() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    codes = [code for code, *_ in load(bomb)[1]]
    assert codes == ["FG101"]


def test_an_alias_of_itself() -> None:
    assert [code for code, *_ in load("a: &a [*a]\n")[1]] == ["FG101"]


def test_depth_is_no_crash() -> None:
    assert [code for code, *_ in load("[" * 20_000)[1]] == ["FG101"]


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    document, found = load(text)
    assert isinstance(document, Document)
    for code, *_ in found:
        assert code.startswith("FG10")

from __future__ import annotations

import pytest

from fabricgen.core.model import check_name, naturally_sorted


@pytest.mark.parametrize("name", ["leaf-01", "a", "A1", "x" * 63])
def test_good_names(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", "-a", "a-", "../x", "a/b", "a b", "a\nb", 'a"b', "a'b", "a;b", "x" * 64, "é", "a.b", "a_b", "a\0", "a\n"],
)
def test_names_that_could_escape_a_path_or_a_line(name: str) -> None:
    with pytest.raises(ValueError, match="not a usable name"):
        check_name(name)


def test_natural_order() -> None:
    assert naturally_sorted(["Ethernet10", "Ethernet9", "Ethernet100", "a", "Ethernet9/2"]) == [
        "Ethernet9", "Ethernet9/2", "Ethernet10", "Ethernet100", "a",
    ]  # fmt: skip

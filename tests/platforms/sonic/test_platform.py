from __future__ import annotations

import pytest

from fabricgen.platforms import Feature, platforms
from fabricgen.platforms.sonic import PLATFORM


def test_it_is_collected() -> None:
    assert platforms()["sonic"] is PLATFORM


def test_every_feature_has_an_answer() -> None:
    assert set(PLATFORM.supports) == set(Feature)
    assert all(answer is True or len(answer) > 20 for answer in PLATFORM.supports.values())


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("config_db.json", "{}", True),
        ("leaf-01/config_db.json", "", True),
        ("frr.conf", "", True),
        ("leaf-01.json", '{"DEVICE_METADATA": {', True),
        ("topology.json", '{"nodes": [', False),
        ("opensm.conf", "", False),
    ],
)
def test_recognises(name: str, text: str, expected: bool) -> None:
    assert PLATFORM.recognises(name, text) is expected

"""What the sample inventories become: one device of each role in full, digests of the rest.

``make golden`` writes the expected files anew. A change of them is a claim: the commit says why the output changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.core.files import texts
from tests.conftest import ROOT

HERE = Path(__file__).parent
#: Scenario -> inventory, and the devices whose files are kept in full.
SCENARIOS = {
    "tiny": (ROOT / "inventories" / "tiny", ("leaf-01", "spine-01")),
    "tiny-ib": (HERE / "tiny-ib", ("subnet-manager",)),
    "roce-h200-32": (ROOT / "inventories" / "roce-h200-32", ()),
    "ib-dgx-h100-1su": (ROOT / "inventories" / "ib-dgx-h100-1su", ()),
    "pcie-as4125gs-8": (ROOT / "inventories" / "pcie-as4125gs-8", ("st-leaf-01",)),
}
#: Kept in full wherever any device is: the tables that people read.
TABLES = ("cabling.csv", "addresses.csv", "bom.csv")


def kept(path: str, devices: tuple[str, ...]) -> bool:
    return bool(devices) and (Path(path).name in TABLES or not set(devices).isdisjoint(Path(path).parts))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_output_is_as_expected(scenario: str, update_golden: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    inventory, devices = SCENARIOS[scenario]
    monkeypatch.chdir(inventory.parent)
    files = texts(api.build(api.load(Path(inventory.name))).files)
    del files["manifest.json"]  # the version, and the digests below once more
    del files["diagnostics.json"]  # the codes of all rules that ran: a new rule is no change of the output
    full = {path: text for path, text in files.items() if kept(path, devices)}
    rest = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items() if path not in full}
    folder = HERE / scenario / "expected"
    if update_golden:
        _write(folder, full, rest)
        return
    expected = {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "digests.json"
    }
    assert sorted(full) == sorted(expected)
    for path, text in full.items():
        assert text.splitlines() == expected[path].splitlines(), path
    assert rest == json.loads((folder / "digests.json").read_text(encoding="utf-8"))


def _write(folder: Path, full: dict[str, str], rest: dict[str, str]) -> None:
    for old in sorted(folder.rglob("*"), reverse=True):
        old.unlink() if old.is_file() else old.rmdir()
    for path, text in full.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "digests.json").write_text(json.dumps(dict(sorted(rest.items())), indent=1) + "\n", encoding="utf-8")

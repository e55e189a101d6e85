from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen.core.diagnostics import FabricgenError, Report
from fabricgen.inventory import load_inventory
from fabricgen.inventory.loader import read_guids
from tests.clusters import load_text, roce


def refused(location: Path) -> list[str]:
    with pytest.raises(FabricgenError) as caught:
        load_inventory(location, Report())
    return [f"{found.code} {found.span} {found.summary}" for found in caught.value.diagnostics]


def test_a_directory_and_its_file_are_the_same(tmp_path: Path) -> None:
    by_file = load_text(tmp_path, roce())
    by_directory = load_inventory(tmp_path, Report())
    assert by_file.inventory == by_directory.inventory
    assert list(by_file.digests) == ["fabric.yaml"]


def test_everything_knows_its_line(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, roce())
    origin = loaded.origin("servers", "gpu", "count")
    assert str(origin) == f"{tmp_path}/fabric.yaml:5:12 (servers.gpu.count)"
    assert loaded.origin("servers", "gpu", "count") is origin, "origins are shared"


def test_a_missing_file_offers_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("a: 1\n")
    (found,) = refused(tmp_path / "fabrics.yaml")
    assert found == f"FG104 {tmp_path}/fabrics.yaml no such file; there is {tmp_path}/other.yaml"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "the file is empty"),
        (b"  \n# nothing\n", "the file holds no values"),
        (b"\xff\xfe\x00", "not UTF-8 text: byte 0 is 0xff"),
        (b"[]\n", "Input should be"),
        (b"just text\n", "Input should be"),
        (b"a: 1\n---\nb: 2\n", "expected a single document"),
    ],
)
def test_files_that_say_nothing(tmp_path: Path, content: bytes, expected: str) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_bytes(content)
    assert expected in refused(file)[0]


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "fabric.yaml"
    with file.open("wb") as stream:
        stream.truncate(200 << 20)
    assert refused(file) == [f"FG104 {file} the file is larger than 32 MiB"]


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_text("\ufeff" + roce(), encoding="utf-8")
    assert load_inventory(file, Report()).inventory.name == "test"


def test_all_errors_of_a_file_come_at_once(tmp_path: Path) -> None:
    text = roce().replace("count: 4", "count: -1").replace("design:", "desing:").replace("3m", "3 feet")
    (tmp_path / "fabric.yaml").write_text(text)
    codes = [found.split()[0] for found in refused(tmp_path)]
    assert codes == ["FG107", "FG106", "FG105", "FG107"]


def test_dotted_as_numbers(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, roce(extra='asn: {spine: "65000.10", leaf_first: "65000.100"}'))
    fabric = loaded.inventory.fabrics["compute"]
    assert fabric.type == "rocev2"
    assert (fabric.asn.spine, fabric.asn.leaf_first) == (65000 * 65536 + 10, 65000 * 65536 + 100)


def test_ratios_are_no_base_sixty_numbers(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, roce(extra="oversubscription: 3:2"))
    assert loaded.inventory.fabrics["compute"].oversubscription == (3, 2)


def test_guids() -> None:
    report = Report()
    text = "device,port,guid\n# comment\nleaf-01,,0xfc6a1c0300a1b2c0\ndgx-01,2,0x946dae0300c4d2e8\n\n"
    assert read_guids(text, "guids.csv", report) == {
        ("leaf-01", 0): 0xFC6A1C0300A1B2C0,
        ("dgx-01", 2): 0x946DAE0300C4D2E8,
    }
    assert not list(report)


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("leaf-01,0", "'leaf-01,0' is not `device,port,guid`"),
        ("leaf-01,first,0x1", "'leaf-01,first,0x1' is not `device,port,guid`"),
        ("leaf-01,0,fc6a1c0300a1b2c0", "'fc6a1c0300a1b2c0' is not a GUID"),
        ("leaf-01,0,0x0", "a GUID is never zero"),
        ("leaf-02,0,0xabc", "0xabc or leaf-02 port 0 is given twice"),
        ("leaf-00,0,0xabd", "0xabd or leaf-00 port 0 is given twice"),
    ],
)
def test_wrong_guid_lines(line: str, summary: str) -> None:
    report = Report()
    read_guids(f"leaf-00,0,0xabc\n{line}\n", "guids.csv", report)
    (found,) = report
    assert found.summary.startswith(summary)
    assert str(found.span) == "guids.csv:2:1"
    assert found.code == "FG138"

"""Reading catalog files: on demand, with overrides, and with every mistake at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen.catalog import CatalogError, load_catalog
from tests.catalog.directories import ADAPTER, ASIC, SERVER, SWITCH, errors, expected, text, write

TWO_CAGES = SWITCH.format(id="two-cages")


def test_a_directory_adds_entries_to_ours(tmp_path: Path) -> None:
    write(
        tmp_path,
        switches__two_cages=TWO_CAGES,
        asics__chip=ASIC.format(id="chip"),
        adapters__two_ports=ADAPTER.format(id="two-ports"),
        servers__two_gpus=SERVER.format(id="two-gpus"),
    )
    catalog = load_catalog(tmp_path)
    assert catalog.switches["two-cages"].vendor == "Example"
    assert catalog.asics["chip"].cell_bytes == 254
    assert catalog.adapters["two-ports"].ports.count == 2
    assert catalog.servers["two-gpus"].gpus == 2
    assert set(load_catalog().switches) == set(catalog.switches) - {"two-cages"}
    assert catalog.sources["datasheet"].title == "Data sheet"
    assert "sonic" in catalog.sources


def test_a_later_directory_overrides_an_earlier_one_and_ours(tmp_path: Path) -> None:
    sn5600 = SWITCH.format(id="sn5600")
    first = write(tmp_path / "first", switches__sn5600=sn5600.replace("rack_units: 1", "rack_units: 7"))
    second = write(tmp_path / "second", switches__sn5600=sn5600.replace("rack_units: 1", "rack_units: 9"))
    assert load_catalog().switches["sn5600"].rack_units == 2
    assert load_catalog(first).switches["sn5600"].rack_units == 7
    assert load_catalog(first, second).switches["sn5600"].rack_units == 9
    assert load_catalog(second, first).switches["sn5600"].rack_units == 7
    assert len(load_catalog(first).switches) == len(load_catalog().switches)


def test_an_entry_may_name_our_sources(tmp_path: Path) -> None:
    write(tmp_path, asics__chip=ASIC.format(id="chip").replace("[datasheet]", "[sonic]"))
    assert load_catalog(tmp_path).asics["chip"].source == ("sonic",)


def test_a_directory_may_redefine_a_source(tmp_path: Path) -> None:
    write(tmp_path, sources="sonic: {title: Our branch, ref: https://example.com/sonic}\n")
    assert load_catalog(tmp_path).sources["sonic"].title == "Our branch"


def test_a_broken_file_matters_only_to_who_asks_for_it(tmp_path: Path) -> None:
    write(tmp_path, switches__broken="id: [", asics__chip=ASIC.format(id="chip"))
    catalog = load_catalog(tmp_path)
    assert "broken" in catalog.switches
    assert catalog.asics["chip"].id == "chip"
    with pytest.raises(CatalogError):
        catalog.switches["broken"]


def test_an_unknown_id_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load_catalog().switches["../asics/spectrum-4"]


def test_hidden_files_are_no_entries(tmp_path: Path) -> None:
    write(tmp_path, asics__chip=ASIC.format(id="chip"))
    (tmp_path / "asics/.chip2.yaml").write_text("an editor's backup")
    assert ".chip2" not in load_catalog(tmp_path).asics


def test_a_missing_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CatalogError) as raised:
        load_catalog(tmp_path / "gone")
    assert text(tmp_path, raised.value.diagnostics) == expected("""
        gone: FG104 : there is no such directory
            correct the path of the catalog directory
    """)


def test_our_files_are_named_without_the_place_of_the_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("fabricgen.catalog.loader.DATA", write(tmp_path, asics__chip=ASIC.format(id="other")))
    with pytest.raises(CatalogError) as raised:
        load_catalog().asics["chip"]
    assert str(raised.value.diagnostics[0].span) == "catalog/asics/chip.yaml:1:5"


MISTAKES = {
    "a misspelt key": (
        TWO_CAGES.replace("rack_units", "rack_unit"),
        """
        switches/two-cages.yaml:1:1: FG106 rack_units: `rack_units` is missing
            add `rack_units:` below this line
        switches/two-cages.yaml:6:1: FG105 rack_unit: `rack_unit` is not a key here
            did you mean `rack_units`?
        """,
    ),
    "a figure that is a guess": (
        TWO_CAGES.replace("power_max_w: unknown", "power_max_w: about 1500"),
        """
        switches/two-cages.yaml:12:14: FG107 power_max_w: not a figure (found `about 1500`)
            write a whole number from 0 up, or `unknown`
        """,
    ),
    "a key that is given twice": (
        TWO_CAGES.replace("rack_units: 1", "rack_units: 1\nrack_units: 2"),
        """
        switches/two-cages.yaml:7:1: FG102 rack_units: `rack_units` is given twice
            remove one of the two, or rename it
        """,
    ),
    "sources that do not exist": (
        TWO_CAGES.replace("[datasheet]", "[datasheet, hearsay]") + "field_source: {rack_units: [hearsay]}\n",
        """
        switches/two-cages.yaml:27:21: FG110 source[1]: source `hearsay` does not exist
            add it to sources.yaml with its title and where to find it
        switches/two-cages.yaml:28:29: FG110 field_source.rack_units[0]: source `hearsay` does not exist
            add it to sources.yaml with its title and where to find it
        """,
    ),
    "an id of another file": (
        SWITCH.format(id="three-cages"),
        """
        switches/two-cages.yaml:1:5: FG111 id: id `three-cages` in a file named `two-cages.yaml`
            name the file `three-cages.yaml` or write `id: two-cages`
        """,
    ),
    "an unsafe id": (
        SWITCH.format(id="../two-cages"),
        """
        switches/two-cages.yaml:1:5: FG107 id: '../two-cages' is not a usable id
            use lower-case letters, digits, hyphens and dots, a letter or digit at both ends, 64 characters at most
        """,
    ),
    "an entry of another kind": (
        ASIC.format(id="two-cages"),
        """
        switches/two-cages.yaml:1:1: FG113 : this is an entry for `asics`, in the folder `switches`
            move the file to `asics/two-cages.yaml`
        """,
    ),
    "lanes that are not a run": (
        TWO_CAGES.replace("Ethernet0 9-16", "Ethernet0 9,10,11"),
        """
        switches/two-cages.yaml:24:7: FG107 sonic.ports[0]: 'Ethernet0 9,10,11' is not a SONiC cage
            write the parent port and its lanes as `Ethernet16 9-16`
        """,
    ),
    "lanes that fall": (
        TWO_CAGES.replace("Ethernet0 9-16", "Ethernet0 16-9"),
        """
        switches/two-cages.yaml:24:7: FG107 sonic.ports[0]: the lanes of 'Ethernet0 16-9' do not rise
            write the lower lane first
        """,
    ),
    "a front-panel name without its parts": (
        TWO_CAGES.replace("etp{cage}{leg}", "etp{cage}{lane}"),
        """
        switches/two-cages.yaml:21:10: FG107 sonic.alias: a front-panel name needs `{cage}`, `{leg}` once, and no
          other braces (found 'etp{cage}{lane}')
            correct the value
        """,
    ),
    "several at once": (
        TWO_CAGES.replace("lanes: 8", "lanes: eight")
        .replace("nos: [sonic]", "nos: []")
        .replace("traditional", "static"),
        """
        switches/two-cages.yaml:8:50: FG107 cages[0].lanes: Input should be a valid integer, unable to parse string as
          an integer (found `eight`)
            write a whole number
        switches/two-cages.yaml:14:6: FG107 nos: Tuple should have at least 1 item after validation, not 0 (found a
          list)
            correct the value
        switches/two-cages.yaml:19:17: FG107 sonic.buffer_model: Input should be 'dynamic' or 'traditional' (found
          `static`)
            write 'dynamic' or 'traditional'
        """,
    ),
    "an empty file": (
        "",
        """
        switches/two-cages.yaml:1:1: FG104 : the file holds no values
            start from `fabricgen init`
        """,
    ),
    "a list": (
        "- id: two-cages\n",
        """
        switches/two-cages.yaml:1:1: FG107 : Input should be a valid dictionary or instance of Switch (found a list)
            write a mapping, `key: value` lines indented below
        """,
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake_has_its_place_and_remedy(name: str, tmp_path: Path) -> None:
    entry, findings = MISTAKES[name]
    write(tmp_path, switches__two_cages=entry)
    assert errors(tmp_path, "switches", "two-cages") == expected(findings)


HEADROOMS = {
    "unknown method": (
        "headroom: {method: guess}\n",
        """
        asics/chip.yaml:8:11: FG107 headroom: not a headroom (found a mapping)
            write `method: spectrum` or `method: cells`, or `unknown`
        """,
    ),
    "missing constant": (
        "headroom: {method: cells, fixed_wire_bytes: {400: 1}, wire_bytes_per_cell: 84, xon_offset_bytes: 1}\n",
        """
        asics/chip.yaml:8:1: FG106 headroom.reserved_bytes: `reserved_bytes` is missing
            add `reserved_bytes:` below this line
        """,
    ),
    "a number": (
        "headroom: 100000\n",
        """
        asics/chip.yaml:8:11: FG107 headroom: not a headroom (found `100000`)
            write `method: spectrum` or `method: cells`, or `unknown`
        """,
    ),
}


@pytest.mark.parametrize("name", HEADROOMS)
def test_a_wrong_headroom_is_one_finding(name: str, tmp_path: Path) -> None:
    headroom, findings = HEADROOMS[name]
    write(tmp_path, asics__chip=ASIC.format(id="chip") + headroom)
    assert errors(tmp_path, "asics", "chip") == expected(findings)


def test_a_file_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "asics").mkdir()
    (tmp_path / "asics/chip.yaml").write_bytes(b"\xff\xfe")
    (tmp_path / "asics/folder.yaml").mkdir()
    assert errors(tmp_path, "asics", "chip") == expected("""
        asics/chip.yaml: FG104 : cannot be read: it is not UTF-8 text
            make it a readable text file
    """)
    assert errors(tmp_path, "asics", "folder") == expected("""
        asics/folder.yaml: FG104 : cannot be read: Is a directory
            make it a readable text file
    """)


def test_wrong_sources_stop_the_catalog(tmp_path: Path) -> None:
    write(tmp_path, sources="datasheet: {title: Data sheet}\n")
    with pytest.raises(CatalogError) as raised:
        load_catalog(tmp_path)
    assert text(tmp_path, raised.value.diagnostics) == expected("""
        sources.yaml:1:1: FG106 datasheet.ref: `ref` is missing
            add `ref:` below this line
    """)

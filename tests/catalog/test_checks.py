"""Checking a whole directory of catalog files."""

from __future__ import annotations

from pathlib import Path

from fabricgen.catalog import check_catalog
from tests.catalog.directories import ADAPTER, ASIC, SERVER, SWITCH, expected, text, write


def test_a_directory_in_order_has_no_findings(tmp_path: Path) -> None:
    write(
        tmp_path,
        switches__two_cages=SWITCH.format(id="two-cages").replace("tomahawk-5", "chip"),
        asics__chip=ASIC.format(id="chip"),
        adapters__two_ports=ADAPTER.format(id="two-ports"),
        servers__two_gpus=SERVER.format(id="two-gpus"),
    )
    (tmp_path / "README.md").write_text("our switches")
    (tmp_path / ".git").mkdir()
    assert check_catalog(tmp_path) == ()


def test_all_files_are_checked_in_one_run(tmp_path: Path) -> None:
    write(
        tmp_path,
        switches__two_cages=SWITCH.format(id="two-cages").replace("asic: tomahawk-5", "asic: tomahawk-9"),
        switches__chip=ASIC.format(id="chip"),
        asics__other=ASIC.format(id="other").replace("cell_bytes: 254", "cell_bytes: many"),
        adapters__two_ports=ADAPTER.format(id="three-ports"),
        servers__two_gpus=SERVER.format(id="two-gpus").replace("connectx-7-osfp", "connectx-7-osf"),
        servers__few=SERVER.format(id="few").replace("connectx-7-osfp", "connectx-7-qsfp112-2p"),
        cables__dac="id: dac\nid: dac2\n",
    )
    (tmp_path / "switch").mkdir()
    (tmp_path / "asics/third.yml").write_text(ASIC.format(id="third"))
    (tmp_path / "asics/notes.txt").write_text("later")
    (tmp_path / "source.yaml").write_text("")
    assert text(tmp_path, check_catalog(tmp_path)) == expected("""
        adapters/two-ports.yaml:1:5: FG111 id: id `three-ports` in a file named `two-ports.yaml`
            name the file `three-ports.yaml` or write `id: two-ports`
        asics/notes.txt: FG112 : only files named `*.yaml` are read in `asics`
            remove it
        asics/other.yaml:6:13: FG107 cell_bytes: not a figure (found `many`)
            write a whole number from 0 up, or `unknown`
        asics/third.yml: FG112 : only files named `*.yaml` are read in `asics`
            name it `third.yaml`
        cables/dac.yaml:2:1: FG102 id: `id` is given twice
            remove one of the two, or rename it
        servers/few.yaml:14:7: FG115 adapters.compute.map: 2 ports in the map, the adapters have 4
            list every port of every adapter, or write `map: unknown`
        servers/two-gpus.yaml:11:14: FG114 adapters.compute.adapter: adapters has no `connectx-7-osf`
            did you mean `connectx-7-osfp`?
        source.yaml: FG112 : `source.yaml` is not read
            did you mean `sources.yaml`?
        switch: FG112 : `switch` is not read
            did you mean `switches`?
        switches/chip.yaml:1:1: FG113 : this is an entry for `asics`, in the folder `switches`
            move the file to `asics/chip.yaml`
        switches/two-cages.yaml:5:7: FG114 asic: asics has no `tomahawk-9`
            did you mean `tomahawk-6`?
        """)


def test_broken_sources_do_not_hide_the_rest_nor_blame_it(tmp_path: Path) -> None:
    write(tmp_path, sources="datasheet: {}\n", asics__chip=ASIC.format(id="chip").replace("254", "-1"))
    assert text(tmp_path, check_catalog(tmp_path)) == expected("""
        asics/chip.yaml:6:13: FG107 cell_bytes: not a figure (found `-1`)
            write a whole number from 0 up, or `unknown`
        sources.yaml:1:1: FG106 datasheet.ref: `ref` is missing
            add `ref:` below this line
        sources.yaml:1:1: FG106 datasheet.title: `title` is missing
            add `title:` below this line
        """)


def test_a_server_whose_adapter_is_broken_is_not_blamed(tmp_path: Path) -> None:
    write(
        tmp_path,
        adapters__two_ports=ADAPTER.format(id="two-ports").replace("count: 2", "count: two"),
        servers__two_gpus=SERVER.format(id="two-gpus").replace("connectx-7-osfp", "two-ports"),
    )
    assert [str(found.span) for found in check_catalog(tmp_path)] == [f"{tmp_path}/adapters/two-ports.yaml:4:16"]


def test_a_missing_directory_is_the_only_finding(tmp_path: Path) -> None:
    assert text(tmp_path, check_catalog(tmp_path / "gone")) == expected("""
        gone: FG104 : there is no such directory
            correct the path of the catalog directory
        """)

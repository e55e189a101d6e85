"""The command line as a user meets it: exit codes, streams, and what stands on them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fabricgen import __version__
from fabricgen.cli.main import app
from tests.clusters import infiniband, roce


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    file = tmp_path / "fabric.yaml"
    file.write_text(roce(4, 2), encoding="utf-8")
    return file


def test_version_and_help() -> None:
    assert run("--version").stdout == f"fabricgen {__version__}\n"
    text = run("--help").stdout
    for command in ("init", "plan", "build", "validate", "explain", "catalog", "schema"):
        assert command in text
    assert "Exit codes" in text


def test_help_and_version_load_nothing_heavy() -> None:
    heavy = {"pydantic", "networkx", "jinja2", "ruamel", "numpy", "netaddr", "rich.console"}
    code = (
        "import sys; from fabricgen.cli.main import app\n"
        "try: app(['--version'])\n"
        "except SystemExit: pass\n"
        "print(' '.join(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert not {name for name in heavy if name in loaded}


def test_init_plan_build_validate(tmp_path: Path) -> None:
    folder, out = tmp_path / "cluster", tmp_path / "out"
    started = run("init", folder, "--servers", "8")
    assert started.exit_code == 0, started.output
    assert "next: fabricgen plan" in started.stdout
    planned = run("plan", folder)
    assert planned.exit_code == 0, planned.output
    assert "8 servers" in planned.stdout
    built = run("build", folder, "-o", out)
    assert built.exit_code == 0, built.output
    assert (out / "compute/switches/leaf-01/config_db.json").is_file()
    assert (out / "compute/switches/leaf-01/frr.conf").is_file()
    assert f"files written to {out}" in built.stdout
    assert run("validate", folder).exit_code == 0
    assert run("validate", folder, "--configs", out).exit_code == 0
    assert run("build", folder, "-o", out, "--check").exit_code == 0


def test_init_never_overwrites(inventory: Path) -> None:
    before = inventory.read_text()
    again = run("init", inventory.parent)
    assert again.exit_code == 2
    assert "exists already" in again.stderr
    assert inventory.read_text() == before


@pytest.mark.parametrize("options", [(), ("--type", "infiniband", "--model", "dgx-h100"), ("--model", "dgx-h200")])
def test_every_sample_that_init_writes_builds_clean(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert run("init", tmp_path, *options).exit_code == 0
    result = run("build", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output


def test_init_offers_the_nearest_model(tmp_path: Path) -> None:
    result = run("init", tmp_path, "--model", "dgx-h10")
    assert result.exit_code == 2
    assert "did you mean `dgx-h100`?" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_wrong_input_is_exit_2_and_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_text(roce(4, 2).replace("count: 4", "cuont: 4"), encoding="utf-8")
    result = run("build", file, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{file}:5:5: error[FG105]" in result.stderr
    assert "did you mean `count`?" in result.stderr
    assert "nothing was written" in result.stderr
    assert not (tmp_path / "out").exists()


def test_wrong_input_leaves_the_last_output_whole(inventory: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("build", inventory, "-o", out).exit_code == 0
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    inventory.write_text(roce(9000, 2), encoding="utf-8")
    assert run("build", inventory, "-o", out).exit_code == 2
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_errors_as_json(tmp_path: Path) -> None:
    result = run("plan", tmp_path / "none.yaml", "--format", "json")
    assert result.exit_code == 2
    document = json.loads(result.stdout)
    assert document["counts"]["error"] == 1
    assert document["diagnostics"][0]["code"] == "FG104"


def test_a_plan_of_many_switches_stays_short(inventory: Path) -> None:
    inventory.write_text(roce(72, 8), encoding="utf-8")
    short = run("plan", inventory).stdout
    assert "leaf-01 to leaf-08 (8)" in short
    assert "leaf-09 to leaf-16 (8)" in short
    assert "loopback" in short
    assert "spine-01  10." not in short
    assert "more (--all lists them)" in short
    assert "spine-01  10." in run("plan", inventory, "--all").stdout


def test_plans_as_json(inventory: Path) -> None:
    document = json.loads(run("plan", inventory, "--format", "json").stdout)
    assert document["fabrics"][0]["counts"] == {
        "servers": 4, "leaves": 2, "spines": 2, "server_links": 8, "switch_links": 4,
    }  # fmt: skip


def test_check_names_what_differs(inventory: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    missing = run("build", inventory, "-o", out, "--check")
    assert missing.exit_code == 1
    assert "missing" in missing.stdout
    run("build", inventory, "-o", out)
    changed = out / "compute/switches/leaf-01/frr.conf"
    changed.write_text(changed.read_text() + "! a comment\n")
    result = run("build", inventory, "-o", out, "--check", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["differences"] == [
        {"path": "compute/switches/leaf-01/frr.conf", "change": "changed"}
    ]


def test_a_changed_device_is_found_out(inventory: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("build", inventory, "-o", out)
    file = out / "compute/switches/leaf-01/config_db.json"
    document = json.loads(file.read_text())
    port = next(iter(document["PORT_QOS_MAP"]))
    del document["PORT_QOS_MAP"][port]["pfc_enable"]
    file.write_text(json.dumps(document, indent=4))
    result = run("validate", inventory, "--configs", out)
    assert result.exit_code == 1
    assert f"devices[leaf-01].ports[{port}]" in result.stdout
    assert str(file) in result.stdout, "the finding names the file"


def test_a_missing_device_file_is_found_out(inventory: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("build", inventory, "-o", out)
    (out / "compute/switches/leaf-02/config_db.json").unlink()
    result = run("validate", inventory, "--configs", out)
    assert result.exit_code == 1, result.output
    assert "leaf-02" in result.stdout


def test_fail_on(tmp_path: Path) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_text(infiniband(4), encoding="utf-8")  # placeholder GUIDs are a warning
    assert run("validate", file).exit_code == 0
    assert run("validate", file, "--fail-on", "warning").exit_code == 1
    assert run("validate", file, "--fail-on", "never").exit_code == 0


def test_an_unknown_fabric(inventory: Path) -> None:
    result = run("build", inventory, "--fabric", "storage", "-o", inventory.parent / "out")
    assert result.exit_code == 2
    assert "there is no fabric 'storage'" in result.stderr


def test_explain_a_rule_by_code_and_by_name() -> None:
    by_code = run("explain", "fg105")
    assert by_code.exit_code == 0
    assert "unknown-key" in by_code.stdout
    assert run("explain", "unknown-key").stdout == by_code.stdout
    assert run("explain", "FG999").exit_code == 2


def test_explain_headroom_names_formula_terms_sources_and_the_line(inventory: Path) -> None:
    result = run("explain", "leaf-01", "etp1a", "headroom", "-i", inventory)
    assert result.exit_code == 0, result.output
    assert "cable length" in result.stdout
    assert "headroom 228352 bytes" in result.stdout
    assert f"{inventory}:15:22 (fabrics.compute.cables.server)" in result.stdout, "the line that sets the length"
    assert "IEEE 802.3" in result.stdout
    for word in ("Ethernet0", "swp1s0", "1/1"):
        assert run("explain", "leaf-01", word, "headroom", "-i", inventory).stdout == result.stdout


def test_explain_says_what_there_is(inventory: Path) -> None:
    assert "figures of leaf-01 etp1a: ecn, headroom" in run("explain", "leaf-01", "etp1a", "-i", inventory).stderr
    assert "did you mean `leaf-01`?" in run("explain", "leaf-1", "etp1a", "headroom", "-i", inventory).stderr
    assert "no cabled port 'etp20'" in run("explain", "leaf-01", "etp20", "headroom", "-i", inventory).stderr


def test_buffers_are_printed_with_their_terms(inventory: Path) -> None:
    result = run("plan", inventory, "--buffers")
    assert result.exit_code == 0, result.output
    assert "pool of leaf-01 and 1 more" in result.stdout
    assert "headroom 228352 bytes" in result.stdout
    assert "Kmin 200000 bytes, Kmax 800000 bytes" in result.stdout


def test_catalog(tmp_path: Path) -> None:
    listed = json.loads(run("catalog", "list", "switch", "--format", "json").stdout)
    assert {
        "kind": "switch",
        "id": "qm9700",
        "vendor": "NVIDIA",
        "model": "QM9700 / QM9790",
        "summary": "32 x 2x400G OSFP twin-port",
    } in listed
    filtered = run("catalog", "list", "switch", "--speed", "800", "--ports", "64", "--nos", "cumulus")
    assert [line.split()[1] for line in filtered.stdout.splitlines()] == ["id", "sn5600", "sn5610"]
    assert "did you mean `cumulus`?" in run("catalog", "list", "--nos", "cumuls").stderr
    assert "did you mean `spectrum-4`?" in run("catalog", "list", "--asic", "spectrum-44").stderr
    assert "no entry is like that" in run("catalog", "list", "cable", "--nos", "sonic").stderr
    shown = run("catalog", "show", "sn5600")
    assert shown.exit_code == 0
    assert "sources:" in shown.stdout
    assert "not known: power_typical_w" in shown.stdout
    assert json.loads(run("catalog", "show", "sn5600", "-f", "json").stdout)["id"] == "sn5600"
    assert "did you mean `sn5600`?" in run("catalog", "show", "sn-5600").stderr
    assert run("catalog", "list", "toaster").exit_code == 2
    assert run("catalog", "check", tmp_path / "none").exit_code == 2
    machine = run("catalog", "check", tmp_path / "none", "--format", "json")
    assert machine.exit_code == 2
    assert "FG104" in machine.stdout


def test_schema(tmp_path: Path) -> None:
    assert "inventory" in run("schema").stdout.split()
    assert json.loads(run("schema", "inventory").stdout)["title"] == "Inventory"
    assert run("schema", "nothing").exit_code == 2
    assert run("schema", "--write", tmp_path).exit_code == 0
    assert (tmp_path / "inventory.schema.json").is_file()


def test_a_fault_of_ours_says_so(inventory: Path) -> None:
    code = (
        "import sys, fabricgen.api as api\n"
        "def broken(*a, **k): raise ZeroDivisionError('boom')\n"
        "api.load = broken\n"
        "from fabricgen.cli.main import main\n"
        f"sys.argv = ['fabricgen', 'plan', {str(inventory)!r}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "error[FG900] internal-error: ZeroDivisionError: boom" in done.stderr
    report = Path(done.stderr.rsplit("attach ", 1)[1].strip())
    assert "ZeroDivisionError" in report.read_text()
    report.unlink()


def test_output_is_the_same_under_another_hash_seed(inventory: Path, tmp_path: Path) -> None:
    outputs = []
    for seed in ("1", "2"):
        out = tmp_path / f"out{seed}"
        subprocess.run(
            [sys.executable, "-m", "fabricgen.cli.main", "build", str(inventory), "-o", str(out)],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}, check=True, capture_output=True,
        )  # fmt: skip
        outputs.append({str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()})
    assert outputs[0] == outputs[1]

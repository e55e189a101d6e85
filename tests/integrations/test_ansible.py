"""The playbook, run by the real Ansible on switches that are folders."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PLAYBOOK = ROOT / "integrations" / "ansible" / "deploy_sonic.yml"
PROGRAMS = Path(sys.executable).parent


def play(tmp_path: Path, *options: str) -> str:
    hosts = tmp_path / "hosts.ini"
    names = ("leaf-01", "leaf-02", "spine-01", "spine-02")
    lines = [f"{name} ansible_connection=local sonic_root={tmp_path}/{name}" for name in names]
    hosts.write_text("[compute]\n" + "\n".join(lines) + "\n")
    for name in names:
        (tmp_path / name / "etc" / "sonic" / "frr").mkdir(parents=True, exist_ok=True)
    command = [
        str(PROGRAMS / "ansible-playbook"), "-i", str(hosts), str(PLAYBOOK),
        "-e", f"fabricgen_command={PROGRAMS / 'fabricgen'}",
        "-e", f"fabricgen_inventory={ROOT / 'inventories' / 'tiny'}",
        "-e", f"fabricgen_output={tmp_path / 'out'}",
        "-e", f"ansible_python_interpreter={sys.executable}",
        "-e", "sonic_reload=false",
        *options,
    ]  # fmt: skip
    environment = {"HOME": str(tmp_path), "PATH": f"{PROGRAMS}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tables(file: Path) -> dict[str, dict[str, dict[str, str]]]:
    loaded: dict[str, dict[str, dict[str, str]]] = json.loads(file.read_text())
    return loaded


@pytest.mark.peer
def test_the_playbook_installs_what_was_built_and_is_idempotent(tmp_path: Path) -> None:
    checked = play(tmp_path, "--check")
    assert "changed=2" in checked
    assert not (tmp_path / "leaf-01/etc/sonic/config_db.json").exists(), "check mode changes nothing"
    play(tmp_path)
    for name in ("leaf-01", "spine-02"):
        built, installed = tmp_path / "out/compute/switches" / name, tmp_path / name / "etc/sonic"
        assert (installed / "frr/frr.conf").read_text() == (built / "frr.conf").read_text()
        assert tables(installed / "config_db.json") == tables(built / "config_db.json")
    again = play(tmp_path)
    assert "changed=0" in again
    assert "changed=2" not in again


@pytest.mark.peer
def test_what_fabricgen_does_not_write_stays_on_the_switch(tmp_path: Path) -> None:
    folder = tmp_path / "leaf-01/etc/sonic"
    folder.mkdir(parents=True)
    management = {"eth0|192.0.2.11/24": {"gwaddr": "192.0.2.1"}}
    before = {
        "DEVICE_METADATA": {"localhost": {"mac": "00:11:22:33:44:55", "hostname": "old"}},
        "MGMT_INTERFACE": management,
        "PORT_QOS_MAP": {"Ethernet504": {"pfc_enable": "4"}},
    }
    (folder / "config_db.json").write_text(json.dumps(before))
    play(tmp_path)
    after = tables(folder / "config_db.json")
    built = tables(tmp_path / "out/compute/switches/leaf-01/config_db.json")
    assert after["MGMT_INTERFACE"] == management
    assert after["DEVICE_METADATA"]["localhost"] == {
        **built["DEVICE_METADATA"]["localhost"],
        "mac": "00:11:22:33:44:55",
    }
    assert after["PORT_QOS_MAP"] == built["PORT_QOS_MAP"], "nothing old is left in a table that fabricgen writes"


def test_the_shipped_hosts_are_those_of_the_sample() -> None:
    from fabricgen import api

    plans = api.plan(api.load(ROOT / "inventories" / "tiny"))
    listed = (PLAYBOOK.parent / "hosts.ini").read_text().split("[compute]\n")[1].split()
    assert listed == [model.name for model in plans.fabrics[0].models]

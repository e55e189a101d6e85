"""Boots switches as network namespaces with real FRR daemons, cabled by veth pairs that are named as the ports are.

SONiC configures addresses itself and leaves routing to FRR, so the lab does the same: addresses come from the device
model that was read back, routing from the emitted frr.conf alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fabricgen import api
from fabricgen.device import DeviceModel, Link
from tests.peers import require, skip_or_fail

_FRR = Path("/usr/lib/frr")


def available() -> str | None:
    """Return why the lab cannot run here, or None if it can."""
    if os.geteuid() != 0:
        return "needs root for network namespaces"
    probe = f"fgprobe{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", probe], capture_output=True, check=False).returncode != 0:
        return "network namespaces cannot be made here"
    subprocess.run(["ip", "netns", "del", probe], capture_output=True, check=False)
    return None


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        msg = f"{' '.join(command)}: {done.stderr or done.stdout}"
        raise RuntimeError(msg)
    return done.stdout


class FrrLab:
    """A fabric of FRR routers; a context manager that removes everything it made.

    Args:
        models: the switches, as read back from files.
        configurations: ``frr.conf`` text by switch.
        links: cables; those with an end that is no switch become stubs.
    """

    def __init__(
        self, models: Mapping[str, DeviceModel], configurations: Mapping[str, str], links: Iterable[Link]
    ) -> None:
        self.models = models
        self.configurations = configurations
        self.links = list(links)
        self.work = Path(tempfile.mkdtemp(prefix="frr-lab-"))
        self.work.chmod(0o755)
        self._tag = f"fg{os.getpid()}"
        self._daemons: list[subprocess.Popen[bytes]] = []

    def namespace(self, device: str) -> str:
        return f"{self._tag}-{device}"

    def __enter__(self) -> Self:
        try:
            for device in self.models:
                self._make_namespace(device)
            self._cable()
            for device, model in self.models.items():
                self._address(device, model)
            for device in self.models:
                self._start(device)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for daemon in reversed(self._daemons):
            daemon.terminate()
        for daemon in self._daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for device in self.models:
            subprocess.run(["ip", "netns", "del", self.namespace(device)], capture_output=True, check=False)
        shutil.rmtree(self.work, ignore_errors=True)

    def _make_namespace(self, device: str) -> None:
        name = self.namespace(device)
        _run("ip", "netns", "add", name)
        _run("ip", "-n", name, "link", "set", "lo", "up")
        for key in ("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding"):
            _run("ip", "netns", "exec", name, "sysctl", "-q", "-w", f"{key}=1")

    def _cable(self) -> None:
        for number, link in enumerate(self.links):
            ends = [end for end in (link.a, link.b) if end.device in self.models]
            if not ends:
                continue
            # veth names are made unique first, then renamed inside their namespaces
            left, right = f"{self._tag}a{number}"[-15:], f"{self._tag}b{number}"[-15:]
            _run("ip", "link", "add", left, "type", "veth", "peer", "name", right)
            self._place(left, ends[0].device, ends[0].interface)
            if len(ends) == 2:
                self._place(right, ends[1].device, ends[1].interface)
            else:
                self._place(right, ends[0].device, f"stub{number}")
        for number, device in enumerate(self.models):
            left, right = f"{self._tag}l{number}", f"{self._tag}p{number}"
            _run("ip", "link", "add", left, "type", "veth", "peer", "name", right)
            self._place(left, device, "Loopback0")
            self._place(right, device, "loopback-stub")

    def _place(self, veth: str, device: str, name: str) -> None:
        namespace = self.namespace(device)
        _run("ip", "link", "set", veth, "netns", namespace)
        _run("ip", "-n", namespace, "link", "set", veth, "name", name)
        _run("ip", "-n", namespace, "link", "set", name, "up")

    def _address(self, device: str, model: DeviceModel) -> None:
        namespace = self.namespace(device)
        owned = [(interface.name, interface.addresses) for interface in model.interfaces]
        owned += [(loopback.name, loopback.addresses) for loopback in model.loopbacks]
        for name, addresses in owned:
            for address in addresses:
                _run("ip", "-n", namespace, "addr", "add", address, "dev", name)

    def _start(self, device: str) -> None:
        folder = self.work / device
        folder.mkdir()
        shutil.chown(folder, "frr", "frr")  # the daemons drop to this user and make their sockets here
        configuration = folder / "frr.conf"
        configuration.write_text(self.configurations[device], encoding="utf-8")
        (folder / "vtysh.conf").write_text("", encoding="utf-8")
        common = ["-i", "{pid}", "-z", f"{folder}/zserv.api", "--vty_socket", str(folder)]
        for name in ("zebra", "staticd", "bgpd"):
            arguments = [part.format(pid=f"{folder}/{name}.pid") for part in common]
            command = [str(_FRR / name), *arguments, "-P", "0"]
            log = (folder / f"{name}.log").open("wb")
            command = ["ip", "netns", "exec", self.namespace(device), *command]
            self._daemons.append(
                subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
            )
            self._wait((folder / f"{name}.vty").exists, f"{name} of {device}")
        output = self.vtysh(device, "-f", str(configuration))
        if "% " in output or "line" in output.lower():
            msg = f"{device} refuses its frr.conf: {output}"
            raise RuntimeError(msg)

    def vtysh(self, device: str, *arguments: str) -> str:
        """Run vtysh on a device and return what it prints."""
        folder = self.work / device
        command = ["vtysh", "--vty_socket", str(folder), "--config_dir", str(folder), *arguments]
        return _run("ip", "netns", "exec", self.namespace(device), *command)

    def show(self, device: str, command: str) -> Any:
        """Return the JSON that a ``show … json`` command prints."""
        return json.loads(self.vtysh(device, "-c", f"show {command} json"))

    def established(self, device: str) -> int:
        """Return how many BGP sessions of a device are up."""
        summary = self.show(device, "bgp ipv4 unicast summary")
        return sum(peer["state"] == "Established" for peer in summary.get("peers", {}).values())

    def next_hops(self, device: str, prefix: str) -> list[dict[str, Any]]:
        """Return the next hops that a device forwards a prefix by."""
        routes = self.show(device, f"ip route {prefix}").get(prefix, [])
        return [hop for route in routes if route.get("selected") for hop in route["nexthops"] if hop.get("fib")]

    def set_link(self, device: str, interface: str, state: str) -> None:
        """Take a device's port up or down."""
        _run("ip", "-n", self.namespace(device), "link", "set", interface, state)

    def _wait(self, ready: Callable[[], bool], what: str, timeout_s: float = 20) -> None:
        if not wait_for(ready, timeout_s):
            msg = f"{what} did not start"
            raise TimeoutError(msg)


def wait_for(ready: Callable[[], bool], timeout_s: float) -> bool:
    """Poll until a condition holds; return whether it did in time."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        with contextlib.suppress(RuntimeError, ValueError, KeyError):
            if ready():
                return True
        time.sleep(0.25)
    return False


@contextlib.contextmanager
def boot(location: Path) -> Iterator[tuple[FrrLab, api.Plans]]:
    """Boot the switches of an inventory with one fabric, ``compute``; skip where that cannot be done."""
    require("vtysh", "zebra", "bgpd", "ip")
    reason = available()
    if reason:
        skip_or_fail(reason)
    plans = api.plan(api.load(location))
    files = api.emit(plans)
    (network,), findings = api.read_back(plans, files)
    assert findings == []
    models = {name: device.model for name, device in network.devices.items() if device.model is not None}
    configurations = {name: files[f"compute/switches/{name}/frr.conf"] for name in models}
    with FrrLab(models, configurations, network.links) as running:
        yield running, plans

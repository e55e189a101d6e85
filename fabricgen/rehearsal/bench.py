"""A bench for Subnet Manager files: the real OpenSM on ibsim, a simulator of InfiniBand switches and adapters.

OpenSM fails open, so that a subnet which comes up proves nothing. The bench therefore reads back what OpenSM said, what
it took from its options, and what it programmed: see :class:`BenchResult`. Nothing here uses fabricgen's own readers,
so that what they cannot see is seen here.

Needs ``opensm``, ``ibsim``, its library ``libumad2sim`` and the infiniband-diags (Debian: opensm, ibsim-utils,
libumad2sim0, infiniband-diags). No privilege is needed, and several benches can run side by side.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from fabricgen.rehearsal.result import BenchResult, cached_lids, first_port, parse_netlist, problems, tables

#: Seconds to wait for a program to be ready; a subnet of 1024 adapters takes one.
PATIENCE_S = 60.0

#: Programs that must be installed.
PROGRAMS = ("opensm", "ibsim", "ibnetdiscover", "smpquery")

#: What installs them, and ibsim's library, on Debian.
PACKAGES = "opensm ibsim-utils libumad2sim0 infiniband-diags"

_SEARCH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

#: OpenSM echoes an option from a buffer of 128 bytes, line end and terminator included (osm_subnet.c).
LONGEST_ECHO = 126

#: Where distributions put ibsim's library: Debian by architecture, others in the library directory itself.
_UMAD2SIM = ("usr/lib/*/umad2sim/libumad2sim.so", "usr/lib*/umad2sim/libumad2sim.so")

#: Options whose default is a file of the machine: a bench reads nothing but its own files.
_MACHINE_FILES = (
    "partition_config_file",
    "per_module_logging_file",
    "prefix_routes_file",
    "qos_policy_file",
    "torus_config",
)


class BenchError(Exception):
    """The bench did not run: a program is missing, did not get ready, or stopped; the message has what it said."""


def run_opensm(
    files: Mapping[str, str], work: Path, pkeys_of: Collection[int] = (), lanes_of: Collection[tuple[int, int]] = ()
) -> BenchResult:
    """Run the real OpenSM on the files of a Subnet Manager, and return what it made of them.

    Args:
        files: what the platform emitted, by file name; ``fabric.netlist`` and ``opensm.conf`` among them.
        work: an empty directory of this run's own; the files as they were run, the log and the dumps stay there.
        pkeys_of: port GUIDs whose partition tables are to be read.
        lanes_of: GUIDs and outgoing ports whose tables from service level to virtual lane are to be read.

    Raises:
        BenchError: a program is missing, did not get ready, or stopped; what it said is in the message.
    """
    with OpenSmBench(files, work) as bench:
        pkeys = {guid: bench.pkeys(guid) for guid in pkeys_of}
        lanes = {(guid, port): bench.lanes(guid, port) for guid, port in lanes_of}
        netdiscover = bench.netdiscover
    return bench.result(netdiscover, pkeys, lanes)


def opensm_defaults(work: Path) -> dict[str, str]:
    """Return every option and default that the installed OpenSM has, as ``opensm -c`` writes them."""
    target = work / "defaults.conf"
    subprocess.run(
        [_program("opensm"), "-c", str(target)], cwd=work, check=True, capture_output=True, timeout=PATIENCE_S
    )
    lines = [line.partition("#")[0].split(None, 1) for line in target.read_text().splitlines()]
    return {line[0]: line[1].strip() for line in lines if len(line) == 2}


class OpenSmBench:
    """ibsim and OpenSM while they run; SIGTERM stops both, because ibsim does not free the slot of a killed client."""

    def __init__(self, files: Mapping[str, str], work: Path) -> None:
        self.files = files
        self.work = work.resolve()
        self._stack = contextlib.ExitStack()
        self._environment = dict(os.environ) | {
            # The name of an abstract socket: one for each bench.
            "IBSIM_SOCKNAME": f"fabricgen-{uuid.uuid4().hex[:12]}",
            "OSM_TMP_DIR": str(self.work),
            "OSM_CACHE_DIR": str(self.work),
        }
        self._environment.pop("LD_PRELOAD", None)

    def __enter__(self) -> OpenSmBench:
        try:
            self._write_files()
            self._start_ibsim()
            self._start_opensm()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def log(self) -> str:
        """Return OpenSM's log so far."""
        return _read(self.work / "opensm.log")

    @cached_property
    def netdiscover(self) -> str:
        """Return what ``ibnetdiscover`` prints of the subnet that is up."""
        return self.tool("ibnetdiscover")

    @cached_property
    def _lids(self) -> dict[int, str]:
        """Return the LIDs that are programmed, by node GUID of switches and port GUID of adapters.

        A tool that is given a GUID asks the subnet administrator for the way, who tells nobody that two ports without
        a common partition can reach each other; a LID is always good for management packets.
        """
        switches = re.findall(r'^Switch.*"S-([0-9a-f]{16})".* lid (\d+) lmc', self.netdiscover, re.MULTILINE)
        adapters = re.findall(r"^\[\d+\]\(([0-9a-f]+)\).*?# lid (\d+) lmc", self.netdiscover, re.MULTILINE)
        return {int(guid, 16): lid for guid, lid in (*switches, *adapters)}

    def _lid(self, guid: int) -> str:
        found = self._lids.get(guid)
        if found is None:
            raise BenchError(f"0x{guid:016x} has no LID: ibnetdiscover does not find it")
        return found

    def tool(self, *command: str) -> str:
        """Run one of the infiniband-diags on the simulated subnet and return what it printed."""
        done = subprocess.run(
            [_program(command[0]), *command[1:]],
            cwd=self.work,
            env=self._environment | {"LD_PRELOAD": _umad2sim()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        if done.returncode != 0:
            raise BenchError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def pkeys(self, port_guid: int) -> tuple[int, ...]:
        """Return the partition table of an adapter's port, without its empty places."""
        out = self.tool("smpquery", "pkeys", self._lid(port_guid), "1")
        rows = re.findall(r"^\s*\d+:((?:\s+0x[0-9a-f]{4})+)", out, re.MULTILINE)
        return tuple(int(word, 16) for row in rows for word in row.split() if int(word, 16))

    def lanes(self, guid: int, port: int) -> tuple[int, ...]:
        """Return the virtual lane of each service level, for what leaves a port.

        Raises:
            BenchError: the answer depends on the port that it came in by, which no option of OpenSM can ask for.
        """
        out = self.tool("smpquery", "sl2vl", self._lid(guid), str(port))
        rows = {
            tuple(map(int, re.findall(r"(\d+)\s*\|", row)))
            for row in re.findall(r"^ports: .*?: \|(.*)$", out, re.MULTILINE)
        }
        if len(rows) != 1:
            raise BenchError(f"the lanes of 0x{guid:016x} port {port} are not one table:\n{out}")
        return rows.pop()

    def result(
        self,
        netdiscover: str,
        pkeys: Mapping[int, tuple[int, ...]],
        lanes: Mapping[tuple[int, int], tuple[int, ...]] = MappingProxyType({}),
    ) -> BenchResult:
        """Collect what the run left behind; called after OpenSM has stopped, which completes its files."""
        stdout = _read(self.work / "opensm.out")
        engines = re.findall(r"-> .*?([\w-]+) tables configured on all switches", self.log)
        asked_nodes, asked_links = parse_netlist((self.work / "fabric.netlist").read_text())
        nodes, links = parse_netlist(netdiscover)
        return BenchResult(
            log=self.log,
            stdout=stdout,
            subnet_up="SUBNET UP" in self.log,
            engine=engines[-1] if engines else None,
            problems=tuple(dict.fromkeys(problems(self.log, stdout))),
            options=dict(re.findall(r"^ ?Loading Cached Option:(\w+) = (.*?)\s*$", stdout, re.MULTILINE)),
            asked_nodes=asked_nodes,
            asked_links=asked_links,
            nodes=nodes,
            links=links,
            netdiscover=netdiscover,
            lids=cached_lids(_read(self.work / "guid2lid")),
            tables=tables(_read(self.work / "dump" / "opensm-lfts.dump")),
            manager_guid=first_port((self.work / "fabric.netlist").read_text()),
            pkeys=pkeys,
            lanes=lanes,
        )

    def _write_files(self) -> None:
        (self.work / "dump").mkdir(parents=True)
        for name, text in self.files.items():
            (self.work / name).write_text(text)
        # ibsim 0.10 knows speeds up to HDR and would take an NDR or XDR link for 2.5 Gb/s; it learned NDR in 0.12 and
        # XDR nowhere. Routing does not depend on it.
        netlist = re.sub(r" 4x(?:NDR|XDR)$", " 4xHDR", self.files["fabric.netlist"], flags=re.MULTILINE)
        (self.work / "fabric.netlist").write_text(netlist)
        (self.work / "opensm.conf").write_text(self._options())

    def _options(self) -> str:
        """Return a working copy of opensm.conf: paths point to this bench's files, and OpenSM says what it does."""
        lines = []
        for line in self.files["opensm.conf"].splitlines():
            name, _, value = line.partition(" ")
            file = value.strip().rpartition("/")[2]
            lines.append(f"{name} {self.work / file}" if file in self.files and value.startswith("/") else line)
        given = {line.split()[0] for line in lines if line.strip()}
        lines += [
            f"{name} {self.work / Path(default).name}"
            for name, default in opensm_defaults(self.work).items()
            if name in _MACHINE_FILES and name not in given
        ]
        lines += [
            "force_log_flush TRUE",  # else the log ends in a buffer, and nobody sees SUBNET UP
            "log_flags 0x47",  # errors, info, parser warnings (0x04), and the dumps of routes (0x40)
            f"dump_files_dir {self.work / 'dump'}/",
            "sweep_interval 0",
        ]
        return "\n".join(lines) + "\n"

    def _start(self, name: str, command: list[str], extra: Mapping[str, str]) -> subprocess.Popen[bytes]:
        out = self._stack.enter_context((self.work / f"{name}.out").open("wb"))
        process = subprocess.Popen(
            command,
            cwd=self.work,
            env={**self._environment, **extra},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        self._stack.callback(_stop, process)
        return process

    def _start_ibsim(self) -> None:
        heads = re.findall(r"^(Switch|Ca)\s+(\d+)", (self.work / "fabric.netlist").read_text(), re.MULTILINE)
        switches = sum(kind == "Switch" for kind, _ in heads)
        ports = sum(int(count) + 1 for _, count in heads)
        size = ["-S", str(switches + 16), "-N", str(len(heads) + 16), "-P", str(ports + 64)]
        command = [_program("ibsim"), "-s", "-n", *size, "fabric.netlist"]
        process = self._start("ibsim", command, {})
        self._wait(process, self.work / "ibsim.out", "Network simulator ready.")

    def _start_opensm(self) -> None:
        command = [_program("opensm"), "-F", str(self.work / "opensm.conf"), "-f", str(self.work / "opensm.log")]
        process = self._start("opensm", command, {"LD_PRELOAD": _umad2sim()})
        self._wait(process, self.work / "opensm.log", "SUBNET UP")

    def _wait(self, process: subprocess.Popen[bytes], file: Path, words: str) -> None:
        """Wait until a file holds certain words; the program must go on running."""
        end = time.monotonic() + PATIENCE_S
        while words not in _read(file):
            said = "\n".join(_read(self.work / name)[-3000:] for name in ("ibsim.out", "opensm.out", "opensm.log"))
            if process.poll() is not None:
                raise BenchError(f"exit status {process.returncode} before {words!r}\n{said}")
            if time.monotonic() >= end:
                raise BenchError(f"{words!r} did not come in {PATIENCE_S:.0f} s\n{said}")
            time.sleep(0.02)


def _read(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def _program(name: str) -> str:
    found = shutil.which(name, path=_SEARCH)
    if found is None:
        raise BenchError(f"{name} is not installed: on Debian, `apt-get install {PACKAGES}`")
    return found


def _umad2sim() -> str:
    """Return the library that stands in for libibumad and talks to ibsim."""
    found = [path for place in _UMAD2SIM for path in sorted(Path("/").glob(place))]
    if not found:
        raise BenchError(f"libumad2sim.so is not installed: on Debian, `apt-get install {PACKAGES}`")
    return str(found[0])


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

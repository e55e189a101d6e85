from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.core.diagnostics import FabricgenError, Kind, Severity
from fabricgen.core.workers import WorkerLostError, run_all, run_both, slices, usable_cpus

KIND = Kind("FG999", "test", Severity.ERROR, "a test", "It is one.")


def refuse() -> int:
    raise FabricgenError([KIND.at("here", "no", remedy="none")])


class UnportableError(Exception):
    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def unportable() -> int:
    raise UnportableError("can", "not")


def kill() -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@given(st.lists(st.integers()), st.integers(-1, 20))
def test_slices_are_runs_of_neighbours_and_about_equal(items: list[int], count: int) -> None:
    found = slices(items, count)
    assert [item for run in found for item in run] == items
    lengths = [len(run) for run in found]
    assert max(lengths) - min(lengths) <= 1
    assert len(found) == max(1, min(count, len(items)))


def test_results_come_in_order_and_from_other_processes() -> None:
    def task(number: int) -> Callable[[], tuple[int, int]]:
        return lambda: (number, os.getpid())

    found = run_all([task(number) for number in range(4)])
    assert [number for number, _ in found] == [0, 1, 2, 3]
    processes = [process for _, process in found]
    assert processes[0] == os.getpid()
    assert len(set(processes)) == 4


def test_all_run_here_when_asked() -> None:
    assert set(run_all([os.getpid] * 3, here=True)) == {os.getpid()}
    assert run_all([os.getpid]) == [os.getpid()]


def test_results_may_differ_in_type() -> None:
    assert run_both(lambda: 1, lambda: "two") == (1, "two")


def test_a_large_answer_does_not_block() -> None:
    assert [len(text) for text in run_all([lambda: "a" * 10_000_000] * 3)] == [10_000_000] * 3


def test_an_error_of_a_worker_is_raised_with_its_place() -> None:
    with pytest.raises(FabricgenError) as caught:
        run_all([lambda: 1, refuse])
    assert [found.code for found in caught.value.diagnostics] == ["FG999"]
    assert any("in refuse" in note for note in caught.value.__notes__)


def test_an_error_that_cannot_be_sent_keeps_its_name() -> None:
    with pytest.raises(RuntimeError, match="UnportableError: cannot"):
        run_all([lambda: 1, unportable])


def test_a_killed_worker_is_named() -> None:
    with pytest.raises(WorkerLostError, match=r"killed by SIGKILL.*--jobs"):
        run_all([lambda: 1, kill])


def test_an_error_here_stops_the_workers() -> None:
    start = time.monotonic()
    with pytest.raises(FabricgenError):
        run_all([refuse, lambda: time.sleep(60)])
    assert time.monotonic() - start < 30


def test_there_is_a_processor() -> None:
    assert usable_cpus() >= 1

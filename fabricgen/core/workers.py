"""Shares work out to several processes.

A worker is a fork: it sees all that its parent has made so far without a copy, and sends back only what its task
returns. Where the system cannot fork, and where there is one task, the work is done here.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class WorkerLostError(RuntimeError):
    """A worker ended without an answer: something killed it."""


def usable_cpus() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def slices(items: Sequence[T], count: int) -> list[Sequence[T]]:
    """Divide items into as many runs of neighbours, equal to within one; no run is empty."""
    count = max(1, min(count, len(items)))
    bounds = [len(items) * index // count for index in range(count + 1)]
    return [items[start:end] for start, end in pairwise(bounds)]


def run_all(tasks: Sequence[Callable[[], T]], *, here: bool = False) -> list[T]:
    """Run tasks at the same time, the first of them in this process; return their results in order.

    Args:
        tasks: whatever they change is lost, but for what the first one does; results of the others are pickled.
        here: whether to run all of them in this process, one after the other.

    Raises:
        WorkerLostError: a worker was killed.
        Exception: what a task raised; if several did, the first of them.
    """
    if here or len(tasks) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return [task() for task in tasks]
    with _started(tasks[1:]) as workers:
        first = tasks[0]()
        return [first, *(worker.result() for worker in workers)]


def run_both(first: Callable[[], T], second: Callable[[], U], *, here: bool = False) -> tuple[T, U]:
    """Run two tasks as :func:`run_all` does."""
    tasks: list[Callable[[], Any]] = [first, second]
    results = run_all(tasks, here=here)
    return results[0], results[1]


class _Worker(Generic[T]):
    """A process that runs one task."""

    def __init__(self, task: Callable[[], T]) -> None:
        context = multiprocessing.get_context("fork")
        self._answers, answer = context.Pipe(duplex=False)
        self._process: BaseProcess = context.Process(target=_work, args=(task, answer), daemon=True)
        self._process.start()
        answer.close()

    def result(self) -> T:
        try:
            result, error, place = self._answers.recv()
        except EOFError:
            self._process.join()
            raise WorkerLostError(_why_lost(self._process.exitcode)) from None
        if error is not None:
            error.add_note(f"raised in a worker process:\n{place}")
            raise error
        found: T = result
        return found

    def stop(self) -> None:
        self._process.terminate()
        self._process.join()
        self._answers.close()


@contextlib.contextmanager
def _started(tasks: Sequence[Callable[[], T]]) -> Iterator[list[_Worker[T]]]:
    # What is frozen is not looked at by the garbage collector, so workers need no copies of its pages.
    gc.freeze()
    workers: list[_Worker[T]] = []
    try:
        workers.extend(map(_Worker, tasks))
        yield workers
    finally:
        for worker in workers:
            worker.stop()
        gc.unfreeze()


def _work(task: Callable[[], object], answer: Connection) -> None:
    """Run a task in the worker and send what came of it."""
    # An interrupt from the keyboard reaches all processes; the parent alone decides what follows.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        outcome = pickle.dumps((task(), None, None), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        place = "".join(traceback.format_exception(error))
        outcome = pickle.dumps((None, _portable(error), place))
    answer.send_bytes(outcome)


def _portable(error: Exception) -> Exception:
    """Return an error, or what stands for one that cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _why_lost(exit_code: int | None) -> str:
    killed = f"was killed by {signal.Signals(-exit_code).name}" if exit_code and exit_code < 0 else "ended early"
    return f"a worker process {killed}; if memory ran out, use fewer with --jobs"

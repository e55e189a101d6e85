"""Answers that are worked out once for equal questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """What has been worked out so far, by question; whoever asks many times makes one and passes it on.

    A question must name everything that its answer depends on, so that answers are the same with a memo and without.
    Answers are shared: whoever gets one must not change it.
    """

    def __init__(self) -> None:
        self._answers: dict[Hashable, Any] = {}

    def get(self, question: Hashable, answer: Callable[[], T]) -> T:
        """Return the answer to a question, worked out if it is new."""
        try:
            found: T = self._answers[question]
        except KeyError:
            found = self._answers[question] = answer()
        return found

    def about(self, thing: object, question: Hashable, answer: Callable[[], T]) -> T:
        """Return the answer to a question about a thing that is told from others by identity, not by value."""
        # The thing is kept with the answer, so that no other one can get its identity.
        found: tuple[object, T] = self.get((id(thing), question), lambda: (thing, answer()))
        return found[1]

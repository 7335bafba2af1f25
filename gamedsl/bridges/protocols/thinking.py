"""The search for a move beside the reading of lines, which can be stopped at any moment.

A `Mind` finds moves; a `Thinker` runs it on a thread, in slices of growing length, so that an
answer is at hand when the other program asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Protocol

from gamedsl.game.contract import Action, JointAction
from gamedsl.solvers.graphs.information import History
from gamedsl.source.records import dataclass

FIRST_SLICE = 1.0
"""Seconds of the first slice; each slice is twice as long as the slice before."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A move, found or proved.

    Attributes:
        action: the action; an action of each player where all choose simultaneously.
        how: the method in words.
        value: the payoffs of all players, where known or estimated.
        plies: the length of best play, where known.
        line: names of the actions of best play.
        nodes: positions or plays looked at.
        mixed: probabilities by player and action, where the choice is drawn.
        is_final: whether more time would not change the thought.
    """

    action: Action | JointAction
    how: str
    value: tuple[Fraction, ...] | None = None
    plies: int | None = None
    line: tuple[str, ...] = ()
    nodes: int = 0
    mixed: tuple[tuple[int, tuple[tuple[str, Fraction], ...]], ...] = ()
    is_final: bool = False


class Mind(Protocol):
    """Finds moves of one game."""

    def think(self, history: History, seconds: float) -> Thought:
        """A move after a play, in about so many seconds. Raises GameRuleError."""

    def hurry(self) -> None:
        """End the current `think` as soon as possible, from another thread."""

    def calm(self) -> None:
        """Take back `hurry`, before the next `think`."""


class Thinker:
    """Runs one search at a time.

    Attributes:
        is_endless: whether the current search ends only by `stop`.
    """

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.is_endless = False
        self._worker: Thread | None = None
        self._latest: Thought | None = None
        self._answer: Callable[[Thought], None] | None = None
        self._failure: Exception | None = None
        self._is_stopped = Event()
        self._lock = Lock()

    def begin(
        self,
        history: History,
        seconds: float | None,
        tell: Callable[[Thought], None],
        answer: Callable[[Thought], None],
    ) -> None:
        """Begin a search; a search that still runs is stopped first.

        Args:
            history: the play up to now.
            seconds: the time for the move; None: until `stop`.
            tell: called with each thought.
            answer: called once with the last thought, on a thread of its own or by `stop`.
        """
        self.stop()
        self.wait()
        self.mind.calm()
        self._is_stopped.clear()
        self.is_endless = seconds is None
        self._latest, self._answer = None, answer
        work = (history, seconds, tell)
        if sys.platform == "emscripten":
            self._run(*work)
            return
        self._worker = Thread(target=self._run, args=work, daemon=True)
        self._worker.start()

    def stop(self) -> None:
        """Ask for the answer now: the latest thought, or the first as soon as it is there."""
        self._is_stopped.set()
        self.mind.hurry()
        if self._latest is not None:
            self._reply()

    def wait(self) -> None:
        """Wait until the search has answered. Raises the error of a search that has failed."""
        if self._worker is not None:
            self._worker.join()
            self._worker = None
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _reply(self) -> None:
        with self._lock:
            answer, self._answer = self._answer, None
        if answer is not None and self._latest is not None:
            answer(self._latest)

    def _run(
        self, history: History, seconds: float | None, tell: Callable[[Thought], None]
    ) -> None:
        try:
            self._search(history, seconds, tell)
        except Exception as error:  # noqa: BLE001 -- raised again by `wait`, in the main thread
            self._failure = error
        if self.is_endless and self._failure is None:
            self._is_stopped.wait()
        self._reply()

    def _search(
        self, history: History, seconds: float | None, tell: Callable[[Thought], None]
    ) -> None:
        begun, length = perf_counter(), FIRST_SLICE
        while True:
            left = None if seconds is None else max(0.0, begun + seconds - perf_counter())
            is_last = left is not None and left <= 2 * length
            thought = self.mind.think(history, left if left is not None and is_last else length)
            self._latest = thought
            if self._answer is not None:
                tell(thought)
            if is_last or thought.is_final or self._is_stopped.is_set():
                return
            length *= 2

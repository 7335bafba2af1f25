"""The values of single positions by machine code, beside what else is done to answer for them.

In: a game, and one position after the other. Out: of each what `value_search` has proved by the
time that somebody asks: its value, and actions that keep it; where play can return, what
`proof_search` has proved: a win that somebody can force. What is proved of one position stays in
the table, and helps with those that follow. Nothing where neither search applies.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Lock, Thread
from time import perf_counter

from gamedsl.game.contract import Action, Game
from gamedsl.game.native import ProofSearch, SearchLimits, ValueSearch, machine_code_of
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfTimeError
from gamedsl.solvers.proof_search import forced_win
from gamedsl.solvers.solution import Solution
from gamedsl.solvers.value_search import BUDGETS, keeps, proved_value

MOST_BYTES = 300_000_000
"""Memory for the table and its machine code."""
AT_FIRST = 4096
"""Positions that are looked at to tell whether an action keeps the value, in the first round."""
GROWTH = 8
"""Those of which it is not told then get so many times as many in the next one."""


class MachineValues:
    """Proofs for the positions of one game, by a thread that has one to look at at a time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._native = machine_code_of(game)
        self._values: ValueSearch | None = None
        self._proofs: ProofSearch | None = None
        self._applies = self._native is not None
        self._lock = Lock()
        self._worker: Thread | None = None
        self._wanted: State | None = None
        self._looked_at: State | None = None
        self._found: tuple[State, Solution] | None = None
        self._has_begun = Event()

    @property
    def is_ready(self) -> bool:
        """Whether nothing has to be made any more before a search goes on."""
        return self._has_begun.is_set()

    def begin(self, state: State) -> None:
        """Look at a position from now on, and no longer at another."""
        if not self._applies or self.game.current_player(state) < 0:
            return
        known = self.found(state)
        with self._lock:
            if self._wanted == state or (known is not None and not known.undecided):
                return
            self._wanted = state
            if self._worker is None:
                self._worker = Thread(target=self._work, daemon=True)
                self._worker.start()

    def stop(self) -> None:
        """Look at nothing any more; what has been found stays."""
        with self._lock:
            self._wanted = None

    def prepare(self, state: State, seconds: float) -> None:
        """Have machine code made, and wait for it so long."""
        self.begin(state)
        if self._worker is not None:
            self._has_begun.wait(seconds)
        self.stop()

    def found(self, state: State) -> Solution | None:
        """What is proved of a position by now: its value and at least one action that keeps it."""
        found = self._found
        return found[1] if found is not None and found[0] == state else None

    def _work(self) -> None:
        while True:
            with self._lock:
                state = self._wanted
                if state is None:
                    self._worker = None
                    return
            try:
                self._look_at(state)
            except (*BUDGETS, UnsupportedGameError, GameRuleError):
                pass  # not proved; what is wrong with the rules is said where they are played
            with self._lock:
                if self._wanted == state:
                    self._wanted = None

    def _look_at(self, state: State) -> None:
        assert self._native is not None, "a search applies"
        self._looked_at = state
        limits = SearchLimits(bytes=MOST_BYTES, progress=self._go_on)
        if self._values is None and self._proofs is None:
            self._values = self._native.value_search(limits)
        if self._values is not None:
            try:
                self._look_for_value(state, self._values)
            except UnsupportedGameError:
                self._values = None  # play returns
            else:
                return
        self._proofs = self._proofs or self._native.proof_search(limits)
        if self._proofs is None:
            self._applies = False
            self._has_begun.set()
            return
        self._look_for_win(state, self._proofs)

    def _look_for_win(self, state: State, search: ProofSearch) -> None:
        started = perf_counter()
        found = forced_win(self.game, state, search)
        if found is not None:
            self._found = state, found.solution(self.game, perf_counter() - started)

    def _look_for_value(self, state: State, search: ValueSearch) -> None:
        started = perf_counter()
        search.max_positions = None
        value = search.value(state)
        self._has_begun.set()
        best: list[Action] = []
        waiting, most = list(self.game.legal_actions(state)), AT_FIRST
        while waiting:
            for action in tuple(waiting):
                search.max_positions = search.looked_at + most
                with suppress(OutOfBudgetError):
                    is_best = keeps(self.game, state, search, action, value)
                    waiting.remove(action)
                    best += [action] * is_best
                    seconds = perf_counter() - started
                    if best:
                        found = proved_value(self.game, state, search, value, sorted(best), waiting)
                        self._found = state, found.solution(self.game, seconds)
            most *= GROWTH

    def _go_on(self, explored: int, waiting: int) -> None:
        """Told from time to time by the search, which it ends when nobody waits for it."""
        self._has_begun.set()
        if self._wanted != self._looked_at:
            raise OutOfTimeError(explored, waiting)

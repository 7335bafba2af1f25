"""Proves values of single positions in machine code, on a thread beside other work.

Positions of a game are taken up in turn. `value_search` proves a position's value and the actions
that keep the value. Where play can return, `proof_search` proves a win that a player can force.
Proofs stay in the table and speed up later positions. There is no proof if neither search applies.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from threading import Event, Lock, Thread
from time import perf_counter

from gamedsl.game.accelerator import (
    ProofSearch,
    Refusal,
    SearchLimits,
    ValueSearch,
    machine_code_of,
)
from gamedsl.game.contract import Action, Game
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfTimeError
from gamedsl.solvers.running.proof_search import forced_win
from gamedsl.solvers.running.proved import BUDGETS, keeps, proved_value
from gamedsl.solvers.solution import Solution

MOST_BYTES = 300_000_000
"""Memory limit, in bytes, for the table and the machine code of a search."""
AT_FIRST = 4096
"""Positions searched per action in the first round, to decide whether the action keeps the
value."""
GROWTH = 8
"""Factor by which the number of positions grows from round to round, for undecided actions."""


class MachineValues:
    """Proofs for positions of one game, by a thread that searches one position at a time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._accelerator = machine_code_of(game)
        self._values: ValueSearch | Refusal | None = None
        self._proofs: ProofSearch | Refusal | None = None
        self._applies = not isinstance(self._accelerator, Refusal)
        self._lock = Lock()
        self._worker: Thread | None = None
        self._wanted: State | None = None
        self._looked_at: State | None = None
        self._latest: tuple[State, Solution] | None = None
        self._has_begun = Event()

    @property
    def is_ready(self) -> bool:
        """Whether all preparations for a search are complete."""
        return self._has_begun.is_set()

    def begin(self, state: State) -> None:
        """Starts the search of a position and gives up the search of any previous position."""
        if not self._applies or self.game.current_player(state) < 0:
            return
        known = self.proof(state)
        with self._lock:
            if self._wanted == state or (known is not None and not known.undecided):
                return
            self._wanted = state
            if self._worker is None:
                self._worker = Thread(target=self._work, daemon=True)
                self._worker.start()

    def stop(self) -> None:
        """Ends all searching; earlier results stay."""
        with self._lock:
            self._wanted = None

    def prepare(self, state: State, seconds: float) -> None:
        """Compiles the machine code; waits at most the given number of seconds."""
        self.begin(state)
        if self._worker is not None:
            self._has_begun.wait(seconds)
        self.stop()

    def proof(self, state: State) -> Solution | None:
        """The position's proved value so far, with at least one action that keeps the value."""
        latest = self._latest
        return latest[1] if latest is not None and latest[0] == state else None

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
                pass  # not proved; errors in the rules are reported when the rules are played
            with self._lock:
                if self._wanted == state:
                    self._wanted = None

    def _look_at(self, state: State) -> None:
        assert not isinstance(self._accelerator, Refusal), "a search applies"
        self._looked_at = state
        limits = SearchLimits(bytes=MOST_BYTES, progress=self._go_on)
        if self._values is None:
            self._values = self._accelerator.value_search(limits)
        if not isinstance(self._values, Refusal):
            try:
                self._look_for_value(state, self._values)
            except UnsupportedGameError as error:  # play returns
                self._values = Refusal(error.reason)
            else:
                return
        if self._proofs is None:
            self._proofs = self._accelerator.proof_search(limits)
        if isinstance(self._proofs, Refusal):
            self._applies = False
            self._has_begun.set()
            return
        self._look_for_win(state, self._proofs)

    def _look_for_win(self, state: State, search: ProofSearch) -> None:
        started = perf_counter()
        solution = forced_win(self.game, state, search)
        if solution is not None:
            self._latest = state, replace(solution, seconds=perf_counter() - started)

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
                        solution = proved_value(
                            self.game, state, search.looked_at, value, sorted(best), waiting
                        )
                        self._latest = state, replace(solution, seconds=seconds)
            most *= GROWTH

    def _go_on(self, explored: int, waiting: int) -> None:
        """Called by the search from time to time; ends a search whose result is no longer
        wanted."""
        self._has_begun.set()
        if self._wanted != self._looked_at:
            raise OutOfTimeError(explored, waiting)

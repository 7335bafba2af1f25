"""A search by machine code: prepared by a thread, run in slices, within limits.

In: a game, a position, limits. Out: a `Decision`. Several searches may suit a game whose file has
`evaluate`; short matches decide (`contenders`). The tree of UCT is kept from position to position
of a play.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from threading import Event, Thread

from gamedsl.game.accelerator import Accelerator, Refusal, machine_code_of
from gamedsl.game.contract import Game
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo.contenders import (
    Contender,
    RunLimits,
    Tournament,
    TreeContender,
    contenders,
    run_within,
)
from gamedsl.solvers.montecarlo.rates import rates_of, search_of_levels
from gamedsl.solvers.textbook.decision import Decision

FOR_MATCH = 1.5
"""Seconds of processor time for matches between contenders."""
FOR_MOVE = 0.3
"""Seconds in which a match that is broken off completes a move, on a busy machine."""


class MachineUct:
    """UCT for one game, or the contender that wins against UCT.

    Attributes:
        is_ready: whether machine code is compiled.
        is_possible: whether machine code may become ready.
        is_finished: whether the last search ended because nothing was left to search.
        for_match: processor time for matches between contenders, in seconds; 0: the preferred
            contender plays, on every machine.
    """

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.is_ready = self.is_finished = False
        self.for_match = FOR_MATCH
        self._rng = rng
        self._accelerator = machine_code_of(game)
        self.is_possible = not isinstance(self._accelerator, Refusal)
        self._search: Contender | None = None
        self._contenders: list[Contender] = []
        self._maker: Thread | None = None
        self._is_settled, self._hurries = Event(), Event()
        self._has_tree = self._can_keep = False

    @property
    def is_coming(self) -> bool:
        """Whether machine code is ready, or being compiled."""
        return self.is_ready or (self.is_possible and self._maker is not None)

    @property
    def name(self) -> str:
        """The name of the search."""
        return "UCT" if self._search is None else self._search.name

    def prepare(self, state: State, seconds: float | None = 0) -> None:
        """Compiles machine code on a thread; waits at most the given number of seconds (None: to
        the end). Behind these seconds matches are broken off: on a busy machine they would take
        the whole time."""
        if self._maker is None and self.is_possible:
            self._maker = Thread(target=self._make, args=(state, self.for_match), daemon=True)
            self._maker.start()
        if self._maker is not None and seconds != 0 and not self._is_settled.wait(seconds):
            self._hurries.set()
            self._is_settled.wait(FOR_MOVE)

    def _make(self, state: State, for_match: float) -> None:
        accelerator = self._accelerator
        assert not isinstance(accelerator, Refusal), "the accelerator was asked for"
        try:
            self._search = self._chosen(accelerator, state, for_match)
        except (UnsupportedGameError, GameRuleError):
            self._search = None  # plays in Python raise the error again
        finally:
            self.is_ready = self.is_possible = self._search is not None
            self._is_settled.set()
        if isinstance(self._search, TreeContender):
            self._search.prepare_to_keep(state)
            self._can_keep = True

    def _chosen(self, accelerator: Accelerator, state: State, for_match: float) -> Contender | None:
        """The contender that plays, compiled; None where machine code has none. Without a match the
        first; in a hurry, of the contenders compiled by then."""
        tree = accelerator.tree_search()
        if isinstance(tree, Refusal):
            return None
        self._contenders = contenders(
            self.game, self._rng, accelerator, tree, state, learns=for_match > 0
        )
        compiled: list[Contender] = []
        for contender in self._contenders:
            if compiled and (for_match == 0 or self._hurries.is_set()):
                break
            contender.start(state)
            contender.run(1)
            compiled.append(contender)
        if len(compiled) == 1:
            return compiled[0]
        tournament = Tournament(self.game, self._rng, accelerator, self._hurries.is_set)
        return tournament.stronger(compiled, state, for_match)

    def level_rates(self, state: State, levels: int) -> tuple[float, ...]:
        """Simulated plays of levels for each legal move, fitted from a position on, once compiled;
        () where matches between levels say nothing. The search becomes the stronger for the same
        number of positions. Later searches draw as if nothing was fitted: rates may be kept from an
        earlier run."""
        facts = self.game.facts
        is_rated = len(self.game.players) == 2 and facts.pays_at_the_end
        if self._search is None or isinstance(self._accelerator, Refusal) or not is_rated:
            return ()
        drawn = self._rng.getstate()
        self._search = search_of_levels(self.game, self._accelerator, self._contenders, state)
        rates = rates_of(self.game, self._accelerator, self._search, state, levels)
        self._rng.setstate(drawn)
        return rates

    def decide(
        self,
        state: State,
        limits: RunLimits,
        *,
        clock: Callable[[], float] = time.perf_counter,
        until: Callable[[int], bool] = lambda _: False,
    ) -> Decision:
        """The decision for the player to move, when prepared.

        Args:
            limits: with a number of steps, in a tree of their own; the time is by `clock`.
            until: called after every slice with the number of steps; True ends the search.
        """
        search = self._search
        assert search is not None, "the search is prepared"
        keeps = limits.steps is None and self._has_tree and self._can_keep
        search.start(state, keeps=keeps)
        self._has_tree = True
        _, self.is_finished = run_within(search.run, limits, clock, until)
        return search.decision()

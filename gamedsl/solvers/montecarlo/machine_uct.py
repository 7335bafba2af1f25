"""UCT by machine code: prepared by a thread, run in slices, within a time or a number of plays.

In: a game, a position, limits. Out: a `Decision`: the move tried most often, unless a proved value
is as good. Moves that are proved worse are not chosen. The tree is kept from position to position
of a play. Where the file has `evaluate`, a short match decides whether positions are estimated by
random plays or by `evaluate`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from random import Random
from threading import Thread

from gamedsl.game.accelerator import (
    Refusal,
    TreeMove,
    TreeOptions,
    TreeReport,
    TreeSearch,
    machine_code_of,
)
from gamedsl.game.contract import Game
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo.playouts import LONGEST_PLAYOUT, PATIENCE
from gamedsl.solvers.textbook.decision import Decision, RootMove

AT_ONCE = 0.01
"""Target seconds of a slice, after which limits are checked."""
MOST_AT_ONCE = 1 << 14
"""Greatest number of plays in a slice."""
FOR_MATCH = 0.8
"""Seconds of processor time for a match that decides between random plays and `evaluate`."""
FOR_MATCH_MOVE = 1 / 256
"""Share of the match for a move."""
LONGEST_MATCH = 120
"""Plies after which a game of the match has no winner."""
MOST_IN_MATCH = 64
"""Greatest number of plays in a slice of the match."""


class MachineUct:
    """UCT for one game.

    Attributes:
        is_ready: whether machine code is compiled.
        is_possible: whether machine code may become ready.
        is_finished: whether the last search ended because nothing was left to search.
    """

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.is_ready = self.is_finished = False
        self._rng = rng
        self._accelerator = machine_code_of(game)
        self.is_possible = not isinstance(self._accelerator, Refusal)
        self._search: TreeSearch | None = None
        self._maker: Thread | None = None
        self._has_tree = self._can_keep = False
        self._longest = LONGEST_PLAYOUT if game.facts.endless is None else PATIENCE
        """Plies after which a play is broken off."""

    @property
    def is_coming(self) -> bool:
        """Whether machine code is ready, or being compiled."""
        return self.is_ready or (self.is_possible and self._maker is not None)

    def prepare(
        self, state: State, seconds: float | None = 0, for_match: float = FOR_MATCH
    ) -> None:
        """Compiles machine code on a thread; waits at most the given number of seconds (None: to
        the end). A match takes at most `for_match` seconds of processor time."""
        if self._maker is None and self.is_possible:
            self._maker = Thread(target=self._make, args=(state, for_match), daemon=True)
            self._maker.start()
        if self._maker is not None and seconds != 0:
            self._maker.join(seconds)

    def _make(self, state: State, for_match: float) -> None:
        assert not isinstance(self._accelerator, Refusal), "the accelerator was asked for"
        try:
            search = self._accelerator.tree_search()
            if isinstance(search, Refusal):
                self.is_possible = False
                return
            search.start(state, self._options(keeps=False))
            search.run(1)
            if self._has_estimates() and not self._plays_are_better(search, state, for_match):
                self._longest = 0
        except (UnsupportedGameError, GameRuleError):
            self.is_possible = False  # plays in Python raise the error again
            return
        self._search, self.is_ready = search, True
        search.prepare_to_keep(state)
        self._can_keep = True

    def _options(self, *, keeps: bool, longest: int | None = None) -> TreeOptions:
        seed = self._rng.getrandbits(30)
        return TreeOptions(seed, self._longest if longest is None else longest, keeps=keeps)

    @property
    def name(self) -> str:
        """The name of the search."""
        return "UCT" if self._longest else "UCT with `evaluate`"

    def _has_estimates(self) -> bool:
        """Whether the file's `evaluate` may end a play: `evaluate` knows no rewards on the way."""
        return self.game.facts.has_evaluate and self.game.facts.pays_at_the_end

    def _plays_are_better(self, search: TreeSearch, state: State, seconds: float) -> bool:
        """Whether random plays win more games, from a state on, against the file's `evaluate`,
        within some seconds of processor time; False for a single player, without an opponent."""
        if len(self.game.players) == 1:
            return False
        ends = time.thread_time() + seconds
        score, first = 0, 0
        while time.thread_time() < ends:
            winner = self._winner(search, state, first, ends, FOR_MATCH_MOVE * seconds)
            score += 0 if winner is None else 1 if winner == first else -1
            first = 1 - first
        return score > 0

    def _winner(
        self, search: TreeSearch, state: State, first: int, ends: float, for_move: float
    ) -> int | None:
        """Which of the first two players is paid more in a game: the player `first` estimates by
        random plays, others by `evaluate`, `for_move` seconds each; None for neither, or without an
        end in time."""
        for _ in range(LONGEST_MATCH):
            if self.game.is_terminal(state):
                payoffs = self.game.utilities(state)
                return None if payoffs[0] == payoffs[1] else int(payoffs[1] > payoffs[0])
            if time.thread_time() > ends:
                return None
            mover = self.game.current_player(state)
            if mover < 0:
                chances = self.game.chance_outcomes(state)
                outcomes, weights = zip(*chances, strict=True)
                action = self._rng.choices(outcomes, [float(w) for w in weights])[0]
            else:
                longest = self._longest if mover == first else 0
                search.start(state, self._options(keeps=False, longest=longest))
                until, plays = time.thread_time() + for_move, 1
                while time.thread_time() < until and search.run(plays) == plays:
                    plays = min(2 * plays, MOST_IN_MATCH)
                action = _choice(search.report(), mover).action
            state = self.game.result(state, action)
        return None

    def decide(
        self,
        state: State,
        *,
        plays: int | None = None,
        ends: float | None = None,
        least: int = 1,
        patience: float = 0,
        clock: Callable[[], float] = time.perf_counter,
        until: Callable[[int], bool],
    ) -> Decision:
        """The decision for the player to move, when prepared.

        Args:
            plays: number of simulated plays, in a tree of their own.
            ends: the time at which the search ends, by `clock`.
            least, patience: seconds more where fewer plays than these have been simulated.
            until: called after every slice with the number of plays; True ends the search.
        """
        search = self._search
        assert search is not None, "the search is prepared"
        search.start(
            state, self._options(keeps=plays is None and self._has_tree and self._can_keep)
        )
        self._has_tree = True
        done, size = 0, 1
        while plays is None or done < plays:
            wanted = size if plays is None else min(size, plays - done)
            began = clock()
            did = search.run(wanted)
            now = clock()
            done += did
            late = 0 if done >= least else patience
            self.is_finished = did < wanted
            if self.is_finished or until(did) or (ends is not None and now >= ends + late):
                break
            if now - began < AT_ONCE / 2:
                size = min(2 * size, MOST_AT_ONCE)
            elif now - began > 2 * AT_ONCE:
                size = max(1, size // 2)
        return decision_of(self.game, state, search.report(), self.name)


def decision_of(game: Game, state: State, report: TreeReport, name: str = "UCT") -> Decision:
    """The decision that follows from a tree."""
    mover = game.current_player(state)
    chosen = _choice(report, mover)
    is_exact = chosen.low == chosen.high and all(
        move.high[mover] <= chosen.low[mover] for move in report.moves
    )
    moves = tuple(
        _root_move(game, state, move, chosen.low[mover] if is_exact else None, mover)
        for move in report.moves
        if move.visits or move is chosen
    )
    line, here = [], state
    actions = report.line if report.line[:1] == (chosen.action,) else (chosen.action,)
    for action in actions:
        line.append(game.action_name(here, action))
        here = game.result(here, action)
    value = chosen.low if is_exact else chosen.payoffs
    return Decision(
        name, value, chosen.action, moves, tuple(line), report.visits, report.visits,
        is_exact=is_exact, deepest=report.depth,
    )  # fmt: skip


def _choice(report: TreeReport, mover: int) -> TreeMove:
    """The move with the most plays of the open moves that are not proved worse; or a closed move,
    where the plays promise no more."""
    closed = [move for move in report.moves if move.is_closed]
    least = max(move.low[mover] for move in report.moves)
    waiting = [move for move in report.moves if not move.is_closed and move.high[mover] >= least]
    tried = max(waiting, key=lambda move: move.visits, default=None)
    known = max(closed, key=lambda move: (move.payoffs[mover], move.visits), default=None)
    if tried is None or not tried.visits:
        assert known or tried, "there is a move"
        return known or tried or report.moves[0]
    if known is not None and known.payoffs[mover] >= tried.payoffs[mover]:
        return known
    return tried


def _root_move(
    game: Game, state: State, move: TreeMove, best: Fraction | None, mover: int
) -> RootMove:
    """A move with its mean payoffs; with its proved payoffs, or a bound, where `best` is proved to
    be the value of the root."""
    value, is_bound = move.payoffs, False
    if move.low == move.high:
        value = move.low
    elif best is not None:
        value, is_bound = move.high, True
    name = game.action_name(state, move.action)
    return RootMove(move.action, name, value, is_bound=is_bound, visits=move.visits)

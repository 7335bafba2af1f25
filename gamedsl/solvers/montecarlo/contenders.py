"""The searches of machine code that can play a game, and matches between them.

In: a game and its accelerator. Out: `Contender`s: UCT with random plays, with plays that learn,
with the file's `evaluate`, and alpha-beta with `evaluate`; and of several contenders the stronger,
by a match from a position. Results of matches are kept with the compiled game, until they decide.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Protocol

from gamedsl.game.accelerator import (
    Accelerator,
    DepthReport,
    DepthSearch,
    Refusal,
    TreeMove,
    TreeOptions,
    TreeReport,
    TreeSearch,
)
from gamedsl.game.contract import Game
from gamedsl.game.steps import drawn_outcome, names_along
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo.playouts import LONGEST_PLAYOUT, PATIENCE
from gamedsl.solvers.montecarlo.waiting import actions_wait
from gamedsl.solvers.textbook.decision import Decision, RootMove
from gamedsl.source.keeping import keep, kept_json
from gamedsl.source.records import dataclass

FOR_MOVE = 1 / 400
"""Share of a match for a move..."""
LEAST_FOR_MOVE = 0.002
"""...but as many seconds at least."""
LONGEST_MATCH = 120
"""Plies after which a game of a match has no winner."""
MOST_STEPS = 1 << 10
"""Greatest number of steps in a slice of a match."""
CLEAR = 2.0
"""Standard deviations of chance by which the wins of one contender must exceed the other's."""
LEAST_LEAD = 4
"""Wins more, at least, that decide."""
ENOUGH_GAMES = 60
"""Games after which no more are played."""
AMAF_WORTH, EXPLORATION = 300, 0.2
"""Options of a tree where actions wait."""
KEPT = "contenders"
"""The name under which results are kept."""


class Contender(Protocol):
    """A search for one game.

    Attributes:
        name: of the search, for answers.
    """

    name: str

    def start(self, state: State, *, keeps: bool = False) -> None:
        """Makes a state the root; what is known from an earlier root may be kept."""

    def run(self, steps: int) -> int:
        """Simulates plays, or looks at positions; returns their number, smaller only where more
        would not change the decision."""

    def decision(self) -> Decision:
        """The decision so far; some steps are made where there is none."""


class Plays(Enum):
    """The plays of a tree and the name of the search: uniformly random, as in games whose actions
    wait (see `waiting`); by actions that have paid; or none."""

    RANDOM = "UCT"
    WAITING = "UCT with RAVE"
    LEARNING = "UCT with MAST"
    ESTIMATED = "UCT with `evaluate`"


class TreeContender:
    """UCT, with random plays to the end or, of length 0, with the file's `evaluate`."""

    def __init__(self, game: Game, rng: Random, search: TreeSearch, how: Plays) -> None:
        self.name = how.value
        self._game, self._rng, self._search = game, rng, search
        usual = LONGEST_PLAYOUT if game.facts.endless is None else PATIENCE
        longest = 0 if how is Plays.ESTIMATED else usual
        self._options = TreeOptions(0, longest)
        if how is Plays.WAITING:
            self._options = replace(self._options, amaf_worth=AMAF_WORTH, exploration=EXPLORATION)

    def start(self, state: State, *, keeps: bool = False) -> None:
        """As `Contender`."""
        options = replace(self._options, seed=self._rng.getrandbits(30), keeps=keeps)
        self._state = state
        self._search.start(state, options)

    def prepare_to_keep(self, state: State) -> None:
        """Compiles what `start` needs to keep what is known; may run beside a search."""
        self._search.prepare_to_keep(state)

    def run(self, steps: int) -> int:
        """As `Contender`, in plays."""
        return self._search.run(steps)

    def decision(self) -> Decision:
        """As `Contender`."""
        return decision_of(self._game, self._state, self._search.report(), self.name)


class DepthContender:
    """Alpha-beta with the file's `evaluate`, deeper and deeper."""

    name = "alpha-beta"

    def __init__(self, game: Game, search: DepthSearch) -> None:
        self._game, self._search = game, search

    def start(self, state: State, *, keeps: bool = False) -> None:
        """As `Contender`; the moves of an earlier search always help."""
        self._state = state
        self._search.start(state)

    def run(self, steps: int) -> int:
        """As `Contender`, in positions."""
        return self._search.run(steps)

    def decision(self) -> Decision:
        """As `Contender`."""
        while (report := self._search.report()) is None:
            self._search.run(MOST_STEPS)
        return _depth_decision(self._game, self._state, report)


def contenders(
    game: Game, rng: Random, accelerator: Accelerator, tree: TreeSearch, root: State, *,
    learns: bool = True,
) -> list[Contender]:  # fmt: skip
    """The searches that can play a game from a position on, the preferred first: where the file has
    `evaluate`, plays have to win a match. Where actions wait, all moves as first have told what
    plays would learn. `learns`: plays that learn, stronger in most games, are among the searches.
    """
    several: list[Contender] = []
    if game.facts.has_evaluate and game.facts.pays_at_the_end:
        depths = accelerator.depth_search()
        several += [] if isinstance(depths, Refusal) else [DepthContender(game, depths)]
        several.append(TreeContender(game, rng, tree, Plays.ESTIMATED))
    waits = actions_wait(game, root)
    if learns and len(game.players) > 1 and not waits:
        learner = accelerator.tree_search(learns=True)
        if not isinstance(learner, Refusal):
            several.append(TreeContender(game, rng, learner, Plays.LEARNING))
    several.append(TreeContender(game, rng, tree, Plays.WAITING if waits else Plays.RANDOM))
    return several if len(game.players) > 1 else several[:1]  # else there is no opponent


class Tournament:
    """Matches between contenders, whose results are kept with the compiled game; they are broken
    off where `hurries`."""

    def __init__(
        self,
        game: Game,
        rng: Random,
        accelerator: Accelerator,
        hurries: Callable[[], bool] = lambda: False,
    ) -> None:
        self._game, self._rng = game, rng
        self._notes = accelerator.note_file(KEPT)
        self._tallies = _tallies_in(kept_json(self._notes))
        self._hurries = hurries

    def stronger(self, several: list[Contender], state: State, seconds: float) -> Contender:
        """The winner: each contender plays the best before it from a state on, and has to win. All
        matches take at most `seconds` of processor time."""
        best = several[0]
        for number, other in enumerate(several[1:], 1):
            begun = time.thread_time()
            share = seconds / (len(several) - number)
            one, challenger = self._tally(best, other, state, share)
            if challenger > one:
                best = other
            seconds -= time.thread_time() - begun
        if self._tallies:
            keep(self._notes, json.dumps(self._tallies).encode())
        return best

    def _tally(
        self, one: Contender, other: Contender, state: State, seconds: float
    ) -> Sequence[int]:
        """The points of both, 2 for a win and 1 for a draw, after more games where those kept do
        not decide."""
        tally = self._tallies.setdefault(f"{one.name}, {other.name}", [0, 0])
        ends = time.thread_time() + seconds
        first = sum(tally) // 2 % 2
        while not self._is_over(ends) and not _is_decided(*tally):
            pair = (other, one) if first else (one, other)
            points = self._points(pair, state, ends, max(LEAST_FOR_MOVE, FOR_MOVE * seconds))
            for side, gained in enumerate(points):
                tally[side ^ first] += gained
            first = 1 - first
        return tally

    def _is_over(self, ends: float) -> bool:
        return time.thread_time() > ends or self._hurries()

    def _points(
        self, pair: tuple[Contender, Contender], state: State, ends: float, for_move: float
    ) -> tuple[int, int]:
        """The points of the first two players in a game: the first contender plays for the first
        player, the second for all others, `for_move` seconds each; none without an end in time."""
        game = self._game
        for _ in range(LONGEST_MATCH):
            if game.is_terminal(state):
                payoffs = game.utilities(state)
                ahead = (payoffs[0] > payoffs[1]) - (payoffs[0] < payoffs[1])
                return 1 + ahead, 1 - ahead
            if self._is_over(ends):
                return 0, 0
            mover = game.current_player(state)
            if mover < 0:
                action = drawn_outcome(game, state, self._rng)
            else:
                action = _quick_choice(pair[min(mover, 1)], state, for_move)
            state = game.result(state, action)
        return 1, 1


def _tallies_in(kept: object) -> dict[str, list[int]]:
    """Points of each of two contenders; of a damaged file none."""
    items = kept.items() if isinstance(kept, dict) else ()
    return {
        pair: tally
        for pair, tally in items
        if isinstance(tally, list)
        and len(tally) == 2
        and all(type(games) is int and games >= 0 for games in tally)
    }


def _is_decided(one: int, other: int) -> bool:
    games, lead = (one + other) // 2, abs(one - other) / 2
    return games >= ENOUGH_GAMES or lead >= max(LEAST_LEAD, CLEAR * sqrt(games))


def _quick_choice(contender: Contender, state: State, seconds: float) -> int:
    contender.start(state)
    until, steps = time.thread_time() + seconds, 1
    while time.thread_time() < until and contender.run(steps) >= steps:
        steps = min(2 * steps, MOST_STEPS)
    action = contender.decision().action
    assert isinstance(action, int), "a player is to move"
    return action


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of a run.

    Attributes:
        steps: plays or positions.
        ends: the time at which the search ends.
        least, patience: seconds more where fewer steps than these were made.
    """

    steps: int | None = None
    ends: float | None = None
    least: int = 1
    patience: float = 0


AT_ONCE = 0.01
"""Target seconds of a slice, after which limits are checked."""
MOST_AT_ONCE = 1 << 14
"""Greatest number of steps in a slice."""


def run_within(
    run: Callable[[int], int],
    limits: RunLimits,
    clock: Callable[[], float],
    until: Callable[[int], bool] = lambda _: False,
) -> tuple[int, bool]:
    """Steps made within limits, and whether nothing was left to do.

    Args:
        run: makes steps; returns their number, smaller than asked where nothing is left.
        until: called after every slice with the number of steps; True ends the run.
    """
    done, size = 0, 1
    while limits.steps is None or done < limits.steps:
        wanted = size if limits.steps is None else min(size, limits.steps - done)
        began = clock()
        did = run(wanted)
        now = clock()
        done += did
        late = 0 if done >= limits.least else limits.patience
        if did < wanted:
            return done, True
        if until(did) or (limits.ends is not None and now >= limits.ends + late):
            break
        if now - began < AT_ONCE / 2:
            size = min(2 * size, MOST_AT_ONCE)
        elif now - began > 2 * AT_ONCE:
            size = max(1, size // 2)
    return done, False


def _depth_decision(game: Game, state: State, report: DepthReport) -> Decision:
    """The decision of alpha-beta. Where positions may repeat, the table forgets how play came to a
    position, and nothing is proved."""
    names = names_along(game, state, report.line)
    moves = tuple(
        RootMove(move.action, game.action_name(state, move.action), move.value, move.is_bound)
        for move in report.moves
    )
    return Decision(
        DepthContender.name, report.value, report.line[0], moves, names, report.nodes,
        report.leaves, is_exact=report.is_final and not game.facts.repeats,
        depth=max(1, report.depth),
    )  # fmt: skip


def decision_of(game: Game, state: State, report: TreeReport, name: str = "UCT") -> Decision:
    """The decision that follows from a tree."""
    mover = game.current_player(state)
    chosen = chosen_move(report, mover)
    is_exact = chosen.low == chosen.high and all(
        move.high[mover] <= chosen.low[mover] for move in report.moves
    )
    moves = tuple(
        _root_move(game, state, move, chosen.low[mover] if is_exact else None)
        for move in report.moves
        if move.visits or move is chosen
    )
    actions = report.line if report.line[:1] == (chosen.action,) else (chosen.action,)
    line = names_along(game, state, actions)
    value = chosen.low if is_exact else chosen.payoffs
    return Decision(
        name, value, chosen.action, moves, line, report.visits, report.visits,
        is_exact=is_exact, deepest=report.depth,
    )  # fmt: skip


def chosen_move(report: TreeReport, mover: int) -> TreeMove:
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


def _root_move(game: Game, state: State, move: TreeMove, best: Fraction | None) -> RootMove:
    """A move with its mean payoffs; with its proved payoffs, or a bound, where `best` is proved to
    be the value of the root."""
    value, is_bound = move.payoffs, False
    if move.low == move.high:
        value = move.low
    elif best is not None:
        value, is_bound = move.high, True
    name = game.action_name(state, move.action)
    return RootMove(move.action, name, value, is_bound=is_bound, visits=move.visits)

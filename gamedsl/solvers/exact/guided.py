"""Best-first search for one play that pays every player the most, in Python, by several guesses.

In: a game without chance, a state. Out: a `ShortestPlay`, or None. The best payoff of the rules
bounds the value of a puzzle, so that a play to it is a proof, and a play that pays each of several
players the most is an equilibrium; guesses about the way need no proof. Each attempt follows
another guess, with more positions in each round; depth-first attempts begin anew:

* cells that can change once are to be filled: the cell that the fewest moves change first, and not
  at all where a cell can no longer change (fail first: R. Haralick and G. Elliott, "Increasing tree
  search efficiency for constraint satisfaction problems", Artificial Intelligence 14, 1980);
* the position with the fewest moves first (Warnsdorff's rule for knight's tours, 1823);
* the least distance to the best payoff (`model.rewriting.goals`), then the longest play;
* the least sum of the distance and a share of the plies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from random import Random
from typing import Protocol, runtime_checkable

from gamedsl.game.accelerator import ShortestPlay
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import actions_at, count_of_actions
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import State
from gamedsl.solvers.exact.puzzle import is_to_be_found
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.requirements import BY_BEST_PLAY, refuse_unless
from gamedsl.source.records import dataclass

ROUNDS = tuple(2_000 << number for number in range(7))
"""Positions of each attempt, by round."""
LATER = 2
"""The round in which distances are compiled."""
LOOK = 64
"""Successors of a position between two looks at the limits."""
PLIES = 4
"""Plies that count as much as a failing test."""
Distance = Callable[[State], int]
Key = tuple[int, int]


@runtime_checkable
class OffersDistance(Protocol):
    """A game that measures how far a state is from the best payoff; the method is optional."""

    def distance(self) -> Distance | None:
        """The number of a state that falls towards the best payoff; None if none is known."""


@dataclass(frozen=True, slots=True)
class _Met:
    """A position on the heap: how it was reached, and, where cells are to be filled, the cells
    that could change before."""

    state: State
    plies: int
    line: _Met | None
    action: Action | JointAction
    could_change: frozenset[int] = frozenset()


Guess = Callable[[_Met, list[_Met]], Iterator[tuple[Key, _Met]]]
"""The successors of a position that are worth a look, each with its rank on the heap."""


class _Attempt:
    """A search by one guess: the heap of positions to be expanded, and all positions met."""

    def __init__(self, guess: Guess, root: State, seed: int) -> None:
        self.guess = guess
        self.heap = [((0, 0), 0.0, 0, _Met(root, 0, None, 0))]
        self._seen = {root}
        self._random = Random(seed)

    def push(self, key: Key, met: _Met) -> None:
        """Put a position on the heap, unless it was met before; ties are broken at random."""
        if met.state not in self._seen:
            self._seen.add(met.state)
            heappush(self.heap, (key, self._random.random(), len(self._seen), met))


def guided_play(
    game: Game, root: State, *, max_positions: int | None = None, progress: Progress | None = None
) -> ShortestPlay | None:
    """A play to an ending that pays `facts.best_payoffs`; None if none is met, or if the best
    payoff of a puzzle is a loss.

    Successors in which the rules fail are left out. Raises UnsupportedGameError for opposed
    interests, chance, secrets and payments on the way, and the errors of `progress`.
    """
    refuse_unless(game, BY_BEST_PLAY)
    if not is_to_be_found(game):
        return None
    search = _Search(game, root, progress)
    going_on: list[_Attempt] = []
    for number, most in enumerate(ROUNDS):
        anew = [_Attempt(guess, root, number) for guess in (search.filling, search.fewest)]
        distance = game.distance() if number == LATER and isinstance(game, OffersDistance) else None
        if distance is not None:
            guesses = search.nearest(distance), search.nearest(distance, PLIES)
            going_on = [_Attempt(guess, root, number) for guess in guesses]
        for attempt in (*anew, *going_on):
            if max_positions is not None and search.explored + most > max_positions:
                return None
            goal = search.run(attempt, most)
            if goal is not None:
                name = SolverName.BEST_FIRST
                return ShortestPlay(_line_to(goal), (), search.explored, search.endings, (), name)
    return None


def _line_to(met: _Met) -> tuple[Action | JointAction, ...]:
    line = []
    while met.line is not None:
        line.append(met.action)
        met = met.line
    return tuple(reversed(line))


class _Search:
    """Attempts to find a play; counts of positions and endings over all attempts."""

    def __init__(self, game: Game, root: State, progress: Progress | None) -> None:
        self.game = game
        self.root = root
        self.progress = progress
        self.explored = 1
        self.endings = 0
        self.failures: dict[int, int] = {}
        """By cell, how often it could no longer change, plus 1."""

    def run(self, attempt: _Attempt, most: int) -> _Met | None:
        """The ending of a play to the best payoff, if met within `most` further positions."""
        last = self.explored + most
        while attempt.heap and self.explored < last:
            met = heappop(attempt.heap)[-1]
            successors = self._successors(met, last - self.explored)
            if isinstance(successors, _Met):
                return successors
            for key, child in attempt.guess(met, successors):
                attempt.push(key, child)
            if self.progress is not None:
                self.progress(self.explored, len(attempt.heap))
        return None

    def _successors(self, met: _Met, most: int) -> list[_Met] | _Met:
        """The successors that are no endings, or an ending with the best payoff; none of a position
        with more than `most` actions."""
        game, successors = self.game, list[_Met]()
        if self._count(met.state) > most:
            return successors
        for number, action in enumerate(self._actions(met.state)):
            self.explored += 1
            if self.progress is not None and number % LOOK == 0:
                self.progress(self.explored, len(successors))
            try:
                child = _Met(game.result(met.state, action), met.plies + 1, met, action)
                is_over = game.is_terminal(child.state)
                payoffs = tuple(game.utilities(child.state)) if is_over else ()
            except GameRuleError:
                continue
            if not is_over:
                successors.append(child)
                continue
            self.endings += 1
            if payoffs == game.facts.best_payoffs:
                return child
        return successors

    def _actions(self, state: State) -> Sequence[Action | JointAction]:
        """The legal actions, or joint actions; none where the rules fail."""
        try:
            return actions_at(self.game, state)
        except GameRuleError:
            return ()

    def _count(self, state: State) -> int:
        """The number of legal actions, or joint actions; 0 where the rules fail."""
        try:
            return count_of_actions(self.game, state)
        except GameRuleError:
            return 0

    def filling(self, met: _Met, successors: list[_Met]) -> Iterator[tuple[Key, _Met]]:
        """The successors that change the cell that the fewest change, among cells as in the first
        position; none where such a cell could change before, and no longer can."""
        first, cells = self.root.cells, met.state.cells
        changing: dict[int, list[_Met]] = {}
        for child in successors:
            for number, (before, after) in enumerate(zip(cells, child.state.cells, strict=True)):
                if before != after and before == first[number]:
                    changing.setdefault(number, []).append(child)
        could, failures = met.could_change or frozenset(changing), self.failures
        for number in could:
            if number not in changing and cells[number] == first[number]:
                failures[number] = failures.get(number, 1) + 1
                return
        cell = min(
            changing, key=lambda cell: len(changing[cell]) / failures.get(cell, 1), default=-1
        )
        for child in changing.get(cell, successors):
            moves = self._count(child.state)
            yield (-child.plies, -moves), replace(child, could_change=could)

    def fewest(self, met: _Met, successors: list[_Met]) -> Iterator[tuple[Key, _Met]]:
        """Depth first, the successor with the fewest moves first."""
        for child in successors:
            yield (-child.plies, self._count(child.state)), child

    def nearest(self, distance: Distance, share: int = 0) -> Guess:
        """The least distance first, or the least sum of distance and plies, if `share` plies
        count as much as a failing test."""

        def guess(met: _Met, successors: list[_Met]) -> Iterator[tuple[Key, _Met]]:
            for child in successors:
                try:
                    tests = distance(child.state)
                except GameRuleError:
                    continue
                yield (share * tests + child.plies if share else tests, -child.plies), child

        return guess

"""Finds forced wins and losses: alpha-beta proofs for each move, without an evaluation.

In: a game of one player, or of two with opposed interests, without chance; a position; limits. Out:
a proved decision, or the moves that lose by force. Each move is searched separately with increasing
depth, since a joint search proves of most moves only that they are not better.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import perf_counter

from gamedsl.game.contract import Action, Game
from gamedsl.game.steps import actions_at
from gamedsl.model.state import State
from gamedsl.solvers.requirements import refuse_unless
from gamedsl.solvers.textbook import minimax
from gamedsl.solvers.textbook.decision import Decision, RootMove
from gamedsl.solvers.textbook.iterative_deepening import iterative_deepening_search
from gamedsl.source.records import dataclass

REQUIRES = minimax.REQUIRES
DEEPEST = 12
"""Greatest search depth, in plies."""


@dataclass(frozen=True, slots=True)
class Tactics:
    """The proofs: a decision, or None; and the moves that lose by force."""

    decision: Decision | None
    lost: frozenset[Action]


def tactics(
    game: Game,
    state: State,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    clock: Callable[[], float] = perf_counter,
    until: Callable[[], bool] | None = None,
) -> Tactics:
    """Searches for forced wins and losses of the player to move, within `nodes` or `seconds`, until
    `until` returns True.

    Raises:
        UnsupportedGameError: alpha-beta does not apply to the game.
    """
    refuse_unless(game, REQUIRES, instead=minimax.INSTEAD)
    search = _Tactics(game, state, nodes, clock, until)
    deadline = None if seconds is None else clock() + seconds
    for depth in range(1, DEEPEST + 1):
        for place, action in enumerate(tuple(search.open)):
            left = None if deadline is None else deadline - clock()
            is_over = search.nodes_left == 0 or (until is not None and until())
            if is_over or (left is not None and left <= 0):
                return Tactics(None, frozenset(search.lost))
            waiting = len(search.open) - place
            search.examine(action, depth, None if left is None else left / max(1, waiting))
            if search.won is not None or not search.open:
                return Tactics(search.decision(depth), frozenset(search.lost))
    return Tactics(None, frozenset(search.lost))


class _Tactics:
    def __init__(
        self, game: Game, state: State, nodes: int | None, clock: Callable[[], float],
        until: Callable[[], bool] | None,
    ) -> None:  # fmt: skip
        low, high = game.facts.utility_bounds
        mover = game.current_player(state)
        self.game, self.state = game, state
        self.middle = (low + high) / 2
        self.best, self.worst = (high, low) if game.facts.are_partners(0, mover) else (low, high)
        self.nodes, self.nodes_left = 0, nodes
        self.clock, self.until = clock, until
        self.open: list[Action] = list(actions_at(game, state))  # type: ignore[arg-type]
        self.lost: list[Action] = []
        self.won: Action | None = None
        self.lines: dict[Action, tuple[str, ...]] = {}

    def examine(self, action: Action, depth: int, seconds: float | None) -> None:
        """Searches the position after an action to the given depth; proofs are noted."""
        after = self.game.result(self.state, action)
        value, line = self._value(after, depth - 1, seconds)
        if value not in {self.best, self.worst}:
            return
        self.lines[action] = (self.game.action_name(self.state, action), *line)
        if value == self.best:
            self.won = action
        else:
            self.open.remove(action)
            self.lost.append(action)

    def _value(
        self, state: State, depth: int, seconds: float | None
    ) -> tuple[Fraction, tuple[str, ...]]:
        """The first player's payoff if proved, else the middle payoff; and the line."""
        if self.game.is_terminal(state):
            self._count(1)
            return self.game.utility(state, 0), ()
        if not depth:
            return self.middle, ()
        decision = iterative_deepening_search(
            self.game, state, nodes=self.nodes_left, seconds=seconds, deepest=depth,
            evaluation=lambda _: self.middle, clock=self.clock, until=self.until,
        )  # fmt: skip
        self._count(decision.nodes)
        assert isinstance(decision.value, Fraction), "alpha-beta gives numbers"
        return decision.value, decision.line

    def _count(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes_left is not None:
            self.nodes_left = max(0, self.nodes_left - nodes)

    def decision(self, depth: int) -> Decision:
        """The win, or, where every move loses, the move proved to lose last."""
        action = self.lost[-1] if self.won is None else self.won
        value = self.worst if self.won is None else self.best
        known = [*self.lost, *([] if self.won is None else [self.won])]
        moves = tuple(
            RootMove(move, self.lines[move][0], self.best if move == self.won else self.worst)
            for move in known
        )
        line = self.lines[action]
        return Decision("alpha-beta", value, action, moves, line, self.nodes, 0, depth=depth)

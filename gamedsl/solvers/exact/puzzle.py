"""Shortest solutions of puzzles: one player, no chance.

In: a game. Out: a `ShortestSolution`, or None where the best payoff of the rules is unreachable, or
no win and therefore no reason to hurry. Breadth-first search (AIMA 3rd ed., figure 3.11) from one
state stops at the first ending that pays the most. No intermediate state is valued, which proves
less than a solution of the whole graph but costs less. Afterwards the search tests whether the
remaining first actions lead to the best payoff too, at the cost of about twice as many states.
Where native code gives the play, `of_play` adds the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from fractions import Fraction

from gamedsl.game.accelerator import ShortestPlay
from gamedsl.game.contract import Action, Game
from gamedsl.model.state import State
from gamedsl.solvers.exact.constant_sum import delays
from gamedsl.solvers.graphs.graph import (
    DEFAULT_MAX_POSITIONS,
    REPORT_EVERY,
    OutOfBudgetError,
    OutOfTimeError,
    Progress,
)
from gamedsl.solvers.requirements import BY_ONE_PLAY, refuse_unless
from gamedsl.source.records import dataclass

FEW_STATES = 10_000
"""Number of states always searched to compare first actions."""
MOST_COMPARED = 100_000
"""Greatest number of states searched to compare first actions where native code has searched
more."""


@dataclass(frozen=True, slots=True)
class ShortestSolution:
    """A shortest way to the best payoff.

    Attributes:
        payoff: the best payoff that the rules can pay.
        line: the actions, in order.
        first_actions: all first actions of shortest solutions, ascending.
        detours: further first actions that reach the best payoff, in more plies.
        undecided: first actions whose search grew too large for a decision.
        explored: states discovered on the way, the endings among them.
        endings: number of endings among them.
    """

    payoff: Fraction
    line: tuple[Action, ...]
    first_actions: tuple[Action, ...]
    detours: tuple[Action, ...]
    undecided: tuple[Action, ...]
    explored: int
    endings: int


def shortest_solution(
    game: Game,
    root: State | None = None,
    *,
    max_positions: int = DEFAULT_MAX_POSITIONS,
    progress: Progress | None = None,
) -> ShortestSolution | None:
    """The shortest play from `root` to an ending that pays `facts.utility_bounds[1]`.

    None if every reachable state was searched in vain, or if the best payoff is a loss: endings
    that pay less, endless play, and delaying then need a solver of the whole graph.

    Raises:
        UnsupportedGameError: the game has several players, chance or secrets.
        OutOfBudgetError: more than `max_positions` states were discovered before a solution.
    """
    refuse_unless(game, BY_ONE_PLAY)
    start = game.initial_state() if root is None else root
    if not is_to_be_found(game):
        return None
    play = _Search(game, start, max_positions, progress).run()
    return of_play(game, start, play, progress, max(FEW_STATES, 2 * play.explored))


def is_to_be_found(game: Game) -> bool:
    """Whether the best payoff of the rules is worth hurrying for; for several players it is, as no
    play, endless play included, pays more."""
    return len(game.players) > 1 or not delays(
        (game.facts.utility_bounds[1],), 0, game.facts.endless or (Fraction(0),)
    )


def of_play(
    game: Game,
    root: State,
    play: ShortestPlay,
    progress: Progress | None = None,
    most: int | None = None,
) -> ShortestSolution | None:
    """The solution given by a shortest play; None without a play. `most`: states searched to
    compare first actions; None: a number suited to plays of native code.
    """
    if play.line is None:
        return None
    states, best = [root], game.facts.utility_bounds[1]
    for action in play.actions:
        states.append(game.result(states[-1], action))
    actions = game.legal_actions(root) if play.line else ()
    first = tuple(actions[place] for place in play.firsts)
    if most is None:
        most = max(FEW_STATES, min(2 * play.explored, MOST_COMPARED))
    reach = _Reach(game, best, progress, play.explored, set(states), most)
    detours, undecided = reach.among(root, [action for action in actions if action not in first])
    return ShortestSolution(
        best, play.actions, first, detours, undecided, play.explored, play.endings
    )


class _Search:
    """Search level by level; per state of a level the first actions of shortest plays, as bits."""

    def __init__(
        self, game: Game, root: State, max_positions: int, progress: Progress | None
    ) -> None:
        self.game = game
        self.root = root
        self.max_positions = max_positions
        self.progress = progress
        self.best = game.facts.utility_bounds[1]
        self.parents: dict[State, State | None] = {root: None}
        self.endings = 0
        self.expanded = 0

    def run(self) -> ShortestPlay:
        level = {self.root: 0}
        while level:
            solved = [state for state in level if self._is_solved(state)]
            if solved:
                bits = 0
                for state in solved:
                    bits |= level[state]
                firsts = (place for place in range(bits.bit_length()) if bits >> place & 1)
                return self._play(self._line_to(solved[0]), tuple(firsts))
            level = self._next(level)
        return self._play(None, ())

    def _play(self, line: tuple[Action, ...] | None, firsts: tuple[int, ...]) -> ShortestPlay:
        return ShortestPlay(line, firsts, len(self.parents), self.endings, (), "")

    def _is_solved(self, state: State) -> bool:
        if not self.game.is_terminal(state):
            return False
        self.endings += 1
        return self.game.utility(state, 0) == self.best

    def _next(self, level: dict[State, int]) -> dict[State, int]:
        game, parents = self.game, self.parents
        following: dict[State, int] = {}
        for state, bits in level.items():
            for position, action in enumerate(game.legal_actions(state)):
                child = game.result(state, action)
                if child in following:
                    following[child] |= bits or 1 << position
                elif child not in parents:
                    parents[child] = state
                    following[child] = bits or 1 << position
            self._count()
        return following

    def _count(self) -> None:
        self.expanded += 1
        waiting = len(self.parents) - self.expanded
        if len(self.parents) > self.max_positions:
            raise OutOfBudgetError(self.max_positions, self.expanded, waiting)
        if self.progress is not None and self.expanded % REPORT_EVERY == 0:
            self.progress(self.expanded, waiting)

    def _line_to(self, goal: State) -> tuple[Action, ...]:
        line: list[Action] = []
        child, parent = goal, self.parents[goal]
        while parent is not None:
            line.append(self._action_between(parent, child))
            child, parent = parent, self.parents[parent]
        return tuple(reversed(line))

    def _action_between(self, parent: State, child: State) -> Action:
        actions = self.game.legal_actions(parent)
        return next(action for action in actions if self.game.result(parent, action) == child)


@dataclass(slots=True)
class _Reach:
    """Tests whether the best payoff is reachable, for one state after the next.

    Attributes:
        good, dead: states from which the best payoff is reachable, and unreachable.
        left: how many states may yet be looked at.
    """

    game: Game
    best: Fraction
    progress: Progress | None
    explored: int
    good: set[State]
    left: int
    dead: set[State] = field(default_factory=set)

    def among(
        self, root: State, actions: Iterable[Action]
    ) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
        """The actions after which the best payoff is reachable, and the undecided actions."""
        after = {action: self.leads(self.game.result(root, action)) for action in actions}
        return (
            tuple(action for action, leads in after.items() if leads),
            tuple(action for action, leads in after.items() if leads is None),
        )

    def leads(self, start: State) -> bool | None:
        """Whether the best payoff is reachable; None if too many states are needed for a
        decision."""
        parents: dict[State, State | None] = {start: None}
        queue = [start]
        for state in queue:
            if self._is_good(state):
                self._remember(state, parents)
                return True
            if not self._may_go_on():
                return None
            for action in self.game.legal_actions(state):
                child = self.game.result(state, action)
                if child not in parents and child not in self.dead:
                    parents[child] = state
                    queue.append(child)
        self.dead.update(parents)
        return False

    def _may_go_on(self) -> bool:
        """Whether one more state may be searched."""
        self.left -= 1
        if self.progress is not None and self.left % REPORT_EVERY == 0:
            try:
                self.progress(self.explored, 0)
            except OutOfTimeError:
                self.left = 0
        return self.left > 0

    def _is_good(self, state: State) -> bool:
        if state in self.good:
            return True
        return self.game.is_terminal(state) and self.game.utility(state, 0) == self.best

    def _remember(self, state: State | None, parents: dict[State, State | None]) -> None:
        while state is not None:
            self.good.add(state)
            state = parents[state]

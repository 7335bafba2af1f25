"""Perft by merging: counts the plays of a given length, move by move, with equal positions merged.

In: a game, a state, a depth. Out: counts. Different ways to a position are counted separately;
equal positions of one depth are expanded once. Perft is the standard measure for comparing move
generators (the name comes from Crafty, "performance test, move path enumeration").

Conventions: a leaf is a position at exactly the given depth, and a game that ends earlier counts
only at the depth of the ending. (Othello tables often count a finished game at every later depth;
the two counts differ from the first depth with finished games.) A chance event is not a ply: the
outcomes multiply the count. Where all players choose at once, every joint action counts and is one
ply.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import actions_at, choices_at
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.solvers.graphs.graph import REPORT_EVERY, OutOfBudgetError, Progress
from gamedsl.solvers.interruptible import keeping
from gamedsl.source.records import dataclass

Level = dict[State, int]
"""Positions with the number of plays that lead to each position."""


def merged_perft(
    game: Game,
    state: State | None = None,
    depth: int = 1,
    *,
    turns: bool = False,
    progress: Progress | None = None,
    is_enough: Callable[[int, int], bool] | None = None,
    max_positions: int | None = None,
) -> tuple[int, ...]:
    """The number of plays at each depth from 0 to `depth`, from `state` (default: S0).

    `is_enough` is called before every depth with the number of positions at the previous depth and
    the number of plays leading to them; if true, the counts end there. At most `max_positions` are
    expanded, with equal positions of different depths counted each time.

    Depth counts plies, or, with `turns`, changes of the player to move (an ending completes the
    turn), so that the jumps of one capture in draughts count as one.

    Raises:
        UnsupportedGameError: `turns`, but one turn can go on for ever.
        OutOfBudgetError: counting needs more than `max_positions`.
        ValueError: the depth is negative.
        BrokenOff: counting was interrupted; with the counts of the smaller depths.
    """
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    counting = _Counting(game, turns, progress, max_positions)
    level = counting.settled({game.initial_state() if state is None else state: 1})
    counts = [sum(level.values())]
    with keeping(counts):
        for ply in range(1, depth + 1):
            if not level:
                return (*counts, *(0 for _ in range(ply, depth + 1)))
            if is_enough is not None and is_enough(len(level), counts[-1]):
                break
            if ply == depth:
                counts.append(counting.plays(level, 1))
            else:
                level = counting.deeper(level)
                counts.append(sum(level.values()))
    return tuple(counts)


def merged_divide(
    game: Game,
    state: State | None = None,
    depth: int = 1,
    *,
    turns: bool = False,
    progress: Progress | None = None,
) -> tuple[tuple[str, int], ...]:
    """For every action in `state` the name and the number of plays at `depth` beginning with the
    action.

    Where the game begins with a chance event the outcomes are listed instead, each with the plays
    at `depth` after the outcome. The counts add up to `merged_perft(...)[depth]`.

    Raises: as `merged_perft`; ValueError also if the depth is 0.
    """
    if depth < 1:
        raise ValueError(f"depth {depth} divides nothing; it must be at least 1")
    root = game.initial_state() if state is None else state
    counting = _Counting(game, turns, progress)
    is_chance = game.current_player(root) == CHANCE
    rows: list[tuple[str, int]] = []
    with keeping(rows):
        for action in counting.branches(root):
            level = counting.settled({game.result(root, action): 1})
            if turns and not is_chance:
                level = counting.rest_of_turn(root, level)
            plays = counting.plays(level, depth if is_chance else depth - 1)
            rows.append((game.action_name(root, action), plays))
    return tuple(rows)


@dataclass(slots=True)
class _Counting:
    """One count: the game, whether depth means turns, and the progress."""

    game: Game
    turns: bool
    progress: Progress | None
    max_positions: int | None = None
    expanded: int = 0

    def branches(self, state: State) -> tuple[Action, ...] | tuple[JointAction, ...]:
        """The actions of a state, or the outcomes of a chance event."""
        self._report()
        return choices_at(self.game, state)

    def count_actions(self, state: State) -> int:
        """Number of branches of a state that is no chance event."""
        self._report()
        if self.game.is_terminal(state):
            return 0
        if self.game.current_player(state) == SIMULTANEOUS:
            return prod(len(self.game.legal_actions(state, player)) for player in self.game.players)
        return len(actions_at(self.game, state))

    def _report(self) -> None:
        if self.expanded == self.max_positions:
            raise OutOfBudgetError(self.expanded, self.expanded, 0)
        self.expanded += 1
        if self.progress is not None and self.expanded % REPORT_EVERY == 0:
            self.progress(self.expanded, 0)

    def settled(self, level: Level) -> Level:
        """The level with every chance event replaced by the outcomes."""
        while self.game.facts.has_chance:
            events = [state for state in level if self.game.current_player(state) == CHANCE]
            if not events:
                break
            for state in events:
                plays = level.pop(state)
                for outcome, _ in self.game.chance_outcomes(state):
                    child = self.game.result(state, outcome)
                    level[child] = level.get(child, 0) + plays
        return level

    def plays(self, level: Level, depth: int) -> int:
        """Number of plays longer by `depth`; the last ply is counted without carrying out moves, if
        possible."""
        is_counted = depth > 0 and not self.turns and not self.game.facts.has_chance
        for _ in range(depth - 1 if is_counted else depth):
            level = self.deeper(level)
        if is_counted:
            return sum(n * self.count_actions(state) for state, n in level.items())
        return sum(level.values())

    def deeper(self, level: Level) -> Level:
        """The positions one ply, or one turn, later."""
        return self._turn(level) if self.turns else self._ply(level)

    def _ply(self, level: Level) -> Level:
        following: Level = {}
        for state, plays in level.items():
            for action in self.branches(state):
                child = self.game.result(state, action)
                following[child] = following.get(child, 0) + plays
        return self.settled(following)

    def _turn(self, level: Level) -> Level:
        """The positions after one whole turn, with each state's mover playing until the turn
        passes."""
        finished: Level = {}
        for state, plays in level.items():
            if not self.game.is_terminal(state):
                _add(finished, self.rest_of_turn(state, self._ply({state: plays})))
        return finished

    def rest_of_turn(self, start: State, level: Level) -> Level:
        """Plays on from `level`, reached by a move in `start`, until the player to move changes."""
        after: dict[State, Level] = {}
        order = self._order_of_turn(start, level, after)
        plays = dict(level)
        for state in reversed(order):
            here = plays.pop(state)
            _add(
                plays, {child: here * multiplicity for child, multiplicity in after[state].items()}
            )
        return plays

    def _is_within(self, start: State, state: State) -> bool:
        """Whether the turn is unchanged; after a change of the mover, `end` is not evaluated."""
        mover = self.game.current_player
        return state.turn == start.turn and mover(state) == mover(start)

    def _order_of_turn(self, start: State, level: Level, after: dict[State, Level]) -> list[State]:
        """The states of one turn, each after all its successors; `after` receives the
        successors."""
        order: list[State] = []
        within: set[State] = set()
        waiting = [(state, False) for state in level]
        while waiting:
            state, is_done = waiting.pop()
            if is_done:
                within.remove(state)
                order.append(state)
            elif state in within:
                raise UnsupportedGameError(
                    f"one turn of {self.game.name} can go on for ever, so turns cannot be counted",
                    "count plies instead",
                )
            elif state not in after and self._is_within(start, state):
                after[state] = self._ply({state: 1})
                within.add(state)
                waiting.append((state, True))
                waiting += [(child, False) for child in after[state]]
        return order


def _add(level: Level, more: Level) -> None:
    for state, plays in more.items():
        level[state] = level.get(state, 0) + plays

"""The reachable state graph of a game, explored breadth first from one state.

In: a game. Out: a `StateGraph` with every reachable state numbered, or `OutOfBudgetError`. The
successors of a state are computed once (`game.steps`). The graph has no values and no test for
returning play: see `components`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from operator import add
from time import perf_counter
from typing import overload

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import Steps, can_be_wider_than, is_wider_than, numbered, steps_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.solvers.memory import resident_bytes
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

Vector = tuple[Fraction, ...]
"""A payoff for every player, in turn order."""
Progress = Callable[[int, int], None]
"""Told from time to time: (states explored, states discovered but not yet explored)."""

ONE = Fraction(1)
DEFAULT_MAX_POSITIONS = 2_000_000
MOST_CELLS = 4_000_000
"""Default limit on the cells of all positions together in Python."""
REPORT_EVERY = 64
REPORT_CELLS = 20_000
"""Cells of computed successors after which progress is reported early."""
DEFAULT_TOLERANCE = Fraction(1, 10**9)
"""Greatest error of a value that counts as solved, in payoff."""


class OutOfBudgetError(RuntimeError):
    """The graph has more states than allowed; `explored` and `frontier` give the progress."""

    def __init__(self, max_positions: int, explored: int, frontier: int) -> None:
        super().__init__(f"more than {count(max_positions, 'position')}")
        self.max_positions = max_positions
        self.explored = explored
        self.frontier = frontier


class OutOfReachError(RuntimeError):
    """Far too many positions; the search was not begun, or ended near the beginning. The text gives
    the reason, as a clause. `least`: a bound on the number of positions, where memory alone is too
    small."""

    def __init__(self, reason: str, least: int | None = None) -> None:
        super().__init__(reason)
        self.least = least


class OutOfTimeError(RuntimeError):
    """The time limit was reached; `explored` and `frontier` give the progress."""

    def __init__(self, explored: int, frontier: int) -> None:
        super().__init__("the time is up")
        self.explored = explored
        self.frontier = frontier


class OutOfMemoryError(RuntimeError):
    """The memory limit was reached; `explored` and `used_bytes` give the progress."""

    def __init__(self, explored: int, used_bytes: int) -> None:
        super().__init__(f"more positions than {count(used_bytes, 'byte')} hold")
        self.explored = explored
        self.used_bytes = used_bytes


class OutOfHistoriesError(RuntimeError):
    """The game has more histories than allowed; `positions`: number of positions so far."""

    def __init__(self, most: int, positions: int) -> None:
        super().__init__(f"more than {count(most, 'history')}")
        self.positions = positions


class EndlessHistoriesError(OutOfHistoriesError):
    """Play can return to an earlier position: histories can be infinite."""


def usual_limit(root: State, most: int = DEFAULT_MAX_POSITIONS, cells: int = MOST_CELLS) -> int:
    """The default limit on positions, smaller for games with large states."""
    return min(most, max(1, cells // max(1, root.size)))


def until(
    deadline: float, progress: Progress | None, clock: Callable[[], float] = perf_counter
) -> Progress:
    """A progress listener that raises `OutOfTimeError` after `deadline`."""

    def listener(explored: int, frontier: int) -> None:
        if clock() > deadline:
            raise OutOfTimeError(explored, frontier)
        if progress is not None:
            progress(explored, frontier)

    return listener


def within(most: int, progress: Progress | None) -> Progress:
    """A progress listener that raises `OutOfMemoryError` when the process has grown by more than
    `most` bytes."""
    before = resident_bytes() or 0

    def listener(explored: int, frontier: int) -> None:
        grown = (resident_bytes() or 0) - before
        if grown > most:
            raise OutOfMemoryError(explored + frontier, grown)
        if progress is not None:
            progress(explored, frontier)

    return listener


@dataclass(frozen=True, slots=True)
class StateGraph:
    """All states reachable from state 0, where exploration began.

    Attributes:
        states: the states by number, in order of distance from state 0.
        number: the inverse of `states`.
        movers: the index of the player to move, or CHANCE, SIMULTANEOUS or TERMINAL.
        actions: per state the actions (chance: outcomes; simultaneous: joint actions).
        successors: per state the number of the successor by each action.
        chances: per chance node the probability of each outcome.
        payoffs: per terminal state the payoffs.
        parents: per state the state of first discovery; -1 for state 0.
        rewards: per state the immediate payment of each action; empty if no action ever pays.
        opening: the chance nodes of `setup`, before the first ply; given only where a discount
            makes them matter.
    """

    game: Game
    states: Sequence[State]
    number: Mapping[State, int]
    movers: Sequence[int]
    actions: Sequence[tuple[Action, ...] | tuple[JointAction, ...]]
    successors: Sequence[tuple[int, ...]]
    chances: Mapping[int, tuple[Fraction, ...]]
    payoffs: Mapping[int, Vector]
    parents: Sequence[int]
    rewards: Sequence[tuple[Vector, ...]] = ()
    opening: frozenset[int] = frozenset()

    @property
    def positions(self) -> int:
        """Number of states where a player is to move or the game is over."""
        return len(self.states) - len(self.chances)

    @property
    def has_chance(self) -> bool:
        """Whether a chance event can be reached."""
        return bool(self.chances)

    def outcomes(self) -> set[Vector]:
        """The payoffs of all reachable endings."""
        return set(self.payoffs.values())

    def reward(self, node: int, edge: int) -> Vector | None:
        """The immediate payment of the action at index `edge`; None if no action ever pays."""
        return self.rewards[node][edge] if self.rewards else None

    def lasting(self, node: int, edge: int) -> Fraction:
        """The discount factor of the rest of play after the action at index `edge`.

        A discount applies at the completion of a ply, including the ply's chance events.
        """
        discount = self.game.facts.discount
        is_within = self.successors[node][edge] in self.chances or node in self.opening
        return ONE if discount == 1 or is_within else discount

    def expected_payoffs(self, node: int, edge: int, after: Vector) -> Vector:
        """An action's value, reward included, given the value `after` of the successor."""
        if self.game.facts.pays_at_the_end:
            return after
        lasting, reward = self.lasting(node, edge), self.reward(node, edge)
        rest = after if lasting == 1 else tuple(lasting * payoff for payoff in after)
        return rest if reward is None else tuple(map(add, reward, rest))

    def unpaid_successors(self) -> list[tuple[int, ...]]:
        """Per state the successors by actions without payments."""
        return [
            tuple(child for child, paid in zip(children, rewards, strict=True) if not any(paid))
            for children, rewards in zip(self.successors, self.rewards, strict=True)
        ]

    def joint_actions(self, node: int) -> tuple[JointAction, ...]:
        """The joint actions of a state with simultaneous choices."""
        return tuple(action for action in self.actions[node] if isinstance(action, tuple))

    def edge_name(self, node: int, edge: int) -> str:
        """Name of the action at position `edge` among the actions of `node`."""
        return self.game.action_name(self.states[node], self.actions[node][edge])

    def play_to(self, node: int) -> tuple[str, ...]:
        """The names of the actions of a shortest play from state 0 to `node`."""
        names = []
        while (parent := self.parents[node]) >= 0:
            names.append(self.edge_name(parent, self.successors[parent].index(node)))
            node = parent
        return tuple(reversed(names))


def explore(
    game: Game,
    root: State | None = None,
    *,
    max_positions: int = DEFAULT_MAX_POSITIONS,
    progress: Progress | None = None,
) -> StateGraph:
    """Numbers every state reachable from `root` (default: S0).

    Raises:
        OutOfBudgetError: the graph has more than `max_positions` states, chance events included.
        GameRuleError: the rules fail in a state; a note on the error gives the play to the state.
    """
    exploration = Exploration(game, game.initial_state() if root is None else root)
    exploration.run(max_positions, progress)
    return exploration.graph()


def opening_events(game: Game) -> frozenset[State]:
    """The chance events before the first ply."""
    opening, queue = set(), [game.initial_state()]
    for state in queue:
        if state not in opening and game.current_player(state) == CHANCE:
            opening.add(state)
            queue += [game.result(state, outcome) for outcome, _ in game.chance_outcomes(state)]
    return frozenset(opening)


class Exploration:
    """The growing lists of a graph; the queue is the unexplored tail of `keys`.

    Exploration can be resumed with a larger limit. `skips_failures`: states in which the rules fail
    are dead ends, without successors and payoffs; for games that pay at the end.
    """

    def __init__(self, game: Game, root: State, *, skips_failures: bool = False) -> None:
        self.game = game
        self.skips_failures = skips_failures
        self.steps = steps_of(game)
        first = self.steps.key(root)
        self.size = root.size
        self.keys = [first]
        self.number = {first: 0}
        self.parents = [-1]
        self.movers: list[int] = []
        self.actions: list[tuple[Action, ...] | tuple[JointAction, ...]] = []
        self.successors: list[tuple[int, ...]] = []
        self.chances: dict[int, tuple[Fraction, ...]] = {}
        self.payoffs: dict[int, Vector] = {}
        self.rewards: list[tuple[Vector, ...]] = []
        self.vectors: dict[Vector, Vector] = {}
        self.stages = 0

    def run(self, max_positions: int, progress: Progress | None, most_stages: float = inf) -> None:
        """Go on until all states are known, or more than `most_stages` states where all choose at
        once. Raises as `explore`."""
        node = len(self.successors)
        cells, size = 0, self.size
        widest = max(max_positions, MOST_CELLS // max(1, size))
        is_doubtful = can_be_wider_than(self.game, widest)
        while node < len(self.keys):
            try:
                if is_doubtful and is_wider_than(
                    self.game, self.steps.state(self.keys[node]), widest
                ):
                    raise OutOfBudgetError(max_positions, node, len(self.keys) - node)
                self._expand(node)
            except GameRuleError as error:
                if not self.skips_failures:
                    error.add_note(f"the play that leads there: {self._play_to(node)}")
                    raise
                self.movers.append(TERMINAL)
                self.actions.append(())
                self.successors.append(())
            node += 1
            if len(self.keys) > max_positions or self.stages > most_stages:
                raise OutOfBudgetError(max_positions, node, len(self.keys) - node)
            cells += len(self.successors[-1]) * size
            if progress is not None and (node % REPORT_EVERY == 0 or cells >= REPORT_CELLS):
                cells = 0
                progress(node, len(self.keys) - node)

    def has_cycle(self) -> bool:
        """Whether play can return to a state, within the explored part."""
        before = [0] * len(self.keys)
        for children in self.successors:
            for child in children:
                before[child] += 1
        free = [node for node, count in enumerate(before) if not count]
        for node in free:
            for child in self.successors[node] if node < len(self.successors) else ():
                before[child] -= 1
                if not before[child]:
                    free.append(child)
        return len(free) < len(self.keys)

    def graph(self) -> StateGraph:
        """The explored part of the graph; complete if `run` has finished."""
        return StateGraph(
            self.game, StatesOfKeys(self.steps, self.keys), NumbersOfStates(self.steps, self),
            self.movers, self.actions, self.successors, self.chances, self.payoffs, self.parents,
            self.rewards, self._opening(),
        )  # fmt: skip

    def _opening(self) -> frozenset[int]:
        """The chance nodes before the first ply of the game."""
        if self.game.facts.discount == 1:
            return frozenset()
        keys = map(self.steps.key, opening_events(self.game))
        return frozenset(self.number[key] for key in keys if key in self.number)

    def _expand(self, node: int) -> None:
        mover, actions, results, shares = self.steps.after(self.keys[node])
        self.movers.append(mover)
        self.stages += mover == SIMULTANEOUS
        if mover == TERMINAL:
            self.payoffs[node] = self.vectors.setdefault(shares, shares)
        elif mover == CHANCE:
            self.chances[node] = shares
        self.actions.append(actions)
        if self.game.facts.has_rewards:
            paid = self.steps.paid(self.keys[node], actions)
            self.rewards.append(
                tuple(self.vectors.setdefault(payment, payment) for payment in paid)
            )
        children = numbered(results, node, self.number, self.keys, self.parents)
        self.successors.append(tuple(children))

    def _play_to(self, node: int) -> str:
        return ", ".join(self.graph().play_to(node)) or "none, it is the first state"


@dataclass(frozen=True, slots=True)
class StatesOfKeys(Sequence[State]):
    """The states by number, made from their keys on demand."""

    steps: Steps
    keys: Sequence[Hashable]

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[State, ...]: ...
    def __getitem__(self, index: int | slice) -> State | tuple[State, ...]:
        if isinstance(index, slice):
            return tuple(map(self.steps.state, self.keys[index]))
        return self.steps.state(self.keys[index])


@dataclass(frozen=True, slots=True)
class NumbersOfStates(Mapping[State, int]):
    """The numbers of states, looked up by key."""

    steps: Steps
    exploration: Exploration

    def __len__(self) -> int:
        return len(self.exploration.keys)

    def __iter__(self) -> Iterator[State]:
        return map(self.steps.state, self.exploration.keys)

    def __getitem__(self, state: State) -> int:
        key = self.steps.key(state)
        if self.steps.state(key) != state:  # a different game's state
            raise KeyError(state)
        return self.exploration.number[key]

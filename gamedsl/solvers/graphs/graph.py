"""The reachable state graph of a game, explored breadth first from one state.

In: a game. Out: a `StateGraph` with every reachable state numbered, or `OutOfBudgetError`. It asks
the game once for what can follow a state (`game.steps`). It gives no
values and does not ask whether play can return: see `components`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import add
from time import perf_counter
from typing import overload

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import Steps, can_be_wider_than, is_wider_than, numbered, steps_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, TERMINAL, State
from gamedsl.solvers.memory import resident_bytes
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

Vector = tuple[Fraction, ...]
"""A payoff for every player, in turn order."""
Progress = Callable[[int, int], None]
"""Told from time to time: (states explored, states found but not yet explored)."""

ONE = Fraction(1)
DEFAULT_MAX_POSITIONS = 2_000_000
MOST_CELLS = 4_000_000
"""Cells of all positions together that are found in Python, unless the user names a limit."""
REPORT_EVERY = 64
REPORT_CELLS = 20_000
"""Cells of successors worked out, after which progress is told sooner."""


class OutOfBudgetError(RuntimeError):
    """The graph has more states than allowed; `explored` and `frontier` say how far it got."""

    def __init__(self, max_positions: int, explored: int, frontier: int) -> None:
        super().__init__(f"more than {count(max_positions, 'position')}")
        self.max_positions = max_positions
        self.explored = explored
        self.frontier = frontier


class OutOfReachError(RuntimeError):
    """There are far more positions than anything here looks at; nothing was begun, or hardly
    anything. The text says why, as a clause."""


class OutOfTimeError(RuntimeError):
    """The time is up; `explored` and `frontier` say how far it got."""

    def __init__(self, explored: int, frontier: int) -> None:
        super().__init__("the time is up")
        self.explored = explored
        self.frontier = frontier


class OutOfMemoryError(RuntimeError):
    """There is no memory for more positions; `explored` and `used_bytes` say how far it got."""

    def __init__(self, explored: int, used_bytes: int) -> None:
        super().__init__(f"more positions than {count(used_bytes, 'byte')} hold")
        self.explored = explored
        self.used_bytes = used_bytes


def usual_limit(root: State, most: int = DEFAULT_MAX_POSITIONS, cells: int = MOST_CELLS) -> int:
    """How many positions are looked at if nobody names a limit: fewer where states are large."""
    return min(most, max(1, cells // max(1, root.size)))


def until(deadline: float, progress: Progress | None) -> Progress:
    """A listener to progress that raises `OutOfTimeError` after `deadline` (`perf_counter`)."""

    def listener(explored: int, frontier: int) -> None:
        if perf_counter() > deadline:
            raise OutOfTimeError(explored, frontier)
        if progress is not None:
            progress(explored, frontier)

    return listener


def within(most: int, progress: Progress | None) -> Progress:
    """A listener to progress that raises `OutOfMemoryError` when the process has grown by more
    than `most` bytes."""
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
    """All states reachable from state 0, which is where exploration began.

    Attributes:
        states: the states by number, in order of distance from state 0.
        number: the inverse of `states`.
        movers: the index of the player to move, or CHANCE, SIMULTANEOUS or TERMINAL.
        actions: per state its actions (chance: outcomes; simultaneous: joint actions).
        successors: per state the number of the state that each action leads to.
        chances: per chance node the probability of each outcome.
        payoffs: per terminal state the payoffs.
        parents: per state the state from which it was found first; -1 for state 0.
        rewards: per state what each of its actions pays at once; empty if nothing ever does.
        opening: the chance nodes of `setup`, after which the first ply is still to come; known
            where a discount makes that matter.
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
        """What the action at position `edge` pays at once; None if no action ever pays."""
        return self.rewards[node][edge] if self.rewards else None

    def lasting(self, node: int, edge: int) -> Fraction:
        """What the rest of play counts for after the action at `edge`: a discount applies where
        a ply is complete, chance events in it included."""
        discount = self.game.facts.discount
        is_within = self.successors[node][edge] in self.chances or node in self.opening
        return ONE if discount == 1 or is_within else discount

    def worth(self, node: int, edge: int, after: Vector) -> Vector:
        """What an action is worth, reward included, if what follows it is worth `after`."""
        if self.game.facts.pays_at_the_end:
            return after
        lasting, reward = self.lasting(node, edge), self.reward(node, edge)
        rest = after if lasting == 1 else tuple(lasting * payoff for payoff in after)
        return rest if reward is None else tuple(map(add, reward, rest))

    def unpaid_successors(self) -> list[tuple[int, ...]]:
        """Per state where the actions lead that pay nobody anything."""
        return [
            tuple(child for child, paid in zip(children, rewards, strict=True) if not any(paid))
            for children, rewards in zip(self.successors, self.rewards, strict=True)
        ]

    def joint_actions(self, node: int) -> tuple[JointAction, ...]:
        """What can be chosen together where all choose at once."""
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
    """Number every state reachable from `root` (default: S0).

    Raises:
        OutOfBudgetError: there are more than `max_positions` states, chance events included.
        GameRuleError: the rules fail somewhere; a note on the error gives the play to there.
    """
    exploration = Exploration(game, game.initial_state() if root is None else root)
    exploration.run(max_positions, progress)
    return exploration.graph()


class Exploration:
    """The lists of a graph while they grow; the queue is the unexplored tail of `keys`.

    It can be taken up again where it stopped, with a larger limit.
    """

    def __init__(self, game: Game, root: State) -> None:
        self.game = game
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

    def run(self, max_positions: int, progress: Progress | None) -> None:
        """Go on until all states are known. Raises as `explore`."""
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
                error.add_note(f"the play that leads there: {self._play_to(node)}")
                raise
            node += 1
            if len(self.keys) > max_positions:
                raise OutOfBudgetError(max_positions, node, len(self.keys) - node)
            cells += len(self.successors[-1]) * size
            if progress is not None and (node % REPORT_EVERY == 0 or cells >= REPORT_CELLS):
                cells = 0
                progress(node, len(self.keys) - node)

    def has_cycle(self) -> bool:
        """Whether play can return to a state, as far as it has been explored."""
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
        """What is known; complete if `run` has come to its end."""
        return StateGraph(
            self.game, StatesOfKeys(self.steps, self.keys), NumbersOfStates(self.steps, self),
            self.movers, self.actions, self.successors, self.chances, self.payoffs, self.parents,
            self.rewards, self._opening(),
        )  # fmt: skip

    def _opening(self) -> frozenset[int]:
        """The chance nodes that lie before the first ply of the game."""
        if self.game.facts.discount == 1:
            return frozenset()
        queue = [self.game.initial_state()]
        found = set()
        for state in queue:
            if state not in found and self.game.current_player(state) == CHANCE:
                found.add(state)
                outcomes = self.game.chance_outcomes(state)
                queue += [self.game.result(state, outcome) for outcome, _ in outcomes]
        keys = map(self.steps.key, found)
        return frozenset(self.number[key] for key in keys if key in self.number)

    def _expand(self, node: int) -> None:
        mover, actions, results, shares = self.steps.after(self.keys[node])
        self.movers.append(mover)
        if mover == TERMINAL:
            self.payoffs[node] = self.vectors.setdefault(shares, shares)
        elif mover == CHANCE:
            self.chances[node] = shares
        self.actions.append(actions)
        if self.game.facts.has_rewards:
            paid = self.steps.paid(self.keys[node], actions)
            self.rewards.append(tuple(self.vectors.setdefault(one, one) for one in paid))
        children = numbered(results, node, self.number, self.keys, self.parents)
        self.successors.append(tuple(children))

    def _play_to(self, node: int) -> str:
        return ", ".join(self.graph().play_to(node)) or "none, it is the first state"


@dataclass(frozen=True, slots=True)
class StatesOfKeys(Sequence[State]):
    """The states by number, made of their keys when they are asked for."""

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
    """The numbers of states, found by their keys."""

    steps: Steps
    exploration: Exploration

    def __len__(self) -> int:
        return len(self.exploration.keys)

    def __iter__(self) -> Iterator[State]:
        return map(self.steps.state, self.exploration.keys)

    def __getitem__(self, state: State) -> int:
        key = self.steps.key(state)
        if self.steps.state(key) != state:  # a state of another game
            raise KeyError(state)
        return self.exploration.number[key]

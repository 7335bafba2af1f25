"""A solved game: the value of every reachable state, and queries by `State`.

Players, policies and reports use the protocol `Solved`; `SolvedGraph` implements the queries on a
state graph. No game is solved here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from gamedsl.game.accelerator import Length, LengthsOfPlay
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.state import SIMULTANEOUS, State
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.solvers.normal_form.solve import Equilibria

ZERO = Fraction(0)
Mixtures = tuple[tuple[tuple[Action, Fraction], ...], ...]
"""For each player the actions with their probabilities."""


@dataclass(frozen=True, slots=True)
class Assessed:
    """An action of the player to move, or a joint action, with the results of best play.

    The payoffs after the action, the plies including the action, whether the action is optimal, and
    whether the action also keeps the length of best play.
    """

    action: Action | JointAction
    value: Vector
    plies: int | None
    is_best: bool
    makes_progress: bool


class Solved(Protocol):
    """The values of all states reachable from a state; KeyError for all other states."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def error_bound(self) -> Fraction:
        """Proven bound on the error of any value, in payoff; 0 if all values are exact."""

    @property
    def states(self) -> Iterable[State]:
        """All states, in order of distance from the first."""

    @property
    def by_length(self) -> LengthsOfPlay | None:
        """The states by payoffs and plies of best play; None with chance."""

    def __contains__(self, state: object) -> bool: ...

    def __len__(self) -> int: ...

    def value(self, state: State) -> Vector:
        """The payoffs of best play from a state."""

    def remoteness(self, state: State) -> int | None:
        """Plies to the end under best play; None with chance or without end."""

    def choice(self, state: State) -> Action | JointAction | None:
        """The optimal action that also makes progress; None where no player chooses."""

    def mixture(self, state: State) -> Mixtures | None:
        """Probabilities of simultaneous choices; None where no player randomises."""

    def assessed(self, state: State) -> tuple[Assessed, ...]:
        """Every action of the player to move, or every joint action of simultaneous choices, in
        order."""

    def best_play(self, state: State) -> Iterator[tuple[State, Action | JointAction]]:
        """States and actions of best play from a state on, up to the first chance event, ending
        or repetition."""


@dataclass(frozen=True, slots=True)
class SolvedGraph:
    """Values of all states of a graph.

    Attributes:
        values: per state the payoffs of best play, within `error_bound`.
        plies: per state the length of best play in plies, chance events not counted; None with
            chance or for endless play.
        choices: per state the index of the action chosen by `play`; -1 where no player chooses.
        error_bound: proven bound on the error of any value, in payoff; 0 if all values are exact.
        counts_plies: whether the length of play decides between equal payoffs.
        returning: states from which play can return by chance, without a definite number of plies;
            of their best actions only the action in `choices` is known to make progress.
        lengths: per state the expected length of best play, chance events not counted, infinite
            where play cannot be made to end; None where unknown; empty if `plies` decide.
        by_dominance: per state with simultaneous choices decided by weak dominance only, the
            combinations of weakly dominant choices.
        mixtures: states with randomised simultaneous choices; the entry in `choices` is -1.
        equilibria: states with simultaneous choices decided neither by dominance nor by opposed
            interests: all equilibria found; the values belong to the first equilibrium.
        is_team: whether all players have identical interests, and choose together.
    """

    graph: StateGraph
    values: Sequence[Vector]
    plies: Sequence[int | None]
    choices: Sequence[int]
    error_bound: Fraction = ZERO
    counts_plies: bool = True
    returning: Set[int] = frozenset()
    lengths: Sequence[Fraction | None] = ()
    by_dominance: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    mixtures: Mapping[int, Mixtures] = field(default_factory=dict)
    equilibria: Mapping[int, Equilibria] = field(default_factory=dict)
    is_team: bool = False

    @property
    def game(self) -> Game:
        """The game."""
        return self.graph.game

    @property
    def states(self) -> Sequence[State]:
        """All states, in order of distance from the first."""
        return self.graph.states

    @property
    def by_length(self) -> LengthsOfPlay | None:
        """The states by payoffs and plies of best play; None where plies are undefined."""
        if self.needs_chance or not self.counts_plies:
            return None
        return LengthsOfPlay(lambda: Counter(self._lengths()), self._of_length)

    def _lengths(self) -> Iterator[Length]:
        return zip(self.values, self.plies, strict=True)

    def _of_length(self, wanted: Length) -> Iterator[State]:
        pairs = zip(self.states, self._lengths(), strict=True)
        return (state for state, length in pairs if length == wanted)

    def __contains__(self, state: object) -> bool:
        return state in self.graph.number

    def __len__(self) -> int:
        return len(self.values)

    def value(self, state: State) -> Vector:
        """The payoffs of best play from `state`; KeyError if `state` is unreachable."""
        return self.values[self.graph.number[state]]

    def remoteness(self, state: State) -> int | None:
        """Plies to the end under best play; None with chance or without end."""
        return self.plies[self.graph.number[state]]

    def assessed(self, state: State) -> tuple[Assessed, ...]:
        """Every action of the player to move, or every joint action of simultaneous choices, in
        order."""
        node = self.graph.number[state]
        if self.choices[node] < 0 and node not in self.mixtures:
            return ()
        best = self.best_edges(node)
        moves = []
        for edge, child in enumerate(self.graph.successors[node]):
            after = self.plies[child]
            plies = None if after is None else after + 1
            action = self.graph.actions[node][edge]
            is_best = edge in best
            progress = is_best and self._makes_progress(node, edge)
            value = self.graph.expected_payoffs(node, edge, self.values[child])
            moves.append(Assessed(action, value, plies, is_best, progress))
        return tuple(moves)

    def _makes_progress(self, node: int, edge: int) -> bool:
        """Whether a best action keeps the length of best play."""
        child = self.graph.successors[node][edge]
        if self.lengths and (length := self.lengths[node]) is not None:
            after = self.lengths[child]
            return after is not None and after + 1 == length
        if self.lengths or node in self.returning:
            return edge == self.choices[node]
        if not self.counts_plies:
            return True
        plies, rest = self.plies[node], self.plies[child]
        if plies is None:
            return self.needs_chance or rest is None
        return rest is not None and rest + 1 == plies

    def best_play(self, state: State) -> Iterator[tuple[State, Action | JointAction]]:
        """States and actions of best play, up to the first chance event, ending or repetition."""
        node = self.graph.number[state]
        for edge in self.principal_variation(node):
            yield self.graph.states[node], self.graph.actions[node][edge]
            node = self.graph.successors[node][edge]

    def choice(self, state: State) -> Action | JointAction | None:
        """The optimal action that also makes progress; None where no player chooses."""
        node = self.graph.number[state]
        edge = self.choices[node]
        return None if edge < 0 else self.graph.actions[node][edge]

    @property
    def needs_chance(self) -> bool:
        """Whether values are expectations: the graph has chance events, or players randomise."""
        return self.graph.has_chance or bool(self.mixtures)

    def mixture(self, state: State) -> Mixtures | None:
        """Probabilities of simultaneous choices; None where no player randomises."""
        return self.mixtures.get(self.graph.number[state])

    def best_edges(self, node: int) -> tuple[int, ...]:
        """Indices of the optimal actions of a state.

        An action is optimal if the action does not lower the value of the player to move (within
        twice the error bound). For simultaneous choices, only the decided combination is optimal;
        for a team, all joint actions that are best for the team.
        """
        mover = self.graph.movers[node]
        if self.is_team and mover == SIMULTANEOUS:
            mover = 0
        if node in self.by_dominance:
            return self.by_dominance[node]
        if mover < 0:
            return () if self.choices[node] < 0 else (self.choices[node],)
        children = self.graph.successors[node]
        payoffs = [
            self.graph.expected_payoffs(node, edge, self.values[child])[mover]
            for edge, child in enumerate(children)
        ]
        least = max(payoffs) - 2 * self.error_bound
        return tuple(edge for edge, value in enumerate(payoffs) if value >= least)

    def principal_variation(self, node: int = 0) -> tuple[int, ...]:
        """Edges of best play from `node`, up to the first chance event, ending or repetition."""
        line = []
        seen = set()
        while self.choices[node] >= 0 and node not in seen:
            seen.add(node)
            line.append(self.choices[node])
            node = self.graph.successors[node][line[-1]]
        return tuple(line)


def chosen_plies(graph: StateGraph, choices: Sequence[int]) -> list[int | None]:
    """The length of chosen play from each state; None with chance or for endless play.

    Play is followed from each state to a state of known length.
    """
    plies: dict[int, int | None] = dict.fromkeys(graph.payoffs, 0)
    plies.update((node, None) for node in graph.chances)
    for start in range(len(choices)):
        path: dict[int, None] = {}
        node = start
        while node not in plies and node not in path:
            path[node] = None
            node = graph.successors[node][choices[node]]
        length = plies.get(node)
        for before in reversed(path):
            length = None if length is None else length + 1
            plies[before] = length
    return [plies[node] for node in range(len(choices))]

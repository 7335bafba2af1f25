"""Solves two-player games with opposed interests, simultaneous choices and returning play.

In: a state graph, and payoffs of endless play; rewards and discounts as in `value_iteration`. Out:
a `SolvedGraph` with probabilities for each position with simultaneous choices, and a proven bound
on the error of the values: a stochastic game (Shapley, "Stochastic games", PNAS 39, 1953; Everett,
"Recursive games", 1957, for games without a discount).

States in which a player attains the greatest payoff with probability 1 are settled first, by the
graph alone (`limit_wins`). In the others the probabilities of the two players are improved
independently. Each round computes the payoffs guaranteed from each position, solves the matrix game
of each position with these payoffs, and takes the solution where the matrix game promises more
(Hoffman and Karp, "On nonterminating stochastic games", Management Science 12, 1966). The guarantee
is proved: against fixed probabilities the opponent faces a game with sequential moves, whose values
`value_iteration` bounds. Both bounds therefore hold however good the probabilities are. Values may
be irrational, and games without a discount may have no optimal probabilities but only ever better
probabilities: then only bounds are found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product

from gamedsl.game.contract import Action
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamedsl.solvers.chance.limit_wins import certain_choices
from gamedsl.solvers.chance.value_iteration import value_iteration
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.exact.solved import Mixtures, SolvedGraph
from gamedsl.solvers.exact.stages import Choices, choices_of, saddle_point
from gamedsl.solvers.graphs.graph import DEFAULT_TOLERANCE, OutOfTimeError, StateGraph, Vector
from gamedsl.source.components import Component, components, is_cyclic
from gamedsl.source.records import dataclass

ZERO, ONE = Fraction(0), Fraction(1)
SWEEPS = 24
"""Rounds of Shapley's operator from endless play, before strategies are improved."""
MOST_IMPROVEMENTS = 60
MOST_MATRICES = 40_000
"""Matrix games solved in all improvements of one player."""
SHORT_BITS = 44
"""Longest denominator, in bits, of the entries of matrix games. Entries with longer denominators
are rounded, and probabilities are rounded to multiples of 1/2**SHORT_BITS."""
SIMPLE = 60
"""Denominators of simple fractions."""
Mixture = tuple[Fraction, ...]
Plan = Mapping[int, Mixture]
"""Probability of each action of one player, by the state with simultaneous choices."""


def strategy_improvement(
    graph: StateGraph,
    order: Sequence[Component],
    endless: Vector,
    tolerance: Fraction = DEFAULT_TOLERANCE,
    tick: Callable[[], None] = lambda: None,
) -> SolvedGraph:
    """Solves a graph for two players whose payoffs have a constant sum.

    Args:
        order: every component after all its successor components.
        tick: called before each matrix game; raises OutOfTimeError to end the improvement, and the
            result so far is returned.
    """
    stages = _stages(graph)
    certain = _certain(graph, endless, tick)
    settled = _with_endings(graph, certain)
    open_stages = {node: stage for node, stage in stages.items() if node not in settled.payoffs}
    sides = [
        _Improvement(settled, order, open_stages, endless, player, tolerance) for player in (0, 1)
    ]
    for side in sides:
        side.begin_surely()
    with suppress(OutOfTimeError):
        for begin in (_Improvement.begin_from_endless, _Improvement.begin_alike):
            if _gap(sides) > tolerance:
                _improve(sides, begin, tolerance, tick)
        if 0 < _gap(sides) <= tolerance:
            for side in sides:
                side.simplify()
    for side in sides:
        side.settle(stages, certain[side.player])
    return _solved(graph, order, stages, sides)


def _certain(
    graph: StateGraph, endless: Vector, tick: Callable[[], None]
) -> tuple[Mapping[int, tuple[int, ...]], ...]:
    """For each player the choices of `certain_choices`."""
    with suppress(OutOfTimeError):
        return tuple(certain_choices(graph, player, endless, tick) for player in (0, 1))
    return {}, {}


def _with_endings(
    graph: StateGraph, certain: Sequence[Mapping[int, tuple[int, ...]]]
) -> StateGraph:
    """The graph with endings in place of the states in which a player attains the greatest payoff
    with probability 1."""
    payoffs, successors = dict(graph.payoffs), list(graph.successors)
    for player, choices in enumerate(certain):
        for node in choices:
            payoffs[node] = max(graph.payoffs.values(), key=lambda paid: paid[player])
            successors[node] = ()
    chances = {node: shares for node, shares in graph.chances.items() if node not in payoffs}
    movers = [TERMINAL if node in payoffs else mover for node, mover in enumerate(graph.movers)]
    return replace(graph, payoffs=payoffs, successors=successors, movers=movers, chances=chances)


def _improve(
    sides: Sequence[_Improvement],
    begin: Callable[[_Improvement, Callable[[], None]], None],
    tolerance: Fraction,
    tick: Callable[[], None],
) -> None:
    """Improves both players' probabilities from a start until no player improves."""
    for side in sides:
        begin(side, tick)
    while _gap(sides) > tolerance:
        gained = [side.improve(tick) for side in sides]
        if not any(gained):
            return


@dataclass(frozen=True, slots=True)
class _Stage:
    """A state with simultaneous choices: both players' actions, and the edge of each pair of
    actions."""

    choices: Choices
    edges: Mapping[tuple[int, int], int]


def _stages(graph: StateGraph) -> dict[int, _Stage]:
    stages = {}
    for node, mover in enumerate(graph.movers):
        if mover == SIMULTANEOUS:
            joint_actions = graph.joint_actions(node)
            choices = choices_of(joint_actions)
            numbers = [{action: n for n, action in enumerate(actions)} for actions in choices]
            edges = {
                (numbers[0][first], numbers[1][second]): edge
                for edge, (first, second) in enumerate(joint_actions)
            }
            stages[node] = _Stage(choices, edges)
    return stages


class _Improvement:
    """One player's probabilities, improved step by step.

    Attributes:
        guaranteed: per state the payoff guaranteed by the best probabilities so far; `plan`: the
            best probabilities, and `moves`: the edge taken where the player moves alone.
    """

    def __init__(
        self,
        graph: StateGraph,
        order: Sequence[Component],
        stages: Mapping[int, _Stage],
        endless: Vector,
        player: int,
        tolerance: Fraction,
    ) -> None:
        self.graph, self.order, self.stages = graph, order, stages
        self.endless, self.player, self.tolerance = endless, player, tolerance
        self.guaranteed: list[Fraction] = []
        self.plan: Plan = {}
        self.moves: Sequence[int] = ()
        self._now: list[Fraction] = []
        self._trying: dict[int, Mixture] = {}
        self._left = MOST_IMPROVEMENTS

    def begin_surely(self) -> None:
        """Starts from the first action everywhere, with an immediate evaluation."""
        self._trying = {
            node: tuple(Fraction(not n) for n in range(len(stage.choices[self.player])))
            for node, stage in self.stages.items()
        }
        self._begin()

    def begin_alike(self, _: Callable[[], None]) -> None:
        """Begin with all actions alike."""
        self._trying = {
            node: (Fraction(1, len(stage.choices[self.player])),) * len(stage.choices[self.player])
            for node, stage in self.stages.items()
        }
        self._begin()

    def begin_from_endless(self, tick: Callable[[], None]) -> None:
        """Starts from optimal choices of the game cut off after some plies with the payoffs of
        endless play."""
        self._trying = self._swept(tick)
        self._begin()

    def _begin(self) -> None:
        self._left = min(MOST_IMPROVEMENTS, 1 + MOST_MATRICES // max(1, len(self.stages)))
        self._judge()

    def improve(self, tick: Callable[[], None]) -> bool:
        """Takes the matrix games' solutions where they promise more; returns whether the guarantee
        grew."""
        if not self._left:
            return False
        self._left -= 1
        changed = False
        for node, old in self._trying.items():
            tick()
            matrix = self._matrix(node, self._now)
            least = _least(old, matrix)
            mixture = _solution(matrix)
            if _least(mixture, matrix) > least:
                self._trying[node] = mixture
                changed = True
        if not changed:
            return False
        before = self._now
        self._judge()
        gains = (now - old for now, old in zip(self._now, before, strict=True))
        return max(gains) > self.tolerance / 1_000

    def simplify(self) -> None:
        """Tries the nearest simple fractions, which often form an exact equilibrium."""
        for node, mixture in self.plan.items():
            near = [share.limit_denominator(SIMPLE) for share in mixture]
            near[near.index(max(near))] += ONE - sum(near)
            self._trying[node] = tuple(near) if min(near) >= 0 else mixture
        self._judge()

    def settle(self, stages: Mapping[int, _Stage], certain: Mapping[int, tuple[int, ...]]) -> None:
        """Completes the best probabilities by the choices in states that were endings before."""
        plan, moves = dict(self.plan), list(self.moves)
        for node, stage in stages.items():
            if node not in plan:
                usable = certain.get(node, (0,))
                numbers = range(len(stage.choices[self.player]))
                plan[node] = tuple(Fraction(n in usable, len(usable)) for n in numbers)
        for node, mover in enumerate(self.graph.movers):
            if mover == TERMINAL:
                moves[node] = certain.get(node, (0,))[0]
        self.plan, self.moves = plan, moves

    def _swept(self, tick: Callable[[], None]) -> dict[int, Mixture]:
        graph, player = self.graph, self.player
        values = [self.endless[player]] * len(graph.states)
        for node, payoffs in graph.payoffs.items():
            values[node] = payoffs[player]
        mixtures: dict[int, Mixture] = {}
        cyclic = [is_cyclic(component, graph.successors) for component in self.order]
        for component, is_repeated in zip(self.order, cyclic, strict=True):
            staged = sum(node in self.stages for node in component)
            most = max(1, min(SWEEPS, MOST_MATRICES // max(1, staged)))
            for _ in range(most if is_repeated else 1):
                before = [values[node] for node in component]
                for node in component:
                    tick()
                    if node not in graph.payoffs:
                        values[node] = _short(self._after(node, values, mixtures))
                if before == [values[node] for node in component]:
                    break
        return mixtures

    def _after(
        self, node: int, values: Sequence[Fraction], mixtures: dict[int, Mixture]
    ) -> Fraction:
        """A state's value, given the `values` of the successors."""
        graph, mover = self.graph, self.graph.movers[node]
        if node in self.stages:
            matrix = self._matrix(node, values)
            mixtures[node] = _solution(matrix)
            return _least(mixtures[node], matrix)
        payoffs = [
            self._expected_payoff(node, edge, values) for edge in range(len(graph.successors[node]))
        ]
        if node in graph.chances:
            return sum((p * w for p, w in zip(graph.chances[node], payoffs, strict=True)), ZERO)
        return max(payoffs) if mover == self.player else min(payoffs)

    def _expected_payoff(self, node: int, edge: int, values: Sequence[Fraction]) -> Fraction:
        child, reward = self.graph.successors[node][edge], self.graph.reward(node, edge)
        paid = ZERO if reward is None else reward[self.player]
        return paid + self.graph.lasting(node, edge) * values[child]

    def _matrix(self, node: int, values: Sequence[Fraction]) -> list[list[Fraction]]:
        """The player's payoffs, with a row for each action of the player."""
        stage = self.stages[node]
        pays = {
            pair: _short(self._expected_payoff(node, edge, values))
            for pair, edge in stage.edges.items()
        }
        rows, columns = (range(len(actions)) for actions in stage.choices)
        if self.player == 0:
            return [[pays[row, column] for column in columns] for row in rows]
        return [[pays[row, column] for row in rows] for column in columns]

    def _judge(self) -> None:
        """Computes the guarantee of the probabilities, and keeps the probabilities if the guarantee
        is greater."""
        reply = _reply_graph(self.graph, self.stages, self._trying, self.player)
        order = components(reply.successors)
        try:
            solved = value_iteration(reply, order, self.endless, self.tolerance / 4)
        except UnsupportedGameError as refusal:
            raise UnsupportedGameError(
                f"players of {self.graph.game.name} choose at the same time, play can return to an "
                "earlier position, and it is not proved that its rewards add up to anything",
                "write `discount = 99/100`, or limit the length of play in the rules",
            ) from refusal
        states = len(self.graph.states)
        bound = solved.error_bound
        self._now = [value[self.player] - bound for value in solved.values[:states]]
        if not self.guaranteed or sum(self._now) > sum(self.guaranteed):
            self.guaranteed, self.plan = self._now, dict(self._trying)
            self.moves = solved.choices[:states]


def _reply_graph(
    graph: StateGraph, stages: Mapping[int, _Stage], plan: Plan, player: int
) -> StateGraph:
    """The opponent's game against one player's fixed probabilities.

    The opponent moves alone in states with simultaneous choices; a chance event after each move
    draws the fixed player's action.
    """
    opponent = 1 - player
    movers, successors = list(graph.movers), list(graph.successors)
    actions, parents = list(graph.actions), list(graph.parents)
    rewards, chances = list(graph.rewards), dict(graph.chances)
    nothing = (ZERO, ZERO)
    for node, stage in stages.items():
        support = [(n, share) for n, share in enumerate(plan[node]) if share]
        following: list[int] = []
        paid: list[Vector] = []
        for theirs in range(len(stage.choices[opponent])):
            pairs = [(n, theirs) if player == 0 else (theirs, n) for n, _ in support]
            edges = [stage.edges[pair] for pair in pairs]
            children = tuple(graph.successors[node][edge] for edge in edges)
            if len(support) == 1:
                following.append(children[0])
                paid += [graph.rewards[node][edges[0]]] if rewards else []
                continue
            following.append(len(movers))
            paid.append(nothing)
            chances[len(movers)] = tuple(share for _, share in support)
            movers.append(CHANCE)
            successors.append(children)
            actions.append(tuple(range(len(children))))
            parents.append(node)
            if rewards:
                rewards.append(tuple(graph.rewards[node][edge] for edge in edges))
        movers[node], successors[node] = opponent, tuple(following)
        actions[node] = tuple(range(len(following)))
        if rewards:
            rewards[node] = tuple(paid)
    states = (graph.states[0],) * len(movers)  # the states are never used
    return replace(
        graph, states=states, movers=movers, actions=actions, successors=successors,
        chances=chances, parents=parents, rewards=rewards,
    )  # fmt: skip


def _solved(
    graph: StateGraph,
    order: Sequence[Component],
    stages: Mapping[int, _Stage],
    sides: Sequence[_Improvement],
) -> SolvedGraph:
    total = _total(sides)
    lows = sides[0].guaranteed
    highs = [total - low for low in sides[1].guaranteed]
    values = [
        (middle, total - middle)
        for middle in ((low + high) / 2 for low, high in zip(lows, highs, strict=True))
    ]
    choices = [
        sides[mover].moves[node] if mover >= 0 else -1 for node, mover in enumerate(graph.movers)
    ]
    mixtures: dict[int, Mixtures] = {}
    for node, stage in stages.items():
        both = tuple(side.plan[node] for side in sides)
        if all(ONE in mixture for mixture in both):
            choices[node] = stage.edges[both[0].index(ONE), both[1].index(ONE)]
        else:
            pairs = zip(stage.choices, both, strict=True)
            mixtures[node] = tuple(tuple(zip(*pair, strict=True)) for pair in pairs)
    cyclic = (component for component in order if is_cyclic(component, graph.successors))
    return SolvedGraph(
        graph, values, [0 if node in graph.payoffs else None for node in range(len(values))],
        choices, _gap(sides), counts_plies=False, returning=set(chain.from_iterable(cyclic)),
        mixtures=mixtures,
    )  # fmt: skip


def _gap(sides: Sequence[_Improvement]) -> Fraction:
    """Half of the greatest gap between the payoffs that the two players guarantee."""
    total = _total(sides)
    pairs = zip(sides[0].guaranteed, sides[1].guaranteed, strict=True)
    return max((total - mine - theirs) / 2 for mine, theirs in pairs)


def _total(sides: Sequence[_Improvement]) -> Fraction:
    return sum(sides[0].endless, ZERO)


def _solution(matrix: Sequence[Sequence[Fraction]]) -> Mixture:
    """An optimal mixture of the row player; a pure strategy if a saddle point exists."""
    rows, columns = range(len(matrix)), range(len(matrix[0]))
    cells: dict[tuple[Action, ...], Vector] = {
        (row, column): (matrix[row][column],) for row, column in product(rows, columns)
    }
    sure = saddle_point((tuple(rows), tuple(columns)), cells)
    if sure is not None:
        return tuple(Fraction(row == sure[0]) for row in rows)
    return _rounded(solve_matrix(matrix).row)


def _rounded(mixture: Mixture) -> Mixture:
    if max(share.denominator.bit_length() for share in mixture) <= SHORT_BITS:
        return mixture
    near = [_short(share) for share in mixture]
    near[near.index(max(near))] += ONE - sum(near)
    return tuple(near)


def _short(value: Fraction) -> Fraction:
    if value.denominator.bit_length() <= SHORT_BITS:
        return value
    return Fraction(round(value * (1 << SHORT_BITS)), 1 << SHORT_BITS)


def _least(mixture: Mixture, matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    """The least payoff of a mixture of rows."""
    columns = zip(*matrix, strict=True)
    return min(
        sum((p * paid for p, paid in zip(mixture, column, strict=True) if p), ZERO)
        for column in columns
    )

"""Backward induction on a graph without cycles: exact values, any number of players, chance.

In: a state graph and the states in reverse topological order. Out: a `SolvedGraph`. Minimax and
expectiminimax (AIMA 3rd ed., figures 5.3 and section 5.5) and max^n (Luckhardt and Irani, "An
algorithmic solution of N-person games", AAAI-86) are the same recursion: every player takes an
action that is best for that player. `ties` lists the values of different tie-breaks. A stage of
simultaneous choices is solved as a normal-form game with the successors' values as payoffs: by pure
strategies if possible (`stages`); else, between two players with opposed interests, by mixtures
(Shapley, "Stochastic games", PNAS 39, 1953); else by the first of the equilibria, with all
equilibria kept (`normal_form`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product

from gamedsl.game.contract import JointAction
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.exact.constant_sum import delays
from gamedsl.solvers.exact.solved import Mixtures, SolvedGraph
from gamedsl.solvers.exact.stages import (
    Choices,
    Payoffs,
    choices_of,
    dominant,
    saddle_point,
    undominated,
)
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.solvers.normal_form.form import NormalForm, plain_names
from gamedsl.solvers.normal_form.several_players import MOST_BOXES
from gamedsl.solvers.normal_form.solve import Equilibria, equilibria_of
from gamedsl.solvers.requirements import count_instead

LATER_BOXES = 200
"""Boxes of probabilities searched in later stages, where one equilibrium is followed."""
IRRATIONAL = (
    "its equilibria have irrational probabilities, so that what comes before has no exact payoffs"
)


def backward_induction(
    graph: StateGraph,
    order: Sequence[int],
    break_even: Vector | None = None,
    *,
    is_opposed: bool = False,
) -> SolvedGraph:
    """Solves an acyclic graph.

    Among actions with equal payoff to the mover the first in declaration order decides, except
    where `break_even` is given: then (one player, or two with opposed interests) the value does not
    depend on ties, and length decides before order. A mover who is behind takes the longest play,
    every other mover the shortest (`constant_sum.delays`). Rewards count where paid, and payoffs
    are discounted (AIMA 4th ed., section 17.1).

    Args:
        order: every state after all successors.
        break_even: the payoffs that count as neither ahead nor behind.
        is_opposed: whether the game has two players with opposed interests.
    """
    induction = _Induction(graph, break_even, is_opposed)
    for node in order:
        induction.settle(node)
    return SolvedGraph(
        graph, induction.values, induction.plies, induction.choices,
        counts_plies=break_even is not None, by_dominance=induction.by_dominance,
        mixtures=induction.mixtures, equilibria=induction.equilibria,
        error_bound=induction.error,
    )  # fmt: skip


def stage_form(graph: StateGraph, node: int, choices: Choices, payoffs: Payoffs) -> NormalForm:
    """The normal form of a state with simultaneous choices; payoffs are the successors' values."""
    game, state = graph.game, graph.states[node]
    names = tuple(
        plain_names([game.action_name(state, action) for action in own]) for own in choices
    )
    places = product(*(range(len(own)) for own in choices))
    numbered = {
        place: payoffs[tuple(own[n] for own, n in zip(choices, place, strict=True))]
        for place in places
    }
    return NormalForm(tuple(game.facts.players), names, numbered)


def equilibria_of_first_stage(solved: SolvedGraph) -> Equilibria | None:
    """The equilibria of the first state, if a stage of simultaneous choices, with the steps of
    dominance.

    None where the choices are too many to list the equilibria.
    """
    graph = solved.graph
    if graph.movers[0] != SIMULTANEOUS:
        return None
    joint_actions = graph.joint_actions(0)
    payoffs = {
        joint: graph.worth(0, edge, solved.values[graph.successors[0][edge]])
        for edge, joint in enumerate(joint_actions)
    }
    with suppress(UnsupportedGameError):
        return equilibria_of(stage_form(graph, 0, choices_of(joint_actions), payoffs))
    return None


class _Induction:
    def __init__(self, graph: StateGraph, break_even: Vector | None, is_opposed: bool) -> None:
        nodes = len(graph.states)
        self.graph = graph
        self.break_even = break_even
        self.is_opposed = is_opposed
        self.values: list[Vector] = [()] * nodes
        self.plies: list[int | None] = [None] * nodes
        self.choices = [-1] * nodes
        self.by_dominance: dict[int, tuple[int, ...]] = {}
        self.mixtures: dict[int, Mixtures] = {}
        self.equilibria: dict[int, Equilibria] = {}
        self.error = Fraction(0)
        self.vectors: dict[Vector, Vector] = {}

    def settle(self, node: int) -> None:
        mover = self.graph.movers[node]
        if mover >= 0:
            self._choose(node, mover)
        elif mover == SIMULTANEOUS:
            self._choose_together(node)
        elif mover == CHANCE:
            mean = self._expectation(node)
            self.values[node] = self.vectors.setdefault(mean, mean)
        else:
            payoffs = self.graph.payoffs[node]
            self.values[node] = self.vectors.setdefault(payoffs, payoffs)
            self.plies[node] = 0

    def _expectation(self, node: int) -> Vector:
        values = [self._after(node, edge) for edge in range(len(self.graph.successors[node]))]
        chances = self.graph.chances[node]
        return tuple(
            sum((p * payoff for p, payoff in zip(chances, column, strict=True)), Fraction(0))
            for column in zip(*values, strict=True)
        )

    def _choose(self, node: int, mover: int) -> None:
        children = self.graph.successors[node]
        best_edge, best = 0, self._after(node, 0)
        for edge in range(1, len(children)):
            value = self._after(node, edge)
            if value is not best and value[mover] != best[mover]:
                better = value[mover] > best[mover]
            else:
                better = self._is_preferred(mover, best, children[edge], children[best_edge])
            if better:
                best_edge, best = edge, value
        after = self.plies[children[best_edge]]
        self.values[node] = self.vectors.setdefault(best, best)
        self.choices[node] = best_edge
        self.plies[node] = None if after is None else after + 1

    def _after(self, node: int, edge: int) -> Vector:
        """An action's value, including the reward."""
        return self.graph.worth(node, edge, self.values[self.graph.successors[node][edge]])

    def _choose_together(self, node: int) -> None:
        children = self.graph.successors[node]
        joint_actions = self.graph.joint_actions(node)
        choices = choices_of(joint_actions)
        payoffs = {joint: self._after(node, edge) for edge, joint in enumerate(joint_actions)}
        left = undominated(choices, payoffs)
        chosen: JointAction | None = tuple(actions[0] for actions in left)
        if any(len(actions) > 1 for actions in left):
            if self.is_opposed:
                chosen = saddle_point(choices, payoffs)
            else:
                equal = tuple(product(*dominant(choices, payoffs)))
                chosen = next(iter(equal), None)
                self.by_dominance[node] = tuple(map(joint_actions.index, equal))
        if chosen is None and self.is_opposed:
            self._mix(node, choices, payoffs)
            return
        if chosen is None:
            chosen = self._first_equilibrium(node, choices, payoffs, left)
        if chosen is None:
            return
        edge = joint_actions.index(chosen)
        after = self.plies[children[edge]]
        self.values[node] = payoffs[chosen]
        self.choices[node] = edge
        self.plies[node] = None if after is None else after + 1

    def _mix(self, node: int, choices: Choices, payoffs: Payoffs) -> None:
        """Solves a stage of two players with opposed interests by mixtures; the length of play is
        None."""
        rows, columns = choices
        found = solve_matrix([[payoffs[row, column][0] for column in columns] for row in rows])
        total = sum(payoffs[rows[0], columns[0]])
        value = (found.value, total - found.value)
        self.values[node] = self.vectors.setdefault(value, value)
        mixtures = zip(choices, (found.row, found.column), strict=True)
        self.mixtures[node] = tuple(tuple(zip(*pair, strict=True)) for pair in mixtures)

    def _first_equilibrium(
        self, node: int, choices: Choices, payoffs: Payoffs, left: Choices
    ) -> JointAction | None:
        """The joint action of the first equilibrium; None where the equilibrium is mixed."""
        try:
            stage = stage_form(self.graph, node, choices, payoffs)
            found = equilibria_of(stage, most_boxes=LATER_BOXES if node else MOST_BOXES)
        except UnsupportedGameError as refusal:
            raise self._undecided(node, left, refusal.reason) from refusal
        first = found.found[0]
        if first.error and node:
            raise self._undecided(node, left, IRRATIONAL)
        self.equilibria[node] = found
        self.error = first.value_error
        if first.is_pure:
            numbers = (mixture.index(Fraction(1)) for mixture in first.mixtures)
            return tuple(own[number] for own, number in zip(choices, numbers, strict=True))
        self.values[node] = self.vectors.setdefault(first.value, first.value)
        pairs = zip(choices, first.mixtures, strict=True)
        self.mixtures[node] = tuple(tuple(zip(*pair, strict=True)) for pair in pairs)
        return None

    def _undecided(self, node: int, left: Choices, reason: str) -> UnsupportedGameError:
        graph = self.graph
        names = " and ".join(
            f"{len(actions)} to {player.name}"
            for player, actions in zip(graph.game.players, left, strict=True)
            if len(actions) > 1
        )
        way = ", ".join(graph.play_to(node))
        where = f"after {way}" if way else "in the first position"
        return UnsupportedGameError(
            f"players of {graph.game.name} choose at the same time, and {where} several choices "
            f"are left ({names}) when those are crossed out that are strictly worse than another "
            f"whatever the others do; {reason}",
            count_instead(graph.game),
        )

    def _is_preferred(self, mover: int, value: Vector, child: int, rival: int) -> bool:
        """Whether, at equal value, the length of play speaks for `child`."""
        if self.break_even is None:
            return False
        length, rival_length = self.plies[child], self.plies[rival]
        if length is None or rival_length is None:
            return False
        if delays(value, mover, self.break_even):
            return length > rival_length
        return length < rival_length

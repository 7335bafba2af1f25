"""Solves stages of simultaneous choices during a backward induction.

A stage is a normal-form game with the successors' values as payoffs, solved by pure strategies if
possible (`stages`); else, between two players with opposed interests, by mixtures (Shapley,
"Stochastic games", PNAS 39, 1953); else by the first of the equilibria, with all equilibria kept
(`normal_form`).
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import product

from gamedsl.game.contract import JointAction
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.exact.backward_induction import Induction
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.exact.stages import (
    Choices,
    Payoffs,
    choices_of,
    dominant,
    saddle_point,
    undominated,
)
from gamedsl.solvers.graphs.graph import StateGraph
from gamedsl.solvers.normal_form.form import NormalForm, plain_names
from gamedsl.solvers.normal_form.several_players import MOST_BOXES
from gamedsl.solvers.normal_form.solve import Equilibria, equilibria_of
from gamedsl.solvers.requirements import count_instead

LATER_BOXES = 200
"""Boxes of probabilities searched in later stages, where one equilibrium is followed."""
IRRATIONAL = (
    "its equilibria have irrational probabilities, so that what comes before has no exact payoffs"
)


def stage_form(graph: StateGraph, node: int, choices: Choices, payoffs: Payoffs) -> NormalForm:
    """The normal form of a state with simultaneous choices; payoffs are the successors' values."""
    game, state = graph.game, graph.states[node]
    names = tuple(
        plain_names([game.action_name(state, action) for action in actions]) for actions in choices
    )
    places = product(*(range(len(actions)) for actions in choices))
    numbered = {
        place: payoffs[tuple(actions[n] for actions, n in zip(choices, place, strict=True))]
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
        joint: graph.expected_payoffs(0, edge, solved.values[graph.successors[0][edge]])
        for edge, joint in enumerate(joint_actions)
    }
    with suppress(UnsupportedGameError):
        return equilibria_of(stage_form(graph, 0, choices_of(joint_actions), payoffs))
    return None


class SimultaneousStages:
    """Solver of the stages of an induction, with the results written into the induction."""

    def __init__(self, induction: Induction) -> None:
        self._induction = induction

    def settle(self, node: int) -> None:
        """Finds the value of a stage whose successors are settled."""
        children = self._induction.graph.successors[node]
        joint_actions = self._induction.graph.joint_actions(node)
        choices = choices_of(joint_actions)
        payoffs = {
            joint: self._induction.after_edge(node, edge)
            for edge, joint in enumerate(joint_actions)
        }
        left = undominated(choices, payoffs)
        chosen: JointAction | None = tuple(actions[0] for actions in left)
        if any(len(actions) > 1 for actions in left):
            if self._induction.is_opposed:
                chosen = saddle_point(choices, payoffs)
            else:
                equal = tuple(product(*dominant(choices, payoffs)))
                chosen = next(iter(equal), None)
                self._induction.by_dominance[node] = tuple(map(joint_actions.index, equal))
        if chosen is None and self._induction.is_opposed:
            self._mix(node, choices, payoffs)
            return
        if chosen is None:
            chosen = self._first_equilibrium(node, choices, payoffs, left)
        if chosen is None:
            return
        edge = joint_actions.index(chosen)
        after = self._induction.plies[children[edge]]
        self._induction.values[node] = payoffs[chosen]
        self._induction.choices[node] = edge
        self._induction.plies[node] = None if after is None else after + 1

    def _mix(self, node: int, choices: Choices, payoffs: Payoffs) -> None:
        """Solves a stage of two players with opposed interests by mixtures; the length of play is
        None."""
        rows, columns = choices
        solution = solve_matrix([[payoffs[row, column][0] for column in columns] for row in rows])
        total = sum(payoffs[rows[0], columns[0]])
        value = (solution.value, total - solution.value)
        self._induction.values[node] = self._induction.vectors.setdefault(value, value)
        mixtures = zip(choices, (solution.row, solution.column), strict=True)
        self._induction.mixtures[node] = tuple(tuple(zip(*pair, strict=True)) for pair in mixtures)

    def _first_equilibrium(
        self, node: int, choices: Choices, payoffs: Payoffs, left: Choices
    ) -> JointAction | None:
        """The joint action of the first equilibrium; None where the equilibrium is mixed."""
        try:
            stage = stage_form(self._induction.graph, node, choices, payoffs)
            equilibria = equilibria_of(stage, most_boxes=LATER_BOXES if node else MOST_BOXES)
        except UnsupportedGameError as refusal:
            raise self._undecided(node, left, refusal.reason) from refusal
        first = equilibria.equilibria[0]
        if first.error and node:
            raise self._undecided(node, left, IRRATIONAL)
        self._induction.equilibria[node] = equilibria
        self._induction.error = first.value_error
        if first.is_pure:
            numbers = (mixture.index(Fraction(1)) for mixture in first.mixtures)
            return tuple(actions[number] for actions, number in zip(choices, numbers, strict=True))
        self._induction.values[node] = self._induction.vectors.setdefault(first.value, first.value)
        pairs = zip(choices, first.mixtures, strict=True)
        self._induction.mixtures[node] = tuple(tuple(zip(*pair, strict=True)) for pair in pairs)
        return None

    def _undecided(self, node: int, left: Choices, reason: str) -> UnsupportedGameError:
        graph = self._induction.graph
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

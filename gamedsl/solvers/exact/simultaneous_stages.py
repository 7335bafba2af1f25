"""Solves stages of simultaneous choices during a backward induction.

A stage is a normal-form game with the successors' values as payoffs, solved by pure strategies if
possible (`stages`); else, between two players with opposed interests, by mixtures (Shapley,
"Stochastic games", PNAS 39, 1953); else by the first of the equilibria, with all equilibria kept
(`normal_form`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product

from gamedsl.game.contract import Game, JointAction
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS, State
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.exact.solved import Mixtures, SolvedGraph
from gamedsl.solvers.exact.stages import (
    Choices,
    Payoffs,
    choices_of,
    copies,
    dominant,
    saddle_point,
    undominated,
    with_copies,
)
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.solvers.normal_form.form import Mixture, NormalForm, plain_names
from gamedsl.solvers.normal_form.several_players import MOST_BOXES
from gamedsl.solvers.normal_form.solve import Equilibria, equilibria_of
from gamedsl.solvers.requirements import count_instead
from gamedsl.source.records import dataclass

LATER_BOXES = 200
"""Boxes of probabilities searched in later stages, where one equilibrium is followed."""
IRRATIONAL = (
    "its equilibria have irrational probabilities, so that what comes before has no exact payoffs"
)
COPIES = "of choices that pay all players the same, one is listed"


def stage_form(game: Game, state: State, choices: Choices, payoffs: Payoffs) -> NormalForm:
    """The normal form of a state with simultaneous choices; payoffs are the successors' values."""
    names = tuple(
        plain_names([game.action_name(state, action) for action in actions]) for actions in choices
    )
    return replace(numbered_form(tuple(game.facts.players), choices, payoffs), strategies=names)


def numbered_form(players: tuple[str, ...], choices: Choices, payoffs: Payoffs) -> NormalForm:
    """The normal form of choices with payoffs; strategies are named by numbers."""
    places = product(*(range(len(actions)) for actions in choices))
    numbered = {
        place: payoffs[tuple(actions[n] for actions, n in zip(choices, place, strict=True))]
        for place in places
    }
    names = tuple(tuple(map(str, range(len(actions)))) for actions in choices)
    return NormalForm(players, names, numbered)


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
        choices = choices_of(joint_actions)
        return equilibria_of(stage_form(graph.game, graph.states[0], choices, payoffs))
    return None


@dataclass(frozen=True, slots=True)
class SolvedStage:
    """The solution of a stage.

    Attributes:
        value: payoffs of all players.
        edge: the joint action of pure play; -1 where the stage is mixed.
        dominant: all edges of joint dominant choices, possibly none; None where weak dominance was
            not asked.
        mixtures: probabilities of each player's actions, where the stage is mixed.
        equilibria: all equilibria, where no pure choice is dominant and interests are not opposed.
    """

    value: Vector
    edge: int = -1
    dominant: tuple[int, ...] | None = None
    mixtures: Mixtures | None = None
    equilibria: Equilibria | None = None


def solve_stage(
    graph: StateGraph, node: int, after: Sequence[Vector], *, is_opposed: bool
) -> SolvedStage:
    """Solves a state with simultaneous choices.

    `after`: the values of the joint actions, rewards included, by edge. `is_opposed`: whether the
    game has two players with opposed interests. Raises UnsupportedGameError, with the play that
    leads to the stage, where no equilibrium is computed.
    """
    joint_actions = graph.joint_actions(node)
    choices, payoffs = choices_of(joint_actions), dict(zip(joint_actions, after, strict=True))
    if is_opposed:
        left = undominated(choices, payoffs)
        chosen = saddle_point(choices, payoffs) if _are_open(left) else _first(left)
        if chosen is None:
            return mixed_stage(choices, payoffs)
        return SolvedStage(payoffs[chosen], joint_actions.index(chosen))
    game, state = graph.game, graph.states[node]
    try:
        return unopposed_stage(
            choices,
            payoffs,
            lambda listed: stage_form(game, state, listed, payoffs),
            is_first=not node,
        )
    except UnsupportedGameError as refusal:
        raise _undecided(graph, node, choices, payoffs, refusal.reason) from refusal


def unopposed_stage(
    choices: Choices,
    payoffs: Payoffs,
    form_of: Callable[[Choices], NormalForm],
    *,
    is_first: bool,
) -> SolvedStage:
    """Solves a stage of simultaneous choices of any interests: by iterated dominance, by dominant
    choices, else by the first of the equilibria.

    `payoffs`: by joint action, in order; the edges are their numbers. `form_of`: the normal form of
    some choices. `is_first`: whether all choices of the stage are listed, copies included. Raises
    UnsupportedGameError where no equilibrium is computed.
    """
    joint_actions = tuple(payoffs)
    alike = copies(choices, payoffs)
    listed = tuple(map(tuple, alike))
    left = with_copies(undominated(listed, payoffs), alike)
    if not _are_open(left):
        return SolvedStage(payoffs[_first(left)], joint_actions.index(_first(left)))
    equal = tuple(product(*with_copies(dominant(listed, payoffs), alike)))
    by_dominance = tuple(map(joint_actions.index, equal))
    if equal:
        return SolvedStage(payoffs[equal[0]], by_dominance[0], by_dominance)
    listed = choices if is_first else listed
    equilibria = equilibria_of(form_of(listed), most_boxes=MOST_BOXES if is_first else LATER_BOXES)
    if listed != choices and equilibria.is_only:
        equilibria = replace(equilibria, why_more=COPIES)
    first = equilibria.equilibria[0]
    if first.error and not is_first:
        raise UnsupportedGameError(IRRATIONAL)
    if first.is_pure:
        places = (mixture.index(Fraction(1)) for mixture in first.mixtures)
        pure = tuple(actions[place] for actions, place in zip(listed, places, strict=True))
        edge = joint_actions.index(pure)
        return SolvedStage(payoffs[pure], edge, by_dominance, equilibria=equilibria)
    chances = map(dict, _by_action(listed, first.mixtures))
    mixtures = tuple(
        tuple((action, chance.get(action, Fraction(0))) for action in actions)
        for actions, chance in zip(choices, chances, strict=True)
    )
    return SolvedStage(first.value, -1, by_dominance, mixtures, equilibria)


def _are_open(left: Choices) -> bool:
    """Whether some player has several choices left."""
    return any(len(actions) > 1 for actions in left)


def _first(left: Choices) -> JointAction:
    """The first choice left to each player."""
    return tuple(actions[0] for actions in left)


def mixed_stage(choices: Choices, payoffs: Payoffs) -> SolvedStage:
    """A stage of two players with opposed interests, by mixtures."""
    rows, columns = choices
    matrix = solve_matrix([[payoffs[row, column][0] for column in columns] for row in rows])
    total = sum(payoffs[rows[0], columns[0]])
    mixtures = _by_action(choices, (matrix.row, matrix.column))
    return SolvedStage((matrix.value, total - matrix.value), mixtures=mixtures)


def _by_action(choices: Choices, mixtures: Sequence[Mixture]) -> Mixtures:
    """Each player's actions with their probabilities."""
    pairs = zip(choices, mixtures, strict=True)
    return tuple(tuple(zip(*pair, strict=True)) for pair in pairs)


def _undecided(
    graph: StateGraph, node: int, choices: Choices, payoffs: Payoffs, reason: str
) -> UnsupportedGameError:
    left = undominated(choices, payoffs)
    names = " and ".join(
        f"{len(actions)} to {player.name}"
        for player, actions in zip(graph.game.players, left, strict=True)
        if len(actions) > 1
    )
    play = ", ".join(graph.play_to(node))
    where = f"after {play}" if play else "in the first position"
    return UnsupportedGameError(
        f"players of {graph.game.name} choose at the same time, and {where} several choices "
        f"are left ({names}) when those are crossed out that are strictly worse than another "
        f"whatever the others do; {reason}",
        count_instead(graph.game),
    )

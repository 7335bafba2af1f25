"""Strategies by information sets: saved to a file, read, and verified by best responses.

A file holds the players' behaviour in all information sets, in the order in which the rules lead to
the sets, and the claims about the behaviour. `SavedEquilibrium` holds the game defined by the rules
in the file.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.rules import game_of, rules_of, slice_in
from gamedsl.game.game import LoadedGame
from gamedsl.game.stored_facts import (
    Shape,
    SolutionFileError,
    either,
    is_fraction,
    is_nothing,
    is_size,
    is_text,
    many,
    refuse_odd,
)
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.best_response import best_response_gains, expected_payoffs
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet, extensive_form
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.form_solutions import solution_from_form, unsettled_from_form
from gamedsl.solvers.graphs.graph import OutOfHistoriesError, Vector, within
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import Others, Solution, Status
from gamedsl.source.components import components
from gamedsl.source.records import dataclass

LISTED_KIND = "an equilibrium: nobody gains on average by another way to play"
"""Kind of the first of several listed equilibria; the file does not hold the rest."""


class SavedEquilibrium:
    """Strategies by information sets, read from a file.

    Attributes:
        path: path of the file.
        game: the game defined by the rules in the file, or its slice.
        facts: further facts of the file: `gamedsl`, the version that wrote the file;
            `rules_sha256`.
        profile: for a player and an information set, the probabilities of the actions.
        value, error_bound: the claimed value and error bound; None without a common value.
        gain: the claimed maximum of the players' gains by deviation.
    """

    def __init__(self, path: Path, file: SolutionFile) -> None:
        self.path, self.facts = path, file.facts
        self.game = slice_in(file.facts, game_of(file.facts))
        try:
            claims = file.facts["equilibrium"]
            if isinstance(claims, dict):
                claims.setdefault("others", Others.NONE.value)  # earlier versions wrote none
            refuse_odd(claims, self._shapes())
            self.profile: tuple[Behaviour, ...] = tuple(
                tuple(tuple(map(Fraction, local)) for local in behaviour)
                for behaviour in claims["behaviour"]
            )
            value = claims["value"]
            self.value = None if value is None else tuple(map(Fraction, value))
            self.error_bound, self.gain = map(Fraction, (claims["error_bound"], claims["gain"]))
            self._status, self._kind = Status(claims["status"]), claims["kind"]
            self._others = Others(claims["others"])
            self._solver = SolverName(file.facts["solver"])
        except ValueError as error:
            wanted = file.facts.get("gamedsl")
            raise SolutionFileError(f"{error}; it was written by gamedsl {wanted}") from error

    def _shapes(self) -> dict[str, Shape]:
        """The shapes of the claims in JSON."""
        count = len(self.game.facts.players)
        return {
            "behaviour": many(many(many(is_fraction)), count),
            "value": either(is_nothing, many(is_fraction, count)),
            "error_bound": is_size,
            "gain": is_size,
            "status": is_text,
            "kind": either(is_nothing, is_text),
            "others": is_text,
        }

    @cached_property
    def form(self) -> ExtensiveForm:
        """The extensive form defined by the rules in the file.

        Raises:
            SolutionFileError: the information sets differ from the file's.
            OutOfMemoryError: the extensive form takes more than half of the free memory.
        """
        progress = within(usable_bytes(), None)
        form = extensive_form(self.game, max_histories=sys.maxsize, progress=progress)
        widths = [[len(information_set.actions) for information_set in sets] for sets in form.sets]
        if widths != [[len(local) for local in behaviour] for behaviour in self.profile]:
            raise SolutionFileError("its rules have other information sets than it says")
        return form

    def solution(self) -> Solution:
        """The solution in the file, for the start of the game."""
        if self.value is None:
            paid = expected_payoffs(self.form, self.profile)
            solution = unsettled_from_form(self.form, self.profile, paid, self._status)
        else:
            solution = solution_from_form(self.form, self.profile, self.value, self.error_bound)
        return replace(
            solution,
            status=self._status,
            answer=self._kind,
            solver=self._solver,
            others=self._others,
        )


@dataclass(frozen=True, slots=True)
class EquilibriumVerification:
    """The result of a comparison with best responses.

    Attributes:
        information_sets: number of information sets of all players.
        paid: the players' payoffs.
        gains: gain of a player by the best deviation from the profile.
        fault: the first error in the claims, in one sentence; None without an error.
    """

    information_sets: int
    paid: Vector
    gains: Vector
    fault: str | None = None


def play_by_positions(game: LoadedGame, solution: Solution) -> FormPlay | None:
    """Strategies by information sets from a solution by positions.

    Applies to games with simultaneous moves or general payoffs. Returns None for all remaining
    solutions, and if play can return to a position, as the number of plays is then infinite.

    Raises UnsupportedGameError if there are too many plays to enumerate.
    """
    facts, solved = game.facts, solution.solved
    is_planned = facts.is_simultaneous or (len(facts.players) > 1 and not facts.is_opposed)
    if not is_planned or not isinstance(solved, SolvedGraph) or solution.error_bound:
        return None
    graph = solved.graph
    order = components(graph.successors)
    if graph.states[0] != game.initial_state() or len(order) < len(graph.states):
        return None
    try:
        form = extensive_form(game, progress=within(usable_bytes(), None))
    except OutOfHistoriesError as reached:
        raise UnsupportedGameError(
            f"there are {reached}, and a file has what players do after each of them",
            "leave out --save, or choose smaller parameters (-D)",
        ) from reached
    profile = [
        tuple(_local(solution, information_set, player) for information_set in sets)
        for player, sets in enumerate(form.sets)
    ]
    return FormPlay(form, profile)


def _local(
    solution: Solution, information_set: InformationSet, player: int
) -> tuple[Fraction, ...]:
    """A player's action probabilities after the play that leads to an information set."""
    for strategy in solution.strategies_at(information_set.history):
        if strategy.player == player:
            return tuple(chance for _, chance in strategy.choices)
    state, choice = information_set.history[-1][0], solution.choice(information_set.history[-1][0])
    assert choice is not None, "a player who has a move has a best one"
    assert solution.solved is not None, "it is by positions"
    name = solution.solved.game.action_name(state, choice)
    return tuple(Fraction(action == name) for action in information_set.actions)


def write_equilibrium(game: LoadedGame, solution: Solution, play: FormPlay, path: Path) -> None:
    """Write strategies by information sets to a file, whole or not at all."""
    gain = max(best_response_gains(play.form, play.profile))
    status = Status.WEAK if solution.status is Status.STRONG else solution.status
    is_listed = solution.equilibria is not None and solution.others is not Others.NONE
    claims = {
        "status": str(status),
        "value": None if solution.value is None else list(map(str, solution.value)),
        "error_bound": str(solution.error_bound),
        "gain": str(gain),
        "kind": LISTED_KIND if is_listed else solution.kind,
        "others": str(solution.others),
        "behaviour": [[list(map(str, local)) for local in behaviour] for behaviour in play.profile],
    }
    assert solution.solver is not None, "a solution has a solver"
    facts = {"solver": solution.solver.value, "equilibrium": claims}
    write_solution(path, {**rules_of(game, game.initial_state()), **facts}, {})


def verify_equilibrium(saved: SavedEquilibrium) -> EquilibriumVerification:
    """Compare the strategies with best responses, exactly and without a solver.

    Raises SolutionFileError if the information sets differ, GameRuleError if the rules fail,
    OutOfMemoryError if the extensive form is too large.
    """
    form, profile = saved.form, saved.profile
    count = sum(form.size.information_sets)
    if (odd := _no_choice(saved)) is not None:
        return EquilibriumVerification(count, (), (), odd)
    paid, gains = expected_payoffs(form, profile), best_response_gains(form, profile)
    fault = _fault_of_value(saved, paid, gains)
    if max(gains) > saved.gain:
        fault = f"it says that nobody gains more than {saved.gain}, and somebody gains {max(gains)}"
    return EquilibriumVerification(count, paid, gains, fault)


def _no_choice(saved: SavedEquilibrium) -> str | None:
    for behaviour, name in zip(saved.profile, saved.game.facts.players, strict=True):
        for local in behaviour:
            if min(local) < 0 or sum(local) != 1:
                return f"{name} does something with probabilities of {', '.join(map(str, local))}"
    return None


def _fault_of_value(saved: SavedEquilibrium, paid: Vector, gains: Vector) -> str | None:
    """The error in the claimed value, or None.

    In a two-player constant-sum game the first player's value lies between the payoff less the
    second player's gain, and the payoff plus the first player's gain.
    """
    value = saved.value
    if value is None:
        return None
    if len(paid) == 2 and constant_sum(saved.form.outcomes, range(2)) is not None:
        least, most = paid[0] - gains[1], paid[0] + gains[0]
        said = value[0] - saved.error_bound, value[0] + saved.error_bound
        if said[0] <= least and most <= said[1]:
            return None
        return f"it says that the value is {_between(*said)}, and it is {_between(least, most)}"
    if value == paid and not any(gains):
        return None
    return "it says that it is an equilibrium with another value, and best responses say no"


def _between(least: Fraction, most: Fraction) -> str:
    return str(least) if least == most else f"between {float(least):.9g} and {float(most):.9g}"

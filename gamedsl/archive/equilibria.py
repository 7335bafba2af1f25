"""What players do who do not see everything, kept in a file, and held against best responses.

In: a solution by information sets; or a path. Out: the file; `SavedEquilibrium`, which holds the
game that the file's own rules make; `EquilibriumVerification`. A file has what each player does in
each information set, in the order in which the rules lead to them, and what is claimed of it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.rules import game_of, rules_of
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
from gamedsl.solvers.equilibria.best_response import best_response_gains, worth
from gamedsl.solvers.equilibria.extensive_form import (
    ExtensiveForm,
    InformationSet,
    OutOfHistoriesError,
    extensive_form,
)
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.components import components
from gamedsl.solvers.graphs.graph import Vector, within
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import Others, Solution, Status
from gamedsl.solvers.solution_parts import solution_from_form, unsettled_from_form
from gamedsl.source.records import dataclass

LISTED_KIND = "an equilibrium: nobody gains on average by another way to play"
"""Of the first of several that were listed: the others are not in the file."""


class SavedEquilibrium:
    """What players do, read from a file.

    Attributes:
        path: where it lies.
        game: the game that the rules in it make.
        facts: what else was written: `gamedsl`, the version that did it; `rules_sha256`.
        profile: of each player, for each information set, the probability of each action.
        value, error_bound: what it is worth, as is claimed; no value where none is agreed on.
        gain: the most that anybody could gain by another way to play, as is claimed.
    """

    def __init__(self, path: Path, file: SolutionFile) -> None:
        self.path, self.facts = path, file.facts
        self.game = game_of(file.facts)
        try:
            claims = file.facts["equilibrium"]
            if isinstance(claims, dict):
                claims.setdefault("others", Others.NONE.value)  # earlier versions wrote none
            refuse_odd(claims, self._shapes())
            self.profile: tuple[Behaviour, ...] = tuple(
                tuple(tuple(map(Fraction, local)) for local in own) for own in claims["behaviour"]
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
        """What the file claims, as JSON has it."""
        count = len(self.game.facts.players)
        return {
            "behaviour": many(many(many(is_fraction)), count),
            "value": either(is_nothing, many(is_fraction, count)),
            "error_bound": is_size,
            "gain": is_size,
            "status": is_text,
            "kind": is_text,
            "others": is_text,
        }

    @cached_property
    def form(self) -> ExtensiveForm:
        """The extensive form that the rules in the file make.

        Raises:
            SolutionFileError: it has other information sets than the file.
            OutOfMemoryError: it takes half of the memory that is free, and more.
        """
        progress = within(usable_bytes(), None)
        form = extensive_form(self.game, max_histories=sys.maxsize, progress=progress)
        widths = [[len(one.actions) for one in own] for own in form.sets]
        if widths != [[len(local) for local in own] for own in self.profile]:
            raise SolutionFileError("its rules have other information sets than it says")
        return form

    def solution(self) -> Solution:
        """What the file says, of the beginning of the game."""
        if self.value is None:
            paid = worth(self.form, self.profile)
            parts = unsettled_from_form(self.form, self.profile, paid, self._status)
        else:
            parts = solution_from_form(self.form, self.profile, self.value, self.error_bound)
        parts = replace(
            parts,
            status=self._status,
            kind=self._kind,
            solver=self._solver,
            others=self._others,
        )
        return parts.solution(self.game, 0)


@dataclass(frozen=True, slots=True)
class EquilibriumVerification:
    """What best responses say of what players do.

    Attributes:
        information_sets: how many there are, of all players.
        paid: what each player gets.
        gains: what each could get more by another way to play, while the others keep to theirs.
        fault: what is wrong with what is claimed, in one sentence; None if nothing is.
    """

    information_sets: int
    paid: Vector
    gains: Vector
    fault: str | None = None


def play_by_positions(game: LoadedGame, solution: Solution) -> FormPlay | None:
    """What players do by what they have seen, where a solution says it by positions: where all
    choose at once, or interests are not opposed. None where it says nothing of the kind, or where
    play can return, so that there are plays without number.

    Raises UnsupportedGameError where there are too many plays to go through each.
    """
    facts, solved = game.facts, solution.solved
    is_planned = facts.is_simultaneous or (len(facts.players) > 1 and not facts.is_zero_sum)
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
        tuple(_local(solution, one, player) for one in own) for player, own in enumerate(form.sets)
    ]
    return FormPlay(form, profile)


def _local(solution: Solution, one: InformationSet, player: int) -> tuple[Fraction, ...]:
    """With what probabilities a player chooses after the play that leads to an information set."""
    for found in solution.strategies_at(one.history):
        if found.player == player:
            return tuple(chance for _, chance in found.choices)
    state, choice = one.history[-1][0], solution.choice(one.history[-1][0])
    assert choice is not None, "a player who has a move has a best one"
    assert solution.solved is not None, "it is by positions"
    name = solution.solved.game.action_name(state, choice)
    return tuple(Fraction(action == name) for action in one.actions)


def write_equilibrium(game: LoadedGame, solution: Solution, play: FormPlay, path: Path) -> None:
    """Write to a file, whole or not at all, what players do by what they have seen."""
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
        "behaviour": [[list(map(str, local)) for local in own] for own in play.profile],
    }
    assert solution.solver is not None, "somebody has found it"
    own = {"solver": solution.solver.value, "equilibrium": claims}
    write_solution(path, {**rules_of(game, game.initial_state()), **own}, {})


def verify_equilibrium(saved: SavedEquilibrium) -> EquilibriumVerification:
    """Hold what players do against best responses, exactly; no solver has a part in it.

    Raises SolutionFileError where the rules have other information sets, GameRuleError where they
    fail, OutOfMemoryError where their extensive form is too large.
    """
    form, profile = saved.form, saved.profile
    count = sum(form.size.information_sets)
    if (odd := _no_choice(saved)) is not None:
        return EquilibriumVerification(count, (), (), odd)
    paid, gains = worth(form, profile), best_response_gains(form, profile)
    fault = _fault_of_value(saved, paid, gains)
    if max(gains) > saved.gain:
        fault = f"it says that nobody gains more than {saved.gain}, and somebody gains {max(gains)}"
    return EquilibriumVerification(count, paid, gains, fault)


def _no_choice(saved: SavedEquilibrium) -> str | None:
    for own, name in zip(saved.profile, saved.game.facts.players, strict=True):
        for local in own:
            if min(local) < 0 or sum(local) != 1:
                return f"{name} does something with probabilities of {', '.join(map(str, local))}"
    return None


def _fault_of_value(saved: SavedEquilibrium, paid: Vector, gains: Vector) -> str | None:
    """Whether the value is what best responses leave. Of two with opposed interests it lies between
    what the first is sure of, as the second gains so much at most, and what the first could get."""
    value = saved.value
    if value is None:
        return None
    if len(paid) == 2 and constant_sum(saved.form.outcomes, len(paid)) is not None:
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

"""What players do who do not see everything, kept, read and held against best responses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.archive import equilibria
from gamedsl.archive.equilibria import SavedEquilibrium, verify_equilibrium
from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.saved import open_solution, save_solution
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.histories import observed_graph
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution

Claims = dict[str, Any]


def kept(path: Path, name: str = "kuhn_poker", **asked: Any) -> tuple[Solution, SavedEquilibrium]:
    game = gamedsl.load(name)
    solution = solve(game, options=SolveOptions(**asked))
    save_solution(game, solution, path)
    saved = open_solution(path)
    assert isinstance(saved, SavedEquilibrium)
    return solution, saved


def test_an_exact_equilibrium_is_proved_by_best_responses(tmp_path: Path) -> None:
    solution, saved = kept(tmp_path / "k.solution")
    found = verify_equilibrium(saved)
    assert found.fault is None
    assert found.paid == (Fraction(-1, 18), Fraction(1, 18))
    assert not any(found.gains)
    assert replace(saved.solution(), seconds=solution.seconds) == solution


@pytest.mark.parametrize("rule", [SolverName.CFR, SolverName.EXTERNAL_SAMPLING])
def test_what_was_learnt_is_kept_with_its_bound(tmp_path: Path, rule: SolverName) -> None:
    solution, saved = kept(tmp_path / "k.solution", solver=rule, rounds=100)
    found = verify_equilibrium(saved)
    assert found.fault is None
    assert abs(sum(found.gains, Fraction(0)) / 2 - solution.error_bound) < Fraction(1, 10**12)
    assert saved.solution().strategies == solution.strategies


def test_three_players_are_kept_without_a_value(tmp_path: Path) -> None:
    asked = {"solver": SolverName.CFR_PLUS, "rounds": 50}
    solution, saved = kept(tmp_path / "k.solution", "kuhn_poker_several", **asked)
    assert verify_equilibrium(saved).fault is None
    assert (saved.solution().value, saved.solution().outcome) == (None, solution.outcome)


def test_of_several_equilibria_the_first_is_kept(tmp_path: Path) -> None:
    solution, saved = kept(tmp_path / "b.solution", "beer_and_quiche")
    found = verify_equilibrium(saved)
    assert (found.fault, found.paid, any(found.gains)) == (None, solution.value, False)


@pytest.mark.parametrize(
    "name", ["goofspiel", "chicken", "blotto", "repeated_dilemma", "centipede", "aima_three_player"]
)
def test_what_is_solved_by_positions_is_kept_by_what_players_have_seen(
    tmp_path: Path, name: str
) -> None:
    """Choices at once, and several interests: no table of positions holds their equilibria."""
    solution, saved = kept(tmp_path / "g.solution", name)
    found = verify_equilibrium(saved)
    assert (found.fault, found.paid, any(found.gains)) == (None, solution.value, False)
    assert saved.solution().value == solution.value
    start = ((saved.game.initial_state(), None),)
    assert saved.solution().informed_choices(start)


def test_stages_to_which_play_returns_are_not_kept(tmp_path: Path) -> None:
    game = gamedsl.load(
        'game "Round"\nplayers A, B\nstate:\n    c[players]: 0..1 = 0\n'
        "simultaneous choose(k in 0..1):\n    c[me] = k\n"
        "end:\n    if c[A] == 1 and c[B] == 1: A wins\nendless: draw\n"
    )
    with pytest.raises(UnsupportedGameError, match="is not saved: "):
        save_solution(game, solve(game), tmp_path / "r.solution")


def other_value(claims: Claims) -> None:
    claims["value"] = ["-1/17", "1/17"]


def too_small_a_bound(claims: Claims) -> None:
    claims["behaviour"][0][0] = ["0", "1"]
    claims["gain"] = "1"


def other_behaviour(claims: Claims) -> None:
    claims["behaviour"][0][0] = ["0", "1"]


def no_probabilities(claims: Claims) -> None:
    claims["behaviour"][1][0] = ["1/2", "1/3"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other_value, "the value is -1/17, and it is -1/18"),
        (too_small_a_bound, "the value is -1/18, and it is between"),
        (other_behaviour, "nobody gains more than 0, and somebody gains"),
        (no_probabilities, "probabilities of 1/2, 1/3"),
    ],
)
def test_what_is_not_so_is_found(
    tmp_path: Path, change: Callable[[Claims], None], said: str
) -> None:
    path = tmp_path / "k.solution"
    kept(path)
    facts = SolutionFile(path).facts
    change(facts["equilibrium"])
    write_solution(path, facts, {})
    saved = open_solution(path)
    assert isinstance(saved, SavedEquilibrium)
    assert said in str(verify_equilibrium(saved).fault)


def test_what_does_not_fit_the_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.solution"
    kept(path)
    facts = SolutionFile(path).facts
    facts["equilibrium"]["behaviour"][0].pop()
    write_solution(path, facts, {})
    saved = open_solution(path)
    assert isinstance(saved, SavedEquilibrium)
    with pytest.raises(SolutionFileError, match="other information sets"):
        verify_equilibrium(saved)
    facts["equilibrium"]["value"] = ["one"]
    write_solution(path, facts, {})
    with pytest.raises(SolutionFileError, match="written by gamedsl"):
        open_solution(path)


def test_no_more_memory_is_taken_than_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, saved = kept(tmp_path / "k.solution")
    monkeypatch.setattr(observed_graph, "REPORT_EVERY", 1)
    monkeypatch.setattr(equilibria, "usable_bytes", lambda: -1)
    with pytest.raises(OutOfMemoryError):
        verify_equilibrium(saved)


def test_two_whose_interests_are_not_opposed_are_held_to_what_they_are_paid(
    tmp_path: Path,
) -> None:
    """A value between two best replies is enough where interests are opposed, and only there."""
    _, saved = kept(tmp_path / "b.solution", "beer_and_quiche")
    assert saved.value is not None
    saved.value, saved.error_bound = (saved.value[0], Fraction(0)), Fraction(5)
    assert verify_equilibrium(saved).fault is not None

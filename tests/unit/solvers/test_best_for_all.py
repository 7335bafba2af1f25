"""Plays that pay every player the most: equilibria, in turn and at once, in either engine."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.model.rewriting.goals import with_distance
from gamedsl.solvers.exact.guided import guided_play
from gamedsl.solvers.kernels.puzzles.layers import KernelDepthFirst, any_play
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, Solution, Status
from gamedsl.solvers.verdicts import Answer

SHARED = """\
game "Two climbers"
players A, B
state:
    height[players]: 0..40 = 0
simultaneous climb(n in 0..3):
    height[me] += n
end:
    if all(height[p] >= 12 for p in players):
        payoff A: 5 if height[A] == 13 else 1, B: 4 if height[B] == 14 else 0
    if any(height[p] >= 20 for p in players): payoff p: LESS
endless: payoff p: LESS
"""


def shared(less: str = "0") -> str:
    return SHARED.replace("LESS", less)


def solved(text: str) -> Solution:
    options = SolveOptions(solver=SolverName.BEST_FIRST, max_positions=3_000)
    return solve(gamedsl.load(text, "python"), options=options)


@pytest.mark.parametrize("kind", ["simultaneous", "move"])
def test_a_play_that_pays_everybody_the_most_is_an_equilibrium(kind: str) -> None:
    text = shared().replace("simultaneous", kind)
    text = text if kind == "simultaneous" else text.replace("[me]", "[turn]")
    solution = solved(text)
    assert solution.status is Status.WEAK
    assert solution.value == (5, 4)
    assert solution.answer == (Answer.BEST_FOR_ALL,)
    assert "an equilibrium" in (solution.kind or "")
    game = solution.rules
    state = game.initial_state()
    for name in solution.principal_variation:
        state = game.result(state, game.action_named(state, name))
    assert tuple(game.utilities(state)) == (5, 4)


def test_a_play_answers_where_no_algorithm_values_the_positions() -> None:
    """Choices at once, and play that returns: there is no last stage to begin with."""
    solution = solve(gamedsl.load(shared(), "python"))
    assert solution.value == (5, 4)
    assert solution.answer == (Answer.BEST_FOR_ALL,)
    race = shared().replace("14 else 0", "14 and height[A] != 13 else 0")
    with pytest.raises(UnsupportedGameError, match="no last stage"):
        solve(gamedsl.load(race, "python"))


@pytest.mark.parametrize("less", ["6", "9"])
def test_no_play_pays_everybody_the_most_where_another_end_pays_more(less: str) -> None:
    game = gamedsl.load(shared(less), "python")
    assert game.facts.best_payoffs == (int(less), int(less))
    endless = shared().replace("endless: payoff p: 0", "endless: payoff A: 6, B: 0")
    game = gamedsl.load(endless, "python")
    assert game.facts.best_payoffs == (6, 4)
    assert guided_play(game, game.initial_state(), max_positions=3_000) is None


def test_no_play_is_looked_for_where_no_ending_suits_all() -> None:
    assert gamedsl.load(shared(), "python").facts.may_suit_all
    race = shared().replace("5 if height[A] == 13 else 1", "0")
    race = race.replace("payoff p: 0\n", "payoff A: 5, B: 0\n", 1)
    assert not gamedsl.load(race, "python").facts.may_suit_all


def test_the_kernel_plays_joint_actions() -> None:
    game = gamedsl.load(shared(), "python")
    assert isinstance(game.engine, CompiledEngine)
    play = any_play(game.engine, game.initial_state(), native=False)
    assert play.line is not None
    state = game.initial_state()
    for action in play.line:
        assert isinstance(action, tuple)
        state = game.result(state, action)
    assert tuple(game.utilities(state)) == (5, 4)


def test_joint_actions_beyond_the_room_are_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.solvers.kernels.puzzles.layers.MOST_TOGETHER", 2)
    monkeypatch.setattr("gamedsl.solvers.kernels.puzzles.layers.row_size", lambda engine: 12)
    game = gamedsl.load(shared(), "python")
    assert isinstance(game.engine, CompiledEngine)
    search = KernelDepthFirst(game.engine, native=False)
    search.random = 1
    assert search.solve(game.initial_state()).line is not None


@pytest.mark.parametrize("less", ["0", "-1"])
def test_rules_that_fail_end_a_line_and_not_the_search(less: str) -> None:
    text = shared(less).replace("0..40", "0..15")  # height 16 is a failure of the rules
    game = gamedsl.load(text, "python")
    assert isinstance(game.engine, CompiledEngine)
    search = KernelDepthFirst(game.engine, native=False)
    play = search.solve(game.initial_state())
    assert play.line is not None


def test_a_varying_payoff_counts_in_the_distance() -> None:
    text = (
        "players A, B\nstate:\n    taken: 0..9 = 0\n    hour: 0..9 = 0\nmove take(n in 0..1):\n"
        "    taken += n\n    hour += 1\nend:\n    if hour == 9: payoff A: 3 * taken, B: 7\n"
    )
    game = gamedsl.load(text, "python")
    model = with_distance(game.model)
    assert isinstance(model, Model)
    engine, state = CompiledEngine(model), game.initial_state()
    assert engine.evaluate(state, 0) == 1 + 1 + 27
    assert engine.evaluate(game.result(state, 1), 0) == 1 + 1 + 24


@pytest.mark.parametrize("target", [9, 8])
def test_a_forced_win_does_not_depend_on_a_position_without_moves(target: int) -> None:
    """A wins at 9 by multiples of 4; at 8 B would, but A may go where B has no move."""
    text = (
        f"players A, B\nstate:\n    at: 0..{target} = 0\nmove go(n in 1..3):\n"
        f"    require at + n <= {target} and not (turn == B and at == 3)\n    at += n\n"
        f"end:\n    if at == {target}: opponent wins\n"
    )
    game, options = gamedsl.load(text), SolveOptions(goal=Goal.VALUE)
    with pytest.raises(GameRuleError, match="no legal move"):
        solve(game)
    if target == 8:
        with pytest.raises(GameRuleError, match="no legal move"):
            solve(game, options=options)
        return
    assert solve(game, options=options).value == (1, -1)


def test_a_position_of_more_choices_than_an_attempt_has_left_is_not_looked_at(monkeypatch) -> None:
    game = gamedsl.load("goofspiel", "python", n=60)
    done = []
    plain = LoadedGame.result
    monkeypatch.setattr(LoadedGame, "result", lambda *a: done.append(1) or plain(*a))
    assert guided_play(game, game.initial_state(), max_positions=3_000) is None
    assert not done

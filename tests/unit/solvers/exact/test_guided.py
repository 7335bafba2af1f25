"""Plays to the best payoff by guesses: each guess on a puzzle for it, and distances by hand."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.model.rewriting.goals import with_distance
from gamedsl.solvers.exact.guided import guided_play
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

LATIN = """\
game "Latin square"
players P
state:
    cell[1..4, 1..4]: 1..4 | blank = blank
move place(r in 1..4, c in 1..4, n in 1..4):
    require cell[r, c] == blank
    require not any(cell[r, i] == n or cell[i, c] == n for i in 1..4)
    cell[r, c] = n
move stop:
    cell[1, 1] = 1
end:
    if not any(cell[r, c] == blank for r in 1..4 for c in 1..4): P wins
    if cell[1, 1] == 1: P loses
"""
QUEENS = """\
game "Unguided queens"
players P
state:
    placed: 0..4 = 0
    queen[1..4, 1..4]: bool = false
move place(r in 1..4, c in 1..4):
    require not queen[r, c]
    queen[r, c] = true
    placed += 1
def attacked(r, c) = any(queen[r, k] and k != c for k in 1..4) or any(
    queen[k, c] and k != r for k in 1..4) or any(
    queen[k, l] and k != r and k - r in {l - c, c - l} for k in 1..4 for l in 1..4)
end:
    if placed == 4:
        if any(queen[r, c] and attacked(r, c) for r in 1..4 for c in 1..4): P loses
        else: P wins
"""
TOUR = """\
game "Knight's tour"
players P
state:
    row: 1..5 = 1
    column: 1..5 = 1
    seen[1..5, 1..5]: bool = false
move leap(r in 1..5, c in 1..5):
    require not seen[r, c] and not (r == 1 and c == 1) and abs(r - row) * abs(c - column) == 2
    seen[r, c] = true
    row = r
    column = c
end:
    if count(true for r in 1..5 for c in 1..5 where seen[r, c]) == 24: P wins
    if stuck: P loses
"""
WALK = """\
game "Walk"
players P
state:
    at: 0..40 = 20
move step(d in {-1, 1}):
    require at + d in 0..40
    at += d
move jump:
    at += 25
end:
    if at == 0: payoff P: 3
    if at == 33: payoff P: BEST
"""
LAMPS = """\
game "Lamps"
players P
state:
    lamp[1..4]: bool = false
    door: bool = true
    steps: 0..9 = 0
def lit(n) = lamp[n]
move press(n in 1..4):
    lamp[n] = not lamp[n]
    steps += 1
end:
    if (all(lit(n) for n in 1..4) and door) or not any(steps != 9 or not lamp[n] for n in 1..4):
        P wins
    if steps == 9: P loses
"""


@pytest.mark.parametrize("text", [LATIN, QUEENS, TOUR], ids=["filling", "nearest", "fewest"])
def test_a_play_to_the_best_payoff_is_met(text: str) -> None:
    game = gamedsl.load(text, "python")
    play = guided_play(game, game.initial_state(), max_positions=40_000)
    assert play is not None
    assert play.line is not None
    state = game.initial_state()
    for action in play.line:
        assert action in game.legal_actions(state)
        state = game.result(state, action)
    assert game.utility(state, 0) == game.facts.utility_bounds[1]


def test_a_finite_play_to_the_best_payoff_is_the_value_where_play_can_go_on_for_ever() -> None:
    endless = WALK.replace("move jump:\n    at += 25\n", "")
    solution = solve(gamedsl.load(endless.replace("BEST", "2")))
    assert solution.value == (3,)
    assert len(solution.principal_variation) >= 20
    unreachable = endless.replace("at == 33", "at == 33 and at == 34").replace("BEST", "9")
    with pytest.raises(GameRuleError, match="for ever"):
        solve(gamedsl.load(unreachable))


@pytest.mark.parametrize("failing", ["at += 25", "require at == 25\n    at = 26"])
def test_plays_in_which_the_rules_fail_are_not_counted(failing: str) -> None:
    text = WALK.replace("BEST", "2").replace("at += 25", failing)
    if "require" in failing:  # no move leads on from 26
        text = text.replace("require at + d in 0..40", "require at + d in 0..25 and at < 26")
    game = gamedsl.load(text, "python")
    play = guided_play(game, game.initial_state())
    assert play is not None
    assert play.line is not None
    assert len(play.line) >= 20


def test_the_distance_counts_the_tests_that_fail() -> None:
    game = gamedsl.load(LAMPS, "python")
    model = with_distance(game.model)
    assert isinstance(model, Model)
    engine, state = CompiledEngine(model), game.initial_state()
    distances = [engine.evaluate(state, 0)]
    for action in (0, 2, 2, 1):
        state = game.result(state, action)
        distances.append(engine.evaluate(state, 0))
    assert distances == [4, 3, 2, 3, 2]


def test_a_loss_of_the_best_amount_is_no_way_to_the_best_payoff() -> None:
    game = gamedsl.load(
        "players A\nstate:\n    at: 0..9 = 0\n    is_safe: bool = false\n"
        "move walk:\n    at += 1\nmove rest:\n    is_safe = true\n"
        "end:\n    if at == 9: A loses 3\n    if at == 5 and is_safe: A wins 3\n",
        "python",
    )
    model = with_distance(game.model)
    assert isinstance(model, Model)
    assert CompiledEngine(model).evaluate(game.initial_state(), 0) == 2


def test_the_limit_of_positions_is_kept() -> None:
    game = gamedsl.load(LATIN, "python")
    options = SolveOptions(solver=SolverName.BEST_FIRST, max_positions=1_500)
    assert guided_play(game, game.initial_state(), max_positions=1_500) is None
    assert solve(game, options=options).limit is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("    cell[r, c] = n\n", "    cell[r, c] = n\n    reward P: -1\n"), "rewards"),
        (("players P", "players P, Q"), "opposed"),
        (("cell[1, 1] = 1\nend", "chance cell[1, 1] in 1..2\nend"), "chance"),
        (("end:", "discount = 1/2\nend:"), "discounts"),
    ],
)
def test_a_play_is_no_value_where_more_counts_than_its_end(
    change: tuple[str, str], reason: str
) -> None:
    game = gamedsl.load(LATIN.replace(*change), "python")
    with pytest.raises(UnsupportedGameError, match=reason):
        solve(game, options=SolveOptions(solver=SolverName.BEST_FIRST))

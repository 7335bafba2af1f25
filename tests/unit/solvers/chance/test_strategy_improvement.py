"""Choices made at once where play can return: published values, proven bounds, brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS
from gamedsl.reports.phrases import bound_text
from gamedsl.solvers.chance import strategy_improvement as strategy_improvement_module
from gamedsl.solvers.chance.limit_wins import approached_payoff
from gamedsl.solvers.chance.strategy_improvement import strategy_improvement
from gamedsl.solvers.exact.outcomes import ends_surely
from gamedsl.solvers.graphs.graph import OutOfTimeError, explore
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status
from gamedsl.source.components import components

Shipped = Callable[..., LoadedGame]
TOLERANCE = Fraction(1, 10**9)
ALL = Fraction(1), Fraction(1)
UNTIL_DECIDED = """
game "Rock paper scissors until decided"
players A, B
state:
    sign[players]: 0..3 = 0
simultaneous show(s in 1..3):
    sign[me] = s
end:
    if sign[A] > 0 and sign[A] != sign[B]:
        (A if sign[A] == sign[B] % 3 + 1 else B) wins
endless: draw
"""


def hide_or_run(more: str, same: str) -> str:
    """A hides as long as it likes; it gets away when B guards what it does not do."""
    return (
        'game "Hide or run"\nplayers A, B\ntype Choice = hide | run\n'
        "state:\n    did[players]: Choice | none = none\n"
        f"{more}\n"
        "simultaneous choose(c in Choice):\n    did[me] = c\n"
        "end:\n    if did[A] != none and did[A] != did[B]: payoff A: 1, B: -1\n"
        f"    if did[A] == run and did[B] == run: {same}\n"
    )


def test_rock_paper_scissors_until_decided_is_fair_and_exact() -> None:
    solution = solve(gamedsl.load(UNTIL_DECIDED))
    assert (solution.value, solution.error_bound) == ((0, 0), 0)
    assert solution.solver is SolverName.STRATEGY_IMPROVEMENT
    assert solution.win_probability == Fraction(1, 2)
    chances = {chance for one in solution.strategies for _, chance in one.choices}
    assert chances == {Fraction(1, 3)}


@pytest.mark.parametrize(
    ("discount", "expected"), [("3/4", 0.5), ("9/10", 1 - sqrt(1 / 10)), ("1/2", 1 - sqrt(1 / 2))]
)
def test_discounted_values_are_the_root_of_their_equation(discount: str, expected: float) -> None:
    """The value v of v = c val[[v, 1], [1, 0]] is 1 - sqrt(1 - c), mostly irrational."""
    more = f"discount = {discount}"
    solution = solve(gamedsl.load(hide_or_run(more, "payoff A: 0, B: 0")))
    assert solution.value is not None
    assert solution.status is Status.STRONG
    assert abs(float(solution.value[0]) - expected) <= solution.error_bound + Fraction(1, 10**12)
    assert solution.is_exact == (discount == "3/4")


def test_a_value_that_no_strategy_attains_is_left_between_its_bounds() -> None:
    """Everett 1957: A wins with any probability below 1, and with none that is 1."""
    solution = solve(gamedsl.load(hide_or_run("endless: draw", "B wins")))
    assert solution.status is Status.OPEN
    assert solution.value is not None
    low, high = (solution.value[0] + sign * solution.error_bound for sign in (-1, 1))
    assert Fraction(9, 10) < low < 1 == high
    assert "A gets between" in solution.outcome
    assert "which was verified" in (solution.kind or "")


@pytest.mark.parametrize("players", ["A, B", "B, A"])
def test_no_bound_goes_beyond_what_plays_pay_and_a_supremum_is_told(players: str) -> None:
    text = hide_or_run("endless: B wins", "B wins").replace("players A, B", f"players {players}")
    solution = solve(gamedsl.load(text))
    assert solution.value is not None
    for payoff in (*solution.value, *(paid for move in solution.moves for paid in move.value)):
        assert abs(payoff) + solution.error_bound <= 1
        assert abs(payoff) + Fraction(bound_text(solution.error_bound)) <= 1
    assert (solution.proved or "").startswith("A gets as near to 1 as is wanted, and 1 by no way")


def test_a_win_that_is_certain_is_no_supremum() -> None:
    """A wins at once by running, or later with probability one."""
    graph = explore(gamedsl.load(UNTIL_DECIDED))
    assert approached_payoff(graph, (Fraction(0), Fraction(0)), ALL) is None
    sure = explore(gamedsl.load(hide_or_run("endless: draw", "A wins")))
    assert approached_payoff(sure, (Fraction(0), Fraction(0)), ALL) is None


def test_no_supremum_is_looked_for_where_the_time_is_up_or_the_value_is_less() -> None:
    graph = explore(gamedsl.load(hide_or_run("endless: B wins", "B wins")))
    rounds = iter(range(3))

    def tick() -> None:
        if next(rounds, None) is None:
            raise OutOfTimeError(0, 0)

    def refuse() -> None:
        raise AssertionError

    endless = Fraction(-1), Fraction(1)
    assert approached_payoff(graph, endless, ALL) is not None
    assert approached_payoff(graph, endless, ALL, tick) is None
    assert approached_payoff(graph, endless, (Fraction(1, 2), Fraction(1, 2)), refuse) is None


@pytest.mark.parametrize("name", ["goofspiel", "inspection", "odd_or_even"])
def test_where_play_cannot_return_it_is_backward_induction(shipped: Shipped, name: str) -> None:
    game = shipped(name)
    graph = explore(game)
    found = strategy_improvement(graph, components(graph.successors), (Fraction(0),) * 2)
    assert not found.error_bound
    assert found.values[0] == solve(game).value


def several_stages(
    seed: int, stages: int = 3
) -> tuple[LoadedGame, list[list[list[tuple[int, int]]]]]:
    """A stochastic game of payoffs and next stages drawn at random, with its table."""
    random = Random(seed)
    table = [
        [[(random.randint(-4, 4), random.randint(1, stages)) for _ in range(2)] for _ in range(2)]
        for _ in range(stages)
    ]
    pays = [[[pay for pay, _ in row] for row in stage] for stage in table]
    goes = [[[after for _, after in row] for row in stage] for stage in table]
    text = (
        'game "Stages"\nplayers A, B\n'
        f"param pay = {pays}\nparam after = {goes}\n"
        f"state:\n    stage: 1..{stages} = 1\n    said[players]: 0..2 = 0\n"
        "discount = 4/5\n"
        "simultaneous say(k in 1..2):\n    require said[me] == 0\n    said[me] = k\n"
        "move go_on:\n    require said[A] > 0\n"
        "    reward A: pay[stage][said[A]][said[B]], B: -pay[stage][said[A]][said[B]]\n"
        "    stage, said[A], said[B] = after[stage][said[A]][said[B]], 0, 0\n"
    )
    return gamedsl.load(text), table


@pytest.mark.parametrize("seed", range(6))
def test_games_made_at_random_have_the_values_of_shapleys_operator(seed: int) -> None:
    game, table = several_stages(seed)
    values = [0.0] * len(table)
    for _ in range(200):
        values = [
            0.8 * two_by_two([[pay + 0.8 * values[after - 1] for pay, after in row] for row in one])
            for one in table
        ]
    solution = solve(game)
    assert solution.value is not None
    assert solution.status is Status.STRONG
    assert float(solution.value[0]) == pytest.approx(values[0], abs=1e-6)


PURSUIT = """
game "Pursuit at once"
players Pursuer, Evader
board 3 wide 3 high
state:
    at[p in players]: square = a1 if p == Pursuer else c3
simultaneous go(to in square):
    require stays and to == at[me] or to in neighbours(at[me])
    at[me] = to
end:
    if at[Pursuer] == at[Evader]: Pursuer wins
endless: Evader wins
param stays = true
"""


def test_who_is_caught_at_some_time_is_caught_and_who_keeps_away_keeps_away() -> None:
    """A pursuer who wanders meets everybody; on squares of two colours, only from the same one."""
    caught = solve(gamedsl.load(PURSUIT))
    assert (caught.value, caught.error_bound) == ((1, -1), 0)
    away = solve(gamedsl.load(PURSUIT.replace("else c3", "else b3"), stays=False))
    assert (away.value, away.error_bound) == ((-1, 1), 0)


@pytest.mark.parametrize("seed", range(6))
def test_states_settled_by_the_graph_alone_have_the_values_that_mixtures_guarantee(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stages drawn at random, of which the last three end the game, and where some players wait."""
    random = Random(seed)
    table = [[[random.randint(1, 7) for _ in range(2)] for _ in range(2)] for _ in range(4)]
    endless = ("draw", "A wins", "B wins")[seed % 3]
    text = (
        'game "Stages that end"\nplayers A, B\n'
        f"param after = {table}\n"
        "state:\n    stage: 1..7 = 1\n    said[players]: 0..2 = 0\n"
        "simultaneous say(k in 1..2):\n    require said[me] == 0\n    said[me] = k\n"
        "move go_on:\n    require said[A] > 0\n    let to = after[stage][said[A]][said[B]]\n"
        "    said[A], said[B] = 0, 0\n    stage = to\n"
        "move turn_back:\n    require said[A] == 2\n    said[A], said[B] = 0, 0\n"
        "end:\n    if stage == 5: A wins\n    if stage == 6: B wins\n    if stage == 7: draw\n"
        f"endless: {endless}\n"
    )
    settled = solve(gamedsl.load(text))
    monkeypatch.setattr(strategy_improvement_module, "certain_choices", lambda *_: {})
    mixed = solve(gamedsl.load(text))
    assert settled.value is not None
    assert mixed.value is not None
    assert abs(settled.value[0] - mixed.value[0]) <= settled.error_bound + mixed.error_bound


def two_by_two(matrix: list[list[float]]) -> float:
    """The value of a matrix game in which both have two choices."""
    (a, b), (c, d) = matrix
    least, most = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return least if least >= most else (a * d - b * c) / (a + d - b - c)


def test_where_the_time_is_up_there_are_bounds() -> None:
    def tick() -> None:
        raise OutOfTimeError(0, 0)

    graph = explore(gamedsl.load(hide_or_run("discount = 9/10", "payoff A: 0, B: 0")))
    order = components(graph.successors)
    found = strategy_improvement(graph, order, (Fraction(0),) * 2, tick=tick)
    value, bound = found.values[0][0], found.error_bound
    assert bound > 0
    assert value - bound <= Fraction(1 - sqrt(1 / 10)) <= value + bound


def test_other_interests_and_several_players_are_refused() -> None:
    shared = hide_or_run("endless: draw", "payoff A: 0, B: 2")
    with pytest.raises(UnsupportedGameError, match="no last stage"):
        solve(gamedsl.load(shared))
    with pytest.raises(UnsupportedGameError, match="one loses what the other wins"):
        solve(gamedsl.load(shared), options=SolveOptions(solver=SolverName.STRATEGY_IMPROVEMENT))


def test_play_that_mixtures_never_end_is_not_said_to_end() -> None:
    """Two who go round by chance for ever: what they could do besides is no ending of theirs."""
    text = (
        'game "Round"\nplayers A, B\nstate:\n    at[players]: 0..3 = 0\n'
        "simultaneous go(k in 1..3):\n    at[me] = k\n"
        "end:\n    if at[A] == 3: B wins\n    if at[B] == 3: A wins\n"
        "endless: draw\n"
    )
    game = gamedsl.load(text)
    graph = explore(game)
    first, second = (graph.joint_actions(0)[edge][0] for edge in (0, 3))
    half = ((first, Fraction(1, 2)), (second, Fraction(1, 2)))
    rest = tuple((joint[0], Fraction(0)) for joint in graph.joint_actions(0)[6:7])
    stages = [node for node, mover in enumerate(graph.movers) if mover == SIMULTANEOUS]
    found = strategy_improvement(graph, components(graph.successors), (Fraction(0),) * 2)
    mixed = replace(
        found,
        choices=[-1] * len(graph.states),
        mixtures=dict.fromkeys(stages, (half + rest,) * 2),
    )
    assert found.values[0] == (0, 0)
    assert not ends_surely(mixed)
    assert ends_surely(replace(mixed, mixtures={}))

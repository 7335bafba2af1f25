"""Backward induction with means and matrix games: the kernel against exact values."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.game.accelerator import SolvedPositions
from gamedsl.game.game import LoadedGame
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graph_solutions import solution_from_table
from gamedsl.solvers.kernels.induction import ReturningPlayError
from gamedsl.solvers.kernels.stages import general, matrix_kernel, stage_kernel, stages
from gamedsl.solvers.kernels.stages.general import KernelGeneral
from gamedsl.solvers.kernels.stages.stages import KernelStages
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solved_table import SolvedTable
from gamedsl.solvers.verdicts import Answer
from tests.unit.solvers.kernels.chance.test_interval import (
    assert_near,
    kernel_of,
    random_walk,
    with_payments,
)

STORM = """\
game "Storm"
players A, B
discount = 9/10

state:
    gone[players]: 0..3 = 0
    held[players]: 0..3 = 0
    wind: 0..2 = 0

simultaneous run(n in 0..1):
    require held[A] < 3
    reward me: 9*n/7, other(me): -9*n/7
    gone[me] += n
    held[me] += 1

move bet(n in 1..2):
    require held[A] == 3
    reward turn: n, opponent: -n
    chance wind in {1, 2} weighted wind

end:
    if wind > 0:
        if gone[A] == gone[B]: payoff A: wind, B: -wind
        payoff A: -1, B: 1
"""
"""Choices at once, a move, chance, rewards and a discount."""


MARKS = """\
game "Marks"
players A, B

state:
    mark[players]: 0..2 = 0
    sum: 0..6 = 0

simultaneous choose(n in 1..2):
    require mark[me] == 0
    mark[me] = n

move settle:
    require mark[A] > 0
    sum += 1 if mark[A] == mark[B] else 2 if sum < 5 else 0
    for p in players: mark[p] = 0

end:
    if sum == 6: A wins
    if sum == 5: B wins
"""
"""Choices at once, and a forced move that works out what they lead to."""


def test_bounds_of_matrix_games_are_true_and_near() -> None:
    draw = random.Random(7)
    for _ in range(80):
        rows, columns = draw.randint(1, 7), draw.randint(1, 7)
        most, shift = draw.choice(((3, 38), (1 << 41, 0)))
        matrix = [[draw.randint(-most, most) << shift for _ in range(columns)] for _ in range(rows)]
        arrays = matrix_kernel.MatrixArrays(
            matrix=[entry for row in matrix for entry in row],
            tableau=[0] * (rows + 1) * (columns + 1),
            basis=[0] * (rows + columns),
            mixtures=[0] * (rows + columns),
        )
        low, high = matrix_kernel.matrix_bounds(rows, columns, arrays)
        assert low <= solve_matrix([list(map(Fraction, row)) for row in matrix]).value <= high
        assert high - low <= 16


GAMES = {
    "choices at once": ("goofspiel", {"n": 3}),
    "prizes that are carried": ("goofspiel", {"n": 3, "order": 2, "ties": 2, "pays": 2}),
    "chance beside": ("goofspiel_by_lot", {"n": 2}),
    "rewards": (STORM, {}),
    "a discount": (STORM.replace("9/10", "1"), {}),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("asks", [False, True], ids=["by kernel", "by question"])
def test_values_are_those_of_python(name: str, asks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if asks:
        monkeypatch.setattr(stage_kernel, "MOST_DISTANCE", -1)
    game = gamedsl.load(GAMES[name][0], "python", **GAMES[name][1])
    solved = solve(game).solved
    assert isinstance(solved, SolvedGraph)
    positions = _agreeing(game, solved, passes=False)
    assert positions.chance is not None
    assert positions.positions + positions.chance.events == len(solved)
    assert positions.endings == len(solved.graph.payoffs)


def test_forced_moves_behind_choices_at_once_are_passed_over() -> None:
    game = gamedsl.load(MARKS, "python")
    solved = solve(game).solved
    assert isinstance(solved, SolvedGraph)
    chosen = sum(any(state.cells[:2]) for state in solved.states)
    assert chosen > len(solved) / 2
    assert _agreeing(game, solved, passes=True).positions == len(solved) - chosen
    assert _agreeing(game, solved, passes=False).positions == len(solved)


def _agreeing(game: LoadedGame, solved: SolvedGraph, *, passes: bool) -> SolvedPositions:
    """The values by the kernel, which are those of a graph."""
    kernel = KernelStages(game.engine, native=False)
    kernel.passes = passes
    positions = kernel.solve(game.initial_state())
    assert positions.chance is not None
    bound = positions.chance.error_bound
    assert bound < Fraction(1, 10**9)
    for state, value in zip(solved.states, solved.values, strict=True):
        answer = positions.look_up(state)
        assert answer is not None
        assert all(abs(near - exact) <= bound for near, exact in zip(answer[0], value, strict=True))
    return positions


@pytest.mark.parametrize("pays", [False, True], ids=["at the end", "on the way"])
def test_components_are_bounded_on_the_way(pays: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "FIRST_MEMBERS", 2)
    solved = 0
    for seed in range(4):
        text = random_walk(seed, returns=True, alone=seed == 2)
        if pays:
            text = with_payments(text, seed, alone=seed == 2)
        game = gamedsl.load(text, "python")
        try:
            positions = KernelStages(game.engine, native=False).solve(game.initial_state())
        except UnsupportedGameError:
            continue
        solved += 1
        assert positions.chance is not None
        assert positions.chance.choose is not None
        numbered = kernel_of(game).solve(game.initial_state())
        tables = [
            SolvedTable(game, game.initial_state(), one, SolverName.NATIVE_VALUE_ITERATION)
            for one in (positions, numbered)
        ]
        assert_near(*tables)
    assert solved >= 3


def any_interests(draw: random.Random, players: str, event: str = "") -> str:
    """Two rounds of choices at once, a forced move behind each, and payoffs at random."""
    rows = [
        f"if past == {past}: payoff "
        + ", ".join(f"{player}: {draw.randint(0, 3)}" for player in players.split(", "))
        for past in range(3 ** len(players.split(", ")))
    ]
    indented = "\n        ".join(rows)
    return f"""\
game "Any"
players {players}
state:
    mark[players]: 0..2 = 0
    past: 0..80 = 0
    round: 0..2 = 0
    luck: 0..2 = 0
simultaneous choose(n in 1..2):
    require mark[me] == 0
    mark[me] = n
move settle:
    require mark[A] > 0
    past = (past * 5 + sum(mark[p] for p in players) * 2 + mark[A] + luck) % {len(rows)}
    round += 1
    for p in players: mark[p] = 0
    {event}
end:
    if round == 2:
        {indented}
"""


@pytest.mark.parametrize(
    ("players", "seed", "event"),
    [("A, B", 9, ""), ("A, B, C", 0, ""), ("A, B", 0, "chance luck in {0, 2} weighted luck + 1")],
    ids=["two players", "three players", "chance"],
)
def test_values_for_any_interests_are_those_of_python(players: str, seed: int, event: str) -> None:
    game = gamedsl.load(any_interests(random.Random(seed), players, event), "python")
    solved = solve(game).solved
    assert isinstance(solved, SolvedGraph)
    assert solved.mixtures
    for passes in (False, True):
        kernel = KernelGeneral(game.engine, native=False)
        kernel.passes = passes
        positions = kernel.solve(game.initial_state())
        answers = [positions.look_up(state) for state in solved.states]
        # of the first stage all choices are listed, of later stages one of several alike
        assert answers[1:] == [(value, None) for value in solved.values[1:]]
        assert passes == (positions.positions < len(solved) - len(solved.graph.chances))


TOGETHER = """\
game "Together"
players {players}
state:
    round: 0..3 = 0
    good: 0..9 = 0
    mark[players]: 0..2 = 0
simultaneous choose(n in 1..2):
    require mark[me] == 0
    mark[me] = n
move settle:
    require mark[A] > 0
    chance luck in {{0, 2}} weighted luck + 1
    if all(mark[p] == 2 for p in players): good += 2
    elif all(mark[p] == 1 for p in players): good += 1
    good = max(0, good - (1 if luck == 2 else 0))
    round += 1
    for p in players: mark[p] = 0
end:
    if round == 3: payoff p: {payoff}
"""
"""The first equilibrium of each stage pays less than the best choices."""


@pytest.mark.parametrize(
    ("players", "payoff", "is_team"),
    [
        ("A, B", "2 * good + 1 if p == A else good", True),
        ("A, B, C", "good", True),
        ("A, B", "good if p == A else min(good, 4)", False),
    ],
    ids=["two", "three", "not quite the same"],
)
def test_players_who_want_the_same_choose_together(
    players: str, payoff: str, is_team: bool
) -> None:
    game = gamedsl.load(TOGETHER.format(players=players, payoff=payoff), "python")
    root, solved = game.initial_state(), solve(game).solved
    assert isinstance(solved, SolvedGraph)
    assert solved.is_team == is_team
    for passes in (False, True):
        kernel = KernelGeneral(game.engine, native=False)
        kernel.passes = passes
        positions = kernel.solve(root)
        assert positions.is_team == is_team
        answers = [positions.look_up(state) for state in solved.states]
        assert answers[1:] == [(value, None) for value in solved.values[1:]]
        table = SolvedTable(game, root, positions, SolverName.NATIVE_EQUILIBRIA)
        if is_team:
            assert table.value(root) == solved.values[0]
            assert table.assessed(root) == solved.assessed(root)
            solution = solution_from_table(table, SolverName.NATIVE_EQUILIBRIA)
            assert solution.answer == (Answer.TEAM,)


def test_new_cases_and_slots_find_room(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load(any_interests(random.Random(1), "A, B"), "python")
    expected = KernelGeneral(game.engine, native=False).solve(game.initial_state())
    monkeypatch.setattr(general, "FIRST_SLOTS", 2)
    monkeypatch.setattr(general, "FIRST_CASES", 2)
    positions = KernelGeneral(game.engine, native=False).solve(game.initial_state())
    assert positions.look_up(game.initial_state()) == expected.look_up(game.initial_state())


def test_coins_give_exact_values() -> None:
    game = gamedsl.load("tic_tac_toe_random", "python")
    positions = KernelStages(game.engine, native=False).solve(game.initial_state())
    assert positions.chance is not None
    assert positions.chance.error_bound == 0
    assert positions.look_up(game.initial_state()) == ((Fraction(191, 192),), None)


def test_other_games_are_refused() -> None:
    again = gamedsl.load(STORM.replace("held[me] += 1", "held[me] = n"), "python")
    with pytest.raises(ReturningPlayError):
        KernelStages(again.engine, native=False).solve(again.initial_state())
    unopposed = gamedsl.load(STORM.replace("-9*n/7", "9*n/7"), "python")
    with pytest.raises(UnsupportedGameError, match="need not pay"):
        KernelStages(unopposed.engine, native=False).solve(unopposed.initial_state())
    with pytest.raises(UnsupportedGameError, match="secrets"):
        KernelStages(gamedsl.load("kuhn_poker", "python").engine, native=False)


def test_payoffs_of_many_digits_and_many_choices_at_once_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wide = gamedsl.load("goofspiel", "python", n=130)
    with pytest.raises(UnsupportedGameError, match="too many choices at once"):
        KernelGeneral(wide.engine, native=False).solve(wide.initial_state())
    monkeypatch.setattr(general, "MOST_BITS", 1)
    odd = gamedsl.load(any_interests(random.Random(1), "A, B"), "python")
    with pytest.raises(UnsupportedGameError, match="too many digits"):
        KernelGeneral(odd.engine, native=False).solve(odd.initial_state())

"""Alpha-beta with `evaluate` by a kernel, run as plain Python."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import DepthReport
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.kernels.search.cutoff import KernelCutoff
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.cutoff import alpha_beta_cutoff_search

LADDER = """game "Ladder"
players A, B
state:
    at: 0..40 = 20
    left: 0..12 = 12
{repeat}
move go(n in {{-2, 1, 3}}):
    at += {how}
    left -= {step}
end:
    if at >= 33: A wins
    if at <= 7: B wins
    if left == 0: draw
evaluate p{where}: (at - 20) / 2 if p == A else (20 - at) / 2
"""
"""A moves up by n, B moves down by n."""
STEPS = LADDER.format(repeat="", how="n if turn == A else -n", step=1, where=" where at % 3 != 0")


def searched(source: str, state: State | None = None, nodes: int = 4000) -> DepthReport:
    game = gamedsl.load(source, "auto")
    assert isinstance(game.engine, CompiledEngine)
    search = KernelCutoff(game.engine, native=False)
    search.start(game.initial_state() if state is None else state)
    search.run(nodes)
    report = search.report()
    assert report is not None
    return report


def played(game: LoadedGame, plies: int, rng: Random) -> State:
    """A position after random plies that is not over."""
    while True:
        state = game.initial_state()
        for _ in range(plies):
            if not game.is_terminal(state):
                state = game.result(state, rng.choice(game.legal_actions(state)))
        if not game.is_terminal(state):
            return state


@pytest.mark.parametrize(("source", "plies"), [("othello_small", 6), (STEPS, 5)])
def test_a_value_that_rests_on_endings_is_the_value(source: str, plies: int) -> None:
    game, rng = gamedsl.load(source), Random(3)
    for _ in range(4):
        state = played(game, plies, rng)
        report = searched(source, state, 40_000)
        assert report.is_final
        solution = solve(game, state)
        assert solution.value is not None
        assert report.value == solution.value[0]
        best = {move.action for move in solution.moves if move.is_best}
        assert report.moves[0].action in best
        assert report.line[0] == report.moves[0].action


def test_at_the_limit_stands_the_estimate_of_a_quiescent_position() -> None:
    """As in the textbook, at a depth at which no move is late."""
    game = gamedsl.load(STEPS)
    assert isinstance(game.engine, CompiledEngine)
    search = KernelCutoff(game.engine, native=False)
    rng = Random(5)
    for _ in range(5):
        state = played(game, 4, rng)
        search.start(state)
        for depth in (1, 2):
            for _ in range(200):
                if (report := search.report()) is None or report.depth < depth:
                    search.run(1)
            assert report is not None
            wanted = alpha_beta_cutoff_search(game, report.depth, state)
            assert abs(report.value - Fraction(wanted.value)) < Fraction(1, 10_000)


def test_slices_do_not_change_the_search() -> None:
    game = gamedsl.load("othello_small", "auto")
    assert isinstance(game.engine, CompiledEngine)
    reports = []
    for size in (7, 3000):
        search = KernelCutoff(game.engine, native=False)
        search.start(game.initial_state())
        left = 2100
        while left and search.run(min(size, left)) == min(size, left):
            left -= min(size, left)
        reports.append(search.report())
    assert reports[0] == reports[1]


REPEAT = LADDER.format(
    repeat="repeat at, turn 2 times: A wins", how="n if turn == A else -n", step=0, where=""
)


def test_repetitions_count_on_the_way() -> None:
    """A can repeat a position at once: up 1 and down 1 ... and the rule gives A the win."""
    report = searched(REPEAT, nodes=30_000)
    assert report.value == 1


CHANCE = STEPS.replace("    left -= 1\n", "    left -= 1\n    chance c in 0..1\n    at += c\n")
THREE = (
    STEPS.replace("players A, B", "players A, B, C")
    .replace("A wins", "payoff A: 1, B: 0, C: 0")
    .replace("B wins", "payoff A: 0, B: 1, C: 0")
    .replace("draw", "payoff p: 0")
)


@pytest.mark.parametrize(
    ("source", "why"),
    [("connect_four", "no `evaluate`"), (CHANCE, "without chance"), (THREE, "two players")],
)
def test_other_games_are_refused(source: str, why: str) -> None:
    game = gamedsl.load(source, "auto")
    assert isinstance(game.engine, CompiledEngine)
    with pytest.raises(UnsupportedGameError, match=why):
        KernelCutoff(game.engine, native=False)

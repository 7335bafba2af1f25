"""Positions by the length of best play."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.exact.lengths import Lengths, lengths_of
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, Status

CIRCLE = 'game "Circle"\nplayers A, B\n\nstate:\n    at: 0..11 = 0\n\nmove go(n in {1, 4}):\n'
CIRCLE += "    at = (at + n) % 12\n\nend:\n    if at == 7: turn loses\n    if at == 2: turn wins\n"
CIRCLE += "endless: draw\n"


def by_kernel(game: LoadedGame, kernel: type[KernelInduction | KernelRetrograde]) -> Lengths:
    assert isinstance(game.engine, CompiledEngine)
    found = kernel(game.engine, native=False).solve(game.initial_state())
    assert found.lengths is not None
    return lengths_of(found.lengths)


def test_counts_and_hardest_positions_are_those_of_all_states() -> None:
    for text in (CIRCLE, "hanoi", "misere_tic_tac_toe"):
        solution = solve(gamedsl.load(text, "python"))
        assert solution.solved is not None
        lengths = solution.lengths()
        assert lengths.positions == solution.positions
        for one in lengths.results:
            if one.plies is None:
                assert (one.counts, one.hardest) == ((), ())
                continue
            kept = {(solution.value_at(s), solution.remoteness(s)) for s in one.hardest}
            assert kept == {(one.value, one.plies)}
            assert len(set(one.hardest)) == min(10, one.counts[-1][1])
        states = list(solution.solved.states)
        endless = sum(solution.remoteness(state) is None for state in states)
        assert sum(one.endless for one in lengths.results) == endless


def test_a_table_of_a_kernel_says_the_same_as_the_graph() -> None:
    game = gamedsl.load("tic_tac_toe", "python")
    assert by_kernel(game, KernelInduction) == solve(game).lengths()
    for text in (CIRCLE, "hanoi"):
        game = gamedsl.load(text, "python")
        assert by_kernel(game, KernelRetrograde) == solve(game).lengths()


def test_the_tower_of_hanoi_is_hardest_from_a_whole_tower() -> None:
    (won,) = solve(gamedsl.load("hanoi", "python")).lengths().results
    assert (won.value, won.plies, won.counts[0]) == ((Fraction(1),), 15, (0, 1))
    assert sum(number for _, number in won.counts) == 3**4


def test_a_puzzle_of_which_all_is_wanted_is_not_solved_from_its_start_alone() -> None:
    game = gamedsl.load("eight_puzzle", "python")
    found = solve(game, options=SolveOptions(goal=Goal.ALL, max_positions=25_000))
    assert found.status is Status.OPEN
    with pytest.raises(UnsupportedGameError, match="not every position"):
        found.lengths()


def test_play_with_chance_has_no_number_of_plies() -> None:
    with pytest.raises(UnsupportedGameError, match="no length"):
        solve(gamedsl.load("piglet", "python")).lengths()

"""Backward induction by kernels, run as plain Python: what the solver over the contract says."""

from __future__ import annotations

import mmap
import os
from dataclasses import replace
from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import SearchLimits, SolvedPositions
from gamedsl.model import GameRuleError, State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import (
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfTimeError,
    Vector,
)
from gamedsl.solvers.kernels import induction, transposition_table
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.memory import NUMBER, give_back, zeros
from gamedsl.solvers.kernels.table_layout import entry_layout
from gamedsl.solvers.kernels.values import RankedValues
from gamedsl.solvers.memory import IF_UNKNOWN, usable_bytes, usable_processors
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import Others, Solution
from gamedsl.solvers.solved_table import SolvedTable
from tests.generation.dice import SeededDice
from tests.generation.games import Wish, written
from tests.unit.solvers.kernels.solving import (
    by_python,
    difference,
    random_interests,
    random_race,
)

COUNTING = 'game "Counting"\nplayers A, B\n\nstate:\n    left: 0..600 = 600\n'
COUNTING += "    idle[1..40]: bool = false\n\n"
COUNTING += "move take(n in 1..2):\n    require n <= left\n    left -= n\n\n"
COUNTING += "end:\n    if left == 0: turn loses\n"
TALLY = 'game "Tally"\nplayers A, B\n\nstate:\n    left: 0..20 = 20\n    held: 0..60 = 0\n'
TALLY += "    idle[1..40]: bool = false\n\n"
TALLY += "move take(n in 1..3):\n    require n <= left\n    left -= n\n"
TALLY += "    if turn == A: held += n\n\n"
TALLY += "end:\n    if left == 0: payoff p: (held / 3 if p == A else -held / 3)\n"
STRIP = 'game "Strip"\nplayers A, B\nboard 70 wide 1 high\n\n'
STRIP += "state:\n    cell[square]: empty | players = empty\n    steps: 0..12 = 0\n\n"
STRIP += "move fill(s in square):\n    require column(s) in {1, 8, 63, 66} and cell[s] == empty\n"
STRIP += "    cell[s] = turn\n    steps += 1\n\nend:\n    if steps == 4: turn loses\n"
ROUND = 'game "Round"\nplayers A, B\n\nstate:\n    at: 0..3 = 0\n\n'
ROUND += "move go(n in 1..2):\n    at = (at + n) % 4\n\n"
ROUND += "end:\n    if at == 3: turn loses\nendless: draw\n"
FRIENDLY = 'game "Friendly"\nplayers A, B\n\nstate:\n    left: 0..6 = 6\n\n'
FRIENDLY += "move take(n in 1..2):\n    require n <= left\n    left -= n\n\n"
FRIENDLY += "end:\n    if left == 0: payoff p: (2 if p == turn else 1)\n    if left == 1: draw\n"
FAILING = 'game "Failing"\nplayers A, B\n\nstate:\n    left: 0..9 = 9\n\n'
FAILING += "move take(n in 1..4):\n    left -= n\n\nend:\n    if left == 0: turn loses\n"
GENERATED = [(seed, wish) for seed in range(12) for wish in (Wish.OPEN, Wish.ENDLESS)]


def kernel_of(source: str, **settings: str) -> KernelInduction:
    game = gamedsl.load(source, "python", **settings)
    assert isinstance(game.engine, CompiledEngine)
    return KernelInduction(game.engine, native=False)


def settled(source: str, **settings: str) -> SolvedPositions:
    game = gamedsl.load(source, "python", **settings)
    return kernel_of(source, **settings).solve(game.initial_state(), SearchLimits(bytes=1 << 24))


@pytest.fixture
def _in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and stacks that grow often, and slices that end often."""
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 1)
    monkeypatch.setattr(induction, "FIRST_FRAMES", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 3)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("tic_tac_toe", {}),
        ("misere_tic_tac_toe", {}),
        ("hexapawn", {"height": "5"}),
        ("dots_and_boxes", {"height": "1"}),
        ("kayles", {"pins": "9"}),
        ("domineering", {}),
        ("connect_small", {"width": "3"}),
    ],
)
def test_every_state_of_a_shipped_game_is_worth_what_python_says(
    name: str, settings: dict[str, str]
) -> None:
    assert difference(gamedsl.load(name, "python", **settings), 10_000) is None


@pytest.mark.usefixtures("_in_small_steps")
def test_every_state_of_generated_games_is_worth_what_python_says() -> None:
    compared = 0
    for seed, wish in GENERATED:
        game = gamedsl.load(written(SeededDice(seed), wish))
        if not isinstance(game.engine, CompiledEngine):
            continue
        found = difference(game, 1_500)
        assert found is None or found.startswith("not compared"), (seed, wish, found)
        compared += found is None
    assert compared > 8


@pytest.mark.parametrize("seed", range(15))
def test_every_state_of_a_random_race_is_worth_what_python_says(seed: int) -> None:
    assert difference(gamedsl.load(random_race(seed), "python"), 3_000) is None


@pytest.mark.parametrize("seed", range(100, 105))
def test_every_state_of_a_random_race_of_one_is_worth_what_python_says(seed: int) -> None:
    assert difference(gamedsl.load(random_race(seed, alone=True), "python"), 3_000) is None


def possible_by_python(wanted: Solution) -> set[Vector] | None:
    """The payoffs under any way to break ties; None if they are too many to list."""
    if wanted.others is Others.POSSIBLE:
        return None
    assert wanted.value is not None
    return {wanted.value, *wanted.alternatives}


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize("seed", range(15))
def test_every_state_of_a_game_of_any_interests_is_worth_what_python_says(seed: int) -> None:
    game = gamedsl.load(random_interests(seed), "python")
    assert difference(game, 3_000) is None
    wanted = by_python(game, 3_000)
    assert isinstance(game.engine, CompiledEngine)
    if not isinstance(wanted, Solution):
        return
    found = KernelInduction(game.engine, native=False).solve(
        game.initial_state(), SearchLimits(bytes=1 << 24)
    )
    if not found.counts_plies and found.possible is not None and wanted.ties is not None:
        assert set(found.possible) == possible_by_python(wanted)


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize("text", [COUNTING, TALLY, STRIP, FAILING])
def test_games_that_strain_the_table_are_solved_as_by_python(text: str) -> None:
    assert difference(gamedsl.load(text, "python"), 5_000) is None


def test_a_code_that_does_not_fit_above_the_key_gets_a_number_of_its_own() -> None:
    engine = gamedsl.load(COUNTING, "python").engine
    assert isinstance(engine, CompiledEngine)
    tight, loose = entry_layout(engine), entry_layout(engine, is_tight=False)
    assert (tight.width, loose.width) == (1, 2)
    assert settled(COUNTING).look_up(gamedsl.load(COUNTING).initial_state()) == ((-1, 1), 400)


def test_known_numbers_of_positions_are_found() -> None:
    found = settled("connect_small")
    assert (found.positions, found.endings) == (12031, 996)


def ranked(text: str, payoffs: list[list[int]]) -> list[int]:
    """The preferences for payoffs of endings, in the order in which they are met."""
    values = RankedValues(list, gamedsl.load(text, "python").facts, 3)
    for row in payoffs:
        values.add_payoffs(row)
    return list(values.preferences[: 4 * len(payoffs)])


def test_plies_count_for_those_who_are_ahead_and_against_those_behind() -> None:
    ranks = ranked(COUNTING, [[1, 1, -1], [1, 0, 0], [2, -2, 2]])
    assert ranks[1::2] == [-1, 1, -1, -1, 1, -1]
    firsts = ranks[0::4]
    assert firsts[0] > firsts[1] > firsts[2]
    assert ranks[2::4] == [-rank for rank in firsts]


def test_ranks_keep_the_order_of_any_number_of_payoffs() -> None:
    shares = [n * n % 1009 for n in range(505)] + [-n for n in range(1, 300)]
    ranks = ranked(COUNTING, [[7, share, -share] for share in shares])[0::4]
    assert len(set(ranks)) == len(set(shares))
    assert sorted(shares) == [share for _, share in sorted(zip(ranks, shares, strict=True))]


def test_play_that_can_return_is_left_to_others() -> None:
    with pytest.raises(UnsupportedGameError, match="can return"):
        settled(ROUND)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("pig", "chance"), ("go", "before")],
)
def test_games_that_the_rules_exclude_are_refused_at_once(name: str, reason: str) -> None:
    with pytest.raises(UnsupportedGameError, match=reason):
        kernel_of(name)


def test_rules_that_fail_are_an_error_of_the_game() -> None:
    with pytest.raises(GameRuleError, match="`left` can reach -1"):
        settled(FAILING)


def test_the_search_stops_at_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 1000)
    kernel = kernel_of("connect_small")
    state = gamedsl.load("connect_small", "python").initial_state()
    plain = SearchLimits(uses_symmetry=False)
    with pytest.raises(OutOfBudgetError):
        kernel.solve(state, replace(plain, positions=12030))
    assert kernel.solve(state, replace(plain, positions=12031)).positions == 12031
    with pytest.raises(OutOfMemoryError, match="bytes hold") as stopped:
        kernel.solve(state, replace(plain, bytes=100_000))
    assert 5_000 < stopped.value.explored < 12_031
    assert stopped.value.used_bytes <= 100_000


def test_whoever_listens_to_the_progress_can_stop_the_search() -> None:
    told: list[int] = []

    def listener(positions: int, waiting: int) -> None:
        told.append(positions)
        if positions > 3_000:
            raise OutOfTimeError(positions, waiting)

    state = gamedsl.load("connect_small", "python").initial_state()
    with pytest.raises(OutOfTimeError):
        kernel_of("connect_small").solve(state, SearchLimits(progress=listener))
    assert told == sorted(told)
    assert 3_000 < told[-1] < 12_031


def test_only_states_that_can_be_reached_are_known() -> None:
    game = gamedsl.load("tic_tac_toe", "python")
    start = game.initial_state()
    table = SolvedTable(game, start, settled("tic_tac_toe"), SolverName.NATIVE_INDUCTION)
    impossible = State((1, 1, 1, 1, 1, 1, 1, 1, 1), 0)
    assert start in table
    assert impossible not in table
    assert State(start.cells, 0, history=()) not in table
    assert "a1" not in table
    with pytest.raises(KeyError):
        table.value(impossible)
    with pytest.raises(KeyError):
        table.assessed(impossible)


def test_a_table_is_zeros_that_can_be_written() -> None:
    table = zeros(5)
    assert list(table) == [0] * 5
    table[4] = -3
    assert table.tolist() == [0, 0, 0, 0, -3]


def test_whole_pages_are_given_back_and_nothing_else() -> None:
    page = mmap.PAGESIZE // NUMBER
    table = zeros(4 * page)
    for place in range(len(table)):
        table[place] = 7
    give_back(table, 1, 2 * page + 5)
    given = 0 if hasattr(mmap, "MADV_DONTNEED") else 7
    assert table.tolist() == [7] * page + [given] * page + [7] * 2 * page
    give_back(table, 1, page - 1)
    assert table[0] == 7
    give_back([1, 2], 0, 2)


def test_as_many_processors_are_used_as_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 6}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert usable_processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert usable_processors() == 8


def test_the_tightest_limit_on_memory_counts(tmp_path: Path) -> None:
    machine, groups = tmp_path / "meminfo", tmp_path / "groups"
    assert usable_bytes(machine, groups) == IF_UNKNOWN
    machine.write_text("MemTotal: 9000 kB\nMemAvailable:    4000 kB\n")
    assert usable_bytes(machine, groups) == 2_048_000
    groups.mkdir()
    (groups / "memory.max").write_text("max\n")
    (groups / "memory.current").write_text("500000\n")
    assert usable_bytes(machine, groups) == 2_048_000
    (groups / "memory.max").write_text("1500000\n")
    assert usable_bytes(machine, groups) == 500_000
    (groups / "memory.current").write_text("1600000\n")
    assert usable_bytes(machine, groups) == 0

"""Grundy values from tables of rows and of heaps, compared with values by parts."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NO_LIMITS, GrundyValues, Refusal
from gamedsl.model import State
from gamedsl.model.rewriting.normal_play import NormalPlay, is_impartial, normal_play
from gamedsl.solvers.exact.grundy import GrundySolver
from gamedsl.solvers.exact.grundy_tables import GrundyTables, are_heaps, emptied
from gamedsl.solvers.exact.rows import RowSolver, row_rules
from gamedsl.solvers.kernels.grundy.grundy import KernelGrundy
from gamedsl.solvers.sums import sum_value

ROW = """
game "Row"
param pins = 9
players A, B
state:
    up[1..pins]: bool = true
{moves}
end:
    if stuck: turn loses
"""
LONE = """
move lone(i in 1..pins):
    require up[i]
    up[i] = false
"""
TRIPLE = """
move middle(i in 2..pins-1):
    require up[i - 1] and up[i] and up[i + 1]
    up[i] = false
"""
"""Takes one of three, and leaves two rows that cannot be joined."""
SPAN = """
move span(i in 1..pins-3):
    require all(up[j] for j in i..i + 3)
    up[i] = false
    up[i + 3] = false
"""
SIZES = """
move of_size(i in 1..pins-1, k in 0..1):
    require up[i] and up[i + 1]
    up[i + k] = false
"""
GAP = """
move gap(i in 1..pins-2):
    require up[i] and up[i + 2]
    up[i] = false
"""
AT_ONE_PLACE = """
move here(i in 1..pins):
    require up[i] and i != 3
    up[i] = false
"""
FIRST_FALLS = """
move fall(i in 1..pins-1):
    require up[i] and up[1]
    up[i] = false
"""
HEAPS = """
game "Heaps"
param sizes = [4, 6, 3]
players A, B
state:
    left[h in 1..len(sizes)]: 0..max(sizes) = sizes[h]
move take(h in 1..len(sizes), n in 1..max(sizes)):
    require n <= left[h] and {condition}
    left[h] -= n
end:
    if stuck: {outcome}
"""


def engine_of(game: LoadedGame) -> CompiledEngine:
    assert isinstance(game.engine, CompiledEngine)
    return game.engine


def row(moves: str, pins: int = 9) -> LoadedGame:
    return gamedsl.load(ROW.format(moves=moves), pins=str(pins))


def by_parts(game: LoadedGame) -> GrundySolver:
    play = normal_play(game.model)
    assert isinstance(play, NormalPlay)
    return GrundySolver(game.model, play, most=100_000)


def by_row(game: LoadedGame) -> RowSolver:
    rules = row_rules(game.model)
    assert rules is not None
    return RowSolver(game.model, rules, most=10_000)


def random_states(game: LoadedGame, seed: int, plays: int = 6) -> list[State]:
    random, states = Random(seed), []
    for _ in range(plays):
        state = game.initial_state()
        while not game.is_terminal(state):
            states.append(state)
            state = game.result(state, random.choice(game.legal_actions(state)))
    return states


@pytest.mark.parametrize("moves", [LONE, LONE + SPAN, TRIPLE, SPAN, SIZES, TRIPLE + SIZES])
def test_rows_have_the_values_that_their_parts_have(moves: str) -> None:
    game = row(moves, 12)
    assert is_impartial(game.model)
    parts, rows = by_parts(game), by_row(game)
    for state in random_states(game, 5):
        actions = game.legal_actions(state)
        assert rows.total(state.cells) == parts.total(state.cells)
        assert rows.totals_after(state.cells, actions) == [
            parts.total(game.result(state, action).cells) for action in actions
        ]


@pytest.mark.parametrize("moves", [GAP, AT_ONE_PLACE, FIRST_FALLS])
def test_moves_that_are_not_alike_along_the_row_are_no_row(moves: str) -> None:
    game = row(moves)
    assert row_rules(game.model) is None
    assert sum_value(game, game.model, game.initial_state()).grundy == by_parts(game).total(
        game.initial_state().cells
    )


@pytest.mark.parametrize(("name", "period"), [("kayles", (71, 12)), ("dawsons_kayles", (53, 34))])
def test_periods_are_those_of_guy_and_smith(name: str, period: tuple[int, int]) -> None:
    game = gamedsl.load(name, pins="300")
    solver = by_row(game)
    shown = [solver.value(n) for n in range(2000)]
    assert solver.period == period
    begin, length = period
    assert all(shown[n] == shown[n + length] for n in range(begin, 2000 - length))
    assert shown[begin - 1] != shown[begin - 1 + length]
    plain = by_row(game)
    plain._period = lambda: None  # type: ignore[method-assign]
    assert [plain.value(n) for n in range(400)] == shown[:400]


def tables(game: LoadedGame, heaps: bool) -> GrundyTables:
    """In Python, so that installations without LLVM are tested too."""
    kernel = KernelGrundy(engine_of(game), native=False)

    def values_of(state: State) -> GrundyValues | Refusal:
        return kernel.solve(state)

    root = game.initial_state()
    return GrundyTables(values_of, root, emptied(game, root) if heaps else None)


@pytest.mark.parametrize(
    ("name", "parameters", "heaps"),
    [
        ("nim", {"sizes": "[4, 6, 3]"}, True),
        ("nim", {"sizes": "[4, 6, 3]"}, False),
        ("wythoff", {"sizes": "[5, 8]"}, False),
        ("subtraction", {"n": "21", "amounts": "[2, 5, 7]"}, True),
        ("cram", {"width": "3", "height": "3"}, False),
        ("grundys_game", {"n": "9"}, False),
    ],
)
def test_tables_have_the_values_that_parts_have(
    name: str, parameters: dict[str, str], heaps: bool
) -> None:
    game = gamedsl.load(name, **parameters)
    assert is_impartial(game.model)
    assert are_heaps(game.model) >= heaps
    solver, parts = tables(game, heaps), by_parts(game)
    for state in [*random_states(game, 3, plays=3), game.initial_state()]:
        assert solver.total(state.cells) == parts.total(state.cells)


def test_large_heaps_are_added_without_carrying() -> None:
    sizes = (300, 199, 77)
    game = gamedsl.load("nim", sizes=str(list(sizes)))
    value = sum_value(game, game.model, game.initial_state())
    assert value.grundy == reduce(xor, sizes)
    assert [part.value for part in value.parts] == list(sizes)
    assert dict(value.moves)["take(2, 99)"] == 300 ^ 100 ^ 77
    assert value.positions == 2 * sum(sizes)


@pytest.mark.parametrize(
    ("condition", "outcome", "is_proved"),
    [
        ("n < 5", "turn loses", True),
        ("n < 5", "opponent wins", True),
        ("n < 5", "turn wins", False),
        ("(turn == A or n < 3)", "turn loses", False),
        ("n < 5", "A wins", False),
    ],
)
def test_the_proof_from_statements(condition: str, outcome: str, is_proved: bool) -> None:
    game = gamedsl.load(HEAPS.format(condition=condition, outcome=outcome))
    assert is_impartial(game.model) == is_proved
    play = normal_play(game.model)
    assert not is_proved or (isinstance(play, NormalPlay) and play.is_impartial)


def test_a_condition_on_another_heap_joins_heaps() -> None:
    game = gamedsl.load(HEAPS.format(condition="left[1] > 0", outcome="turn loses"))
    assert is_impartial(game.model)
    assert not are_heaps(game.model)


def test_moves_behind_otherwise_are_no_heaps() -> None:
    text = HEAPS.format(condition="h == 1", outcome="turn loses")
    second = "otherwise\nmove rest(h in 2..3):\n    require left[h] > 0\n    left[h] -= 1\nend:"
    game = gamedsl.load(text.replace("end:", second))
    assert not are_heaps(game.model)
    solver, parts = tables(game, False), by_parts(game)
    for state in random_states(game, 2, plays=3):
        assert solver.total(state.cells) == parts.total(state.cells)


def test_play_that_returns_has_no_table() -> None:
    text = HEAPS.format(condition="n < 2", outcome="turn loses")
    back = "move put(h in 1..3):\n    require left[h] < max(sizes)\n    left[h] += 1\nend:"
    game = gamedsl.load(text.replace("end:", back))
    with pytest.raises(gamedsl.UnsupportedGameError, match="can return"):
        KernelGrundy(engine_of(game), native=False).solve(game.initial_state())


def test_native_tables_equal_tables_in_python() -> None:
    game = gamedsl.load("wythoff", sizes="[9, 14]")
    accelerator = game.accelerator()
    if isinstance(accelerator, Refusal):
        pytest.skip(str(accelerator))
    native = accelerator.grundy_values(game.initial_state(), NO_LIMITS)
    assert isinstance(native, GrundyValues)
    python = KernelGrundy(engine_of(game), native=False).solve(game.initial_state())
    assert native.positions == python.positions
    for state in random_states(game, 1):
        assert native.value(state) == python.value(state)

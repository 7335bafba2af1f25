"""Keys whose digits have the bases that variables need."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.solvers.kernels.keys.dense_keys import dense_key
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.table_layout import entry_layout
from tests.unit.archive.test_saved import TURNED

LITTLE = 'game "Little"\nplayers A, B\nboard 3 wide 1 high\nstate:\n    hand[players]: 0..4 = 4\n'
LITTLE += "    man[square]: empty | players = empty\nmove put(s in square):\n"
LITTLE += "    require man[s] == empty\n    man[s] = turn\n    hand[A] -= 1 if turn == A else 0\n"
LITTLE += "end:\n    if stuck: draw\nendless: draw\n"
WIDE = 'game "Wide"\nplayers A, B\nboard 9 wide 9 high\nstate:\n    on[square]: bool = false\n'
WIDE += "move put(s in square):\n    on[s] = true\nend:\n    if stuck: draw\nendless: draw\n"


def engine_of(text: str) -> CompiledEngine:
    game = gamedsl.load(text, "python")
    assert isinstance(game.engine, CompiledEngine)
    return game.engine


@pytest.mark.parametrize(
    ("name", "bits"), [("teeko", 46), ("dobutsu_shogi", 67), ("quixo", 41), ("l_game", 33)]
)
def test_the_states_of_a_play_have_numbers_that_say_what_they_are(name: str, bits: int) -> None:
    game = gamedsl.load(name, "python")
    engine = game.engine
    assert isinstance(engine, CompiledEngine)
    key = dense_key(engine.generated.layout, has_turn=True)
    assert key is not None
    assert key.bits == bits
    state, draw = game.initial_state(), random.Random(1)
    for _ in range(30):
        words = engine.words_of(state)
        number = key.number(words)
        assert number < 1 << bits
        assert key.words(number) == words
        if game.is_terminal(state):
            break
        state = game.result(state, draw.choice(game.legal_actions(state)))


def test_a_number_is_what_its_digits_say() -> None:
    """Two cells to base 5, then three squares to base 3, the first square the last digit."""
    engine = engine_of(LITTLE)
    game = gamedsl.load(LITTLE, "python")
    key = dense_key(engine.generated.layout, has_turn=False)
    assert key is not None
    state = game.initial_state()
    assert (key.number(engine.words_of(state)), key.bits) == ((4 * 5 + 4) * 27, 10)
    reached = game.result(game.result(state, 0), 2)
    assert key.number(engine.words_of(reached)) == (3 * 5 + 4) * 27 + 1 + 2 * 9


def test_words_that_no_number_holds_have_no_dense_key() -> None:
    assert dense_key(engine_of(WIDE).generated.layout, has_turn=True) is None


def test_a_key_is_dense_where_its_entries_are_smaller_for_that() -> None:
    plain = entry_layout(engine_of("teeko"))
    dense = entry_layout(engine_of("teeko"), may_be_dense=True)
    assert (plain.width, dense.width) == (2, 1)
    assert entry_layout(engine_of("hexapawn"), may_be_dense=True).dense is None
    assert entry_layout(engine_of("dobutsu_shogi"), may_be_dense=True).dense is None


@pytest.mark.parametrize("may_be_dense", [False, True])
def test_a_solution_is_the_same_with_dense_keys(
    may_be_dense: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(TURNED)
    monkeypatch.setattr(KernelRetrograde, "may_be_dense", may_be_dense)
    monkeypatch.setattr(KernelRetrograde, "least_room", 41)
    root = gamedsl.load(TURNED, "python").initial_state()
    found = KernelRetrograde(engine, native=False).solve(root)
    monkeypatch.undo()
    wanted = KernelRetrograde(engine, native=False).solve(root)
    assert found.stored is not None
    assert wanted.stored is not None
    assert wanted.entries is not None
    assert (found.stored.facts["dense"] is not None) == may_be_dense
    assert found.stored.facts["tallies"] == wanted.stored.facts["tallies"]
    for state in wanted.entries():
        assert found.look_up(state) == wanted.look_up(state)

"""Positions counted on sets of positions: the same numbers at every depth as one by one."""

from __future__ import annotations

import sys
from itertools import product
from math import inf

import pytest

from gamedsl.compiler.symbolic.diagrams import Diagrams
from gamedsl.compiler.symbolic.numbers import Number, Numbers
from gamedsl.game.loading import load
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.reports.counts.positions import layers_text
from gamedsl.solvers.graphs.layers import Layers, count_layers, count_on_sets

MEGABYTES = 30_000_000
GAMES: dict[str, dict[str, int]] = {
    "breakthrough": {},
    "chomp": {},
    "connect_small": {},
    "domineering": {},
    "dots_and_boxes": {},
    "hanoi": {},
    "hex": {},
    "hexapawn": {},
    "lights_out": {},
    "mnk": {"run": 2},
    "nim": {},
    "subset_take_away": {},
    "wild_tic_tac_toe": {},
}
WALK = """
game "Walk"
players A, B
param limit = 9
state:
    place: 0..limit = 0
    used: no | yes = no
move step(n in 1..2):
    require place + n <= 9
    place = place + n
move back:
    require place == 5 and used == no
    place = 3
    used = yes
end:
    if place == 9: draw
"""


def on_sets(text: str, most: int = MEGABYTES, **parameters: int) -> Layers:
    game = load(text, **parameters)
    return count_on_sets(game, game.initial_state(), max_bytes=most)


@pytest.fixture(autouse=True)
def _with_library() -> None:
    pytest.importorskip("oxidd")


@pytest.mark.parametrize("name", GAMES)
def test_sets_have_as_many_positions_at_every_depth(name: str) -> None:
    game = load(name, **GAMES[name])
    by_sets = count_on_sets(game, game.initial_state(), max_bytes=MEGABYTES)
    alone = count_layers(game, game.initial_state(), seconds=inf, max_bytes=10**9)
    assert (by_sets.counts, by_sets.endings) == (alone.counts, alone.endings)
    assert by_sets.is_whole


def test_positions_that_return_count_once() -> None:
    game = load(WALK)
    alone = count_layers(game, game.initial_state(), seconds=inf, max_bytes=10**9)
    assert on_sets(WALK).counts == alone.counts


def test_a_board_beyond_memory_is_counted() -> None:
    assert on_sets("mnk", width=4, height=4, run=4).positions == 9_722_011


def test_rules_that_fail_in_some_position_are_noticed() -> None:
    with pytest.raises(GameRuleError, match="place"):
        on_sets(WALK, limit=8)
    on_sets(WALK, limit=10)  # 10 is never reached


def test_a_player_without_a_move_is_noticed() -> None:
    with pytest.raises(GameRuleError, match="no legal"):
        on_sets(WALK.replace("if place == 9", "if place == 9 and used == yes"))


def test_little_memory_gives_the_first_depths() -> None:
    little = on_sets("connect_small", 1_500_000, width=5, height=4)
    assert not little.is_whole
    assert little.counts[:3] == (1, 5, 25)
    assert layers_text(on_sets("connect_small", 1)).endswith(" endings, so far")


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("pig", "no chance"),
        ("rock_paper_scissors", "no choices at once"),
        ("go", "no rules about repetition"),
    ],
)
def test_only_the_reasons_of_a_refusal_are_said(name: str, unknown: str) -> None:
    with pytest.raises(UnsupportedGameError, match=f"^sets of positions know {unknown}$"):
        on_sets(name)


def test_moves_of_which_the_greatest_are_legal_are_refused() -> None:
    text = WALK[: WALK.index("move back")] + "end:\n    if place == 9: draw\n"
    text = text.replace("require place", "require n is greatest\n    require place")
    with pytest.raises(UnsupportedGameError, match="is greatest"):
        on_sets(text)


def test_without_the_library_its_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "oxidd", None)
    with pytest.raises(UnsupportedGameError, match=r"pip install 'gamedsl\[symbolic\]'"):
        on_sets("nim")


def test_arithmetic_on_all_small_numbers() -> None:
    diagrams = Diagrams(6, MEGABYTES)
    numbers = Numbers(diagrams)
    a, b = (numbers.shortened(diagrams.variables[n : n + 3]) for n in (0, 3))
    c = numbers.both(b, numbers.constant(3))  # not negative
    results: dict[str, tuple[Number, list[int]]] = {}
    values = list(product([False, True], repeat=6))
    for x, y in ((sum(v[n] << n for n in range(2)) - (v[2] << 2), v) for v in values):
        z = sum(y[3 + n] << n for n in range(2)) - (y[5] << 2)
        w = z & 3
        for name, number, value in (
            ("a + b", numbers.add(a, b), x + z),
            ("a - b", numbers.subtract(a, b), x - z),
            ("-a", numbers.negate(a), -x),
            ("abs a", numbers.absolute(a), abs(x)),
            ("min", numbers.minimum(a, b), min(x, z)),
            ("max", numbers.maximum(a, b), max(x, z)),
            ("a < b", numbers.of_truth(numbers.is_less(a, b)), int(x < z)),
            ("a == b", numbers.of_truth(numbers.is_equal(a, b)), int(x == z)),
            ("a & b", numbers.both(a, b), x & z),
            ("a | b", numbers.either(a, b), x | z),
            ("a ^ b", numbers.differing(a, b), x ^ z),
            ("~a", numbers.complement(a), ~x),
            ("a << c", numbers.shift_left(a, c), x << w),
            ("a >> c", numbers.shift_right(a, c), x >> w),
            ("a * b", numbers.by_both(int.__mul__, a, b), x * z),
            ("count c", numbers.count(c), w.bit_count()),
            ("lowest", numbers.lowest(c), (w & -w).bit_length() - 1 if w else 0),
            ("highest", numbers.highest(c), w.bit_length() - 1 if w else 0),
        ):
            results.setdefault(name, (number, []))[1].append(value)
    for name, (number, expected) in results.items():
        got = [
            sum(bit.eval(enumerate(v)) << n for n, bit in enumerate(number[:-1]))
            - (number[-1].eval(enumerate(v)) << len(number) - 1)
            for v in values
        ]
        assert got == expected, name

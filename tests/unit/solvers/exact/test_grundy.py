"""Grundy values: published sequences, the definition by a game's own moves, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_play import NormalPlay, normal_play
from gamedsl.solvers.exact.grundy import GrundySolver
from gamedsl.solvers.graphs.graph import OutOfBudgetError

KAYLES = (0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4)
"""Rows of 0, 1, ... skittles: OEIS A002186."""
DAWSON = (0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0)
"""OEIS A002187."""
GRUNDY = (0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3)
"""Heaps of 0, 1, ...: OEIS A002188."""
SUBTRACTION = (0, 0, 1, 1, 0, 2, 1, 3, 2, 2, 0, 3, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2)
"""Take 2, 5 or 7, with period 22."""
ENDLESS = """
game "Switch"
players A, B
state:
    on: bool = false
    left: 0..1 = 1
move turn_over:
    on = not on
move take:
    require left > 0
    left -= 1
end:
    if stuck: turn loses
"""
FIRST_THINGS = """
game "First things first"
players A, B
state:
    left[h in 1..2]: 0..2 = 2
move first(n in 1..2):
    require n <= left[1]
    left[1] -= n
otherwise
move second(n in 1..2):
    require n <= left[2]
    left[2] -= n
end:
    if stuck: turn loses
"""
"""Heaps one after the other: not the sum of 2 and 2, which would be 0."""


def proved(game: LoadedGame) -> NormalPlay:
    found = normal_play(game.model)
    assert isinstance(found, NormalPlay)
    return found


def solver(game: LoadedGame, *, parts: bool = True, most: int = 100_000) -> GrundySolver:
    return GrundySolver(game.model, proved(game), parts=parts, most=most)


def loaded(name: str, parameters: Mapping[str, object]) -> LoadedGame:
    return gamedsl.load(name, **{one: str(value) for one, value in parameters.items()})


def by_definition(game: LoadedGame, state: State) -> int:
    """The least number that no move leads to, by the game's own moves."""

    @cache
    def value(cells: tuple[int | None, ...]) -> int:
        at = State(cells, 0)
        if game.is_terminal(at):
            return 0
        after = {value(game.result(at, action).cells) for action in game.legal_actions(at)}
        return next(n for n in range(len(after) + 1) if n not in after)

    return value(state.cells)


@pytest.mark.parametrize(
    ("name", "parameters", "sequence"),
    [
        ("kayles", {"pins": 24, "fallen": "[]"}, KAYLES),
        ("dawsons_kayles", {"pins": 29}, DAWSON),
    ],
)
def test_rows_have_the_values_of_the_published_sequences(
    name: str, parameters: dict[str, object], sequence: tuple[int, ...]
) -> None:
    game = loaded(name, parameters)
    found = solver(game)
    size = len(sequence) - 1
    rows = [(1,) * n + (0,) * (size - n) for n in range(size + 1)]
    assert tuple(map(found.total, rows)) == sequence


def test_heaps_have_the_values_of_the_published_sequences() -> None:
    split = solver(loaded("grundys_game", {"n": 16}))
    heaps = [[int(size == n) for size in range(1, 17)] for n in range(17)]
    assert tuple(map(split.total, heaps)) == GRUNDY
    taken = solver(loaded("subtraction", {"amounts": "[2, 5, 7]"}))
    assert tuple(taken.total([n]) for n in range(22)) == SUBTRACTION


@pytest.mark.parametrize(
    ("name", "parameters", "parts"),
    [
        ("nim", {"sizes": "[3, 4, 5]"}, 5),
        ("nim", {"sizes": "[7, 7, 7, 7]"}, 7),
        ("kayles", {"pins": 40, "fallen": "[]"}, 40),
    ],
)
def test_parts_alike_are_evaluated_once_whatever_order_sets_have(
    name: str, parameters: dict[str, object], parts: int
) -> None:
    game = loaded(name, parameters)
    finder = solver(game)
    finder.total(game.initial_state().cells)
    assert finder.looked_at == parts


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("nim", {"sizes": "[1, 3, 5, 7]"}, 0),
        ("nim", {"sizes": "[9, 4]"}, 13),
        ("cram", {"width": 5, "height": 3}, 1),
        ("cram", {"width": 9, "height": 1}, DAWSON[9]),
        ("wythoff", {"sizes": "[3, 3]"}, 6),
        ("wythoff", {"sizes": "[4, 4]"}, 7),
    ],
)
def test_published_values_of_positions(
    name: str, parameters: dict[str, object], value: int
) -> None:
    game = loaded(name, parameters)
    assert solver(game).total(game.initial_state().cells) == value


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("nim", {"sizes": "[2, 3, 2]"}),
        ("kayles", {"pins": 8, "fallen": "[]"}),
        ("cram", {"width": 3, "height": 3}),
        ("fibonacci_nim", {}),
        ("treblecross", {"n": 7}),
        ("subset_take_away", {"n": 3}),
        (FIRST_THINGS, {}),
    ],
)
def test_parts_add_up_to_the_value_by_definition(name: str, parameters: dict[str, object]) -> None:
    game = loaded(name, parameters)
    apart, whole = solver(game), solver(game, parts=False)
    rng = Random(1)
    for _ in range(4):
        state = game.initial_state()
        while not game.is_terminal(state):
            value = by_definition(game, state)
            assert apart.total(state.cells) == whole.total(state.cells) == value
            state = game.result(state, rng.choice(game.legal_actions(state)))
        assert apart.total(state.cells) == 0


def test_parts_are_told_by_moves_that_can_still_be_made() -> None:
    game = loaded("kayles", {"pins": 7, "fallen": "[4]"})
    found = solver(game)
    parts = found.parts(game.initial_state().cells)
    assert [part.cells for part in parts] == [(0, 1, 2), (4, 5, 6)]
    assert [found.value(part) for part in parts] == [KAYLES[3], KAYLES[3]]
    assert found.looked_at == 3  # rows of 3, 2 and 1: those alike once


def test_what_comes_first_is_not_a_part() -> None:
    game = gamedsl.load(FIRST_THINGS)
    found = solver(game)
    assert len(found.parts(game.initial_state().cells)) == 1
    assert found.total(game.initial_state().cells) != 0


def test_play_that_can_return_has_no_value() -> None:
    game = gamedsl.load(ENDLESS)
    with pytest.raises(UnsupportedGameError, match="return to an earlier position"):
        solver(game).total(game.initial_state().cells)


def test_a_condition_about_more_than_cells_is_refused() -> None:
    game = gamedsl.load(NIM.replace("if stuck:", "if stuck and left == 0:"))
    with pytest.raises(UnsupportedGameError, match="asks for `stuck`"):
        solver(game)


COUNTED = """
game "Never the last two"
players A, B
state:
    there[n in 1..3]: bool = true
move take(n in 1..3):
    require there[n] and count(there[m] for m in 1..3) > 1
    there[n] = false
end:
    if stuck: turn loses
"""


def test_a_condition_that_counts_cells_is_refused_in_words() -> None:
    with pytest.raises(UnsupportedGameError, match="how many or how much there is of several"):
        solver(gamedsl.load(COUNTED))


def test_the_limit_is_kept() -> None:
    game = gamedsl.load("grundys_game")
    with pytest.raises(OutOfBudgetError):
        solver(game, most=10).total(game.initial_state().cells)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nim_misere", "that the player to move at the end loses is not proved"),
        ("chomp", "that the player to move at the end loses is not proved"),
        ("tic_tac_toe", "that the player to move at the end loses is not proved"),
        ("hanoi", "it has 1 player, not two"),
        ("pig", "chance has a part in it"),
    ],
)
def test_what_is_no_normal_play(name: str, reason: str) -> None:
    found = normal_play(gamedsl.load(name).model)
    assert isinstance(found, Unknown)
    assert found.reason == reason


NIM = """
game "Heap"
players A, B
state:
    left: 0..5 = 5
    who: none | players = none
move take(n in 1..2):
    require n <= left
    left -= n
end:
    if stuck: turn loses
"""


def test_who_may_move_again_does_not_take_turns() -> None:
    found = normal_play(
        gamedsl.load(NIM.replace("left -= n", "left -= n\n    if n == 1: again")).model
    )
    assert isinstance(found, Unknown)
    assert found.reason == "players do not take turns after every move"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    left -= n\n", "    left -= n\n    who = turn\n"),
        ("require n <= left", "require n <= left and (turn == A or n == 1)"),
        ("require n <= left", "require n <= left and who != turn"),
    ],
)
def test_moves_that_depend_on_the_player_are_not_impartial(old: str, new: str) -> None:
    assert proved(gamedsl.load(NIM)).is_impartial
    assert old in NIM
    assert not proved(gamedsl.load(NIM.replace(old, new))).is_impartial


@pytest.mark.parametrize(
    ("width", "height", "outcome"),
    [(1, 2, "L"), (2, 1, "R"), (2, 2, "N"), (3, 3, "N"), (4, 3, "R"), (3, 4, "L")],
)
def test_outcome_classes_of_domineering(width: int, height: int, outcome: str) -> None:
    """Breuker, Uiterwijk and van den Herik 2000; Vertical, who is declared first, is Left."""
    found = gamedsl.sum_value(loaded("domineering", {"width": width, "height": height}))
    assert (found.grundy, str(found.outcome)) == (None, outcome)


def test_the_class_of_an_impartial_game_follows_from_its_value() -> None:
    assert str(gamedsl.sum_value("nim").outcome) == "N"
    lost = gamedsl.sum_value("nim", "take(1, 2)")
    assert (lost.grundy, str(lost.outcome)) == (0, "P")
    assert dict(gamedsl.sum_value("nim").moves)["take(1, 2)"] == 0


def test_a_game_that_is_over_is_worth_nothing() -> None:
    found = gamedsl.sum_value(loaded("nim", {"sizes": "[1]"}), "take(1, 1)")
    assert (found.grundy, found.parts, found.moves) == (0, (), ())


def test_a_condition_that_several_cells_may_meet_is_met_by_any_of_them() -> None:
    game = gamedsl.load("""players A, B
state:
    left[h in 1..3]: 0..2 = 2
move take(h in 1..2, n in 1..2):
    require n <= left[h] and (left[1] == 2 or left[2] == 2 or left[3] == 0)
    left[h] -= n
move last(n in 1..2):
    require n <= left[3]
    left[3] -= n
end:
    if stuck: turn loses
""")
    found = solver(game)
    state, rng = game.initial_state(), Random(2)
    for _ in range(8):
        while not game.is_terminal(state):
            assert found.total(state.cells) == by_definition(game, state)
            state = game.result(state, rng.choice(game.legal_actions(state)))
        state = game.initial_state()

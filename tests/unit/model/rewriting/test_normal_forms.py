"""Symmetries proved from the text: exactly those that a game has."""

from __future__ import annotations

import random

import pytest

from gamedsl.interpreter import RulesInterpreter
from gamedsl.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_forms import Renaming, changed_by, normal_form, refusal
from gamedsl.model.values import Square
from tests.unit.model.reading import BOARD, HEAP, model_of, spoilt
from tests.unit.model.rewriting.evaluating import shipped


def turned(model: Model, across: bool, up: bool, swapped: bool) -> Renaming | None:
    """One of the eight ways to turn and mirror a board; None if it does not fit."""
    board = model.board
    assert board is not None
    place = {(s.column, s.row): s for s in board.squares}
    found = {}
    for (column, row), square in place.items():
        x, y = (row, column) if swapped else (column, row)
        x, y = (board.width + 1 - x if across else x), (board.height + 1 - y if up else y)
        if (x, y) not in place:
            return None
        found[square] = place[x, y]
    return found


def symmetries(model: Model, keeps_start: bool = True) -> set[tuple[bool, bool, bool]]:
    ways = [(a, u, s) for a in (False, True) for u in (False, True) for s in (False, True)]
    renamings = {way: turned(model, *way) for way in ways}
    return {
        way
        for way, one in renamings.items()
        if one is not None and refusal(model, one, keeps_start) is None
    }


SAME, MIRROR = (False, False, False), (True, False, False)


def test_tic_tac_toe_has_the_eight_symmetries_of_its_board() -> None:
    assert len(symmetries(shipped("tic_tac_toe"))) == 8


def test_connect_four_has_its_mirror_alone() -> None:
    assert symmetries(shipped("connect_four")) == {SAME, MIRROR}
    square = shipped("connect_small", width="4", height="4", run="3")
    assert symmetries(square) == {SAME, MIRROR}


def test_hexapawn_has_its_mirror_alone() -> None:
    assert symmetries(shipped("hexapawn")) == {SAME, MIRROR}


def test_groups_turn_with_the_board_if_neighbours_stay_neighbours() -> None:
    joined = "if cell[b2] == X and a2 in group(cell, b2) and c2 in group(cell, b2): X wins"
    model = model_of(spoilt(BOARD, "if full(cell): draw", joined))
    assert symmetries(model) == {SAME, MIRROR, (False, True, False), (True, True, False)}
    slanted = model_of(model.source.text.replace("3 high", "3 high\ndirections N, NE, E, S, SW, W"))
    assert symmetries(slanted) == {SAME, (True, True, False)}


@pytest.mark.parametrize(
    ("red", "number"),
    [
        ("stone[s] == Red and any(row(q) == height for q in group(stone, s))", 2),
        ("any(row(q) == height and stone[q] == Red for q in group(stone, s))", 2),
        ("stone[s] == Red and any(row(q) == height for q in group(stone, s, {N, NE, NW}))", 1),
        ("stone[s] == Red and count(row(q) == height for q in group(stone, s)) > 1", 1),
    ],
)
def test_a_chain_joins_two_sides_from_either_end(red: str, number: int) -> None:
    rules = shipped("hex").source.text
    joins = "stone[s] == Red and any(row(q) == height for q in group(stone, s))"
    assert len(symmetries(model_of(spoilt(rules, joins, red)))) == number


def test_squares_that_share_a_group_with_a_third_share_a_group() -> None:
    chains = (
        "cell[a2] == X and a1 in group(cell, a2) and a3 in group(cell, a2)",
        "cell[a1] == X and a1 in group(cell, a2) and a3 in group(cell, a1)",
        "cell[a3] == X and a2 in group(cell, a3) and a2 in group(cell, a1)",
    )
    ends = "\n    ".join(f"if {chain}: X wins" for chain in chains)
    form = normal_form(model_of(spoilt(BOARD, "if full(cell): draw", ends)))
    assert not isinstance(form, Unknown)
    (endings, *_) = form.endings.values()
    asked = [end.condition for together in endings for end in together]
    joined = [condition for condition in asked if "group" in str(condition)]
    assert len(joined) == len(chains)
    assert len(set(joined)) == 1


@pytest.mark.parametrize(("square", "number"), [("b2", 8), ("a2", 2), ("a1", 2), ("b1", 2)])
def test_a_loop_of_the_ending_goes_on_while_a_square_is_taken(square: str, number: int) -> None:
    loop = f"for k in 1..2 while cell[{square}] == X:\n        if k == 2 and full(cell): draw"
    assert len(symmetries(model_of(spoilt(BOARD, "if full(cell): draw", loop)))) == number


def test_chess_is_refused_the_mirror_because_of_its_start() -> None:
    model = shipped("chess")
    mirror = turned(model, True, False, False)
    assert mirror is not None
    assert refusal(model, mirror) == "the start changes"


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_small", "mnk"])
def test_players_of_colour_blind_rules_can_be_swapped(name: str) -> None:
    model = shipped(name)
    one, other = model.players
    assert refusal(model, {one: other, other: one}) == "the start changes"
    assert refusal(model, {one: other, other: one}, keeps_start=False) is None


def test_players_that_want_different_things_cannot_be_swapped() -> None:
    text = spoilt(BOARD, "if line(cell, p, 3): p wins", "if line(cell, X, 3): p wins")
    for model in (model_of(text), shipped("hexapawn"), shipped("hex")):
        one, other = model.players
        assert refusal(model, {one: other, other: one}, keeps_start=False) is not None


@pytest.mark.parametrize(("name", "across"), [("hexapawn", False), ("checkers", True)])
def test_players_are_swapped_with_the_board_turned_round(name: str, across: bool) -> None:
    model = shipped(name)
    one, other = model.players
    round_about = turned(model, across, True, False)
    assert round_about is not None
    assert refusal(model, {**round_about, one: other, other: one}, keeps_start=False) is None


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_small", "hexapawn"])
def test_random_wrong_renamings_are_refused(name: str) -> None:
    model = shipped(name)
    assert model.board is not None
    chooser = random.Random(7)
    right = [turned(model, *way) for way in symmetries(model)]
    squares = list(model.board.squares)
    for _ in range(12):
        shuffled = squares.copy()
        chooser.shuffle(shuffled)
        renaming: dict[Square, Square] = dict(zip(squares, shuffled, strict=True))
        assert (refusal(model, renaming, keeps_start=False) is None) == (renaming in right)


def test_a_proved_symmetry_maps_each_edge_to_an_edge() -> None:
    model = shipped("hexapawn")
    game = RulesInterpreter(model)
    mirror = turned(model, *MIRROR)
    assert mirror is not None
    board = model.board
    assert board is not None
    digit = {square: n for n, square in enumerate(board.squares)}
    order = [digit[mirror[square]] for square in board.squares]
    pending, seen = [game.initial_state()], set()
    while pending:
        state = pending.pop()
        if (state.cells, state.turn) in seen:
            continue
        seen.add((state.cells, state.turn))
        image = game.state_of(tuple(state.cells[n] for n in order), state.turn)
        assert game.is_terminal(state) == game.is_terminal(image)
        if game.is_terminal(state):
            assert game.utilities(state) == game.utilities(image)
            continue
        children = [game.result(state, one) for one in game.legal_actions(state)]
        images = {game.result(image, one).cells for one in game.legal_actions(image)}
        assert {tuple(child.cells[n] for n in order) for child in children} == images
        pending += children


def test_what_endless_play_is_worth_is_part_of_the_rules() -> None:
    model = model_of(BOARD + "endless: X wins\n")
    one, other = model.players
    refused = refusal(model, {one: other, other: one}, keeps_start=False)
    assert refused == "what endless play is worth changes"


def test_names_and_order_of_writing_are_no_part_of_the_form() -> None:
    text = spoilt(BOARD, "require cell[s] == empty", "require not (n != n or empty != cell[s])")
    text = text.replace("mark(s in square)", "put(q in square)").replace("cell[s]", "cell[q]")
    one, other = normal_form(model_of(BOARD)), normal_form(model_of(text))
    assert not isinstance(one, Unknown)
    assert not isinstance(other, Unknown)
    assert [len(found) for found in one.transitions.values()] == [9, 9]
    assert [len(found) for found in other.transitions.values()] == [9, 9]
    model = model_of(BOARD)
    form = normal_form(model)
    assert not isinstance(form, Unknown)
    assert changed_by(model, form, {}) is None


def test_what_cannot_be_written_out_is_refused_with_a_reason() -> None:
    assert normal_form(shipped("pig")) == Unknown("chance decides in the body")
    assert refusal(shipped("kalah"), {}) is not None
    assert refusal(model_of(HEAP), {}) is None
    model = shipped("tic_tac_toe")
    a1, b1 = (model.atoms[name] for name in ("a1", "b1"))
    assert refusal(model, {a1: b1}) == "the renaming is not one to one"


def test_a_turn_that_may_be_none_has_a_form() -> None:
    """It is an error when it is played, and no other turn follows it."""
    model = model_of(
        'game "Nobody"\nplayers A, B\nstate:\n    dead[players]: bool = false\n'
        "move kill(p in players):\n    require not dead[p] and p != turn\n    dead[p] = true\n"
        "    turn = first(q for q in players where not dead[q])\n"
        "end:\n    if dead[A] or dead[B]: turn wins\n"
    )
    assert not isinstance(normal_form(model), Unknown)

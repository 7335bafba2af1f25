"""Symmetries are found from the text, and what breaks one in the rules removes it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.game import library
from gamedsl.model import Model
from gamedsl.model.rewriting import symmetries as symmetry_module
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_forms import changed_by
from gamedsl.model.rewriting.symmetries import Symmetry, names_of, symmetries
from gamedsl.model.state import State
from tests.unit.model.reading import model_of, spoilt
from tests.unit.model.rewriting.evaluating import shipped
from tests.whole_texts import whole_text

MIRROR, SWAP = "left and right mirrored", "Red and Yellow swapped"
RING = """game "Ring"
players A, B
board graph:
    w-x-y-z-w
state:
    cell[square]: empty | red | blue = empty
move paint(s in square, c in {{red, blue}}):
    require cell[s] == empty{test}
    cell[s] = c
end:
    if stuck: turn loses
"""


def names(model: Model) -> list[str]:
    found = symmetries(model)
    assert not isinstance(found, Unknown), found
    return [one.name for one in found]


def test_connect_four_has_its_mirror_and_its_players() -> None:
    assert names(shipped("connect_four")) == [SWAP, MIRROR, f"{MIRROR} with {SWAP}"]


CARDS = """game "Draw"
players A, B
type Suit = clubs | hearts
type Rank = 1..2
type Card = Rank of Suit
state:
    top: Card | none = none
    led: Suit | none = none
move lead(s in Suit):
    require led == none
    led = s
move put(c in Card):
    require led != none and {test}
    top = c
end:
    if top != none: payoff p: {amount}
"""


@pytest.mark.parametrize(
    ("test", "amount", "expected"),
    [
        ("Suit(c) == led", "0", {"clubs_1 and clubs_2 swapped", "hearts_1 and hearts_2 swapped"}),
        (
            "Rank(c) == 1",
            "0",
            {
                "clubs_1 and hearts_1 swapped",
                "clubs_2 and hearts_2 swapped",
                "clubs and hearts swapped",
            },
        ),
        ("Suit(c) == led", "Rank(top)", set()),
    ],
)
def test_cards_are_swapped_as_far_as_their_parts_are_not_asked_for(
    test: str, amount: str, expected: set[str]
) -> None:
    found = names(model_of(CARDS.format(test=test, amount=amount)))
    assert {name for name in found if name != "A and B swapped"} == expected


def test_where_a_set_is_only_asked_its_order_is_no_matter() -> None:
    """The ways of a piece depend on its kind, and stand in each of them at another place."""
    turned = "the board turned by 180 degrees with Sente and Gote swapped"
    found = names(shipped("dobutsu_shogi"))
    assert found[0] == MIRROR
    assert turned in found
    text = "require d in ways(kind[s], turn)"
    first = "require first(q for q in ways(kind[s], turn) where q == d) == d"
    path = library.shipped_game("dobutsu_shogi")
    ordered = symmetries(model_of(spoilt(path.read_text(encoding="utf-8"), text, first)))
    assert isinstance(ordered, Unknown)
    assert "order depends" in ordered.reason


def test_those_that_keep_the_players_are_told_apart() -> None:
    found = symmetries(shipped("connect_four"))
    assert not isinstance(found, Unknown)
    assert [one.name for one in found if one.keeps_players] == [MIRROR]


def test_a_square_board_has_seven_besides_itself() -> None:
    found = symmetries(shipped("tic_tac_toe"))
    assert not isinstance(found, Unknown)
    assert sum(one.keeps_players for one in found) == 7
    assert len(found) == 15


@pytest.mark.parametrize(
    ("written", "planted", "kept"),
    [
        ("require s != none", "require s != none and (c != 2 or turn == Red)", []),
        ("require s != none", "require s != none and c != 4", [SWAP]),
        ("if full(cell): draw", "if full(cell): Red wins", [MIRROR]),
        ("if full(cell): draw", "if cell[a1] == Red and full(cell): draw", []),
    ],
)
def test_a_planted_asymmetry_removes_the_symmetry(
    written: str, planted: str, kept: list[str]
) -> None:
    text = spoilt(whole_text("connect_small"), written, planted)
    assert names(model_of(text)) == kept


BALANCE = """game "Balance"
players A, B
board 3 wide 1 high
state:
    cell[square]: empty | players = empty
move put(s in square):
    require cell[s] == empty{asked}
    cell[s] = turn
def weight(p) = sum({weight} for s in square where cell[s] == p)
end:
    if full(cell) and weight(A) > weight(B): A wins
    if full(cell) and weight(B) > weight(A): B wins
    if full(cell): draw
"""


@pytest.mark.parametrize(
    ("asked", "weight", "kept"),
    [
        ("", "1", [MIRROR]),
        ("", "column(s) * (4 - column(s))", [MIRROR]),
        ("", "column(s)", []),
        (" and weight(A) + weight(B) < 3", "1", [MIRROR]),
        (" and count(cell[q] == turn for q in square where q != a1) < 2", "1", []),
    ],
)
def test_counts_and_sums_are_renamed_with_what_they_add(
    asked: str, weight: str, kept: list[str]
) -> None:
    found = names(model_of(BALANCE.format(asked=asked, weight=weight)))
    assert [name for name in found if name == MIRROR] == kept


def test_products_of_proved_symmetries_are_not_proved_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0

    def counted(*given: Any) -> str | None:
        nonlocal asked
        asked += 1
        return changed_by(*given)

    monkeypatch.setattr(symmetry_module, "changed_by", counted)
    assert len(names(shipped("tic_tac_toe"))) == 15
    assert asked < 8


def test_a_graph_has_its_automorphisms_and_values_that_can_be_interchanged() -> None:
    whole = names(model_of(RING.format(test="")))
    assert sum(name.startswith("automorphism") and "swapped" not in name for name in whole) == 7
    assert "red and blue swapped" in whole
    spoilt_ring = names(model_of(RING.format(test=" and (s != w or c == red)")))
    assert "red and blue swapped" not in spoilt_ring
    assert (
        sum(name.startswith("automorphism") and "swapped" not in name for name in spoilt_ring) == 1
    )


def test_those_that_others_make_together_are_not_named() -> None:
    wanted = {
        "connect_four": (SWAP, MIRROR),
        "six_mens_morris": ("White and Black swapped", "15 automorphisms of the graph"),
        "tic_tac_toe": ("the board turned and mirrored in all eight ways", "X and O swapped"),
        "breakthrough": (MIRROR, "top and bottom mirrored with White and Black swapped"),
    }
    for name, expected in wanted.items():
        found = symmetries(shipped(name))
        assert not isinstance(found, Unknown)
        assert names_of(found)[:2] == expected


@pytest.mark.parametrize("name", ["chess", "pig", "matching_pennies"])
def test_why_none_can_be_told_is_said(name: str) -> None:
    assert isinstance(symmetries(shipped(name)), Unknown)


ROWS = """game "Rows"
players A, B
state:
    cell[1..3, 1..3]: players | none = none
    last: 0..3 = 0
move mark(i in 1..3, j in 1..3):
    require cell[i, j] == none{asked}
    cell[i, j] = turn
    last = {kept}
end:
    for p in players:
        if any(all(cell[i, j] == p for j in 1..3) for i in 1..3): p wins
    if all(cell[i, j] != none for i in 1..3 for j in 1..3): draw
"""


@pytest.mark.parametrize(
    ("asked", "kept", "images"),
    [
        ("", "0", ["cell[i, 4 - j]", "cell[4 - i, j]", "cell[4 - i, 4 - j]"]),
        (" and i + j != 2", "0", []),
        (" and j != 3", "0", ["cell[4 - i, j]"]),
        (" and not (i == 1 and j == 3 and cell[3, 1] == none)", "0", []),
        ("", "i", ["cell[i, 4 - j]"]),  # a cell that holds an index has no image
    ],
)
def test_indices_are_counted_from_the_other_end(asked: str, kept: str, images: list[str]) -> None:
    found = symmetries(model_of(ROWS.format(asked=asked, kept=kept)))
    assert not isinstance(found, Unknown)
    alone = [one.name for one in found if one.keeps_players]
    assert alone == [f"cell[i, j] at {image}" for image in images]


@pytest.mark.parametrize(
    ("rows", "columns", "images"),
    [
        ("-1..1", "-1..1", {"[i, -j]", "[-i, j]", "[-j, i]"}),
        ("0..2", "5..7", {"[i, 12 - j]", "[2 - i, j]", "[j - 5, i + 5]", "[7 - j, 7 - i]"}),
        ("{1, 3, 4}", "{1, 3, 4}", {"[i, j from the end]", "[j, i]"}),
        ("{1, 3, 4}", "0..2", {"[i, 2 - j]", "[j from the start, i from the end]"}),
        ("bool", "bool", {"[i, j from the end]", "[j, i]"}),
    ],
)
def test_the_name_says_where_an_index_goes(rows: str, columns: str, images: set[str]) -> None:
    text = (
        'game "Whole"\nplayers A, B\nstate:\n    cell[{rows}, {columns}]: bool = false\n'
        "move mark(i in {rows}, j in {columns}):\n"
        "    require not cell[i, j]\n    cell[i, j] = true\nend:\n    if stuck: turn loses\n"
    )
    written = text.replace("{rows}", rows).replace("{columns}", columns)
    ways = names(model_of(written.replace("in bool", "in {true, false}")))
    assert {f"cell[i, j] at cell{image}" for image in images} <= {*ways}
    assert len(ways) == len({*ways})


PRICES = """game "Prices"
players A, B
state:
    price[1..3]: 0..9 = {prices}
    there[1..3]: bool = true
    sum[players]: 0..20 = 0
move take(i in 1..3):
    require there[i]
    there[i] = false
    sum[turn] += price[i]
end:
    if stuck: payoff p: sum[p] - sum[other(p)]
"""


@pytest.mark.parametrize(("prices", "is_mirrored"), [("[5, 1, 5]", True), ("[9, 1, 5]", False)])
def test_a_table_that_never_changes_is_its_own_image(prices: str, is_mirrored: bool) -> None:
    ways = names(model_of(PRICES.format(prices=prices)))
    assert ("price[i] at price[4 - i], there[i] at there[4 - i]" in ways) is is_mirrored


def test_arrays_with_equal_indices_move_together() -> None:
    text = ROWS.format(asked=" and not full[i, j]", kept="0")
    both = text.replace("    last:", "    full[1..3, 1..3]: bool = false\n    last:")
    found = symmetries(model_of(both.replace("    last = 0", "    full[i, j] = true")))
    assert not isinstance(found, Unknown)
    assert "cell[i, j] at cell[4 - i, j], full[i, j] at full[4 - i, j]" in [x.name for x in found]


@pytest.mark.parametrize(
    "name", ["othello_small", "dots_and_boxes", "six_mens_morris", "checkers", "quixo"]
)
def test_results_in_the_image_of_a_state_are_the_images_of_results(name: str) -> None:
    game, draw = gamedsl.load(name, "python"), Random(1)
    found = symmetries(game.model)
    assert not isinstance(found, Unknown)
    assert found
    domains = [one.domain for one in game.model.variables for _ in range(one.size)]
    for one in found[:3] + found[-2:]:

        def image(state: State, one: Symmetry = one) -> State:
            cells = list(state.cells)
            for number, digit in enumerate(state.cells):
                value = domains[number].values[digit]
                new = one.cells[number]
                cells[new] = domains[new].position(one.renaming.get(value, value))
            turn = game.model.players[state.turn]
            turned = game.model.players.index(one.renaming.get(turn, turn))
            return game.engine.state_of(tuple(cells), turned)

        state = game.initial_state()
        for _ in range(40):
            other = image(state)
            assert game.is_terminal(state) == game.is_terminal(other)
            if game.is_terminal(state):
                paid = game.utilities(state)
                assert sorted(paid) == sorted(game.utilities(other))
                break
            results = [game.result(state, action) for action in game.legal_actions(state)]
            others = {game.result(other, action) for action in game.legal_actions(other)}
            assert {image(after) for after in results} == others
            state = draw.choice(results)


@pytest.mark.parametrize("total", ["sum({each} for s in square)", "max({each_here}, 0)"])
def test_a_sum_of_what_is_none_where_nobody_asks_is_written_out(total: str) -> None:
    each = (
        "(first(n for n in 1..2 where held[{s}] == n) if any(held[{s}] == n for n in 1..2) else 0)"
    )
    asked = total.format(each=each.format(s="s"), each_here=each.format(s="b2"))
    text = (
        'game "Numbers"\nplayers A, B\nboard 3 wide 3 high\n'
        "state:\n    held[square]: empty | 1..2 = empty\n"
        "move put(s in square, n in 1..2):\n    require held[s] == empty\n    held[s] = n\n"
        f"end:\n    if {asked} == 2: turn wins\n    if full(held): draw\n"
    )
    assert MIRROR in names(model_of(text))

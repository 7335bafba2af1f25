"""What is what in a picture: as `show:` says, else by names and shapes; in text and in SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.pictures.looks import letters_of, view_of
from gamedsl.model.nodes.looks import BoardLook
from gamedsl.model.values import Atom
from gamedsl.reports.boards.as_svg import state_svg
from gamedsl.reports.boards.contents import position_of

MEN = """game "Men"
players Red, Blue
type Kind = ram | rat | boat
board 3 wide 2 high
directions N, E, S, W

state:
    man[s in square]: empty | players = Red if row(s) == 1 else Blue
    kind[s in square]: nothing | Kind = ram if column(s) == 1 else (rat if column(s) == 2 else boat)
    quiet: 0..9 = 0

move go(s in square, d in directions):
    require man[s] == turn and man[s + d] == opponent
    man[s + d] = turn
    man[s] = empty
    kind[s] = nothing
    quiet += 1

end:
    if stuck: draw
"""

FACING = """game "Facing"
players South, North

state:
    pit[players, 1..3]: 0..18 = 3
    at[1..3]: 1..3 = 1

move sow(n in 1..3):
    require pit[turn, n] > 0
    pit[turn, n] -= 1
    at[n] = 2

end:
    if stuck: draw
"""


def shown(game: LoadedGame, moves: str = "") -> list[str]:
    state, last = game.initial_state(), None
    for move in moves.split():
        last = (state, game.action_named(state, move))
        state = game.result(*last)
    return game.show(state, last=last).splitlines()


def test_men_of_two_variables_are_one_board_and_large_letters_are_the_first_players() -> None:
    game = gamedsl.load(MEN)
    assert shown(game)[:3] == ["2 r a b", "1 R A B", "  a b c"]
    assert view_of(game.model).board is BoardLook.CHEQUERED


def test_letters_of_men_differ_and_what_has_none_left_keeps_its_name() -> None:
    names = ("king", "knight", "ram", "rat", "ar")
    atoms = tuple(Atom(name, "Kind", n) for n, name in enumerate(names))
    assert list(letters_of(atoms).values()) == ["k", "n", "r", "a", "ar"]


def test_crosses_and_noughts_are_those_in_a_terminal_too() -> None:
    assert shown(gamedsl.load("wild_tic_tac_toe"), "a1,cross b2,nought")[1:3] == [
        "2 .[o].",
        "1 x . .",
    ]


def test_the_last_move_stands_in_brackets_by_its_name_or_by_what_it_changed() -> None:
    assert "3 .[X]." in shown(gamedsl.load("tic_tac_toe"), "b3")
    assert "1 . . .[R]. . ." in shown(gamedsl.load("connect_four"), "4")


def test_a_man_who_goes_in_a_direction_is_marked_where_he_arrives() -> None:
    draughts = shown(gamedsl.load("checkers"), "c3,NE b6,SE d4,NW")
    assert draughts[2:5] == ["6  [B]  W   W   W", "5 .   .   .   .", "4   .  [.]  .   ."]
    assert shown(gamedsl.load("lights_out"), "a1 b1")[2] == "1 x[x]."
    assert shown(gamedsl.load("othello_small"), "b1")[3] == "1 .[B]. ."


def test_what_show_says_goes_before_names_and_shapes_and_changes_no_state() -> None:
    said = 'show:\n    quiet as hidden\n    kind as hidden\n    board as points\n    Blue as "#"\n'
    plain, told = gamedsl.load(MEN), gamedsl.load(MEN + said)
    assert shown(told)[:3] == ["2 # # #", "1 R R R", "  a b c"]
    assert not any("quiet" in line for line in shown(told))
    assert view_of(told.model).board is BoardLook.POINTS
    assert plain.initial_state() == told.initial_state()
    assert plain.model.facts == told.model.facts
    assert "#" in "".join(ElementTree.fromstring(state_svg(told, told.initial_state())).itertext())


def test_pits_face_each_other_and_a_name_can_be_taken_at_its_word_or_not() -> None:
    rows = shown(gamedsl.load(FACING))
    assert [line.split() for line in rows[1:5]] == [
        ["3", "2", "1"], ["3", "3", "3"], ["3", "3", "3"], ["1", "2", "3"],
    ]  # fmt: skip
    told = gamedsl.load(FACING + "show:\n    pit as text\n    at as towers\n")
    assert shown(told)[0] == "at:"
    assert any(line == "pit[South]: 1=3, 2=3, 3=3" for line in shown(told))


HANDS = """game "Hands"
players Ann, Bob
type Card = J | Q
state:
    hand[p in players, Card]: bool = true secret to p
    table: Card | none = none
    die[players]: 0..6 = 0
    heap: 0..9 = 3
    score[players, 1..2]: 0..9 = 0
    seen[Card]: bool = false
move play(c in Card):
    require hand[turn, c]
    hand[turn, c] = false
    table = c
    die[turn] = 5
    score[turn, 2] = 1
    seen[c] = true
end:
    if stuck: draw
show:
    table as cards
"""


def test_cards_dice_and_heaps_lie_on_the_table() -> None:
    game = gamedsl.load(HANDS)
    state = game.position("Q")
    assert game.show(state).splitlines() == [
        "hand:",
        "     ┌───┐",
        "Ann  │ J │",
        "     └───┘",
        "     ┌───┐  ┌───┐",
        "Bob  │ J │  │ Q │",
        "     └───┘  └───┘",
        "table:",
        "┌───┐",
        "│ Q │",
        "└───┘",
        "die:",
        "┌───────┐  ┌───────┐",
        "│ o   o │  │       │",
        "│   o   │  │       │",
        "│ o   o │  │       │",
        "└───────┘  └───────┘",
        "   Ann        Bob",
        "heap: ||| 3",
        "score[Ann]: 1=0, 2=1",
        "score[Bob]: 1=0, 2=0",
        "seen: {Q}",
        "Bob to move",
    ]
    assert "Ann  │ ? │" in game.show(state, 1).splitlines()
    words = "".join(ElementTree.fromstring(state_svg(game, state, 1)).itertext())
    assert words.startswith("Hands: Bob to moveAnn?BobJ")


PLAYING_CARDS = """game "Playing cards"
players Ann, Bob
type Suit = {suits}
type Rank = 10 | Q
type Card = Rank of Suit
state:
    hand[p in players, c in Card]: bool = Suit(c) == {held}
    card: none | Card = Card(10, {shown})
move play(c in Card):
    require hand[turn, c]
    hand[turn, c] = false
end:
    if stuck: draw
"""


@pytest.mark.parametrize(
    ("suits", "faces", "reds"),
    [
        ("clubs diamonds hearts spades", "10♥ Q♥ 10♠", 6),
        ("C D H S", "10♥ Q♥ 10♠", 6),
        ("C H S", "H10 HQ S10", 0),  # not the four suits
        ("swords cups wands", "cups_10 cups_Q wands_10", 0),
    ],
)
def test_cards_of_two_parts_show_rank_and_suit(suits: str, faces: str, reds: int) -> None:
    *_, held, shown = named = suits.split()
    text = PLAYING_CARDS.format(suits=" | ".join(named), held=held, shown=shown)
    game = gamedsl.load(text)
    words = game.show(game.initial_state()).split()
    one, other, table = faces.split()
    assert [words.count(face) for face in (one, other, table)] == [2, 2, 1]
    drawn = state_svg(game, game.initial_state())
    assert drawn.count('fill="#c0392b"') == 2 * reds
    drawn_words = list(ElementTree.fromstring(drawn).itertext())
    assert drawn_words.count("10") == 2 * 3
    assert drawn_words.count("♥" if reds else held) == 4


def test_a_trick_shows_cards_and_unseen_cards_are_one_sign() -> None:
    text = PLAYING_CARDS.format(suits="hearts | spades", held="hearts", shown="spades")
    text = text.replace("    card:", "    away[Card]: bool = false secret\n    trick:")
    game = gamedsl.load(text)
    seen = game.show(game.initial_state(), 0)
    assert "│ 10♠ │" in seen
    assert "away: ?" in seen.splitlines()


@pytest.mark.parametrize(("places", "line"), [(13, "pack:"), (14, "pack: 0..13=hearts_10")])
def test_a_pack_in_a_row_of_places_is_a_line(places: int, line: str) -> None:
    text = PLAYING_CARDS.format(suits="hearts | spades", held="hearts", shown="spades")
    text = text.replace(
        "    card:", f"    pack[0..{places - 1}]: none | Card = hearts_10\n    card:"
    )
    game = gamedsl.load(text)
    assert line in game.show(game.initial_state()).splitlines()


CUP = """game "Cup"
players Ann

state:
    shown[1..6]: 0..5 = 0
    each[1..6]: 0..6 = 0
    left: 0..9 = 3

move lay(n in 1..6):
    require left > 0
    shown[n] += 1
    each[left] = n
    left -= 1

end:
    if left == 0: draw

show:
    shown as faces
    each as dice
"""


def test_hands_may_be_empty_all_at_once() -> None:
    game = gamedsl.load(
        'game "Hands"\nplayers A, B\nstate:\n    hand[p in players, c in 1..3]: bool = false\n'
        "move draw_card(c in 1..3):\n    require not hand[turn, c]\n    hand[turn, c] = true\n"
        "end:\n    if stuck: draw\n"
    )
    assert shown(game)[:3] == ["hand:", "A", "B"]
    assert "3" in "".join(shown(game, "draw_card(3)"))


def test_dice_that_are_counted_by_what_they_show_lie_there_one_by_one() -> None:
    game = gamedsl.load(CUP)
    assert shown(game)[0] == "shown: nothing"
    lines = shown(game, "lay(4) lay(1) lay(4)")
    pips = ["│       │  │ o   o │  │ o   o │", "│   o   │  │       │  │       │"]
    assert lines[2:4] == pips
    state = game.position("lay(4) lay(1) lay(4)")
    drawn = ElementTree.fromstring(state_svg(game, state))
    assert sum(one.tag.endswith("circle") for one in drawn.iter()) == 2 * (4 + 1 + 4) + 9, (
        "nine counters"
    )


BY_NUMBERS = """game "By numbers"
players Red, Blue

state:
    {name}: {domain}

move wait: require true

end:
    if stuck: draw
endless: draw
"""


def by_numbers(name: str, domain: str) -> LoadedGame:
    return gamedsl.load(BY_NUMBERS.format(name=name, domain=domain))


def test_a_line_tells_an_index_from_a_number_and_says_where_a_number_is_0() -> None:
    pawns = by_numbers("pawn[players, 1..2]", "0..6 = 0")
    assert shown(pawns)[:2] == ["pawn[Red]: 1=0, 2=0", "pawn[Blue]: 1=0, 2=0"]
    assert shown(by_numbers("left[1..2]", "0..6 = 3"))[0] == "left: 1=3, 2=3"
    assert shown(by_numbers("stake[players]", "0..6 = 3"))[0] == "stake: Red 3, Blue 3"
    assert shown(by_numbers("at[players, 1..2]", "none | 0..6 = none"))[0] == "at[Red]: nothing"
    assert shown(by_numbers("at[players, 1..2]", "none | 0..6 = 0"))[0] == "at[Red]: 1=0, 2=0"
    words = ElementTree.fromstring(state_svg(pawns, pawns.initial_state())).itertext()
    assert list(words)[1:9] == ["pawn", "Red", "0", "0", "Blue", "0", "1", "0"]


def circles(game: LoadedGame) -> int:
    drawn = ElementTree.fromstring(state_svg(game, game.initial_state()))
    return sum(one.tag.endswith("circle") for one in drawn.iter())


def test_a_cell_of_a_die_is_a_die_whatever_its_range() -> None:
    for domain in ("0..6 = 4", "0..5 = 4", "1..6 = 4", "none | 1..6 = 4"):
        game = by_numbers("die[1..5]", domain)
        assert shown(game)[1].count("┌") == 5
        assert circles(game) == 5 * 4


def test_what_may_be_a_number_of_things_is_written_unless_the_file_says_how_it_looks() -> None:
    for name in ("dice", "cards", "heaps", "pegs"):
        written = by_numbers(f"{name}[1..5]", "0..6 = 4")
        assert shown(written)[0] == f"{name}: 1=4, 2=4, 3=4, 4=4, 5=4"
    said = {look: BY_NUMBERS + f"show:\n    dice as {look}\n" for look in ("dice", "faces")}
    games = {
        look: gamedsl.load(text.format(name="dice[1..5]", domain="0..6 = 4"))
        for look, text in said.items()
    }
    assert circles(games["dice"]) == 5 * 4
    assert circles(games["faces"]) == 4 * (1 + 2 + 3 + 4 + 5)
    assert shown(by_numbers("dice[1..2]", "1..6 = 4"))[0] == "dice:"


def test_0_is_a_card_where_another_value_says_that_there_is_none() -> None:
    assert "│ 0 │" in shown(by_numbers("card[players]", "0..2 | none = 0"))[2]
    assert "│  │  │  │" in shown(by_numbers("card[players]", "0..2 = 0"))[2]


CHESSMEN = """game "Two kings"
players Black, White
type Man = king | rook | other_king
board 2 wide 2 high

state:
    man[square]: empty | Man = diagram
        king other_king
        rook .

move wait: man[a1] = empty

end:
    if stuck: draw

show:
    king as "\u2654"
    rook as "\u2656"
    other_king as "\u265a"
"""


def test_a_figure_of_chess_is_its_letter_in_a_terminal_large_for_white() -> None:
    game = gamedsl.load(CHESSMEN)
    assert [line.split()[1:] for line in shown(game)[:2]] == [["K", "k"], ["R", "."]]
    drawn = state_svg(game, game.initial_state())
    assert (drawn.count('class="man king"'), drawn.count('class="man rook"')) == (2, 1)


def test_a_board_of_dark_squares_alone_lies_on_a_light_one() -> None:
    text = MEN.replace("board 3 wide 2 high", "board 4 wide 4 high")
    dark = text.replace("4 high", "4 high where (column + row) % 2 == 0")
    pictures = [state_svg(game, game.initial_state()) for game in map(gamedsl.load, (text, dark))]
    whole = '<rect x="0" y="0" width="176" height="176" fill="#f1e4cb"'
    assert [whole in picture for picture in pictures] == [False, True]


def test_a_long_variable_goes_on_below_and_loses_nothing() -> None:
    game = gamedsl.load(FACING.replace("at[1..3]: 1..3 = 1", "at[n in 1..40]: 1..3 = n % 2 + 1"))
    state = game.initial_state()
    assert max(map(len, shown(game))) <= 78
    told = [line for line in game.show(state).splitlines() if line.startswith(("at:", "  "))]
    assert ", ".join(f"{n}={n % 2 + 1}" for n in range(1, 41)) in " ".join(map(str.strip, told))


def test_many_equal_cells_are_told_in_runs() -> None:
    game = gamedsl.load(FACING.replace("at[1..3]: 1..3 = 1", "at[n in 1..40]: 1..3 = min(3, n)"))
    assert "at: 1=1, 2=2, 3..40=3" in shown(game)


def test_many_equal_lines_are_told_in_runs_of_numbers_without_gaps() -> None:
    text = """game "Lines"
players A, B
state:
    whole[1..14, 1..2]: 0..2 = 1
    odd[i in {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25}, 1..2]: 0..2 = 0
move go(i in 2..13):
    whole[i, 1] = 2
end:
    if whole[2, 1] == 2: turn loses
"""
    told = shown(gamedsl.load(text), "3")
    assert told[:3] == ["whole[1..2]: 1=1, 2=1", "whole[3]: 1=2, 2=1", "whole[4..14]: 1=1, 2=1"]
    assert "odd[3]: 1=0, 2=0" in told


def test_shipped_shapes_are_found_without_a_section() -> None:
    stores = shown(gamedsl.load("kalah"))
    assert stores[3].split() == ["0", "0"]
    assert shown(gamedsl.load("hanoi"))[1].split() == ["=", "|", "|"]
    game = gamedsl.load("dots_and_boxes")
    assert shown(game, "flat(1,0) tall(0,1)")[2:5] == ["1 .   .   .", "  |", "0 .---.   ."]
    assert len(position_of(game, game.initial_state()).figures) == 1


def test_rows_of_hexagons_lean_and_edges_have_their_owners() -> None:
    game = gamedsl.load("hex")
    assert shown(game)[:3] == ["3 . . .", "2  . . .", "1   . . ."]
    position = position_of(game, game.initial_state())
    assert [player for _, player in position.edges] == [0, 0, 1, 1]


def test_a_graph_is_drawn_by_its_coordinates_with_its_edges() -> None:
    lines = shown(gamedsl.load("nine_mens_morris"))
    assert lines[:3] == [
        "7 .-----------.-----------.",
        "  |           |           |",
        "6 |   .-------.-------.   |",
    ]


def test_boards_behind_the_squares_are_drawn_too() -> None:
    text = FACING.replace("players South, North", "players South, North\nboard 2 wide 1 high")
    game = gamedsl.load(text.replace("at[1..3]: 1..3 = 1", "at[square, 1..3]: 1..3 = 1")
                        .replace("at[n] = 2", "at[a1, n] = 2"))  # fmt: skip
    assert any("at[square, 2]:" in line for line in shown(game))


def test_a_single_number_named_in_the_plural_counts() -> None:
    rules = (
        'game "Shoe"\nplayers A\nstate:\n    {}\nmove go:\n    {} = 2\nend:\n    if stuck: draw\n'
    )
    counted = gamedsl.load(rules.format("cards: 1..3 = 3", "cards"))
    assert counted.show(counted.initial_state()).splitlines()[0] == "cards: 3"
    drawn = gamedsl.load(rules.format("card: 1..3 = 3", "card"))
    assert drawn.show(drawn.initial_state()).splitlines()[2] == "│ 3 │"


HUNT = """game "Hunt"
players Wolf, Sheep
board 3 wide 2 high
state:
    wolf: square = a1
    sheep: square | none = c2
move run(s in square):
    require s not in {wolf, sheep}
    wolf, sheep = sheep if turn == Wolf else s, s
end:
    if wolf == sheep: Wolf wins
"""


def test_squares_that_variables_hold_are_shown_on_a_board_without_men() -> None:
    assert shown(gamedsl.load("grid_world"))[:3] == ["3 . . . .", "2 .   . .", "1 o . . ."]
    assert shown(gamedsl.load(HUNT))[:4] == ["2 . . s", "1 w . .", "  a b c", "wolf: a1"]
    alike = gamedsl.load(HUNT.replace("wolf", "shepherd"))
    assert shown(alike)[:2] == ["2 . . o", "1 o . ."]
    hidden = gamedsl.load(HUNT + "show:\n    wolf as hidden\n    sheep as hidden\n")
    assert shown(hidden) == ["Wolf to move"]
    frozen = shown(gamedsl.load("frozen_lake"))
    assert frozen[0] == "4 i i i i", "where there are men, a line says it"


NOWHERE = """game "Nowhere yet"
players Ann
board 2 wide 1 high

state:
    at: square | none = none

move go(s in square): at = s

end:
    if at == b1: Ann wins

endless: draw
"""


def test_a_board_is_there_before_anybody_stands_on_it() -> None:
    game = gamedsl.load(NOWHERE)
    assert shown(game)[:3] == ["1 . .", "  a b", "at: none"]
    assert position_of(game, game.initial_state()).board is not None


def test_in_words_nothing_is_drawn_but_boards() -> None:
    game = gamedsl.load(HANDS)
    shown = game.show(game.position("Q"), 0, in_words=True)
    assert shown.splitlines()[:5] == [
        "hand[Ann]: {J}", "hand[Bob]: ?", "table: Q", "die: Ann 5, Bob 0", "heap: 3"
    ]  # fmt: skip


MINES = """game "Mines"
players Ann
board 3 wide 1 high
directions E, W

state:
    mine[square]: bool = false secret
    shown[square]: none | 0..2 = none

setup:
    chance s in {a1, c1}
    mine[s] = true

move dig(s in square):
    require shown[s] == none
    reward Ann: -5 if mine[s] else 1
    shown[s] = count(mine[t] for t in neighbours(s))

end:
    if stuck: draw
"""


def test_what_is_seen_of_a_square_is_shown_though_something_there_is_hidden() -> None:
    game = gamedsl.load(MINES)
    state = game.result(game.initial_state(), 0)
    state = game.result(state, game.action_named(state, "dig(b1)"))
    assert game.show(state, 0).splitlines()[0] == "1 ? 1 ?"
    steps = [step.seen for step in gamedsl.solve(game).plan]
    assert len(set(steps)) == len(steps) > 3

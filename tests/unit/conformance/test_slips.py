"""Slips that an author may make, and what `check` remarks on: a table.

Each is a shipped game in which one text is written for another. What is shipped is remarked on in
nothing.
"""

from __future__ import annotations

import pytest

from gamedsl.conformance import explore
from gamedsl.game import load_source
from gamedsl.model import check
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.syntax.parse import parse
from tests.whole_texts import unclaimed_text

MOST = 4_000
"""Positions that are found of each game."""

SLIPS = [
    ("tic_tac_toe", "line(cell, p, 3): p wins", "line(cell, turn, 3): turn wins", "W1003"),
    ("tic_tac_toe", "    require cell[s] == empty\n", "", "E3006"),
    ("tic_tac_toe", "line(cell, p, 3)", "line(cell, p, 4)", "W3102"),
    ("nim", "require n <= left[h]", "require n < left[h]", "W3109"),
    ("breakthrough", "require man[s] == turn and man[to] ==", "require man[to] ==", "W3107"),
    ("breakthrough", "N if p == White else S", "N", "E3003"),
    ("connect_four", "where column(q) == c", "where row(q) == c", "W3106"),
    ("dots_and_boxes", "score[p] - score[other(p)]", "score[p] + score[other(p)]", "W3110"),
    ("fibonacci_nim", "    most = min(n, 2*k)\n", "", "W3108"),
    ("fibonacci_nim", "k <= left and k <= most", "k <= left", "W1002"),
    ("hexapawn", "    if stuck: turn loses\n", "", "E3003"),
    ("kuhn_poker", "stake[opponent] > stake[turn]", "stake[opponent] < stake[turn]", "W3109"),
    ("domineering", "N if turn == Vertical else E", "N if turn == Vertical else N", "W3110"),
    ("pig", "    score[turn] = min(goal,", "    score[A] = min(goal,", "W3108"),
    ("hanoi", "if all(peg[d] == pegs for", "if all(peg[d] == pegs + 1 for", "W3102"),
    ("dobutsu_shogi", "hen if kind[s] == chick and row(to) == far(turn) else kind[s]", "kind[s]",
     "W3109"),
    ("dobutsu_shogi", "endless: draw\n", "", "E3006"),
    ("nine_mens_morris", "endless: draw\n", "", "E3006"),
    ("checkers", "    man[over] = empty\n", "", "E3006"),
    ("teeko", "if has_won(opponent): opponent wins", "if has_won(turn): turn wins", "W3113"),
    ("teeko", "if has_won(opponent): opponent wins", "if has_won(turn): opponent wins", "W3113"),
    ("teeko", "man[s] == turn and man[s + d]", "man[s] == opponent and man[s + d]", "W3107"),
    ("nine_mens_morris", "a4-b4-c4", "a4-b4-c3", "W1120"),
    ("nine_mens_morris", "b6-d6-f6", "b6-d6-f66", "W1120"),
    ("liars_dice", "secret to p", "secret to Ann", "W1004"),
    ("othello_small", "White): Black wins", "White): White wins", "W3110"),
    ("cram", "    cell[s + d] = domino\n", "", "W3104"),
    ("lights_out", "endless: Solver loses\n", "", "E3006"),
    ("chomp", "column(q) >= column(s)", "column(q) > column(s)", "E3006"),
    ("yahtzee_turn", "    throws -= 1\n", "", "E3006"),
    ("shut_the_box", "    shown = 0\n\nend", "\nend", "W3105"),
    ("hex", "height for q", "width + 1 for q", "E3003"),
]  # fmt: skip
"""(game, what stands there, what is written instead, a code that is said)."""


def found_in(text: str) -> list[Diagnostic]:
    """What reading and playing bring up."""
    source = SourceFile("slip.game", text)
    program, wrong = parse(source)
    found = [*wrong, *check(program)[1]]
    if any(one.is_error for one in found):
        return found
    return [*found, *explore(load_source(source, {}), max_positions=MOST).diagnostics]


@pytest.mark.parametrize(("name", "right", "wrong", "code"), SLIPS)
def test_a_slip_is_remarked_on(name: str, right: str, wrong: str, code: str) -> None:
    text = unclaimed_text(name)
    assert right in text
    assert code in {one.code for one in found_in(text.replace(right, wrong, 1))}


@pytest.mark.parametrize("name", sorted({name for name, *_ in SLIPS}))
def test_nothing_is_remarked_on_in_a_shipped_game(name: str) -> None:
    assert [one.message for one in found_in(unclaimed_text(name))] == []


FIELDS = """game "Fields"
players A, B
board 6 wide 1 high

state:
    field[s in square]: empty | players = A if s == b1 else B if s in {d1, e1} else empty
    at[players]: square = a1

move go(s in square):
    require column(s) - column(at[turn]) in 1..2
    at[turn] = s
    if field[s] == opponent: at[opponent] = a1

end:
    for p in players:
        if at[p] == f1: p wins
endless: draw
"""


def test_a_cell_that_is_only_looked_at_is_nobodys_man() -> None:
    assert "W3107" not in {one.code for one in found_in(FIELDS)}


PAID = """game "Paid on the way"
players A, B

state:
    left: 0..5 = 5

move take(n in 1..2):
    require n <= left
    left -= n
    reward {who}

end:
    if left == 0: draw
"""


def test_rewards_are_part_of_what_a_play_ends_with() -> None:
    assert "W3110" not in {one.code for one in found_in(PAID.format(who="turn: n, opponent: -n"))}
    assert "W3110" in {one.code for one in found_in(PAID.format(who="p: n"))}


LED = """game "Leader and follower"
players Leader, Follower

state:
    led: none | 1..2 = none
    followed: none | 1..2 = none

move lead(n in 1..2):
    require led == none
    led = n
move follow(n in 1..2):
    require led != none
    followed = n

end:
    if followed != none: payoff Leader: 4 + led - followed, Follower: {follower}
"""


def test_without_a_sum_to_divide_a_player_need_not_get_more_than_others() -> None:
    assert "W3110" not in {one.code for one in found_in(LED.format(follower="led + followed - 1"))}
    found = [one for one in found_in(LED.format(follower="2")) if one.code == "W3110"]
    assert [one.message.partition(",")[0] for one in found] == [
        "`Follower` was always paid the same"
    ]


ONE_WAY = """game "One way out"
players A, B

state:
    at: 0..3 = 0

move go(n in 0..3):
    require n != at
    at = n

end:
    if at == 3: A wins
endless: {endless}
"""


def test_endless_play_is_one_of_the_ways_to_end() -> None:
    assert "W3110" not in {one.code for one in found_in(ONE_WAY.format(endless="B wins"))}
    assert "W3110" in {one.code for one in found_in(ONE_WAY.format(endless="A wins"))}


ONE_RUNS = """game "One runs"
players Cop, Robber

state:
    visits[players]: 0..2 = 0

{word} act(n in 0..1):
    require {who} == Robber or n == 0
    visits[{who}] += n

end:
    if visits[Robber] == 2: Robber wins
    if visits[Cop] == 2: Cop wins
endless: Cop wins
"""


def test_those_who_choose_at_once_have_a_cell_each_needed_or_not() -> None:
    at_once, in_turn = (
        "\n".join(one.message for one in found_in(ONE_RUNS.format(word=word, who=who)))
        for word, who in (("simultaneous", "me"), ("move", "turn"))
    )
    assert "`visits[Cop]` never changed" in in_turn
    assert "`visits[Cop]` never changed" not in at_once


def test_where_all_was_seen_a_rare_branch_is_looked_for() -> None:
    assert [one.message for one in found_in(unclaimed_text("leduc_poker"))] == []


ROLLS = """game "Rolls"
players A, B
param long = {long}

state:
    at[players]: 0..6 = 0

effect go(n):
    if {asked}:
        at[turn] = 6
    else:
        at[turn] = min(6, at[turn] + n)

move walk:
    go(1)
move run:
    go(3)

end:
    if at[opponent] == 6: opponent wins
"""


@pytest.mark.parametrize(
    ("asked", "is_noted"),
    [
        ("at[turn] + n > 5", False),
        ("n == 3 and at[turn] == 3", False),
        ("at[turn] + n > long", False),
        ("at[turn] == 6", True),
    ],
)
def test_what_an_effect_asks_is_one_condition_wherever_it_is_run(
    asked: str, is_noted: bool
) -> None:
    """`walk` never does what `run` does, by the state or by its number."""
    codes = {one.code for one in found_in(ROLLS.format(asked=asked, long=5))}
    assert ("W3111" in codes) is is_noted


def test_values_that_the_head_of_a_move_leaves_out_are_no_surprise() -> None:
    text = (
        'game "Edges"\nplayers A, B\nboard 3 wide 3 high\nstate:\n'
        "    edge[a in 1..3, b in a+1..3]: empty | players = empty\n"
        "move own(a in 1..3, b in 1..3 where a < b):\n    require edge[a, b] == empty{}\n"
        "    edge[a, b] = turn\nend:\n    if full(edge): turn loses\n    if stuck: draw\n"
    )
    assert "W3106" not in {one.code for one in found_in(text.format(""))}
    assert "W3106" in {one.code for one in found_in(text.format(" and b != 2"))}


SUIT_OF_TWO = """game "One suit"
players Ann, Bob
type Rank = 2..3 | K
type Card = Rank of Suit
type Suit = clubs | hearts

state:
    played: none | Card = none
    laid: 0..3 = 0

move lay(c in Card where {which}):
    require c != played
    played = c
    laid += 1

end:
    if laid == 2 and Rank(played) == K: turn wins
    if laid == 3: draw
"""


@pytest.mark.parametrize(
    ("which", "is_told"),
    [("Suit(c) == clubs", True), ("Rank(c) != 3", True), ("c != hearts_K", False)],
)
def test_a_suit_or_a_rank_that_is_never_held_is_told(which: str, is_told: bool) -> None:
    codes = {one.code for one in found_in(SUIT_OF_TWO.format(which=which))}
    assert ("W3109" in codes) is is_told

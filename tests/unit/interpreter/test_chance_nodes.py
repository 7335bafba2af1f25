"""States inside chance events: what makes two of them equal, and how a body goes on."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gamedsl import CHANCE, GameRuleError, IllegalActionError
from tests.unit.interpreter.playing import cells, endings, legal_names, loaded, play, shipped

TWO_WAYS = """game "Two ways"
players A, B
type Side = heads | tails
state:
    total: 0..99 = 0
    shown: Side | none = none
effect toss(n):
    for i in 1..n:
        chance side in Side
        total += 1 if side == heads else 2
    shown = none
move one:
    let wasted = 5
    toss(1)
move two(k in 1..2):
    toss(k)
move add(k in 1..2):
    total += k
end:
    if total > 1: draw
"""


def test_where_the_body_stands_is_part_of_the_state() -> None:
    game = loaded(TWO_WAYS)
    first = play(game, "two(2)")
    second = play(game, "two(2)", "side=heads")
    assert game.current_player(first) == game.current_player(second) == CHANCE
    assert first != second


def test_locals_are_part_of_the_state() -> None:
    game = loaded(TWO_WAYS)
    assert play(game, "two(1)") != play(game, "two(2)")


def test_the_same_place_reached_twice_is_the_same_state() -> None:
    game = loaded(TWO_WAYS)
    one, other = play(game, "two(2)", "heads"), play(game, "two(2)", "heads")
    assert one == other
    assert hash(one) == hash(other)


def test_what_is_forgotten_after_the_body_does_not_keep_states_apart() -> None:
    game = loaded(TWO_WAYS)
    assert play(game, "one", "heads") == play(game, "two(1)", "heads") == play(game, "add(1)")


def test_a_loop_goes_on_where_it_stood() -> None:
    game = loaded(TWO_WAYS)
    assert cells(game, play(game, "two(2)", "heads", "tails"))["total"] == "3"
    assert game.current_player(play(game, "two(2)", "tails", "tails")) < 0


def test_an_outcome_is_named_and_chosen_by_its_number_among_all_that_can_ever_come_out() -> None:
    game = loaded(TWO_WAYS)
    state = play(game, "one")
    assert [game.action_name(state, o) for o, _ in game.chance_outcomes(state)] == [
        "side=heads",
        "side=tails",
    ]
    assert legal_names(game, state) == []
    with pytest.raises(IllegalActionError):
        game.result(state, 2)
    with pytest.raises(IllegalActionError):
        game.result(state, -1)


def test_weights_are_exact_fractions() -> None:
    game = shipped("tic_tac_toe_random")
    state = play(game, "b2")
    shares = [share for _, share in game.chance_outcomes(state)]
    assert shares == [Fraction(1, 8)] * 8
    assert sum(shares) == 1


def test_two_dice_have_their_binomial_weights() -> None:
    text = """game "Dice"
players A
state:
    total: 0..12 = 0
setup:
    chance one in 1..6
    chance other in 1..6
    total = one + other
move stop: total = 0
end:
    if total == 0: draw
"""
    game = loaded(text)
    found: dict[str, Fraction] = {}
    start = game.initial_state()
    for one, share in game.chance_outcomes(start):
        middle = game.result(start, one)
        for other, rest in game.chance_outcomes(middle):
            total = cells(game, game.result(middle, other))["total"]
            found[total] = found.get(total, Fraction(0)) + share * rest
    assert found == {str(n): Fraction(6 - abs(7 - n), 36) for n in range(2, 13)}


def test_kuhn_poker_has_six_deals_and_thirty_endings() -> None:
    game = shipped("kuhn_poker")
    start = game.initial_state()
    deals = {}
    for first, share in game.chance_outcomes(start):
        middle = game.result(start, first)
        for second, rest in game.chance_outcomes(middle):
            deals[game.result(middle, second)] = share * rest
    assert set(deals.values()) == {Fraction(1, 6)}
    assert len(deals) == 6
    found = endings(game)
    assert len(found) == 30
    assert {abs(game.utility(last, 0)) for _, last in found} == {1, 2}


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ("{1: left/9, 2: 1/9}", "the weights of `chance k` add up to 10/9, not 1"),
        ("{1: left - 10, 2: 2}", "the weight of 1 in `chance k` is -1"),
        ("{i: left/9 for i in 1..2}", "add up to 2, not 1"),
        ("1..8 where k > left", "nothing can come out of `chance k`"),
        ("2..(10 - left)", "nothing can come out of `chance k`"),
    ],
)
def test_a_chance_event_that_cannot_happen_is_an_error_with_state_and_action(
    weights: str, words: str
) -> None:
    text = f"""game "Wrong"
players A
state:
    left: 0..9 = 9
move go:
    chance k in {weights}
    left = 0
end:
    if left == 0: draw
"""
    game = loaded(text)
    state = play(game, "go")
    with pytest.raises(GameRuleError) as caught:
        game.chance_outcomes(state)
    assert words in caught.value.message
    assert caught.value.code == "E3004"
    assert caught.value.state == state
    with pytest.raises(GameRuleError):
        game.result(state, 0)


def test_an_error_after_a_chance_event_names_its_outcome() -> None:
    text = """game "Pot"
players A
state:
    pot: 0..3 = 0
move roll:
    chance die in 1..6
    pot += die
end:
    if pot == 3: draw
"""
    game = loaded(text)
    state = play(game, "roll")
    with pytest.raises(GameRuleError) as caught:
        game.result(state, game.action_named(state, "die=6"))
    assert caught.value.action == "die=6"
    assert caught.value.message == "`pot` can reach 6, its domain is `0..3`"


def test_where_sees_the_value_as_if_it_were_drawn_and_leaves_nothing_behind() -> None:
    text = """game "Deal"
players A, B, C
state:
    card[players]: 0..3 = 0
setup:
    for p in players:
        chance card[p] in 1..3 where all(card[q] != card[p] for q in players where q != p)
move stop:
    card[A] = 0
end:
    if card[A] == 0: payoff p: card[p]
"""
    game = loaded(text)
    found = endings(game)
    assert len(found) == 6
    assert {share for share, _ in found} == {Fraction(1, 6)}
    assert cells(game, game.initial_state())["card[A]"] == "0"

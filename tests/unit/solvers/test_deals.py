"""Other deals of what a player has not seen: they agree with all that the player knows."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

import gamedsl
from gamedsl.solvers.advice.deals import Deals
from gamedsl.solvers.advice.sampled_play import Promise, SampledPlay
from tests.unit.model.reading import spoilt

TRICK = """game "Trick"
players Ann, Bob, Cid
type Suit = C | D
type Rank = 1..8
type Card = Rank of Suit
state:
    hand[p in players, Card]: bool = false secret to p
    trick[players]: none | Card = none
    leader: players = Ann
    won[players]: 0..5 = 0
def pack = {c for c in Card where all(not hand[p, c] for p in players)}
def has(s) = any(hand[turn, c] for c in Card where Suit(c) == s)
def led = Suit(trick[leader])
setup:
    for p in players:
        chance dealt subset of pack where count(dealt) == 5
        for c in dealt: hand[p, c] = true
move play(c in Card where hand[turn, c]):
    require turn == leader or Suit(c) == led or not has(led)
    hand[turn, c] = false
    trick[turn] = c
    if all(trick[p] != none for p in players):
        let best = first(p for p in players where Suit(trick[p]) == led and
            all(Suit(trick[q]) != led or Rank(trick[q]) <= Rank(trick[p]) for q in players))
        won[best] += 1
        leader = best
        turn = best
        again
        for p in players: trick[p] = none
end:
    if won[Ann] + won[Bob] + won[Cid] == 5: payoff p: won[p]
"""


def _play(game, rng, moves):
    """A play at random, so many moves long, with the state after the play."""
    state, history = game.initial_state(), []
    while moves or game.current_player(state) == -1:
        if game.current_player(state) == -1:
            action = rng.choice([outcome for outcome, _ in game.chance_outcomes(state)])
        else:
            action, moves = rng.choice(game.legal_actions(state)), moves - 1
        history.append((state, action))
        state = game.result(state, action)
    return (*history, (state, None))


@pytest.mark.parametrize("moves", [0, 1, 5, 8])
def test_a_deal_agrees_with_what_the_player_sees_and_moves_all_else(moves: int) -> None:
    game, rng = gamedsl.load(TRICK), Random(moves)
    history = _play(game, rng, moves)
    state = history[-1][0]
    player = game.current_player(state)
    deals = Deals(game, history, player)
    positions = [deals.position(rng) for _ in range(60)]
    seen = game.sights().view(state, player)
    assert all(game.sights().view(position, player) == seen for position in positions)
    sizes = [_sizes(game, position) for position in positions]
    assert sizes == [_sizes(game, state)] * len(positions)
    assert len(set(positions)) > 2 ** (3 - moves // 3)


def _sizes(game, state):
    """The number of cards in each hand."""
    return [sum(_hand(game, state, player)) for player in range(3)]


def _hand(game, state, player):
    """For each card, whether the player holds the card."""
    hand = game.model.variables[0]
    return state.cells[hand.offset + 16 * player : hand.offset + 16 * (player + 1)]


def test_a_player_who_has_not_followed_suit_is_seldom_dealt_the_suit() -> None:
    """Of all deals, a twentieth has no card of the suit."""
    game, rng, plays = gamedsl.load(TRICK), Random(2), Random(2)
    held: list[bool] = []
    for _ in range(80):
        history = _play(game, plays, 2)
        led, other = (game.action_name(state, action)[5] for state, action in history[-3:-1])
        suit = slice(0, 8) if led == "C" else slice(8, 16)
        deals = Deals(game, history, 2)
        positions = [deals.position(rng) for _ in range(10 * (led != other))]
        held += [any(_hand(game, position, 1)[suit]) for position in positions]
    assert len(held) > 20
    assert sum(held) < 0.4 * len(held)


def test_the_best_card_is_played_where_no_play_of_the_beginning_agrees() -> None:
    game = gamedsl.load(TRICK)
    sampled = SampledPlay(game, Random(1))
    history = _play(game, Random(4), 2)
    answer = sampled.answer(history, plays=400)
    assert answer.promise is Promise.DEALS
    assert [share for _, share in answer.choices[0].local.choices].count(1) == 1


GIVING = """move give(c in Card where hand[turn, c]) secret:
    require not is_given
    hand[turn, c] = false
    is_given = true
otherwise
move play"""


def test_a_card_that_another_player_has_given_away_unseen_may_lie_anywhere() -> None:
    text = TRICK.replace("move play", GIVING)
    game = gamedsl.load(spoilt(text, "    leader:", "    is_given: bool = false\n    leader:"))
    history = _play(game, Random(5), 1)
    before, now = (_hand(game, history[place][0], 0) for place in (-2, -1))
    (given,) = [card for card in range(16) if before[card] != now[card]]
    deals, rng = Deals(game, history, 1), Random(1)
    held = sum(_hand(game, deals.position(rng), 2)[given] for _ in range(60))
    assert held > 15, "five of eleven cards that Bob has not seen are Cid's"


@pytest.mark.parametrize(
    "more",
    ["    bid: 0..3 = 0 secret\n", "    kept[p in players]: none | Card = none secret to p\n"],
)
def test_what_is_hidden_elsewhere_is_not_dealt(more: str) -> None:
    game = gamedsl.load(spoilt(TRICK, "    trick[players]", f"{more}    trick[players]"))
    assert not Deals(game, _play(game, Random(1), 0), 0)


SHOWING = """move show(c in {d for d in Card where Suit(d) == C} where hand[turn, c]):
    require not is_over
    is_over = true
    again
otherwise
move play"""


def test_a_card_that_a_move_names_among_few_is_told_apart() -> None:
    text = spoilt(TRICK, "    leader:", "    is_over: bool = false\n    leader:")
    game = gamedsl.load(text.replace("move play", SHOWING))
    history = _play(game, Random(3), 1)
    name = game.action_name(*history[-2])
    groups = [[f"show({thing})" for thing in things] for things in Deals(game, history, 1)._alike]
    assert name.startswith("show")
    assert [name] in groups


MEETING = """    chance above in Card
    chance below in Card
    MEET
    again
    if all"""


@pytest.mark.parametrize(
    ("declared", "met"),
    [
        ("met[Card, Card]: bool = false", "met[above, below] = true"),
        ("under[Card]: none | Card = none", "under[above] = below"),
    ],
)
def test_cards_in_one_another_are_told_apart(declared: str, met: str) -> None:
    """Cards drawn at random meet in public; only cards that met the same cards are alike."""
    text = spoilt(TRICK, "    leader:", f"    {declared}\n    leader:")
    game = gamedsl.load(spoilt(text, "    if all", MEETING.replace("MEET", met)))
    for seed in range(2):
        history = _play(game, Random(seed), 5)
        (public,) = (v for v in game.model.variables if v.name in {"met", "under"})
        cells = {state.cells[public.offset :][: public.size] for state, _ in history}
        for things in Deals(game, history, 2)._alike:
            for one, other in combinations(map(public.indices[0].digit.get, things), 2):
                assert all(_swapped(public, row, one, other) == row for row in cells)


def _swapped(public, row, one, other):
    """The cells of a public variable after two cards have changed places."""
    card = {one: other, other: one}
    if len(public.indices) == 2:
        return tuple(
            row[16 * card.get(n, n) + card.get(m, m)] for n in range(16) for m in range(16)
        )
    values = public.domain.values
    moved = [row[card.get(n, n)] for n in range(16)]
    digits = {
        public.indices[0].digit[v]: n for n, v in enumerate(values) if v in public.indices[0].digit
    }
    back = {digits[one]: digits[other], digits[other]: digits[one]}
    return tuple(back.get(digit, digit) for digit in moved)

"""The extensive form: sizes that are known, and players who forget."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.solvers.equilibria.best_response import expected_payoffs
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.graphs.graph import EndlessHistoriesError, OutOfHistoriesError
from gamedsl.solvers.graphs.information import information_sets
from gamedsl.solvers.planner import solve, why_refused

Shipped = Callable[..., LoadedGame]


def tree(*lines: str, players: str = "A, B") -> LoadedGame:
    body = "".join(f"    {line}\n" for line in lines)
    return gamedsl.load(f'game "Tree"\nplayers {players}\ntree:\n{body}')


def test_kuhn_poker_has_the_sizes_of_the_literature(shipped: Shipped) -> None:
    """Kuhn 1950; 13 sequences each (Koller and others count 55 nodes with one event for the deal;
    here two cards are dealt one after the other)."""
    form = extensive_form(shipped("kuhn_poker"))
    assert form.size.information_sets == (6, 6)
    assert form.size.sequences == (13, 13)
    assert (form.size.histories, form.size.terminals, form.size.chance_nodes) == (58, 30, 4)
    jack = form.sets[0][0]
    assert (jack.drawn, jack.seen, jack.actions) == (("card[Ann]=J",), (), ("check", "bet"))
    assert form.sets[0][1].seen == ("check", "bet")
    assert form.sets[0][1].parent == jack.sequences[0]
    assert sum(form.chances.values()) == Fraction(len(form.payoffs), 6)


@pytest.mark.parametrize("name", ["liars_dice", "goofspiel", "myerson_poker", "hidden_coin"])
def test_information_sets_are_those_of_the_histories(shipped: Shipped, name: str) -> None:
    game = shipped(name)
    plain = information_sets(game)
    form = extensive_form(game)
    found = sorted((one.size, one.actions) for sets in form.sets for one in sets)
    assert found == sorted((len(one.members), one.actions) for one in plain)


def test_who_forgets_is_refused_with_both_histories() -> None:
    again = "-> A [again]: l -> 1, r -> 0"
    game = tree("A:", f"    left {again}", f"    right {again}")
    with pytest.raises(UnsupportedGameError, match="forgets what he has done") as refused:
        extensive_form(game)
    assert "after left, and after right," in refused.value.reason


def test_who_cannot_tell_whether_he_has_decided_is_refused() -> None:
    """Piccione and Rubinstein 1997: the absent-minded driver."""
    game = tree("A [road]: exit -> 0, on -> A [road]: exit -> 4, on -> 1", players="A")
    with pytest.raises(UnsupportedGameError, match="the same decision has been made") as refused:
        extensive_form(game)
    assert "after the start, and after on," in refused.value.reason


LEAK = """\
game "Leak"
players A, B
state:
    die: 1..2 = 1 secret
    done: bool = false
setup:
    chance die in 1..2
move call(n in 1..2):
    require n <= die
    done = true
end:
    if done: draw
"""


def test_actions_that_differ_within_an_information_set_are_an_error() -> None:
    with pytest.raises(GameRuleError, match=r"after die=1: call\(1\); after die=2") as error:
        extensive_form(gamedsl.load(LEAK))
    assert error.value.code == "E3010"


def test_more_histories_than_allowed_are_not_looked_at(shipped: Shipped) -> None:
    with pytest.raises(OutOfHistoriesError, match="more than 1,000 histories"):
        extensive_form(shipped("tic_tac_toe"), max_histories=1000)


CIRCLE = """\
game "Circle"
players A, B
state:
    at[players]: 0..{last} = 0
simultaneous go(n in 0..1):
    at[me] = {after}
end:
    if at[A] == at[B] and at[A] == {last}: draw
endless: draw
"""


def test_play_that_returns_has_more_histories_than_any_number() -> None:
    returns = gamedsl.load(CIRCLE.format(last=5, after="(at[me] + n) % 6"))
    with pytest.raises(EndlessHistoriesError) as error:
        extensive_form(returns, max_histories=10_000)
    assert error.value.positions < 100


def test_a_game_with_secrets_in_which_play_returns_is_refused_by_name() -> None:
    game = gamedsl.load(
        'game "Hidden loop"\nplayers A, B\nstate:\n    coin: 1..2 secret\n    at: 0..1 = 0\n'
        "    guess: 0..2 = 0\nsetup:\n    chance coin in 1..2\nmove wait:\n    at = 1 - at\n"
        "move say(g in 1..2):\n    guess = g\nendless: draw\nend:\n"
        "    if guess != 0 and guess == coin: turn loses\n    if guess != 0: turn wins\n"
    )
    with pytest.raises(UnsupportedGameError, match="play can return") as refusal:
        solve(game)
    assert why_refused(game, returns=True, is_small=True) == refusal.value.reason


def test_very_long_histories_count_for_many() -> None:
    """What is known of each is as long as itself."""
    long = gamedsl.load(CIRCLE.format(last=9000, after="min(9000, at[me] + 1 + 0*n)"))
    with pytest.raises(OutOfHistoriesError) as error:
        extensive_form(long, max_histories=1_000, by_kernel=False)
    assert 400 < error.value.positions < 800


COSTS = """\
game "Costs"
players A, B
discount = 1/2
state:
    coin: 0..2 = 0 secret to A
    left: 0..2 = 2
setup:
    chance coin in 1..2
    reward A: 8, B: -8
move pay:
    left -= 1
    chance more in 1..1
    reward A: coin, B: -coin
end:
    if left == 0: A wins 16
"""


def test_rewards_count_where_they_fall_and_less_later() -> None:
    """8 of the deal and 3/2 of the first ply at once, 3/2 of the second for half, 16 for a
    quarter."""
    game = gamedsl.load(COSTS)
    form = extensive_form(game)
    everything = [[(Fraction(1),) for _ in sets] for sets in form.sets]
    value = expected_payoffs(form, tuple(map(tuple, everything)))
    assert value[0] == 8 + Fraction(3, 2) + Fraction(3, 4) + 4

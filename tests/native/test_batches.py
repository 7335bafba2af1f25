"""Plays side by side go as plays one by one."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.bridges.moments import Numbered
from gamedsl.bridges.sittings import PLAY, Sitting

np = pytest.importorskip("numpy")
EARNINGS = """\
game "Earnings"
players Ann, Bob, Cid
discount = 1/2
type Side = heads | tails
state:
    purse[players]: 0..3 = 0
    card: 1..3 secret to Bob
    rounds[players]: 0..3 = 0
setup:
    chance card in {1: 1/2, 2: 1/3, 3: 1/6}
    reward Ann: card / 2
simultaneous bid(k in 1..2):
    require rounds[me] < 2
    purse[me] += 1
    reward me: k / 3
    rounds[me] += 1
move toss:
    require rounds[Ann] == 2
    chance c in {heads: 1/3, tails: 2/3}
    reward Cid: 1/7 if c == heads else 2
    rounds[Ann] = 3
end:
    if rounds[Ann] == 3: payoff p: purse[p] / 2
"""
"""Choices at once, a player to move, a secret, rewards at every place, and a discount."""
LAPS = """\
game "Laps"
players Ann, Bob
state:
    spot: 0..4 = 0
    laps: 0..9 = 0
move go(k in 1..3):
    require k + spot < 9
    chance luck in {0: 1/3, 1: 2/3}
    spot = (spot + k + luck) % 5
    laps += 1
end:
    if laps == 9: payoff p: 1 if p == turn else -1
repeat spot 3 times: turn wins
repeat spot, turn 2 times: draw
endless: draw
"""
"""Two rules of repetition, with chance in between."""
GAMES = {
    "connect_four": {},
    "othello": {},
    "breakthrough": {"width": 6, "height": 6},
    "nim": {},
    "three_player_race": {},
    "pig": {},
    "tic_tac_toe_random": {},
    "hex": {"width": 9, "height": 9},
    "kalah": {"pits": 3, "seeds": 2},
    "kuhn_poker": {},
    "phantom_tic_tac_toe": {},
    "goofspiel": {},
    "goofspiel_by_lot": {},
    "repeated_dilemma": {},
    "grid_world": {},
    "blackjack": {},
    EARNINGS: {},
    "go": {"size": 2},
    "go_repetition_draws": {"size": 2},
    LAPS: {},
}
"""Boards, heaps, several players, chance, passes, secrets, choices at once, rewards, repetitions
that are illegal and that end the play."""


@pytest.mark.parametrize("name", GAMES, ids=[name.partition("\n")[0] for name in GAMES])
def test_plays_go_as_the_plays_of_an_environment_with_the_same_seed(name: str) -> None:
    game = gamedsl.load(name, **GAMES[name])
    longest = 20 if game.facts.repeats else 9
    numbered = Numbered(game, longest=longest)
    plays = gamedsl.batch(game, 5, seed=3, longest=longest)
    tables = [Sitting(numbered, np) for _ in range(plays.count)]
    for number, table in enumerate(tables):
        table.begin(3, None, {PLAY: number})
    rng = Random(5)
    finished = 0
    for _ in range(40):
        chosen = np.zeros(plays.masks.shape[:-1], np.int64)
        for number, table in enumerate(tables):
            moment = table.moment
            assert plays.movers[number] == moment.mover
            viewers = game.players if chosen.ndim == 2 else moment.movers
            masks = plays.masks[number].reshape(len(viewers), -1)
            seen = plays.observations[number].reshape(len(viewers), -1)
            for place, viewer in enumerate(viewers):
                assert (seen[place] == table.vector(viewer)).all()
                assert (masks[place] == table.mask(viewer)).all()
                if viewer in moment.movers:
                    chosen.reshape(plays.count, -1)[number, place] = rng.choice(
                        moment.legal(viewer)
                    )
        plays.step(chosen)
        for number, table in enumerate(tables):
            movers = table.moment.movers
            taken = chosen[number] if chosen.ndim == 1 else chosen[number, [*movers]]
            paid = table.take([*map(int, taken.flat)])
            assert [*plays.rewards[number]] == pytest.approx(paid, rel=1e-12)
            assert plays.cut[number] == table.moment.is_cut
            assert plays.ended[number] == (table.is_over and not table.moment.is_cut)
            if table.is_over:
                finished += 1
                table.begin(None, None, None)
    assert finished


def test_the_parts_of_an_observation_are_views_of_the_same_memory() -> None:
    plays = gamedsl.batch("connect_four", 3)
    assert plays.pieces["cell"].shape == (3, 3, 6, 7)
    plays.step(np.array([0, 3, 6]))
    red = plays.pieces["cell"][:, 1:].sum(axis=1)
    assert [[*map(int, np.argwhere(board)[0])] for board in red] == [[0, 0], [0, 3], [0, 6]]
    assert np.shares_memory(plays.pieces["cell"], plays.observations)


def test_the_same_seed_gives_the_same_plays() -> None:
    def played(seed: int) -> bytes:
        plays = gamedsl.batch("pig", 20, seed=seed)
        for _ in range(10):
            plays.step(np.where(plays.masks[:, 0] == 1, 0, 1))
        return bytes(plays.observations)

    assert played(1) == played(1) != played(2)


def test_an_illegal_action_changes_nothing() -> None:
    plays = gamedsl.batch("tic_tac_toe", 2)
    plays.step(np.array([4, 0]))
    before = bytes(plays.observations)
    with pytest.raises(ValueError, match="action 0 is not legal in play 1"):
        plays.step(np.array([1, 0]))
    with pytest.raises(ValueError, match="action 9 is not legal in play 0"):
        plays.step(np.array([9, 1]))
    with pytest.raises(ValueError, match="2 whole numbers are needed"):
        plays.step(np.array([1]))
    assert bytes(plays.observations) == before
    at_once = gamedsl.batch("rock_paper_scissors", 2)
    with pytest.raises(ValueError, match="action 3 is not legal for B in play 1"):
        at_once.step(np.array([[0, 1], [2, 3]]))
    with pytest.raises(ValueError, match="one action for each player of each play"):
        at_once.step(np.array([0, 1]))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("chess", "a cell has more than 64 values"),
        ("beer_and_quiche", "the rules are interpreted"),
    ],
)
def test_other_games_are_refused_with_a_reason(name: str, reason: str) -> None:
    with pytest.raises(gamedsl.UnsupportedGameError, match=reason):
        gamedsl.batch(name, 2)


@pytest.mark.parametrize("count", [1 << 44, 1 << 70])
def test_plays_that_do_not_fit_in_memory_are_refused(count: int) -> None:
    with pytest.raises(gamedsl.UnsupportedGameError, match="do not fit in memory"):
        gamedsl.batch("go", count, size=2)


def test_random_actions_are_legal_and_equally_frequent() -> None:
    plays = gamedsl.batch("breakthrough", 4000, width=4, height=4)
    actions = plays.random_actions(1)
    assert actions.shape == (4000,)
    assert (plays.masks[np.arange(4000), actions] == 1).all()
    counts = np.bincount(actions, minlength=plays.masks.shape[1])[plays.masks[0] == 1]
    expected = 4000 / len(counts)
    assert (abs(counts - expected) < 5 * expected**0.5).all()
    assert [*plays.random_actions(1)] == [*actions] != [*plays.random_actions(2)]
    both = gamedsl.batch("rock_paper_scissors", 50).random_actions(0)
    assert both.shape == (50, 2)
    assert {*both.flat} == {0, 1, 2}

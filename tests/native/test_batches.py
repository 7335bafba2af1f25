"""Plays side by side go as plays one by one."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.bridges.moments import Moment, Numbered
from gamedsl.model.state import CHANCE, TERMINAL

np = pytest.importorskip("numpy")
GAMES = {
    "connect_four": {},
    "othello": {},
    "breakthrough": {"width": 6, "height": 6},
    "nim": {},
    "three_player_race": {},
    "pig": {},
    "tic_tac_toe_random": {},
    "kalah": {"pits": 3, "seeds": 2},
}
"""Boards, heaps, several players, chance, passes."""


def settled(moment: Moment) -> list[Moment]:
    """All moments that chance may lead to."""
    if moment.mover != CHANCE:
        return [moment]
    return [end for outcome, _ in moment.outcomes() for end in settled(moment.after(outcome))]


def vector(moment: Moment) -> bytes:
    """The observation of the player to move."""
    ones, shares = moment.numbered.planes.observation(moment.state, moment.mover, moment.movers)
    assert not shares
    found = np.zeros(moment.numbered.planes.size, np.int8)
    found[ones] = 1
    return bytes(found)


@pytest.mark.parametrize("name", GAMES)
def test_each_play_goes_as_the_game_says(name: str) -> None:
    game = gamedsl.load(name, **GAMES[name])
    numbered = Numbered(game, longest=25)
    plays = gamedsl.batch(game, 7, seed=3, longest=25)
    rng = Random(5)
    first = {vector(moment): moment for moment in settled(numbered.first)}
    moments = [first[bytes(row)] for row in plays.observations]
    finished = 0
    for _ in range(60):
        chosen = []
        for number, moment in enumerate(moments):
            assert plays.movers[number] == moment.mover
            assert [*np.flatnonzero(plays.masks[number])] == [*moment.legal(moment.mover)]
            chosen.append(rng.choice(moment.legal(moment.mover)))
        plays.step(np.array(chosen))
        for number, moment in enumerate(moments):
            possible = settled(moment.after(chosen[number]))
            ends = [after for after in possible if after.mover == TERMINAL]
            going = {vector(after): after for after in possible if after.mover != TERMINAL}
            if plays.ended[number] or plays.cut[number]:
                finished += 1
                paid = tuple(plays.rewards[number])
                assert paid in {tuple(map(float, after.returns)) for after in ends}
                going = first
            else:
                assert not plays.rewards[number].any()
            moments[number] = going[bytes(plays.observations[number])]
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


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker", "players do not see everything"),
        ("rock_paper_scissors", "players choose at once"),
        ("chess", "a cell has more than 64 values"),
        ("craps_throws", "actions pay at once"),
        ("go", "repetitions count"),
        ("hex", "its states are wider than a word"),
    ],
)
def test_other_games_are_refused_with_a_reason(name: str, reason: str) -> None:
    wide = {"width": 9, "height": 9} if name == "hex" else {}
    with pytest.raises(gamedsl.UnsupportedGameError, match=reason):
        gamedsl.batch(name, 2, **wide)

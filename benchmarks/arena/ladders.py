"""Steps of ladders: a level against the level below, or twice the plays against plays.

In: `hex_7:L3`, level 4 against level 3, or `hex_7:R16`, 32 simulated plays for each legal move
against 16. Out: a function that plays the pair of a number.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import gamedsl
from benchmarks.arena.contests import CONTESTS, LONGEST
from benchmarks.arena.series import Play, result_of
from gamedsl.solvers.advice.adviser import Adviser
from gamedsl.solvers.matches.match import play_pair
from gamedsl.solvers.matches.players import (
    LEVELS,
    AdvisedPlayer,
    PlayerKind,
    PlayerSettings,
)

GAMES = ("connect_four", "breakthrough_6", "othello", "hex_7")
"""The games of a ladder, unless named."""
LEVEL_STEPS = tuple(f"L{level}" for level in range(1, len(LEVELS)))
RATE_STEPS = tuple(f"R{2**power}" for power in range(10))


class RatePlayer(AdvisedPlayer):
    """A search by a number of simulated plays for each legal move."""

    def __init__(self, game: gamedsl.LoadedGame, rng: Random, rate: float) -> None:
        super().__init__(PlayerSettings(PlayerKind.SEARCH), game, rng)
        self._rate = rate

    def plays_for(self, legal: int) -> int | None:
        """The number of plays of a move."""
        return max(1, int(self._rate * legal))


def open_step(name: str, seed: int) -> Play:
    """The pairs of a step."""
    contest, _, step = name.partition(":")
    game, number = _loaded(contest), int(step[1:])
    players = [_player(game, step[0], strength, seed) for strength in _two(step[0], number)]

    def play(pair: int) -> dict[str, Any]:
        return result_of(play_pair(game, players, pair, seed, LONGEST))

    return play


def fitted(contest: str) -> tuple[float, ...]:
    """The plays of a game's levels, fitted where they are not kept."""
    game = _loaded(contest)
    return Adviser(game, Random(1)).level_rates(game.initial_state(), len(LEVELS))


@cache
def _loaded(contest: str) -> gamedsl.LoadedGame:
    row = CONTESTS.get(contest)
    if row is None:
        return gamedsl.load(contest)
    return gamedsl.load(row.path, "auto", **dict(row.parameters))


def _two(kind: str, number: int) -> tuple[int, int]:
    """The stronger and the weaker."""
    return (number + 1, number) if kind == "L" else (2 * number, number)


def _player(game: gamedsl.LoadedGame, kind: str, strength: int, seed: int) -> AdvisedPlayer:
    rng = Random(f"{seed}/{kind}{strength}")
    if kind == "R":
        return RatePlayer(game, rng, strength)
    return AdvisedPlayer(PlayerSettings(PlayerKind.LEVEL, level=strength), game, rng)

"""Random plays, sampled from each subject, in one shape: how long and how won.

All lengths are in plies as the shipped rule files count them. OpenSpiel ends Othello when nobody
can move, our rules after two passes more (unless the board is full); its lengths are converted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks import ours
from benchmarks.contender import need
from benchmarks.opponents import openspiel, python_chess

Outcomes = tuple[int, int, int]
"""Plays won by the first player, drawn, won by the second."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Playouts of one subject. `squares` is the sum of the squared lengths, None if unknown."""

    count: int
    plies: int
    outcomes: Outcomes
    squares: int | None = None

    @property
    def mean(self) -> float:
        """The mean length."""
        return self.plies / self.count

    @property
    def variance(self) -> float | None:
        """Of the lengths."""
        return None if self.squares is None else self.squares / self.count - self.mean**2


Sampler = Callable[[int, int], Sample]
"""From a number of playouts and a seed to a sample."""


def ours_sampler(game: str, engine: str, threads: int = 1) -> Sampler:
    """gamedsl's playouts."""
    own = ours.Ours(game, engine)

    def sample(count: int, seed: int) -> Sample:
        totals = own.playouts(count, seed, threads)
        return Sample(count, totals.plies, totals.outcomes)

    return sample


def handwritten_sampler(game: str) -> Sampler:
    """Those of the hand-written code."""
    need("numba", "numba")
    import numpy as np

    from benchmarks.handwritten import GAMES

    by_hand = GAMES[game]

    def sample(count: int, seed: int) -> Sample:
        lengths, outcomes = np.zeros(count, np.int64), np.zeros(3, np.int64)
        by_hand.playouts(count, seed, lengths, outcomes)
        won, drawn, lost = outcomes.tolist()
        return Sample(count, int(lengths.sum()), (won, drawn, lost), int((lengths**2).sum()))

    return sample


def openspiel_sampler(game: str) -> Sampler:
    """OpenSpiel's states, driven from Python."""
    start = openspiel.start(game)

    def play(random: Random) -> tuple[int, int]:
        plies, last = openspiel.play_out(start, random)
        return plies, 1 - int(last.returns()[0])

    return _counting(play)


def openspiel_sampler_in_our_plies(game: str) -> Sampler:
    """The same, lengths converted; slower, so for comparing and not for timing."""
    start = openspiel.start(game)

    def play(random: Random) -> tuple[int, int]:
        plies, last = openspiel.play_out(start, random)
        if game == "othello" and not _is_full(last):
            plies += 2
        return plies, 1 - int(last.returns()[0])

    return _counting(play)


def python_chess_sampler() -> Sampler:
    """python-chess, by the rules of our chess."""
    python_chess.start()
    return _counting(python_chess.play_out)


def _is_full(state: Any) -> bool:
    board = str(state).partition("\n")[2]
    return "-" not in board


def _counting(play: Callable[[Random], tuple[int, int]]) -> Sampler:
    """A sampler from a function that plays once."""

    def sample(count: int, seed: int) -> Sample:
        random, outcomes, plies, squares = Random(seed), [0, 0, 0], 0, 0
        for _ in range(count):
            length, outcome = play(random)
            plies += length
            squares += length * length
            outcomes[outcome] += 1
        return Sample(count, plies, (outcomes[0], outcomes[1], outcomes[2]), squares)

    return sample

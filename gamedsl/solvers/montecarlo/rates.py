"""How many simulated plays make a player stronger by so much, in one game: by matches with itself.

In: a game for two, its searches, a first position. Out: `search_of_levels`, the stronger search for
the same number of positions; `rates_of`, numbers of plays for each legal move, whose neighbours
differ by the same Elo. Results of matches are kept with the compiled game.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import accumulate
from math import ceil
from random import Random

from gamedsl.game.accelerator import Accelerator
from gamedsl.game.contract import Game
from gamedsl.game.steps import drawn_outcome
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo.contenders import Contender
from gamedsl.source.keeping import keep, kept_json
from gamedsl.source.records import dataclass

STEP = 175.0
"""Elo between neighbouring levels, at most."""
HALVINGS = 3
"""The least share of moves that are searched, with one play for each move, is half of all, so many
times; all other moves are made at random."""
DOUBLINGS = 7
"""The greatest number of plays in a match is twice one play for each move, so many times."""
MOST_DOUBLINGS = 12
"""As `DOUBLINGS`, for the highest level."""
MEASURED = HALVINGS + DOUBLINGS
"""Doublings whose worth matches measure, from the least number of plays on."""
LATER = 0.93
"""Beyond the matches, each doubling is worth this part of the doubling before."""
PAIRINGS = ((0, 1), *((low, low + 2) for low in range(MEASURED - 1)))
"""Matches between numbers of doublings, counted from the least number of plays on."""
GAMES = 120
"""Greatest number of games of a pairing, openings twice with colours swapped."""
MOST_SECONDS = 12.0
"""Processor time for all matches."""
LONGEST = 200
"""Plies after which a game is broken off."""
OPENING = 4
"""Greatest number of random plies of an opening."""
KEPT = "strengths"
"""The name under which rates are kept."""
KEPT_SEARCH = "level_search"
"""The name under which the name of the levels' search is kept."""
COMPARED_AT = 16.0
"""Plays for each legal move in a match between two searches..."""
COMPARED_GAMES = 12
"""...of so many games."""
USUAL, SPREAD, CHANGE = 100.0, 80.0, 50.0
"""Elo of a doubling: the mean and the standard deviation over games, and of the change from one
doubling to the next."""
LEAST = 10.0
"""Least Elo of a doubling above the weakest number of plays."""
ELO = 0.0057565
"""The logarithm of 10, divided by 400."""


@dataclass(frozen=True, slots=True)
class PairingResult:
    """Games between two numbers of doublings, and the points of the greater."""

    low: int
    high: int
    points: float
    games: int


@dataclass(frozen=True, slots=True)
class Limited:
    """A player of a match.

    Attributes:
        search: chooses the moves.
        rate: plays for each legal move; below one play, the share of the moves that are searched.
        steps: steps of the search for each of the plays.
    """

    search: Contender
    rate: float
    steps: float = 1.0


class RateMatches:
    """Matches between searches with limited numbers of plays."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._game, self._rng = game, rng

    def results(self, search: Contender, root: State) -> list[PairingResult]:
        """The results of all pairings, with the same time for each, so that few plays, whose worth
        differs most among games, are compared in many games."""
        points, games = [0.0] * len(PAIRINGS), [0] * len(PAIRINGS)
        spent, waiting = [0.0] * len(PAIRINGS), set(range(len(PAIRINGS)))
        while waiting and sum(spent) < MOST_SECONDS:
            place = min(waiting, key=lambda place: spent[place])
            low, high = (Limited(search, 2.0 ** (number - HALVINGS)) for number in PAIRINGS[place])
            begun = time.thread_time()
            points[place] += self.pair(high, low, root)
            games[place] += 2
            spent[place] += time.thread_time() - begun
            if games[place] >= GAMES:
                waiting.remove(place)
        return [
            PairingResult(low, high, points[place], games[place])
            for place, (low, high) in enumerate(PAIRINGS)
        ]

    def pair(self, one: Limited, other: Limited, root: State) -> float:
        """The points of a player in two games from an opening on, with colours swapped."""
        opening = self._opening(root)
        return self._points((one, other), opening) + 1 - self._points((other, one), opening)

    def length(self, root: State) -> float:
        """The mean number of plies of random plays."""
        plies = 0
        for _ in range(COMPARED_GAMES):
            state, ends = root, plies + LONGEST
            while plies < ends and not self._game.is_terminal(state):
                state, plies = self._next(state, None), plies + 1
        return plies / COMPARED_GAMES

    def _opening(self, root: State) -> State:
        """A position after some random plies, that is not over."""
        game, state = self._game, root
        for _ in range(self._rng.randrange(OPENING + 1)):
            further = self._next(state, None)
            if game.is_terminal(further):
                break
            state = further
        return state

    def _next(self, state: State, players: Sequence[Limited] | None) -> State:
        """The position after a ply: of chance, at random, or by the player to move."""
        game = self._game
        mover = game.current_player(state)
        if mover < 0:
            return game.result(state, drawn_outcome(game, state, self._rng))
        legal = game.legal_actions(state)
        player = None if players is None else players[mover]
        if player is None or len(legal) == 1 or not is_searched(player.rate, self._rng):
            return game.result(state, self._rng.choice(legal))
        player.search.start(state)
        player.search.run(ceil(plays_at(player.rate, len(legal)) * player.steps))
        action = player.search.decision().action
        assert action is not None, "a player is to move"
        return game.result(state, action)

    def _points(self, players: Sequence[Limited], state: State) -> float:
        """The points of the first player in a game; a long game counts as endless play."""
        game = self._game
        payoffs = game.facts.endless or (0, 0)
        for _ in range(LONGEST):
            if game.is_terminal(state):
                payoffs = game.utilities(state)
                break
            state = self._next(state, players)
        first, second = payoffs
        return 0.5 if first == second else float(first > second)


def is_searched(rate: float, rng: Random) -> bool:
    """Whether a move is searched: all are from one play for each move on; below, that share."""
    return rate >= 1 or rng.random() < rate


def plays_at(rate: float, legal: int) -> int:
    """The simulated plays of a searched move with so many legal actions."""
    return int(max(1.0, rate) * legal)


def search_of_levels(
    game: Game, accelerator: Accelerator, searches: Sequence[Contender], root: State
) -> Contender:
    """Of the first search and the last, which is UCT with random plays: the stronger, where the
    first may visit as many positions as random plays have plies. Without a winner the first."""
    first, last = searches[0], searches[-1]
    notes = accelerator.note_file(KEPT_SEARCH)
    kept = {first.name: first, last.name: last}.get(str(kept_json(notes)))
    if kept or first is last:
        return kept or first
    for search in (first, last):
        search.start(root)
        search.run(1)  # compiled now, not in the time of the match
    matches = RateMatches(game, Random(1))
    one, other = Limited(last, COMPARED_AT), Limited(first, COMPARED_AT, matches.length(root))
    begun, points, games = time.thread_time(), 0.0, 0
    while games < COMPARED_GAMES and time.thread_time() - begun < MOST_SECONDS:
        points, games = points + matches.pair(one, other, root), games + 2
    stronger = last if points > games / 2 else first
    keep(notes, json.dumps(stronger.name).encode())
    return stronger


def rates_of(
    game: Game, accelerator: Accelerator, search: Contender, root: State, levels: int
) -> tuple[float, ...]:
    """Plays for each legal move of so many levels; kept with the compiled game."""
    notes = accelerator.note_file(f"{KEPT}_{search.name.replace(' ', '_').replace('`', '')}")
    kept = _kept(kept_json(notes), levels)
    if kept:
        return kept
    results = RateMatches(game, Random(1)).results(search, root)
    rates = rates_by(strengths(results), levels)
    keep(notes, json.dumps(rates).encode())
    return rates


def _kept(rates: object, levels: int) -> tuple[float, ...]:
    """The rates of a note; () of a damaged note, or of none."""
    if not isinstance(rates, list) or len(rates) != levels:
        return ()
    are_numbers = all(isinstance(rate, int | float) and rate > 0 for rate in rates)
    return tuple(rates) if are_numbers else ()


def strengths(results: Sequence[PairingResult]) -> list[float]:
    """The Elo of each doubling: the most likely, where doublings of a game are alike, and of
    neighbours more so. One after another is improved until none changes."""
    gains = [USUAL] * MEASURED
    for _ in range(200):
        for place in range(MEASURED):
            slope = (USUAL - gains[place]) / SPREAD**2
            bend = 1 / SPREAD**2
            for other in (place - 1, place + 1):
                if 0 <= other < MEASURED:
                    slope += (gains[other] - gains[place]) / CHANGE**2
                    bend += 1 / CHANGE**2
            for one in results:
                if one.low <= place < one.high:
                    due = 1 / (1 + 10 ** (-sum(gains[one.low : one.high]) / 400))
                    slope += ELO * (one.points - one.games * due)
                    bend += ELO**2 * one.games * due * (1 - due)
            gains[place] += slope / bend
    return gains


def rates_by(gains: Sequence[float], levels: int) -> tuple[float, ...]:
    """The plays for each move of levels at equal distances in Elo, from the Elo of doublings; the
    first level is the weakest of the least numbers of plays."""
    more = range(HALVINGS + MOST_DOUBLINGS - len(gains))
    all_gains = [*gains, *(gains[-1] * LATER ** (number + 1) for number in more)]
    fallen = list(accumulate(all_gains, initial=0.0))
    weakest = fallen.index(min(fallen[: 2 * HALVINGS]))
    rising = [max(gain, LEAST) for gain in all_gains[weakest:]]
    heights = list(accumulate(rising, initial=0.0))
    step = min(STEP, heights[-1] / (levels - 1))
    rates = []
    for level in range(levels):
        height = level * step
        place = next(n for n, above in enumerate(heights[1:]) if height <= above + 1e-9)
        part = (height - heights[place]) / rising[place]
        rates.append(round(2 ** (weakest + place + part - HALVINGS), 3))
    return tuple(rates)

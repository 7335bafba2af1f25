"""Matches in one call, on one processor or several, and their records."""

from __future__ import annotations

import json
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from gamedsl.bridges.protocols.client import EngineAgent
from gamedsl.game import LoadedGame, state_to_json
from gamedsl.game.contract import Action, History
from gamedsl.game.notebook import StateView
from gamedsl.model import State
from gamedsl.python.coerce import GivenGame, GivenState, game_of, state_of
from gamedsl.reports.counts.matches import match_head, pair_data
from gamedsl.solvers.interruptible import depend_on_the_parent
from gamedsl.solvers.matches.elo import SequentialTest
from gamedsl.solvers.matches.match import LONGEST, Effort, MatchResult, Pair, PlayedGame, play_pair
from gamedsl.solvers.matches.players import (
    PROGRAMS,
    Player,
    PlayerKind,
    PlayerSettings,
    player_of,
    player_settings,
)
from gamedsl.source.keywords import answering
from gamedsl.source.records import dataclass


class BadMatchRecordError(ValueError):
    """A record that is not of this match."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match.

    Attributes:
        longest: plies after which a game is broken off and counts as drawn.
        start: the first state of every game.
    """

    game: LoadedGame
    players: tuple[PlayerSettings, PlayerSettings]
    seed: int
    longest: int
    start: State

    @property
    def names(self) -> tuple[str, str]:
        """The players, in words."""
        return str(self.players[0]), str(self.players[1])

    @property
    def head(self) -> dict[str, object]:
        """The match, JSON-ready: the first line of a record."""
        start = state_to_json(self.game, self.start)
        return {**match_head(self.game, self.names, self.seed), "start": start}

    def made_players(self) -> tuple[Player, Player]:
        """The players."""
        first, second = (
            made_player(settings, self.game, Random(f"{self.seed}/{place}"))
            for place, settings in enumerate(self.players)
        )
        return first, second

    def pair(self, players: tuple[Player, Player], number: int) -> Pair:
        """The pair with a number."""
        return play_pair(self.game, players, number, self.seed, self.longest, self.start)


class ProgramPlayer:
    """Another program, as a player of matches."""

    def __init__(self, settings: PlayerSettings, game: LoadedGame) -> None:
        """Raises EngineError if the program cannot be started."""
        self.unadvised = 0
        self._game = game
        self._agent = EngineAgent(settings.command, settings.seconds, str(settings.kind))

    def prepare(self, history: History) -> None:
        """Nothing: the program is told the position of each move."""

    def choose(self, history: History, player: int) -> Action:
        """The move of the program. Raises EngineError, IllegalActionError."""
        state = history[-1][0]
        name = self._agent(StateView(self._game, state, player))
        action = self._game.action_named(state, name, player)
        assert isinstance(action, int), "a program chooses for a single player"
        return action


def made_player(settings: PlayerSettings, game: LoadedGame, rng: Random) -> Player:
    """The player of settings, other programs included. Raises EngineError if a program cannot be
    started."""
    if settings.kind in PROGRAMS:
        return ProgramPlayer(settings, game)
    if settings.kind is PlayerKind.OPENSPIEL:
        from gamedsl.bridges.spiel_bots import SpielPlayer  # an extra

        assert settings.plays is not None, "OpenSpiel's search is limited by plays"
        return SpielPlayer(game, settings.plays, rng.getrandbits(30))
    return player_of(settings, game, rng)


@answering
def match(
    game: GivenGame,
    first: str,
    second: str,
    state: GivenState = None,
    *,
    pairs: int = 10,
    seed: int = 1,
    jobs: int = 1,
    longest: int = LONGEST,
    record: str | Path | None = None,
    sprt: tuple[float, float] | None = None,
) -> MatchResult:
    """The result of a match between two players, for the first player.

    Args:
        first, second: `random`, `search`, `best`, with options: `search:time=0.5` (wall-clock
            seconds of a move), `search:cpu=0.5` (processor time of all threads),
            `search:plays=1000` (simulated plays of a move); `level:1` to `level:10`;
            `openspiel:plays=1000` (OpenSpiel's tree search); other programs, `uci:stockfish`,
            `json:time=0.5,COMMAND`.
        pairs: number of pairs of games, with seats changed.
        jobs: number of processes.
        longest: plies after which a game is broken off and counts as drawn.
        record: a file to which every pair is added; pairs in the file are not played again.
        sprt: two Elo differences, for a sequential test that ends the match early.

    Raises:
        EngineError: another program does not play.
        ValueError: a text describes no player; the record is of another match.
        UnsupportedGameError: the game has a single player.
    """
    if pairs < 1:
        raise ValueError(f"at least 1 pair has to be played, not {pairs}")
    loaded = game_of(game)
    settings = player_settings(first), player_settings(second)
    asked = Match(loaded, settings, seed, longest, state_of(loaded, state))
    path = None if record is None else Path(record)
    played = recorded_pairs(path, asked)
    played = {number: pair for number, pair in played.items() if number < pairs}
    test = None if sprt is None else SequentialTest(*sprt)
    wanted = [number for number in range(pairs) if number not in played]
    waiting = new_pairs(asked, wanted, jobs)
    while len(played) < pairs and not is_decided(test, played):
        pair = next(waiting)
        played[pair.number] = pair
        add_to_record(path, asked, pair)
    waiting.close()
    return MatchResult(tuple(played[number] for number in sorted(played)))


def is_decided(test: SequentialTest | None, pairs: dict[int, Pair]) -> bool:
    """Whether a sequential test, if any, needs no more pairs."""
    scores = [pairs[number].score for number in sorted(pairs)]
    return test is not None and test.verdict(scores) is not None


def new_pairs(asked: Match, numbers: list[int], jobs: int) -> Generator[Pair]:
    """The pairs with these numbers, in order, by a number of processes."""
    if jobs == 1 or len(numbers) < 2:
        players = asked.made_players()
        for number in numbers:
            yield asked.pair(players, number)
        return
    context = get_context("spawn")  # machine code and threads are not for forked processes
    pool = ProcessPoolExecutor(min(jobs, len(numbers)), context, _begin, (asked,))
    left = len(numbers)
    try:
        for pair in pool.map(_play, numbers):
            left -= 1
            yield pair
    finally:
        pool.shutdown(wait=not left, cancel_futures=True)  # running games are not waited for


_match: list[tuple[Match, tuple[Player, Player]]] = []
"""In a worker process: the match and the players."""


def _begin(asked: Match) -> None:
    """Set up a worker process."""
    depend_on_the_parent()
    _match[:] = [(asked, asked.made_players())]


def _play(number: int) -> Pair:
    asked, players = _match[0]
    return asked.pair(players, number)


def recorded_pairs(path: Path | None, asked: Match) -> dict[int, Pair]:
    """The pairs of a record, by number. A last line that is cut off is removed from the file.

    Raises BadMatchRecordError for a record of another match.
    """
    if path is None or not path.exists():
        return {}
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        path.write_text("", "utf-8")
        return {}
    try:
        head, *lines = map(json.loads, whole.splitlines())
        pairs = {pair.number: pair for pair in map(_pair, lines)}
    except (KeyError, TypeError, ValueError) as error:
        raise BadMatchRecordError(f"{path.name} is not the record of a match") from error
    if head != json.loads(json.dumps(asked.head)):
        raise BadMatchRecordError(
            f"{path.name} is the record of a match with other players, rules or another seed"
        )
    if whole != text:
        path.write_text(whole, "utf-8")
    return pairs


def add_to_record(path: Path | None, asked: Match, pair: Pair) -> None:
    """Add a pair to a record, and the match before the first pair."""
    if path is None:
        return
    is_new = not path.exists() or not path.stat().st_size
    with path.open("a", encoding="utf-8") as file:
        if is_new:
            file.write(json.dumps(asked.head) + "\n")
        file.write(json.dumps(pair_data(pair)) + "\n")


def _pair(data: dict[str, Any]) -> Pair:
    """A pair from its data."""
    games = tuple(
        PlayedGame(
            tuple(played["seats"]),
            tuple(played["moves"]),
            tuple(map(Fraction, played["payoffs"] or [0] * len(played["seats"]))),
        )
        for played in data["games"]
    )
    first, second = (Effort(**effort) for effort in data["efforts"])
    return Pair(int(data["pair"]), games, (first, second))

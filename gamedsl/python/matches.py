"""Matches in one call, on one processor or several, and their records."""

from __future__ import annotations

import json
import signal
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from gamedsl.game.contract import Game
from gamedsl.python.coerce import GivenGame, game_of
from gamedsl.reports.counts.matches import match_head, pair_data
from gamedsl.solvers.matches.match import LONGEST, Effort, MatchResult, Pair, PlayedGame, play_pair
from gamedsl.solvers.matches.players import Player, PlayerSettings, player_of, player_settings
from gamedsl.source.keywords import answering


class BadMatchRecordError(ValueError):
    """A record that is not of this match."""


@answering
def match(
    game: GivenGame,
    first: str,
    second: str,
    *,
    pairs: int = 10,
    seed: int = 1,
    jobs: int = 1,
    longest: int = LONGEST,
    record: str | Path | None = None,
) -> MatchResult:
    """The result of a match between two players, for the first player.

    Args:
        first, second: `random`, `search`, `best`, with options: `search:time=0.5` (seconds of a
            move), `search:plays=1000` (simulated plays of a move).
        pairs: number of pairs of games, with seats changed.
        jobs: number of processes.
        longest: plies after which a game is broken off and counts as drawn.
        record: a file to which every pair is added; pairs in the file are not played again.

    Raises:
        ValueError: a text describes no player; the record is of another match.
        UnsupportedGameError: the game has a single player.
    """
    loaded = game_of(game)
    settings = player_settings(first), player_settings(second)
    path = None if record is None else Path(record)
    played = recorded_pairs(path, loaded, settings, seed)
    wanted = [number for number in range(pairs) if number not in played]
    for pair in new_pairs(loaded, settings, wanted, seed, jobs, longest):
        played[pair.number] = pair
        add_to_record(path, loaded, settings, seed, pair)
    return MatchResult(tuple(played[number] for number in range(pairs)))


def new_pairs(
    game: Game,
    settings: tuple[PlayerSettings, PlayerSettings],
    numbers: list[int],
    seed: int,
    jobs: int,
    longest: int,
) -> Generator[Pair]:
    """The pairs with these numbers, in order."""
    if jobs == 1 or len(numbers) < 2:
        players = _players(game, settings, seed)
        for number in numbers:
            yield play_pair(game, players, number, seed, longest)
        return
    context = get_context("spawn")  # machine code and threads are not for forked processes
    pool = ProcessPoolExecutor(
        min(jobs, len(numbers)), context, _begin, (game, settings, seed, longest)
    )
    try:
        yield from pool.map(_play, numbers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _players(
    game: Game, settings: tuple[PlayerSettings, PlayerSettings], seed: int
) -> tuple[Player, Player]:
    first, second = (
        player_of(player, game, Random(f"{seed}/{place}")) for place, player in enumerate(settings)
    )
    return first, second


_match: list[Any] = []
"""In a worker process: the game, the players, the seed, the limit of plies."""


def _begin(
    game: Game, settings: tuple[PlayerSettings, PlayerSettings], seed: int, longest: int
) -> None:
    """Set up a worker process. Interrupts are left to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _match[:] = [game, _players(game, settings, seed), seed, longest]


def _play(number: int) -> Pair:
    game, players, seed, longest = _match
    return play_pair(game, players, number, seed, longest)


def recorded_pairs(
    path: Path | None, game: Game, settings: tuple[PlayerSettings, PlayerSettings], seed: int
) -> dict[int, Pair]:
    """The pairs of a record, by number. A last line that is cut off is removed from the file.

    Raises BadMatchRecordError for a record of another match.
    """
    if path is None or not path.exists() or not path.stat().st_size:
        return {}
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    pairs: dict[int, Pair] = {}
    try:
        head, *lines = whole.splitlines()
        if json.loads(head) != _head(game, settings, seed):
            raise BadMatchRecordError(
                f"{path.name} is the record of a match with other players, rules or another seed"
            )
        for line in lines:
            pair = _pair(json.loads(line))
            pairs[pair.number] = pair
    except (KeyError, TypeError, IndexError, json.JSONDecodeError) as error:
        raise BadMatchRecordError(f"{path.name} is not the record of a match") from error
    except BadMatchRecordError:
        raise
    except ValueError as error:
        raise BadMatchRecordError(f"{path.name} is not the record of a match") from error
    if whole != text:
        path.write_text(whole, "utf-8")
    return pairs


def _head(
    game: Game, settings: tuple[PlayerSettings, PlayerSettings], seed: int
) -> dict[str, object]:
    return match_head(game, (str(settings[0]), str(settings[1])), seed)


def add_to_record(
    path: Path | None,
    game: Game,
    settings: tuple[PlayerSettings, PlayerSettings],
    seed: int,
    pair: Pair,
) -> None:
    """Add a pair to a record, and the question before the first pair."""
    if path is None:
        return
    is_new = not path.exists() or not path.stat().st_size
    with path.open("a", encoding="utf-8") as file:
        if is_new:
            file.write(json.dumps(_head(game, settings, seed)) + "\n")
        file.write(json.dumps(pair_data(pair)) + "\n")


def _pair(data: dict[str, Any]) -> Pair:
    """A pair from its data."""
    games = tuple(
        PlayedGame(
            tuple(played["seats"]),
            tuple(played["moves"]),
            None if played["payoffs"] is None else tuple(map(Fraction, played["payoffs"])),
        )
        for played in data["games"]
    )
    first, second = (Effort(**effort) for effort in data["efforts"])
    return Pair(int(data["pair"]), games, (first, second))

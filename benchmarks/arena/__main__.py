"""Plays matches: `python -m benchmarks.arena GAME ...`.

    python -m benchmarks.arena connect_four hex_7 --pairs 20        # against OpenSpiel's MCTS
    python -m benchmarks.arena othello --against ../older           # against another checkout
    python -m benchmarks.arena othello --against random
    python -m benchmarks.arena --jobs 15 --until 560 --out results.jsonl    # eleven games
    python -m benchmarks.arena --ladder --jobs 15 --until 100 --out ladder.jsonl
    python -m benchmarks.arena --hidden --jobs 15 --until 100 --seconds 0.1 --out hidden.jsonl
    python -m benchmarks.arena --chess --jobs 2 --until 600 --seconds 0.5 --out chess.jsonl
    python -m benchmarks.arena --summary results.jsonl

Matches are those of `gamedsl match`, with further players. Time is processor time of all threads.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import gamedsl
from benchmarks.arena.contests import CONTESTS, EXPLORATIONS, LONGEST, UNTUNED, row_of
from benchmarks.arena.hidden import HIDDEN, open_hidden
from benchmarks.arena.ladders import GAMES, LEVEL_STEPS, RATE_STEPS, fitted, open_step
from benchmarks.arena.players import AdviserPlayer, SpielPlayer
from benchmarks.arena.series import Play, SeriesPlan, lines_of, play_series, result_of, summary
from gamedsl.reports.counts.matches import match_text
from gamedsl.solvers.matches.elo import elo_interval
from gamedsl.solvers.matches.match import MatchResult, Pair, play_pair
from gamedsl.solvers.matches.players import RandomPlayer
from tests.peers.spiel_lockstep import Row

READY = 3.0
"""Seconds in which a process of a series gets its machine code from the cache."""


def main() -> None:
    """Plays the matches of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description=__doc__)
    parser.add_argument("games", nargs="*", help="contests, files of the table, or untuned")
    parser.add_argument("--against", default="openspiel", help="`openspiel`, `random`, a checkout")
    parser.add_argument("--pairs", type=int, default=10, help="of each contest, at most")
    parser.add_argument("--seconds", type=float, default=0.2, help="for a move")
    parser.add_argument(
        "--uct-c", type=float, nargs="+", default=EXPLORATIONS, help="of OpenSpiel, pairs in turn"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, help="a series: processes")
    parser.add_argument("--until", type=float, default=60.0, help="a series: seconds for all")
    parser.add_argument("--prepare", type=float, help="seconds to fill the cache, before")
    parser.add_argument("--ladder", choices=("levels", "plays"), help="a series of neighbours")
    parser.add_argument("--chess", action="store_true", help="a series of chess")
    parser.add_argument("--hidden", action="store_true", help="a series of games with secrets")
    parser.add_argument("--out", type=Path, default=Path("arena.jsonl"))
    parser.add_argument("--summary", type=Path, nargs="+", help="files of series")
    options = parser.parse_args()
    if options.summary:
        print(summary(lines_of(options.summary)))
    elif options.jobs:
        _series(options)
    else:
        _matches(options)


def _matches(options: argparse.Namespace) -> None:
    scores: list[float] = []
    for name in options.games:
        scores += [pair.score for pair in _match(name, options)]
    if len(options.games) > 1:
        elo = elo_interval(scores)
        print(f"all: {elo.mean:+z.0f} Elo ({elo.low:+z.0f} to {elo.high:+z.0f})")


def _series(options: argparse.Namespace) -> None:
    """A series, after a series that fills the cache with machine code, if asked for."""
    games = options.games or (GAMES if options.ladder else tuple(CONTESTS))
    games = UNTUNED if games == ["untuned"] else games
    if options.prepare:
        filling = partial(_fill, options=options)
        first = options.out.with_suffix(".prepared")
        play_series(SeriesPlan(games, filling, options.jobs, options.prepare * 3, 1, first))
    names, opener = list(games), partial(_open, options=options)
    if options.ladder:
        steps = {"levels": LEVEL_STEPS, "plays": RATE_STEPS}[options.ladder]
        names = [f"{game}:{step}" for game in games for step in steps]
        opener = partial(open_step, seed=options.seed)
    if options.hidden:
        names = options.games or list(HIDDEN)
        opener = partial(open_hidden, seconds=options.seconds, seed=options.seed)
    if options.chess:
        from benchmarks.arena.chess_matches import CHESS, open_chess

        names = options.games or list(CHESS)
        opener = partial(open_chess, seconds=options.seconds, seed=options.seed)
    play_series(SeriesPlan(names, opener, options.jobs, options.until, options.pairs, options.out))
    print(summary(lines_of([options.out])))


def _fill(name: str, options: argparse.Namespace) -> Play:
    """Compiles a contest's machine code in a process that ends, or fits its levels."""
    if options.ladder:
        return lambda _: {"rates": fitted(name)}
    row = row_of(name)
    game = gamedsl.load(row.path, "auto", **dict(row.parameters))

    def fill(_: int) -> dict[str, Any]:
        AdviserPlayer(game, row, 0.2, 1, warming=options.prepare).close()
        return {}

    return fill


def _open(name: str, options: argparse.Namespace) -> Play:
    """The pairs of a contest against OpenSpiel; each line has the efforts of its pair."""
    row = row_of(name)
    game = gamedsl.load(row.path, "auto", **dict(row.parameters))
    ours = AdviserPlayer(game, row, options.seconds, options.seed, warming=READY)
    several = [SpielPlayer(row, options.seconds, options.seed, c) for c in options.uct_c]
    longest = int(min(row.longest, LONGEST))

    def play(number: int) -> dict[str, Any]:
        place = number % len(several)
        players: tuple[AdviserPlayer | SpielPlayer, ...] = (ours, several[place])
        before = [player.effort() for player in players]
        pair = play_pair(game, players, number, options.seed, longest)
        efforts = [
            {key: round(now - old[key], 4) for key, now in player.effort().items()}
            for player, old in zip(players, before, strict=True)
        ]
        told = {"ours": efforts[0], "theirs": efforts[1], "uct_c": options.uct_c[place]}
        return result_of(pair) | told

    return play


def _match(name: str, options: argparse.Namespace) -> tuple[Pair, ...]:
    """The pairs of a match in a game, printed."""
    row = row_of(name)
    game = gamedsl.load(row.path, "auto", **dict(row.parameters))
    ours = AdviserPlayer(game, row, options.seconds, options.seed)
    theirs = _opponent(game, row, options)
    longest = int(min(row.longest, LONGEST))
    pairs = []
    for number in range(options.pairs):
        pairs.append(play_pair(game, (ours, theirs), number, options.seed, longest))
        print(f"  {pairs[-1].score:g}", end="", flush=True)
    result = MatchResult(tuple(pairs))
    names = ours.name, getattr(theirs, "name", "chance")
    print(f"\n{match_text(game, names, result)}")
    for player in (ours, theirs):
        if not isinstance(player, RandomPlayer):
            print(f"  processor {player.used()}", flush=True)
    return result.pairs


def _opponent(
    game: gamedsl.LoadedGame, row: Row, options: argparse.Namespace
) -> AdviserPlayer | SpielPlayer | RandomPlayer:
    if options.against == "openspiel":
        return SpielPlayer(row, options.seconds, options.seed, options.uct_c[-1])
    if options.against == "random":
        return RandomPlayer(game, Random(options.seed))
    folder = Path(options.against).resolve()
    return AdviserPlayer(game, row, options.seconds, options.seed, folder)


if __name__ == "__main__":
    main()

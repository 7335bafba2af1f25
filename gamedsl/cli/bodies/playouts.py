"""`gamedsl playouts`: the results of random plays; `match`, `ladder`, `tournament`: the results of
games between players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import combinations, pairwise
from pathlib import Path
from time import monotonic

import typer

from gamedsl.cli.asked.plays import MatchOptions, PlayoutOptions
from gamedsl.cli.boundary import Interrupted, refusing, wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, opened, start
from gamedsl.cli.opponents import asked_player, telling
from gamedsl.cli.output import write_file
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game.accelerator import PlayoutCounts
from gamedsl.python.matches import (
    BadMatchRecordError,
    Match,
    add_to_record,
    is_decided,
    new_pairs,
    recorded_pairs,
)
from gamedsl.python.records import match_pgn
from gamedsl.reports.counts.matches import (
    Ratings,
    match_data,
    match_text,
    rated,
    rating_text,
    series_data,
    step_text,
)
from gamedsl.reports.counts.playouts import tally_data, tally_text
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.interruptible import BrokenOff
from gamedsl.solvers.matches.elo import SequentialTest, sequential_test
from gamedsl.solvers.matches.match import MatchResult, Pair
from gamedsl.solvers.matches.players import (
    PlayerSettings,
    level,
)
from gamedsl.solvers.memory import usable_processors
from gamedsl.solvers.montecarlo.random_plays import playouts
from gamedsl.source.plurals import count
from gamedsl.source.rewording import reworded


def run(request: Request, options: PlayoutOptions, as_json: bool) -> ExitCode:
    """Play and print."""
    with opened(request) as (game, state):
        console = Console(request.quiet)

        def text(tally: PlayoutCounts) -> str:
            if as_json:
                return json_text(tally_data(game, options.seed, tally))
            return tally_text(game, tally)

        try:
            tally = playouts(
                game,
                state,
                options.count,
                seed=options.seed,
                threads=options.threads or usable_processors(),
                longest=options.longest,
            )
        except BrokenOff as stop:
            known: PlayoutCounts = stop.partial
            if known.playouts:
                console.out(text(known))
            raise Interrupted(f"{known.playouts:,} of {count(options.count, 'play')}") from stop
        console.out(text(tally))
    return ExitCode.DONE


def run_match(request: Request, options: MatchOptions, as_json: bool) -> ExitCode:
    """Play the pairs that are not recorded, and print the result of all pairs."""
    test, game = test_of(options.sprt), load(request)
    settings = (
        asked_player(options.first, "--first"), asked_player(options.against, "--against")
    )  # fmt: skip
    console = Console(request.quiet)
    with explaining(game):
        asked = Match(game, settings, options.seed, options.longest, start(game, request))
        with (
            _using(options.record),
            reworded(wrong_usage, "the record is not text", UnicodeDecodeError),
            reworded(wrong_usage, "{}", BadMatchRecordError),
        ):
            known = recorded_pairs(options.record, asked)
        pairs = {number: pair for number, pair in known.items() if number < options.pairs}

        def text() -> str:
            result = _result(pairs)
            if as_json:
                return json_text(match_data(game, asked.names, options.seed, result))
            return match_text(game, asked.names, result, test)

        try:
            _play_on(asked, options, pairs, console)
        except Interrupted:
            if pairs:
                console.out(text())
            raise
        if options.pgn is not None:
            write_file(options.pgn, match_pgn(asked, _result(pairs)))
        console.out(text())
    return ExitCode.DONE


def run_ladder(
    request: Request, options: MatchOptions, lowest: int, highest: int, as_json: bool
) -> ExitCode:
    """Play each level against the level before, and print the Elo differences."""
    if lowest >= highest:
        raise typer.BadParameter(
            f"the last level is above the first, {lowest}", param_hint="--highest"
        )
    levels = range(lowest, highest + 1)
    steps = [(f"level {low} to {high}", level(str(high)), level(str(low)))
             for low, high in pairwise(levels)]  # fmt: skip
    told = "games won (+), drawn (=) and lost (-) by the higher level"
    _series(request, options, steps, told, as_json=as_json)
    return ExitCode.DONE


def run_tournament(
    request: Request, options: MatchOptions, texts: tuple[str, ...], as_json: bool
) -> ExitCode:
    """Play a match of every two players, and print the Elo differences and the ratings."""
    players = [asked_player(text, "--player") for text in texts]
    if len(set(players)) < max(2, len(players)):
        raise typer.BadParameter(
            f"two players or more are needed, all different, found {', '.join(map(str, players))}",
            param_hint="--player",
        )
    places = list(combinations(range(len(players)), 2))
    steps = [(f"{players[a]} - {players[b]}", players[a], players[b]) for a, b in places]
    told = "games won (+), drawn (=) and lost (-) by the first of two players"

    def ratings(results: Sequence[MatchResult]) -> Ratings:
        scores = []
        for (first, second), result in zip(places, results, strict=True):
            won, drawn, lost = result.tally
            scores.append((first, second, won + drawn / 2, won + drawn + lost))
        return rated([*map(str, players)], scores, has_elo=results[0].elo is not None)

    _series(request, options, steps, told, ratings, as_json=as_json)
    return ExitCode.DONE


def _series(
    request: Request,
    options: MatchOptions,
    steps: list[tuple[str, PlayerSettings, PlayerSettings]],
    told: str,
    ratings: Callable[[Sequence[MatchResult]], Ratings] | None = None,
    *,
    as_json: bool,
) -> None:
    """Play matches, each with a name and two players; print each result when known, below a line
    about the numbers, and the ratings, if any; with `as_json` print all at the end."""
    console = Console(request.quiet)
    with opened(request) as (game, begin):
        results: list[tuple[tuple[str, str], MatchResult]] = []
        width = max(15, *(len(name) for name, _, _ in steps))
        try:
            for name, first, second in steps:
                pairs: dict[int, Pair] = {}
                asked = Match(game, (first, second), options.seed, options.longest, begin)
                try:
                    _play_on(asked, options, pairs, console)
                finally:
                    if pairs and not as_json:
                        heading = "" if results else f"{game.name}: {told}\n"
                        console.out(heading + step_text(f"{name:{width}}", _result(pairs)))
                    if pairs:
                        results.append((asked.names, _result(pairs)))
        except Interrupted:
            if as_json and results:
                console.out(json_text(series_data(game, options.seed, results)))
            raise
        order = None if ratings is None else ratings([result for _, result in results])
        if as_json:
            console.out(json_text(series_data(game, options.seed, results, order)))
        elif order is not None:
            console.out(rating_text(order))


def _play_on(
    asked: Match,
    options: MatchOptions,
    pairs: dict[int, Pair],
    console: Console,
) -> None:
    """Play the missing pairs, add them to `pairs`, and record them."""
    wanted = [number for number in range(options.pairs) if number not in pairs]
    waiting = new_pairs(asked, wanted, options.jobs or usable_processors())
    begun, test = monotonic(), test_of(options.sprt)
    while len(pairs) < options.pairs and not is_decided(test, pairs):
        done = f"{len(pairs):,} of {count(options.pairs, 'pair')}"
        try:
            with (
                _using(options.record),
                telling(),
                ProgressLine(f"playing, {done}", console.quiet, since=begun),
            ):
                pair = next(waiting)
                add_to_record(options.record, asked, pair)
        except KeyboardInterrupt as stop:
            waiting.close()
            raise Interrupted(done) from stop
        pairs[pair.number] = pair
    waiting.close()


def test_of(text: str | None) -> SequentialTest | None:
    """The sequential test of `--sprt`."""
    with refusing("--sprt", ValueError):
        return None if text is None else sequential_test(text)


def _using(record: Path | None) -> AbstractContextManager[None]:
    return reworded(wrong_usage, f"the record {record} cannot be used: {{}}", OSError)


def _result(pairs: dict[int, Pair]) -> MatchResult:
    return MatchResult(tuple(pairs[number] for number in sorted(pairs)))

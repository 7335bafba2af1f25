"""`gamedsl playouts`: the results of random plays."""

from __future__ import annotations

from gamedsl.cli.boundary import Interrupted
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.request import Request
from gamedsl.game.accelerator import PlayoutCounts
from gamedsl.reports.counts.playouts import tally_data, tally_text
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.interruptible import BrokenOff
from gamedsl.solvers.memory import usable_processors
from gamedsl.solvers.montecarlo.random_plays import playouts
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class PlayoutOptions:
    """Number of plays, seed, threads (0: one per processor), and maximal length in plies."""

    count: int
    seed: int
    threads: int
    longest: int


def run(request: Request, options: PlayoutOptions, as_json: bool) -> ExitCode:
    """Play and print."""
    game = load(request)
    with explaining(game):
        state = start(game, request)
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

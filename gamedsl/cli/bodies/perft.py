"""`gamedsl perft`: counts of plays."""

from __future__ import annotations

from time import perf_counter

import typer

from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.reports.counts import perft as report
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.perft import divide, perft


def run(request: Request, depth: int, divides: bool, turns: bool, as_json: bool) -> ExitCode:
    """Count and print."""
    if divides and depth == 0:
        raise typer.BadParameter("--divide needs a depth of at least 1", param_hint="DEPTH")
    game = load(request)
    with explaining(game):
        state = start(game, request)
        begun = perf_counter()
        with ProgressLine("counting", request.quiet) as progress:
            count = _divided if divides else _counted
            text, plays = count(game, state, depth, turns, as_json, progress)
        console = Console(request.quiet)
        console.out(text)
        console.note(report.rate_text(plays, perf_counter() - begun))
    return ExitCode.DONE


def _counted(
    game: LoadedGame, state: State, depth: int, turns: bool, as_json: bool, progress: ProgressLine
) -> tuple[str, int]:
    counts = perft(game, state, depth, turns=turns, progress=progress)
    if as_json:
        return json_text(report.counts_data(game, depth, turns, counts)), counts[-1]
    return report.counts_text(counts), counts[-1]


def _divided(
    game: LoadedGame, state: State, depth: int, turns: bool, as_json: bool, progress: ProgressLine
) -> tuple[str, int]:
    rows = divide(game, state, depth, turns=turns, progress=progress)
    plays = sum(number for _, number in rows)
    if as_json:
        return json_text(report.divide_data(game, depth, turns, rows)), plays
    return report.divide_text(rows), plays

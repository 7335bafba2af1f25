"""`gamedsl perft`: counts of plays."""

from __future__ import annotations

import typer

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import Request, explaining, load, start
from gamedsl.cli.progress import Progress
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.reports import perft as report
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.perft import divide, perft


def run(
    request: Request, depth: int, divides: bool, turns: bool, as_json: bool, quiet: bool
) -> ExitCode:
    """Count and print."""
    if divides and depth == 0:
        raise typer.BadParameter("--divide needs a depth of at least 1", param_hint="DEPTH")
    game = load(request)
    with explaining(game):
        state = start(game, request)
        try:
            with Progress("counting", quiet) as progress:
                count = _divided if divides else _counted
                text = count(game, state, depth, turns, as_json, progress)
            Console(quiet).out(text)
        except UnsupportedGameError as refusal:
            raise CommandError(ExitCode.UNSUPPORTED, f"not supported: {refusal}") from refusal
    return ExitCode.DONE


def _counted(
    game: LoadedGame, state: State, depth: int, turns: bool, as_json: bool, progress: Progress
) -> str:
    counts = perft(game, state, depth, turns=turns, progress=progress)
    if as_json:
        return json_text(report.counts_data(game, depth, turns, counts))
    return report.counts_text(counts)


def _divided(
    game: LoadedGame, state: State, depth: int, turns: bool, as_json: bool, progress: Progress
) -> str:
    rows = divide(game, state, depth, turns=turns, progress=progress)
    if as_json:
        return json_text(report.divide_data(game, depth, turns, rows))
    return report.divide_text(rows)

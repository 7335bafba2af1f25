"""`gamedsl perft`: counts of plays."""

from __future__ import annotations

import typer

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import Request, explaining, load, start
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.reports import perft as report
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.perft import divide, perft


def run(request: Request, depth: int, divides: bool, turns: bool, as_json: bool) -> ExitCode:
    """Count and print."""
    if divides and depth == 0:
        raise typer.BadParameter("--divide needs a depth of at least 1", param_hint="DEPTH")
    game = load(request)
    with explaining(game):
        state = start(game, request)
        try:
            text = _divided if divides else _counted
            Console().out(text(game, state, depth, turns, as_json))
        except UnsupportedGameError as refusal:
            raise CommandError(ExitCode.UNSUPPORTED, f"not supported: {refusal}") from refusal
    return ExitCode.DONE


def _counted(game: LoadedGame, state: State, depth: int, turns: bool, as_json: bool) -> str:
    counts = perft(game, state, depth, turns=turns)
    if as_json:
        return json_text(report.counts_data(game, depth, turns, counts))
    return report.counts_text(counts)


def _divided(game: LoadedGame, state: State, depth: int, turns: bool, as_json: bool) -> str:
    rows = divide(game, state, depth, turns=turns)
    if as_json:
        return json_text(report.divide_data(game, depth, turns, rows))
    return report.divide_text(rows)

"""`gamedsl best`: the best moves of a position."""

from __future__ import annotations

from random import Random

import typer

from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import chance_comes_next, explaining, load, start
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import CHANCE, State
from gamedsl.reports.json_text import json_text
from gamedsl.reports.solutions.best_moves import best_moves_data, best_moves_text
from gamedsl.solvers.best_moves import REQUIRES, BestMoves, best_moves
from gamedsl.solvers.requirements import refuse_unless


def run(request: Request, max_positions: int, budget: int, seed: int, as_json: bool) -> ExitCode:
    """Find and print; UNDECIDED if the answer is an estimate."""
    game = load(request)
    with explaining(game):
        refuse_unless(game, REQUIRES)
        state = start(game, request)
        if game.is_terminal(state):
            raise typer.BadParameter("the game is over there", param_hint="--at")
        if game.current_player(state) == CHANCE:
            raise chance_comes_next(game, state, request)
        found = _found(game, state, max_positions, budget, seed, request.quiet)
        report = best_moves_data if as_json else best_moves_text
        text = report(game, state, found)
        Console(request.quiet).out(json_text(text) if isinstance(text, dict) else text)
    return ExitCode.DONE if found.is_proved else ExitCode.UNDECIDED


def _found(
    game: LoadedGame, state: State, max_positions: int, budget: int, seed: int, quiet: bool
) -> BestMoves:
    with ProgressLine("solving", quiet) as progress:
        return best_moves(
            game, state, max_positions=max_positions, budget=budget, rng=Random(seed),
            progress=progress,
        )  # fmt: skip

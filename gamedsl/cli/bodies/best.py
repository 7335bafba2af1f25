"""`gamedsl best`: the best moves of a position."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import typer

from gamedsl.archive.saved import SavedSolution
from gamedsl.cli.asked.answers import BestOptions
from gamedsl.cli.boundary import undecided
from gamedsl.cli.console import Console, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import beginning, chance_comes_next, explaining, load
from gamedsl.cli.process import seconds_spent
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.cli.saved import opening_for, solution_at
from gamedsl.game import LoadedGame
from gamedsl.game.slices import game_for_search, in_slice, relevant_game
from gamedsl.game.writing import is_told_in_notation
from gamedsl.model import CHANCE, State
from gamedsl.reports.json_text import json_text
from gamedsl.reports.solutions.best_moves import best_moves_data, best_moves_text, in_notation
from gamedsl.solvers.advice.adviser import TooFewPlaysError
from gamedsl.solvers.advice.best_moves import (
    REQUIRES,
    BestMoves,
    asks_for_chances,
    best_moves,
    equilibrium_moves,
    moves_of_equilibrium,
    proved_moves,
)
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.requirements import refuse_unless
from gamedsl.source.rewording import reworded

LEAST = 0.5
"""Least number of seconds for an answer, even if reading the rules took the whole time."""


def run(request: Request, options: BestOptions) -> ExitCode:
    """Find and print the best moves; UNDECIDED for an estimate."""
    game = load(request)
    if options.solution is not None:
        return _looked_up(game, request, options.solution, options.json)
    with explaining(game):
        is_mixed = asks_for_chances(game)
        if not is_mixed:
            refuse_unless(relevant_game(game), REQUIRES)
        history = _history(game, request)
        if game.is_terminal(history[-1][0]):
            raise typer.BadParameter("the game is over there", param_hint="--at")
        if not is_mixed and game_for_search(game) is not game:
            game, state = in_slice(game, history[-1][0])
            history = ((state, None),)
        state = history[-1][0]
        options = replace(options, time=max(LEAST, options.time - seconds_spent()))
        if game.current_player(state) == CHANCE and not relevant_game(game).facts.has_secrets:
            if is_mixed:
                raise chance_comes_next(game, state, request)
            _write_outcomes(game, state, request, options)
            return ExitCode.DONE
        with reworded(undecided, "undecided: {}", TooFewPlaysError):
            best = _best_moves(game, history, options, request.quiet)
        _write(game, state, best, request, options.json)
    return ExitCode.DONE if best.is_proved else ExitCode.UNDECIDED


def _looked_up(game: LoadedGame, request: Request, path: Path, as_json: bool) -> ExitCode:
    with opening_for(path, game) as saved:
        history = _history(saved.game, request)
        state = history[-1][0]
        if saved.game.is_terminal(state):
            raise typer.BadParameter("the game is over there", param_hint="--at")
        solution = solution_at(saved, state)
        if isinstance(saved, SavedSolution):
            best = proved_moves(solution, state)
            _write(saved.solved, solution.state_of(state) or state, best, request, as_json)
            return ExitCode.DONE
        if saved.game.current_player(state) == CHANCE:
            raise chance_comes_next(saved.game, state, request)
        best = moves_of_equilibrium(saved.game, solution, history)
        _write(saved.game, state, best, request, as_json)
    return ExitCode.DONE


def _write(
    game: LoadedGame, state: State, best: BestMoves, request: Request, as_json: bool
) -> None:
    if as_json:
        text = json_text(best_moves_data(game, state, best))
    else:
        if is_told_in_notation(game, beginning(game, request)[1], request.at):
            best = in_notation(game, state, best)
        text = best_moves_text(game, state, best, has_colours=uses_colour(sys.stdout))
    Console(request.quiet).out(text)


def _history(game: LoadedGame, request: Request) -> History:
    """The play that led to the position in question."""
    root, steps = beginning(game, request)
    return (*steps, (game.result(*steps[-1]) if steps else root, None))


def _best_moves(game: LoadedGame, history: History, options: BestOptions, quiet: bool) -> BestMoves:
    with ProgressLine("solving", quiet) as progress:
        settings: dict[str, Any] = {
            "seconds": options.time, "max_positions": options.max_positions,
            "budget": options.budget, "rng": Random(options.seed), "progress": progress,
        }  # fmt: skip
        if asks_for_chances(game):
            return equilibrium_moves(game, history, **settings)
        return best_moves(game, history[-1][0], **settings)


def _write_outcomes(game: LoadedGame, state: State, request: Request, options: BestOptions) -> None:
    """Print the values of all chance outcomes, with the best replies.

    If the values cannot be found in time, the user is asked to name an outcome.
    """
    with ProgressLine("solving", request.quiet) as progress:
        solution = solve(
            game,
            state,
            SolveOptions(
                max_positions=options.max_positions, max_seconds=options.time, progress=progress
            ),
        )
    if not solution.first_outcomes:
        raise chance_comes_next(game, state, request)
    _write(game, state, BestMoves((), solution), request, options.json)

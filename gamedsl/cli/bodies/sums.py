"""`gamedsl solve --goal grundy`: the value of a position in sums of games."""

from __future__ import annotations

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.progress import ProgressLine
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.python.answers import sum_value
from gamedsl.reports.json_text import json_text
from gamedsl.reports.solutions.sums import sum_data, sum_text
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.options import SolveOptions


def solve_sum(
    game: LoadedGame, state: State, options: SolveOptions, quiet: bool, as_json: bool
) -> ExitCode:
    """Computes and prints the value of the position in sums."""
    try:
        with ProgressLine("solving", quiet) as progress:
            value = sum_value(
                game,
                state,
                max_positions=options.max_positions,
                max_seconds=options.max_seconds,
                progress=progress,
            )
    except OutOfBudgetError as limit:
        raise CommandError(ExitCode.UNDECIDED, f"not solved: {limit}") from limit
    Console().report(json_text(sum_data(value)) if as_json else sum_text(value))
    return ExitCode.DONE

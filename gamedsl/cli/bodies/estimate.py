"""`gamedsl estimate`: the cost of solving a game."""

from __future__ import annotations

from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import opened
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.reports.counts.estimate import estimate_data, estimate_text
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.feasibility.estimate import estimate


def run(
    request: Request, seconds: float, max_bytes: int | None, seed: int, as_json: bool
) -> ExitCode:
    """Estimate and print."""
    with opened(request) as (game, state), ProgressLine("looking", request.quiet) as progress:
        costs = estimate(
            game, state, seconds=seconds, seed=seed, max_bytes=max_bytes, progress=progress
        )
    console = Console(request.quiet)
    if as_json:
        console.out(json_text(estimate_data(costs)))
    else:
        console.report(estimate_text(costs, request.file))
    return ExitCode.DONE

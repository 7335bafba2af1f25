"""`gamedsl solve`: the value of a game and how to play it."""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.reports.json_text import json_text
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.reports.solutions.policy import policy_data, policy_text
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution, Status


@dataclass(frozen=True, slots=True)
class SolveLimits:
    """How much work may be spent before the game is left open; no seconds: any time; no positions:
    as many as there is memory for."""

    max_positions: int | None
    max_seconds: float | None


def run(request: Request, limits: SolveLimits, shows_policy: bool, as_json: bool) -> ExitCode:
    """Solve and print; UNDECIDED if the limits were reached first."""
    console = Console(request.quiet)
    game = load(request)
    with explaining(game):
        state = start(game, request)
        solution = _solved(game, state, limits, request.quiet)
        if as_json:
            console.out(json_text(_data(game, solution, shows_policy)))
        else:
            mover = game.current_player(state)
            console.out(solution_text(solution, mover, game.model.board))
            if shows_policy:
                console.out("\n" + policy_text(game, solution))
    return ExitCode.UNDECIDED if solution.status is Status.OPEN else ExitCode.DONE


def _solved(game: LoadedGame, state: State, limits: SolveLimits, quiet: bool) -> Solution:
    with ProgressLine("solving", quiet) as progress:
        return solve(
            game,
            state,
            max_positions=limits.max_positions,
            max_seconds=limits.max_seconds,
            progress=progress,
        )


def _data(game: LoadedGame, solution: Solution, shows_policy: bool) -> dict[str, object]:
    data = solution_data(solution)
    return data | {"policy": policy_data(game, solution)} if shows_policy else data

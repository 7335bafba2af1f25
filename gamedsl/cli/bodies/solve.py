"""`gamedsl solve`: the value of a game and best play."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from shutil import disk_usage
from tempfile import gettempdir
from typing import Protocol

from gamedsl.cli.boundary import undecided, wrong_usage
from gamedsl.cli.console import Console, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import opened
from gamedsl.cli.limits import time_left
from gamedsl.cli.options import GoalChoice, TraceAlgorithm
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import Refusal, machine_code_of
from gamedsl.game.slices import in_slice
from gamedsl.model import State
from gamedsl.reports.json_text import json_text
from gamedsl.reports.paragraphs import fill
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.reports.solutions.lengths import lengths_data, lengths_text
from gamedsl.reports.solutions.move_values import ground_of
from gamedsl.reports.solutions.policy import policy_data, policy_text
from gamedsl.reports.solutions.sentences import progress_words, proved
from gamedsl.solvers.exact.lengths import Lengths
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.methods import LEARNING, NAMED, SolverName, by_slug
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve, solves_slice
from gamedsl.solvers.solution import Goal, Limit, Solution, Status
from gamedsl.solvers.verdicts import Progressed
from gamedsl.source.nearest import nearest
from gamedsl.source.records import dataclass
from gamedsl.source.rewording import reworded


class Work(Protocol):
    """Work whose solution is saved in a file.

    Attributes:
        place: the folder of the file.
    """

    place: Path

    def solved(self, solve: Callable[[SolveOptions], Solution], options: SolveOptions) -> Solution:
        """The solution, by `solve` with checkpoints."""

    def save(self, solution: Solution) -> None:
        """Saves the solution."""

    def abandon(self) -> None:
        """Removes what is kept of the work."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for, how it is printed, and where it is saved.

    Attributes:
        policy: whether the best moves of every position are printed.
        save: the path of the solution; None: the solution is not saved.
        every: seconds between checkpoints; None: the usual time.
        resumes: whether to continue from the last checkpoint.
    """

    goal: GoalChoice
    policy: bool
    as_json: bool
    save: Path | None = None
    every: float | None = None
    resumes: bool = False


class BeyondMemoryError(Exception):
    """The positions do not fit in memory, and can be solved layer by layer on disk."""


OF_LAYERS = frozenset({GoalChoice.PLAY, GoalChoice.ALL})
"""Goals that solving by layers answers."""
SHARE, EACH = 2, 64
"""Divisor of the free disk that work on positions may fill, and bytes a position on the way."""
ABOUT_ONE = frozenset({GoalChoice.VALUE, GoalChoice.GRUNDY})
"""Goals about a single position."""


def run(
    request: Request,
    options: SolveOptions,
    wanted: Wanted,
    begin: Callable[[LoadedGame, State, Console], Work] | None = None,
) -> ExitCode:
    """Solve and print; UNDECIDED if a limit was reached. `begin`: begins work that is saved."""
    console, goal = Console(request.quiet), wanted.goal
    asked = "--save" if begin is not None else "--policy"
    if goal in ABOUT_ONE and (begin is not None or wanted.policy):
        reason = f"{asked} is about every position, and --goal {goal} about one"
        raise wrong_usage(f"{reason}; leave out one of them")
    if begin is None and wanted.resumes:
        raise wrong_usage("--resume goes on with what --save OUT has begun")
    _refuse_idle(options)
    with opened(request) as (game, state):
        if solves_slice(options):
            game, state = in_slice(game, state)
        if goal is GoalChoice.GRUNDY:
            return _solve_sum(game, state, options, request.quiet, wanted.as_json)
        options = replace(options, goal=Goal.ALL if goal is GoalChoice.HARDEST else Goal(goal))
        work = None if begin is None else begin(game, state, console)
        is_plain = options.solver is None and options.max_seconds is None and not wanted.policy
        if goal in OF_LAYERS and is_plain and not wanted.resumes:
            place = Path(gettempdir()) if work is None else work.place
            options = replace(options, beyond=lru_cache(partial(suits_disk, game, state, place)))
        solve_with = partial(solve_in_time, game, state, quiet=request.quiet)
        solution = solve_with(options) if work is None else work.solved(solve_with, options)
        is_short = solution.status is Status.OPEN and solution.limit is Limit.MEMORY
        goes_on = options.beyond if is_short else None
        if goes_on is not None and goes_on(solution.positions):
            if work is not None:
                work.abandon()
            if (facts := proved(solution)) is not None:
                console.note(f"note: proved so far: {facts}")
            raise BeyondMemoryError
        wants_lengths = goal is GoalChoice.HARDEST and solution.status is not Status.OPEN
        lengths = solution.lengths() if wants_lengths else None
        show_solution(
            game, state, solution, wanted.as_json, shows_policy=wanted.policy, lengths=lengths
        )
        if work is not None:
            work.save(solution)
    return ExitCode.UNDECIDED if solution.status is Status.OPEN else ExitCode.DONE


def suits_disk(game: LoadedGame, state: State, place: Path, least: int = 0) -> bool:
    """Whether the positions after a position, of which there are at least so many, can be solved in
    files in a folder: in layers, or in tiers in which play may return."""
    accelerator = machine_code_of(game)
    if isinstance(accelerator, Refusal) or least > most_on_disk(place):
        return False
    batches = accelerator.batches(state)
    if isinstance(batches, Refusal):
        return False
    return batches.low > 0 or max(game.facts.sides) == 0 or game.facts.is_opposed


def most_on_disk(place: Path) -> int:
    """The number of positions for which half of the free disk of a folder has room."""
    return disk_usage(place).free // SHARE // EACH


def _solve_sum(
    game: LoadedGame, state: State, options: SolveOptions, quiet: bool, as_json: bool
) -> ExitCode:
    """Computes and prints the value of the position in sums."""
    from gamedsl.python.answers import sum_value
    from gamedsl.reports.solutions.sums import sum_data, sum_text

    stopped = reworded(undecided, "not solved: {}", OutOfBudgetError)
    with stopped, ProgressLine("solving", quiet) as progress:
        value = sum_value(
            game,
            state,
            max_positions=options.max_positions,
            max_seconds=options.max_seconds,
            progress=progress,
        )
    Console().report(json_text(sum_data(value)) if as_json else sum_text(value))
    return ExitCode.DONE


def _refuse_idle(options: SolveOptions) -> None:
    """Reject options that the solver does not use, and too many rounds."""
    solver = options.solver
    learns = solver in (SolverName.REGRETS, SolverName.MERGED, SolverName.VIEWS, *LEARNING)
    if options.rounds is not None and not learns:
        raise wrong_usage("--rounds is of regret minimisation; name one: --solver cfr+")
    if options.seed is not None and solver is not SolverName.EXTERNAL_SAMPLING:
        advice = f"--solver {SolverName.EXTERNAL_SAMPLING.slug} does"
        raise wrong_usage(f"nothing is sampled that --seed is of; {advice}")
    if options.rationality is not None and solver is not SolverName.QUANTAL_RESPONSE:
        advice = f"name it: --solver {SolverName.QUANTAL_RESPONSE.slug}"
        raise wrong_usage(f"--rationality is of quantal responses; {advice}")
    if solver is not None and options.rounds is not None:
        from gamedsl.solvers.running.forms import most_rounds

        most = most_rounds(solver)
        if options.rounds > most:
            many = f"{options.rounds:,} rounds are too many"
            raise wrong_usage(f"{many}: {solver} counts at most {most:,}")


def solver_named(slug: str | None, *, quiet: bool) -> SolverName | None:
    """The algorithm named on the command line, with a note about a former name.

    Raises CommandError for an unknown name.
    """
    if slug is None:
        return None
    solver = by_slug(slug)
    if solver is None:
        slugs = [name.slug for name in NAMED]
        near = nearest(slug, slugs)
        advice = f"did you mean {near}? There are" if near else "there are"
        help_text = f"{advice} {', '.join(slugs)}"
        if slug.lower() in {*TraceAlgorithm} - {TraceAlgorithm.AUTO}:
            help_text = (
                f"`gamedsl trace -a {slug.lower()}` writes this search down, `gamedsl tree -a "
                f"{slug.lower()}` draws it; `gamedsl solve` chooses a solver without --solver"
            )
        help_text = fill(help_text, "  help: ", 8 * " ")
        raise wrong_usage(f"there is no solver {slug!r}\n{help_text}")
    if slug.lower() != solver.slug:
        Console(quiet).note(f"note: --solver {slug} is named --solver {solver.slug} now")
    return solver


def show_solution(
    game: LoadedGame,
    state: State,
    solution: Solution,
    as_json: bool,
    *,
    shows_policy: bool = False,
    lengths: Lengths | None = None,
) -> None:
    """Print the results for a position, the lengths of play from all positions, and the policy."""
    console = Console()
    if as_json:
        data = solution_data(solution)
        data |= {} if lengths is None else {"lengths": lengths_data(game, lengths)}
        data |= {"policy": policy_data(game, solution)} if shows_policy else {}
        console.out(json_text(data))
        return
    mover = game.current_player(state)
    text = solution_text(
        solution, mover, ground_of(game, state), has_colours=uses_colour(sys.stdout)
    )
    console.report(text)
    if lengths is not None:
        console.out("\n" + lengths_text(game, lengths))
    if shows_policy:
        console.out("\n" + policy_text(game, solution))


def solve_in_time(
    game: LoadedGame, state: State, options: SolveOptions, *, quiet: bool
) -> Solution:
    """Solves with a line of progress, in the time left of the command."""
    seconds = None if options.max_seconds is None else time_left(options.max_seconds)
    with ProgressLine("solving", quiet) as progress:

        def tell(proved: Progressed) -> None:
            progress.prove(progress_words(game.facts, proved) or "")

        options = replace(options, max_seconds=seconds, progress=progress, tell=tell)
        return solve(game, state, options)

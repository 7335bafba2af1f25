"""`gamedsl solve`: the value of a game and best play."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

from rich.filesize import decimal

from gamedsl.archive.checkpoints import EVERY, CheckpointFile
from gamedsl.archive.format import refuse_place
from gamedsl.archive.saved import save_solution
from gamedsl.archive.verification import AS_MANY_AS, verify_table
from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.limits import time_left
from gamedsl.cli.options import GoalChoice
from gamedsl.cli.output import writing
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.game.native import ForeignWorkError
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import State
from gamedsl.python.answers import sum_value
from gamedsl.reports.json_text import json_text
from gamedsl.reports.paragraphs import fill
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.reports.solutions.lengths import lengths_data, lengths_text
from gamedsl.reports.solutions.move_values import ground_of
from gamedsl.reports.solutions.policy import policy_data, policy_text
from gamedsl.reports.solutions.sums import sum_data, sum_text
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.exact.lengths import Lengths
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.running.forms import most_rounds
from gamedsl.solvers.solution import Goal, Solution, Status
from gamedsl.solvers.solved_table import SolvedTable
from gamedsl.solvers.solver_names import LEARNING, NAMED, SolverName, by_slug
from gamedsl.source.nearest import nearest
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class SolveLimits:
    """Limits and options of the solver.

    Attributes:
        max_positions: None: as many as fit into memory.
        max_seconds: None: no limit.
        max_bytes: None: half of the free memory.
        solver: None: the most suitable solver.
        goal: the least result to find.
        uses_symmetry: whether symmetric positions count as one position.
        rounds, seed: for regret minimisation, if requested.
        rationality: for quantal responses.
        threads: threads of native code; 0: one per processor.
    """

    max_positions: int | None
    max_seconds: float | None
    max_bytes: int | None
    solver: str | None
    goal: GoalChoice = GoalChoice.PLAY
    uses_symmetry: bool = True
    rounds: int | None = None
    seed: int | None = None
    rationality: Fraction | None = None
    threads: int = 0


@dataclass(frozen=True, slots=True)
class Keeping:
    """Options for saving the solution.

    Attributes:
        save: path of the solution; None: no file.
        every: seconds between checkpoints.
        resumes: whether to continue from the last checkpoint.
    """

    save: Path | None = None
    every: float = EVERY
    resumes: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """Additional output: the policy, and the lengths of play from all positions."""

    policy: bool = False
    lengths: Lengths | None = None


NOTHING_ELSE = Shown()
ABOUT_ONE = frozenset({GoalChoice.VALUE, GoalChoice.GRUNDY})
"""Goals about a single position."""


def run(
    request: Request,
    limits: SolveLimits,
    shows_policy: bool,
    keeping: Keeping,
    as_json: bool,
) -> ExitCode:
    """Solve, print, and save the solution if requested; UNDECIDED if a limit was reached."""
    save, console = keeping.save, Console(request.quiet)
    asked = "--save" if save is not None else "--policy"
    if limits.goal in ABOUT_ONE and (save is not None or shows_policy):
        message = f"error: {asked} is about every position, and --goal {limits.goal} about one"
        raise CommandError(ExitCode.USAGE, f"{message}; leave out one of them")
    if save is not None:
        with writing(save):
            refuse_place(save)
    elif keeping.resumes:
        raise CommandError(ExitCode.USAGE, "error: --resume goes on with what --save OUT has begun")
    _refuse_idle(limits)
    game = load(request)
    with explaining(game):
        state = start(game, request)
        if limits.goal is GoalChoice.GRUNDY:
            return _solve_sum(game, state, limits, request.quiet, as_json)
        checkpoints = _checkpoints(game, state, keeping, console)
        with going_on_later(checkpoints, console):
            solution = _solved(game, state, limits, request.quiet, checkpoints)
            if checkpoints is not None and checkpoints.found is not None:
                _refuse_wrong(game, solution, checkpoints.solution, console)
        wants_lengths = limits.goal is GoalChoice.HARDEST and solution.status is not Status.OPEN
        lengths = solution.lengths() if wants_lengths else None
        shown = Shown(shows_policy, lengths)
        show_solution(game, state, solution, shown, as_json=as_json)
        is_kept = solution.status is not Status.OPEN or isinstance(solution.informed, FormPlay)
        if save is not None and not is_kept:
            console.note(f"note: nothing is saved in {save}: the game is not solved")
            _say_kept(checkpoints, console)
        elif save is not None:
            _save(game, solution, save, console)
        if checkpoints is not None and solution.status is not Status.OPEN:
            checkpoints.remove()
    return ExitCode.UNDECIDED if solution.status is Status.OPEN else ExitCode.DONE


def _refuse_idle(limits: SolveLimits) -> None:
    """Reject options that the solver does not use, and too many rounds."""
    solver = _solver(limits)
    learns = solver is SolverName.REGRETS or solver in LEARNING
    if limits.rounds is not None and not learns:
        advice = "name one: --solver cfr+"
        raise CommandError(ExitCode.USAGE, f"error: --rounds is of regret minimisation; {advice}")
    if limits.seed is not None and solver is not SolverName.EXTERNAL_SAMPLING:
        advice = f"--solver {SolverName.EXTERNAL_SAMPLING.slug} does"
        raise CommandError(ExitCode.USAGE, f"error: nothing is sampled that --seed is of; {advice}")
    if limits.rationality is not None and solver is not SolverName.QUANTAL_RESPONSE:
        advice = f"name it: --solver {SolverName.QUANTAL_RESPONSE.slug}"
        message = "error: --rationality is of quantal responses"
        raise CommandError(ExitCode.USAGE, f"{message}; {advice}")
    if solver is not None and limits.rounds is not None and limits.rounds > most_rounds(solver):
        message = f"error: {limits.rounds:,} rounds are too many: {solver} counts at most"
        raise CommandError(ExitCode.USAGE, f"{message} {most_rounds(solver):,}")


def _solver(limits: SolveLimits) -> SolverName | None:
    if limits.solver is None:
        return None
    solver = by_slug(limits.solver)
    if solver is None:
        slugs = [name.slug for name in NAMED]
        near = nearest(limits.solver, slugs)
        advice = f"did you mean {near}? There are" if near else "there are"
        message = f"error: there is no solver {limits.solver!r}\n"
        message += fill(f"{advice} {', '.join(slugs)}", "  help: ", 8 * " ")
        raise CommandError(ExitCode.USAGE, message)
    return solver


def _solve_sum(
    game: LoadedGame, state: State, limits: SolveLimits, quiet: bool, as_json: bool
) -> ExitCode:
    try:
        with ProgressLine("solving", quiet) as progress:
            value = sum_value(
                game,
                state,
                max_positions=limits.max_positions,
                max_seconds=limits.max_seconds,
                progress=progress,
            )
    except OutOfBudgetError as limit:
        raise CommandError(ExitCode.UNDECIDED, f"not solved: {limit}") from limit
    Console().report(json_text(sum_data(value)) if as_json else sum_text(value))
    return ExitCode.DONE


def show_solution(
    game: LoadedGame,
    state: State,
    solution: Solution,
    shown: Shown = NOTHING_ELSE,
    *,
    as_json: bool = False,
) -> None:
    """Print the results for a position."""
    console = Console()
    if as_json:
        console.out(json_text(_data(game, solution, shown)))
        return
    mover = game.current_player(state)
    text = solution_text(
        solution, mover, ground_of(game, state), has_colours=uses_colour(sys.stdout)
    )
    console.report(text)
    if shown.lengths is not None:
        console.out("\n" + lengths_text(game, shown.lengths))
    if shown.policy:
        console.out("\n" + policy_text(game, solution))


def _checkpoints(
    game: LoadedGame, state: State, keeping: Keeping, console: Console
) -> CheckpointFile | None:
    """The checkpoints on the way to a solution, if the solution is saved."""
    if keeping.save is None:
        return None
    checkpoints = CheckpointFile(
        keeping.save, game, state, every=keeping.every,
        tell=lambda message: console.note(f"note: {message}"),
    )  # fmt: skip
    if not keeping.resumes and checkpoints.path.exists():
        message = f"error: {checkpoints.path} is there, kept by work that was cut off"
        advice = "--resume goes on with it; remove it to begin anew"
        raise CommandError(ExitCode.USAGE, f"{message}\n  help: {advice}")
    try:
        if keeping.resumes and checkpoints.found is None:
            console.note(f"note: there is no {checkpoints.path}, so this begins anew")
    except (OSError, SolutionFileError) as error:
        raise CommandError(ExitCode.NO, _unusable(checkpoints, error)) from error
    return checkpoints


def _unusable(checkpoints: CheckpointFile, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else error
    advice = "remove it, and solve without --resume"
    return f"error: {checkpoints.path} cannot be used: {reason}\n  help: {advice}"


@contextmanager
def going_on_later(checkpoints: CheckpointFile | None, console: Console) -> Iterator[None]:
    """In the context, unfinished work ends with a message about how to resume."""
    try:
        yield
    except (SolutionFileError, ForeignWorkError) as error:
        if checkpoints is None:
            raise
        raise CommandError(ExitCode.NO, _unusable(checkpoints, error)) from error
    except KeyboardInterrupt:
        _say_kept(checkpoints, console)
        raise


def _refuse_wrong(game: LoadedGame, solution: Solution, path: Path, console: Console) -> None:
    """Verify a solution resumed from a checkpoint against the rules, as `verify` does.

    Raises SolutionFileError if the solution is wrong.
    """
    table = solution.solved
    if not isinstance(table, SolvedTable):
        return
    with ProgressLine("verifying", console.quiet) as progress:
        verification = verify_table(game, table, most=AS_MANY_AS, progress=progress)
    if verification.fault is not None:
        raise SolutionFileError(f"what comes of it is wrong: {verification.fault}")
    if not verification.is_whole:
        many = f"{verification.looked_at:,} of {verification.of:,} positions"
        rest = f"picked at random; `gamedsl verify {path} --positions all` looks at all"
        console.note(f"note: nothing is wrong in {many}, {rest}")


def _say_kept(checkpoints: CheckpointFile | None, console: Console) -> None:
    if checkpoints is not None and checkpoints.path.exists():
        console.note(f"note: the work is kept in {checkpoints.path}; --resume goes on with it")


def _save(game: LoadedGame, solution: Solution, path: Path, console: Console) -> None:
    with writing(path):
        save_solution(game, solution, path)
    size = decimal(path.stat().st_size)
    console.note(f"saved: {path}, {size}; ask it with `gamedsl probe {path}`")


def _solved(
    game: LoadedGame,
    state: State,
    limits: SolveLimits,
    quiet: bool,
    checkpoints: CheckpointFile | None,
) -> Solution:
    seconds = None if limits.max_seconds is None else time_left(limits.max_seconds)
    with ProgressLine("solving", quiet) as progress:
        return solve(
            game,
            state,
            SolveOptions(
                max_positions=limits.max_positions,
                max_seconds=seconds,
                max_bytes=limits.max_bytes,
                solver=_solver(limits),
                progress=progress,
                checkpoints=checkpoints,
                goal=Goal.ALL if limits.goal is GoalChoice.HARDEST else Goal(limits.goal),
                uses_symmetry=limits.uses_symmetry,
                rounds=limits.rounds,
                seed=limits.seed or 0,
                rationality=Fraction(1) if limits.rationality is None else limits.rationality,
                threads=limits.threads,
                tell=progress.prove,
            ),
        )


def _data(game: LoadedGame, solution: Solution, shown: Shown) -> dict[str, object]:
    data = solution_data(solution)
    if shown.lengths is not None:
        data |= {"lengths": lengths_data(game, shown.lengths)}
    return data | {"policy": policy_data(game, solution)} if shown.policy else data

"""`gamedsl solve --save`: the file of a solution, and the checkpoints of unfinished work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich.filesize import decimal

from gamedsl.archive.checkpoints import CheckpointFile
from gamedsl.archive.format import refuse_place
from gamedsl.archive.saved import save_solution
from gamedsl.archive.verification import AS_MANY_AS, verify_table
from gamedsl.cli.bodies.solve import ABOUT_ONE, run
from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import GoalChoice
from gamedsl.cli.output import writing
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import ForeignWorkError
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import State
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.solved_table import SolvedTable
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Keeping:
    """Options for saving the solution.

    Attributes:
        save: path of the solution.
        every: seconds between checkpoints.
        resumes: whether to continue from the last checkpoint.
    """

    save: Path
    every: float
    resumes: bool = False


def run_saved(
    request: Request,
    options: SolveOptions,
    goal: GoalChoice,
    shows_policy: bool,
    as_json: bool,
    keeping: Keeping,
) -> ExitCode:
    """Solve, print and save; UNDECIDED if a limit was reached."""
    if goal not in ABOUT_ONE:
        with writing(keeping.save):
            refuse_place(keeping.save)

    def begin(game: LoadedGame, state: State, console: Console) -> SavedWork:
        return SavedWork(game, state, keeping, console)

    return run(request, options, goal, shows_policy, as_json, begin=begin)


class SavedWork:
    """Work whose solution is saved in a file, with checkpoints beside the file.

    Raises CommandError where checkpoints of earlier work stand in the way, or cannot be used.
    """

    def __init__(self, game: LoadedGame, state: State, keeping: Keeping, console: Console) -> None:
        self._game, self._path, self._console = game, keeping.save, console
        self._checkpoints = _checkpoints(game, state, keeping, console)

    def solved(self, solve: Callable[[SolveOptions], Solution], options: SolveOptions) -> Solution:
        """The solution, from the last checkpoint on; verified where work was resumed."""
        checkpoints = self._checkpoints
        with resumable(checkpoints, self._console):
            solution = solve(replace(options, checkpoints=checkpoints))
            if checkpoints.latest is not None:
                self._refuse_wrong(solution)
        return solution

    def save(self, solution: Solution) -> None:
        """Saves the solution, and removes the checkpoints of finished work."""
        is_solved = solution.status is not Status.OPEN
        if is_solved or isinstance(solution.informed, FormPlay):
            with writing(self._path):
                save_solution(self._game, solution, self._path)
            size = decimal(self._path.stat().st_size)
            self._console.note(
                f"saved: {self._path}, {size}; ask it with `gamedsl probe {self._path}`"
            )
        else:
            self._console.note(f"note: nothing is saved in {self._path}: the game is not solved")
            _say_kept(self._checkpoints, self._console)
        if is_solved:
            self._checkpoints.remove()

    def _refuse_wrong(self, solution: Solution) -> None:
        """Verifies a solution resumed from a checkpoint against the rules, as `verify` does.

        Raises SolutionFileError if the solution is wrong.
        """
        table, path = solution.solved, self._checkpoints.solution
        if not isinstance(table, SolvedTable):
            return
        with ProgressLine("verifying", self._console.quiet) as progress:
            verification = verify_table(self._game, table, most=AS_MANY_AS, progress=progress)
        if verification.fault is not None:
            raise SolutionFileError(f"what comes of it is wrong: {verification.fault}")
        if not verification.is_whole:
            many = f"{verification.looked_at:,} of {verification.of:,} positions"
            rest = f"picked at random; `gamedsl verify {path} --positions all` looks at all"
            self._console.note(f"note: nothing is wrong in {many}, {rest}")


def _checkpoints(
    game: LoadedGame, state: State, keeping: Keeping, console: Console
) -> CheckpointFile:
    """The checkpoints on the way to a solution."""
    checkpoints = CheckpointFile(
        keeping.save, game, state, every=keeping.every,
        tell=lambda message: console.note(f"note: {message}"),
    )  # fmt: skip
    if not keeping.resumes and checkpoints.path.exists():
        message = f"error: {checkpoints.path} is there, kept by work that was cut off"
        advice = "--resume goes on with it; remove it to begin anew"
        raise CommandError(ExitCode.USAGE, f"{message}\n  help: {advice}")
    try:
        if keeping.resumes and checkpoints.latest is None:
            console.note(f"note: there is no {checkpoints.path}, so this begins anew")
    except (OSError, SolutionFileError) as error:
        raise CommandError(ExitCode.NO, _unusable(checkpoints, error)) from error
    return checkpoints


def _unusable(checkpoints: CheckpointFile, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else error
    advice = "remove it, and solve without --resume"
    return f"error: {checkpoints.path} cannot be used: {reason}\n  help: {advice}"


@contextmanager
def resumable(checkpoints: CheckpointFile, console: Console) -> Iterator[None]:
    """In the context, unfinished work ends with a message about how to resume."""
    try:
        yield
    except (SolutionFileError, ForeignWorkError) as error:
        raise CommandError(ExitCode.NO, _unusable(checkpoints, error)) from error
    except KeyboardInterrupt:
        _say_kept(checkpoints, console)
        raise


def _say_kept(checkpoints: CheckpointFile, console: Console) -> None:
    if checkpoints.path.exists():
        console.note(f"note: the work is kept in {checkpoints.path}; --resume goes on with it")

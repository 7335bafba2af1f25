"""`gamedsl solve --save`: the file of a solution, and the checkpoints of unfinished work; with
`--out-of-core` the folder of a solution, in which layer by layer is solved."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from rich.filesize import decimal

from gamedsl.archive.checkpoints import CheckpointFile
from gamedsl.archive.format import refuse_place
from gamedsl.archive.layers import MANIFEST, is_ours_alone
from gamedsl.archive.out_of_core import solve_out_of_core
from gamedsl.archive.saved import save_solution
from gamedsl.archive.verification import AS_MANY_AS, verify_table
from gamedsl.cli.bodies.shared import limits_of
from gamedsl.cli.bodies.solve import (
    ABOUT_ONE,
    OF_LAYERS,
    Wanted,
    most_on_disk,
    run,
    show_solution,
    suits_disk,
)
from gamedsl.cli.boundary import CommandError, undecided, wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import opened
from gamedsl.cli.limits import time_left
from gamedsl.cli.output import writing
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.cli.saved import solution_at
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import (
    ForeignWorkError,
    Progress,
    Refusal,
    machine_code_of,
)
from gamedsl.game.slices import in_slice
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import State
from gamedsl.model.rewriting.levels import levels_of
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, OutOfTimeError, until
from gamedsl.solvers.memory import peak_bytes
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.shards.ranks import ALONE, Ranks
from gamedsl.solvers.solution import Limit, Solution, Status
from gamedsl.solvers.solved_table import SolvedTable

EVERY = 30.0
"""Seconds between checkpoints."""


def run_saved(request: Request, options: SolveOptions, wanted: Wanted, save: Path) -> ExitCode:
    """Solve, print and save; UNDECIDED if a limit was reached."""
    if wanted.goal not in ABOUT_ONE:
        with writing(save):
            refuse_place(save)

    def begin(game: LoadedGame, state: State, console: Console) -> SavedWork:
        every = EVERY if wanted.every is None else wanted.every
        tell = lambda message: console.note(f"note: {message}")  # noqa: E731
        checkpoints = CheckpointFile(save, game, state, every=every, tell=tell)
        _refuse_checkpoints(checkpoints, console, resumes=wanted.resumes)
        return SavedWork(game, state, save, checkpoints, console)

    return run(request, options, wanted, begin)


class SavedWork:
    """Work whose solution is saved in a file, with checkpoints beside the file."""

    def __init__(
        self, game: LoadedGame, state: State, path: Path, checkpoints: CheckpointFile,
        console: Console,
    ) -> None:  # fmt: skip
        self._game, self._path, self._console = game, path, console
        self._root, self.place = state, path.resolve().parent
        self._checkpoints = checkpoints

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
            self._say_disk(solution)
        if is_solved:
            self._checkpoints.remove()

    def abandon(self) -> None:
        """Removes the checkpoints."""
        self._checkpoints.remove()

    def _say_disk(self, solution: Solution) -> None:
        """Name --out-of-core where memory is the obstacle, and files can hold the positions."""
        if solution.limit is Limit.MEMORY and suits_disk(self._game, self._root, self.place):
            self._console.note(
                "note: with --out-of-core the positions of this game are solved on disk, in the "
                "folder --save DIR, if its disk has room"
            )

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


def _refuse_checkpoints(checkpoints: CheckpointFile, console: Console, *, resumes: bool) -> None:
    """Reject checkpoints of earlier work that stand in the way, or cannot be used."""
    if not resumes and checkpoints.path.exists():
        reason = f"{checkpoints.path} is there, kept by work that was cut off"
        raise wrong_usage(reason, "--resume goes on with it; remove it to begin anew")
    try:
        if resumes and checkpoints.latest is None:
            console.note(f"note: there is no {checkpoints.path}, so this begins anew")
    except (OSError, SolutionFileError) as error:
        raise CommandError(ExitCode.NO, _unusable(checkpoints, error)) from error


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


# --- out of core -----------------------------------------------------------------------------

ONE_LAYER = (
    "note: no quantity is proved that moves only raise, or only lower, so all positions are one "
    "layer, which is solved in parts on disk if it does not fit in memory"
)


def run_beyond_memory(request: Request, options: SolveOptions, wanted: Wanted) -> ExitCode:
    """Solve in a folder, or in a temporary folder with a bound on its size, where memory does not
    suffice."""
    gc.collect()  # the table that was too small
    console, wanted = Console(request.quiet), replace(wanted, every=None, resumes=False)
    words = "note: memory does not hold all positions, so they are solved on disk, in"
    if wanted.save is not None:
        console.note(f"{words} the folder {wanted.save}")
        return run_out_of_core(request, options, wanted)
    with TemporaryDirectory(prefix="gamedsl_") as name:
        most = most_on_disk(Path(name))
        console.note(f"{words} a temporary folder, {name}; --save OUT keeps them")
        positions = min(most, options.max_positions or most)
        options = replace(options, max_positions=positions)
        wanted = replace(wanted, save=Path(name))
        return run_out_of_core(request, options, wanted, is_kept=False)


def run_out_of_core(
    request: Request,
    options: SolveOptions,
    wanted: Wanted,
    *,
    ranks: Ranks = ALONE,
    is_kept: bool = True,
) -> ExitCode:
    """Solve in a folder and print; UNDECIDED if a limit was reached. `ranks`: the processes that
    share the work; `is_kept`: whether the folder is kept."""
    folder, resumes = wanted.save, wanted.resumes
    _refuse_idle(options, wanted)
    if folder is None:
        raise wrong_usage("--out-of-core and --mpi solve in the folder of --save DIR")
    console = Console(request.quiet)
    _refuse_folder(folder, console, resumes=resumes)
    ranks.gather(None)  # all have seen the folder as it was
    began = perf_counter()
    with opened(request) as (game, state):
        part, root = in_slice(game, state)
        is_native = not isinstance(machine_code_of(part), Refusal)
        if is_native and not levels_of(part.model).terms:
            console.note(ONE_LAYER)
        with (
            _saying(folder, console, is_kept),
            ProgressLine("solving", request.quiet) as progress,
        ):
            listener: Progress = progress
            if options.max_seconds is not None:
                deadline = perf_counter() + time_left(options.max_seconds)
                listener = until(deadline, progress)
            limits = replace(
                limits_of(options.max_bytes, options.threads, listener, ranks),
                positions=options.max_positions,
                uses_symmetry=options.uses_symmetry,
            )
            saved = solve_out_of_core(part, root, folder, limits, resumes=resumes, ranks=ranks)
        solution = replace(solution_at(saved, saved.root), seconds=perf_counter() - began)
        show_solution(saved.solved, saved.table.root, solution, wanted.as_json)
        size = decimal(sum(file.stat().st_size for file in folder.iterdir()))
        held = decimal(peak_bytes())
        each = f" in each of {ranks.size} processes" if ranks.size > 1 else ""
        console.note(
            f"saved: {folder}, {size}, with at most {held} of memory{each}; ask it with "
            f"`gamedsl probe {folder}`"
            if is_kept
            else f"solved on disk, in {size}, with at most {held} of memory"
        )
    return ExitCode.DONE


def _refuse_idle(options: SolveOptions, wanted: Wanted) -> None:
    """Reject options without a meaning for solving by layers."""
    are_given = {
        "--solver": options.solver is not None,
        "--policy": wanted.policy,
        f"--goal {wanted.goal}": wanted.goal not in OF_LAYERS,
        "--rounds": options.rounds is not None,
        "--seed": options.seed is not None,
        "--rationality": options.rationality is not None,
        "--checkpoint-every, for it keeps each layer when it is finished": wanted.every is not None,
    }
    for option in (name for name, is_given in are_given.items() if is_given):
        reason = f"--out-of-core solves by layers, and knows no {option}"
        raise wrong_usage(f"{reason}; leave out one of them")


def _refuse_folder(folder: Path, console: Console, *, resumes: bool) -> None:
    """Reject a place where a solution would overwrite something, or where there is no work."""
    if folder.exists() and not folder.is_dir():
        raise wrong_usage(f"{folder} is a file, and --out-of-core saves in a folder")
    if not folder.resolve().parent.is_dir():
        raise wrong_usage(f"{folder} cannot be made: there is no folder {folder.parent}")
    if folder.is_dir() and not is_ours_alone(folder):
        reason = f"{folder} has files that are no part of a solution"
        raise wrong_usage(reason, "name a folder of its own")
    has_work = (folder / MANIFEST).exists()
    if has_work and not resumes:
        reason = f"{folder} has a solution, or work that was cut off"
        raise wrong_usage(reason, "--resume goes on with work; remove the folder to begin anew")
    if resumes and not has_work:
        console.note(f"note: there is no work in {folder}, so this begins anew")


@contextmanager
def _saying(folder: Path, console: Console, is_kept: bool) -> Iterator[None]:
    """In the context, work that ends early ends with the reason, and how to go on. `is_kept`:
    whether the folder is."""

    def say_kept() -> None:
        if is_kept and (folder / MANIFEST).exists():
            console.note(f"note: the work is kept in {folder}; --resume goes on with it")

    try:
        yield
    except (OutOfBudgetError, OutOfTimeError) as limit:
        say_kept()
        raise undecided(f"not solved: {limit}") from limit
    except OutOfMemoryError as limit:
        say_kept()
        message = f"not solved: {decimal(limit.used_bytes)} are too little for a layer"
        raise undecided(f"{message} (--memory)") from limit
    except SolutionFileError as error:
        advice = "remove the folder, and solve without --resume"
        message = f"error: the work in {folder} cannot be used: {error}\n  help: {advice}"
        raise CommandError(ExitCode.NO, message) from error
    except OSError as error:
        say_kept()
        advice = "" if is_kept else "--save DIR keeps the work in a folder with more room"
        reason = f"{folder} cannot be written or read: {error.strerror}"
        raise wrong_usage(reason, advice) from error
    except KeyboardInterrupt:
        say_kept()
        raise

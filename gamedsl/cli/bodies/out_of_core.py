"""`gamedsl solve --save DIR --out-of-core`: solving layer by layer in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from rich.filesize import decimal

from gamedsl.archive.layers import MANIFEST, is_ours_alone
from gamedsl.archive.out_of_core import solve_out_of_core
from gamedsl.cli.bodies.solve import show_solution
from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.limits import time_left
from gamedsl.cli.options import GoalChoice
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.cli.saved import solution_at
from gamedsl.game.accelerator import Progress, SearchLimits
from gamedsl.game.slices import in_slice
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, OutOfTimeError, until
from gamedsl.solvers.memory import bytes_for_tables, peak_bytes, usable_bytes, usable_processors
from gamedsl.solvers.options import SolveOptions
from gamedsl.source.records import dataclass

GOALS = frozenset({GoalChoice.PLAY, GoalChoice.ALL})
"""Goals that layers answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is asked for, and how it is printed."""

    goal: GoalChoice
    shows_policy: bool
    as_json: bool


def run_out_of_core(
    request: Request,
    options: SolveOptions,
    wanted: Outcome,
    folder: Path | None,
    *,
    resumes: bool,
) -> ExitCode:
    """Solve in a folder and print; UNDECIDED if a limit was reached."""
    _refuse_idle(options, wanted)
    if folder is None:
        message = "error: --out-of-core solves in the folder of --save DIR"
        raise CommandError(ExitCode.USAGE, message)
    console = Console(request.quiet)
    _refuse_folder(folder, console, resumes=resumes)
    began, game = perf_counter(), load(request)
    with explaining(game):
        state = start(game, request)
        part, root = in_slice(game, state)
        with _saying(folder, console), ProgressLine("solving", request.quiet) as progress:
            listener: Progress = progress
            if options.max_seconds is not None:
                deadline = perf_counter() + time_left(options.max_seconds)
                listener = until(deadline, progress)
            most = usable_bytes() if options.max_bytes is None else options.max_bytes
            limits = SearchLimits(
                positions=options.max_positions,
                bytes=bytes_for_tables(most, native=True),
                progress=listener,
                uses_symmetry=options.uses_symmetry,
                threads=options.threads or usable_processors(),
            )
            saved = solve_out_of_core(part, root, folder, limits, resumes=resumes)
        solution = replace(solution_at(saved, saved.root), seconds=perf_counter() - began)
        show_solution(saved.solved, saved.table.root, solution, as_json=wanted.as_json)
        size = decimal(sum(file.stat().st_size for file in folder.iterdir()))
        held = decimal(peak_bytes())
        console.note(
            f"saved: {folder}, {size}, with at most {held} of memory; ask it with "
            f"`gamedsl probe {folder}`"
        )
    return ExitCode.DONE


def _refuse_idle(options: SolveOptions, wanted: Outcome) -> None:
    """Reject what solving by layers does not do."""
    given = {
        "--solver": options.solver is not None,
        "--policy": wanted.shows_policy,
        f"--goal {wanted.goal}": wanted.goal not in GOALS,
    }
    for option in (name for name, is_given in given.items() if is_given):
        message = f"error: --out-of-core solves by layers, and knows no {option}"
        raise CommandError(ExitCode.USAGE, f"{message}; leave out one of them")


def _refuse_folder(folder: Path, console: Console, *, resumes: bool) -> None:
    """Reject a place where a solution would overwrite something, or where there is no work."""
    if folder.exists() and not folder.is_dir():
        message = f"error: {folder} is a file, and --out-of-core saves in a folder"
        raise CommandError(ExitCode.USAGE, message)
    if not folder.resolve().parent.is_dir():
        message = f"error: {folder} cannot be made: there is no folder {folder.parent}"
        raise CommandError(ExitCode.USAGE, message)
    if folder.is_dir() and not is_ours_alone(folder):
        message = f"error: {folder} has files that are no part of a solution"
        raise CommandError(ExitCode.USAGE, f"{message}\n  help: name a folder of its own")
    has_work = (folder / MANIFEST).exists()
    if has_work and not resumes:
        message = f"error: {folder} has a solution, or work that was cut off"
        advice = "--resume goes on with work; remove the folder to begin anew"
        raise CommandError(ExitCode.USAGE, f"{message}\n  help: {advice}")
    if resumes and not has_work:
        console.note(f"note: there is no work in {folder}, so this begins anew")


@contextmanager
def _saying(folder: Path, console: Console) -> Iterator[None]:
    """In the context, work that ends early ends with the reason, and how to go on."""
    try:
        yield
    except (OutOfBudgetError, OutOfTimeError) as limit:
        _say_kept(folder, console)
        raise CommandError(ExitCode.UNDECIDED, f"not solved: {limit}") from limit
    except OutOfMemoryError as limit:
        message = f"not solved: {decimal(limit.used_bytes)} are too little for the keys of a layer"
        raise CommandError(ExitCode.UNDECIDED, f"{message} (--memory)") from limit
    except SolutionFileError as error:
        advice = "remove the folder, and solve without --resume"
        message = f"error: the work in {folder} cannot be used: {error}\n  help: {advice}"
        raise CommandError(ExitCode.NO, message) from error
    except OSError as error:
        _say_kept(folder, console)
        message = f"error: {folder} cannot be written or read: {error.strerror}"
        raise CommandError(ExitCode.USAGE, message) from error
    except KeyboardInterrupt:
        _say_kept(folder, console)
        raise


def _say_kept(folder: Path, console: Console) -> None:
    if (folder / MANIFEST).exists():
        console.note(f"note: the work is kept in {folder}; --resume goes on with it")

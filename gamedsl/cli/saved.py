"""Saved solutions for commands; an unusable file ends the command with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shlex import quote
from time import perf_counter

from rich.filesize import decimal

from gamedsl.archive.equilibria import SavedEquilibrium
from gamedsl.archive.rules import identity_of
from gamedsl.archive.saved import SavedSolution, open_solution
from gamedsl.cli.boundary import CommandError, undecided, wrong_usage
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining
from gamedsl.game import LoadedGame
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import State
from gamedsl.solvers.graph_solutions import solution_from_table
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.solution import Solution

Saved = SavedSolution | SavedEquilibrium


@contextmanager
def opening(path: Path) -> Iterator[Saved]:
    """Open a solution; in the context, an unusable file ends the command with the reason."""
    try:
        saved = open_solution(path)
        with explaining(saved.game):
            yield saved
    except BrokenPipeError:
        raise  # of the output: nobody reads on
    except OSError as error:
        place, advice = error.filename, ""
        if place is None or Path(place).is_relative_to(path):
            reason = f"{path} cannot be read: {error.strerror}"
        else:
            reason = f"{place} cannot be written: {error.strerror}"
            advice = "TMPDIR names another folder for numbers on the way"
        raise wrong_usage(reason, advice) from error
    except SolutionFileError as error:
        raise CommandError(ExitCode.NO, f"error: {path} cannot be used: {error}") from error
    except OutOfMemoryError as reached:
        message = f"not known: the work does not fit in {decimal(reached.used_bytes)} of memory"
        raise undecided(message) from reached


@contextmanager
def opening_for(path: Path, game: LoadedGame) -> Iterator[Saved]:
    """Like `opening`, but only for a solution of the same game with the same parameters."""
    with opening(path) as saved:
        wanted = identity_of(game, game.initial_state())
        for name, difference in (
            ("rules_sha256", "other rules"),
            ("parameters", "other parameters"),
        ):
            if saved.facts[name] != wanted[name]:
                parameters = saved.game.parameters.items()
                options = (f"-D {quote(f'{parameter}={n}')}" for parameter, n in parameters)
                known = " ".join((saved.game.name, *options))
                raise SolutionFileError(f"it is of {difference}: {known}")
        yield saved


def solution_at(saved: Saved, state: State) -> Solution:
    """The file's solution from a position on; with hidden information, from the start.

    Raises SolutionFileError if the position is not in the file.
    """
    if isinstance(saved, SavedEquilibrium):
        return saved.solution()
    stands = saved.state_of(state)
    if stands is None or stands not in saved.table:
        raise SolutionFileError("this position is not in it")
    started = perf_counter()
    table = saved.table.at(stands)
    parts = solution_from_table(table, table.solver)
    part = None if saved.solved is saved.game else saved.game.slice
    return replace(parts, seconds=perf_counter() - started, part=part)

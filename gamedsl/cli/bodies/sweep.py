"""`gamedsl sweep`: one question about many games and values of parameters."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gamedsl.cli.asked.answers import SweepOptions
from gamedsl.cli.boundary import Interrupted, refusing, undecided, wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import parameters_of, text_of
from gamedsl.cli.progress import ProgressLine
from gamedsl.python.sweeps import (
    BadSweepError,
    Job,
    Limits,
    jobs_of,
    key_of,
    known_records,
    processes,
    records,
    share_memory,
    values_of,
)
from gamedsl.solvers.memory import usable_processors
from gamedsl.source.plurals import count
from gamedsl.source.rewording import reworded

if TYPE_CHECKING:
    from gamedsl.solvers.shards.mpi import MpiRanks

ExecutorOf = Callable[[int], AbstractContextManager[Executor | None]]


def run(files: list[str], options: SweepOptions, quiet: bool) -> ExitCode:
    """Do the jobs that the file does not have, and write a line for each."""
    return _run(files, options, quiet, options.jobs or usable_processors(), processes)


def run_in_job(files: list[str], options: SweepOptions, quiet: bool, ranks: MpiRanks) -> ExitCode:
    """Like `run`, in the processes of an MPI job: the first reads, hands out and writes, the
    others do the jobs."""
    share_memory(ranks.neighbours)
    with ranks.executor() as executor:
        if executor is None:
            return ExitCode.DONE
        return _run(files, options, quiet, max(1, ranks.size - 1), lambda _: nullcontext(executor))


def _run(
    files: list[str], options: SweepOptions, quiet: bool, most: int, executor_of: ExecutorOf
) -> ExitCode:
    """Like `run`, by an executor of at most so many processes."""
    console = Console(quiet)
    jobs = _jobs(files, options)
    known = _known(options.out)
    left = [job for job in jobs if key_of(job.name) not in known]
    bad = sum("error" in known.get(key_of(job.name), {}) for job in jobs)
    number = min(most, max(1, len(left)))
    done = 0
    try:
        with executor_of(number) as executor, ProgressLine("sweeping", quiet) as progress:
            for record in records(left, executor, number):
                _write(options.out, json.dumps(record, allow_nan=False), console)
                done += 1
                bad += "error" in record
                progress(done, len(left) - done)
    except KeyboardInterrupt as stop:
        raise Interrupted(_told(len(jobs), len(jobs) - len(left), done)) from stop
    except BrokenProcessPool as error:
        raise undecided(
            "error: a process was ended from outside; the same command goes on"
        ) from error
    console.note(_told(len(jobs), len(jobs) - len(left), done))
    if bad:
        console.note(f"note: {count(bad, 'job')} found errors in a game, with the key `error`")
    return ExitCode.NO if bad else ExitCode.DONE


def _told(jobs: int, known: int, done: int) -> str:
    before = f"{known:,} known, " if known else ""
    return f"{count(jobs, 'job')}: {before}{done:,} done"


def _jobs(files: list[str], options: SweepOptions) -> list[Job]:
    sources = list(map(text_of, files))
    texts = [pair for text in options.define or () for pair in parameters_of([text]).items()]
    limits = Limits(
        options.time, options.memory, options.max_positions, options.count, options.seed
    )
    with refusing("-D", BadSweepError):
        return jobs_of(sources, values_of(texts), options.do, limits, _part(options.part))


def _part(text: str) -> tuple[int, int]:
    number, slash, of = text.partition("/")
    if not (slash and number.isdecimal() and of.isdecimal() and 0 < int(number) <= int(of)):
        message = f"write a part as 2/4, the second of four, not {text!r}"
        raise typer.BadParameter(message, param_hint="--part")
    return int(number), int(of)


def _known(out: Path | None) -> dict[str, dict[str, object]]:
    with _using(out), reworded(wrong_usage, "{}; name another file", BadSweepError):
        return {} if out is None else known_records(out)


def _write(out: Path | None, line: str, console: Console) -> None:
    if out is None:
        console.out(line)
        return
    with _using(out), out.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def _using(out: Path | None) -> AbstractContextManager[None]:
    return reworded(wrong_usage, f"{out} cannot be used: {{}}", OSError)

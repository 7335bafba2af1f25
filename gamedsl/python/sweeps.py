"""Sweeps: one question about many games and values of parameters, as jobs that remember nothing.

In: files, parameters with one or more values each, and a question. Out: a record for each job, as
JSON. A job is named by the rules, the parameters, the question with its limits, and the version of
gamedsl. A record with the name of a job stands for its answer, so a sweep that was broken off goes
on where it was. Jobs run in any `concurrent.futures.Executor`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from hashlib import sha256
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from gamedsl.game import load_source
from gamedsl.game.including import read_program
from gamedsl.model import GameRuleError, GameSourceError, UnsupportedGameError
from gamedsl.python.checking import CheckLimits, check_source
from gamedsl.reports.checks.findings import check_data
from gamedsl.reports.counts.estimate import estimate_data
from gamedsl.reports.counts.playouts import tally_data
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.solvers.feasibility.estimate import USUAL_SECONDS, estimate
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, OutOfTimeError
from gamedsl.solvers.interruptible import depend_on_the_parent
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.montecarlo.random_plays import playouts
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.source import SourceFile, nearest
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.version import __version__

MOST_JOBS = 1_000_000
"""Greatest number of jobs of a sweep."""
AHEAD = 2
"""Jobs handed to an executor for each process."""
_most_bytes: list[int] = []
"""In a process of several: memory for tables, unless a job has a limit."""
_RANGE = re.compile(r"(-?\d+) ?\.\. ?(-?\d+)")
Data = dict[str, Any]


class BadSweepError(ValueError):
    """A sweep with too many jobs, or a file that is not of a sweep."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a job; part of its name, where they are given.

    Attributes:
        seconds: of processor time for `estimate`, of time for `check` and `solve`.
        bytes: memory for tables; positions: for `check` and `solve`.
        plays, seed: number and seed of random plays.
    """

    seconds: float | None = None
    bytes: int | None = None
    positions: int | None = None
    plays: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """A question about one game with one choice of parameters.

    Attributes:
        source: the text; rules: the SHA-256 of the text with its included files.
        parameters: values in the notation of the language.
        question: a key of `QUESTIONS`.
    """

    source: SourceFile
    rules: str
    parameters: Mapping[str, str]
    question: str
    limits: Limits

    @property
    def name(self) -> Data:
        """All that decides the answer, as JSON."""
        asks = QUESTIONS[self.question][1]
        limits = {limit: getattr(self.limits, limit) for limit in asks}
        return {
            "rules": self.rules,
            "parameters": dict(self.parameters),
            "do": self.question,
            "limits": {limit: given for limit, given in limits.items() if given is not None},
            "gamedsl": __version__,
        }

    def record(self) -> Data:
        """The answer, with the name of the job. An error of the rules, and a question that does not
        apply, are answers."""
        began = perf_counter()
        answer: Data
        try:
            answer = {"result": QUESTIONS[self.question][0](self)}
        except GameSourceError as error:
            answer = {"error": str(error)}
        except UnsupportedGameError as error:
            answer = {"not_supported": str(error)}
        except GameRuleError as error:
            answer = {"error": str(error)}
        except (OutOfBudgetError, OutOfMemoryError, OutOfTimeError) as limit:
            answer = {"not_solved": str(limit)}
        seconds = round(perf_counter() - began, 3)
        return {"game": Path(self.source.name).name, **self.name, **answer, "seconds": seconds}


# --- questions ----------------------------------------------------------------------------


def _check(job: Job) -> Data:
    limits = CheckLimits(max_positions=job.limits.positions, max_seconds=job.limits.seconds)
    report = check_source(job.source, job.parameters, limits, file=Path(job.source.name).name)
    data: Data = check_data([report])["files"][0]  # type: ignore[index]
    return data


def _solve(job: Job) -> Data:
    limits = job.limits
    most = limits.bytes if limits.bytes is not None else next(iter(_most_bytes), None)
    options = SolveOptions(
        max_positions=limits.positions, max_seconds=limits.seconds, max_bytes=most
    )
    data = solution_data(solve(load_source(job.source, job.parameters), options=options))
    return {name: value for name, value in data.items() if name != "seconds"}


def _estimate(job: Job) -> Data:
    limits, game = job.limits, load_source(job.source, job.parameters)
    seconds = USUAL_SECONDS if limits.seconds is None else limits.seconds
    return estimate_data(estimate(game, seconds=seconds, seed=limits.seed, max_bytes=limits.bytes))


def _playouts(job: Job) -> Data:
    game, limits = load_source(job.source, job.parameters), job.limits
    tally = playouts(game, count=limits.plays, seed=limits.seed)
    return tally_data(game, limits.seed, tally)


QUESTIONS: Mapping[str, tuple[Callable[[Job], Data], tuple[str, ...]]] = {
    "check": (_check, ("seconds", "positions")),
    "solve": (_solve, ("seconds", "bytes", "positions")),
    "estimate": (_estimate, ("seconds", "bytes", "seed")),
    "playouts": (_playouts, ("plays", "seed")),
}
"""The questions: the answer, and the limits that it depends on."""


# --- jobs ---------------------------------------------------------------------------------


def values_of(texts: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The values of each parameter, in order: `n=3..5` gives three, and so do three values for one
    name."""
    values: dict[str, list[str]] = {}
    for name, text in texts:
        whole = _RANGE.fullmatch(text.strip())
        first, last = (int(end) for end in whole.groups()) if whole else (0, -1)
        if whole and not 0 <= last - first < MOST_JOBS:
            raise BadSweepError(f"{text} for {name} is a range of no numbers, or of too many")
        if not whole and ".." in text and not set(text) & set("[{("):
            raise BadSweepError(f"{text} for {name} is no range of whole numbers, such as 3..8")
        several = map(str, range(first, last + 1)) if whole else [text.strip()]
        values.setdefault(name, []).extend(several)
    return values


def jobs_of(
    sources: Sequence[SourceFile],
    values: Mapping[str, Sequence[str]],
    question: str,
    limits: Limits,
    part: tuple[int, int] = (1, 1),
) -> list[Job]:
    """The jobs of a sweep in their order: for each source every choice of parameters. `part`: (I,
    N) leaves every N-th job from the I-th on; all N parts have all jobs. Raises BadSweepError."""
    count = len(sources)
    for each in values.values():
        count *= len(each)
    if count > MOST_JOBS:
        raise BadSweepError(f"the sweep has {count:,} jobs, and at most {MOST_JOBS:,} are done")
    programs = [read_program(source)[0] for source in sources]
    has = {d.name.text for p in programs for d in p.declarations if isinstance(d, ast.ParamDecl)}
    for name in values:
        if name not in has and not any(program.broken for program in programs):
            names = nearest(name, has) or ", ".join(sorted(has)) or "no parameters"
            raise BadSweepError(f"no game here has a parameter {name}; there is {names}")
    jobs, known = [], set[str]()
    for source, program in zip(sources, programs, strict=True):
        rules = sha256(program.source.text.encode()).hexdigest()
        for choice in product(*values.values()):
            parameters = dict(zip(values, choice, strict=True))
            job = Job(source, rules, parameters, question, limits)
            if (key := key_of(job.name)) not in known:
                known.add(key)
                jobs.append(job)
    first, step = part
    return jobs[first - 1 :: step]


def key_of(record: Mapping[str, Any]) -> str:
    """The name of a record's job, as a text."""
    names = ("rules", "parameters", "do", "limits", "gamedsl")
    return json.dumps([record[name] for name in names], sort_keys=True)


# --- running ------------------------------------------------------------------------------


def records(jobs: Sequence[Job], executor: Executor | None, processes: int = 1) -> Iterator[Data]:
    """The records of jobs as they are done, by an executor, or one after the other. When the
    iterator is closed, jobs that are waiting are not begun."""
    if executor is None:
        yield from (job.record() for job in jobs)
        return
    left, working = iter(jobs), set[Future[Data]]()
    try:
        while True:
            for job in left:
                working.add(executor.submit(Job.record, job))
                if len(working) >= AHEAD * processes:
                    break
            if not working:
                return
            done, working = wait(working, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        for future in working:
            future.cancel()


@contextmanager
def processes(count: int) -> Iterator[Executor | None]:
    """An executor of so many processes, which share the memory; None for one. Processes end with
    this process, and leave interrupts to it."""
    if count == 1:
        yield None
        return
    share = usable_bytes() // count
    pool = ProcessPoolExecutor(count, get_context("spawn"), _begin, (share,))
    is_whole = False
    try:
        yield pool
        is_whole = True
    finally:
        if not is_whole:
            for worker in list(pool._processes.values()):
                worker.terminate()
        pool.shutdown(wait=is_whole, cancel_futures=True)


def share_memory(count: int) -> None:
    """Leave a share of the free memory to each of so many processes of the machine."""
    _most_bytes[:] = [usable_bytes() // count]


def _begin(share: int) -> None:
    """Set up a worker process."""
    _most_bytes[:] = [share]
    depend_on_the_parent()


# --- files --------------------------------------------------------------------------------


def known_records(path: Path) -> dict[str, Data]:
    """The records of a file by the names of their jobs. A last line that is cut off is removed from
    the file.

    Raises:
        OSError: the file cannot be read or written.
        BadSweepError: the file is not of a sweep.
    """
    if not path.exists():
        return {}
    try:
        text = path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        known = {key_of(record): record for record in map(json.loads, whole.splitlines())}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadSweepError(f"{path.name} is not a file of a sweep") from error
    if whole != text:
        path.write_text(whole, "utf-8")
    return known

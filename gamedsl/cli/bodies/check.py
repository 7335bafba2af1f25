"""`gamedsl check`: read, check and play each file, verify its claims, and write what was found."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children

from gamedsl.cli.boundary import CommandError, Interrupted, place_of
from gamedsl.cli.console import Console, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import is_usage, parameters_of, read, rendered
from gamedsl.cli.options import OutputFormat
from gamedsl.cli.progress import ProgressLine
from gamedsl.conformance import explore
from gamedsl.game import LoadedGame, load_source, read_program
from gamedsl.model import GameRuleError, GameSourceError, check
from gamedsl.model.expectations import Expectation
from gamedsl.reports.checks.facts import facts_text
from gamedsl.reports.checks.findings import (
    FileReport,
    check_data,
    concise_text,
    github_text,
    summary,
)
from gamedsl.reports.checks.rule_errors import rule_error_diagnostic
from gamedsl.reports.json_text import json_text
from gamedsl.reports.phrases import count
from gamedsl.solvers.expectations import Verdict, Verifier
from gamedsl.solvers.native_count import native_count
from gamedsl.solvers.planner import why_refused
from gamedsl.source import Diagnostic, SourceFile

GREEN, PLAIN = "\033[32m", "\033[0m"
SMALL = 2_000
"""Positions of a game that is solved to see whether it can be, where the rules do not tell."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What to do with each file.

    Attributes:
        parameters: `n=4` as typed.
        plays: whether to play at all.
        positions: how many positions to find while errors are looked for; None: as many as suit
            the game.
        max_positions, max_seconds: what the claims of a file may cost; None: as `solve` has them.
    """

    parameters: tuple[str, ...] = ()
    plays: bool = True
    positions: int | None = None
    max_positions: int | None = None
    max_seconds: float | None = None
    shows_facts: bool = False


def run(
    files: list[str], options: CheckOptions, form: OutputFormat, jobs: int, quiet: bool
) -> ExitCode:
    """Check every file and write the findings in the form asked for."""
    console = Console(quiet)
    parameters_of(options.parameters)
    reports = []
    for report in _reports(files, options, jobs or os.cpu_count() or 1, quiet):
        reports.append(report)
        text = _text(report, form, options)
        if text:
            console.out(text)
    if form is OutputFormat.JSON:
        console.out(json_text(check_data(reports)))
    console.note(_total(reports))
    return _status(reports, parameters_of(options.parameters))


def _status(reports: list[FileReport], parameters: dict[str, str]) -> ExitCode:
    failed = [report for report in reports if not report.is_ok]
    if any(is_usage(_errors(report), parameters) for report in failed if _errors(report)):
        return ExitCode.USAGE
    if failed:
        return ExitCode.NO
    undecided = any(report.is_undecided for report in reports)
    return ExitCode.UNDECIDED if undecided else ExitCode.DONE


def _errors(report: FileReport) -> list[Diagnostic]:
    return [found for found in report.findings() if found.is_error]


def _total(reports: list[FileReport]) -> str:
    bad = sum(not report.is_ok for report in reports)
    undecided = sum(report.is_ok and report.is_undecided for report in reports)
    words = [f"{bad} not ok"] * bool(bad) + [f"{undecided} undecided"] * bool(undecided)
    verdict = ", ".join(words) or ("all ok" if len(reports) > 1 else "ok")
    return f"checked {count(len(reports), 'file')}: {verdict}"


def _text(report: FileReport, form: OutputFormat, options: CheckOptions) -> str:
    match form:
        case OutputFormat.JSON:
            return ""
        case OutputFormat.CONCISE:
            return concise_text(report)
        case OutputFormat.GITHUB:
            return github_text(report)
        case OutputFormat.TEXT:
            parts = [rendered([found], sys.stdout) + "\n" for found in report.findings()]
            told = summary(report)
            is_green = report.is_clean and uses_colour(sys.stdout)
            parts.append(f"{GREEN}{told}{PLAIN}" if is_green else told)
            if options.shows_facts and report.facts is not None:
                parts.append(facts_text(report.facts))
            return "\n".join(parts)


# --- one file after another, or several at a time ------------------------------------------------


def _reports(
    files: list[str], options: CheckOptions, jobs: int, quiet: bool
) -> Iterator[FileReport]:
    """The reports in the order of the files, each as soon as it and those before are done."""
    texts = [(file, read(file)) for file in files]
    jobs = min(jobs, len(files))
    if jobs == 1:
        for text in texts:
            yield check_file(text, options, partial(ProgressLine, f"checking {text[0]}", quiet))
        return
    done = 0
    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            for report in pool.map(partial(_check_apart, options=options), texts):
                yield report
                done += 1
        except KeyboardInterrupt as stop:
            _end_workers()
            raise Interrupted(f"checked {done} of {len(files)} files") from stop
        except BrokenProcessPool as error:
            message = "error: a process that was checking has been ended from outside"
            reached = f"checked {done} of {len(files)} files"
            raise CommandError(ExitCode.UNDECIDED, f"{message}; {reached}") from error


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_workers() -> None:
    for worker in active_children():
        worker.terminate()


def _check_apart(text: tuple[str, SourceFile | Diagnostic], options: CheckOptions) -> FileReport:
    """`check_file` in a process of its own; a bug that strikes there says where."""
    try:
        return check_file(text, options)
    except Exception as error:
        error.add_note(f"while checking {text[0]}, at {place_of(error)}")
        raise


def _silent() -> ProgressLine:
    return ProgressLine("checking", quiet=True)


def check_file(
    text: tuple[str, SourceFile | Diagnostic],
    options: CheckOptions,
    progress: Callable[[], ProgressLine] = _silent,
) -> FileReport:
    """All findings of one file."""
    with _uncollected():
        return _checked(text, options, progress)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Inside, nobody looks for garbage: of the many states that a check makes none is part of a
    cycle, and going through them all again and again takes as long as making them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _checked(
    text: tuple[str, SourceFile | Diagnostic],
    options: CheckOptions,
    progress: Callable[[], ProgressLine],
) -> FileReport:
    file, source = text
    if isinstance(source, Diagnostic):
        return FileReport(file, None, (source,))
    parameters = parameters_of(options.parameters)
    program, diagnostics = read_program(source)
    model, more = check(program, parameters)
    diagnostics = (*diagnostics, *more)
    if model is None or any(found.is_error for found in diagnostics):
        return FileReport(file, program.source, diagnostics)
    game = LoadedGame(model, "auto")
    if not options.plays:
        return FileReport(file, game.source, diagnostics, facts=game.facts)
    with progress() as tick:
        return _played(file, game, parameters, diagnostics, options, tick)


def _played(
    file: str,
    game: LoadedGame,
    parameters: dict[str, str],
    diagnostics: tuple[Diagnostic, ...],
    options: CheckOptions,
    tick: ProgressLine,
) -> FileReport:
    exploration = explore(game, max_positions=options.positions, progress=tick, count=native_count)
    diagnostics = (*diagnostics, *exploration.diagnostics)
    verdicts: tuple[Verdict, ...] = ()
    left_out, refusal = 0, None
    if not any(found.is_error for found in diagnostics):
        claims = _claims(game, parameters)
        left_out = len(game.expectations) - len(claims)
        verdicts, failure = _verdicts(game, claims, parameters, options, tick)
        diagnostics = (*diagnostics, *failure)
        is_small = exploration.is_complete and exploration.positions <= SMALL
        refusal = why_refused(game, returns=exploration.returns, is_small=is_small)
    return FileReport(
        file, game.source, diagnostics, verdicts, game.facts, exploration, left_out, refusal
    )


def _claims(game: LoadedGame, parameters: dict[str, str]) -> tuple[Expectation, ...]:
    """The claims that are about the game with these parameters: a claim means those of the file,
    but for what it sets itself."""
    if not parameters:
        return game.expectations
    changed = _changed(game, parameters)
    return tuple(one for one in game.expectations if changed <= {name for name, _ in one.settings})


def _changed(game: LoadedGame, parameters: dict[str, str]) -> set[str]:
    """The parameters that are not what the file says."""
    try:
        written = load_source(game.source, {}).parameters
    except GameSourceError:
        return set(parameters)
    return {name for name in parameters if game.parameters[name] != written[name]}


def _verdicts(
    game: LoadedGame,
    claims: tuple[Expectation, ...],
    parameters: dict[str, str],
    options: CheckOptions,
    tick: ProgressLine,
) -> tuple[tuple[Verdict, ...], tuple[Diagnostic, ...]]:
    """The verdicts on all claims, up to an error in the rules that verifying them meets."""

    def reload(settings: Mapping[str, str]) -> LoadedGame:
        return load_source(game.source, {**parameters, **settings}, game.engine_name)

    verifier = Verifier(
        game,
        reload,
        max_positions=options.max_positions,
        max_seconds=options.max_seconds,
        progress=tick,
    )
    verdicts: list[Verdict] = []
    failures: list[Diagnostic] = []
    for expectation in claims:
        try:
            verdicts.append(verifier.verify(expectation))
        except GameRuleError as error:
            failures.append(rule_error_diagnostic(error, game))
        except GameSourceError as error:
            failures += [found for found in error.diagnostics if found.is_error]
    return tuple(verdicts), tuple(dict.fromkeys(failures))

"""`gamedsl check`: read, check and play files, verify the claims, and write the findings."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sized
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import active_children

from gamedsl.cli import process
from gamedsl.cli.asked.answers import CheckOptions
from gamedsl.cli.boundary import Interrupted, not_supported, place_of, undecided
from gamedsl.cli.console import Console, filled, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import OF_OPENSPIEL, is_usage, parameters_of, read, rendered
from gamedsl.cli.limits import time_left
from gamedsl.cli.options import OutputFormat
from gamedsl.cli.progress import ProgressLine
from gamedsl.python.checking import CheckLimits, check_source
from gamedsl.reports.checks.facts import facts_text
from gamedsl.reports.checks.findings import (
    FileReport,
    check_data,
    concise_text,
    github_text,
    summary,
)
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.interruptible import depend_on_the_parent
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.plurals import count
from gamedsl.source.screen import on_one_line

GREEN, PLAIN = "\033[32m", "\033[0m"


def _checked(done: int, files: Sized) -> str:
    return f"checked {done} of {count(len(files), 'file')}"


def run(
    files: list[str], options: CheckOptions, form: OutputFormat, jobs: int, quiet: bool
) -> ExitCode:
    """Check every file and write the findings in the requested format."""
    console = Console(quiet)
    parameters_of(options.define or ())
    for file in files:
        if file.startswith(OF_OPENSPIEL):
            hint = f"`gamedsl compare FILE {file}` compares a file with the game"
            raise not_supported(f"{file} has no rules as text to check; {hint}")
    reports = []
    for report in _reports(files, options, jobs, quiet):
        reports.append(report)
        text = _text(report, form, options)
        if text:
            console.out(text)
    if form is OutputFormat.JSON:
        console.out(json_text(check_data(reports)))
    console.note(_total(reports))
    return _status(reports, parameters_of(options.define or ()))


def _status(reports: list[FileReport], parameters: dict[str, str]) -> ExitCode:
    failed = [report for report in reports if not report.is_ok]
    if any(is_usage(_errors(report), parameters) for report in failed if _errors(report)):
        return ExitCode.USAGE
    if failed:
        return ExitCode.NO
    undecided = any(report.is_undecided for report in reports)
    return ExitCode.UNDECIDED if undecided else ExitCode.DONE


def _errors(report: FileReport) -> list[Diagnostic]:
    return [diagnostic for diagnostic in report.findings() if diagnostic.is_error]


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
            parts = [rendered([diagnostic], sys.stdout) + "\n" for diagnostic in report.findings()]
            told = filled(summary(report), sys.stdout)
            is_green = report.is_clean and uses_colour(sys.stdout)
            parts.append(f"{GREEN}{told}{PLAIN}" if is_green else told)
            if options.facts and report.facts is not None:
                parts.append(facts_text(report.facts))
            return "\n".join(parts)


# --- sequential or parallel -----------------------------------------------------------------------


def _reports(
    files: list[str], options: CheckOptions, jobs: int, quiet: bool
) -> Iterator[FileReport]:
    """The reports in the order of the files, as early as the order permits."""
    texts = [(on_one_line(file), read(file)) for file in files]
    if jobs == 1:
        for place, text in enumerate(texts):
            if place == len(texts) - 1:
                process.leave_garbage()
            progress = partial(ProgressLine, f"checking {text[0]}", quiet)
            yield check_file(text, _with_time(options, place), progress)
        return
    rounds = [_with_time(options, place // jobs) for place in range(len(texts))]
    done, begun = 0, time.monotonic()
    with ProcessPoolExecutor(jobs, initializer=depend_on_the_parent) as pool:
        try:
            with process.undisturbed():
                reports = pool.map(_check_apart, texts, rounds)
            while done < len(files):
                with ProgressLine(_checked(done, files), quiet, begun):
                    report = next(reports)
                yield report
                done += 1
        except KeyboardInterrupt as stop:
            _end_workers()
            raise Interrupted(_checked(done, files)) from stop
        except BrokenProcessPool as error:
            message = "error: a process that was checking has been ended from outside"
            reached = _checked(done, files)
            raise undecided(f"{message}; {reached}") from error


def _with_time(options: CheckOptions, before: int) -> CheckOptions:
    """The options for a file, with the time left after `before` files.

    A file gets at most the time limit for a file, and all files together at most the limit times
    the number of files, from the start of the command.
    """
    if options.time is None:
        return options
    return replace(options, time=min(options.time, time_left(options.time * (before + 1))))


def _end_workers() -> None:
    for worker in active_children():
        worker.terminate()


def _check_apart(text: tuple[str, SourceFile | Diagnostic], options: CheckOptions) -> FileReport:
    """`check_file` in a worker process; an internal error is annotated with the place."""
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
    """All findings in a file."""
    file, source = text
    if isinstance(source, Diagnostic):
        return FileReport(file, None, (source,))
    parameters = parameters_of(options.define or ())
    claims = None if options.claims is None else read(options.claims)
    if isinstance(claims, Diagnostic):
        return FileReport(claims.file_name, None, (claims,))
    limits = CheckLimits(
        options.play, options.positions, options.max_positions, options.time, options.max_rounds
    )
    with progress() as tick:
        return check_source(source, parameters, limits, file=file, claims=claims, progress=tick)

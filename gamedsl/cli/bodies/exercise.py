"""`gamedsl exercise`: list exercises, show a task, a hint or the solution, mark an answer."""

from __future__ import annotations

import sys

from gamedsl.cli.asked.answers import ExerciseOptions
from gamedsl.cli.boundary import CommandError, not_supported, undecided, wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import rendered, text_of
from gamedsl.cli.limits import time_left
from gamedsl.model import GameRuleError, GameSourceError, UnsupportedGameError
from gamedsl.python.checking import CheckLimits
from gamedsl.python.exercises import (
    ExerciseError,
    exercise,
    exercises,
    mark,
    right_answer,
)
from gamedsl.reports.checks.findings import summary
from gamedsl.reports.exercises import (
    Exercise,
    ExerciseKind,
    Mark,
    exercise_data,
    exercise_text,
    exercises_data,
    exercises_text,
    mark_data,
    mark_text,
    solution_data,
    solution_text,
)
from gamedsl.reports.json_text import json_text
from gamedsl.reports.paragraphs import fill
from gamedsl.reports.trees.search import SearchLimitError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.source.screen import on_one_line


def run(name: str | None, answer: str | None, options: ExerciseOptions) -> ExitCode:
    """List exercises, show an exercise, or mark an answer."""
    console = Console()
    try:
        if name is None:
            if options.json:
                console.out(json_text(exercises_data(exercises())))
                return ExitCode.DONE
            console.out(exercises_text(exercises()))
            console.note("\nTry `gamedsl exercise first_cuts`.")
            return ExitCode.DONE
        chosen = exercise(name)
        if answer is not None:
            return _marked(console, chosen, answer, options)
        if options.json:
            console.out(json_text(_data(chosen, options)))
        else:
            console.report(_shown(chosen, options))
        return ExitCode.DONE
    except ExerciseError as error:
        raise wrong_usage(on_one_line(str(error))) from error
    except GameSourceError as error:
        errors = [diagnostic for diagnostic in error.diagnostics if diagnostic.is_error]
        raise CommandError(ExitCode.NO, rendered(errors, sys.stderr)) from error
    except (SearchLimitError, OutOfBudgetError) as error:
        raise undecided(f"stopped: too large a game: {error}") from error
    except (GameRuleError, UnsupportedGameError) as error:
        raise not_supported(str(error)) from error


def _shown(chosen: Exercise, options: ExerciseOptions) -> str:
    if options.solution:
        return solution_text(chosen, right_answer(chosen))
    if options.hint is None:
        return exercise_text(chosen)
    return fill(_hint(chosen, options.hint))


def _data(chosen: Exercise, options: ExerciseOptions) -> dict[str, object]:
    data = exercise_data(chosen)
    if options.solution:
        data |= solution_data(chosen, right_answer(chosen))
    if options.hint is not None:
        data["hint"] = _hint(chosen, options.hint)
    return data


def _hint(chosen: Exercise, number: int) -> str:
    if number > len(chosen.hints):
        raise ExerciseError(f"{chosen.name} has hints 1 to {len(chosen.hints)}, no other")
    return chosen.hints[number - 1]


def _marked(console: Console, chosen: Exercise, answer: str, options: ExerciseOptions) -> ExitCode:
    submission = text_of(answer) if chosen.kind is ExerciseKind.RULES else answer
    seconds = None if options.time is None else time_left(options.time)
    grade = mark(chosen, submission, CheckLimits(max_seconds=seconds))
    console.out(json_text(mark_data(chosen, grade)) if options.json else _told(grade))
    if not grade.is_understood:
        return ExitCode.USAGE
    return {True: ExitCode.DONE, False: ExitCode.NO, None: ExitCode.UNDECIDED}[grade.is_right]


def _told(grade: Mark) -> str:
    if grade.report is None:
        return mark_text(grade)
    findings = [rendered([diagnostic], sys.stdout) + "\n" for diagnostic in grade.report.findings()]
    return "\n".join([*findings, summary(grade.report), "", mark_text(grade)])

"""Exercises and the marks of answers, as text and as data.

Reports: a list of exercises, a task with the form of an answer, a solution, and the reply to an
answer. A report never reveals more than requested.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from gamedsl.reports.checks.findings import FileReport
from gamedsl.reports.json_text import data_of
from gamedsl.reports.paragraphs import fill
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


class ExerciseKind(StrEnum):
    """Kinds of tasks: to write rules, to make a claim about a game, to name the leaves pruned by
    alpha-beta, or to name the information sets of a player.
    """

    RULES = "rules"
    CLAIM = "claim"
    CUTS = "cuts"
    INFORMATION_SETS = "information sets"


HEADINGS = {
    ExerciseKind.RULES: "Write the rules",
    ExerciseKind.CLAIM: "Predict",
    ExerciseKind.CUTS: "Mark what alpha-beta cuts",
    ExerciseKind.INFORMATION_SETS: "Find the information sets",
}


ABOUT = "exercise=name kind title source"
"""The fields of data about an exercise."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A task, with all data needed to mark an answer.

    Attributes:
        name: name of the exercise.
        path: path of the exercise file.
        source: origin of the exercise, in words; "" for original exercises.
        text: the task, in lines of at most 80 columns.
        hints: from the first nudge to the last.
        because: the reason for the answer, in words.
        claims, solution: (RULES) the file of claims about the rules, and rules that satisfy the
            claims.
        game: (remaining kinds) the file of rules that the task is about.
        asks, answer: (CLAIM) the subject of the claim, such as `value` or `plies`, and the truth.
        order: (CUTS) order of moves in the search: `declared` or `best`.
        player: (INFORMATION_SETS) the player.
    """

    name: str
    path: Path
    kind: ExerciseKind
    title: str
    text: str
    source: str = ""
    hints: tuple[str, ...] = ()
    because: str = ""
    claims: Path | None = None
    solution: Path | None = None
    game: Path | None = None
    asks: str = ""
    answer: str = ""
    order: str = "declared"
    player: str = ""

    def __str__(self) -> str:
        return exercise_text(self)

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Mark:
    """The reply to an answer.

    Attributes:
        is_right: None if the answer could not be decided within the limits, or not be read.
        remarks: sentences that do not give the solution away.
        is_understood: whether the answer could be read.
        report: (RULES) the findings of the check.
    """

    is_right: bool | None
    remarks: tuple[str, ...] = ()
    is_understood: bool = True
    report: FileReport | None = None

    def __str__(self) -> str:
        text = mark_text(self)
        return text if self.report is None else f"{self.report}\n\n{text}"

    __repr__ = __str__


def exercises_text(exercises: Iterable[Exercise]) -> str:
    """All exercises, by kind."""
    all_exercises = tuple(exercises)
    width = max((len(exercise.name) for exercise in all_exercises), default=0)
    lines = []
    for kind in ExerciseKind:
        lines += ["", HEADINGS[kind]]
        for exercise in all_exercises:
            if exercise.kind is kind:
                title = (
                    f"{exercise.title} ({exercise.source})" if exercise.source else exercise.title
                )
                lines.append(f"  {exercise.name:<{width}}  {title}")
    return "\n".join(lines[1:])


def exercise_text(exercise: Exercise) -> str:
    """The task, the rules for the task, and the form of an answer."""
    origin = f" ({exercise.source})" if exercise.source else ""
    parts = [f"{exercise.title}{origin}", exercise.text.strip()]
    if exercise.game is not None:
        rules = exercise.game.read_text("utf-8").strip().splitlines()
        parts.append("\n".join(f"    {line}".rstrip() for line in rules))
    answer = "FILE" if exercise.kind is ExerciseKind.RULES else '"..."'
    parts.append(f"Have an answer checked: gamedsl exercise {exercise.name} {answer}")
    if exercise.hints:
        parts[-1] += f"\n{count(len(exercise.hints), 'hint')}: --hint 1"
        parts[-1] += f" to --hint {len(exercise.hints)}" if len(exercise.hints) > 1 else ""
    return "\n\n".join(parts)


def solution_text(exercise: Exercise, answer: str) -> str:
    """The answer, for rules the text of the rules, and the reason."""
    data = solution_data(exercise, answer)
    return "\n\n".join(part for part in (data["solution"], fill(data["because"])) if part)


def solution_data(exercise: Exercise, answer: str) -> dict[str, str]:
    """The answer, for rules the text of the rules, and the reason, JSON-ready."""
    rules = exercise.solution
    told = answer if rules is None else rules.read_text("utf-8").strip()
    return {"solution": told, "because": exercise.because}


def mark_text(mark: Mark) -> str:
    """Whether an answer is right, with remarks that do not reveal the solution."""
    if not mark.is_understood:
        return "\n".join(("This answer cannot be read.", *mark.remarks))
    verdict = {True: "Right.", False: "Not right.", None: "It could not be told."}[mark.is_right]
    return "\n".join((verdict, *map(fill, mark.remarks)))


def exercises_data(exercises: Iterable[Exercise]) -> dict[str, object]:
    """All exercises, JSON-ready."""
    return {"exercises": [data_of(each, ABOUT) for each in exercises]}


def exercise_data(exercise: Exercise) -> dict[str, object]:
    """The task, the rules for the task, and the number of hints, JSON-ready."""
    rules = None if exercise.game is None else exercise.game.read_text("utf-8")
    about = data_of(exercise, f"{ABOUT} text", text=exercise.text.strip())
    return about | {"rules": rules, "hints": len(exercise.hints)}


def mark_data(exercise: Exercise, mark: Mark) -> dict[str, object]:
    """The mark, JSON-ready; for rules the remarks are the findings of the check."""
    findings = () if mark.report is None else mark.report.findings()
    remarks = [*mark.remarks, *(finding.message for finding in findings)]
    heading = data_of(exercise, "exercise=name kind")
    return heading | data_of(mark, "is_understood is_right remarks", remarks=remarks)

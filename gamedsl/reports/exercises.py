"""Exercises, and how answers to them were marked, as text and as data.

In: `Exercise` and `Mark`. Out: a list of exercises, one of them with how it is answered, its
solution, and what is said to an answer. Nothing here tells more than it was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from gamedsl.reports.checks.findings import FileReport
from gamedsl.reports.paragraphs import fill
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


class ExerciseKind(StrEnum):
    """What is to be done: rules written, a claim about a game made, the leaves named that
    alpha-beta cuts off, or the information sets of a player."""

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


@dataclass(frozen=True, slots=True)
class Exercise:
    """A task, and all that is needed to mark an answer to it.

    Attributes:
        name: how it is called for; path: the file that it was read from.
        source: where it comes from, in words; "" if it is nobody else's.
        text: the task, in lines of at most 80 columns.
        hints: from the first nudge to the last.
        because: why the answer is what it is, in words.
        claims, solution: (RULES) the file of claims that rules have to fulfil, and rules that do.
        game: (others) the file of rules that the task is about.
        asks, answer: (CLAIM) what is claimed, such as `value` or `plies`, and what is true.
        order: (CUTS) in which the search takes moves: `declared` or `best`.
        player: (INFORMATION_SETS) whose.
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
    """What is said to an answer.

    Attributes:
        is_right: None where it could not be told within the limits, or the answer not be read.
        remarks: sentences that do not give the solution away.
        is_understood: whether the answer could be read.
        report: (RULES) what checking has found.
    """

    is_right: bool | None
    remarks: tuple[str, ...] = ()
    is_understood: bool = True
    report: FileReport | None = None

    def __str__(self) -> str:
        return mark_text(self)

    __repr__ = __str__


def exercises_text(exercises: Iterable[Exercise]) -> str:
    """All exercises, by what is to be done."""
    found = tuple(exercises)
    width = max((len(one.name) for one in found), default=0)
    lines = []
    for kind in ExerciseKind:
        lines += ["", HEADINGS[kind]]
        for one in found:
            if one.kind is kind:
                title = f"{one.title} ({one.source})" if one.source else one.title
                lines.append(f"  {one.name:<{width}}  {title}")
    return "\n".join(lines[1:])


def exercise_text(exercise: Exercise) -> str:
    """The task, the rules that it is about, and how it is answered."""
    origin = f" ({exercise.source})" if exercise.source else ""
    parts = [f"{exercise.title}{origin}", exercise.text.strip()]
    if exercise.game is not None:
        rules = exercise.game.read_text("utf-8").strip().splitlines()
        parts.append("\n".join(f"    {line}".rstrip() for line in rules))
    given = "FILE" if exercise.kind is ExerciseKind.RULES else '"..."'
    parts.append(f"Have an answer checked: gamedsl exercise {exercise.name} {given}")
    if exercise.hints:
        parts[-1] += f"\n{count(len(exercise.hints), 'hint')}: --hint 1"
        parts[-1] += f" to --hint {len(exercise.hints)}" if len(exercise.hints) > 1 else ""
    return "\n\n".join(parts)


def solution_text(exercise: Exercise, answer: str) -> str:
    """The answer, which for rules is their text, and why."""
    rules = exercise.solution
    told = answer if rules is None else rules.read_text("utf-8").strip()
    return "\n\n".join(part for part in (told, fill(exercise.because)) if part)


def mark_text(mark: Mark) -> str:
    """Whether an answer is right, and what can be said without the solution."""
    if not mark.is_understood:
        return "\n".join(("This answer cannot be read.", *mark.remarks))
    verdict = {True: "Right.", False: "Not right.", None: "It could not be told."}[mark.is_right]
    return "\n".join((verdict, *map(fill, mark.remarks)))


def mark_data(exercise: Exercise, mark: Mark) -> dict[str, object]:
    """The same, JSON-ready; of rules the remarks are what checking has found."""
    found = () if mark.report is None else mark.report.findings()
    return {
        "exercise": exercise.name,
        "kind": str(exercise.kind),
        "is_understood": mark.is_understood,
        "is_right": mark.is_right,
        "remarks": [*mark.remarks, *(one.message for one in found)],
    }

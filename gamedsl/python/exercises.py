"""Exercises: the exercise files, and the marking of answers.

Pruned leaves and information sets are computed from the game, so that no file stores the solution;
claims and rules are verified as by `gamedsl check --claims`.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

from gamedsl.game import LoadedGame, find_source, load
from gamedsl.game.reading import read_play
from gamedsl.game.steps import names_along
from gamedsl.model import IllegalActionError, UnsupportedGameError
from gamedsl.python.checking import NO_LIMITS, CheckLimits, check_source
from gamedsl.python.claim_answers import in_the_language, refutations, wanted_form
from gamedsl.reports.exercises import Exercise, ExerciseKind, Mark
from gamedsl.reports.trees.search import SearchLog
from gamedsl.solvers.graphs.information import InformationSet, information_sets, play_names
from gamedsl.solvers.textbook.algorithms import Algorithm, Order, ordering_of, search
from gamedsl.solvers.textbook.pruned_leaves import pruned_leaves
from gamedsl.source import Diagnostic, SourceFile, nearest
from gamedsl.source.files import read_source
from gamedsl.source.keywords import answering
from gamedsl.source.text import source_from_text

NONE = "none"
DEEPEST, MOST_VISITS = 1_000, 20_000
"""Limits of a search for pruned leaves: games of exercises are small."""
MOST_SOLVED = 20_000
"""Limit on the positions solved to order moves from best to worst."""
_PACKAGE = Path(__file__).resolve().parent.parent
_COMMON = {"kind", "title", "text", "source", "hints", "because"}
_NEEDED = {
    ExerciseKind.RULES: {"claims", "solution"},
    ExerciseKind.CLAIM: {"game", "asks", "answer"},
    ExerciseKind.CUTS: {"game"},
    ExerciseKind.INFORMATION_SETS: {"game", "player"},
}

Answer = str | Path | SourceFile
Play = tuple[str, ...]


class ExerciseError(ValueError):
    """The exercise is unknown or the file is wrong; the message gives the reason."""


@answering
def exercises() -> tuple[Exercise, ...]:
    """The exercises shipped with the package, by name."""
    return tuple(_read(path) for path in sorted(_folder().glob("*.toml")))


@answering
def exercise(name: str | Path) -> Exercise:
    """The exercise of a name, or of a user's `.toml` file. Raises ExerciseError."""
    if isinstance(name, Path) or name.endswith(".toml"):
        return _read(Path(name))
    known = {path.stem: path for path in _folder().glob("*.toml")}
    if name in known:
        return _read(known[name])
    near = nearest(name, list(known))
    hint = f"; did you mean `{near}`?" if near else "; `gamedsl exercise` lists them"
    raise ExerciseError(f"there is no exercise `{name}`{hint}")


@answering
def mark(given: Exercise | str | Path, answer: Answer, limits: CheckLimits = NO_LIMITS) -> Mark:
    """The mark for an answer: rules (a file, or the text of a file), or the answer to the task.

    Args:
        given: an exercise, or the name or `.toml` file of an exercise.
        answer: the rules, or the answer as text.
        limits: limits of the check of rules and claims.

    Raises:
        ExerciseError: the exercise is unknown.
        GameSourceError, GameRuleError, UnsupportedGameError, SearchLimitError, OutOfBudgetError:
            the game of a user's exercise does not fit the task.
    """
    asked = given if isinstance(given, Exercise) else exercise(given)
    match asked.kind:
        case ExerciseKind.RULES:
            return _rules(asked, answer, limits)
        case ExerciseKind.CLAIM:
            return _claim(asked, str(answer), limits)
        case ExerciseKind.CUTS:
            return _cuts(asked, str(answer))
        case ExerciseKind.INFORMATION_SETS:
            return _sets(asked, str(answer))


def right_answer(task: Exercise) -> str:
    """The right answer in the notation of answers; empty for rules, which are a file."""
    match task.kind:
        case ExerciseKind.CUTS:
            return ", ".join(map(" ".join, _never_visited(task))) or NONE
        case ExerciseKind.INFORMATION_SETS:
            sets = [[_plain(play) for play in plays] for plays in _information_sets(task)]
            return "; ".join(", ".join(plays) for plays in sets)
        case _:
            return task.answer


# --- files ---------------------------------------------------------------------------------------


def _folder() -> Path:
    """The folder of exercises: beside the package in a checkout, inside the package in a wheel."""
    installed = _PACKAGE / "_exercises"
    return installed if installed.is_dir() else _PACKAGE.parent / "docs" / "textbook" / "exercises"


def _read(path: Path) -> Exercise:
    source = read_source(path)
    if isinstance(source, Diagnostic):
        raise ExerciseError(source.message)
    try:
        fields = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise ExerciseError(f"{path}: {error}") from error
    except RecursionError as error:
        raise ExerciseError(f"{path}: it is nested far deeper than an exercise") from error
    except ValueError as error:  # the message of Python about a number
        raise ExerciseError(f"{path}: it has a number of more digits than can be read") from error
    return _exercise(path, fields)


def _exercise(path: Path, fields: dict[str, object]) -> Exercise:
    kinds = ", ".join(f'"{kind}"' for kind in ExerciseKind)
    if fields.get("kind") not in list(ExerciseKind):
        raise ExerciseError(f"{path}: `kind` is one of {kinds}")
    kind = ExerciseKind(str(fields["kind"]))
    allowed = _COMMON | _NEEDED[kind] | ({"order"} if kind is ExerciseKind.CUTS else set())
    for name in {"title", "text"} | _NEEDED[kind]:
        if name not in fields:
            raise ExerciseError(f"{path}: an exercise of the kind `{kind}` needs `{name}`")
    for name, value in fields.items():
        if name not in allowed:
            raise ExerciseError(f"{path}: `{name}` means nothing in the kind `{kind}`")
        if not _fits(name, value):
            shape = "a list of strings" if name == "hints" else "a string"
            raise ExerciseError(f"{path}: `{name}` is {shape}")
    if fields.get("order", Order.DECLARED) not in (Order.DECLARED, Order.BEST):
        raise ExerciseError(f'{path}: `order` is "{Order.DECLARED}" or "{Order.BEST}"')

    def text(name: str, usual: str = "") -> str:
        return str(fields.get(name, usual))

    def file(name: str) -> Path | None:
        return _sibling_file(path, text(name)) if name in fields else None

    hints = fields.get("hints")
    return Exercise(
        path.stem,
        path,
        kind,
        text("title"),
        text("text"),
        text("source"),
        tuple(hints) if isinstance(hints, list) else (),
        text("because"),
        file("claims"),
        file("solution"),
        file("game"),
        text("asks"),
        text("answer"),
        text("order", Order.DECLARED),
        text("player"),
    )


def _fits(name: str, value: object) -> bool:
    if name == "hints":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, str)


def _sibling_file(path: Path, name: str) -> Path:
    file = path.absolute().parent / name
    if not file.is_file():
        raise ExerciseError(f"{path}: there is no file `{name}` beside it")
    return file


# --- marks ---------------------------------------------------------------------------------------


def _rules(task: Exercise, answer: Answer, limits: CheckLimits) -> Mark:
    handed_in = answer if isinstance(answer, SourceFile) else find_source(answer)
    if isinstance(handed_in, Diagnostic):
        return Mark(None, (handed_in.message,), is_understood=False)
    assert task.claims is not None
    claims = read_source(task.claims)
    if isinstance(claims, Diagnostic):
        raise ExerciseError(f"{task.path}: {claims.message}")
    claims = replace(claims, name=f"exercise {task.name}")
    report = check_source(handed_in, {}, limits, claims=claims)
    is_right = report.is_ok and (None if report.is_undecided else True)
    return Mark(is_right, report=report)


def _claim(task: Exercise, answer: str, limits: CheckLimits) -> Mark:
    assert task.game is not None
    told = " ".join(answer.split())
    if not told or "#" in told:
        return Mark(None, (f"say what `{task.asks}` is",), is_understood=False)
    game = _game(task)
    claim = in_the_language(game, task.asks, told)
    form = wanted_form(game, task.asks)
    if claim is None:
        return Mark(None, (form,), is_understood=False)
    text = f'include "{task.game.name}"\nexpect {task.asks}: {claim}\n'
    source = source_from_text(text, "your answer", task.game.parent / "answer.game")
    report = check_source(source, {}, limits)
    errors = [diagnostic for diagnostic in report.diagnostics if diagnostic.is_error]
    if errors:
        said = (form,) if form else tuple(error.message for error in errors)
        return Mark(None, said, is_understood=False)
    (verdict,) = report.verdicts
    if verdict.ok is None:
        return Mark(None, (verdict.reason,) if verdict.reason else ())
    if verdict.ok:
        return Mark(True, ())
    reasons = tuple(refutations(game, task.asks, claim, verdict.observed))
    return Mark(False, reasons or (f"`{task.asks}: {claim}` does not hold.",))


def _cuts(task: Exercise, answer: str) -> Mark:
    game = _game(task)
    named: set[Play] = set()
    for text in _parts(answer, ","):
        try:
            steps, state = read_play(game, game.initial_state(), text)
        except IllegalActionError as error:
            return Mark(None, (str(error),), is_understood=False)
        if not game.is_terminal(state):
            return Mark(None, (f"{text}: play goes on there",), is_understood=False)
        named.add(play_names(game, steps))
    true = set(_never_visited(task))
    remarks = [f"{_plain(play)} is visited." for play in sorted(named - true)]
    if true - named and not remarks:
        remarks.append("More than that is never visited.")
    return Mark(named == true, tuple(remarks))


def _never_visited(task: Exercise) -> tuple[Play, ...]:
    """The leaves that alpha-beta does not visit, by the names of the moves."""
    game = _game(task)
    root = game.initial_state()
    ordering = ordering_of(Order(task.order), game, root, max_positions=MOST_SOLVED)
    log = SearchLog(DEEPEST, MOST_VISITS, 0)
    search(Algorithm.ALPHA_BETA, game, root, ordering=ordering, observer=log)
    paths = pruned_leaves(game, log.events).leaves
    return tuple(names_along(game, root, path) for path in paths)


def _sets(task: Exercise, answer: str) -> Mark:
    game = _game(task)
    true = {frozenset(plays) for plays in _information_sets(task)}
    nodes = frozenset[Play]().union(*true)
    remarks = []
    named = set()
    for part in _parts(answer, ";"):
        group = set()
        for text in _parts(part, ","):
            try:
                steps, _ = read_play(game, game.initial_state(), text)
            except IllegalActionError as error:
                return Mark(None, (str(error),), is_understood=False)
            group.add(play_names(game, steps))
            if play_names(game, steps) not in nodes:
                return Mark(None, (f"{text}: {task.player} does not move there",), False)
        named.add(frozenset(group))
        shown = ", ".join(map(_plain, sorted(group)))
        if group and not any(group <= whole for whole in true):
            remarks.append(f"{shown}: {task.player} can tell these apart.")
        elif group and group not in true:
            remarks.append(f"{shown}: another node looks the same to {task.player}.")
    if true - named and not remarks:
        remarks.append("There are more sets than that.")
    return Mark(named == true, tuple(remarks))


def _information_sets(task: Exercise) -> list[list[Play]]:
    game = _game(task)
    if task.player not in game.facts.players:
        raise UnsupportedGameError(f"{game.name} has no player {task.player}")
    player = game.facts.players.index(task.player)
    return [
        _members(game, information_set)
        for information_set in information_sets(game)
        if information_set.player == player
    ]


def _members(game: LoadedGame, information_set: InformationSet) -> list[Play]:
    return [play_names(game, member.history) for member in information_set.members]


def _game(task: Exercise) -> LoadedGame:
    assert task.game is not None
    return load(task.game)


def _parts(answer: str, mark: str) -> list[str]:
    """The parts of an answer between marks; empty for the answer `none`."""
    parts = [part.strip() for part in answer.split(mark)]
    return [part for part in parts if part and part != NONE]


def _plain(play: Play) -> str:
    """A play in the notation of answers: `J Q bet`, not `card[Ann]=J card[Bob]=Q bet`."""
    return " ".join(name.rpartition("=")[2] for name in play)

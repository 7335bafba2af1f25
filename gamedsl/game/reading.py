"""Reading of actions: finds the legal action that a person's text describes (decision 31).

The result is an action or a whole play; otherwise `IllegalActionError` is raised, with proposals of
legal actions. An action is written as its name (`go(e2, e4)`, `die=3`), or by its arguments alone,
joined by commas, blanks, dashes or nothing, if exactly one legal action fits. The names of actions
are defined in `model.action_names`. A text that fits no name is read in the game's notation, if any
(`game.notations`): `Nf3` for `go(g1, f3)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeVar

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.action_names import joined_parts, parts_of
from gamedsl.model.errors import IllegalActionError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source.nearest import all_nearest

Step = tuple[State, Action | JointAction]
Named = TypeVar("Named")

STRICTNESS = range(3)
"""Ways of reading a text, from the strictest: by the full name, ignoring blanks; by separated
arguments; by arguments that may run together. The first way that fits an action is used.
"""
NOTATION = len(STRICTNESS)
"""A way of reading a play: words that fit no name are read in the notation of the game."""
CASELESS = NOTATION + 1
"""The last way of reading: by arguments that may run together, small or large letters."""
SHOWN = 8
"""Number of actions proposed in a message."""

_APART = r"(?:\s*[,\-]\s*|\s+)"
_MAYBE_APART = r"\s*[,\-]?\s*"
_BETWEEN = re.compile(r"[\s,]*")
_END = re.compile(r"(?=[\s,]|$)")
_SIGNS = re.compile(r"[\s,()\-]+")
_MOVE_NUMBER = re.compile(r"(?<!\S)\d+\.+")
_WORD = re.compile(r"[^\s,]+")
_AND = re.compile(r"\s*\+\s*")
_NOTHING = re.compile("")


def read_action(
    game: Game, state: State, text: str, player: int | None = None
) -> Action | JointAction:
    """The action, or the outcome of chance, described by a text. Where all players choose
    simultaneously, the action of `player`, or the actions of all players, joined by `+` in turn
    order.

    Raises:
        IllegalActionError: no legal action fits, or several do.
    """
    wanted = text.strip()
    if player is None and game.current_player(state) == SIMULTANEOUS:
        actions = [
            action for action, end in _readings(game, state, wanted, 0) if end == len(wanted)
        ]
        if len(actions) == 1:
            return actions[0]
        raise IllegalActionError(_why_not(game, state, wanted), text, state)
    try:
        return named(wanted, action_names(game, state, player), state)
    except IllegalActionError:
        meant = _in_notation(game, state, wanted)
        if len(meant) == 1:
            return meant[0]
        if meant:
            names = _listed(game.action_name(state, action) for action in meant)
            raise IllegalActionError(f"`{wanted}` could be {names}", text, state) from None
        alike = _whole(action_names(game, state, player), wanted, (CASELESS,))
        if len(alike) == 1:
            return alike[0]
        raise


def _in_notation(game: Game, state: State, word: str) -> tuple[Action, ...]:
    """The legal actions that a word can mean in the notation of the game."""
    notation = getattr(game, "notation", None)
    actions: tuple[Action, ...] = () if notation is None else notation.read(state, word)
    return actions


def named(text: str, names: Mapping[Named, str], state: State) -> Named:
    """The key of the only name that a text fits. Raises IllegalActionError."""
    wanted = text.strip()
    keys = _whole(names, wanted)
    if len(keys) == 1:
        return keys[0]
    raise IllegalActionError(_why_none_fits(wanted, names), text, state)


def _whole(
    names: Mapping[Named, str], text: str, strictness: Sequence[int] = STRICTNESS
) -> list[Named]:
    """The keys of the names that the whole text fits."""
    return [key for key, end in _fitting(names, text, 0, strictness) if end == len(text)]


def read_play(game: Game, state: State, text: str) -> tuple[tuple[Step, ...], State]:
    """The steps of a play that begins at `state`, and the state after the play.

    Actions are separated by blanks or commas, which may also stand between the arguments of an
    action: an ambiguous text is read by full names or not at all.

    Raises:
        IllegalActionError: the text is no play of the game.
    """
    end = len(text.rstrip(" \t\r\n,"))
    strict = (STRICTNESS[:1], STRICTNESS, (*STRICTNESS, NOTATION))
    for strictness in (*strict, (*STRICTNESS, NOTATION, CASELESS)):
        words = text[:end]
        if NOTATION in strictness:
            words = _MOVE_NUMBER.sub(lambda number: " " * len(number[0]), words)
        plays, furthest = _plays(game, state, words, strictness)
        if len(plays) == 1:
            return plays[0]
    if plays:
        first, second = (_written(game, steps) for steps, _ in plays[:2])
        raise IllegalActionError(f"`{text}` could be `{first}` or `{second}`", text, state)
    at, there = furthest
    raise IllegalActionError(_why_not(game, there, text[at:end], is_play=True), text, there)


_Line = tuple["_Line", Step] | None
"""The steps to a position, the last step first."""


def _plays(
    game: Game, root: State, text: str, strictness: Sequence[int]
) -> tuple[list[tuple[tuple[Step, ...], State]], tuple[int, State]]:
    """The plays that a text can mean (at most two are given), and the furthest place that can be
    reached, with the state there.
    """
    first = _after(_BETWEEN, text, 0)
    waiting: dict[int, dict[State, list[_Line]]] = {first: {root: [None]}}
    while True:
        at = min(waiting)
        reached = waiting.pop(at)
        if at == len(text):
            lines = [(line, state) for state, lines_here in reached.items() for line in lines_here]
            return [(_steps(line), state) for line, state in lines], (at, root)
        for state, lines_here in reached.items():
            for action, following in _goes_on(game, state, text, at, strictness):
                after = game.result(state, action)
                known = waiting.setdefault(following, {}).setdefault(after, [])
                known += [(line, (state, action)) for line in lines_here][: 2 - len(known)]
        if not waiting:
            return [], (at, next(iter(reached)))


def _steps(line: _Line) -> tuple[Step, ...]:
    steps = []
    while line is not None:
        line, step = line
        steps.append(step)
    return tuple(reversed(steps))


def _goes_on(
    game: Game, state: State, text: str, at: int, strictness: Sequence[int]
) -> Iterator[tuple[Action | JointAction, int]]:
    """The actions that the next words mean unambiguously, and the start of the following words."""
    by_name = [degree for degree in strictness if degree != NOTATION]
    readings = list(_readings(game, state, text, at, by_name))
    word = _WORD.match(text, at)
    if not readings and NOTATION in strictness and word is not None:
        readings = [(action, word.end()) for action in _in_notation(game, state, word[0])]
    ends = [end for _, end in readings]
    for action, end in readings:
        if ends.count(end) == 1 and _END.match(text, end):
            yield action, _after(_BETWEEN, text, end)


def _written(game: Game, steps: Sequence[Step]) -> str:
    return " ".join(game.action_name(state, action) for state, action in steps)


def action_names(game: Game, state: State, player: int | None = None) -> dict[Action, str]:
    """The legal actions, or the outcomes of chance, with their names; where all players choose
    simultaneously, the actions of `player`.
    """
    if game.current_player(state) == CHANCE:
        actions = tuple(outcome for outcome, _ in game.chance_outcomes(state))
    else:
        actions = game.legal_actions(state, player)
    return {action: game.action_name(state, action) for action in actions}


def _readings(
    game: Game, state: State, text: str, at: int, strictness: Sequence[int] = STRICTNESS
) -> Iterator[tuple[Action | JointAction, int]]:
    """The actions that the text can begin with at a place, and the end of each."""
    if game.current_player(state) != SIMULTANEOUS:
        yield from _fitting(action_names(game, state, None), text, at, strictness)
        return
    readings: list[tuple[JointAction, int]] = [((), at)]
    for player in game.players:
        names = action_names(game, state, player)
        starts = [
            (joint, mark.end())
            for joint, end in readings
            if (mark := (_AND if joint else _NOTHING).match(text, end))
        ]
        readings = [
            ((*joint, action), end)
            for joint, start in starts
            for action, end in _fitting(names, text, start, strictness)
        ]
    yield from readings


def _fitting(
    names: Mapping[Named, str], text: str, at: int, strictness: Sequence[int] = STRICTNESS
) -> Iterator[tuple[Named, int]]:
    """The names that the text can begin with at a place, and the end of each. Among names with the
    same end, only the most strictly read names are given.
    """
    bare = _SIGNS.sub("", text[at:])
    if CASELESS in strictness:
        bare = bare.lower()
    likely = {
        key: name
        for key, name in names.items()
        if _may_begin(bare, name.lower() if CASELESS in strictness else name)
    }
    ends: set[int] = set()
    for degree in strictness:
        matches = {key: _pattern(name, degree).match(text, at) for key, name in likely.items()}
        fits = [(key, match.end()) for key, match in matches.items() if match is not None]
        yield from ((key, end) for key, end in fits if end not in ends)
        ends |= {end for _, end in fits}


def _may_begin(bare: str, name: str) -> bool:
    """Whether a text without signs can begin with a name, up to the first set; a quick test."""
    forms = product(*((part, part[1:]) if part[1:] else (part,) for part in _bare_parts(name)))
    starts = ("+".join(map("".join, form)).partition("{")[0] for form in forms)
    return any(map(bare.startswith, starts))


@lru_cache(maxsize=1 << 14)
def _bare_parts(name: str) -> tuple[tuple[str, ...], ...]:
    parts = []
    for part in joined_parts(name):
        head, mark, arguments = parts_of(part)
        bare = [_SIGNS.sub("", argument) for argument in arguments]
        parts.append((_SIGNS.sub("", head) + mark.strip("()"), *bare))
    return tuple(parts)


@lru_cache(maxsize=1 << 10)
def _pattern(name: str, degree: int) -> re.Pattern[str]:
    """The pattern of a name at a degree of strictness."""
    pattern = r"\s*\+\s*".join(_part_pattern(part, degree) for part in joined_parts(name))
    return re.compile(pattern, re.IGNORECASE if degree == CASELESS else 0)


def _part_pattern(part: str, degree: int) -> str:
    head, mark, arguments = parts_of(part)
    if not arguments:
        return _flexible(head)
    values = [_flexible(argument) for argument in arguments]
    between = (r"\s*,\s*", _APART, _MAYBE_APART)[min(degree, STRICTNESS[-1])]
    together = between.join(values)
    whole = rf"\s*=\s*{together}" if mark == "=" else rf"\s*\(\s*{together}\s*\)"
    if degree == 0:
        return _flexible(head) + whole
    return rf"(?:(?:{_flexible(head)})?{whole}|(?:{_flexible(head)}{between})?{together})"


def _flexible(text: str) -> str:
    """A value with blanks allowed at all signs; the elements of a set may come in any order."""
    if text.startswith("{") and "," in text:
        items = [_flexible(item.strip()) for item in text[1:-1].split(",")]
        each = "".join(rf"(?=\{{(?:[^{{}}]*,)?\s*{item}\s*[,}}])" for item in items)
        return each + rf"\{{[^{{}},]*(?:,[^{{}},]*){{{len(items) - 1}}}\}}"
    pieces = re.findall(r"\w+|[^\w\s]", text)
    return r"\s*".join(map(re.escape, pieces))


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return at if match is None else match.end()


# --- messages about texts that fit no action --------------------------------------------------


def _why_not(game: Game, state: State, text: str, *, is_play: bool = False) -> str:
    """The reason why no action fits; in an unfinished play, for the words that could begin an
    action.
    """
    if game.current_player(state) != SIMULTANEOUS:
        return _why_none_fits(text, action_names(game, state, None), is_play=is_play)
    pattern = "+".join(f"<{player!r}>" for player in game.players)
    words = text.split(None, 1)[0] if is_play and "+" not in text else text
    parts = words.split("+")
    if len(parts) == len(game.players):
        for player, part in zip(game.players, parts, strict=True):
            names = action_names(game, state, player)
            if sum(end == len(part.strip()) for _, end in _fitting(names, part.strip(), 0)) != 1:
                return f"{player!r}: {_why_none_fits(part.strip(), names)}"
    return f"`{words}`: all players choose here; write an action of each: {pattern}"


def _why_none_fits(text: str, names: Mapping[Named, str], *, is_play: bool = False) -> str:
    if not names:
        return f"`{_first_words(text, 1)}` is not legal here; nothing is"
    words = text.split()
    begun, candidates = _beginning(words, names)
    if begun == len(words) and candidates:
        if len(candidates) == 1:
            return f"`{text}` is not all of a move; did you mean `{candidates[0]}`?"
        return f"`{text}` could be {_listed(candidates)}"
    wrong = _first_words(text, begun + 1) if is_play else text
    if len(candidates) == 1:
        few = f"; did you mean `{candidates[0]}`?"
    elif candidates:
        few = f"; with `{_first_words(text, begun)}` legal are {_listed(candidates)}"
    else:
        near = _nearest(wrong, names)
        few = f"; legal {'is' if len(names) == 1 else 'are'} {_listed(near or names.values())}"
        if len(near) == 1:
            few = f"; did you mean `{near[0]}`?"
    return f"`{wrong}` is not legal here{few}"


def _beginning(words: Sequence[str], names: Mapping[Named, str]) -> tuple[int, list[str]]:
    """The number of words that names begin with, and the names."""
    candidates: list[str] = []
    for count in range(1, len(words) + 1):
        bare = _SIGNS.sub("", "".join(words[:count]))
        begun = [name for name in names.values() if _begins(bare, name)]
        if not begun or not bare:
            return count - 1, candidates
        candidates = begun
    return len(words), candidates


def _begins(bare: str, name: str) -> bool:
    head, *arguments = (sign for part in _bare_parts(name) for sign in part)
    return any("".join(form).startswith(bare) for form in ((head, *arguments), arguments))


def _nearest(text: str, names: Mapping[Named, str]) -> list[str]:
    """The names most similar to the text, in full or by their arguments; several if equally
    similar."""
    short = {
        "".join(sign for part in _bare_parts(n) for sign in part[1:]): n for n in names.values()
    }
    arguments = _SIGNS.sub("", "".join(_SIGNS.split(text.strip())[1:]))
    if arguments and arguments in short:
        return [short[arguments]]
    near = all_nearest(text, names.values())
    return near or [short[similar] for similar in all_nearest(_SIGNS.sub("", text), short)]


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(every[:SHOWN]) + (", ..." if len(every) > SHOWN else "")


def _first_words(text: str, count: int) -> str:
    return " ".join(text.split()[: max(1, count)])

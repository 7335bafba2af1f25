"""Writing of plays, in the shortest form that can be read back, also by people (decision 31).

`reading.read_play` reads the same steps from the text. The names of single actions are made in
`model.action_names`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gamedsl.game.contract import Action, Game
from gamedsl.game.reading import Step, action_names, named, read_action, read_play
from gamedsl.model.action_names import short_name
from gamedsl.model.errors import IllegalActionError
from gamedsl.model.state import State

_RUNS_INTO = re.compile(r"\d,\d|[^\W\d],[^\W\d]")
"""Two arguments that are ambiguous without the comma, as in 1,3."""


def written_play(game: Game, steps: Sequence[Step]) -> str:
    """The moves separated by blanks: `e2e4 e7e5`, or by full names where the short form would be
    read differently.
    """
    if not steps:
        return ""
    short = " ".join(_shortest(game, *step) for step in steps)
    try:
        if read_play(game, steps[0][0], short)[0] == tuple(steps):
            return short
    except IllegalActionError:
        pass  # two moves together can be read in another way
    return " ".join(game.action_name(*step) for step in steps)


def is_told_in_notation(game: Game, steps: Sequence[Step], text: str) -> bool:
    """Whether a text tells each of the steps, of which there are some, in the notation of the game:
    `e4 e5` in chess, not `e2e4 e7e5`.
    """
    told = {word.rstrip("+#!?") for word in re.split(r"[\s,]+|\d+\.+", text)}
    moves = [in_notation(game, *step) for step in steps if isinstance(step[1], int)]
    return bool(moves) and all(move is not None and move.rstrip("+#") in told for move in moves)


def in_notation(game: Game, state: State, action: Action | tuple[Action, ...]) -> str | None:
    """A move in the notation of the game, with signs: `Nf3+`; None without a notation for it."""
    notation = getattr(game, "notation", None)
    if notation is None or isinstance(action, tuple):
        return None
    text: str | None = notation.san_with_check(state, action)
    return text


def line_in_notation(game: Game, state: State, names: Sequence[str]) -> tuple[str, ...]:
    """A line of play, given by the names of its actions, in the notation of the game."""
    texts = []
    for name in names:
        action = named(name, action_names(game, state), state)
        texts.append(in_notation(game, state, action) or name)
        state = game.result(state, action)
    return tuple(texts)


def _shortest(game: Game, state: State, action: int | tuple[int, ...]) -> str:
    """The shortest text from which the action can be read."""
    name = game.action_name(state, action)
    short = short_name(name)
    together = short if _RUNS_INTO.search(short) else short.replace(",", "")
    for text in (together, short):
        try:
            if "[" not in text and read_action(game, state, text) == action:
                return text
        except IllegalActionError:
            continue
    return name

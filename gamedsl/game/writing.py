"""Writing of plays, in the shortest form that can be read back, also by people (decision 31).

`reading.read_play` reads the same steps from the text. The names of single actions are made in
`model.action_names`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gamedsl.game.contract import Game
from gamedsl.game.reading import Step, read_action, read_play
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

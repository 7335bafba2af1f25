"""Answers to exercises about a claim: their reading, the form that is wanted, and a refuting play.

An answer about `best` names moves as people write them (`take 1`); an answer about `value` may list
the payoffs without brackets. A wrong move is refuted by the opponent's reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.game import LoadedGame
from gamedsl.game.reading import read_play
from gamedsl.model import IllegalActionError, UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

BEST, VALUE = "best", "value"
LONGEST = 6
"""Moves of a refuting play that are told."""
OPTIONS = SolveOptions(max_positions=20_000, max_seconds=5)
_BETWEEN_MOVES = re.compile(r",(?![^(]*\))")
_NUMBER = r"-?\d+(?:/\d+)?"
_NUMBERS = re.compile(rf"{_NUMBER}(?:[\s,]+{_NUMBER})+")


def in_the_language(game: LoadedGame, asks: str, answer: str) -> str | None:
    """The answer in the notation of `expect`: `take 1` becomes `take(1)`, `3 1 4` (3, 1, 4); None
    if a part is no move of the start."""
    if asks == BEST:
        names = _move_names(game, answer)
        return None if names is None else ", ".join(names)
    if asks == VALUE and _NUMBERS.fullmatch(answer):
        return f"({', '.join(re.findall(_NUMBER, answer))})"
    return answer


def wanted_form(game: LoadedGame, asks: str) -> str:
    """The form of an answer, as a sentence; empty for facts that are plain numbers."""
    match asks:
        case "best":
            state = game.initial_state()
            if game.current_player(state) in (CHANCE, SIMULTANEOUS, TERMINAL):
                return ""
            first = game.action_name(state, game.legal_actions(state)[0])
            return f"Name moves of the game, with commas between, as in `{first}`."
        case "value" if len(game.players) <= 2:
            return (
                f"Write a number, as in `1/2`, or the outcome, as in `{game.players[0].name} wins`."
            )
        case "value":
            numbers = ", ".join(str(number) for number in range(1, len(game.players) + 1))
            return f"Write a number for each player, as in `({numbers})`."
        case _:
            return ""


def refutations(game: LoadedGame, asks: str, answer: str) -> Iterator[str]:
    """For each named move that is not best, the best play that follows."""
    names = _move_names(game, answer) if asks == BEST else None
    if names is None:
        return
    start = game.initial_state()
    mover = game.current_player(start)
    try:
        whole = solve(game, start, OPTIONS)
        for name in names:
            if name in whole.best or mover < 0 or whole.value is None:
                continue
            after = solve(game, game.result(start, game.action_named(start, name)), OPTIONS)
            if after.status is Status.OPEN or after.value is None:
                continue
            play = " ".join((name, *after.principal_variation[:LONGEST]))
            player, value = game.players[mover].name, after.value[mover]
            yield f"{name} is worth {value} to {player}, and another move is worth more: {play}"
        if set(names) < set(whole.best):
            yield "More moves than that are best."
    except (UnsupportedGameError, MemoryError):
        return


def _move_names(game: LoadedGame, answer: str) -> tuple[str, ...] | None:
    """The canonical names of the moves of an answer; None if a part is no move of the start."""
    start = game.initial_state()
    names = []
    for part in _BETWEEN_MOVES.split(answer):
        try:
            steps, _ = read_play(game, start, part.strip())
        except IllegalActionError:
            return None
        if len(steps) != 1:
            return None
        state, action = steps[0]
        names.append(game.action_name(state, action))
    return tuple(names)

"""Answers to exercises about a claim: their reading, the form that is wanted, and a refuting play.

An answer about `best` names moves as people write them (`take 1`); an answer about `value` may list
the payoffs without brackets. A wrong move is refuted by the opponent's reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from gamedsl.game import LoadedGame
from gamedsl.game.reading import read_play
from gamedsl.model import IllegalActionError, UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

BEST, VALUE, AFTER = "best", "value", " after "
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


def refutations(game: LoadedGame, asks: str, answer: str, observed: str) -> Iterator[str]:
    """Sentences against a wrong answer: for each named move that is not best, the best play that
    follows; for a value, the player who can do better, and the start of best play; for a number,
    whether the answer is too large. `observed` is the truth as text."""
    subject, _, played = asks.partition(AFTER)
    try:
        if subject == VALUE:
            yield from _other_payoffs(game, answer, played.strip('"'))
        elif subject == BEST:
            yield from _worse_moves(game, answer)
        elif answer.isdecimal() and observed.isdecimal():
            yield f"{answer} is too {'large' if int(answer) > int(observed) else 'small'}."
    except (UnsupportedGameError, IllegalActionError, MemoryError):
        return


def _worse_moves(game: LoadedGame, answer: str) -> Iterator[str]:
    names = _move_names(game, answer)
    start = game.initial_state()
    mover = game.current_player(start)
    whole = solve(game, start, OPTIONS)
    for name in names or ():
        if name in whole.best or mover < 0 or whole.value is None:
            continue
        after = solve(game, game.result(start, game.action_named(start, name)), OPTIONS)
        if after.status is Status.OPEN or after.value is None:
            continue
        play = " ".join((name, *after.principal_variation[:LONGEST]))
        player, value = game.players[mover].name, after.value[mover]
        yield f"{name} is worth {value} to {player}, and another move is worth more: {play}"
    if names and set(names) < set(whole.best):
        yield "More moves than that are best."


def _other_payoffs(game: LoadedGame, answer: str, played: str) -> Iterator[str]:
    """The players to whom the value gives more than the answer, else those to whom it gives less,
    with the first half of best play."""
    start = game.initial_state()
    if played:
        _, start = read_play(game, start, played)
    claimed = _payoffs(game, answer)
    solution = solve(game, start, OPTIONS)
    if claimed is None or solution.value is None:
        return
    play = solution.principal_variation
    half = " ".join(play[: min(LONGEST, len(play) // 2)])
    shown = f": best play begins {half}" if half else "."
    pairs = list(zip(game.players, claimed, solution.value, strict=True))
    better = [player.name for player, told, true in pairs if told < true]
    worse = [player.name for player, told, true in pairs if told > true]
    if better:
        yield f"{' and '.join(better)} can do better than that{shown}"
    elif worse:
        yield f"{' and '.join(worse)} cannot do so well{shown}"


def _payoffs(game: LoadedGame, answer: str) -> tuple[Fraction, ...] | None:
    """The payoff of each player by an answer about the value; None if not said for all players."""
    if answer.endswith("draw"):
        return (Fraction(0),) * len(game.players)
    names = [player.name for player in game.players]
    winner = answer.removesuffix(" wins")
    if winner in names and len(names) == 2:
        return tuple(Fraction(1 if name == winner else -1) for name in names)
    numbers = [Fraction(number) for number in re.findall(_NUMBER, answer)]
    if len(numbers) == 1 and len(names) == 2:
        numbers.append(-numbers[0])
    return tuple(numbers) if len(numbers) == len(names) else None


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

"""The slips of `slips.toml`: read, carried out, and held against the games that they are made in.

In: the file. Out: `Slip`s, the text of each, what `check` says of it, and whether it changes the
game at all. Claims are left out: who writes a new game has none yet.
"""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gamedsl.game import LoadedGame, load_source
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, GameSourceError, State
from gamedsl.python.checking import CheckLimits, check_source
from gamedsl.source import SourceFile
from tests.whole_texts import unclaimed_text

CORPUS = Path(__file__).with_name("slips.toml")
UNNOTICED = "unnoticed"
PLAYS, LONGEST = 200, 200
"""Plays in which a slip has to make a difference, and their plies."""


@dataclass(frozen=True, slots=True)
class Slip:
    """`right`, a text in a shipped game, written as `wrong`; `code` is what `check` answers."""

    game: str
    kind: str
    right: str
    wrong: str
    why: str
    code: str

    @property
    def text(self) -> str:
        """The game with the slip. Raises ValueError where there is not one place for it."""
        text = unclaimed_text(self.game)
        if text.count(self.right) != 1:
            raise ValueError(f"{self.game} has not one place for {self.right!r}")
        return text.replace(self.right, self.wrong)

    def __str__(self) -> str:
        return f"{self.game}, {self.kind}"


def slips() -> list[Slip]:
    """All of them, in the order of the file."""
    return [Slip(**one) for one in tomllib.loads(CORPUS.read_text("utf-8"))["slip"]]


def remarks(text: str, positions: int | None = None) -> list[str]:
    """The codes of all that `check` says of a text, looking at so many positions."""
    limits = CheckLimits(positions=positions)
    report = check_source(SourceFile("slip.game", text), {}, limits)
    return [found.code for found in report.findings()]


def is_answered(slip: Slip, said: list[str]) -> bool:
    """Whether these codes are what the file says of a slip."""
    return not said if slip.code == UNNOTICED else slip.code in said


def makes_a_difference(slip: Slip) -> bool:
    """Whether somebody who plays would notice: another player moves, other moves are legal, other
    things happen, are seen or are won, endless play included; or the text is refused."""
    right = _shipped(slip.game)
    try:
        wrong = load_source(SourceFile("wrong.game", slip.text), {})
    except GameSourceError:
        return True
    if right.facts.endless != wrong.facts.endless:
        return True
    chooser = random.Random(0)
    return any(_play_differs(right, wrong, chooser) for _ in range(PLAYS))


@cache
def _shipped(name: str) -> LoadedGame:
    return load_source(SourceFile("right.game", unclaimed_text(name)), {})


def _play_differs(right: LoadedGame, wrong: LoadedGame, chooser: random.Random) -> bool:
    """Play both games by the same moves, at random, until what they say is not the same."""
    one, other = right.initial_state(), wrong.initial_state()
    for _ in range(LONGEST):
        first, second = _said(right, one), _said(wrong, other)
        if first != second:
            return True
        options = first[1]
        if not options:
            return False
        place = chooser.randrange(len(options))
        one = right.result(one, _choices(right, one)[place])
        try:
            other = wrong.result(other, _choices(wrong, other)[place])
        except GameRuleError:
            return True
    return False


def _said(game: LoadedGame, state: State) -> tuple[object, list[str], object, object]:
    """Who moves, what can happen, what is won, and what each player sees."""
    try:
        mover = game.current_player(state)
        won = game.utilities(state) if mover == TERMINAL else None
        names = [game.action_name(state, choice) for choice in _choices(game, state)]
        seen = [game.engine.view(state, player) for player in game.players]
    except GameRuleError as error:
        return error.code, [], None, None
    return mover, names, won, seen


def _choices(game: LoadedGame, state: State) -> list[int]:
    """What can happen in a state of a game in which one moves at a time."""
    mover = game.current_player(state)
    assert mover != SIMULTANEOUS
    if mover == TERMINAL:
        return []
    if mover == CHANCE:
        return [outcome for outcome, _ in game.chance_outcomes(state)]
    return list(game.legal_actions(state))

"""Games of several kinds, played in lockstep with OpenSpiel.

In: a game and a number. Out: the play, and where the two first differ, if they do. Compared in
every position: who is to move, the legal actions, the probabilities of chance, whether the game is
over and what it pays.

OpenSpiel's module needs nothing of what its package installs (`pip install --no-deps open_spiel`).

Games without a row, for OpenSpiel's rules are others: its Go ends in a draw where stones come up
again, and the file forbids the move; its Pig may hold an empty pot, and must hold at the goal; its
checkers counts moves of men among the forty plies without a capture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import inf
from random import Random
from typing import Any, NamedTuple

import pyspiel

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.model.state import CHANCE
from tests.peers.played import Played

HEX = 5
"""The size of the board."""
POINTS = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7"
"""Of Morris, in order."""
Translate = Callable[[str, tuple[str, ...]], str]
"""An action of OpenSpiel and the legal ones of the file -> the one of the file."""


class Variant(NamedTuple):
    """A shipped file and its parameters, what OpenSpiel calls the game, how the file writes its
    actions, and after how many plies OpenSpiel may break a play off."""

    file: str
    parameters: dict[str, Any]
    peer: str
    translate: Translate
    longest: float = inf


def _line(text: str, legal: tuple[str, ...]) -> str:
    row, column = (int(sign) for sign in text[2:-1].split(","))
    return f"mark({'abc'[column]}{3 - row})"


def _column(text: str, legal: tuple[str, ...]) -> str:
    return f"drop({int(text[1]) + 1})"


def _breakthrough(text: str, legal: tuple[str, ...]) -> str:
    """OpenSpiel's first player comes from above."""
    side = ord(text[2]) - ord(text[0])
    begin = f"{text[0]}{9 - int(text[1])}"
    return f"slant({begin}, {'E' if side > 0 else 'W'})" if side else f"step({begin})"


def _othello(text: str, legal: tuple[str, ...]) -> str:
    return "skip" if text == "pass" else f"place({text})"


def _hex(text: str, legal: tuple[str, ...]) -> str:
    """OpenSpiel's rows go down."""
    return f"place({text[0]}{HEX + 1 - int(text[1:])})"


def _nim(text: str, legal: tuple[str, ...]) -> str:
    heap, number = (part.partition(":")[2] for part in text.rstrip(";").split(", "))
    return f"take({heap}, {number})"


def _kalah(text: str, legal: tuple[str, ...]) -> str:
    return f"sow({(int(text) - 1) % 7})"


def _boxes(text: str, legal: tuple[str, ...]) -> str:
    """OpenSpiel counts rows from above: a mirror image, in which boxes are boxes."""
    kind, row, column = text[3:-1].split(",")
    across, up = int(column), int(row)
    return f"flat({across + 1}, {up})" if kind == "h" else f"tall({across}, {up + 1})"


def _kuhn(text: str, legal: tuple[str, ...]) -> str:
    if text.startswith("Deal:"):
        return _dealt(legal, int(text[5:]))
    names = {"Pass": ("check", "fold"), "Bet": ("bet", "call")}[text]
    return next(name for name in legal if name in names)


def _leduc(text: str, legal: tuple[str, ...]) -> str:
    if text.startswith("Chance"):
        return _dealt(legal, int(text.partition(":")[2]) // 2)
    names = {"Call": ("check", "call"), "Raise": ("bet", "raise"), "Fold": ("fold",)}[text]
    return next(name for name in legal if name in names)


def _dealt(legal: tuple[str, ...], rank: int) -> str:
    return legal[0].partition("=")[0] + "=" + "JQKA"[rank]


def _dice(text: str, legal: tuple[str, ...]) -> str:
    if text.startswith("Roll"):
        return legal[0].partition("=")[0] + "=" + text[5:]
    number, _, face = text.partition("-")
    return f"say({6 * (int(number) - 1) + int(face)})" if face else "liar"


def _morris(text: str, legal: tuple[str, ...]) -> str:
    """OpenSpiel's points from above, the file's from below: a mirror image."""
    kind, *numbers = text.replace("-> ", "").split()
    points = ", ".join(POINTS.split()[int(number)] for number in numbers)
    return f"go({points})" if kind == "Move" else f"{legal[0].partition('(')[0]}({points})"


VARIANTS = {
    row.file: row
    for row in (
        Variant("tic_tac_toe", {}, "tic_tac_toe", _line),
        Variant("connect_four", {}, "connect_four", _column),
        Variant("breakthrough", {"width": 8, "height": 8}, "breakthrough", _breakthrough),
        Variant("othello", {}, "othello", _othello),
        Variant("hex", {"width": HEX, "height": HEX}, f"hex(board_size={HEX})", _hex),
        Variant("nim", {}, "nim(pile_sizes=3;4;5,is_misere=false)", _nim),
        Variant("nim_misere", {}, "nim(pile_sizes=3;4;5)", _nim),
        Variant("kalah", {"pits": 6, "seeds": 4}, "mancala", _kalah),
        Variant(
            "dots_and_boxes",
            {},
            "dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)",
            _boxes,
        ),
        Variant("kuhn_poker", {}, "kuhn_poker", _kuhn),
        Variant("kuhn_poker_three", {}, "kuhn_poker(players=3)", _kuhn),
        Variant("leduc_poker", {}, "leduc_poker", _leduc),
        Variant("liars_dice", {"sides": 6}, "liars_dice", _dice),
        Variant("nine_mens_morris", {}, "nine_mens_morris", _morris, longest=200),
    )
}


@cache
def _loaded(name: str) -> tuple[LoadedGame, Any]:
    variant = VARIANTS[name]
    return (
        gamedsl.load(variant.file, "python", **variant.parameters),
        pyspiel.load_game(variant.peer),
    )


def play(name: str, number: int) -> Played:
    """The game with this number."""
    game, peer = _loaded(name)
    variant = VARIANTS[name]
    rng = Random(number)
    state, theirs = game.initial_state(), peer.new_initial_state()
    notes: Counter[str] = Counter()
    plies = 0

    def played(reason: str, difference: str = "") -> Played:
        said = f"{name}, game {number}: {difference}\n    by {theirs.history_str()}"
        return Played(plies, reason, notes, said if difference else "")

    while True:
        if theirs.is_terminal():
            state, passes = _after_passes(game, state)
            notes["passes after the end"] += passes
        if theirs.is_terminal() and not game.is_terminal(state) and plies >= variant.longest:
            return played("OpenSpiel breaks it off")
        if game.is_terminal(state) or theirs.is_terminal():
            paid = game.utilities(state) if game.is_terminal(state) else None
            due = tuple(theirs.returns()) if theirs.is_terminal() else None
            return played("over", "" if paid == due else f"pays {paid} here, {due} there")
        here, there = game.current_player(state), theirs.current_player()
        if here != there:
            return played("", f"{here!r} is to move here, {there} there")
        ours = _ours(game, state)
        named: dict[str, list[int]] = {}
        for action in theirs.legal_actions():
            text = theirs.action_to_string(there, action)
            named.setdefault(variant.translate(text, tuple(ours)), []).append(action)
        if named.keys() != ours.keys():
            return played("", f"on one side alone: {sorted(named.keys() ^ ours.keys())}")
        if here == CHANCE:
            chances = dict(theirs.chance_outcomes())
            outcomes = {game.action_name(state, a): p for a, p in game.chance_outcomes(state)}
            for text, same in named.items():
                if abs(float(outcomes[text]) - sum(chances[action] for action in same)) > 1e-9:
                    return played("", f"the probability of {text} is {outcomes[text]} here")
        plies += here != CHANCE
        text = rng.choice(sorted(named))
        theirs.apply_action(rng.choice(named[text]))
        state = game.result(state, ours[text])


def _ours(game: LoadedGame, state: State) -> dict[str, int]:
    if game.current_player(state) == CHANCE:
        actions = [action for action, _ in game.chance_outcomes(state)]
    else:
        actions = [*game.legal_actions(state)]
    return {game.action_name(state, action): action for action in actions}


def _after_passes(game: LoadedGame, state: State) -> tuple[State, int]:
    """Othello is over in OpenSpiel where nobody can place a disc; in the file both pass first."""
    passes = 0
    while not game.is_terminal(state) and game.action_names(state) == ("skip",):
        state = game.result(state, "skip")
        passes += 1
    return state, passes

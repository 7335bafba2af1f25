"""Draughts, played in lockstep with pydraughts.

In: a game and a number. Out: the play, and where the two first differ, if they do. Compared in
every turn: what stands where, whose turn it is, the legal turns (where a piece begins and ends, and
what it takes), and who has no move left and loses.

A jump is a ply in the files, so that a turn here is a sequence of plies; where several orders of
jumps take the same pieces, pydraughts has one turn. Draws are left out: pydraughts counts
repetitions and the pieces of endings, which the files say that they do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

import draughts

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State
from tests.peers.played import Played


class Variant(NamedTuple):
    """A shipped file, what pydraughts calls the game, and how it numbers the squares: whether rows
    and columns go up."""

    file: str
    peer: str
    rows_go_up: bool
    columns_go_up: bool
    parameters: dict[str, int]


VARIANTS = {
    "checkers": Variant("checkers", "english", True, False, {}),
    "international_draughts": Variant("international_draughts", "standard", False, True, {}),
    "international_draughts, size=8": Variant(
        "international_draughts", "brazilian", True, True, {"size": 8}
    ),
}
Turn = tuple[int, int, frozenset[int]]
"""Where a piece begins and ends, and the squares on which it takes; numbered by pydraughts."""


class Reader:
    """Says what the states of one game hold, with the squares numbered as pydraughts does."""

    def __init__(self, game: LoadedGame, variant: Variant) -> None:
        variables = {place.name: place for place in game.model.variables}
        self._man, self._king = variables["man"].offset, variables["king"].offset
        self._letters = [str(value)[0] for value in variables["man"].domain.values]
        squares = [str(square) for square in variables["man"].indices[0].values]
        up, right = (1 if goes_up else -1 for goes_up in variant[2:4])
        ordered = sorted(squares, key=lambda s: (up * int(s[1:]), right * ord(s[0])))
        self.number = {square: ordered.index(square) + 1 for square in squares}
        self._numbers = [*self.number.values()]

    def men(self, state: State) -> dict[int, str]:
        """Number of a square -> `W`, `B`, and `WK`, `BK` for kings."""
        return {
            number: self._letters[man] + "K" * king
            for place, number in enumerate(self._numbers)
            if (man := state.cells[self._man + place] or 0)
            for king in [state.cells[self._king + place] or 0]
        }

    def men_of(self, fen: str) -> tuple[str, dict[int, str]]:
        """Whose turn it is and what stands where, by `W:W31,K32:B1,2` or `W:Wa1,Kc1:Bb2`."""
        turn, *sides = fen.rstrip(".").split(":")
        men = {}
        for side in sides:
            for one in filter(None, side[1:].split(",")):
                place = one.removeprefix("K")
                number = int(place) if place.isdigit() else self.number[place]
                men[number] = side[0] + "K" * one.startswith("K")
        return turn, men


@cache
def _loaded(name: str) -> tuple[LoadedGame, Reader]:
    variant = VARIANTS[name]
    game = gamedsl.load(variant.file, "python", **variant.parameters)
    return game, Reader(game, variant)


def turns(game: LoadedGame, reader: Reader, state: State) -> dict[Turn, State]:
    """Every legal turn, and the state after it."""
    before = reader.men(state)

    def completed(now: State, first: int) -> Iterator[tuple[Turn, State]]:
        for action in game.legal_actions(now):
            after = game.result(now, action)
            square = game.action_name(now, action).partition("(")[2].partition(",")[0]
            begin = first or reader.number[square]
            if after.turn == now.turn:
                yield from completed(after, begin)
                continue
            men = reader.men(after)
            (end,) = men.keys() - reader.men(now).keys()
            mover = before[begin][0]
            taken = {q for q, man in before.items() if man[0] != mover and q not in men}
            yield (begin, end, frozenset(taken)), after

    return dict(completed(state, 0))


def turn_of(move: draughts.Move) -> Turn:
    """A move of pydraughts."""
    return move.steps_move[0], move.steps_move[-1], frozenset(move.captures or ())


def play(name: str, number: int) -> Played:
    """The game with this number."""
    game, reader = _loaded(name)
    rng = Random(number)
    board = draughts.Board(VARIANTS[name].peer)
    state = game.initial_state()
    notes: Counter[str] = Counter()
    plies = 0

    def played(reason: str, difference: str = "") -> Played:
        where = f"{name}, game {number}, {board.fen}: {difference}" if difference else ""
        return Played(plies, reason, notes, where)

    while True:
        ours, theirs = (
            ("WB"[game.players[state.turn].name != "White"], reader.men(state)),
            reader.men_of(board.fen),
        )
        if ours != theirs:
            return played("", f"{ours} here, {theirs} there")
        legal = {turn_of(move): move for move in board.legal_moves()}
        if game.is_terminal(state):
            loses = tuple(-1 if player == state.turn else 1 for player in range(2))
            paid = game.utilities(state)
            if legal and paid == (0, 0):
                return played("no capture or move of a man")
            return played("no move left", f"pays {paid} here" if legal or paid != loses else "")
        after = turns(game, reader, state)
        if after.keys() != legal.keys():
            return played("", f"on one side alone: {sorted(map(str, after.keys() ^ legal.keys()))}")
        turn = rng.choice(sorted(legal, key=lambda turn: (*turn[:2], sorted(turn[2]))))
        notes["pieces taken"] += len(turn[2])
        notes["several taken at once"] += len(turn[2]) > 1
        board.push(legal[turn])
        state = after[turn]
        plies += 1


def plays(name: str, count: int) -> list[Played]:
    """The first games of a variant."""
    return [play(name, number) for number in range(count)]

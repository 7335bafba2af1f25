"""Positions of chess and its variants in FEN, the notation of chess programs.

In: a shipped game of the family, and a FEN or a state. Out: the state of the FEN, or what the
state says in the signs of a FEN.
"""

from __future__ import annotations

from typing import NamedTuple

from gamedsl.game import LoadedGame
from gamedsl.game.encoding import state_from_json
from gamedsl.model import State

KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
CORNERS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}
"""Right to castle -> where its rook stands."""
SQUARES = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""P. McKenzie's position of chess; Chess Programming Wiki, "Perft results", position 2."""


class Placed(NamedTuple):
    """A position: 64 signs from a1 to h8, the player to move, the rights to castle, the plies
    since the last capture or pawn move, and how many checks each player has given."""

    signs: str
    turn: str
    rights: str
    clock: int
    checks: tuple[int, int]


def state_of_fen(game: LoadedGame, fen: str) -> State:
    """The state that a FEN describes; in three-check chess a field `2+3` says what is left."""
    board, turn, rights, passing, *rest = fen.split()
    rows = ["".join("." * int(s) if s.isdigit() else s for s in row) for row in board.split("/")]
    placed = dict(zip(SQUARES, "".join(reversed(rows)), strict=True))
    kept = {CORNERS[right] for right in rights if right != "-"}
    left = next((field.split("+") for field in rest if "+" in field), ("3", "3"))
    variables = {
        "man": {
            square: "empty" if sign == "." else "White" if sign.isupper() else "Black"
            for square, sign in placed.items()
        },
        "kind": {square: KINDS.get(sign.lower(), "nothing") for square, sign in placed.items()},
        "fresh": {square: square in kept for square in SQUARES},
        "ep": "none" if passing == "-" else passing,
        "clock": next((field for field in rest if field.isdigit()), "0"),
        "checks": {p: str(3 - int(n)) for p, n in zip(("White", "Black"), left, strict=True)},
    }
    known = {variable.name for variable in game.model.variables}
    return state_from_json(
        game,
        {
            "turn": "White" if turn == "w" else "Black",
            "variables": {name: value for name, value in variables.items() if name in known},
        },
    )


class PositionReader:
    """Says what the states of one game hold."""

    def __init__(self, game: LoadedGame) -> None:
        self._places = {place.name: place.offset for place in game.model.variables}
        domains = {place.name: place.domain.values for place in game.model.variables}
        letters = {kind: letter for letter, kind in KINDS.items()}
        self._colours = [str(value) for value in domains["man"]]
        self._letters = [letters.get(str(value), ".") for value in domains["kind"]]

    def position(self, state: State) -> Placed:
        """What a state holds; what the game has no variable for is "" or 0."""
        man, kind = (self._cells(state, name, 64) for name in ("man", "kind"))
        signs = [
            self._letters[k].upper() if self._colours[m] == "White" else self._letters[k]
            for m, k in zip(man, kind, strict=True)
        ]
        fresh = dict(zip(SQUARES, self._cells(state, "fresh", 64), strict=True))
        checks = self._cells(state, "checks", 2)
        return Placed(
            signs="".join(signs),
            turn="wb"[state.turn],
            rights="".join(right for right, corner in CORNERS.items() if fresh[corner]),
            clock=self._cells(state, "clock", 1)[0],
            checks=(checks[0], checks[1]),
        )

    def _cells(self, state: State, name: str, size: int) -> list[int]:
        offset = self._places.get(name)
        if offset is None:
            return [0] * size
        return [digit or 0 for digit in state.cells[offset : offset + size]]

"""Observations of a state as numbers: the planes of a game, derived from its variables.

In: a game. Out: `Planes`, which gives for a state and a viewer the positions of the ones in a
vector of zeros. Every cell of a variable has a plane for each value; the cells of a variable over a
grid stand in rows and columns, the bottom row first. A cell with many values has two planes: seen,
and the share of the greatest value. Cells that the viewer does not see, or that are not set yet,
have zeros in all planes. The vector begins with the viewer and the player to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Protocol

from gamedsl.game.game import LoadedGame
from gamedsl.model.board import Board
from gamedsl.model.nodes import Variable
from gamedsl.model.nodes.tree import Tree
from gamedsl.model.state import State
from gamedsl.model.values import Domain
from gamedsl.source.records import dataclass

MOST_VALUES = 64
"""Most values of a cell with a plane for each value."""

Ones = list[int]
"""Positions of the ones."""
Shares = list[tuple[int, float]]
"""Positions with other numbers between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the vector: `name`, the `start`, and the `shape`, the last axis fastest."""

    name: str
    start: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The count of numbers."""
        return prod(self.shape)


class Contents(Protocol):
    """The planes of the contents of a state, the first at position 0."""

    pieces: tuple[Piece, ...]

    def seen(self, state: State, viewer: int) -> tuple[Ones, Shares]:
        """The numbers that are not 0, as a player sees the state."""


class Planes:
    """The observation vectors of a game.

    Attributes:
        pieces: the parts in order: `viewer`, `to_move`, then the contents of the state.
        size: numbers of a vector.
        contents: the planes of the contents alone.
    """

    def __init__(self, game: LoadedGame) -> None:
        players = len(game.players)
        model = game.model
        self.contents: VariablePlanes | TreePlanes = (
            VariablePlanes(model.variables, players, model.board)
            if model.tree is None
            else TreePlanes(model.tree)
        )
        self.players = players
        self.start = 2 * players
        shifted = (Piece(p.name, p.start + self.start, p.shape) for p in self.contents.pieces)
        heads = Piece("viewer", 0, (players,)), Piece("to_move", players, (players,))
        self.pieces = (*heads, *shifted)
        self.size = sum(piece.size for piece in self.pieces)

    def observation(self, state: State, viewer: int, movers: Iterable[int]) -> tuple[Ones, Shares]:
        """The numbers that are not 0 in the vector; `movers`: the players who choose."""
        ones, shares = self.contents.seen(state, viewer)
        start = self.start
        heads = [viewer, *(self.players + mover for mover in movers)]
        return [*heads, *(start + place for place in ones)], [(start + p, s) for p, s in shares]


class VariablePlanes:
    """The planes of the variables of a game of rules. Constants have none."""

    def __init__(self, variables: Sequence[Variable], players: int, board: Board | None) -> None:
        pieces: list[Piece] = []
        narrow: list[tuple[int, tuple[int, ...]]] = []
        wide: list[tuple[int, int, int, int]] = []
        start = 0
        unseen: list[set[int]] = [set() for _ in range(players)]
        for variable in variables:
            if variable.is_constant:
                continue
            place = variable.offset
            cells, values = variable.size, variable.domain.values
            axes = [size for domain in variable.indices for size in _axes(domain, board)]
            is_wide = len(values) > MOST_VALUES
            for cell in variable.cells:
                for viewer in range(players):
                    if not variable.is_seen(cell, viewer):
                        unseen[viewer].add(place + cell)
                if is_wide:
                    most = len(variable.domain_of(cell)) - 1
                    wide.append((place + cell, start + cell, start + cells + cell, most))
                else:
                    digits = (variable.domain.digit[v] for v in variable.domain_of(cell).values)
                    narrow.append((place + cell, tuple(start + d * cells + cell for d in digits)))
            pieces.append(Piece(variable.name, start, (2 if is_wide else len(values), *axes)))
            start += pieces[-1].size
        self.pieces = tuple(pieces)
        self._narrow = [[x for x in narrow if x[0] not in cells] for cells in unseen]
        self._wide = [[x for x in wide if x[0] not in cells] for cells in unseen]

    def seen(self, state: State, viewer: int) -> tuple[Ones, Shares]:
        """As `Contents.seen`."""
        cells = state.cells
        narrow = self._narrow[viewer]
        try:
            ones = [places[cells[cell]] for cell, places in narrow]  # type: ignore[index]
        except TypeError:  # a cell is not set yet
            held = ((cells[cell], places) for cell, places in narrow)
            ones = [places[digit] for digit, places in held if digit is not None]
        shares = []
        for cell, seen, share, most in self._wide[viewer]:
            digit = cells[cell]
            if digit is not None:
                ones.append(seen)
                shares.append((share, digit / most))
        return ones, shares


def _axes(domain: Domain, board: Board | None) -> tuple[int, ...]:
    """The axes of an index: rows and columns for all squares of a grid."""
    if board is None or domain.values != board.squares:
        return (len(domain),)
    is_whole = len(domain) == board.height * board.width
    return (board.height, board.width) if is_whole else (len(domain),)


class TreePlanes:
    """The plane of a tree: the information set in which the viewer is to choose."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        names = dict.fromkeys(n.information_set for n in tree.nodes if n.player >= 0)
        self.number = {name: number for number, name in enumerate(names)}
        self.pieces = (Piece("information_set", 0, (len(names),)),) if names else ()

    def seen(self, state: State, viewer: int) -> tuple[Ones, Shares]:
        """As `Contents.seen`."""
        node = self._tree.nodes[state.cells[0] or 0]
        return ([self.number[node.information_set]] if node.player == viewer else []), []

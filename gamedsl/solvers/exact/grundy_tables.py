"""Grundy values from tables of contents: heaps of numbers, and games of few wide cells.

In: a game proved impartial from the statements (`normal_play.is_impartial`), and its compiled
rules. Out: `GrundyTables`, with the values of the cells that no move joins. Every value is read
from a table of all positions reachable in the cell while all other cells have no moves left, so
that two heaps of a thousand need two thousand positions, not a million.

The table of a textbook (C. Bouton, 1901; Winning Ways, chapter 4), for any rules of such a form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import xor

from gamedsl.game.accelerator import Accelerator, GrundyValues, Refusal, SearchLimits
from gamedsl.game.contract import Game
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.nodes.likeness import key
from gamedsl.model.state import State
from gamedsl.model.statement_facts import facts_in
from gamedsl.model.walk import expressions_of_move

LONGEST_PLAY = 100_000
"""Plies of the play that empties all heaps."""

Digits = Sequence[int | None]
ValuesOf = Callable[[State], GrundyValues | Refusal]


class GrundyTables:
    """The values of the positions that a position leads to.

    Args:
        values_of: the values of all positions reachable from a position, or a Refusal.
        emptied: contents of the cells without any move, where every move is in a single cell; None:
            one table for all cells.
    """

    def __init__(
        self,
        values_of: ValuesOf,
        root: State,
        emptied: Digits | None,
    ) -> None:
        self._emptied = emptied
        cells = root.cells
        self._groups: list[tuple[int, ...]] = [
            (n,) for n, digit in enumerate(cells) if emptied is not None and digit != emptied[n]
        ] or [tuple(range(len(cells)))]
        self._tables: list[GrundyValues] = []
        self.refusal: Refusal | None = None
        for group in self._groups:
            table = values_of(State(self._alone(group, cells), root.turn))
            if isinstance(table, Refusal):
                self.refusal = table
                return
            self._tables.append(table)

    @property
    def looked_at(self) -> int:
        """Positions in the tables."""
        return sum(table.positions for table in self._tables)

    def values(self, digits: Digits) -> list[tuple[int, tuple[int, ...]]]:
        """The Grundy value and the cells of each part of a position."""
        return list(zip(self._parts(digits), self._groups, strict=True))

    def total(self, digits: Digits) -> int:
        """The Grundy value of a position."""
        return reduce(xor, self._parts(digits), 0)

    def _parts(self, digits: Digits) -> list[int]:
        return [
            _value(table, self._alone(group, digits))
            for group, table in zip(self._groups, self._tables, strict=True)
        ]

    def _alone(self, group: Sequence[int], digits: Digits) -> tuple[int | None, ...]:
        """The contents with all other cells emptied."""
        if self._emptied is None:
            return tuple(digits)
        alone = list(self._emptied)
        for cell in group:
            alone[cell] = digits[cell]
        return tuple(alone)


def _value(table: GrundyValues, cells: tuple[int | None, ...]) -> int:
    """The value of contents, which is the same for both players; a table has the contents with the
    players to move that play leads to."""
    values = (table.value(State(cells, turn)) for turn in range(2))
    return next(value for value in values if value is not None)


def table_of(game: Game, accelerator: Accelerator, limits: SearchLimits) -> ValuesOf:
    """The tables of a game, by machine code."""

    def values_of(state: State) -> GrundyValues | Refusal:
        if game.is_terminal(state):
            return GrundyValues(1, lambda _: 0)
        return accelerator.grundy_values(state, limits)

    return values_of


def are_heaps(model: Model) -> bool:
    """Whether every move reads and writes a single cell, named by parameters of the move, whatever
    other moves are legal."""
    is_free = len(model.groups) == 1 and all(move.greatest is None for move in model.moves)
    return is_free and all(len(_cells_named(move)) == 1 for move in model.moves)


def _cells_named(move: nodes.Move) -> set[object]:
    """The cells that a move reads or writes, as written; a cell that is not named by parameters
    alone counts as two."""
    parameters = {parameter.slot for parameter in move.parameters}
    read = list(expressions_of_move(move))
    cells = [(node.variable, node.indices) for node in read if isinstance(node, nodes.Cell)]
    cells += [
        (row.place.variable, row.place.indices)
        for row in facts_in(move.body)
        if row.place is not None
    ]
    named: set[object] = {(variable.offset, tuple(map(key, i))) for variable, i in cells}
    is_plain = all(
        isinstance(index, nodes.Const)
        or (isinstance(index, nodes.Local) and index.slot in parameters)
        for _, indices in cells
        for index in indices
    )
    has_whole = any(node.whole is not None for node in read)
    return named if is_plain and not has_whole else {0, 1}


def emptied(game: Game, root: State) -> Digits | None:
    """Contents of the cells at the end of a play; None if the play is too long."""
    state = root
    for _ in range(LONGEST_PLAY):
        if game.is_terminal(state):
            return state.cells
        state = game.result(state, game.legal_actions(state)[-1])
    return None

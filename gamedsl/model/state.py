"""States and players as values: what an engine takes in and gives out.

A state is the digits of the state variables and whose turn it is, plus, inside a chance event,
where the body stands and its locals; nothing else (rule 2 of the language). Games with a
`repeat` rule carry the positions seen so far as well.
"""

from __future__ import annotations

from collections.abc import Hashable


class Player(int):
    """A player: its index in declaration order, with its name; indexes utility vectors."""

    name: str

    def __new__(cls, index: int, name: str) -> Player:
        """A number that carries the player's name."""
        player = super().__new__(cls, index)
        player.name = name
        return player

    def __reduce__(self) -> tuple[type[Player], tuple[int, str]]:
        return Player, (int(self), self.name)

    def __repr__(self) -> str:
        return self.name


CHANCE = Player(-1, "chance")
"""Who moves at a chance node."""
SIMULTANEOUS = Player(-2, "simultaneous")
"""Who moves where all players choose at once."""
TERMINAL = Player(-4, "terminal")
"""Who moves where the game is over: nobody."""


UNASKED = object()
"""In a state's notes: not worked out yet."""


class State:
    """An immutable, hashable position.

    Attributes:
        cells: one digit a variable cell, each an index into the cell's domain (None: not yet
            set, inside `setup` only); for a `tree:` game the one digit is the node's number.
        turn: index of the player to move, or who moved into this chance event.
        pending: None, or where a body stopped for a chance event (hashable, compared).
        history: None, or what `repeat` rules need to know (hashable, compared).
    """

    __slots__ = ("_hash", "cells", "history", "legal", "outcome", "pending", "turn")

    def __init__(
        self,
        cells: tuple[int | None, ...],
        turn: int,
        pending: Hashable = None,
        history: Hashable = None,
    ) -> None:
        self.cells = cells
        self.turn = turn
        self.pending = pending
        self.history = history
        self._hash = hash((cells, turn, pending, history))
        self.outcome: object = UNASKED
        """What an engine has found about the end of the game here; not part of the identity."""
        self.legal: object = UNASKED
        """What an engine has found about the legal actions here; not part of the identity."""

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, State)
            and self.cells == other.cells
            and self.turn == other.turn
            and self.pending == other.pending
            and self.history == other.history
        )

    def __repr__(self) -> str:
        tail = "" if self.pending is None else f", pending={self.pending!r}"
        return f"State({self.cells!r}, turn={self.turn}{tail})"

    def __reduce__(self) -> tuple[type[State], tuple[object, ...]]:
        return State, (self.cells, self.turn, self.pending, self.history)

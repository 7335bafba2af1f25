"""States and players as values: the data that engines take and return.

A state is the digits of the state variables and the player to move, plus, inside a chance event,
the position in the body and the locals; no more (rule 2 of the language). Games with a `repeat`
rule carry the positions seen so far as well.

An engine may hold the digits in a packed form and unpack them on demand. Its states still equal the
states of other engines; `fingerprint` makes the hashes agree.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from itertools import chain
from operator import mul
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from gamedsl.model.nodes import Variable

Cells = tuple[int | None, ...]

MODULUS = 2**61 - 2373
"""Modulus of fingerprints: the largest prime below 2**61 whose half, rounded down, is prime; the
powers of 2 repeat only after MODULUS - 1 steps."""


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
"""The player at a chance node."""
SIMULTANEOUS = Player(-2, "simultaneous")
"""The player where all players choose at once."""
TERMINAL = Player(-4, "terminal")
"""The player at a terminal state: no player."""


@cache
def factor_of(digit: int | None) -> int:
    """The factor of a digit (None: not yet set) in a fingerprint."""
    return hash((digit,))


@cache
def _counting(digit: int) -> tuple[int, bytes]:
    """The factor of a digit, and a table for `bytes.translate`: "1" for the digit, "0" for
    others."""
    return factor_of(digit), bytes(b"01"[byte == digit] for byte in range(256))


@cache
def _powers(count: int) -> tuple[int, ...]:
    """The first `count` powers of 2, modulo MODULUS."""
    return tuple(pow(2, place, MODULUS) for place in range(count))


def fingerprint(digits: Cells) -> int:
    """The sum of factor_of(digit) * 2**place over all places, modulo MODULUS.

    The places with an equal digit thus contribute the bit set of the places times the digit's
    factor: an engine that holds bit sets computes the sum without unpacking digits.
    """
    try:
        held = bytes(digits)[::-1]  # type: ignore[arg-type]
    except (TypeError, ValueError):  # a cell is not set, or a digit exceeds a byte
        counted: int = sum(map(mul, map(factor_of, digits), _powers(len(digits))))
        return counted % MODULUS
    total = 0
    for digit in set(held):
        factor, marks = _counting(digit)
        total += factor * int(held.translate(marks), 2)
    return total % MODULUS


class State:
    """An immutable, hashable position.

    Two states are equal if cells, turn, pending and history are equal, for all engines and all
    packed forms. Equal states must have equal hashes, so the hash is made from the `fingerprint` of
    cells and turn, which is cheap in every form: a hash of the tuple of digits would require
    unpacking, and a hash of the packed form would differ from the hash of an equal state of another
    engine.

    Attributes:
        turn: index of the player to move, or of the player whose move led to this chance event.
        pending: None, or the position of a body in a chance event (hashable, compared).
        history: None, or the data of `repeat` rules (hashable, compared).
    """

    __slots__ = ("_cells", "_hash", "history", "pending", "turn")

    _cells: Cells | None
    _hash: int | None

    def __init__(
        self, cells: Cells, turn: int, pending: Hashable = None, history: Hashable = None
    ) -> None:
        self._cells = cells
        self._hash = None
        self.turn = turn
        self.pending = pending
        self.history = history

    @property
    def cells(self) -> Cells:
        """A digit per variable cell, an index into the cell's domain (None: not yet set, inside
        `setup` only); for a `tree:` game a single digit, the node's number."""
        assert self._cells is not None
        return self._cells

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)

    def __getitem__(self, place: object) -> NoReturn:
        raise TypeError(f"a state knows no names; its game does: `game.view(state)[{place!r}]`")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            advice = (
                "" if name.startswith("_") else f"; of its game's, ask `game.view(state).{name}`"
            )
            raise AttributeError(f"a state has no {name!r}{advice}")

    def position(self) -> State:
        """The cells and the turn alone, as a state: the part that `repeat state` compares."""
        return State(self.cells, self.turn)

    def part(self, variables: tuple[Variable, ...], with_turn: bool) -> State:
        """The cells of some variables, as a state, with the turn or with turn 0."""
        cells = [
            self.cells[variable.offset : variable.offset + variable.size] for variable in variables
        ]
        return State(tuple(chain.from_iterable(cells)), self.turn if with_turn else 0)

    def _fingerprint(self) -> int:
        """The fingerprint of the cells, with the turn as a further digit."""
        return fingerprint((*self.cells, self.turn))

    def __hash__(self) -> int:
        if self._hash is None:
            digest = self._fingerprint()
            if self.pending is not None or self.history is not None:
                digest = hash((digest, self.pending, self.history))
            self._hash = digest
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, State)
            and self.turn == other.turn
            and self.cells == other.cells
            and self.pending == other.pending
            and self.history == other.history
        )

    def __repr__(self) -> str:
        tail = "" if self.pending is None else f", pending={self.pending!r}"
        return f"State({self.cells!r}, turn={self.turn}{tail})"

    def __reduce__(self) -> tuple[type[State], tuple[object, ...]]:
        return State, (self.cells, self.turn, self.pending, self.history)

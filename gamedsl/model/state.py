"""States and players as values: what an engine takes in and gives out.

A state is the digits of the state variables and whose turn it is, plus, inside a chance event,
where the body stands and its locals; nothing else (rule 2 of the language). Games with a
`repeat` rule carry the positions seen so far as well.

An engine may hold the digits in a form of its own and work them out when they are asked for. Its
states equal those of other engines all the same; `fingerprint` makes their hashes agree.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from itertools import chain
from operator import mul
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from gamedsl.model.nodes.expressions import Variable

Cells = tuple[int | None, ...]

MODULUS = 2**61 - 2373
"""Of fingerprints: the largest prime below 2**61 of which half, rounded down, is a prime too; the
powers of 2 repeat only after MODULUS - 1 of them."""


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


@cache
def factor_of(digit: int | None) -> int:
    """What a place that holds this digit (None: not yet set) counts in a fingerprint."""
    return hash((digit,))


@cache
def _counting(digit: int) -> tuple[int, bytes]:
    """The factor of a digit, and a table for `bytes.translate`: "1" for it, "0" for others."""
    return factor_of(digit), bytes(b"01"[other == digit] for other in range(256))


@cache
def _powers(count: int) -> tuple[int, ...]:
    """The first `count` powers of 2, modulo MODULUS."""
    return tuple(pow(2, place, MODULUS) for place in range(count))


def fingerprint(digits: Cells) -> int:
    """The sum of factor_of(digit) * 2**place over all places, modulo MODULUS.

    So the places that hold one digit count as the set of bits they are, times the factor of that
    digit: an engine that holds such sets has the sum without unpacking a digit.
    """
    try:
        held = bytes(digits)[::-1]  # type: ignore[arg-type]
    except (TypeError, ValueError):  # a cell is not set, or a digit is no byte
        counted: int = sum(map(mul, map(factor_of, digits), _powers(len(digits))))
        return counted % MODULUS
    total = 0
    for digit in set(held):
        factor, marks = _counting(digit)
        total += factor * int(held.translate(marks), 2)
    return total % MODULUS


class State:
    """An immutable, hashable position.

    Two states are equal where cells, turn, pending and history are, whichever engines made them
    and whatever form they hold the cells in. Equal states must have equal hashes, so the hash is
    made from the `fingerprint` of cells and turn, which every form gives cheaply: a hash of the
    tuple of digits would have to unpack them first, and a hash of the packed form would differ
    from that of an equal state of another engine.

    Attributes:
        turn: index of the player to move, or who moved into this chance event.
        pending: None, or where a body stopped for a chance event (hashable, compared).
        history: None, or what `repeat` rules need to know (hashable, compared).
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
        """One digit a variable cell, each an index into the cell's domain (None: not yet set,
        inside `setup` only); for a `tree:` game the one digit is the node's number."""
        assert self._cells is not None
        return self._cells

    @property
    def size(self) -> int:
        """How many cells there are."""
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
        """The cells and the turn alone, as a state: what `repeat state` compares."""
        return State(self.cells, self.turn)

    def part(self, variables: tuple[Variable, ...], with_turn: bool) -> State:
        """The cells of some variables, as a state, with the turn or with turn 0."""
        cells = [self.cells[one.offset : one.offset + one.size] for one in variables]
        return State(tuple(chain.from_iterable(cells)), self.turn if with_turn else 0)

    def _fingerprint(self) -> int:
        """The fingerprint of the cells, the turn being one digit more."""
        return fingerprint((*self.cells, self.turn))

    def __hash__(self) -> int:
        if self._hash is None:
            found = self._fingerprint()
            if self.pending is not None or self.history is not None:
                found = hash((found, self.pending, self.history))
            self._hash = found
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

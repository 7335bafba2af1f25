"""Steps of whole sets of squares: one step by shifts, many steps on and on by doubling.

In: a set, and for each square the square that a step leads to. Out: the squares from which one
step, or any number of them over passable squares, leads into the set.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.square_sets import MOST_SHIFTS, Bits, SquareSets
from gamedsl.model.values import Square, Vector

MOST_RELATIVES = 12
"""At most so many shifts lead from a set to all relatives of its squares."""
Steps = dict[int, int]
"""For each square the one a step on, both by number; not in it, if that is off the board."""
Masks = dict[int, int]
"""The squares from which steps lead as far as the key says, by difference of numbers."""


class Fills(SquareSets):
    """Steps on the board of one game."""

    def _steps(self, way: Vector) -> Steps:
        """Where steps in one direction lead."""
        board = self.model.board
        assert board is not None
        targets = {square: board.step(square, way) for square in board.squares}
        return {
            self.bit_of[square]: self.bit_of[target]
            for square, target in targets.items()
            if isinstance(target, Square)
        }

    def shifted(self, bits: Bits, targets: Steps) -> Bits | None:
        """The squares whose target lies in a set: a shift and a mask for each distance."""
        masks = _by_distance(targets.items())
        if len(masks) > MOST_SHIFTS and not bits.is_const:
            return None
        return self._led_into(bits, masks)

    def related(self, bits: Bits, rows: list[int]) -> Bits | None:
        """The squares one of whose relatives, given as a mask for each square, is in a set."""
        masks = _by_distance(
            (n, other)
            for n, row in enumerate(rows)
            for other in range(row.bit_length())
            if row >> other & 1
        )
        if len(masks) > MOST_RELATIVES and not bits.is_const:
            return None
        return self._led_into(bits, masks)

    def beside(self, bits: Bits) -> Bits:
        """The squares next to those of a set."""
        board = self.model.board
        assert board is not None
        masks = _by_distance(
            (self.bit_of[other], self.bit_of[square])
            for square in board.squares
            for other in board.neighbours(square)
        )
        return self._led_into(bits, masks)

    def _led_into(self, bits: Bits, masks: Masks) -> Bits:
        """The squares from which one of some steps leads into a set."""
        found = self.nothing
        for distance, sources in masks.items():
            found = found | _back(bits, distance) & sources
        return found

    def filled(self, goals: Bits, passable: Bits, steps: Steps) -> Bits | None:
        """The squares from which steps, all but the last over passable squares, reach a goal."""
        masks, length = _by_distance(steps.items()), _longest(steps)
        if len(masks) > MOST_SHIFTS:
            return None
        if len(masks) == 1 and length > 2:
            ((distance, sources),) = masks.items()
            return _filled_by_doubling(goals, passable, distance, sources, length)
        grown = self._led_into(goals, masks)
        for _ in range(length - 1):
            grown = grown | self._led_into(grown & passable, masks)
        return grown


def _filled_by_doubling(
    goals: Bits, passable: Bits, distance: int, sources: int, length: int
) -> Bits:
    """Parallel prefix (Kogge-Stone): `near` has the passable squares from which fewer than
    `reached` steps lead to a goal, `clear` those that begin `run` passable squares in a row."""
    clear = passable & sources
    near = _back(goals, distance) & clear
    reached, run = 2, 1
    while reached < length:
        if length - reached > run and reached > 2:
            clear = clear & _back(clear, distance * run)
            run *= 2
        near = near | _back(near, distance * run) & clear
        reached += run
    return _back(near | goals, distance) & sources


def _back(bits: Bits, distance: int) -> Bits:
    """A set moved so that what lies `distance` further on comes to lie here."""
    return bits >> distance if distance >= 0 else bits << -distance


def _by_distance(targets: Iterable[tuple[int, int]]) -> Masks:
    """The squares that lead on to others, for each difference of numbers."""
    masks: Masks = {}
    for n, target in targets:
        masks[target - n] = masks.get(target - n, 0) | 1 << n
    return masks


def _longest(steps: Steps) -> int:
    """How many steps can be made one after the other."""
    longest = 0
    for start in steps:
        length, at = 0, start
        while at in steps:
            at, length = steps[at], length + 1
        longest = max(longest, length)
    return longest

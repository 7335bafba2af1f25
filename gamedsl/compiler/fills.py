"""Steps of whole sets of squares: one step by shifts, many steps on and on by doubling.

In: a set, and for each square the square that a step leads to. Out: the squares from which one
step, or any number of them over passable squares, leads into the set. Also where steps lead from
one square: its line of sight, its group.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.ir.values import INT, highest, lookup, lowest, select
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Digits, Planes
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.square_sets import MOST_SHIFTS, Bits, SquareSets
from gamedsl.model import nodes
from gamedsl.model.values import EMPTY, Square, Vector

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

    # --- groups and sight ------------------------------------------------------------------

    def sight(self, node: nodes.Builtin, scope: Scope) -> Bits | None:
        """The ray less what lies beyond the first occupied square."""
        whole, start, offset = node.arguments
        assert isinstance(whole, nodes.Whole)
        way, vacant = self._way(offset, scope), self._vacant(whole)
        low, board = self.lower(start, scope), self.model.board
        if way is None or vacant is None or isinstance(low, Known) or board is None:
            return None
        rays = tuple(self.mask_of(board.ray(square, way)) for square in board.squares)
        ray = lookup(rays, self._at_base(low.expr), self.set_type)
        blocked = ray & self.neither(vacant)
        nearest = lowest(blocked) if is_upward(way) else highest(blocked)
        seen = select(blocked.ne(0), ray ^ lookup(rays, nearest, self.set_type), ray)
        if not low.type.can_be_none:
            return seen
        return select(low.expr.ne(self.codes.none), seen, self.nothing)

    def group(self, node: nodes.Builtin, scope: Scope) -> Bits:
        """Flood fill: from the start, over neighbours that hold the same value."""
        whole = node.arguments[0]
        assert isinstance(whole, nodes.Whole)
        start = self.lower(node.arguments[1], scope)
        if isinstance(start, Known) and not isinstance(start.value, Square):
            return self.nothing
        begin = self.program.fresh("start", INT)

        def write() -> None:
            if isinstance(start, Code) and start.type.can_be_none:
                with self.builder.when(begin.eq(self.codes.none)):
                    self.builder.give(self.nothing)
            there = self.number_of(whole.variable, [Code(begin, self.square_type)])
            held = self._like(self.layout.place_of(whole.variable), there)
            found = self.program.hold(self.nothing, "found")
            grown = self.program.hold(self.squares(1) << there, "grown")
            with self.builder.loop_while(grown.ne(found)):
                self.builder.assign(found, grown)
                self.builder.assign(grown, (found | self.beside(found)) & held)
            self.builder.give(found)

        return self.program.call("group", write, {begin: self.value(start)})

    def _like(self, place: Planes | Digits, there: Expr) -> Bits:
        """The squares that hold what one of them holds, in a local."""
        if isinstance(place, Planes):
            held = self.plane(place, place.default)
            for _, title in place.names:
                held = select(self.bit(self.field(title), there), self.field(title), held)
            return self.program.hold(held, "held")
        same = self.program.hold(self._digit_at(place, there), "same")
        held = self.program.hold(self.nothing, "held")
        loop = self._loop("n", 0, place.variable.size)
        with loop as n, self.builder.when(self._digit_at(place, n).eq(same)):
            self.builder.assign(held, held | self.squares(1) << n)
        return held

    def _way(self, node: nodes.Expr, scope: Scope) -> Vector | None:
        """A direction that is known, and leads somewhere."""
        way = self.known_value(node, scope)
        return way if isinstance(way, Vector) and way != Vector(0, 0) else None

    def _vacant(self, whole: nodes.Whole) -> Bits | None:
        """The squares over which one sees."""
        place = self.layout.place_of(whole.variable)
        digit = whole.variable.domain.digit.get(EMPTY)
        if digit is None:
            return self.nothing
        return self.plane(place, digit) if isinstance(place, Planes) else None


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


def is_upward(way: Vector | None) -> bool | None:
    """Whether a direction goes up in the order of the board; None if there is none."""
    return None if way is None else (way.up, way.across) > (0, 0)


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

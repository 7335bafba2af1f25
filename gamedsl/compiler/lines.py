"""`line` and `full`: whole boards at once.

In: an array over the squares. Out: values made of its planes: runs by shifting and joining.
"""

from __future__ import annotations

from itertools import pairwise

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import FALSE, TRUE, all_of, any_of, select
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Place, Planes
from gamedsl.compiler.quantifiers import Quantifiers
from gamedsl.compiler.safety import fits
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.values import EMPTY


class Lines(Quantifiers):
    """The questions about whole boards of one game."""

    def board_builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        """`line` and `full`, over whole planes where there are any."""
        whole = node.arguments[0]
        assert isinstance(whole, nodes.Whole)
        place = self.layout.place_of(whole.variable)
        if node.name == "full":
            return self._full(place)
        if node.name == "line":
            lows = [self.lower(argument, scope) for argument in node.arguments[1:]]
            return self.worked_out(lows, lambda held: self._line(node, place, held[0], held[1]))
        raise CannotCompileError(f"`{node.name}` as a value", node.span)

    def _full(self, place: Place) -> Low:
        vacant = place.variable.domain.digit.get(EMPTY)
        if vacant is None:
            return Known(True)
        if isinstance(place, Planes):
            return self.answer(self.plane(place, vacant).eq(0))

        def write() -> None:
            loop = self._loop("n", 0, place.variable.size)
            with loop as n, self.builder.when(self._digit_at(place, n).eq(vacant)):
                self.builder.give(FALSE)
            self.builder.give(TRUE)

        return self.answer(self.program.call("full", write))

    def _line(self, node: nodes.Builtin, place: Place, value: Low, length: Low) -> Low:
        """A test for each length that is possible."""
        plane = self.held_plane(node, place, value)
        if isinstance(length, Known):
            size = length.value if isinstance(length.value, int) else 0
            return self.answer(self._line_test(plane, size))
        assert self.model.board is not None
        most = len(self.model.board.squares)
        values = length.type.enumerate()
        if length.per != 1 or values is None:
            raise CannotCompileError("`line` of a length that is not known", node.span)
        sizes = [size for size in values if isinstance(size, int) and 0 < size <= most]
        tests = (all_of([length.expr.eq(n), self._line_test(plane, n)]) for n in sizes)
        return self.answer(any_of(tests))

    def held_plane(self, node: nodes.Builtin, place: Place, value: Low) -> Expr:
        """The set of squares that hold a value; of an array of digits it is gathered."""
        if isinstance(place, Planes):
            return self.plane_of(place, value)
        domain = place.variable.domain
        if isinstance(value, Known):
            if domain.position(value.value) is None:
                return self.squares(0)
        elif not fits(value.type, domain) or value.type.can_be_none:
            raise CannotCompileError("`line` of what an array may not hold", node.span)
        sought = self.program.fresh("sought")

        def write() -> None:
            held = self.program.hold(self.squares(0), "held")
            loop = self._loop("n", 0, place.variable.size)
            with loop as n, self.builder.when(self._digit_at(place, n).eq(sought)):
                self.builder.assign(held, held | (self.squares(1) << n))
            self.builder.give(held)

        return self.program.call("holding", write, {sought: self.digit_of(value, domain)})

    def plane_of(self, place: Planes, value: Low) -> Expr:
        """The set of squares that hold a value."""
        domain = place.variable.domain
        possible = (value.type.enumerate() or domain.values) if isinstance(value, Code) else ()
        found = self.squares(0)
        for digit, held in reversed(list(enumerate(domain.values))):
            if isinstance(value, Known) or held in possible:
                test = self.value(self.equal_lowered(value, Known(held)))
                found = select(test, self.plane(place, digit), found)
        return found

    def _line_test(self, plane: Expr, length: int) -> Expr:
        """Whether some straight run of squares lies within the plane."""
        board = self.model.board
        assert board is not None
        number_of = {square: n for n, square in enumerate(board.squares)}
        by_step: dict[int, list[int]] = {}
        single: list[int] = []
        for run in board.lines(length):
            places = sorted(number_of[square] for square in run)
            steps = {after - before for before, after in pairwise(places)} or {0}
            if len(steps) == 1:
                by_step.setdefault(steps.pop(), []).append(places[0])
            else:
                single.append(sum(1 << n for n in places))
        tests = [
            (_shifted_and(plane, step, length) & self.squares(sum(1 << n for n in starts))).ne(0)
            for step, starts in by_step.items()
        ]
        masks = map(self.squares, single)
        return any_of([*tests, *((plane & mask).eq(mask) for mask in masks)])


def _shifted_and(plane: Expr, step: int, length: int) -> Expr:
    """The places from which `length` bits, `step` apart, are set: runs of 1, 2, 4, ... joined."""
    found, have = plane, 1
    while have < length:
        more = min(have, length - have)
        found = found & (found >> (step * more))
        have += more
    return found

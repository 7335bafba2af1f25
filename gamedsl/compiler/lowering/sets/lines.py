"""`line` and `full` over whole boards: planes of an array are shifted and joined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import FALSE, INT, TRUE, all_of, any_of, select
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Digits, Place, Planes
from gamedsl.compiler.lowering.values import cells, collections, conditions, numbers, order
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.model import nodes
from gamedsl.model.builtins import ways_of
from gamedsl.model.semantics.safety import fits
from gamedsl.model.values import EMPTY, Vector
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A whole variable, or the cells that share its first indices: `size` consecutive cells from
    the cell with number `first` on.
    """

    place: Place
    first: Expr
    size: int

    @classmethod
    def of(cls, lowering: Lowering, whole: nodes.ArrayRef, fixed: Sequence[Low]) -> Part:
        """The cells of an array; its fixed indices are known to lie in their domains."""
        first = cells.number_of(lowering, whole.variable, fixed)
        size = prod(len(index) for index in whole.indices)
        return cls(lowering.layout.place_of(whole.variable), first, size)

    def digit(self, lowering: Lowering, first: Expr, number: Expr) -> Expr:
        """The digit in a cell of the part, `first` being held under a name."""
        assert isinstance(self.place, Digits)
        return cells.digit_at(lowering, self.place, first + number)

    def handed_over(self, lowering: Lowering) -> tuple[Expr, dict[Expr, Expr]]:
        """The number of the first cell inside a function, and the argument for this parameter."""
        if self.first.is_const:
            return self.first, {}
        name = lowering.program.fresh("first", INT)
        return name, {name: self.first}


def board_builtin(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    """`line` and `full`, over whole planes if the variable has planes."""
    whole = node.array
    fixed, _ = cells.cell_index(lowering, whole.variable, whole.fixed, scope)
    count = len(fixed)
    if node.name == "full":
        return order.worked_out(
            lowering, fixed, lambda held: _full(lowering, Part.of(lowering, whole, held))
        )
    if node.name == "line":
        lows = [*fixed, *(lowering.lower(argument, scope) for argument in node.arguments[1:3])]
        return order.worked_out(
            lowering,
            lows,
            lambda held: _line(
                lowering, node, Part.of(lowering, whole, held[:count]), held[-2], held[-1]
            ),
        )
    raise CannotCompileError(f"`{node.name}` as a value", node.span)


def _full(lowering: Lowering, part: Part) -> Low:
    place = part.place
    vacant = place.variable.domain.digit.get(EMPTY)
    if vacant is None:
        return Known(True)
    if isinstance(place, Planes):
        return numbers.answer(cells.plane(lowering, place, vacant).eq(0))
    first, arguments = part.handed_over(lowering)

    def is_vacant(n: Expr) -> Expr:
        holds_empty = part.digit(lowering, first, n).eq(vacant)
        if not place.variable.missing:
            return holds_empty
        return all_of([cells.is_there(place.variable, first + n), holds_empty])

    def write() -> None:
        loop = collections.loop(lowering, "n", 0, part.size)
        with loop as n, lowering.builder.when(is_vacant(n)):
            lowering.builder.give(FALSE)
        lowering.builder.give(TRUE)

    return numbers.answer(lowering.program.call("full", write, arguments))


def _line(lowering: Lowering, node: nodes.Builtin, part: Part, value: Low, length: Low) -> Low:
    """A test for each possible length."""
    plane, directions = held_plane(lowering, node, part, value), ways_of(node)
    if isinstance(length, Known):
        size = length.value if isinstance(length.value, int) else 0
        return numbers.answer(_line_test(lowering, plane, size, directions))
    assert lowering.model.board is not None
    most = len(lowering.model.board.squares)
    values = length.type.enumerate()
    if length.per != 1 or values is None:
        raise CannotCompileError("`line` of a length that is not known", node.span)
    sizes = [size for size in values if isinstance(size, int) and 0 < size <= most]
    tests = (all_of([length.expr.eq(n), _line_test(lowering, plane, n, directions)]) for n in sizes)
    return numbers.answer(any_of(tests))


def held_plane(lowering: Lowering, node: nodes.Builtin, part: Part, value: Low) -> Expr:
    """The set of squares that hold a value; collected cell by cell for an array of digits."""
    place = part.place
    if isinstance(place, Planes):
        return plane_of(lowering, place, value)
    domain = place.variable.domain
    if isinstance(value, Known):
        if domain.position(value.value) is None:
            return lowering.sets.constant(0)
    elif not fits(value.type, domain) or value.type.can_be_none:
        raise CannotCompileError("`line` of what an array may not hold", node.span)
    sought = lowering.program.fresh("sought")
    first, arguments = part.handed_over(lowering)

    def write() -> None:
        held = lowering.program.hold(lowering.sets.constant(0), "held")
        loop = collections.loop(lowering, "n", 0, part.size)
        with loop as n, lowering.builder.when(part.digit(lowering, first, n).eq(sought)):
            lowering.builder.assign(held, held | (lowering.sets.constant(1) << n))
        lowering.builder.give(held)

    arguments = {**arguments, sought: cells.digit_of(lowering, value, domain)}
    return lowering.program.call("holding", write, arguments)


def plane_of(lowering: Lowering, place: Planes, value: Low) -> Expr:
    """The set of squares that hold a value."""
    domain = place.variable.domain
    possible = (value.type.enumerate() or domain.values) if isinstance(value, Code) else ()
    squares = lowering.sets.constant(0)
    for digit, held in reversed(list(enumerate(domain.values))):
        if isinstance(value, Known) or held in possible:
            test = lowering.value(conditions.equal_lowered(lowering, value, Known(held)))
            squares = select(test, cells.plane(lowering, place, digit), squares)
    return squares


def _line_test(
    lowering: Lowering, plane: Expr, length: int, directions: tuple[Vector, ...] | None
) -> Expr:
    """Whether some straight run of squares lies within the plane."""
    board = lowering.model.board
    assert board is not None
    number_of = {square: n for n, square in enumerate(board.squares)}
    by_step: dict[int, list[int]] = {}
    single: list[int] = []
    for run in board.lines(length, directions):
        places = sorted(number_of[square] for square in run)
        steps = {after - before for before, after in pairwise(places)} or {0}
        if len(steps) == 1:
            by_step.setdefault(steps.pop(), []).append(places[0])
        else:
            single.append(sum(1 << n for n in places))
    constant = lowering.sets.constant
    tests = [
        (_shifted_and(plane, step, length) & constant(sum(1 << n for n in starts))).ne(0)
        for step, starts in by_step.items()
    ]
    masks = map(constant, single)
    return any_of([*tests, *((plane & mask).eq(mask) for mask in masks)])


def _shifted_and(plane: Expr, step: int, length: int) -> Expr:
    """The places from which `length` bits, `step` apart, are set: runs of 1, 2, 4, ... joined."""
    runs, have = plane, 1
    while have < length:
        more = min(have, length - have)
        runs = runs & (runs >> (step * more))
        have += more
    return runs

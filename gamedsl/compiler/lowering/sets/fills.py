"""Steps of whole sets of squares: one step by shifts, many steps by doubling.

The inputs are a set and the target of a step from each square. The results are the squares from
which one step, or any number of steps over passable squares, leads into the set. The line of sight
and the group of a single square are computed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.compiler.ir.values import INT, Op, highest, lookup, lowest, select
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.lowering.sets import lines, square_sets
from gamedsl.compiler.lowering.sets.square_sets import MOST_SHIFTS, Bits
from gamedsl.compiler.lowering.values import cells, collections
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Scope
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.model.builtins import ways_of
from gamedsl.model.values import EMPTY, Square, Vector

MOST_RELATIVES = 12

"""Largest number of shifts from a set to all relatives of its squares."""

Steps = dict[int, int]

"""The target of a step from each square, both by number; steps off the board are left out."""

Masks = dict[int, int]

"""The squares whose step covers a given difference of numbers, by difference."""


def steps(lowering: Lowering, way: Vector) -> Steps:
    """The targets of steps in one direction."""
    board = lowering.model.board
    assert board is not None
    targets = {square: board.step(square, way) for square in board.squares}
    return {
        lowering.sets.bit_of[square]: lowering.sets.bit_of[target]
        for square, target in targets.items()
        if isinstance(target, Square)
    }


def shifted(lowering: Lowering, bits: Bits, targets: Steps) -> Bits | None:
    """The squares whose target lies in a set: a shift and a mask for each distance."""
    masks = _by_distance(targets.items())
    if len(masks) > MOST_SHIFTS and not bits.is_const:
        return None
    return _led_into(lowering, bits, masks)


def related(lowering: Lowering, bits: Bits, rows: list[int]) -> Bits | None:
    """The squares with a relative in a set; `rows` has the mask of relatives of each square."""
    masks = _by_distance(
        (n, relative)
        for n, row in enumerate(rows)
        for relative in range(row.bit_length())
        if row >> relative & 1
    )
    if len(masks) > MOST_RELATIVES and not bits.is_const:
        return None
    return _led_into(lowering, bits, masks)


def beside(lowering: Lowering, bits: Bits, directions: tuple[Vector, ...] | None) -> Bits:
    """The squares next to a square of a set, along some directions (None: the game's
    directions).
    """
    board = lowering.model.board
    assert board is not None
    masks = _by_distance(
        (lowering.sets.bit_of[neighbour], lowering.sets.bit_of[square])
        for square in board.squares
        for neighbour in board.neighbours(square, directions)
    )
    return _led_into(lowering, bits, masks)


def _led_into(lowering: Lowering, bits: Bits, masks: Masks) -> Bits:
    """The squares from which one of the given steps leads into a set."""
    squares = lowering.sets.nothing
    for distance, sources in masks.items():
        squares = squares | _back(bits, distance) & sources
    return squares


def filled(lowering: Lowering, goals: Bits, passable: Bits, steps: Steps) -> Bits | None:
    """The squares from which steps, all but the last over passable squares, reach a goal."""
    masks, length = _by_distance(steps.items()), _longest(steps)
    if not length:
        return lowering.sets.nothing
    if len(masks) > MOST_SHIFTS or not lowering.does(Strategy.FILLS):
        return None
    if len(masks) == 1 and length > 2:
        ((distance, sources),) = masks.items()
        return _filled_by_doubling(goals, passable, distance, sources, length)
    grown = _led_into(lowering, goals, masks)
    for _ in range(length - 1):
        grown = grown | _led_into(lowering, grown & passable, masks)
    return grown


def sight(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Bits | None:
    """The ray without the squares beyond the first occupied square."""
    whole, (_, start, offset) = node.array, node.arguments
    direction, free = way(lowering, offset, scope), vacant(lowering, whole)
    upward = is_upward(lowering, direction)
    low, board = lowering.lower(start, scope), lowering.model.board
    if upward is None or free is None or isinstance(low, Known) or board is None:
        return None
    assert direction is not None
    rays = tuple(lowering.sets.mask(board.ray(square, direction)) for square in board.squares)
    ray = lookup(rays, collections.at_base(lowering, low.expr), lowering.sets.type)
    blocked = ray & square_sets.neither(lowering, free)
    nearest = lowest(blocked) if upward else highest(blocked)
    seen = select(blocked.ne(0), ray ^ lookup(rays, nearest, lowering.sets.type), ray)
    if not low.type.can_be_none:
        return seen
    return select(low.expr.ne(lowering.codes.none), seen, lowering.sets.nothing)


def group(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Bits:
    """Flood fill: from the start, over neighbours that hold the same value."""
    whole, directions = node.array, ways_of(node)
    start = lowering.lower(node.arguments[1], scope)
    if isinstance(start, Known) and not isinstance(start.value, Square):
        return lowering.sets.nothing
    fixed, _ = cells.cell_index(lowering, whole.variable, whole.fixed, scope)
    part = lines.Part.of(lowering, whole, fixed)
    begin = lowering.program.fresh("start", INT)
    first, arguments = part.handed_over(lowering)

    def write() -> None:
        if isinstance(start, Code) and start.type.can_be_none:
            with lowering.builder.when(begin.eq(lowering.codes.none)):
                lowering.builder.give(lowering.sets.nothing)
        square = Code(begin, collections.square_type(lowering))
        there = cells.digit_of(lowering, square, whole.indices[0])
        held = _like(lowering, part, first, there)
        reached = lowering.program.hold(lowering.sets.nothing, "found")
        grown = lowering.program.hold(lowering.sets.constant(1) << there, "grown")
        with lowering.builder.loop_while(grown.ne(reached)):
            lowering.builder.assign(reached, grown)
            lowering.builder.assign(grown, (reached | beside(lowering, reached, directions)) & held)
        lowering.builder.give(reached)

    return lowering.program.call("group", write, {**arguments, begin: lowering.value(start)})


def groups_meeting(
    lowering: Lowering, node: nodes.Builtin, goals: Bits, among: Bits, scope: Scope
) -> Bits | None:
    """The squares whose group meets a set, at least among some squares that hold one value: one
    flood fill back from the set for all groups. The start of the group stands for the square.
    """
    whole, directions = node.array, ways_of(node)
    place, board = lowering.layout.place_of(whole.variable), lowering.model.board
    if board is None or not lowering.does(Strategy.FILLS):
        return None
    if isinstance(place, Planes):
        digits = (place.default, *dict(place.names))
        planes = [cells.plane(lowering, place, digit) for digit in digits]
    else:
        fixed, _ = cells.cell_index(lowering, whole.variable, whole.fixed, scope)
        row = square_sets.row_of(lowering, place, cells.number_of(lowering, whole.variable, fixed))
        planes = [] if row is None else [row, square_sets.neither(lowering, row)]
    held = next((plane for plane in planes if plane in parts_of(among)), None)
    if held is None:  # a fill for each value costs more than the groups asked about
        return None
    masks = _by_distance(
        (lowering.sets.bit_of[square], lowering.sets.bit_of[neighbour])
        for square in board.squares
        for neighbour in board.neighbours(square, directions)
    )
    begin = lowering.program.fresh("goals", lowering.sets.type)

    def write() -> None:
        reached = lowering.program.hold(lowering.sets.nothing, "reached")
        grown = lowering.program.hold(begin & held, "grown")
        with lowering.builder.loop_while(grown.ne(reached)):
            lowering.builder.assign(reached, grown)
            nearer = _led_into(lowering, reached, masks) & held
            lowering.builder.assign(grown, reached | nearer)
        lowering.builder.give(reached)

    return lowering.program.call("meeting", write, {begin: goals})


def parts_of(bits: Bits) -> Iterator[Bits]:
    """The sets of which a set is known to be a part: itself, and the operands of `&`."""
    yield bits
    if bits.op is Op.AND:
        for operand in bits.args:
            yield from parts_of(operand)


def _like(lowering: Lowering, part: lines.Part, first: Expr, there: Expr) -> Bits:
    """The squares that hold the same value as a given square, in a local."""
    place = part.place
    if isinstance(place, Planes):
        held = cells.plane(lowering, place, place.default)
        for _, title in place.names:
            held = select(
                cells.bit(lowering, lowering.field(title), there), lowering.field(title), held
            )
        return lowering.program.hold(held, "held")
    same = lowering.program.hold(part.digit(lowering, first, there), "same")
    row = square_sets.row_of(lowering, place, first)
    if row is not None:
        others = square_sets.neither(lowering, row)
        return lowering.program.hold(select(same.ne(0), row, others), "held")
    held = lowering.program.hold(lowering.sets.nothing, "held")
    loop = collections.loop(lowering, "n", 0, part.size)
    with loop as n, lowering.builder.when(part.digit(lowering, first, n).eq(same)):
        lowering.builder.assign(held, held | lowering.sets.constant(1) << n)
    return held


def way(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Vector | None:
    """A known direction other than zero; else None."""
    way = lowering.evaluator.known(node, scope)
    return way if isinstance(way, Vector) and way != Vector(0, 0) else None


def vacant(lowering: Lowering, whole: nodes.ArrayRef) -> Bits | None:
    """The squares that do not block the line of sight."""
    place = lowering.layout.place_of(whole.variable)
    digit = whole.variable.domain.digit.get(EMPTY)
    if digit is None:
        return lowering.sets.nothing
    return cells.plane(lowering, place, digit) if isinstance(place, Planes) else None


def _filled_by_doubling(
    goals: Bits, passable: Bits, distance: int, sources: int, length: int
) -> Bits:
    """Parallel prefix (Kogge-Stone): `near` has the passable squares from which fewer than
    `reached` steps lead to a goal, `clear` the squares that begin `run` passable squares in a row.
    """
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


def is_upward(lowering: Lowering, way: Vector | None) -> bool | None:
    """Whether a direction goes up in the order of the board; None if there is no direction, or if
    the direction leads over a seam of the board.
    """
    board = lowering.model.board
    if way is None or board is None or board.wraps_along(way):
        return None
    return (way.up, way.across) > (0, 0)


def _back(bits: Bits, distance: int) -> Bits:
    """A set shifted back by `distance`: square n + distance becomes square n."""
    return bits >> distance if distance >= 0 else bits << -distance


def _by_distance(targets: Iterable[tuple[int, int]]) -> Masks:
    """The source squares of steps, grouped by the difference of numbers."""
    masks: Masks = {}
    for n, target in targets:
        masks[target - n] = masks.get(target - n, 0) | 1 << n
    return masks


def _longest(steps: Steps) -> int:
    """The greatest number of successive steps before a step leads back to the start."""
    longest = 0
    for start in steps:
        length, at = 0, start
        while steps.get(at, start) != start:
            at, length = steps[at], length + 1
        longest = max(longest, length)
    return longest

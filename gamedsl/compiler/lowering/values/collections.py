"""Loops over collections, element by element, in the order of the language.

The collection is a set, list or range; a callback writes the code for each element. The loops are
part of the function being written. A quantifier becomes a function of its own that returns as soon
as the answer is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import (
    ROW,
    TRUE,
    ZERO,
    Operand,
    all_of,
    call,
    integer,
    load,
    lookup,
    lowest,
    not_,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.values import (
    conditions,
    expressions,
    numbers,
    order,
    subsets,
    tables,
)
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Bound, Code, Held, Known, Low, Scope, SquareSet
from gamedsl.model import nodes
from gamedsl.model.builtins import ways_of
from gamedsl.model.types import (
    ListType,
    Scalar,
    SetType,
    TupleType,
    element_of,
    may_repeat,
    scalar_of,
    size_of,
)
from gamedsl.model.values import NONE, Atom, Value, Vector
from gamedsl.model.walk import sides_of, within

Each = Callable[[Low], None]

MOST_HELD = 4096

"""Largest number of elements held in an array."""

UNROLLED = 48

"""Limit on copies of a loop's body, nested loops multiplied."""

SEEN_IN_A_WORD = 62
"""Values whose bits are a number."""
ROW_BITS = 5
"""A row of bits has 1 << `ROW_BITS` in each number."""


def go_through(
    lowering: Lowering, node: nodes.Expr, scope: Scope, each: Each, stem: str = "item"
) -> None:
    """Write loops that apply `each` to every element, without repetition, in order."""
    known = known_elements(lowering, node, scope)
    if known is not None:
        go_through_known(lowering, known, each, stem)
        return
    match node:
        case nodes.Local():
            _go_through_local(lowering, node, scope, each, stem)
        case nodes.Collection():
            _go_through_items(lowering, node, scope, each, stem)
        case nodes.Conditional():
            conditions.branch(
                lowering,
                lowering.condition(node.condition, scope),
                lambda: go_through(lowering, node.then, scope, each, stem),
                lambda: go_through(lowering, node.otherwise, scope, each, stem),
            )
        case nodes.Apply():
            inside = expressions.behind(lowering, node, scope)
            if inside is None:
                raise CannotCompileError("a collection whose arguments may fail", node.span)
            go_through(lowering, *inside, each, stem)
        case nodes.Comprehension():
            _go_through_quantified(lowering, node, scope, each, stem)
        case nodes.Builtin():
            _go_through_builtin(lowering, node, scope, each, stem)
        case _:
            raise CannotCompileError("a collection of this kind", node.span)


def go_through_freely(
    lowering: Lowering, node: nodes.Expr, scope: Scope, each: Each, stem: str = "item"
) -> None:
    """As `go_through`, where repeated elements do no harm."""
    match node:
        case nodes.Builtin(name="|"):
            for side in node.arguments:
                if isinstance(side.type, Scalar):
                    each(order.hold(lowering, lowering.lower(side, scope), stem))
                else:
                    go_through_freely(lowering, side, scope, each, stem)
        case nodes.Comprehension(kind="set"):
            go_through(lowering, replace(node, kind="list"), scope, each, stem)
        case _:
            go_through(lowering, node, scope, each, stem)


def go_through_whole(
    lowering: Lowering, node: nodes.Expr, scope: Scope, each: Each, stem: str = "item"
) -> None:
    """As `go_through`, for an `each` that may fail or stop: a comprehension or union with elements
    that may fail is evaluated before the first element is used."""
    may_fail = lowering.can_fail(node) and any(
        (part.called == "|" or _is_collection(part)) and lowering.can_fail(part)
        for part in within(node)
    )
    if may_fail and known_elements(lowering, node, scope) is None:
        go_through_held(lowering, hold_collection(lowering, node, scope, stem), each, stem)
    else:
        go_through(lowering, node, scope, each, stem)


def _is_collection(node: nodes.Expr) -> bool:
    return isinstance(node, nodes.Comprehension) and node.kind in {"set", "list"}


def known_elements(lowering: Lowering, node: nodes.Expr, scope: Scope) -> tuple[Value, ...] | None:
    """The elements of a known collection; else None."""
    if isinstance(node, nodes.Comprehension) or not isinstance(node.type, Scalar | TupleType):
        low = expressions.meaning_of(lowering, node, scope)
        if isinstance(low, Known) and isinstance(low.value, tuple):
            return low.value
    return None


def go_through_bits(lowering: Lowering, bits: Expr, each: Each, stem: str) -> None:
    """A loop over the squares of a set held in a local; the loop empties the local."""
    with lowering.builder.loop_while(bits.ne(0)):
        place = lowering.program.hold(lowest(bits), stem)
        lowering.builder.assign(bits, bits & bits - 1)
        each(square_at(lowering, place))


def square_at(lowering: Lowering, place: Expr) -> Code:
    """The square of a bit."""
    return Code(place + lowering.codes.code(lowering.codes.squares[0]), square_type(lowering))


def square_type(lowering: Lowering) -> Scalar:
    """The type of all squares."""
    return Scalar(atoms=frozenset(lowering.codes.squares))


def go_through_known(lowering: Lowering, values: tuple[Value, ...], each: Each, stem: str) -> None:
    """`each` with known values: unrolled where they are few, else a loop over codes."""
    copies = _copies(lowering, values)
    if copies is not None:
        with lowering.builder.unrolled(copies):
            for value in values:
                each(Known(value))
        return
    codes = tuple(lowering.codes.code(value) for value in values)
    item = lowering.program.fresh(stem)
    if codes == tuple(range(codes[0], codes[0] + len(codes))):
        loop = lowering.builder.loop_range(item, codes[0], codes[-1] + 1)
    else:
        loop = lowering.builder.loop_entries(item, codes)
    with loop:
        each(Code(item, scalar_of(values)))


def _copies(lowering: Lowering, values: tuple[Value, ...]) -> int | None:
    """The number of copies of the unrolled code; None for a loop. Unrolling is mandatory if some
    values have no codes.
    """
    if any(isinstance(value, tuple | bool | Fraction) for value in values):
        return lowering.builder.copies
    few = 8 if all(isinstance(value, int) for value in values) else 4
    limit = 16 if any(isinstance(value, Vector) for value in values) else few
    copies = lowering.builder.copies * max(1, len(values))
    return copies if len(values) <= limit and copies <= UNROLLED else None


def _go_through_local(
    lowering: Lowering, node: nodes.Local, scope: Scope, each: Each, stem: str
) -> None:
    meaning = scope.of(node.slot)
    if isinstance(meaning, Held):
        go_through_held(lowering, meaning, each, stem)
    elif isinstance(meaning, Bound):
        go_through(lowering, meaning.node, meaning.scope, each, stem)
    elif isinstance(meaning, SquareSet):
        held = lowering.program.hold(meaning.squares, f"{stem}s")
        go_through_bits(lowering, held, each, stem)
    else:
        raise CannotCompileError("a collection in a local", node.span)


def _go_through_range(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    low, high = numbers.ends(lowering, node, scope)
    if low.per != 1 or high.per != 1:
        raise CannotCompileError("a range of fractions", node.span)
    with loop(lowering, stem, low.expr, high.expr + 1) as item:
        each(Code(item, _element(node.type)))


def hold_collection(lowering: Lowering, node: nodes.Expr, scope: Scope, stem: str) -> Held:
    """Evaluate a collection now, into an array."""
    kind, size = element_of(node.type), size_of(node.type)
    if not isinstance(kind, Scalar) or kind.rational or kind.unknown or size > MOST_HELD:
        raise CannotCompileError("a collection of this kind that has to be held", node.span)
    row = call("numbers", [integer(max(1, size))], ROW, can_fail=False)
    array = lowering.program.hold(row, f"{stem}_items")
    count = lowering.program.hold(ZERO, f"{stem}_count")

    def keep(low: Low) -> None:
        lowering.builder.store(array, count, numbers.as_number(lowering, low))
        lowering.builder.assign(count, count + 1)

    go_through(lowering, node, scope, keep, stem)
    return Held(array, count, kind)


def go_through_held(lowering: Lowering, held: Held, each: Each, stem: str) -> None:
    """The elements of an array in order."""
    with loop(lowering, "n", 0, held.count) as n:
        each(order.hold(lowering, numbers.coded(load(held.array, n), held.type), stem))


@contextmanager
def loop(lowering: Lowering, stem: str, low: Operand, high: Operand) -> Iterator[Expr]:
    """A loop over a new local from `low` to below `high`, with the code of the `with` block."""
    local = lowering.program.fresh(stem)
    with lowering.builder.loop_range(local, low, high):
        yield local


def _go_through_items(
    lowering: Lowering, node: nodes.Collection, scope: Scope, each: Each, stem: str
) -> None:
    """The items are all evaluated first, then processed one by one; a set has no repeats."""
    lows = [order.hold(lowering, lowering.lower(item, scope), stem) for item in node.items]
    for place, low in enumerate(lows):
        earlier = lows[:place] if isinstance(node.type, SetType) else []
        same = [
            lowering.value(conditions.equal_lowered(lowering, former, low, node.span))
            for former in earlier
        ]
        conditions.branch(lowering, all_of(map(not_, same)), partial(each, low))


def _go_through_union(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    """The elements of the left side, then the new elements of the right side; nested unions
    likewise, since all sides share the set of earlier elements.
    """
    seen = _seen(lowering, element_of(node.type), node, each)
    for side in sides_of(node):
        if isinstance(side.type, Scalar):
            seen(order.hold(lowering, lowering.lower(side, scope), stem))
        else:
            go_through(lowering, side, scope, seen, stem)


def _seen(lowering: Lowering, kind: object, node: nodes.Expr, each: Each) -> Each:
    """`each`, once for every value: earlier values are recorded in a set of bits."""
    span = tables.span_of_codes(lowering, kind) if isinstance(kind, Scalar) else None
    if span is None:
        raise CannotCompileError("a set without repeats of so many values", node.span)
    if span[1] <= SEEN_IN_A_WORD:
        seen = lowering.program.hold(ZERO, "seen")
        return partial(_once, lowering, span[0], seen, each)
    size = (span[1] >> ROW_BITS) + 1
    row = lowering.program.hold(call("numbers", [integer(size)], ROW, can_fail=False), "seen")

    def once(element: Low) -> None:
        number = lowering.offset(numbers.as_number(lowering, element), span[0])
        place = lowering.program.hold(number >> ROW_BITS, "place")
        bit = lowering.program.hold(integer(1) << (number & (1 << ROW_BITS) - 1), "bit")
        with lowering.builder.when((load(row, place) & bit).eq(0)):
            lowering.builder.store(row, place, load(row, place) | bit)
            each(element)

    return once


def _once(lowering: Lowering, least: int, seen: Expr, each: Each, element: Low) -> None:
    """`each` for an element that is not yet among the bits `seen`."""
    bit = integer(1) << lowering.offset(numbers.as_number(lowering, element), least)
    with lowering.builder.when((seen & bit).eq(0)):
        lowering.builder.assign(seen, seen | bit)
        each(element)


def _go_through_quantified(
    lowering: Lowering, node: nodes.Comprehension, scope: Scope, each: Each, stem: str
) -> None:
    """`{e for ...}` and `[e for ...]`: the elements in the order of the loops."""
    is_distinct = is_own_element(node) and not may_repeat(node.clauses[0].domain.type)
    if node.kind == "set" and not is_distinct:
        each = _seen(lowering, node.element.type, node, each)
    lowering.rounds(
        node.clauses,
        scope,
        lambda inner: each(order.hold(lowering, lowering.lower(node.element, inner), stem)),
    )


def _go_through_builtin(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    match node.name:
        case "..":
            _go_through_range(lowering, node, scope, each, stem)
        case "|":
            _go_through_union(lowering, node, scope, each, stem)
        case "[]":
            _go_through_chosen(lowering, node, scope, each, stem)
        case "neighbours":
            _go_through_table(lowering, node, scope, each, stem)
        case "ray":
            _go_through_ray(lowering, node, scope, each, stem)
        case "sight" | "group":
            lowering.go_through_squares(node, scope, each, stem)
        case _:
            raise CannotCompileError(f"going through `{node.name}`", node.span)


def _go_through_table(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    """`neighbours(s)`: rows of a table, padded with `none`."""
    board, none, directions = lowering.model.board, lowering.codes.none, ways_of(node)
    assert board is not None
    square = order.hold(lowering, lowering.lower(node.arguments[0], scope), stem)
    if isinstance(square, Known):
        assert isinstance(square.value, Atom)
        go_through_known(lowering, board.neighbours(square.value, directions), each, stem)
        return
    rows = [
        [lowering.codes.code(neighbour) for neighbour in board.neighbours(s, directions)]
        for s in board.squares
    ]
    width = max(map(len, rows))
    if not width:
        return
    flat = tuple(code for row in rows for code in [*row, *[none] * (width - len(row))])
    with lowering.builder.when(square.expr.ne(none)), loop(lowering, "n", 0, width) as n:
        entry = lookup(flat, at_base(lowering, square.expr) * width + n)
        neighbour_code = lowering.program.hold(entry, stem)
        with lowering.builder.when(neighbour_code.ne(none)):
            each(Code(neighbour_code, _element(node.type)))


def at_base(lowering: Lowering, square: Expr) -> Expr:
    """The number of a square's bit."""
    return lowering.offset(square, lowering.codes.code(lowering.codes.squares[0]))


def _go_through_ray(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    """From square to square by the table of steps, to the edge of the board or back to the
    start.
    """
    start = order.hold(lowering, lowering.lower(node.arguments[0], scope), stem)
    way = order.hold(lowering, lowering.lower(node.arguments[1], scope), "way")
    board = lowering.model.board
    assert board is not None
    squares = Scalar(atoms=frozenset({*board.squares, NONE}))

    def step(square: Value, offset: Value) -> Value:
        is_still = offset == Vector(0, 0)
        return NONE if is_still else board.step(square, offset)  # type: ignore[arg-type]

    def further(square: Low) -> Low:
        target = tables.table_of(lowering, [square, way], step, squares)
        if target is None:
            raise CannotCompileError("a ray in too many directions", node.span)
        return target

    first = further(start)
    if isinstance(first, Known) and first.value is NONE:
        return
    ahead = lowering.program.hold(lowering.value(first), stem)
    goes_on = ahead.ne(lowering.codes.none)
    if board.wraps:
        goes_on = all_of([goes_on, ahead.ne(lowering.value(start))])
    with lowering.builder.loop_while(goes_on):
        here = lowering.program.hold(ahead, stem)
        lowering.builder.assign(ahead, lowering.value(further(Code(ahead, squares))))
        each(Code(here, _element(node.type)))


def _go_through_chosen(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    """A list of lists at a position known only during play: the bits of the chosen set, or one
    branch for each position.
    """
    chosen = chosen_set(lowering, node, scope)
    if chosen is not None:
        _go_through_chosen_set(lowering, chosen, each, stem)
        return
    items, position = _one_of_many(lowering, node, scope)
    at = order.held(lowering, position.expr, "at")
    assert isinstance(items, tuple)
    for place, item in enumerate(items, 1):
        assert isinstance(item, tuple)
        with lowering.builder.when(at.eq(place)):
            go_through_known(lowering, item, each, stem)


def chosen_set(lowering: Lowering, node: nodes.Expr, scope: Scope) -> subsets.Chosen | None:
    """One of many sets as bits; None for other kinds of collections."""
    node, scope = expressions.opened(lowering, node, scope)
    if node.called != "[]":
        return None
    items, position = _one_of_many(lowering, node, scope)
    if position.type.can_be_none:
        return None
    return subsets.chosen(lowering, items, position.expr)


def _one_of_many(lowering: Lowering, node: nodes.Expr, scope: Scope) -> tuple[Value, Code]:
    items, positions = expressions.listed(lowering, node, scope)
    if len(positions) != 1 or not isinstance(positions[0], Code):
        raise CannotCompileError("a list of lists", node.span)
    return items, positions[0]


def _go_through_chosen_set(
    lowering: Lowering, chosen: subsets.Chosen, each: Each, stem: str
) -> None:
    held = replace(chosen, bits=order.held(lowering, chosen.bits, f"{stem}s"))

    def if_there(low: Low) -> None:
        there = subsets.holds(lowering, held, low)
        assert there is not None
        conditions.branch(lowering, there, partial(each, low))

    go_through_known(lowering, chosen.elements, if_there, stem)


def rounds_plain(
    lowering: Lowering,
    clauses: tuple[nodes.Clause, ...],
    scope: Scope,
    each: Callable[[Scope], None],
) -> None:
    """Loops for all `for` clauses, and `each` with the bindings in force within."""
    clause, rest = clauses[0], clauses[1:]

    def with_value(element: Low) -> None:
        inner = scope.having(clause.slot, element)

        def further() -> None:
            if rest:
                lowering.rounds(rest, inner, each)
            else:
                each(inner)

        only_if(lowering, clause.condition, inner, further)

    go_through_whole(lowering, clause.domain, scope, with_value, clause.name)


def only_if(
    lowering: Lowering, condition: nodes.Expr | None, scope: Scope, write: Callable[[], None]
) -> None:
    """The statements of `write`, executed only where the condition holds."""
    conditions.branch(
        lowering, TRUE if condition is None else lowering.condition(condition, scope), write
    )


def _element(kind: object) -> Scalar:
    element = element_of(kind) if isinstance(kind, SetType | ListType) else None
    assert isinstance(element, Scalar)
    return element


def is_own_element(node: nodes.Comprehension) -> bool:
    """Whether a comprehension has one clause and collects the elements of the clause."""
    return len(node.clauses) == 1 and node.element.local == node.clauses[0].slot

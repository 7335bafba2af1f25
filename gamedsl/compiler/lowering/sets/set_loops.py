"""Loops that only put values on squares, as assignments to sets of squares.

The loop is a `for` over squares, or over a few known values with such loops inside. The squares of
all rounds are computed at once, and the planes changed by `|` and `& ~`. Among the squares that
change, a round may read only its own square, so that the rounds are independent. All other loops
are left to `bodies.blocks`, round by round.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import highest
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.lowering.sets import lifting, preimages, quantified, square_sets
from gamedsl.compiler.lowering.sets.square_sets import Bits, without_square
from gamedsl.compiler.lowering.values import cells, expressions, order
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Low, Scope
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.model.semantics.safety import fits
from gamedsl.model.statement_facts import written_in
from gamedsl.model.types import BOOLEAN, Scalar, element_of, may_repeat, type_of
from gamedsl.model.values import NONE
from gamedsl.model.walk import expressions_of, parts
from gamedsl.model.walk import statements as all_statements
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Put:
    """A value put on the squares of the rounds. If `value` is None, the value depends on the
    square, and `planes` has for each plane the squares that get the plane's value.
    """

    place: Planes
    value: Low | None
    planes: tuple[tuple[str, Bits], ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """Blocks for the squares that pass a test, and for the other squares."""

    test: Bits
    then: Puts
    otherwise: Puts


Puts = tuple[Put | Split, ...]


def lifted_loop_plain(lowering: Lowering, statement: nodes.Loop, scope: Scope) -> bool:
    """Write a loop as operations on sets of squares, if possible; return whether it was."""
    if not lowering.does(Strategy.SET_LOOPS):
        return False
    written = written_in(statement.body)
    puts = puts_of(lowering, statement, scope, written)
    squares = squares_of(lowering, statement, scope, written) if puts else None
    if not puts or squares is None:
        return False
    if squares is not lowering.sets.nothing:
        for inner in all_statements(statement.body):
            lowering.comment(inner.span.start)
        _make(lowering, puts, lowering.program.hold(squares, f"{statement.name}s"))
    return True


def squares_of(
    lowering: Lowering, loop: nodes.Loop, scope: Scope, written: frozenset[int]
) -> Bits | None:
    """The squares of the executed rounds; None if the loop has to run round by round."""
    inner = square_sets.marked(lowering, loop.slot, scope)
    for test in (loop.condition, loop.going):
        if test is not None and _reads_elsewhere(lowering, test, inner, written):
            return None
    bits = preimages.passing(lowering, loop, scope)
    if bits is None or loop.going is None:
        return bits
    upward = quantified.direction(lowering, loop.domain, scope)
    goes_on = square_sets.lifted(lowering, loop.going, loop.slot, scope)
    if upward is None or goes_on is None:
        return None
    return _until(lowering, bits, square_sets.neither(lowering, goes_on), upward)


def _until(lowering: Lowering, bits: Bits, stops: Bits, is_upward: bool) -> Bits:
    """The squares of a set before the first square where a loop stops."""
    ends = bits & stops
    if ends is lowering.sets.nothing:
        return bits
    if is_upward:
        return bits & ends - 1 & ~ends
    place = highest(ends | 1)
    end = ends & (lowering.sets.constant(1) << place)
    return bits & ~((end << 1) - (end >> place))  # without an unpredictable branch


def puts_of(
    lowering: Lowering, loop: nodes.Loop, scope: Scope, written: frozenset[int]
) -> Puts | None:
    """The effect of a loop over squares on each square; None if not expressible on sets."""
    if not lowering.codes.squares or not _is_of_squares(loop.domain):
        return None
    return _puts_of(lowering, loop.body, square_sets.marked(lowering, loop.slot, scope), written)


def _puts_of(
    lowering: Lowering, block: nodes.Block, scope: Scope, written: frozenset[int]
) -> Puts | None:
    """The effect of a block on the squares of the rounds; None if not expressible on sets."""
    puts: Puts = ()
    for statement in block:
        if any(
            lowering.can_fail(node) or _reads_elsewhere(lowering, node, scope, written)
            for node in expressions_of(statement)
        ):
            return None
        new_puts: Puts | None = None
        match statement:
            case nodes.Put():
                new_puts = _put(lowering, statement, scope)
            case nodes.Branch():
                new_puts = _branched(
                    lowering, statement.branches, statement.otherwise, scope, written
                )
        if new_puts is None:
            return None
        puts += new_puts
    return puts


def _put(lowering: Lowering, statement: nodes.Put, scope: Scope) -> tuple[Put] | None:
    """An assignment to the square of the round."""
    variable = statement.place.cell_variable
    if variable is None or variable.domains is not None:
        return None
    place = lowering.layout.place_of(variable)
    if not isinstance(place, Planes) or not _is_round(lowering, statement.place.indices[0], scope):
        return None
    domain = place.variable.domain
    kind = statement.value.type
    if not isinstance(kind, Scalar) or not fits(kind, domain):
        return None
    if kind.can_be_none and domain.position(NONE) is None:
        return None
    if not square_sets.depends(lowering, statement.value, scope):
        return (Put(place, lowering.lower(statement.value, scope)),)
    planes = []
    for digit, title in place.names:
        held = domain.values[digit]
        constant = nodes.Const(statement.span, type_of(held), held)
        test = nodes.Compare(statement.span, BOOLEAN, "==", statement.value, constant)
        bits = (
            lifting.lift(lowering, statement.value, scope)
            if held is True and kind.is_boolean
            else None
        )
        bits = without_square(lifting.lift(lowering, test, scope) if bits is None else bits)
        if bits is None:
            return None
        planes.append((title, bits))
    return (Put(place, None, tuple(planes)),)


def _is_round(lowering: Lowering, node: nodes.Expr, scope: Scope) -> bool:
    """Whether an expression is the square of the round."""
    return preimages.is_square(*expressions.opened(lowering, node, scope))


def _branched(
    lowering: Lowering,
    branches: tuple[tuple[nodes.Expr, nodes.Block], ...],
    otherwise: nodes.Block,
    scope: Scope,
    written: frozenset[int],
) -> Puts | None:
    """`if` and its `elif`s: each block for the remaining squares that pass its condition."""
    if not branches:
        return _puts_of(lowering, otherwise, scope, written)
    (condition, block), *later = branches
    test = without_square(lifting.lift(lowering, condition, scope))
    then = _puts_of(lowering, block, scope, written)
    remaining = _branched(lowering, tuple(later), otherwise, scope, written)
    if test is None or then is None or remaining is None:
        return None
    return (Split(test, then, remaining),)


def _reads_elsewhere(
    lowering: Lowering, node: nodes.Expr, scope: Scope, written: frozenset[int]
) -> bool:
    """Whether an expression may read a variable that the loop changes, at a square other than the
    square of the round.
    """
    if node.reads is not None and node.reads.offset in written:
        first = node.indices[:1] if isinstance(node, nodes.Cell) else ()
        return not any(_is_round(lowering, index, scope) for index in first)
    if node.local is not None and node.local in scope.evaluated:
        return False
    if node.asks == "moves" or isinstance(node, nodes.ApplyRecursive):
        return True
    inside = expressions.behind(lowering, node, scope)
    if inside is None and isinstance(node, nodes.Apply):
        return True
    if inside is not None and _reads_elsewhere(lowering, *inside, written):
        return True
    return any(_reads_elsewhere(lowering, part, scope, written) for part in parts(node))


def _make(lowering: Lowering, puts: Puts, squares: Bits) -> None:
    """Write the effects on the squares in a local."""
    for put in puts:
        if isinstance(put, Put):
            put_on(lowering, put, squares)
            continue
        some = lowering.program.hold(squares & put.test, "some")
        rest = lowering.program.hold(squares & ~some, "others")
        _make(lowering, put.then, some)
        _make(lowering, put.otherwise, rest)


def put_on(lowering: Lowering, put: Put, squares: Bits) -> None:
    """Put a value on the squares in a local."""
    if put.value is not None:
        cells.store_planes(lowering, put.place, squares, order.hold(lowering, put.value, "value"))
        return
    held = [
        (lowering.field(title), lowering.program.hold(bits, "those")) for title, bits in put.planes
    ]
    for plane, bits in held:
        lowering.builder.assign(plane, plane & ~squares | bits & squares)


def _is_of_squares(domain: nodes.Expr) -> bool:
    """Whether a collection has squares only, without repetition."""
    kind = element_of(domain.type)
    return not may_repeat(domain.type) and kind.is_square and not kind.can_be_none

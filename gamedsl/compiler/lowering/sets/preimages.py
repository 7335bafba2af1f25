"""Preimages of sets under square-valued expressions, and collections of squares as sets.

The preimage of a set is the set of squares from which an expression leads into the set. Results are
None where the preimage or the collection is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import select
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.lowering.sets import fills, square_sets
from gamedsl.compiler.lowering.sets.square_sets import SQUARE, Bits
from gamedsl.compiler.lowering.values import collections, expressions, tables
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Scope, SquareSet
from gamedsl.model import nodes
from gamedsl.model.types import Scalar
from gamedsl.model.values import Square, Vector
from gamedsl.model.walk import parts


def chosen(
    lowering: Lowering, test: Bits | None, then: Bits | None, otherwise: Bits | None
) -> Bits | None:
    """The squares of `then` where a test holds, of `otherwise` elsewhere; None if an operand is
    None.
    """
    if test is None or then is None or otherwise is None:
        return None
    return test & then | square_sets.neither(lowering, test) & otherwise


def is_place(node: nodes.Expr) -> bool:
    """Whether the value of an expression is a square."""
    return node.type.is_square


def planes(lowering: Lowering, node: nodes.Expr) -> Planes | None:
    """The planes of the array that a cell belongs to; None if the array has no planes."""
    if isinstance(node, nodes.Cell):
        place = lowering.layout.place_of(node.variable)
        if isinstance(place, Planes):
            return place
    return None


def one_square(lowering: Lowering, low: Known | Code) -> Bits:
    """The set of one square; empty for `none`."""
    if isinstance(low, Known):
        return lowering.sets.of((low.value,))
    bit = lowering.sets.constant(1) << collections.at_base(lowering, low.expr)
    if not low.type.can_be_none:
        return bit
    return select(low.expr.ne(lowering.codes.none), bit, lowering.sets.nothing)


def square_of(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits:
    """The set of the square given by an expression; empty for `none`."""
    return one_square(lowering, lowering.lower(node, scope))


def preimage(lowering: Lowering, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
    """The squares from which an expression leads into a set."""
    if bits is lowering.sets.nothing or is_square(node, scope):
        return bits
    if not square_sets.depends(lowering, node, scope):
        inside = bits & square_of(lowering, node, scope)
        return select(inside.ne(0), lowering.sets.everything, lowering.sets.nothing)
    moved = _moved_back(lowering, node, bits, scope)
    if moved is not None:
        return moved
    node, scope = expressions.opened(lowering, node, scope)
    match node:
        case nodes.Conditional():
            return chosen(
                lowering,
                lowering.lift(node.condition, scope),
                preimage(lowering, node.then, bits, scope),
                preimage(lowering, node.otherwise, bits, scope),
            )
        case nodes.Builtin(name="s+d", arguments=(square, offset)):
            way = lowering.evaluator.known(offset, scope)
            if isinstance(way, Vector):
                back = fills.shifted(lowering, bits, fills.steps(lowering, way))
                return None if back is None else preimage(lowering, square, back, scope)
        case nodes.Comprehension(kind="first"):
            return _first_on_ray(lowering, node, bits, scope)
    return None


def is_square(node: nodes.Expr, scope: Scope) -> bool:
    """Whether an expression is the local that stands for an arbitrary square."""
    meaning = scope.of(node.local)
    return isinstance(meaning, Code) and meaning.expr is SQUARE


def _is_of_square(lowering: Lowering, node: nodes.Expr, scope: Scope) -> bool:
    """Whether an expression depends on the square alone."""
    free: dict[Expr, Code] = {}
    return tables.free_codes(lowering, node, scope, set(), free) and set(free) == {SQUARE}


def _moved_back(lowering: Lowering, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
    """The preimage under an expression that depends on the square alone."""
    if not _is_of_square(lowering, node, scope):
        return None
    shape = tables.shape(lowering, node, scope, [SQUARE])
    if shape not in lowering.memo.tables.targets:
        lowering.memo.tables.targets[shape] = _targets(lowering, node, scope)
    return fills.shifted(lowering, bits, lowering.memo.tables.targets[shape])


def _targets(lowering: Lowering, node: nodes.Expr, scope: Scope) -> dict[int, int]:
    """The target square of an expression for each square; squares without a target are left out."""
    targets = {}
    for square, n in lowering.sets.bit_of.items():
        target = lowering.evaluator.value(node, scope, {SQUARE: square})
        if isinstance(target, Square):
            targets[n] = lowering.sets.bit_of[target]
    return targets


def _first_on_ray(
    lowering: Lowering, node: nodes.Comprehension, bits: Bits, scope: Scope
) -> Bits | None:
    """`first(q for q in ray(e, d) where c)`: from the squares of the set where c holds, step back
    over squares where c does not hold.
    """
    clause = node.clauses[0]
    domain, inner = expressions.opened(lowering, clause.domain, scope)
    if not collections.is_own_element(node) or clause.condition is None:
        return None
    if domain.called != "ray":
        return None
    start, offset = parts(domain)
    way = fills.way(lowering, offset, inner)
    if way is None or square_sets.depends(lowering, clause.condition, scope):
        return None
    stops = square_sets.lifted(lowering, clause.condition, clause.slot, scope)
    if stops is None:
        return None
    reaching = fills.filled(
        lowering, bits & stops, square_sets.neither(lowering, stops), fills.steps(lowering, way)
    )
    return None if reaching is None else preimage(lowering, start, reaching, inner)


def with_any_of(
    lowering: Lowering, node: nodes.Expr, bits: Bits, scope: Scope, among: Bits
) -> Bits | None:
    """The squares whose related collection of squares meets a set, at least among some squares."""
    node, scope = expressions.opened(lowering, node, scope)
    match node:
        case nodes.Builtin(name="group") if is_square(node.arguments[1], scope):
            return fills.groups_meeting(lowering, node, bits, among, scope)
        case nodes.Builtin(name="ray", arguments=(start, offset)):
            passable: Bits | None = lowering.sets.everything
        case nodes.Builtin(name="sight", arguments=(_, start, offset)):
            passable = fills.vacant(lowering, node.array)
        case _:
            return _with_fixed(lowering, node, bits, scope)
    way = fills.way(lowering, offset, scope)
    if passable is None or way is None:
        return None
    reaching = fills.filled(lowering, bits, passable, fills.steps(lowering, way))
    return None if reaching is None else preimage(lowering, start, reaching, scope)


def _with_fixed(lowering: Lowering, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
    """As `with_any_of`, for a collection that depends on the square alone."""
    if not _is_of_square(lowering, node, scope):
        return None
    rows = []
    for square in lowering.codes.squares:
        related = lowering.evaluator.value(node, scope, {SQUARE: square})
        if not isinstance(related, tuple) or not all(isinstance(v, Square) for v in related):
            return None
        rows.append(lowering.sets.mask(related))
    return fills.related(lowering, bits, rows)


def set_of(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits | None:
    """A collection of squares as a set, regardless of order; None where the squares are unknown."""
    if lowering.can_fail(node):
        return None
    known = lowering.evaluator.known(node, scope)
    if isinstance(known, tuple):
        is_of_squares = all(isinstance(value, Square) for value in known)
        return lowering.sets.of(known) if is_of_squares else None
    node, scope = expressions.opened(lowering, node, scope)
    table = square_sets.collection_table(lowering, node, scope)
    if table is not None:
        return table
    meaning = scope.of(node.local)
    if isinstance(meaning, SquareSet):
        return meaning.squares
    match node:
        case nodes.Builtin(name="group"):
            return fills.group(lowering, node, scope)
        case nodes.Builtin(name="sight"):
            return fills.sight(lowering, node, scope)
        case nodes.Builtin(name="|"):
            return _union(lowering, node.arguments, scope)
        case nodes.Collection() if all(isinstance(item.type, Scalar) for item in node.items):
            return _union(lowering, node.items, scope)
        case nodes.Conditional():
            then, otherwise = (
                set_of(lowering, node.then, scope),
                set_of(lowering, node.otherwise, scope),
            )
            if then is None or otherwise is None:
                return None
            return select(lowering.condition(node.condition, scope), then, otherwise)
        case nodes.Comprehension(kind="set" | "list", clauses=(clause,)):
            return passing(lowering, clause, scope) if collections.is_own_element(node) else None
    return None


def passing(lowering: Lowering, clause: nodes.Ranging, scope: Scope) -> Bits | None:
    """The squares that a clause ranges over."""
    bits = set_of(lowering, clause.domain, scope)
    if bits is None or clause.condition is None:
        return bits
    holds = square_sets.lifted(lowering, clause.condition, clause.slot, scope)
    return None if holds is None else bits & holds


def _union(lowering: Lowering, sides: Iterable[nodes.Expr], scope: Scope) -> Bits | None:
    """The union of collections and single squares."""
    total = lowering.sets.nothing
    for side in sides:
        squares = set_of_side(lowering, side, scope)
        if squares is None:
            return None
        total = total | squares
    return total


def set_of_side(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits | None:
    """One side of `|`: a collection or a single square."""
    if not isinstance(node.type, Scalar):
        return set_of(lowering, node, scope)
    if not node.type.is_square or node.type.can_be_none:
        return None
    return square_of(lowering, node, scope)

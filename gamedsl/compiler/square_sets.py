"""Sets of squares as values: complements, planes, and sets that are looked up.

In: sets, or a condition or collection in which the state has no part. Out: sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.evaluate import NotKnownError
from gamedsl.compiler.ir.values import INT, ZERO, Op, lookup, name
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.lines import Lines
from gamedsl.compiler.scope import Bound, Code, Scope
from gamedsl.compiler.tables import LARGEST_TABLE
from gamedsl.model import nodes, operations
from gamedsl.model.model import Model
from gamedsl.model.types import Scalar
from gamedsl.model.values import Value
from gamedsl.model.walk import parts

Bits = Expr
"""A set of squares: a value of `set_type`."""
SQUARE = name("@", INT)
"""What stands for any square while a condition is lifted; never part of what comes out."""
MOST_SHIFTS = 4
UNROLLED_CASES = 16
MaskOf = Callable[[dict[Expr, Value]], int | None]
"""The set for given values of some code; None if it is none."""


class SquareSets(Lines):
    """Sets of squares by structural recursion.

    Attributes:
        nothing: no square.
        everything_set: all squares.
        bit_of: the number of each square's bit.
    """

    def __init__(self, model: Model, codes: Codes, layout: Layout) -> None:
        super().__init__(model, codes, layout)
        self.nothing: Bits = self.squares(0)
        self.everything_set: Bits = self.squares(self.everything)
        self.bit_of: dict[Value, int] = {square: n for n, square in enumerate(codes.squares)}
        self._masks: dict[object, list[Value | None] | None] = {}
        self._ways: dict[object, dict[int, int]] = {}

    @property
    def everything(self) -> int:
        """All squares, as a mask."""
        return (1 << len(self.codes.squares)) - 1

    @property
    def square_type(self) -> Scalar:
        """Any square."""
        return Scalar(atoms=frozenset(self.codes.squares))

    def mask_of(self, values: Iterable[Value]) -> int:
        """The squares among some values, as a mask."""
        return sum(1 << self.bit_of[value] for value in set(values) if value in self.bit_of)

    def neither(self, bits: Bits) -> Bits:
        """All other squares."""
        is_complement = bits.op is Op.AND and bits.args[1].op is Op.COMPLEMENT
        if is_complement and bits.args[0] is self.everything_set:
            return bits.args[1].args[0]
        return self.everything_set & ~bits

    def planes_of(self, place: Planes, digits: set[int]) -> Bits:
        """The squares that hold one of some digits; the default by way of the others."""
        if place.default in digits:
            others = set(range(len(place.variable.domain))) - digits
            return self.neither(self.planes_of(place, others))
        found = self.nothing
        for digit in sorted(digits):
            found = found | self.plane(place, digit)
        return found

    def depends(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether the square has a part in an expression."""
        match node:
            case nodes.Local():
                meaning = scope.of(node.slot)
                if isinstance(meaning, Bound):
                    return self.depends(meaning.node, meaning.scope)
                return isinstance(meaning, Code) and SQUARE.name in meaning.expr.names
            case nodes.Apply() if self.depends(node.definition.body, scope):
                return True
        return any(self.depends(part, scope) for part in parts(node))

    def known_value(self, node: nodes.Expr, scope: Scope) -> Value | None:
        """A value known now; None if it is not."""
        try:
            return self.evaluator.value(node, scope)
        except (NotKnownError, operations.OperationError):
            return None

    # --- tables of sets --------------------------------------------------------------------

    def _mask_table(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """A condition in which the state has no part: a mask, or a table of masks."""

        def holds(given: dict[Expr, Value]) -> int:
            return sum(
                1 << n
                for square, n in self.bit_of.items()
                if self.evaluator.value(node, scope, {**given, SQUARE: square}) is True
            )

        return self._table(node, scope, holds, len(self.codes.squares))

    def _collection_table(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """A collection of squares in which the state has no part."""

        def members(given: dict[Expr, Value]) -> int | None:
            found = self.evaluator.value(node, scope, given)
            is_of_squares = isinstance(found, tuple) and all(one in self.bit_of for one in found)
            return self.mask_of(found) if is_of_squares and isinstance(found, tuple) else None

        return self._table(node, scope, members, 8)

    def _table(self, node: nodes.Expr, scope: Scope, mask: MaskOf, each: int) -> Bits | None:
        free: dict[Expr, Code] = {}
        if not self.free_codes(node, scope, set(), free):
            return None
        free.pop(SQUARE, None)
        if any(code.per != 1 or SQUARE.name in code.expr.names for code in free.values()):
            return None
        all_spans = [self.span_of_codes(code.type) for code in free.values()]
        spans = [span for span in all_spans if span is not None]
        if len(spans) < len(all_spans) or len(spans) > 2:
            return None
        if prod(count for _, count, _ in spans) * each > 8 * LARGEST_TABLE:
            return None
        operands = list(free.values())
        shape = (each, self.shape(node, scope, [SQUARE, *free]))
        if shape not in self._masks:
            self._masks[shape] = self._entries(
                operands, lambda *given: mask(dict(zip(free, given, strict=True))), spans
            )
        found = self._masks[shape]
        if found is None:
            return None
        masks = tuple(entry if isinstance(entry, int) else 0 for entry in found)
        if len(set(masks)) == 1:
            return self.squares(masks[0])
        index = ZERO
        for operand, (low, count, _) in zip(operands, spans, strict=True):
            index = index * count + self.offset(self.integer_of(operand), low)
        return lookup(masks, index, self.set_type)


def without_square(bits: Bits | None) -> Bits | None:
    """A set that was lifted; None where something in it still asks about a single square."""
    return None if bits is None or SQUARE.name in bits.names else bits

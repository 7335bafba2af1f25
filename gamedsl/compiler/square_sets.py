"""Sets of squares as masks and code: their algebra, and sets that are looked up.

In: sets known now (int) or as code (str), or a condition in which the state has no part. Out: the
same kind of sets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.evaluate import NotKnownError
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.lines import Lines
from gamedsl.compiler.scope import Bound, Code, Scope
from gamedsl.compiler.tables import LARGEST_TABLE
from gamedsl.model import nodes, operations
from gamedsl.model.model import Model
from gamedsl.model.types import Scalar
from gamedsl.model.values import Value
from gamedsl.model.walk import parts

Bits = int | str
MARK = "@"
"""What stands for the square in code; never leaves this module."""
MOST_SHIFTS = 4
UNROLLED_CASES = 16
Span = tuple[int, int, dict[int, Value]]
"""Least code of a type, how many codes up to the greatest, the values by code."""
MaskOf = Callable[[dict[str, Value]], int]
"""The set for given values of some code."""


class SquareSets(Lines):
    """Sets of squares by structural recursion."""

    @property
    def everything(self) -> int:
        """All squares, as a mask."""
        return (1 << len(self.codes.squares)) - 1

    @property
    def square_type(self) -> Scalar:
        """Any square."""
        return Scalar(atoms=frozenset(self.codes.squares))

    def __init__(self, model: Model, codes: Codes, layout: Layout) -> None:
        super().__init__(model, codes, layout)
        self._masks: dict[object, list[int]] = {}
        self._ways: dict[object, dict[int, int]] = {}
        self._complements: dict[str, str] = {}

    # --- set algebra -----------------------------------------------------------------------

    def bits_text(self, bits: Bits) -> str:
        """A set as code."""
        return bits if isinstance(bits, str) else self.program.number(bits)

    def both(self, one: Bits, other: Bits) -> Bits:
        """What lies in both sets."""
        for this, that in ((one, other), (other, one)):
            if isinstance(this, int):
                if isinstance(that, int):
                    return this & that
                if this == 0:
                    return 0
                if this == self.everything:
                    return that
        return f"({self.bits_text(one)} & {self.bits_text(other)})"

    def either(self, one: Bits, other: Bits) -> Bits:
        """What lies in one of the sets."""
        for this, that in ((one, other), (other, one)):
            if isinstance(this, int):
                if isinstance(that, int):
                    return this | that
                if this == 0:
                    return that
                if this == self.everything:
                    return this
        return f"({self.bits_text(one)} | {self.bits_text(other)})"

    def neither(self, bits: Bits) -> Bits:
        """All other squares."""
        if isinstance(bits, int):
            return self.everything & ~bits
        if bits in self._complements:
            return self._complements[bits]
        text = f"({self.program.number(self.everything)} & ~{bits})"
        self._complements[text] = bits
        return text

    def plane(self, place: Planes, digit: int) -> str:
        """The set of squares that hold a digit; its complement is known where it is one."""
        text = super().plane(place, digit)
        if digit == place.default and place.names:
            names = " | ".join(name for _, name in place.names)
            self._complements[text] = f"({names})" if len(place.names) > 1 else names
        return text

    def planes_of(self, place: Planes, digits: set[int]) -> Bits:
        """The squares that hold one of some digits; the default by way of the others."""
        if place.default in digits:
            others = set(range(len(place.variable.domain))) - digits
            return self.neither(self.planes_of(place, others))
        found: Bits = 0
        for digit in sorted(digits):
            found = self.either(found, self.plane(place, digit))
        return found

    def depends(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether the square has a part in an expression."""
        match node:
            case nodes.Local():
                meaning = scope.of(node.slot)
                if isinstance(meaning, Bound):
                    return self.depends(meaning.node, meaning.scope)
                return isinstance(meaning, Code) and MARK in meaning.text
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

        def holds(given: dict[str, Value]) -> int:
            return sum(
                1 << n
                for n, square in enumerate(self.codes.squares)
                if self.evaluator.value(node, scope, {**given, MARK: square}) is True
            )

        return self._table(node, scope, holds, len(self.codes.squares))

    def _table(self, node: nodes.Expr, scope: Scope, mask: MaskOf, each: int) -> Bits | None:
        free: dict[str, Code] = {}
        if not self.free_codes(node, scope, set(), free):
            return None
        free.pop(MARK, None)
        if any(code.per != 1 or MARK in text for text, code in free.items()):
            return None
        all_spans = [self.span_of_codes(code.type) for code in free.values()]
        spans = [span for span in all_spans if span is not None]
        if len(spans) < len(all_spans) or len(spans) > 2:
            return None
        if prod(span[1] for span in spans) * each > 8 * LARGEST_TABLE:
            return None
        shape = (each, self.shape(node, scope, [MARK, *free]))
        if shape not in self._masks:
            self._masks[shape] = self._mask_entries(free, spans, mask)
        entries = self._masks[shape]
        if all(entry == entries[0] for entry in entries):
            return int(entries[0])
        index = ""
        for code, span in zip(free.values(), spans, strict=True):
            text = f"int({code.text})" if code.type.is_boolean else code.text
            place = text if span[0] == 0 else f"({text} + {-span[0]})"
            index = f"({index} * {span[1]} + {place})" if index else place
        return f"{self.program.table(tuple(entries))}[{index}]"

    def _mask_entries(
        self, free: dict[str, Code], spans: Sequence[Span], mask: MaskOf
    ) -> list[int]:
        """The sets for all values of the code, those of the last fastest."""
        entries = []
        for place in range(prod(span[1] for span in spans)):
            number = place
            given: dict[str, Value] = {}
            for text, span in zip(reversed(free), reversed(spans), strict=True):
                number, offset = divmod(number, span[1])
                if span[0] + offset in span[2]:
                    given[text] = span[2][span[0] + offset]
            entries.append(mask(given) if len(given) == len(free) else 0)
        return entries

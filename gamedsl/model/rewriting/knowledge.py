"""Infer facts about cells and locals at a moment of a body, and the facts that a condition adds.

Facts about cells and locals are types narrower than the declared type; facts about conditions are
truth values. A contradiction is None. A true `any` adds no fact about single cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.intervals import arithmetic_interval, narrowed_by
from gamedsl.model.rewriting.moments import Knowledge
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import are_disjoint
from gamedsl.model.types import Scalar, join, meet, number, scalar_of
from gamedsl.model.values import Value, Vector

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Reasoning:
    """Reasons about the expressions of a game."""

    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter

    # --- what an expression may be ---------------------------------------------------------

    def kind(self, node: nodes.Expr, known: Knowledge) -> Scalar:
        """The narrowest known type of a single value."""
        fact = known.of(node) if _has_facts(node) else None
        if fact is not None and isinstance(fact.known, Scalar):
            return fact.known
        declared = node.type if isinstance(node.type, Scalar) else Scalar(unknown=True)
        match node:
            case nodes.Const() if not isinstance(node.value, tuple):
                return scalar_of((node.value,))
            case nodes.Narrowed():
                return meet(self.kind(node.operand, known), node.type)
            case nodes.Arithmetic():
                left, right = self.kind(node.left, known), self.kind(node.right, known)
                interval = arithmetic_interval(node.operator, left, right)
                return declared if interval.unknown else interval
            case nodes.Conditional():
                then = self.assume(node.condition, True, known)
                otherwise = self.assume(node.condition, False, known)
                if then is None:
                    return declared if otherwise is None else self.kind(node.otherwise, otherwise)
                if otherwise is None:
                    return self.kind(node.then, then)
                both = join(self.kind(node.then, then), self.kind(node.otherwise, otherwise))
                return both if isinstance(both, Scalar) else declared
        return declared

    def is_value(self, node: nodes.Expr, value: Value, known: Knowledge) -> bool | None:
        """Whether an expression has a value: True, False, or None if undecided."""
        if node.known is not None:
            return type(node.known) is type(value) and node.known == value
        if isinstance(value, bool):
            holds = self.truth(node, known)
            return None if holds is None else holds == value
        kind = self.kind(node, known)
        single = scalar_of((value,))
        if are_disjoint(kind, single):
            return False
        return True if kind == single else None

    def truth(self, node: nodes.Expr, known: Knowledge) -> bool | None:
        """Whether a condition holds; None if undecided."""
        if node.known is not None:
            return node.known is True
        fact = known.of(node)
        if fact is not None and isinstance(fact.known, bool):
            return fact.known
        if self.assume(node, True, known) is None:
            return False
        return True if self.assume(node, False, known) is None else None

    # --- what a condition adds -------------------------------------------------------------

    def assume(self, node: nodes.Expr, holds: bool, known: Knowledge) -> Knowledge | None:
        """The knowledge if a condition holds (or fails); None if contradictory."""
        fact = known.of(node)
        if fact is not None and isinstance(fact.known, bool):
            return known if fact.known == holds else None
        match node:
            case nodes.Const():
                return known if (node.value is True) == holds else None
            case nodes.Not():
                return self.assume(node.operand, not holds, known)
            case nodes.Logic():
                if (node.operator == "and") == holds:
                    return self._all(node.operands, holds, known)
                return self._any(node.operands, holds, known)
            case nodes.Apply():
                return self.assume(self.rewriter.opened(node), holds, known)
            case nodes.Compare(operator="==" | "!="):
                return self._equal(node, holds == (node.operator == "=="), known)
            case nodes.Compare():
                return self._ordered(node, holds, known)
            case nodes.Member(collection=nodes.Const(value=tuple() as values)):
                return self._member(node, values, holds, known)
            case nodes.Member(collection=nodes.Collection(items=items)):
                same = (self.rewriter.terms.equality(node.element, item) for item in items)
                either = self.rewriter.terms.disjunction(node.span, same)
                return self.assume(either, holds, known)
        return known.having(node, holds)

    def _all(
        self, operands: Iterable[nodes.Expr], holds: bool, known: Knowledge
    ) -> Knowledge | None:
        extended: Knowledge | None = known
        for operand in operands:
            if extended is not None:
                extended = self.assume(operand, holds, extended)
        return extended

    def _any(
        self, operands: Iterable[nodes.Expr], holds: bool, known: Knowledge
    ) -> Knowledge | None:
        joined: Knowledge | None = None
        for operand in operands:
            alternative = self.assume(operand, holds, known)
            if alternative is not None:
                joined = alternative if joined is None else joined.joined(alternative)
        return joined

    def _narrowed(self, node: nodes.Expr, kind: Scalar, known: Knowledge) -> Knowledge | None:
        """The knowledge if an expression also has type `kind`; None if contradictory."""
        known_kind = self.kind(node, known)
        if known_kind.unknown or kind.unknown:
            return known
        both = meet(known_kind, kind)
        if not both.kinds:
            return None
        return known.having(node, both) if _has_facts(node) and both != known_kind else known

    def _equal(self, node: nodes.Compare, holds: bool, known: Knowledge) -> Knowledge | None:
        left, right = node.left, node.right
        if not (isinstance(left.type, Scalar) and isinstance(right.type, Scalar)):
            return known
        if left.type.is_boolean or right.type.is_boolean:
            return self._same_truth(left, right, holds, known)
        left_kind, right_kind = self.kind(left, known), self.kind(right, known)
        if holds:
            narrowed = self._narrowed(left, right_kind, known)
            return None if narrowed is None else self._narrowed(right, left_kind, narrowed)
        if left_kind.size == 1 and left_kind == right_kind and not left_kind.unknown:
            return None
        narrowed = self._narrowed(left, without(left_kind, right_kind), known)
        return (
            None
            if narrowed is None
            else self._narrowed(right, without(right_kind, left_kind), narrowed)
        )

    def _same_truth(
        self, left: nodes.Expr, right: nodes.Expr, same: bool, known: Knowledge
    ) -> Knowledge | None:
        for side, opposite in ((left, right), (right, left)):
            if side.known is not None:
                return self.assume(opposite, (side.known is True) == same, known)
        return known

    def _ordered(self, node: nodes.Compare, holds: bool, known: Knowledge) -> Knowledge | None:
        operator = node.operator if holds else _OPPOSITE[node.operator]
        left_kind, right_kind = self.kind(node.left, known), self.kind(node.right, known)
        if (
            not (left_kind.is_number and right_kind.is_number)
            or left_kind.rational
            or right_kind.rational
        ):
            return known
        if not (left_kind.has_numbers and right_kind.has_numbers):
            return known
        narrowed = self._narrowed(node.left, _satisfying(operator, left_kind, right_kind), known)
        if narrowed is None:
            return None
        return self._narrowed(
            node.right, _satisfying(_MIRRORED[operator], right_kind, left_kind), narrowed
        )

    def _member(
        self, node: nodes.Member, values: tuple[Value, ...], holds: bool, known: Knowledge
    ) -> Knowledge | None:
        if any(isinstance(value, bool | tuple) for value in values):
            return known
        if holds:
            return self._narrowed(node.element, scalar_of(values), known)
        kind = self.kind(node.element, known)
        for value in values:
            kind = without(kind, scalar_of((value,)))
        return self._narrowed(node.element, kind, known)

    # --- which cells are different ones ----------------------------------------------------

    def are_different(self, left: nodes.Cell, right: nodes.Cell, known: Knowledge) -> bool:
        """Whether two cells are certainly distinct."""
        if left.variable.offset != right.variable.offset:
            return True
        held = [known.of(cell) for cell in (left, right)]
        kinds = [fact.known for fact in held if fact is not None]
        if len(kinds) == 2:
            first, second = kinds
            if isinstance(first, bool) or isinstance(second, bool):
                if first is not second and isinstance(first, bool) and isinstance(second, bool):
                    return True
            elif are_disjoint(first, second):
                return True
        return any(
            self._are_different_indices(i, j, known)
            for i, j in zip(left.indices, right.indices, strict=True)
        )

    def _are_different_indices(self, i: nodes.Expr, j: nodes.Expr, known: Knowledge) -> bool:
        if are_disjoint(self.kind(i, known), self.kind(j, known)):
            return True
        (base, way), (start, path) = _leg(i), _leg(j)
        if known.keys.of(base) != known.keys.of(start):
            return False
        directions = [self._directions(offset, known) for offset in (way, path)]
        return all(directions) and not directions[0] & directions[1]

    def _directions(self, offset: nodes.Expr | None, known: Knowledge) -> frozenset[Vector]:
        if offset is None:
            return frozenset({Vector(0, 0)})
        board = self.rewriter.terms.board
        assert board is not None
        return frozenset(board.shortest(way) for way in self.kind(offset, known).vectors)


def _leg(node: nodes.Expr) -> tuple[nodes.Expr, nodes.Expr | None]:
    """A square and the offset from it."""
    match node:
        case nodes.Builtin(name="s+d", arguments=(square, offset)):
            return square, offset
    return node, None


def _has_facts(node: nodes.Expr) -> bool:
    """Whether types are kept of an expression: of places, and of remainders, whose type does not
    follow from that of the dividend."""
    return isinstance(node, nodes.Cell | nodes.Local) or (
        isinstance(node, nodes.Arithmetic) and node.operator == "%"
    )


def without(kind: Scalar, removed: Scalar) -> Scalar:
    """The type `kind` without the value of the single-valued type `removed`; `kind` itself if
    `removed` has several values."""
    if removed.size != 1 or removed.unknown or removed.boolean or removed.rational:
        return kind
    if not removed.has_numbers:
        return replace(
            kind, atoms=kind.atoms - removed.atoms, vectors=kind.vectors - removed.vectors
        )
    (low, high), (value, _) = kind.interval, removed.interval
    if not kind.has_numbers or kind.rational or value not in (low, high):
        return kind
    if low == high:
        return replace(kind, low=None, high=None)
    return replace(kind, low=low + (value == low), high=high - (value == high))


def _satisfying(operator: str, kind: Scalar, bound: Scalar) -> Scalar:
    """The whole numbers of type `kind` that compare by `operator` with a number of type `bound`."""
    low, high = narrowed_by(operator, kind.interval, bound.interval)
    return number(low, high) if low <= high else Scalar()

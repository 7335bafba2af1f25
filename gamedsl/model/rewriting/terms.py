"""Build and simplify typed expressions: the algebra that rewriting rests on.

The parts of an expression are already simple. The simplified expression has the value of the
original wherever the original has a value. Where the original fails (an error in play), the
simplified expression may have a value; conditions never fail by simplification.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from gamedsl.model import nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.nodes.likeness import Keys
from gamedsl.model.rewriting.moments import NotToldError
from gamedsl.model.semantics.evaluate import fold
from gamedsl.model.semantics.expressions import compares_sets
from gamedsl.model.types import BOOLEAN, Scalar, Type, join_all, meet, scalar_of, type_of
from gamedsl.model.values import NONE, Atom, Value, Vector
from gamedsl.model.walk import parts
from gamedsl.source import Span

MOST_NODES = 10_000
"""Limit on the nodes of a choice written out as a tree."""

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def constant(span: Span, value: Value) -> nodes.Const:
    """A constant."""
    return nodes.Const(span, type_of(value), value)


def is_known(node: nodes.Expr, value: Value) -> bool:
    """Whether an expression is exactly this constant (`true` is not 1)."""
    return type(node.known) is type(value) and node.known == value


def are_disjoint(left: Type, right: Type) -> bool:
    """Whether no value has both types."""
    if not isinstance(left, Scalar) or not isinstance(right, Scalar):
        return False
    if left.unknown or right.unknown:
        return False
    if left.atoms & right.atoms or left.vectors & right.vectors or (left.boolean and right.boolean):
        return False
    if not (left.has_numbers and right.has_numbers):
        return True
    (low, high), (least, most) = left.interval, right.interval
    return high < least or most < low


class Terms:
    """Makes expressions of a game."""

    def __init__(self, board: Board | None, players: tuple[Atom, ...]) -> None:
        self.board = board
        self.players = players
        self._sizes: dict[int, tuple[nodes.Expr, int]] = {}
        self.keys = Keys()

    def is_over_squares(self, whole: nodes.ArrayRef) -> bool:
        """Whether the reference is a whole variable with a cell for each square."""
        squares = self.board.squares if self.board else ()
        return not whole.fixed and [index.values for index in whole.indices] == [squares]

    def size(self, node: nodes.Expr) -> int:
        """The number of nodes of an expression as a tree, shared nodes counted at each
        occurrence."""
        entry = self._sizes.get(id(node))
        if entry is None:
            total = 1 + sum(self.size(part) for part in parts(node))
            entry = self._sizes[id(node)] = (node, total)
        return entry[1]

    # --- conditions ------------------------------------------------------------------------

    def truth(self, span: Span, value: bool) -> nodes.Const:
        """`true` or `false`."""
        return nodes.Const(span, BOOLEAN, value)

    def negation(self, node: nodes.Expr) -> nodes.Expr:
        """`not c`."""
        match node:
            case nodes.Const():
                return self.truth(node.span, node.value is not True)
            case nodes.Not():
                return node.operand
            case nodes.Compare(operator="==" | "!="):
                return replace(node, operator=_OPPOSITE[node.operator])
        return nodes.Not(node.span, BOOLEAN, node)

    def conjunction(self, span: Span, operands: Iterable[nodes.Expr]) -> nodes.Expr:
        """`a and b and ...`; true without operands."""
        return self._logic(span, "and", operands)

    def disjunction(self, span: Span, operands: Iterable[nodes.Expr]) -> nodes.Expr:
        """`a or b or ...`; false without operands."""
        return self._logic(span, "or", operands)

    def _logic(self, span: Span, operator: str, operands: Iterable[nodes.Expr]) -> nodes.Expr:
        decides = operator == "or"
        distinct: dict[Hashable, nodes.Expr] = {}
        for operand in operands:
            inner = (
                operand.operands
                if isinstance(operand, nodes.Logic) and operand.operator == operator
                else (operand,)
            )
            for part in inner:
                if is_known(part, decides):
                    return self.truth(span, decides)
                if not is_known(part, not decides):
                    distinct.setdefault(self.keys.of(part), part)
        if len(distinct) > 1:
            return nodes.Logic(span, BOOLEAN, operator, tuple(distinct.values()))
        return next(iter(distinct.values()), self.truth(span, not decides))

    def equality(self, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr:
        """`left == right` of single values."""
        if left.known is not None and right.known is None:
            left, right = right, left
        span = left.span
        if not (isinstance(left.type, Scalar) and isinstance(right.type, Scalar)):
            return self.folded(nodes.Compare(span, BOOLEAN, "==", left, right))
        if are_disjoint(left.type, right.type):
            return self.truth(span, False)
        if left.known is not None and right.known is not None:
            return self.truth(span, operations.equal(left.known, right.known))
        if self.keys.of(left) == self.keys.of(right):
            return self.truth(span, True)
        for side, opposite in ((left, right), (right, left)):
            if isinstance(side, nodes.Conditional) and not parts(opposite):
                then = self.equality(side.then, opposite)
                return self.choice(side.condition, then, self.equality(side.otherwise, opposite))
        moved = self._equality_of_following(left, right)
        return moved or nodes.Compare(span, BOOLEAN, "==", left, right)

    def _equality_of_following(self, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr | None:
        """`next(p) == A`, rewritten to a comparison of `p` with the player before A."""
        inner, right_inner = _followed(left), _followed(right)
        if inner is not None and right_inner is not None:
            return self.equality(inner, right_inner)
        if inner is None:
            return None
        if right.known in self.players:
            before = self.players[self.players.index(right.known) - 1]
            return self.equality(inner, constant(right.span, before))
        if self.keys.of(inner) == self.keys.of(right) and len(self.players) > 1:
            return self.truth(left.span, False)
        return None

    def choice(self, condition: nodes.Expr, then: nodes.Expr, otherwise: nodes.Expr) -> nodes.Expr:
        """`then if condition else otherwise`."""
        span = condition.span
        if condition.known is not None:
            return then if condition.known is True else otherwise
        if sum(self.size(part) for part in (condition, then, otherwise)) > MOST_NODES:
            raise NotToldError(f"it takes more than {MOST_NODES} nodes to write down")
        if isinstance(condition, nodes.Not):
            return self.choice(condition.operand, otherwise, then)
        if self.keys.of(then) == self.keys.of(otherwise):
            return then
        if not ((then.type.kinds == {"bool"}) and (otherwise.type.kinds == {"bool"})):
            kind = join_all((then.type, otherwise.type))
            return nodes.Conditional(span, kind, condition, then, otherwise)
        for value in (True, False):
            if is_known(then, value):
                if value:
                    return self.disjunction(span, (condition, otherwise))
                return self.conjunction(span, (self.negation(condition), otherwise))
            if is_known(otherwise, value):
                if value:
                    return self.disjunction(span, (self.negation(condition), then))
                return self.conjunction(span, (condition, then))
        return nodes.Conditional(
            span, join_all((then.type, otherwise.type)), condition, then, otherwise
        )

    def member(self, node: nodes.Member) -> nodes.Expr:
        """`element in collection`."""
        element, collection = node.element, node.collection
        if isinstance(element, nodes.Conditional) and collection.known is not None:
            then = self.member(replace(node, element=element.then))
            otherwise = self.member(replace(node, element=element.otherwise))
            return self.choice(element.condition, then, otherwise)
        return self.folded(node)

    # --- values ----------------------------------------------------------------------------

    def following(self, player: nodes.Expr) -> nodes.Expr:
        """The next player."""
        if len(self.players) == 1:
            return player
        if isinstance(player, nodes.Conditional):
            then = self.following(player.then)
            return self.choice(player.condition, then, self.following(player.otherwise))
        inner = _followed(player)
        if inner is not None and len(self.players) == 2:
            return inner
        return self.folded(nodes.Builtin(player.span, player.type, "next", (player,)))

    def step(self, square: nodes.Expr, offset: Vector) -> nodes.Expr:
        """`square + offset`, a square or `none`."""
        assert self.board is not None
        if offset == Vector(0, 0):
            return square
        kind = Scalar(atoms=frozenset({*self.board.squares, NONE}))
        return self.folded(
            nodes.Builtin(square.span, kind, "s+d", (square, constant(square.span, offset)))
        )

    def cell(
        self, span: Span, variable: nodes.Variable, indices: tuple[nodes.Expr, ...]
    ) -> nodes.Cell:
        """`variable[indices]`, with `none` in the type if an index may be `none`."""
        kind = scalar_of(variable.domain.values)
        if any(index.type.can_be_none for index in indices):
            kind = replace(kind, atoms=kind.atoms | {NONE})
        return nodes.Cell(span, kind, variable, indices)

    def folded(self, node: nodes.Expr) -> nodes.Expr:
        """The constant value of a node of constants; the node itself if the operation fails."""
        try:
            return fold(node, self)
        except operations.OperationError:
            return node

    def made(self, node: nodes.Expr) -> nodes.Expr:
        """A node with simple parts, simplified."""
        match node:
            case nodes.Not():
                return self.negation(node.operand)
            case nodes.Logic():
                return self._logic(node.span, node.operator, node.operands)
            case nodes.Compare(operator="==" | "!=") if not compares_sets(node):
                equal = self.equality(node.left, node.right)
                return equal if node.operator == "==" else self.negation(equal)
            case nodes.Conditional():
                return self.choice(node.condition, node.then, node.otherwise)
            case nodes.Member():
                return self.member(node)
            case nodes.Builtin(name="next" | "other"):
                return self.following(node.arguments[0])
            case nodes.Comprehension():
                return self._quantified(node)
            case nodes.Narrowed() if _fits(node.operand.type, node.type):
                return node.operand
            case nodes.Cell():
                return self.cell(node.span, node.variable, node.indices)
        return self.folded(node)

    def _quantified(self, node: nodes.Comprehension) -> nodes.Expr:
        """A quantifier, simplified if its value is evident."""
        if node.kind not in {"any", "all"}:
            return node
        decides = node.kind == "any"
        first = node.clauses[0].domain
        if is_known(node.element, not decides) or is_known(first, ()):
            return self.truth(node.span, not decides)
        conditions = (clause.condition for clause in node.clauses)
        if any(condition is not None and is_known(condition, False) for condition in conditions):
            return self.truth(node.span, not decides)
        return node


def _fits(actual: Type, kind: Scalar) -> bool:
    return isinstance(actual, Scalar) and meet(actual, kind) == actual


def _followed(node: nodes.Expr) -> nodes.Expr | None:
    """The operand of `next` or `other`, or None."""
    return parts(node)[0] if node.called in {"next", "other"} else None

"""Evaluate expressions without a state: the value from the values of the names.

Raises `NotKnownError` if the expression depends on the state, and `OperationError` if an operation
fails. Irrelevant parts are not evaluated, as in play. Constant folding, the analysis of bodies and
the tables of the compiler use the module; games are played by the engines, which have a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Protocol

from gamedsl.model import messages, nodes
from gamedsl.model.builtins import Setting
from gamedsl.model.limits import MOST_CALLS
from gamedsl.model.operations import OperationError, as_collection
from gamedsl.model.semantics.expressions import ExpressionSemantics
from gamedsl.model.types import Scalar, SetType, Type, set_of, type_of
from gamedsl.model.values import NONE, Value, text_of
from gamedsl.model.walk import parts
from gamedsl.source import Span


class NotKnownError(Exception):
    """The expression depends on the state, or on a name without a known value."""


class Names(Protocol):
    """Values of the names of an expression; each method may raise `NotKnownError`."""

    def local(self, slot: int) -> Value:
        """The value of a local name."""

    def mover(self, word: nodes.MoverWord) -> Value:
        """The player to move, or the player who chooses."""


class Locals:
    """Names of which only some locals are known."""

    def __init__(self, known: Mapping[int, Value]) -> None:
        self._known = known

    def local(self, slot: int) -> Value:
        """The value of a local name."""
        if slot not in self._known:
            raise NotKnownError
        return self._known[slot]

    def mover(self, word: nodes.MoverWord) -> Value:
        """Raises NotKnownError."""
        raise NotKnownError


NO_NAMES = Locals({})
"""Names for expressions without names."""


class KnownLocals(dict[int, Value]):
    """The locals computed or bound so far; other locals are asked of the names."""

    def __init__(self, names: Names, known: Mapping[int, Value] | None = None) -> None:
        super().__init__(known or {})
        self.names = names

    def __missing__(self, slot: int) -> Value:
        value = self[slot] = self.names.local(slot)
        return value

    def copy(self) -> KnownLocals:
        """A scope of its own."""
        return KnownLocals(self.names, self)


class Evaluation:
    """An evaluation without a state: a context of `semantics.expressions`."""

    __slots__ = ("locals", "names")

    def __init__(self, names: Names) -> None:
        self.names = names
        self.locals = KnownLocals(names)

    @property
    def turn(self) -> Value:
        """The player to move. Raises NotKnownError."""
        return self.names.mover("turn")

    @property
    def me(self) -> Value:
        """The player who chooses. Raises NotKnownError."""
        return self.names.mover("me")

    def is_stuck(self, player: Value | None = None, moves: tuple[str, ...] = ()) -> bool:
        """Raises NotKnownError."""
        raise NotKnownError


Meaning = Callable[[Evaluation], Value]
Solutions = Callable[[Evaluation], Iterable[Value]]
"""Function that returns the values of a name for which a condition holds."""
Asked = Callable[[nodes.Expr], bool]


def evaluate(node: nodes.Expr, setting: Setting, names: Names) -> Value:
    """The value. Raises NotKnownError; OperationError if an operation fails."""
    return Evaluator(setting).value(node, names)


class Evaluator(ExpressionSemantics[Evaluation]):
    """Evaluates expressions of a game.

    `most_calls` limits the recursive calls in all evaluations; beyond the limit evaluations fail.
    """

    def __init__(self, setting: Setting, most_calls: int = MOST_CALLS) -> None:
        super().__init__(setting.board, setting.players)
        self._most_calls, self._calls = most_calls, 0

    def value(self, node: nodes.Expr, names: Names) -> Value:
        """The value. Raises NotKnownError; OperationError if an operation fails."""
        return self.meaning(node)(Evaluation(names))

    def solutions(self, node: nodes.Expr, is_name: Asked, depends: Asked) -> Solutions | None:
        """A function that returns all values of a name for which a condition holds.

        None if the condition does not determine the values, and trials are needed; determined are
        `b == e`, `b in s`, and `or` and `any` of determined conditions. `is_name`: whether an
        expression is the name; `depends`: whether an expression contains the name. The function
        raises as `value` does, wherever a trial of some value would raise.
        """
        match node:
            case nodes.Compare(operator="=="):
                for name, expression in ((node.left, node.right), (node.right, node.left)):
                    if is_name(name) and not depends(expression):
                        only = self.meaning(expression)
                        return lambda now: (only(now),)
            case nodes.Member() if is_name(node.element) and not depends(node.collection):
                members = self.meaning(node.collection)
                return lambda now: as_collection(members(now))
            case nodes.Logic(operator="or"):
                each = [self.solutions(operand, is_name, depends) for operand in node.operands]
                some = [alternative for alternative in each if alternative is not None]
                if len(some) == len(each):
                    return lambda now: chain.from_iterable(alternative(now) for alternative in some)
            case nodes.Comprehension(kind="any"):
                asked = self.solutions(node.element, is_name, depends)
                said = [
                    part for clause in node.clauses for part in (clause.domain, clause.condition)
                ]
                if asked is not None and not any(part and depends(part) for part in said):
                    rounds = self.rounds(node.clauses)
                    return lambda now: chain.from_iterable(tuple(asked(now)) for _ in rounds(now))
        return None

    def read(self, node: nodes.Reading) -> Meaning:
        """Only cells of variables that are never assigned are known."""
        if isinstance(node, nodes.Cell) and node.variable.is_constant:
            return self.held(node, lambda variable, number: variable.initial[number])
        return not_known

    def held(
        self, node: nodes.Cell, digit_of: Callable[[nodes.Variable, int], int | None]
    ) -> Meaning:
        """The function of a cell, by the digit of the cell with a number."""
        variable, indices = node.variable, [self.meaning(index) for index in node.indices]

        def value(now: Evaluation) -> Value:
            number = place_of(variable, [index(now) for index in indices])
            if number is None:
                return NONE
            digit = digit_of(variable, number)
            if digit is None:
                raise NotKnownError
            return variable.domain.values[digit]

        return value

    def array_builtin(self, node: nodes.Builtin) -> Meaning:
        """Not known: whole variables are part of the state."""
        return not_known

    def narrowed(self, node: nodes.Narrowed) -> Meaning:
        """A value outside the type is not used: any value of the type is taken."""
        operand, settled = self.meaning(node.operand), node.type.settled
        return lambda now: settled(operand(now))

    def count_call(self, context: Evaluation, definition: nodes.RecursiveDefinition) -> None:
        """Counts the calls of all evaluations. Raises NotKnownError during elaboration."""
        if definition.body is None:
            raise NotKnownError
        self._calls += 1
        if self._calls > self._most_calls:
            raise OperationError(messages.too_many_calls(definition.name, self._most_calls)[0])

    def failure(self, error: OperationError, span: Span) -> Exception:
        """The error itself: the caller knows the place."""
        return error


def place_of(variable: nodes.Variable, indices: Sequence[Value]) -> int | None:
    """The number of a cell of a variable; None if an index is `none`. Raises OperationError."""
    number = 0
    for value, domain in zip(indices, variable.indices, strict=True):
        digit = domain.position(value)
        if digit is None and value is not NONE:
            raise OperationError(f"`{variable.name}` has no cell {text_of(value)}")
        if digit is None:
            return None
        number = number * len(domain) + digit
    if number in variable.missing:
        raise OperationError(messages.missing_cell(variable, number)[0])
    return number


def not_known(_: Evaluation) -> Value:
    """Raises NotKnownError."""
    raise NotKnownError


# --- constants -------------------------------------------------------------------------------

FOLDED = (
    nodes.Not | nodes.Narrowed | nodes.Arithmetic | nodes.Compare | nodes.Member
    | nodes.Collection | nodes.Builtin
)  # fmt: skip
"""Nodes that are evaluated at once: a node costs no more than the parts."""


def fold(node: nodes.Expr, setting: Setting) -> nodes.Expr:
    """The node, or a constant if the parts are constants.

    Logic, conditionals, calls and quantifiers are not evaluated. Raises OperationError.
    """
    if not isinstance(node, FOLDED) or not all(p.known is not None for p in parts(node)):
        return node
    try:
        value = evaluate(node, setting, NO_NAMES)
    except NotKnownError:
        return node
    return nodes.Const(node.span, _type_of_constant(value, node.type), value)


def _type_of_constant(value: Value, known: Type) -> Type:
    if known.can_be_none:
        return known  # `a1 + N == none` makes sense on a board of any size
    if isinstance(value, tuple):
        is_plain = isinstance(known, SetType) and isinstance(known.element, Scalar)
        return set_of(value) if is_plain and value else known
    return type_of(value)

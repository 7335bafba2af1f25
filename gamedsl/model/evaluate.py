"""Evaluate expressions without a state: the value from the values of the names.

Raises `NotKnownError` if the expression depends on the state, and `OperationError` if an operation
fails. Irrelevant parts are not evaluated, as in play. Constant folding, the analysis of bodies and
the tables of the compiler use the module; games are played by the engines, which have a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Protocol

from gamedsl.model import messages, nodes, operations
from gamedsl.model.builtins import Setting, row_of
from gamedsl.model.limits import MOST_CALLS
from gamedsl.model.messages import outside_its_domain, too_many_calls
from gamedsl.model.types import ListType, Scalar, SetType, without_none
from gamedsl.model.values import NONE, Value, text_of, unique


class NotKnownError(Exception):
    """The expression depends on the state, or on a name without a known value."""


class Names(Protocol):
    """Values of the names of an expression; each method may raise `NotKnownError`."""

    def local(self, slot: int) -> Value:
        """The value of a local name."""
        ...

    def turn(self) -> Value:
        """The player to move."""
        ...

    def me(self) -> Value:
        """The player who chooses."""
        ...


class Locals:
    """Names of which only some locals are known."""

    def __init__(self, known: Mapping[int, Value]) -> None:
        self._known = known

    def local(self, slot: int) -> Value:
        """The value of a local name."""
        if slot not in self._known:
            raise NotKnownError
        return self._known[slot]

    def turn(self) -> Value:
        """Raises NotKnownError."""
        raise NotKnownError

    def me(self) -> Value:
        """Raises NotKnownError."""
        raise NotKnownError


NO_NAMES = Locals({})
"""Names for expressions without names."""


class Evaluation:
    """An evaluation: the names, and the locals computed or bound by the expression so far."""

    __slots__ = ("locals", "names")

    def __init__(self, names: Names) -> None:
        self.names = names
        self.locals: dict[int, Value] = {}


Meaning = Callable[[Evaluation], Value]
Solutions = Callable[[Evaluation], Iterable[Value]]
"""Function that returns the values of a name for which a condition holds."""
Asked = Callable[[nodes.Expr], bool]


def evaluate(node: nodes.Expr, setting: Setting, names: Names) -> Value:
    """The value. Raises NotKnownError; OperationError if an operation fails."""
    return Evaluator(setting).value(node, names)


class Evaluator:
    """Evaluates expressions of a game; the function for a node is built once.

    `most_calls` limits the recursive calls in an evaluation; beyond the limit the evaluation fails.
    """

    def __init__(self, setting: Setting, most_calls: int = MOST_CALLS) -> None:
        self._setting = setting
        self._meanings: dict[int, tuple[nodes.Expr, Meaning]] = {}
        self._most_calls, self._calls = most_calls, 0

    def value(self, node: nodes.Expr, names: Names) -> Value:
        """The value. Raises NotKnownError; OperationError if an operation fails."""
        return self.meaning(node)(Evaluation(names))

    def meaning(self, node: nodes.Expr) -> Meaning:
        """The function that computes the value in an evaluation; raises as `value` does."""
        entry = self._meanings.get(id(node))
        if entry is None:  # the node is kept so that its identity is not reused
            entry = self._meanings[id(node)] = node, self._worked_out(node)
        return entry[1]

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
                return lambda now: operations.as_collection(members(now))
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
                    rounds = self._rounds(node.clauses)
                    return lambda now: chain.from_iterable(tuple(asked(now)) for _ in rounds(now))
        return None

    def _worked_out(self, node: nodes.Expr) -> Meaning:
        match node:
            case nodes.Const(value=value):
                return lambda _: value
            case nodes.Local(slot=slot):
                return _local(slot)
            case nodes.Turn():
                return lambda now: now.names.turn()
            case nodes.Me():
                return lambda now: now.names.me()
            case nodes.Cell() if node.variable.is_constant:
                return self._applied(_table(node.variable), *node.indices)
            case nodes.Cell() | nodes.ArrayRef() | nodes.Stuck():
                return _not_known
            case nodes.Not():
                operand = self.meaning(node.operand)
                return lambda now: not operand(now)
            case nodes.Negate():
                negate = operations.opposite if is_offset(node) else operations.negate
                return self._applied(negate, node.operand)
            case nodes.Narrowed():
                return self._applied(node.type.settled, node.operand)
            case nodes.Arithmetic():
                return self._applied(operations.ARITHMETIC[node.operator], node.left, node.right)
            case nodes.Compare():
                return self._applied(_comparison(node), node.left, node.right)
            case nodes.Step():
                board = self._setting.board
                step = None if board is None else board.step
                return _not_known if step is None else self._applied(step, node.square, node.offset)
            case nodes.AddOffsets():
                return self._applied(operations.add_offsets, node.left, node.right)
            case nodes.Scale():
                return self._applied(operations.scale, node.factor, node.offset)
            case nodes.Member():
                return self._member(node)
            case nodes.Logic():
                wanted = node.operator == "or"
                conditions = [self.meaning(operand) for operand in node.operands]
                return lambda now: (
                    wanted if any(test(now) is wanted for test in conditions) else not wanted
                )
            case nodes.Conditional():
                condition = self.meaning(node.condition)
                then, otherwise = self.meaning(node.then), self.meaning(node.otherwise)
                return lambda now: then(now) if condition(now) else otherwise(now)
            case nodes.Collection():
                items = [self.meaning(item) for item in node.items]
                gather = unique if isinstance(node.type, SetType) else tuple
                return lambda now: gather([item(now) for item in items])
            case nodes.Range():
                return self._applied(operations.span_of_numbers, node.low, node.high)
            case nodes.Union():
                return self._applied(operations.joined, node.left, node.right)
            case nodes.Comprehension():
                return self._quantify(node)
            case nodes.Apply():
                return self._apply(node)
            case nodes.ApplyRecursive():
                return self._apply_recursive(node)
            case nodes.ListItem():
                return self._applied(operations.list_item, node.items, node.index)
            case nodes.Builtin():
                function = row_of(node.name).value
                if function is None:
                    return _not_known
                return self._applied(function(self._setting), *node.arguments)

    def _applied(self, operation: Callable[..., Value], *operands: nodes.Expr) -> Meaning:
        meanings = tuple(self.meaning(operand) for operand in operands)
        if len(meanings) == 1:
            (only,) = meanings
            return lambda now: operation(only(now))
        if len(meanings) == 2:
            left, right = meanings
            return lambda now: operation(left(now), right(now))
        return lambda now: operation(*[meaning(now) for meaning in meanings])

    def _member(self, node: nodes.Member) -> Meaning:
        """Evaluates the element first, as in play: a failing element fails for an empty collection
        too."""
        element, collection = self.meaning(node.element), self.meaning(node.collection)

        def is_member(now: Evaluation) -> bool:
            asked = element(now)
            return operations.is_member(asked, collection(now))

        return is_member

    def _apply(self, node: nodes.Apply) -> Meaning:
        """Evaluates arguments first; every slot of a game has one binder, so no slot has to be
        restored."""
        slots, body = node.definition.slots, self.meaning(node.definition.body)
        arguments = [self.meaning(argument) for argument in node.arguments]

        def apply(now: Evaluation) -> Value:
            values = [argument(now) for argument in arguments]
            now.locals.update(zip(slots, values, strict=True))
            return body(now)

        return apply

    def _apply_recursive(self, node: nodes.ApplyRecursive) -> Meaning:
        """Every call has its own locals; the body is evaluated on demand."""
        definition = node.definition
        arguments = [self.meaning(argument) for argument in node.arguments]

        def apply(now: Evaluation) -> Value:
            if definition.body is None:
                raise NotKnownError
            self._calls += 1
            if self._calls > self._most_calls:
                said, _ = too_many_calls(definition.name, self._most_calls)
                raise operations.OperationError(said)
            inner = Evaluation(now.names)
            inner.locals.update(now.locals)
            for parameter, argument in zip(definition.parameters, arguments, strict=True):
                inner.locals[parameter.slot] = checked(definition.name, parameter, argument(now))
            return self.meaning(definition.body)(inner)

        return apply

    def _quantify(self, node: nodes.Comprehension) -> Meaning:
        rounds, element = self._rounds(node.clauses), self.meaning(node.element)
        match node.kind:
            case "any":
                return lambda now: any(element(now) is True for _ in rounds(now))
            case "all":
                return lambda now: all(element(now) is True for _ in rounds(now))
            case "first":
                return lambda now: next((element(now) for _ in rounds(now)), NONE)
            case "set":
                return lambda now: unique(element(now) for _ in rounds(now))
            case "list":
                return lambda now: tuple([element(now) for _ in rounds(now)])
        reduce = operations.REDUCTIONS[node.kind]
        return lambda now: reduce(tuple([element(now) for _ in rounds(now)]))

    def _rounds(self, clauses: tuple[nodes.Clause, ...]) -> Callable[[Evaluation], Iterator[None]]:
        """Iterates over the bindings of `for` clauses, with a yield for each binding."""
        clause, rest = clauses[0], clauses[1:]
        slot, domain = clause.slot, self.meaning(clause.domain)
        condition = None if clause.condition is None else self.meaning(clause.condition)
        inner = self._rounds(rest) if rest else None

        def go_through(now: Evaluation) -> Iterator[None]:
            for value in operations.as_collection(domain(now)):
                now.locals[slot] = value
                if condition is None or condition(now):
                    if inner is None:
                        yield
                    else:
                        yield from inner(now)

        return go_through


def checked(definition: str, parameter: nodes.Bounded, value: Value) -> Value:
    """An argument that lies in its domain. Raises OperationError."""
    elements = operations.as_collection(value) if parameter.is_subset else (value,)
    for element in elements:
        if parameter.domain.position(element) is None:
            raise operations.OperationError(outside_its_domain(definition, parameter, element)[0])
    return parameter.domain.subset(elements) if parameter.is_subset else value


def _local(slot: int) -> Meaning:
    def local(now: Evaluation) -> Value:
        value = now.locals.get(slot)
        if value is None:
            value = now.locals[slot] = now.names.local(slot)
        return value

    return local


def _table(variable: nodes.Variable) -> Callable[..., Value]:
    """The cells' values of a variable that is never assigned."""

    def held(*indices: Value) -> Value:
        number = 0
        for value, domain in zip(indices, variable.indices, strict=True):
            digit = domain.position(value)
            if digit is None and value is not NONE:
                raise operations.OperationError(f"`{variable.name}` has no cell {text_of(value)}")
            if digit is None:
                return NONE
            number = number * len(domain) + digit
        digit = None if number in variable.missing else variable.initial[number]
        if digit is None:
            raise operations.OperationError(messages.missing_cell(variable, number)[0])
        return variable.domain.values[digit]

    return held


def _not_known(_: Evaluation) -> Value:
    raise NotKnownError


def is_offset(node: nodes.Negate) -> bool:
    """Whether the operand is a direction (not a number)."""
    return isinstance(node.type, Scalar) and bool(node.type.vectors)


def compares_sets(node: nodes.Compare) -> bool:
    """Whether the order of elements is ignored: an operand is a set, not a list."""
    kinds = [type(without_none(side.type)) for side in (node.left, node.right)]
    return SetType in kinds and {*kinds} <= {SetType, ListType}


def _comparison(node: nodes.Compare) -> Callable[[Value, Value], bool]:
    if node.operator not in {"==", "!="} or not compares_sets(node):
        return operations.COMPARISONS[node.operator]
    wanted = node.operator == "=="
    return lambda left, right: operations.equal_sets(left, right) is wanted

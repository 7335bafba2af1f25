"""Order within bodies: `require` before the first change, nothing decided after chance, and every
variable set before it is read.

In: typed blocks. Out: diagnostics alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.model import nodes, operations
from gamedsl.model.scope import Reporter
from gamedsl.model.values import NONE, Value, text_of
from gamedsl.model.walk import expressions_of, within
from gamedsl.source import Label, Span


@dataclass(frozen=True, slots=True)
class _Past:
    """What has happened so far on some path: the first change and the first chance event."""

    change: Span | None = None
    chance: Span | None = None

    def joined(self, other: _Past) -> _Past:
        return _Past(self.change or other.change, self.chance or other.chance)


def check_order(block: nodes.Block, reporter: Reporter) -> None:
    """Report a `require` after a change, and a `require` or `ensure` after a chance event."""
    _order(block, _Past(), reporter)


def _order(block: nodes.Block, past: _Past, reporter: Reporter) -> _Past:
    for statement in block:
        match statement:
            case nodes.Require() if past.change is not None:
                reporter.report(
                    "E1301",
                    statement.span,
                    "`require` must come before the first change",
                    secondary=(Label(past.change, "the state changes here"),),
                    hint="move it up; to test the state after a change write `ensure`",
                )
            case nodes.Require() | nodes.Ensure() if past.chance is not None:
                reporter.report(
                    "E1301",
                    statement.span,
                    "whether a move is legal cannot depend on chance",
                    secondary=(Label(past.chance, "chance decides here"),),
                    hint="put the condition before `chance`",
                )
            case nodes.SetCell() | nodes.SetTurn():
                past = past.joined(_Past(change=statement.span))
            case nodes.Chance():
                past = past.joined(_Past(statement.span, statement.span))
            case nodes.Branch():
                ends = [_order(body, past, reporter) for _, body in statement.branches]
                ends.append(_order(statement.otherwise, past, reporter))
                for end in ends:
                    past = past.joined(end)
            case nodes.Loop():
                past = _order(statement.body, past, reporter)
                past = _order(statement.body, past, reporter)
            case nodes.Perform():
                past = _order(statement.body, past, reporter)
            case _:
                pass
    return past


# --- definite initialisation -------------------------------------------------------------------


def check_initialised(
    variables: tuple[nodes.Variable, ...], setup: nodes.Block, reporter: Reporter
) -> None:
    """Report cells without an initial value that `setup` does not surely set, or reads first."""
    unset = {
        variable.offset + number
        for variable in variables
        for number, digit in enumerate(variable.initial)
        if digit is None
    }
    if not unset:
        return
    walker = _Initialisation(unset, reporter)
    left = walker.block(setup, frozenset(unset), {})
    for variable in variables:
        missing = [n for n in range(variable.size) if variable.offset + n in left]
        if missing and walker.is_silent(variable):
            names = ", ".join(_cell_name(variable, number) for number in missing[:3])
            more = ", ..." if len(missing) > 3 else ""
            reporter.report(
                "E1305",
                variable.span,
                f"`{variable.name}` has no initial value, and `setup:` does not set"
                f" {names}{more} on every path",
                hint=f"give one: `= {text_of(variable.domain.values[0])}`",
            )


def _cell_name(variable: nodes.Variable, number: int) -> str:
    parts: list[str] = []
    for domain in reversed(variable.indices):
        number, digit = divmod(number, len(domain))
        parts.append(text_of(domain.values[digit]))
    return f"{variable.name}[{', '.join(reversed(parts))}]" if parts else variable.name


class _Initialisation:
    def __init__(self, tracked: set[int], reporter: Reporter) -> None:
        self.tracked = tracked
        self.reporter = reporter
        self.reported: set[str] = set()

    def is_silent(self, variable: nodes.Variable) -> bool:
        return variable.name not in self.reported

    def block(
        self, block: nodes.Block, unset: frozenset[int], known: dict[int, Value]
    ) -> frozenset[int]:
        """The cells that may still be unset after the block; `known` are constant slots."""
        for statement in block:
            unset = self._statement(statement, unset, known)
        return unset

    def _statement(
        self, statement: nodes.Statement, unset: frozenset[int], known: dict[int, Value]
    ) -> frozenset[int]:
        if isinstance(statement, nodes.Chance):
            return self._chance(statement, unset, known)
        for expression in expressions_of(statement):
            self._read(expression, unset, known)
        match statement:
            case nodes.SetCell():
                return unset - self._written(statement.variable, statement.indices, known)
            case nodes.Let():
                value = constant_value(statement.value, known)
                if value is not None:
                    known[statement.slot] = value
                return unset
            case nodes.Branch():
                ends = [self.block(body, unset, dict(known)) for _, body in statement.branches]
                ends.append(self.block(statement.otherwise, unset, dict(known)))
                return frozenset().union(*ends)
            case nodes.Perform():
                inner = dict(known)
                for slot, argument in zip(statement.slots, statement.arguments, strict=True):
                    value = constant_value(argument, known)
                    if value is not None:
                        inner[slot] = value
                return self.block(statement.body, unset, inner)
            case nodes.Loop():
                return self._loop(statement, unset, known)
            case _:
                return unset

    def _loop(
        self, loop: nodes.Loop, unset: frozenset[int], known: dict[int, Value]
    ) -> frozenset[int]:
        values = constant_value(loop.domain, known)
        if not isinstance(values, tuple):
            self.block(loop.body, unset, dict(known))
            return unset
        for value in values:
            inner = {**known, loop.slot: value}
            wanted = True if loop.condition is None else constant_value(loop.condition, inner)
            if wanted is False:
                continue
            after = self.block(loop.body, unset, inner)
            if wanted is True and loop.going is None:
                unset = after
        return unset

    def _chance(
        self, statement: nodes.Chance, unset: frozenset[int], known: dict[int, Value]
    ) -> frozenset[int]:
        where = statement.condition
        for expression in expressions_of(statement):
            if expression is not where:
                self._read(expression, unset, known)
        if statement.variable is not None:
            unset = unset - self._written(statement.variable, statement.indices, known)
        if where is not None:
            self._read(where, unset, known)
        return unset

    def _written(
        self,
        variable: nodes.Variable,
        indices: tuple[nodes.Expr, ...],
        known: dict[int, Value],
    ) -> frozenset[int]:
        number = self._cell(variable, indices, known)
        return frozenset() if number is None else frozenset({variable.offset + number})

    @staticmethod
    def _cell(
        variable: nodes.Variable, indices: tuple[nodes.Expr, ...], known: dict[int, Value]
    ) -> int | None:
        number = 0
        for index, domain in zip(indices, variable.indices, strict=True):
            value = constant_value(index, known)
            digit = None if value is None else domain.digit.get(value)
            if digit is None:
                return None
            number = number * len(domain) + digit
        return number

    def _read(self, expression: nodes.Expr, unset: frozenset[int], known: dict[int, Value]) -> None:
        for node in within(expression):
            match node:
                case nodes.Cell(variable=variable, indices=indices):
                    number = self._cell(variable, indices, known)
                case nodes.Whole(variable=variable):
                    number = None
                case _:
                    continue
            numbers = range(variable.size) if number is None else (number,)
            if any(variable.offset + n in unset for n in numbers) and self.is_silent(variable):
                self.reported.add(variable.name)
                self.reporter.report(
                    "E1305",
                    node.span,
                    f"`{variable.name}` is read here, and may not have been set yet",
                    secondary=(Label(variable.span, "declared without an initial value"),),
                )


def constant_value(node: nodes.Expr, known: dict[int, Value]) -> Value | None:
    """The value of an expression of constants and known slots, or None."""
    match node:
        case nodes.Const():
            return node.value
        case nodes.Local():
            return known.get(node.slot)
        case nodes.Arithmetic() | nodes.Compare():
            left = constant_value(node.left, known)
            right = constant_value(node.right, known)
            if left is None or right is None or NONE in (left, right):
                return None
            table = (
                operations.ARITHMETIC
                if isinstance(node, nodes.Arithmetic)
                else operations.COMPARISONS
            )
            try:
                return table[node.operator](left, right)
            except operations.OperationError:
                return None
        case _:
            return None

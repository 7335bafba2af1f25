"""Statements, functions and modules of the intermediate representation.

Statements are frozen trees over `Value`s; passes rewrite the trees and printers print them. A
function of a state works on the fields of the state by name; `passes.pack` turns fields into words
and back.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from gamedsl.compiler.ir.values import MANY, STATE, Op, Type, Value
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; the target is a `NAME`."""

    target: Value
    value: Value


@dataclass(frozen=True, slots=True)
class AssignAll:
    """Assigns the results of a call, several numbers or a state, to locals (`NAME` or `STATE`)."""

    targets: tuple[Value, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class Store:
    """`row[index] = value`."""

    row: Value
    index: Value
    value: Value


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Evaluates a value for its possible failure, or for the effects of its calls."""

    value: Value


@dataclass(frozen=True, slots=True)
class Fault:
    """Failure: the guard `site` has failed, with the value found and the number of the cell."""

    site: int
    detail: Value
    place: Value


@dataclass(frozen=True, slots=True)
class If:
    """`if test: then` `else: otherwise`."""

    test: Value
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class While:
    """`while test: body`."""

    test: Value
    body: Body


@dataclass(frozen=True, slots=True)
class For:
    """`for target in range(low, high): body`; the bounds are evaluated once."""

    target: Value
    low: Value
    high: Value
    body: Body


@dataclass(frozen=True, slots=True)
class ForEntries:
    """`for target in entries: body`, with constant entries."""

    target: Value
    entries: tuple[int, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Continue with the next round of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return:
    """Return the values; a `STATE` stands for its words."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ReturnState:
    """Return the state made up of the fields; `event`: the event where the body has stopped (0: a
    player decides), `saved`: the locals for the rest of the body; `more`: values behind the state.
    """

    event: Value
    saved: tuple[Value, ...] = ()
    more: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Comment:
    """A line of the game's file; the statements behind the comment come from the line."""

    line: int
    text: str


Statement = (
    Assign | AssignAll | Store | Evaluate | Fault | If | While | For | ForEntries | Break | Continue
    | Return | ReturnState | Comment
)  # fmt: skip
Body = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A function.

    Attributes:
        parameters: `NAME`s; the parameter state, if any, comes first and is `STATE`.
        body: on every path, the last statement returns or fails.
    """

    name: str
    parameters: tuple[Value, ...]
    body: Body

    @property
    def takes_state(self) -> bool:
        """Whether the first parameter is a state."""
        return bool(self.parameters) and self.parameters[0].op is Op.STATE

    @property
    def can_fail(self) -> bool:
        """Whether the function may raise a fault."""
        return any(
            isinstance(statement, Fault) or any(value.can_fail for value in values_of(statement))
            for statement in walk(self.body)
        )

    @property
    def results(self) -> tuple[Type, ...]:
        """The types of the results."""
        for statement in walk(self.body):
            if isinstance(statement, Return):
                return tuple(value.type for value in statement.values)
            if isinstance(statement, ReturnState):
                return (STATE, *(value.type for value in statement.more))
        return ()

    @property
    def result(self) -> Type:
        """The type of a call."""
        return self.results[0] if len(self.results) == 1 else MANY


@dataclass(frozen=True, slots=True)
class Module:
    """Functions by name, in printing order.

    Attributes:
        width: bits of the widest set of squares.
        aliases: further names of functions.
    """

    functions: dict[str, Function]
    width: int
    aliases: dict[str, str]


def blocks_of(statement: Statement) -> tuple[Body, ...]:
    """The blocks in a statement."""
    match statement:
        case If():
            return (statement.then, statement.otherwise)
        case While() | For() | ForEntries():
            return (statement.body,)
    return ()


def values_of(statement: Statement) -> tuple[Value, ...]:
    """The values that a statement evaluates, in order, without its blocks."""
    match statement:
        case Assign() | AssignAll() | Evaluate():
            return (statement.value,)
        case Store():
            return (statement.row, statement.value, statement.index)
        case Fault():
            return (statement.detail, statement.place)
        case If() | While():
            return (statement.test,)
        case For():
            return (statement.low, statement.high)
        case Return():
            return statement.values
        case ReturnState():
            return (statement.event, *statement.saved, *statement.more)
    return ()


def targets_of(statement: Statement) -> tuple[Value, ...]:
    """The locals and fields that a statement itself assigns, and the rows that it writes to."""
    match statement:
        case Assign() | For() | ForEntries():
            return (statement.target,)
        case AssignAll():
            return statement.targets
        case Store():
            return (statement.row,)
    return ()


def walk(body: Body) -> Iterator[Statement]:
    """All statements, each before the statements in its blocks."""
    pending = [*reversed(body)]
    while pending:
        statement = pending.pop()
        yield statement
        for block in reversed(blocks_of(statement)):
            pending += reversed(block)


def assigned_in(body: Body) -> frozenset[str]:
    """The names that a body assigns, including names bound inside values."""
    names: set[str] = set()
    for statement in walk(body):
        names.update(target.name for target in targets_of(statement))
        for value in values_of(statement):
            if value.binds:
                names |= {part.name for part in parts(value) if part.op is Op.BIND}
    return frozenset(names)


def names_in(body: Body) -> dict[str, Value]:
    """The names that a body reads or assigns, in order of appearance, each with its `NAME`."""
    names: dict[str, Value] = {}
    for statement in walk(body):
        for value in (*values_of(statement), *targets_of(statement)):
            if not value.names <= names.keys():
                for part in parts(value):
                    if part.op in {Op.NAME, Op.STATE}:
                        names.setdefault(part.name, part)
    return names


def parts(value: Value, known: Container[Value] = ()) -> Iterator[Value]:
    """A value and all its parts, without repetition, arguments before the values that contain them;
    `known` values, and parts that occur in them only, are left out.
    """
    seen: set[Value] = set()
    pending: list[Value | None] = [value]
    while pending:
        part = pending.pop()
        if part is None:  # all arguments of the next value are done
            yield pending.pop()  # type: ignore[misc]
        elif part not in seen and part not in known:
            seen.add(part)
            if part.args:
                pending += (part, None, *part.args[::-1])
            else:
                yield part

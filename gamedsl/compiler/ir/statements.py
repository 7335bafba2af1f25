"""Statements, functions and modules of the intermediate representation.

Statements are frozen trees over `Value`s; passes rewrite the trees and printers print them. The
order of the fields of a statement is the order of evaluation, and the annotations of the fields
tell values, assigned names and blocks apart. A function of a state works on the fields of the state
by name; `passes.pack` turns fields into words and back.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import fields
from operator import attrgetter
from typing import Any, get_args

from gamedsl.compiler.ir.values import MANY, STATE, Op, Type, Value
from gamedsl.source.records import dataclass
from gamedsl.source.records import values_of as reader_of


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
    value: Value
    index: Value


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


def _roles(kind: type[object]) -> dict[str, str]:
    """The fields of a class, in order, with the role of the contents: a "target", a "Value", a
    "Body", or another word."""
    return {
        field.name: "target"
        if field.name.startswith("target")
        else str(field.type).removeprefix("tuple[").removesuffix(", ...]")
        for field in fields(kind)  # type: ignore[arg-type]
    }


ROLES = {kind: _roles(kind) for kind in get_args(Statement)}
"""The fields of each class of statements, with their roles."""


def _readers(role: str) -> dict[type[object], Callable[[Any], tuple[Any, ...]]]:
    """For each class the function that reads the contents of the fields with a role."""
    readers = {}
    for kind, roles in ROLES.items():
        names = tuple(name for name, own in roles.items() if own == role)
        several = [kind.__annotations__[name].startswith("tuple") for name in names]
        readers[kind] = reader_of(names)
        if any(several):
            readers[kind] = attrgetter(*names) if len(names) == 1 else _flat(names)
    return readers


def _flat(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """The function that reads a value, and the values in tuples behind."""
    first, *rest = names
    return lambda statement: (
        getattr(statement, first),
        *(value for name in rest for value in getattr(statement, name)),
    )


_BLOCKS, _VALUES, _TARGETS = map(_readers, ("Body", "Value", "target"))
_TARGETS[Store] = reader_of(["row"])


def blocks_of(statement: Statement) -> tuple[Body, ...]:
    """The blocks in a statement."""
    return _BLOCKS[type(statement)](statement)


def values_of(statement: Statement) -> tuple[Value, ...]:
    """The values that a statement evaluates, in order, without its blocks."""
    return _VALUES[type(statement)](statement)


def targets_of(statement: Statement) -> tuple[Value, ...]:
    """The locals and fields that a statement itself assigns, and the rows that it writes to."""
    return _TARGETS[type(statement)](statement)


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

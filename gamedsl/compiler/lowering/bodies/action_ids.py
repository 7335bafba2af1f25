"""Ids of actions: encoding and decoding of the digits of a move's parameters.

The last parameter counts fastest. The legality of instances is defined in `enumeration`.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import INT, ZERO, Value, integer, name
from gamedsl.compiler.lowering.bodies.state_functions import scope_of_move
from gamedsl.compiler.lowering.values import cells
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Scope
from gamedsl.model import nodes
from gamedsl.model.types import scalar_of
from gamedsl.source.records import dataclass

ACTION = name("action", INT)
"""The id of an action, as a parameter."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a move: the digits of its parameters, and its id, as code."""

    move: nodes.Move
    digits: tuple[Value, ...]
    number: Value


def instance_of(move: nodes.Move, digits: tuple[Value, ...]) -> Instance:
    """An instance and its id, from the digits of its parameters."""
    number, stride = integer(move.first_id), move.size
    for digit, parameter in zip(digits, move.parameters, strict=True):
        stride //= len(parameter.values)
        number = number + digit * stride
    return Instance(move, digits, number)


def digits_of(move: nodes.Move, action: Value) -> tuple[Value, ...]:
    """The digits of the parameters of an action, read off its id."""
    rest = action - move.first_id
    stride, digits = move.size, []
    for parameter in move.parameters:
        count = len(parameter.values)
        is_first = stride == move.size
        stride //= count
        digit = rest // stride if is_first else rest // stride % count
        digits.append(digit if count > 1 else integer(0))
    return tuple(digits)


def digit_names(move: nodes.Move) -> tuple[Value, ...]:
    """The digits of a move's parameters as parameters of a function; 0 where there is one value."""
    return tuple(
        name(f"d{place}", INT) if len(parameter.values) > 1 else ZERO
        for place, parameter in enumerate(move.parameters)
    )


def with_digits(
    lowering: Lowering, move: nodes.Move, digits: tuple[Value, ...], player: int
) -> Scope:
    """The scope in which a player makes a move with parameters that are given by digits."""
    scope = scope_of_move(lowering, move, player)
    for parameter, digit in zip(move.parameters, digits, strict=True):
        if len(parameter.values) == 1:
            scope = scope.having(parameter.slot, Known(parameter.values.values[0]))
            continue
        value = cells.of_digit(
            lowering, digit, parameter.values, scalar_of(parameter.values.values)
        )
        if not value.is_name:
            local = name(f"{parameter.name}_{parameter.slot}", value.expr.type)
            lowering.builder.assign(local, value.expr)
            value = Code(local, value.type)
        scope = scope.having(parameter.slot, value)
    return scope


def arguments(lowering: Lowering, move: nodes.Move, player: int) -> Scope:
    """The scope in which a player makes a move with the parameters of `action`."""
    return with_digits(lowering, move, digits_of(move, ACTION), player)

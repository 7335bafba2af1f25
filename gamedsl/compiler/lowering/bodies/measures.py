"""`require e is greatest`: of the legal instances of a group of moves, only the greatest are legal.

The instances are enumerated once: a new maximum discards all earlier instances. The `require`
statement is removed from the bodies first. If its expression may fail, the expression is still
evaluated at the place of the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import FALSE, TRUE, ZERO, Value, any_of, not_, state
from gamedsl.compiler.lowering.bodies import action_ids, state_functions
from gamedsl.compiler.lowering.bodies.action_ids import Instance
from gamedsl.compiler.lowering.bodies.enumeration import ActionSink
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.semantics.safety import Safety
from gamedsl.model.types import BOOLEAN, Scalar


def taken_out(model: Model) -> tuple[Model, Mapping[str, nodes.Move]]:
    """The model without the statements, and the original moves by name."""
    measured = {move.name: move for move in model.moves if move.greatest}
    if measured and any(rule.outcome is None for rule in model.repeats):
        raise CannotCompileError("the greatest of moves that must not repeat")
    if measured:
        model = replace(model, moves=tuple(map(_without, model.moves)))
    return model, measured


def _without(move: nodes.Move) -> nodes.Move:
    body: list[nodes.Statement] = []
    for statement in move.body:
        if not isinstance(statement, nodes.Greatest):
            body.append(statement)
        elif Safety().can_fail(statement.value):
            value = statement.value
            same = nodes.Compare(value.span, BOOLEAN, "==", value, value)
            body.append(nodes.Require(statement.span, same))
    return replace(move, body=tuple(body))


def write_measures(lowering: Lowering, player: int) -> None:
    """Write, for each move with `is greatest`, the value of an instance given by its digits."""
    for number, move in enumerate(lowering.model.moves):
        written = lowering.bodies.measured.get(move.name)
        if written is not None:
            digits = action_ids.digit_names(written)
            state_functions.state_function(
                lowering,
                f"measure_{number}_{player}",
                tuple(digit for digit in digits if digit.is_name),
                partial(_write_measure, lowering, written, player, digits),
            )


def _write_measure(
    lowering: Lowering, move: nodes.Move, player: int, digits: tuple[Value, ...]
) -> None:
    scope = action_ids.with_digits(lowering, move, digits, player)
    for statement in move.body:
        match statement:
            case nodes.Let():
                next_scope = lowering.write_statement(statement, scope)
                assert next_scope is not None
                scope = next_scope
            case nodes.Greatest():
                kind = statement.value.type
                if not isinstance(kind, Scalar) or kind.rational:
                    raise CannotCompileError("the greatest of fractions", statement.span)
                low = lowering.lower(statement.value, scope)
                if isinstance(low, Code) and low.per != 1:
                    raise CannotCompileError("the greatest of fractions", statement.span)
                lowering.builder.give(lowering.value(low))
                return


def is_measured(lowering: Lowering, group: Sequence[nodes.Move]) -> bool:
    """Whether only the greatest instances of the moves are legal."""
    return any(move.name in lowering.bodies.measured for move in group)


def listed(
    lowering: Lowering, group: Sequence[nodes.Move], player: int, sink: ActionSink, place: Value
) -> ActionSink:
    """A sink that lists the ids of the greatest instances of a group; `place` advances."""
    if not is_measured(lowering, group):
        return sink
    start = lowering.program.hold(place, "begin")
    return only_greatest(lowering, player, sink, lambda: lowering.builder.assign(place, start))


def only_greatest(
    lowering: Lowering, player: int, sink: ActionSink, forget: Callable[[], None]
) -> ActionSink:
    """A sink for the greatest instances alone; `forget` undoes the effects of earlier instances."""
    best = lowering.program.hold(ZERO, "best")
    is_some = lowering.program.hold(FALSE, "some")

    def on_action(instance: Instance) -> None:
        if instance.move.name not in lowering.bodies.measured:
            return  # its `is greatest` is in dead code: never legal
        value = lowering.program.hold(_measure(lowering, player, instance), "measure")
        with lowering.builder.when(any_of([not_(is_some), value.gt(best)])):
            lowering.builder.assign(best, value)
            lowering.builder.assign(is_some, TRUE)
            forget()
        with lowering.builder.when(value.eq(best)):
            sink.on_action(instance)

    return replace(sink, on_action=on_action, on_set=None, on_set_elements=None)


def _measure(lowering: Lowering, player: int, instance: Instance) -> Value:
    move = instance.move
    arguments = [
        digit
        for digit, parameter in zip(instance.digits, move.parameters, strict=True)
        if len(parameter.values) > 1
    ]
    title = f"measure_{lowering.model.moves.index(move)}_{player}"
    return lowering.program.call_of(title, (state(), *arguments))

"""Elaborate `repeat` lines: the compared part of a state, and the effect of a repetition."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.expressions.names import unknown_name
from gamedsl.model.elaborate.statements import outcomes
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import describe
from gamedsl.syntax import ast

WHOLE = "state"
TURN = "turn"


def elaborate_repeats(
    elaborator: Elaborator, variables: tuple[nodes.Variable, ...]
) -> tuple[nodes.Repeat, ...]:
    """The repetition rules of a file; rules in error are reported and left out."""
    return tuple(_rules(elaborator, variables))


def _rules(elaborator: Elaborator, variables: tuple[nodes.Variable, ...]) -> Iterator[nodes.Repeat]:
    for written in elaborator.symbols.all(ast.RepeatDecl):
        compared = _compared(elaborator, written, variables)
        times = _times(elaborator, written)
        outcome = None
        if written.outcome is not None:
            outcome = outcomes.outcome(elaborator, written.outcome, Scope(RuleContext.END))
        if compared is None or times is None or (outcome is None) != (written.outcome is None):
            continue
        exempts = all(name.text != WHOLE for name in written.names)
        yield nodes.Repeat(written.span, *compared, exempts, times, outcome)


def _compared(
    elaborator: Elaborator, written: ast.RepeatDecl, variables: tuple[nodes.Variable, ...]
) -> tuple[tuple[nodes.Variable, ...], bool] | None:
    """The compared variables, and whether the turn is compared as well."""
    whole = next((name for name in written.names if name.text == WHOLE), None)
    if whole is not None and len(written.names) > 1:
        message = "`state` is every variable and the turn, so it stands alone"
        hint = "leave parts out with `repeat state without clock`, or name the parts alone"
        elaborator.reporter.report("E1203", whole.span, message, hint=hint)
        return None
    if whole is None and written.left_out:
        message = "`without` leaves parts out of `state`; a list of variables is whole already"
        hint = "as in `repeat state without clock 3 times: draw`"
        elaborator.reporter.report("E1203", written.left_out[0].span, message, hint=hint)
        return None
    names = written.left_out if whole is not None else written.names
    parts = [_part(elaborator, name) for name in names]
    if None in parts:
        return None
    named = {part.offset for part in parts if isinstance(part, nodes.Variable)}
    is_whole = whole is not None
    compared = tuple(variable for variable in variables if (variable.offset in named) != is_whole)
    with_turn = (TURN in parts) != is_whole
    if not compared and not with_turn:
        message = "nothing of the state is left to compare"
        elaborator.reporter.report("E1203", written.span, message)
        return None
    return compared, with_turn


def _part(elaborator: Elaborator, name: ast.Name) -> nodes.Variable | str | None:
    """The variable with the name, or `turn`; None after a reported error."""
    if name.text == TURN:
        return TURN
    variable = elaborator.symbols.find(name.text)
    if isinstance(variable, nodes.Variable):
        return variable
    unknown_name(elaborator, name, Scope(RuleContext.GUARD))
    if elaborator.symbols.knows(name.text) and (name.text not in elaborator.symbols.variable_decls):
        elaborator.reporter.report("E1109", name.span, f"`{name.text}` is no state variable")
    return None


def _times(elaborator: Elaborator, written: ast.RepeatDecl) -> int | None:
    """The number of the occurrence that has an effect: 2 by default."""
    if written.times is None:
        return 2
    counted = elaborator.constant(written.times, Scope(RuleContext.CONSTANT))
    if counted is None:
        return None
    if isinstance(counted.value, bool) or not isinstance(counted.value, int):
        elaborator.reporter.report(
            "E1101",
            written.times.span,
            f"occurrences are counted by a whole number; this is {describe(counted.type)}",
        )
        return None
    if counted.value < 2:
        message = "a repetition is at least the second occurrence"
        elaborator.reporter.report("E1203", written.span, message)
    return counted.value

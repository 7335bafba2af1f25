"""Elaborate changes of the state: assignments, and whether the value lies in the domain.

A typed statement records whether the value provably lies in the domain; a value certainly outside
is reported.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.expressions.cells import (
    cell_type,
    check_indices,
    how_to_hold,
)
from gamedsl.model.elaborate.expressions.operators import geometric
from gamedsl.model.elaborate.narrowing import narrowed
from gamedsl.model.intervals import arithmetic_interval, lies_in
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import BOOLEAN, UNKNOWN, Scalar, describe, is_number, scalar_of
from gamedsl.model.values import Domain, text_of
from gamedsl.model.walk import with_parts
from gamedsl.source import Label, Span
from gamedsl.syntax import ast


def assign(elaborator: Elaborator, written: ast.Assign, scope: Scope) -> nodes.Put | None:
    """`x = e`, `x += e`, `x -= e`, `turn = e`."""
    unknown = _unknown_target(elaborator, written.target, scope)
    if unknown is not None:
        _assign_unknown(elaborator, unknown, written, scope)
        return None
    value = elaborator.expression(written.value, scope)
    if isinstance(written.target, ast.Name) and written.target.text == "turn":
        return _set_turn(elaborator, written, value, scope)
    place = target(elaborator, written.target, scope)
    if place is None:
        return None
    variable, indices = place.variable, place.indices
    if written.operator != "=":
        now = nodes.Cell(written.target.span, cell_type(variable), variable, indices)
        new_value = _changed(elaborator, written, narrowed(now, scope), value)
        if new_value is None:
            return None
        value = new_value
    number = variable.number_of(index.known for index in indices)
    fits = proved(elaborator, written.span, variable, value, number)
    is_there = number is not None or not variable.missing
    return nodes.Put(written.span, place, value, fits and is_there)


def assign_all(elaborator: Elaborator, written: ast.AssignAll, scope: Scope) -> nodes.Block:
    """`a, b = b, a`: all values, and all indices that may change, are bound first; () after an
    error."""
    bound: list[nodes.Statement] = []

    def held(value: nodes.Expr) -> nodes.Expr:
        if value.known is not None or value.asks == "me":
            return value
        slot = elaborator.new_slot("given")
        bound.append(nodes.Let(written.span, "given", slot, value))
        return nodes.Local(value.span, value.type, "given", slot)

    body: list[nodes.Statement] = []
    for written_place, value in zip(written.targets, written.values, strict=True):
        change = assign(elaborator, ast.Assign(written.span, written_place, "=", value), scope)
        if change is not None:
            place = with_parts(change.place, held)
            body.append(replace(change, place=place, value=held(change.value)))
    if len(body) < len(written.targets):
        return ()
    return (*bound, *body)


def _each_cell(elaborator: Elaborator, variable: nodes.Variable) -> str:
    """A hint for `cell = empty`: the loops over the cells."""
    indices = elaborator.symbols.variable_decls[variable.name].indices
    names = [index.name.text if index.name else "abcdefgh"[i] for i, index in enumerate(indices)]
    *outer, inner = (
        f"for {name} in {elaborator.text(index.domain)}:"
        for name, index in zip(names, indices, strict=True)
    )
    whole = f"{inner} {variable.name}[{', '.join(names)}] = ..."
    return ", below it ".join(f"`{loop}`" for loop in (*outer, whole))


def target(elaborator: Elaborator, written: ast.Expression, scope: Scope) -> nodes.Place | None:
    """The cell that an assignment or `chance` writes to."""
    base = written.base if isinstance(written, ast.Index) else written
    if not isinstance(base, ast.Name):
        elaborator.reporter.report("E1109", written.span, "only a state variable can be changed")
        return None
    local = scope.find(base.text)
    symbol = elaborator.symbols.find(base.text) if local is None else None
    whole = None if local is None else local.whole
    variable = symbol if whole is None else whole.variable
    inside = written.indices if isinstance(written, ast.Index) else ()
    indices = tuple(elaborator.expression(index, scope) for index in inside)
    if whole is not None:
        indices = (*whole.fixed, *indices)
    if not isinstance(variable, nodes.Variable):
        if local is None or local.type != UNKNOWN:  # otherwise the effect is never called
            _not_a_variable(elaborator, base, local is not None, scope)
        return None
    hint = _each_cell(elaborator, variable) if variable.indices else None
    if not check_indices(elaborator, written.span, variable, indices, hint):
        return None
    if scope.context is RuleContext.SIMULTANEOUS and not any(
        index.asks == "me" for index in indices
    ):
        elaborator.reporter.report(
            "E1307",
            written.span,
            "a `simultaneous` body may change only cells indexed by `me`",
            hint=f"declare `{variable.name}[players]` and write `{variable.name}[me]`",
        )
        return None
    return nodes.Place(variable, indices)


def proved(
    elaborator: Elaborator,
    span: Span,
    variable: nodes.Variable,
    value: nodes.Expr,
    number: int | None = None,
) -> bool:
    """Whether the value certainly lies in the variable's domain, or in the domain of cell `number`
    if given. A value that certainly lies outside is reported."""
    if not isinstance(value.type, Scalar):
        problem = f"holds one value; this is {describe(value.type)}"
        _does_not_fit(elaborator, "E1101", span, variable, problem)
        return False
    domain = variable.domain if number is None else variable.domain_of(number)
    inside = lies_in(value.type, domain)
    if value.known is not None and value.type != UNKNOWN:
        inside = domain.position(value.known) is not None
    if inside is False:
        numbers = value.type.is_number and cell_type(variable).has_numbers
        low, high = value.type.interval
        far = high if high > max(scalar_of(domain.values).interval) else low
        shown = text_of(value.known) if value.known is not None else describe(value.type)
        excess = f"can reach {far}" if numbers else f"would be {shown}"
        problem = f"{excess}, its domain is `{domain}`"
        missing = value.known
        hint = None if missing is None else how_to_hold(elaborator, variable, missing)
        _does_not_fit(elaborator, "E1201", span, variable, problem, hint)
    return inside is True and (number is not None or variable.domains is None)


def _changed(
    elaborator: Elaborator, written: ast.Assign, now: nodes.Expr, value: nodes.Expr
) -> nodes.Expr | None:
    """The value of `x += e` or `x -= e`."""
    operator = written.operator[0]
    if UNKNOWN in (now.type, value.type):
        return nodes.Arithmetic(written.span, UNKNOWN, operator, now, value)
    moved = geometric(
        elaborator, ast.Binary(written.span, operator, written.target, written.value), now, value
    )
    if moved is not None:
        return moved
    if not (is_number(now.type) and is_number(value.type)):
        elaborator.reporter.report(
            "E1101",
            written.span,
            f"`{written.operator}` needs numbers, or a square and a direction;"
            f" found {describe(now.type)} and {describe(value.type)}",
            hint=elaborator.guard_hint(now, value),
        )
        return None
    kind = arithmetic_interval(operator, now.type, value.type)
    return nodes.Arithmetic(written.span, kind, operator, now, value)


def _set_turn(
    elaborator: Elaborator, written: ast.Assign, value: nodes.Expr, scope: Scope
) -> nodes.Put | None:
    if scope.context is RuleContext.SIMULTANEOUS or written.operator != "=":
        elaborator.reporter.report(
            "E1302",
            written.span,
            f"`turn` cannot be changed like this in {scope.context.value}",
            hint=None if scope.context is RuleContext.SIMULTANEOUS else "write `turn = next(turn)`",
        )
        return None
    if not is_mover(elaborator, value):
        return None
    place = turn(elaborator, written.span)
    is_proved = isinstance(value.type, Scalar) and bool(lies_in(value.type, place.variable.domain))
    return nodes.Put(written.span, place, value, is_proved)


def turn(elaborator: Elaborator, span: Span) -> nodes.Place:
    """`turn` as a place."""
    players = Domain(elaborator.symbols.players)
    return nodes.Place(nodes.Variable("turn", span, (), players, nodes.TURN, (None,)))


def keep_turn(span: Span) -> nodes.Put:
    """The turn stays where the body leaves it: `again`, and behind every assignment to `turn`."""
    kept = nodes.Variable("again", span, (), Domain((False, True)), nodes.KEPT, (0,))
    return nodes.Put(span, nodes.Place(kept), nodes.Const(span, BOOLEAN, True), proved=True)


def is_mover(elaborator: Elaborator, value: nodes.Expr) -> bool:
    """Whether a value may be a player; if not, an error is reported."""
    if value.type.is_player:
        return True
    message = f"`turn` is a player; this is {describe(value.type)}"
    elaborator.reporter.report("E1101", value.span, message)
    return False


def _not_a_variable(elaborator: Elaborator, base: ast.Name, is_local: bool, scope: Scope) -> None:
    name = base.text
    if name in KEYWORDS:
        hint = "the turn is given away by `turn = ...`" if name == "opponent" else None
        message = f"`{name}` is a word of the language and cannot be changed"
        elaborator.reporter.report("E1109", base.span, message, hint=hint)
    elif not is_local and not elaborator.symbols.knows(name):
        _report_unknown(elaborator, base, scope, f"{name}[...]: ... = ...")
    elif is_local or name not in elaborator.symbols.variable_decls:
        role = "a name for a value" if is_local else "not a state variable"
        elaborator.reporter.report(
            "E1109",
            base.span,
            f"`{name}` is {role} and cannot be changed",
            hint=f"only variables of `state:` change; for a new value write `let {name}2 = ...`"
            if is_local
            else "only variables of `state:` change",
        )


def _unknown_target(
    elaborator: Elaborator, written: ast.Expression, scope: Scope
) -> ast.Name | None:
    base = written.base if isinstance(written, ast.Index) else written
    if not isinstance(base, ast.Name) or scope.find(base.text) is not None:
        return None
    is_known = base.text in KEYWORDS or elaborator.symbols.knows(base.text)
    return None if is_known else base


def _assign_unknown(
    elaborator: Elaborator, base: ast.Name, written: ast.Assign, scope: Scope
) -> None:
    """Report a single error: the unknown variable, or else the error in its value."""
    from gamedsl.model.symbols.suggestions import explain_variable

    usage = ""
    if isinstance(written.target, ast.Index):
        indices = ", ".join("..." for _ in written.target.indices)
        usage = f"{base.text}[{indices}]: ... = ..."
    elif written.operator != "=" or _mentions(elaborator.text(written.value), base.text):
        usage = f"{base.text}: 0..9 = 0"
    is_misspelt = "?" in explain_variable(elaborator.symbols, base.text, scope, usage).message
    if usage or is_misspelt:
        _report_unknown(elaborator, base, scope, usage)
    errors = len(elaborator.reporter.findings)
    elaborator.expression(written.value, scope)
    if len(elaborator.reporter.findings) == errors:
        _report_unknown(elaborator, base, scope, usage)
    elif not usage and not is_misspelt:
        elaborator.reporter.broken |= {base.text}


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _report_unknown(elaborator: Elaborator, base: ast.Name, scope: Scope, usage: str) -> None:
    name = base.text
    if name in elaborator.reporter.broken:
        return
    from gamedsl.model.symbols.suggestions import explain_variable

    problem = explain_variable(elaborator.symbols, name, scope, usage)
    message, hint = problem.message, problem.hint
    elaborator.reporter.report_unknown(name, problem.code, base.span, message, hint)


def _does_not_fit(
    elaborator: Elaborator,
    code: str,
    span: Span,
    variable: nodes.Variable,
    problem: str,
    hint: str | None = None,
) -> None:
    declared = Label(variable.span, f"its domain is `{variable.domain}`")
    message = f"`{variable.name}` {problem}"
    elaborator.reporter.report(code, span, message, secondary=(declared,), hint=hint)

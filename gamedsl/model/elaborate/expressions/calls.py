"""Elaborate calls of builtin functions, and resolve called names.

Calls of a file's own `def`s are elaborated by `definitions`.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.builtins import BUILTINS, arguments_in_words
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.expressions import definitions, lookahead, quantifiers, tables
from gamedsl.model.elaborate.expressions.directions import note_directions
from gamedsl.model.elaborate.narrowing import narrowed
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.keywords import PLAIN_WORDS
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    UNKNOWN,
    ArrayType,
    ListType,
    OptionalType,
    Scalar,
    SetType,
    Type,
    describe,
    join_all,
    number,
    scalar_of,
)
from gamedsl.source import Span
from gamedsl.syntax import ast


def call(elaborator: Elaborator, written: ast.Call, scope: Scope) -> nodes.Expr:
    """`f(a, b)`: a `def` of the file, or a builtin."""
    name = written.function.text
    if name == "stuck":
        return lookahead.stuck_among(elaborator, written, scope)
    declared = elaborator.symbols.defs.get(name)
    if declared is not None:
        arguments = tuple(elaborator.expression(a, scope) for a in written.arguments)
        return definitions.apply(elaborator, written.span, declared, arguments, scope)
    if name in elaborator.symbols.tables:
        return tables.call(elaborator, written, elaborator.symbols.tables[name], scope)
    if name in elaborator.symbols.effects:
        return elaborator.wrong(
            "E1004",
            written.span,
            f"`{name}` is an `effect`: it changes the state and has no value",
            hint="write the call on a line of its own, or use `def`",
        )
    if name in REDUCTIONS or name in BUILTINS:
        arguments = tuple(elaborator.expression(a, scope) for a in written.arguments)
        if any(argument.type == UNKNOWN for argument in arguments):
            return nodes.Builtin(written.span, UNKNOWN, name, arguments)
        if elaborator.symbols.is_making_board and _is_about_squares(name):
            return elaborator.wrong(
                "E1106",
                written.span,
                f"`{name}(...)` is not known where the board itself is declared",
                hint="`column` and `row` are the numbers of the square that is asked about",
            )
        if name in BUILTINS:
            arguments = _narrowed_arguments(name, arguments, scope)
        if name in REDUCTIONS:
            return _reduction(elaborator, written, name, arguments)
        return _builtin(elaborator, written, name, arguments)
    return _not_a_function(elaborator, written, scope)


def _is_about_squares(name: str) -> bool:
    return name == "square" or (name in BUILTINS and "square" in BUILTINS[name].parameters)


def _narrowed_arguments(
    name: str, arguments: tuple[nodes.Expr, ...], scope: Scope
) -> tuple[nodes.Expr, ...]:
    """The arguments; arguments that must be players or squares are narrowed by conditions."""
    kinds = (*BUILTINS[name].parameters, *("" for _ in arguments))
    return tuple(
        narrowed(argument, scope) if kind in {"player", "square"} else argument
        for argument, kind in zip(arguments, kinds, strict=False)
    )


def _not_a_function(elaborator: Elaborator, written: ast.Call, scope: Scope) -> nodes.Expr:
    from gamedsl.model.symbols.suggestions import explain_function, explain_plain_word

    name = written.function.text
    if name in elaborator.reporter.broken:
        return in_error(written.span)
    if name in elaborator.symbols.variable_decls:
        inside = ", ".join(elaborator.text(argument) for argument in written.arguments)
        return elaborator.wrong(
            "E1004",
            written.span,
            f"`{name}` is a state variable, not a function",
            hint=f"a cell is written `{name}[{inside}]`",
        )
    if scope.find(name) is not None or elaborator.symbols.knows(name) or name in PLAIN_WORDS:
        problem = explain_plain_word(name, not written.arguments, name in elaborator.symbols.types)
        return elaborator.wrong(problem.code, written.span, problem.message, problem.hint)
    problem = explain_function(elaborator.symbols, name)
    place, message = written.function.span, problem.message
    elaborator.reporter.report_unknown(f"{name}()", problem.code, place, message, problem.hint)
    return in_error(written.span)


def _example(elaborator: Elaborator, written: ast.Expression, kind: Type, name: str) -> str:
    """A suggested argument of `sum(...)`: for a variable, all its cells."""
    if not isinstance(kind, ArrayType):
        return "... for s in square" if elaborator.symbols.knows("square") else "... for k in 1..9"
    indices = elaborator.symbols.variable_decls[kind.name].indices[len(kind.fixed) :]
    usual = {"players": "p", "square": "s"}
    free = (letter for letter in "ijkmnuvw" if not elaborator.symbols.knows(letter))
    domains = [elaborator.text(index.domain) for index in indices]
    names = [
        index.name.text if index.name else usual.pop(domain, "") or next(free, "i")
        for index, domain in zip(indices, domains, strict=True)
    ]
    variable = elaborator.symbols.find(kind.name)
    is_truth = isinstance(variable, nodes.Variable) and scalar_of(variable.domain.values).is_boolean
    compared = "" if name in {"sum", "min", "max"} or is_truth else " == ..."
    clauses = (
        f" for {index_name} in {domain}" for index_name, domain in zip(names, domains, strict=True)
    )
    return f"{elaborator.text(written)}[{', '.join(names)}]{compared}{''.join(clauses)}"


def _reduction(
    elaborator: Elaborator, written: ast.Call, name: str, arguments: tuple[nodes.Expr, ...]
) -> nodes.Expr:
    span = written.span
    if len(arguments) == 1:
        kind = arguments[0].type
        if not isinstance(kind, SetType | ListType):
            hint = f"as in `{name}({_example(elaborator, written.arguments[0], kind, name)})`"
            if isinstance(kind, OptionalType):
                hint = elaborator.guard_hint(arguments[0]) or hint
            if name == "count" and kind.is_boolean:
                truth = elaborator.text(written.arguments[0])
                hint = f"`count([{truth}, ...])` counts several, `1 if {truth} else 0` this one"
            message = f"`{name}` needs a set, or a `for`; this is {describe(kind)}"
            return elaborator.wrong("E1105", span, message, hint=hint)
        element, rounds, items = kind.element, kind.size, arguments[0]
    elif arguments and name in {"min", "max"}:
        kinds = tuple(argument.type for argument in arguments)
        items = nodes.Collection(span, ListType(join_all(kinds), len(kinds)), arguments)
        return _extreme(elaborator, span, name, kinds, items)
    else:
        return elaborator.wrong(
            "E1003", span, f"`{name}` needs one set, as in `{name}(... for s in square)`"
        )
    if name in {"any", "all"} and not element.is_boolean:
        return elaborator.wrong(
            "E1103", span, f"`{name}` needs truth values; these are {describe(element)}"
        )
    order = quantifiers.order_among(elaborator, name, element)
    if order:
        return order.extreme(elaborator, name, items)
    result = quantifiers.reduced_type(elaborator, span, name, element, rounds)
    if name == "count" and isinstance(element, Scalar) and quantifiers.may_be_missing(element):
        item = nodes.Local(span, element, "item", elaborator.new_slot("item"))
        each = nodes.Clause(item.slot, item.name, items, None)
        return nodes.Comprehension(span, result, name, (each,), quantifiers.if_true(item))
    return elaborator.folded(nodes.Builtin(span, result, name, (items,)))


def _extreme(
    elaborator: Elaborator, span: Span, name: str, kinds: tuple[Type, ...], items: nodes.Expr
) -> nodes.Expr:
    scalars = [kind for kind in kinds if isinstance(kind, Scalar)]
    joined = join_all(kinds)
    order = quantifiers.order_among(elaborator, name, joined)
    if order:
        return order.extreme(elaborator, name, elaborator.folded(items))
    result = quantifiers.reduced_type(elaborator, span, name, joined, len(kinds))
    if len(scalars) == len(kinds) and all(s.has_numbers for s in scalars):
        pick = min if name == "min" else max
        lows, highs = zip(*(s.interval for s in scalars), strict=True)
        result = number(pick(lows), pick(highs), any(s.rational for s in scalars))
    return elaborator.folded(nodes.Builtin(span, result, name, (elaborator.folded(items),)))


def _builtin(
    elaborator: Elaborator, written: ast.Call, name: str, arguments: tuple[nodes.Expr, ...]
) -> nodes.Expr:
    signature = BUILTINS[name]
    if signature.usage_with_directions and len(arguments) == len(signature.parameters) + 1:
        directions = elaborator.worked_out(written.arguments[-1], arguments[-1])
        arguments = (*arguments[:-1], directions)
    elif len(arguments) != len(signature.parameters):
        return elaborator.wrong(
            "E1003",
            written.span,
            f"`{signature.usage}` takes {arguments_in_words(len(signature.parameters))}"
            f"{', or a set of directions besides' if signature.usage_with_directions else ''},"
            f" found {len(arguments)}",
            hint=signature.explained,
        )
    if signature.needs and elaborator.symbols.has_failed_board():
        return in_error(written.span)
    problem = signature.problem(elaborator.symbols, arguments)
    if problem is not None:
        optional = [argument for argument in arguments if isinstance(argument.type, OptionalType)]
        hint = problem.hint or elaborator.guard_hint(*optional)
        return elaborator.wrong(problem.code, written.span, problem.message, hint)
    note_directions(elaborator, written, arguments)
    kind = signature.result(elaborator.symbols, arguments)
    return elaborator.folded(nodes.Builtin(written.span, kind, name, arguments))

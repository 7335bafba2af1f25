"""Elaborate calls of a file's own `def`s, and bind the parameters of `def`s and `effect`s.

A `def` is elaborated once for each combination of argument types. In a constant context calls are
evaluated at once.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.builtins import arguments_in_words
from gamedsl.model.elaborate.certainty import truth_of
from gamedsl.model.elaborate.elaborator import DefinitionInstance, Elaborator, in_error
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import UNKNOWN
from gamedsl.source import Label, Span
from gamedsl.syntax import ast

MOST_INSTANCES = 5_000


def apply(
    elaborator: Elaborator,
    span: Span,
    declared: ast.DefDecl,
    arguments: tuple[nodes.Expr, ...],
    scope: Scope,
) -> nodes.Expr:
    """A call of a `def` of the file."""
    is_bounded = any(bound is not None for bound in declared.bounds)
    if not may_call(elaborator, span, declared, len(arguments), is_bounded):
        return in_error(span)
    if any(argument.type == UNKNOWN for argument in arguments):
        return in_error(span)
    if is_bounded:
        from gamedsl.model.elaborate.expressions import recursive

        return recursive.apply(elaborator, span, declared, arguments, scope)
    elaborator.calls.under_way.append(declared.name.text)
    node = _instance(elaborator, span, declared, arguments, scope)
    elaborator.calls.under_way.pop()
    return node


def may_call(
    elaborator: Elaborator,
    span: Span,
    declared: ast.DefDecl | ast.EffectDecl,
    n_arguments: int,
    may_be_under_way: bool = False,
) -> bool:
    """Whether the number of arguments is right and the call is not recursive; if not, an error is
    reported."""
    name, calls = declared.name.text, elaborator.calls
    calls.called.add(name)
    if n_arguments != len(declared.parameters):
        usage = f"{name}({', '.join(p.text for p in declared.parameters)})"
        elaborator.reporter.report(
            "E1003",
            span,
            f"`{usage}` takes {arguments_in_words(len(declared.parameters))}, found {n_arguments}",
            secondary=(Label(declared.name.span, "defined here"),),
        )
        return False
    if name in calls.under_way and not may_be_under_way:
        circle = " -> ".join([*calls.under_way[calls.under_way.index(name) :], name])
        elaborator.reporter.report(
            "E1304",
            span,
            f"`{name}` calls itself: {circle}",
            hint=_recursion_hint(declared),
        )
        return False
    return True


def _recursion_hint(declared: ast.DefDecl | ast.EffectDecl) -> str:
    """A hint for a recursive call that is not allowed."""
    if isinstance(declared, ast.EffectDecl) or not declared.parameters:
        return "use a quantifier or `for` over a set instead"
    parameters = ", ".join(f"{p.text} in ..." for p in declared.parameters)
    return f"say what its parameters can be: `def {declared.name.text}({parameters})`"


def _instance(
    elaborator: Elaborator,
    span: Span,
    declared: ast.DefDecl,
    arguments: tuple[nodes.Expr, ...],
    scope: Scope,
) -> nodes.Expr:
    if scope.is_constant:
        return elaborator.expression(declared.value, _constant_scope(declared, arguments))
    instances, effort = elaborator.calls.instances, elaborator.effort
    key = (declared.name.text, scope.context, *(argument.type for argument in arguments))
    instance = instances.get(key)
    if instance is None:
        if len(instances) > MOST_INSTANCES:
            return elaborator.wrong("E1203", span, "too many different calls of `def`s")
        before = elaborator.reporter.passed_over
        instance = _elaborated(elaborator, declared, arguments, scope.context)
        if elaborator.reporter.passed_over == before:  # else checked again elsewhere
            instances[key] = instance
    effort.deepest = max(effort.deepest, effort.depth + instance.height)
    body = instance.definition.body
    if body.known is not None:
        return nodes.Const(span, body.type, body.known)
    return nodes.Apply(span, body.type, instance.definition, passed_by_value(arguments))


def _constant_scope(declared: ast.DefDecl, arguments: tuple[nodes.Expr, ...]) -> Scope:
    scope = Scope(RuleContext.CONSTANT, in_definition=declared.name.text)
    for parameter, argument in zip(declared.parameters, arguments, strict=True):
        if isinstance(argument, nodes.Const):
            scope = scope.having(parameter.text, argument)
    return scope


def _elaborated(
    elaborator: Elaborator,
    declared: ast.DefDecl,
    arguments: tuple[nodes.Expr, ...],
    context: RuleContext,
) -> DefinitionInstance:
    """A `def` for a combination of argument types, and the depth of its body."""
    effort = elaborator.effort
    inner, slots = bind(elaborator, declared, arguments, context)
    outer, effort.deepest = effort.deepest, effort.depth
    body = elaborator.expression(declared.value, inner)
    height = effort.deepest - effort.depth + 1
    effort.deepest = max(outer, effort.deepest)
    definition = nodes.Definition(declared.name.text, slots, body, truth_of(body))
    return DefinitionInstance(definition, height)


def bind(
    elaborator: Elaborator,
    declared: ast.DefDecl | ast.EffectDecl,
    arguments: tuple[nodes.Expr, ...],
    context: RuleContext,
) -> tuple[Scope, tuple[int, ...]]:
    """The scope of a body, with its parameters as locals; a whole variable is passed by name, and a
    part of a variable by its fixed indices."""
    scope = Scope(context, in_definition=declared.name.text if arguments else None)
    slots: list[int] = []
    for parameter, argument in zip(declared.parameters, arguments, strict=True):
        whole = argument.whole
        if whole is not None:
            fixed: list[nodes.Expr] = []
            for index in whole.fixed:
                slot = elaborator.new_slot(parameter.text)
                slots.append(slot)
                fixed.append(nodes.Local(index.span, index.type, parameter.text, slot))
            scope = scope.having(parameter.text, replace(whole, fixed=tuple(fixed)))
        else:
            scope, slot = elaborator.new_local(parameter, argument.type, scope)
            slots.append(slot)
    return scope, tuple(slots)


def passed_by_value(arguments: tuple[nodes.Expr, ...]) -> tuple[nodes.Expr, ...]:
    """The expressions that get a slot: the arguments, and the fixed indices of variables."""
    return tuple(
        value
        for argument in arguments
        for value in ((argument,) if argument.whole is None else argument.whole.fixed)
    )

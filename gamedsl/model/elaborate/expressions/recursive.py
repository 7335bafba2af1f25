"""Elaborate recursive `def`s (`def`s whose parameters have domains) and calls of them.

A `RecursiveDefinition` is elaborated once a game. Iteration gives the result type: the body
is typed on the assumption that recursive calls give no value, then that they give the type just
found, and so on, until the type is stable or the number of levels is reached.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.checks.termination import Unproven, levels_of, lies_within, with_proofs
from gamedsl.model.elaborate.domains import domain_of
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.expressions.growth import Growth, growth_of
from gamedsl.model.intervals import lies_in
from gamedsl.model.limits import MOST_LEVELS, make_room
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.evaluate import NO_NAMES, NotKnownError, evaluate
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import (
    NOTHING,
    UNKNOWN,
    ListType,
    Scalar,
    SetType,
    Type,
    can_be_equal,
    describe,
    join,
    scalar_of,
    type_of,
)
from gamedsl.source import Label, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

ROUNDS = 4
"""Number of iterations before the type is guessed."""
FAR = 10**12
"""A number beyond all results of a body that limits its growth (a guess)."""
OWN_CONTEXTS = frozenset({RuleContext.END, RuleContext.SIMULTANEOUS})
"""Contexts in which a body may use words that are not allowed elsewhere."""


def apply(
    elaborator: Elaborator,
    span: Span,
    declared: ast.DefDecl,
    arguments: tuple[nodes.Expr, ...],
    scope: Scope,
) -> nodes.Expr:
    """A call of a `def` whose parameters have domains; the number of arguments has been checked."""
    calls, name = elaborator.calls, declared.name.text
    context = scope.context if scope.context in OWN_CONTEXTS else RuleContext.MOVE
    definition = calls.recursive.get((name, context))
    if definition is None:
        with elaborator.reporter.unreachable(False):  # elaborated once, for all calls
            definition = calls.recursive[name, context] = _elaborated(elaborator, declared, context)
    elif name in calls.under_way and calls.under_way[-1] != name:
        circle = " -> ".join([*calls.under_way[calls.under_way.index(name) :], name])
        return elaborator.wrong(
            "E1304",
            span,
            f"`{name}` calls itself by way of another `def`: {circle}",
            hint="write what stands between into the `def` itself",
        )
    if definition.type == UNKNOWN:
        return in_error(span)
    for argument, parameter in zip(arguments, definition.parameters, strict=True):
        if not _may_be_given(elaborator, argument, parameter):
            return in_error(span)
    proved = tuple(
        lies_within(argument, parameter)
        for argument, parameter in zip(arguments, definition.parameters, strict=True)
    )
    is_within = calls.under_way[-1:] == [name]
    made = nodes.ApplyRecursive(span, definition.type, definition, arguments, proved, is_within)
    return _worked_out(elaborator, made) if scope.is_constant else made


def _worked_out(elaborator: Elaborator, made: nodes.ApplyRecursive) -> nodes.Expr:
    """The value of a call in a constant expression."""
    try:
        value = evaluate(made, elaborator.symbols, NO_NAMES)
    except NotKnownError:
        return made
    except OperationError as error:
        return elaborator.wrong("E1204", made.span, str(error), error.hint)
    return nodes.Const(made.span, type_of(value), value)


def _may_be_given(elaborator: Elaborator, argument: nodes.Expr, parameter: nodes.Bounded) -> bool:
    """Whether some values of an argument can lie in the parameter's domain; if not, an error is
    reported."""
    values = scalar_of(parameter.domain.values)
    if parameter.is_subset:
        if isinstance(argument.type, SetType | ListType) and (
            argument.type.size == 0 or can_be_equal(argument.type.element, values)
        ):
            return True
        expected = f"a subset of `{parameter.domain}`"
    else:
        kind = argument.type if isinstance(argument.type, Scalar) else UNKNOWN
        is_alike = can_be_equal(argument.type, values)
        if is_alike and lies_in(kind, parameter.domain) is not False:
            return True
        expected = f"one of `{parameter.domain}`"
    elaborator.reporter.report(
        "E1101",
        argument.span,
        f"`{parameter.name}` is {expected}; this is {describe(argument.type)}",
    )
    return False


def check_unused(elaborator: Elaborator, declared: ast.DefDecl) -> None:
    """Check a `def` that is never called."""
    _elaborated(elaborator, declared, RuleContext.MOVE)


# --- definitions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Body:
    """A recursive `def` under elaboration."""

    elaborator: Elaborator
    declared: ast.DefDecl
    scope: Scope
    definition: nodes.RecursiveDefinition

    def assuming(self, kind: Type) -> nodes.Expr:
        """The body, on the assumption that every recursive call has type `kind`."""
        self.definition.type = kind
        return self.elaborator.expression(self.declared.value, self.scope)

    def tried(self, kind: Type) -> nodes.Expr:
        """The body as by `assuming`, without lasting effects on the elaborator."""
        elaborator = self.elaborator
        steps, instances = elaborator.effort.steps, dict(elaborator.calls.instances)
        slots, recursive_definitions = len(elaborator.slot_names), elaborator.calls.recursive
        known = set(recursive_definitions)
        with elaborator.reporter.apart() as heard, _unnoted(elaborator):
            node = self.assuming(kind)
        elaborator.effort.steps, elaborator.calls.instances = steps, instances
        if heard.findings:  # errors in other `def`s are found again
            for key in recursive_definitions.keys() - known:
                del recursive_definitions[key]
        del elaborator.slot_names[slots:]
        return node


def _unnoted(elaborator: Elaborator) -> AbstractContextManager[None]:
    return nullcontext() if elaborator.notes is None else elaborator.notes.paused()


def _elaborated(
    elaborator: Elaborator, declared: ast.DefDecl, context: RuleContext
) -> nodes.RecursiveDefinition:
    """A `def` with its body; of unknown type if the `def` is in error."""
    name = declared.name.text
    scope = Scope(context, in_definition=name)
    parameters: list[nodes.Bounded] = []
    for written, bound in zip(declared.parameters, declared.bounds, strict=True):
        if bound is None:
            elaborator.reporter.report(
                "E1309",
                written.span,
                f"`{written.text}` needs a domain, as the other parameters of `{name}` have one",
                hint=f"as in `{written.text} in 0..9`",
            )
            return nodes.RecursiveDefinition(name, (), UNKNOWN)
        subject = f"`{written.text}`"
        domain = domain_of(elaborator, bound.domain, Scope(RuleContext.CONSTANT), subject)
        if domain is None:
            return nodes.RecursiveDefinition(name, (), UNKNOWN)
        element = scalar_of(domain.values)
        kind = SetType(element, len(domain)) if bound.is_subset else element
        scope, slot = elaborator.new_local(written, kind, scope)
        parameters.append(nodes.Bounded(written.text, slot, domain, bound.is_subset))
    definition = nodes.RecursiveDefinition(name, tuple(parameters), UNKNOWN)
    elaborator.calls.recursive[name, context] = definition
    elaborator.calls.under_way.append(name)
    _complete(_Body(elaborator, declared, scope, definition))
    elaborator.calls.under_way.pop()
    return definition


def _complete(body: _Body) -> None:
    """Find type and levels, and fill in the body."""
    definition, reporter = body.definition, body.elaborator.reporter
    kind = _type_of(body)
    errors = len(reporter.findings)
    value = body.assuming(kind)
    if not isinstance(kind, Scalar) or UNKNOWN in (kind, value.type):
        if len(reporter.findings) == errors:
            _refuse_type(body, value.span, kind)
        definition.type = UNKNOWN
        return
    levels = levels_of(definition, value)
    if isinstance(levels, Unproven):
        _refuse_call(body, levels)
        definition.type = UNKNOWN
        return
    if levels > MOST_LEVELS:
        reporter.report(
            "E1203",
            body.declared.name.span,
            f"`{definition.name}` can call itself {levels:,} levels deep; at most {MOST_LEVELS}"
            " are possible",
            hint="count down from a smaller number",
        )
        definition.type = UNKNOWN
        return
    make_room(levels)
    definition.levels = levels
    definition.body = with_proofs(definition, value)


def _type_of(body: _Body) -> Type:
    """The result type; unknown if the iteration finds no type."""
    kind: Type = NOTHING
    for _ in range(ROUNDS):
        joined = join(kind, body.tried(kind).type)
        if joined == kind:
            return kind
        kind = joined
    if not isinstance(kind, Scalar) or kind.unknown:
        return kind
    typed = body.tried(kind)
    levels = levels_of(body.definition, typed)
    if isinstance(levels, Unproven):
        return kind
    growth, levels = growth_of(typed, body.definition), min(levels, MOST_LEVELS)
    return (
        _guessed(body, kind)
        or (_added_up(body, kind, growth, levels) if growth else None)
        or _climbed(body, kind, levels)
    )


def _guessed(body: _Body, kind: Scalar) -> Scalar | None:
    """The result type for calls of unbounded value, if the type is stable under iteration."""
    low, high = kind.interval
    further = body.tried(kind).type
    if not kind.has_numbers or not isinstance(further, Scalar):
        return None
    least, most = further.interval
    wide = replace(kind, low=-FAR if least < low else low, high=FAR if most > high else high)
    guess = body.tried(wide).type
    for _ in range(ROUNDS):
        next_guess = body.tried(guess).type
        if not isinstance(guess, Scalar) or join(guess, next_guess) != guess:
            return None
        guess = next_guess
    return guess if isinstance(guess, Scalar) else None


def _added_up(body: _Body, kind: Scalar, growth: Growth, levels: int) -> Scalar | None:
    """The result type if every level adds the same growth; None if the last level adds less."""

    def after(count: int) -> Scalar:
        low, high = kind.interval
        least, most = min(0, growth.least), max(0, growth.most)
        return replace(kind, low=low + count * least, high=high + count * most)

    joined = join(kind, body.tried(after(levels - 1)).type)
    return after(levels) if joined == after(levels) else None


def _climbed(body: _Body, kind: Type, levels: int) -> Type:
    """The result type after `levels` iterations; no call is deeper."""
    for _ in range(levels):
        joined = join(kind, body.tried(kind).type)
        if joined == kind:
            break
        kind = joined
    return kind


def _refuse_type(body: _Body, span: Span, kind: Type) -> None:
    body.elaborator.reporter.report(
        "E1309",
        span,
        f"`{body.definition.name}` gives {describe(kind)}; a `def` that calls itself gives"
        " a number, true or false, or another single value",
    )


def _refuse_call(body: _Body, unproven: Unproven) -> None:
    """Report a recursive call without a proof of termination, with a hint how to write the call."""
    nearest, name = unproven.nearest, body.definition.name
    if nearest is None:
        hint = "count down, `left - 1` where `left > 0`, or add what is not in a set, `seen | {s}`"
    elif nearest.is_subset:
        hint = f"ask before the call that what is added is `not in {nearest.name}`"
    else:
        hint = f"ask before the call that `{nearest.name} > {unproven.above}`"
    body.elaborator.reporter.report(
        "E1309",
        unproven.span,
        f"`{name}` is not seen to end: at every call of itself the same number must go down within"
        " its domain, or the same set grow",
        secondary=(Label(body.declared.name.span, "defined here"),),
        hint=hint,
    )

"""Calls of recursive `def`s: real functions, one for each player to move.

The function of a `def` is written once. Its parameters are the parameters of the `def` (a set of
squares is one value), followed by the state fields that its body reads. The fields are known only
after the body has been written, so the body is written twice; the first copy serves only to collect
the fields. A recursive call always counts as able to fail, so that calls with unused values are not
evaluated. The calls below a single call from outside are counted in a row passed along.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.codes import domain_type
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import (
    BOOL,
    INT,
    ROW,
    Op,
    Type,
    call,
    guard,
    integer,
    load,
    name,
    select,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.sets import preimages, quantified
from gamedsl.compiler.lowering.values import expressions, numbers
from gamedsl.compiler.lowering.values.conditions import ELEMENT
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.memo import Recursive
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope, SquareSet
from gamedsl.model import nodes
from gamedsl.model.messages import Said, outside_its_domain, too_many_calls
from gamedsl.model.semantics.safety import fits
from gamedsl.model.types import Scalar
from gamedsl.model.values import NONE, Square
from gamedsl.source import Span
from gamedsl.source.records import dataclass

CALLS = name("calls__", ROW)
"""A row of one number: the calls so far."""


def apply_recursive(lowering: Lowering, node: nodes.ApplyRecursive, scope: Scope) -> Low:
    """A call of a recursive `def`."""
    definition, kind = node.definition, node.definition.type
    if not isinstance(kind, Scalar) or kind.rational:
        raise CannotCompileError("a `def` that calls itself and gives fractions", node.span)
    arguments = [
        _argument(lowering, node, place, scope) for place in range(len(definition.parameters))
    ]
    key = (id(definition), scope.turn, scope.me, scope.stuck)
    written = lowering.memo.recursive.get(key)
    if written is None:
        written = _written(lowering, key, definition, scope)
    passed = (*_states(written), *arguments, *_fields(written))
    may_fail = lowering.can_fail(node)
    if scope.calls is not None:
        return Code(
            call(written.title, (*passed, scope.calls), _type(kind), can_fail=may_fail), kind
        )
    return Code(call(written.first, passed, _type(kind), can_fail=may_fail), kind)


def _states(written: Recursive) -> tuple[Expr, ...]:
    return tuple(value for value in written.read if value.op is Op.STATE)


def _fields(written: Recursive) -> tuple[Expr, ...]:
    return tuple(value for value in written.read if value.op is not Op.STATE)


def _type(kind: Scalar) -> Type:
    return BOOL if kind.is_boolean else INT


def _written(
    lowering: Lowering, key: object, definition: nodes.RecursiveDefinition, scope: Scope
) -> Recursive:
    """The function of a `def`, registered under its title before its body is written."""
    memo, program = lowering.memo, lowering.program
    inner = replace(scope.inside_definition(), calls=CALLS)
    parameters: list[Expr] = []
    for parameter in definition.parameters:
        local = name(
            f"{parameter.name}_{parameter.slot}", lowering.sets.type if parameter.is_subset else INT
        )
        kind = domain_type(parameter.domain)
        if parameter.is_subset:
            _demand_squares(parameter, definition.value.span)
            inner = inner.having(parameter.slot, SquareSet(local))
        elif kind.is_boolean:
            inner = inner.having(parameter.slot, Code(local.ne(0), kind))
        else:
            inner = inner.having(parameter.slot, Code(local, kind))
        parameters.append(local)
    stem = f"{definition.name}__r{len(memo.recursive)}"
    written = memo.recursive[key] = Recursive(stem, f"{stem}_first", definition.levels)
    with memo.trial(), program.trial():
        body = _body(lowering, definition, inner)
    bound = {CALLS.name, *(parameter.name for parameter in parameters)}
    read = tuple(
        value for value in program.needed(body, ir.names_in(body)) if value.name not in bound
    )
    written = memo.recursive[key] = replace(written, read=read)
    body = (*_counted(lowering, definition), *_body(lowering, definition, inner))
    passed = (*_states(written), *parameters, *_fields(written))
    program.function(written.title, (*passed, CALLS), body)
    gives = definition.type
    assert isinstance(gives, Scalar)
    begin = ir.Assign(CALLS, call("numbers", [integer(1)], ROW, can_fail=False))
    outcome = call(written.title, (*passed, CALLS), _type(gives))
    program.function(written.first, passed, (begin, ir.Return((outcome,))))
    return written


def _counted(lowering: Lowering, definition: nodes.RecursiveDefinition) -> ir.Body:
    """Statements that count a call and fail beyond the limit."""
    most = lowering.model.most_calls

    def message(_: int, __: int) -> Said:
        return too_many_calls(definition.name, most)

    site = lowering.origin.site("E3013", definition.value.span, message, (definition.name,))
    count = name("count__", INT)
    return (
        ir.Assign(count, load(CALLS, 0) + 1),
        ir.Store(CALLS, count, integer(0)),
        ir.If(integer(most).lt(count), (ir.Fault(site, integer(0), integer(0)),)),
    )


def _body(lowering: Lowering, definition: nodes.RecursiveDefinition, scope: Scope) -> ir.Body:
    def write() -> None:
        low = lowering.lower(definition.value, scope)
        kind = definition.type
        assert isinstance(kind, Scalar)
        value = lowering.value(low) if kind.is_boolean else numbers.as_number(lowering, low)
        lowering.builder.give(value)

    return lowering.program.body(write, copies=1).body


def _demand_squares(parameter: nodes.Bounded, span: Span) -> None:
    if not all(isinstance(value, Square) for value in parameter.domain.values):
        raise CannotCompileError("a subset of what are no squares", span)


# --- arguments ---------------------------------------------------------------------------------


def _argument(lowering: Lowering, node: nodes.ApplyRecursive, place: int, scope: Scope) -> Expr:
    """An argument as passed, guarded where the value may lie outside the parameter's domain."""
    parameter, argument = node.definition.parameters[place], node.arguments[place]
    if parameter.is_subset:
        return _squares(lowering, _Passed(node, place), argument, scope)
    low = lowering.lower(argument, scope)
    if isinstance(low, Code) and low.per != 1:
        raise CannotCompileError("a fraction handed to a `def` that calls itself", argument.span)
    code = numbers.as_number(lowering, low)
    kind = low.type if isinstance(low, Code) else argument.type
    is_sure = isinstance(low, Known) and parameter.domain.position(low.value) is not None
    if node.proved[place] or is_sure or _fits(kind, parameter):
        return code
    return _guarded(lowering, node.definition, parameter, low, code, argument.span)


def _fits(kind: object, parameter: nodes.Bounded) -> bool:
    if not isinstance(kind, Scalar) or not fits(kind, parameter.domain):
        return False
    return not kind.can_be_none or parameter.domain.position(NONE) is not None


def _guarded(
    lowering: Lowering,
    definition: nodes.RecursiveDefinition,
    parameter: nodes.Bounded,
    low: Low,
    value: Expr,
    span: Span,
) -> Expr:
    """A value with a guard that fails if the value is not in the parameter's domain."""
    kind = low.type if isinstance(low, Code) else None

    def message(code: int, _: int) -> tuple[str, str | None]:
        if isinstance(low, Known) or kind is None:
            return outside_its_domain(definition.name, parameter, low.value)  # type: ignore[union-attr]
        return outside_its_domain(definition.name, parameter, lowering.codes.value(code, kind))

    known = low.value if isinstance(low, Known) else None
    key = (definition.name, parameter.name, kind, known)
    site = lowering.origin.site("E3012", span, message, key)
    inside = lowering.among(value, lowering.codes.of_domain(parameter.domain))
    return guard(inside, value, site, value)


@dataclass(frozen=True, slots=True)
class _Passed:
    """An argument of a call, by its position."""

    call: nodes.ApplyRecursive
    place: int


def _squares(
    lowering: Lowering,
    passed: _Passed,
    node: nodes.Expr,
    scope: Scope,
) -> Expr:
    """An argument that is a set of squares."""
    node, scope = expressions.opened(lowering, node, scope)

    def side(part: nodes.Expr) -> Expr:
        if isinstance(part.type, Scalar):
            return _bit(lowering, passed, part, scope)
        return _squares(lowering, passed, part, scope)

    match node:
        case nodes.Builtin(name="|", arguments=(left, right)):
            return side(left) | side(right)
        case nodes.Collection() if node.items:
            total = lowering.sets.nothing
            for item in node.items:
                total = total | side(item)
            return total
        case nodes.Conditional():
            condition = lowering.condition(node.condition, scope)
            return select(condition, side(node.then), side(node.otherwise))
    squares = preimages.set_of(lowering, node, scope)
    if squares is None or not _holds_no_other(lowering, passed, squares):
        return _gathered(lowering, passed, node, scope)
    return squares


def _holds_no_other(lowering: Lowering, passed: _Passed, squares: Expr) -> bool:
    """Whether a set provably has no squares outside the domain."""
    parameter = passed.call.definition.parameters[passed.place]
    outside = lowering.sets.everything & ~lowering.sets.of(parameter.domain.values)
    if passed.call.proved[passed.place] or (outside.is_const and outside.const == 0):
        return True
    return squares.is_const and squares.const & outside.const == 0


def _gathered(lowering: Lowering, passed: _Passed, node: nodes.Expr, scope: Scope) -> Expr:
    """A set of squares, collected element by element."""

    def write() -> None:
        total = lowering.program.hold(lowering.sets.nothing, "total")

        def add(inner: Scope) -> None:
            element = inner.of(ELEMENT)
            assert isinstance(element, Known | Code)
            lowering.builder.assign(total, total | _bit_of(lowering, passed, element))

        clause = nodes.Clause(ELEMENT, "one", node, None)
        quantified.rounds(lowering, (clause,), scope, add)
        lowering.builder.give(total)

    return lowering.program.call("set", write, copies=1)


def _bit(lowering: Lowering, passed: _Passed, node: nodes.Expr, scope: Scope) -> Expr:
    """The one-element set of the square given by an expression."""
    return _bit_of(lowering, passed, lowering.lower(node, scope))


def _bit_of(lowering: Lowering, passed: _Passed, low: Low) -> Expr:
    """The set of one square, guarded where the square may lie outside the domain."""
    definition, span = passed.call.definition, passed.call.arguments[passed.place].span
    parameter = definition.parameters[passed.place]
    if isinstance(low, Known) and parameter.domain.position(low.value) is not None:
        return lowering.sets.of((low.value,))
    code = numbers.as_number(lowering, low)
    is_sure = isinstance(low, Code) and _fits(low.type, parameter)
    if not passed.call.proved[passed.place] and not is_sure:
        code = _guarded(lowering, definition, parameter, low, code, span)
    return lowering.sets.constant(1) << lowering.offset(
        code, lowering.codes.code(lowering.codes.squares[0])
    )

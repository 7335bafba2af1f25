"""Outcomes of a chance event and their weights.

The statements written for a `chance` statement fill the row of weights, indexed by the digits of
the support, and return the sum; or assign a drawn value to its target.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, lcm

from gamedsl.compiler.faults import WEIGHTS as WHOLE
from gamedsl.compiler.ir.values import ROW, Operand, integer, load, lookup, name, to_int
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.bodies import blocks
from gamedsl.compiler.lowering.sets import quantified
from gamedsl.compiler.lowering.values import cells, collections, conditions, numbers, order
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.model import nodes
from gamedsl.model.messages import Said, nothing_to_draw, too_few_to_draw, wrong_weight
from gamedsl.model.values import NONE, Value

WEIGHTS = name("weights", ROW)
"""The parameter, besides the state, of the function that fills the weights."""


def assign(lowering: Lowering, statement: nodes.Chance, scope: Scope, drawn: Low) -> Scope:
    """Assign a drawn value to the target of the statement; return the scope of the code behind."""
    place = statement.place
    if isinstance(place, int):
        return scope.having(place, drawn)
    if place.cell_variable is None:
        blocks.give_turn(lowering, drawn, statement.span)
        return scope
    lows = cells.written_cell(lowering, place, scope)
    cells.store(lowering, place.variable, lows, drawn, statement.span)
    return scope


def fill_weights(lowering: Lowering, statement: nodes.Chance, scope: Scope) -> None:
    """Fill `weights` for every outcome; return their sum."""
    place = lowering.program.fresh("n")
    with lowering.builder.loop_range(place, 0, len(statement.support)):
        lowering.builder.store(WEIGHTS, place, 0)
    if isinstance(statement.domain, nodes.Weighted):
        _write_weighted(lowering, statement, statement.domain, scope)
    else:
        _write_uniform(lowering, statement, statement.domain, scope)


def _write_uniform(
    lowering: Lowering, statement: nodes.Chance, domain: nodes.Expr, scope: Scope
) -> None:
    total = lowering.program.hold(integer(0), "total")

    def candidate(low: Low) -> None:
        held = order.hold(lowering, low, "value")
        digit = cells.digit_of(lowering, held, statement.support)

        def count() -> None:
            with lowering.builder.when(load(WEIGHTS, digit).eq(0)):
                lowering.builder.store(WEIGHTS, digit, 1)
                lowering.builder.assign(total, total + 1)

        if statement.condition is None:
            count()
            return
        test = _as_if_drawn(lowering, statement, statement.condition, scope, held)
        with lowering.builder.when(test):
            count()

    collections.go_through(lowering, domain, scope, candidate, "value")
    if statement.previous is not None or statement.later:
        _weigh_sets(lowering, statement, scope, total)
        said = too_few_to_draw(statement.name, statement.later + 1)
        _give_positive(lowering, statement, total, said)
        return
    _give_positive(lowering, statement, total, nothing_to_draw(statement))


def _weigh_sets(lowering: Lowering, statement: nodes.Chance, scope: Scope, total: Expr) -> None:
    """Replace the weights 1 of the elements that may be drawn by the number of sets with each as
    the next element; `total` becomes the sum."""
    last = integer(-1)
    if statement.previous is not None:
        low = lowering.lower(statement.previous, scope)
        last = cells.digit_of(lowering, low, statement.support)
    size = len(statement.support)
    ways = tuple(comb(behind, statement.later) for behind in range(size))
    behind = lowering.program.hold(integer(0), "behind")
    lowering.builder.assign(total, 0)
    step = lowering.program.fresh("n")
    with lowering.builder.loop_range(step, 0, size):
        place = integer(size - 1) - step
        with lowering.builder.when(load(WEIGHTS, place).ne(0)):
            lowering.builder.store(WEIGHTS, place, 0)
            with lowering.builder.when(place.gt(last)):
                lowering.builder.store(WEIGHTS, place, lookup(ways, behind))
                lowering.builder.assign(total, total + lookup(ways, behind))
                lowering.builder.assign(behind, behind + 1)


def _give_positive(lowering: Lowering, statement: nodes.Chance, total: Expr, said: Said) -> None:
    """Return the sum of the weights; fail if the sum is 0."""
    site = lowering.origin.site("E3004", statement.span, lambda _, __: said, ("nothing",))
    with lowering.builder.when(total.eq(0)):
        lowering.builder.fault(site)
    lowering.builder.give(total)


def _as_if_drawn(
    lowering: Lowering, statement: nodes.Chance, condition: nodes.Expr, scope: Scope, held: Low
) -> Expr:
    """Whether `where` holds after the value has been drawn."""
    if isinstance(statement.place, int):
        return lowering.condition(condition, scope.having(statement.place, held))

    def write() -> None:
        assign(lowering, statement, scope, held)
        lowering.builder.give(lowering.condition(condition, scope))

    return lowering.program.call("passes", write)


def _write_weighted(
    lowering: Lowering, statement: nodes.Chance, domain: nodes.Weighted, scope: Scope
) -> None:
    total = lowering.program.hold(integer(0), "total")
    per = lcm(*(_denominator(lowering, weight, scope, domain) for _, weight in domain.pairs))

    def pairs(inner: Scope) -> None:
        for key, weight in domain.pairs:
            held = order.hold(lowering, lowering.lower(key, inner), "value")
            is_none = lowering.value(numbers.is_none(lowering, lowering.lower(weight, inner)))
            _check_weight(lowering, statement, held, is_none, 0, lambda _: NONE)
            share = numbers.numeric(lowering, weight, inner)
            held_share = lowering.program.hold(share.expr * (per // share.per), "share")
            _check_weight(
                lowering, statement, held, held_share.lt(0), held_share, lambda n: Fraction(n, per)
            )
            digit = cells.digit_of(lowering, held, statement.support)
            lowering.builder.store(WEIGHTS, digit, load(WEIGHTS, digit) + held_share)
            lowering.builder.assign(total, total + held_share)

    if domain.clauses:
        quantified.rounds(lowering, domain.clauses, scope, pairs)
    else:
        pairs(scope)

    if domain.are_relative:
        _give_positive(lowering, statement, total, nothing_to_draw(statement))
        return

    def message(sum_: int, _: int) -> tuple[str, str | None]:
        whole = Fraction(sum_, per)
        text = f"the weights of `chance {statement.name}` add up to {whole}, not 1"
        return text, WHOLE

    site = lowering.origin.site("E3004", statement.span, message, ("sum", per))
    with lowering.builder.when(total.ne(per)):
        lowering.builder.fault(site, total)
    lowering.builder.give(total)


def _denominator(lowering: Lowering, node: nodes.Expr, scope: Scope, domain: nodes.Weighted) -> int:
    """The common denominator of a weight."""
    denominators: list[int] = []

    def write() -> None:
        if domain.clauses:
            quantified.rounds(
                lowering,
                domain.clauses,
                scope,
                lambda inner: denominators.append(numbers.numeric(lowering, node, inner).per),
            )
        else:
            denominators.append(numbers.numeric(lowering, node, scope).per)

    lowering.program.body(write)
    return lcm(1, *denominators)


def _check_weight(
    lowering: Lowering,
    statement: nodes.Chance,
    held: Low,
    is_wrong: Expr,
    share: Operand,
    weight: Callable[[int], Value],
) -> None:
    """Fail where the share of a value is wrong; `weight`: the share as a value for the message."""
    kind = held.type if isinstance(held, Code) else None

    def message(numerator: int, code: int) -> Said:
        value = held.value if isinstance(held, Known) else lowering.codes.value(code, held.type)
        return wrong_weight(statement.name, value, weight(numerator))

    known = held.value if isinstance(held, Known) else None
    site = lowering.origin.site("E3004", statement.span, message, ("share", kind, known, weight(1)))
    code = to_int(held.expr) if isinstance(held, Code) else 0
    conditions.branch(lowering, is_wrong, lambda: lowering.builder.fault(site, share, code))

"""Remove repetition rules without effect: the compared part of a state never recurs.

A warning reports every removed rule. Without the rule, the past is no part of a position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.repetition import head_without
from gamedsl.model.rewriting.quantities import Quantity, Trend, only_ways
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.values import text_of
from gamedsl.source import Severity


def repeats_that_apply(
    model: Model, reporter: Reporter, is_own: Callable[[nodes.Repeat], bool]
) -> tuple[nodes.Repeat, ...]:
    """The rules of a model that can apply; the other rules are reported as warnings if `is_own`
    holds."""
    applying = []
    for rule in model.repeats:
        ways = only_ways(model, rule)
        if ways is None:
            applying.append(rule)
        elif is_own(rule):
            reporter.report(
                "W2207",
                rule.span,
                f"this repetition never comes up: {_steps(rule)} "
                + ", or leaves that and ".join(map(_direction, ways)),
                hint=_hint(model, rule, ways[-1].quantity.variable),
                severity=Severity.WARNING,
            )
    return tuple(applying)


def _steps(rule: nodes.Repeat) -> str:
    is_every = rule.with_turn or not rule.exempts_unchanged
    return "every move" if is_every else "every move that changes the compared part"


def _direction(trend: Trend) -> str:
    verb = "raises" if trend.high > 0 else "lowers"
    return f"{verb} {_quantity(trend.quantity)}"


def _quantity(quantity: Quantity) -> str:
    name = quantity.variable.name
    if quantity.is_placed and quantity.value is not None:
        return f"the sum of the places of `{text_of(quantity.value)}` in `{name}`"
    if quantity.value is not None:
        return f"the number of cells of `{name}` that hold `{text_of(quantity.value)}`"
    return f"`{name}`" if quantity.variable.size == 1 else f"the sum of `{name}`"


def _hint(model: Model, rule: nodes.Repeat, variable: nodes.Variable) -> str | None:
    """The rule without the monotone variable; None if the remaining compared part cannot recur."""
    remaining = tuple(compared for compared in rule.variables if compared.offset != variable.offset)
    changed = [compared for compared in remaining if not compared.is_constant]
    if not changed or only_ways(model, replace(rule, variables=remaining)) is not None:
        return None
    head = head_without(rule, model.variables, variable.name)
    return f"`{head}` leaves `{variable.name}` out"

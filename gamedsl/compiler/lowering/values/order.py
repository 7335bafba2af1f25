"""The order of evaluation of values, where evaluation may fail.

All values are evaluated from the left before any value is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low
from gamedsl.model.types import BOOLEAN
from gamedsl.model.values import NONE


def may_fail(lows: Sequence[Low]) -> bool:
    """Whether the evaluation of some value may fail."""
    return any(isinstance(low, Code) and low.expr.can_fail for low in lows)


def may_be_none(low: Low) -> bool:
    """Whether a value may be `none`."""
    return low.value is NONE if isinstance(low, Known) else low.type.can_be_none


def finds_none_too_early(lows: Sequence[Low]) -> bool:
    """Whether a value may fail after an earlier value was found to be `none`."""
    return any(may_be_none(low) and may_fail(lows[place:]) for place, low in enumerate(lows, 1))


def before_none_is_found(
    lowering: Lowering, values: Sequence[Low], result: Callable[[Sequence[Low]], Low]
) -> Low:
    """The result for values that must not be `none`; the test for `none` follows the evaluation of
    all values.
    """
    if finds_none_too_early(values):
        return worked_out(lowering, values, result)
    return result(values)


def worked_out(
    lowering: Lowering, values: Sequence[Low], result: Callable[[Sequence[Low]], Low]
) -> Low:
    """The result for values that are all evaluated first, if evaluation may fail."""
    if not may_fail(values):
        return result(values)
    lowered: list[Low] = []

    def write() -> None:
        low = result([hold(lowering, low, "item") for low in values])
        lowered.append(low)
        lowering.builder.give(low.expr if isinstance(low, Code) else lowering.value(low))

    call = lowering.program.call("tested", write)
    (low,) = lowered
    return replace(low, expr=call) if isinstance(low, Code) else Code(call, BOOLEAN)


def hold(lowering: Lowering, low: Low, stem: str) -> Low:
    """The value evaluated now, under a name; constants stay constants."""
    if isinstance(low, Known):
        return low
    return replace(low, expr=held(lowering, low.expr, stem))


def held(lowering: Lowering, value: Expr, stem: str) -> Expr:
    """The value evaluated now, under a name; constants and unassignable names stay unchanged."""
    is_fixed = value.is_atom and value.names.isdisjoint(lowering.program.fields)
    return value if is_fixed else lowering.program.hold(value, stem)

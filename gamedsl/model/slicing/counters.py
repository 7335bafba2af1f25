"""Bound the moves of a play, and counters of moves, by quantities that only fall or only rise."""

from __future__ import annotations

from collections.abc import Set

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.quantities import Quantity, trends
from gamedsl.model.statement_facts import facts_in, facts_of, written_in
from gamedsl.model.walk import blocks_of, statements


def most_moves(model: Model, kept_offsets: Set[int]) -> int | None:
    """An upper bound on the moves of a play from S0, from a quantity that every move lowers, or
    every move raises; None if no such quantity is proved. A move that fails counts as a move.

    A counter counts as a quantity only if the variable is in `kept_offsets`: a bound that holds
    because the counter would overflow must not prove that the counter does not overflow.
    """
    trends_of_moves = trends(model)
    bounds = []
    for trend in () if isinstance(trends_of_moves, Unknown) else trends_of_moves:
        variable = trend.quantity.variable
        if variable.offset not in kept_offsets and steps_of(model, variable) is not None:
            continue
        low, high = trend.quantity.bounds
        first, failing = _first_value(model, trend.quantity), _may_fail(model, variable)
        if trend.high < 0:
            bounds.append(((high if first is None else first) - low) // -trend.high + failing)
        elif trend.low > 0:
            bounds.append((high - (low if first is None else first)) // trend.low + failing)
    return min(bounds, default=None)


def _first_value(model: Model, quantity: Quantity) -> int | None:
    """The quantity in S0; None if `setup` writes the variable."""
    variable = quantity.variable
    if variable.offset in written_in(model.setup):
        return None
    return quantity.of(tuple(d for other in model.variables for d in other.initial))


def _may_fail(model: Model, variable: nodes.Variable) -> bool:
    """Whether a value written to a variable may not fit."""
    rows = (facts for move in model.moves for facts in facts_in(move.body))
    return any(facts.writes == variable and facts.may_not_fit for facts in rows)


def steps_of(model: Model, variable: nodes.Variable) -> tuple[int, int] | None:
    """The least and the greatest change of a variable by one move, if each move only adds constants
    to the variable, a known number of times; None otherwise."""
    if variable.indices or variable.offset in written_in(model.setup):
        return None
    lows, highs = [0], [0]
    for move in model.moves:
        low = high = 0
        for statement in statements(move.body):
            inner = [s for block in blocks_of(statement) for s in statements(block)]
            writes = [facts_of(s).writes for s in (statement, *inner)]
            if variable not in writes:
                continue
            if facts_of(statement).over is not None:
                return None
            if facts_of(statement).writes == variable:
                change = _added(statement, variable)
                if change is None:
                    return None
                low, high = low + min(0, change), high + max(0, change)
        lows.append(low)
        highs.append(high)
    return min(lows), max(highs)


def _added(statement: nodes.Statement, variable: nodes.Variable) -> int | None:
    """The constant that a statement adds to a variable: `n = n + 1`, `n -= 2`."""
    match facts_of(statement).value:
        case nodes.Arithmetic(
            operator="+" | "-" as operator,
            left=nodes.Cell() as cell,
            right=nodes.Const(value=int() as number),
        ) if cell.variable == variable and not isinstance(number, bool):
            return number if operator == "+" else -number
    return None


def counts_within(model: Model, variable: nodes.Variable, kept_offsets: Set[int]) -> bool:
    """Whether a counter of moves stays within the numbers of its domain in every play from S0;
    `kept_offsets` as in `most_moves`."""
    steps, values = steps_of(model, variable), variable.domain.values
    first = variable.initial[0]
    if steps is None or first is None or any(isinstance(value, bool) for value in values):
        return False
    numbers = [value for value in values if isinstance(value, int)]
    start = values[first]
    is_range = len(numbers) == len(values) == max(numbers, default=0) - min(numbers, default=1) + 1
    if not is_range or not isinstance(start, int):
        return False
    most = most_moves(model, kept_offsets)
    if most is None:
        return False
    return min(numbers) <= start + most * steps[0] and start + most * steps[1] <= max(numbers)

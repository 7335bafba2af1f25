"""Rewards: functions that execute a step as usual, but return the payments instead of a state.

The result is a denominator and one numerator per player. All other functions skip rewards, because
rewards do not affect the state.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import lcm

from gamedsl.compiler.ir.values import INT, Value, integer, name, select
from gamedsl.compiler.lowering.bodies import blocks, state_functions
from gamedsl.compiler.lowering.values import numbers
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Paying, Scope
from gamedsl.model import messages, nodes


def earning_function(
    lowering: Lowering, title: str, more: tuple[Value, ...], write: Callable[[Paying], None]
) -> None:
    """Write a function of a state and `more` that returns the payments of the step written by
    `write`.
    """

    def whole(paying: Paying) -> None:
        for player in range(len(lowering.model.players)):
            lowering.builder.assign(_earned(player), 0)
        write(paying)
        give_earnings(lowering, paying)

    survey = Paying()
    lowering.program.body(partial(whole, survey))
    paying = Paying(lcm(1, *survey.denominators))
    state_functions.state_function(lowering, title, more, partial(whole, paying))


def give_earnings(lowering: Lowering, paying: Paying) -> None:
    """Return the payments so far."""
    players = range(len(lowering.model.players))
    lowering.builder.give(paying.per or 1, *(_earned(player) for player in players))


def write_reward(lowering: Lowering, statement: nodes.Reward, scope: Scope) -> None:
    """Add the shares to the players' payments, in functions that compute payments."""
    paying = scope.purpose
    if not isinstance(paying, Paying):
        return
    for player, amount in statement.shares:
        whose = lowering.lower(player, scope)
        if isinstance(whose, Code):
            whose = Code(lowering.program.hold(whose.expr, "whose"), whose.type, whose.per)
        need = numbers.needed_as("a reward")
        share = numbers.numeric(lowering, amount, scope, need, statement.span)
        paying.denominators.append(share.per)
        if paying.per is None:
            continue
        size = lowering.program.hold(share.expr * (paying.per // share.per), "share")
        _add(lowering, statement, whose, size)


def _earned(player: int) -> Value:
    return name(f"earned_{player}__", INT)


def _add(lowering: Lowering, statement: nodes.Reward, whose: Low, size: Value) -> None:
    players = lowering.model.players
    if isinstance(whose, Known) and whose.value in players:
        earned = _earned(players.index(whose.value))
        lowering.builder.assign(earned, earned + size)
        return
    held = lowering.value(whose) if isinstance(whose, Code) else integer(_code(lowering, whose))
    if not isinstance(whose, Code) or whose.type.kinds != {"player"}:
        blocks.refuse_nobody(lowering, held, whose, statement.span, messages.nobody_gets)
    for number, player in enumerate(players):
        earned = _earned(number)
        is_own = held.eq(lowering.codes.code(player))
        lowering.builder.assign(earned, select(is_own, earned + size, earned))


def _code(lowering: Lowering, whose: Known) -> int:
    return lowering.codes.code(whose.value)

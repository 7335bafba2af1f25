"""Rewards: functions that execute a step as usual, but return the payments instead of a state.

The result is a denominator and one numerator per player. All other functions skip rewards, because
rewards do not affect the state.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lcm

from gamedsl.compiler.faults import NO_PLAYER
from gamedsl.compiler.ir.values import INT, Value, integer, name, not_, select
from gamedsl.compiler.lowering.bodies import state_functions
from gamedsl.compiler.lowering.values import numbers
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Scope
from gamedsl.compiler.lowering.values.tables import Low
from gamedsl.model import nodes
from gamedsl.model.values import text_of


def earning_function(
    lowering: Lowering, title: str, more: tuple[Value, ...], write: Callable[[], None]
) -> None:
    """Write a function of a state and `more` that returns the payments of the step written by
    `write`.
    """

    def whole() -> None:
        for player in range(len(lowering.model.players)):
            lowering.builder.assign(_earned(player), 0)
        write()
        give_earnings(lowering)

    lowering.earning = []
    lowering.program.body(whole)  # to collect the denominators
    lowering.earning = [lcm(1, *lowering.earning)]
    state_functions.state_function(lowering, title, more, whole)
    lowering.earning = None


def give_earnings(lowering: Lowering) -> None:
    """Return the payments so far."""
    players = range(len(lowering.model.players))
    per = lowering.earning[0] if lowering.earning else 1
    lowering.builder.give(per, *(_earned(player) for player in players))


def write_reward(lowering: Lowering, statement: nodes.Reward, scope: Scope) -> None:
    """Add the shares to the players' payments, in functions that compute payments."""
    if lowering.earning is None:
        return
    for player, amount in statement.shares:
        whose = lowering.lower(player, scope)
        if isinstance(whose, Code):
            whose = Code(lowering.program.hold(whose.expr, "whose"), whose.type, whose.per)
        need = numbers.needed_as("a reward")
        share = numbers.numeric(lowering, amount, scope, need, statement.span)
        if len(lowering.earning) != 1 or lowering.earning[0] % share.per:
            lowering.earning.append(share.per)
            continue
        size = lowering.program.hold(share.expr * (lowering.earning[0] // share.per), "share")
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
        _look_for_nobody(lowering, statement, whose, held)
    for number, player in enumerate(players):
        earned = _earned(number)
        is_own = held.eq(lowering.codes.code(player))
        lowering.builder.assign(earned, select(is_own, earned + size, earned))


def _code(lowering: Lowering, whose: Known) -> int:
    return lowering.codes.code(whose.value)


def _look_for_nobody(lowering: Lowering, statement: nodes.Reward, whose: Low, held: Value) -> None:
    """Fail where the reward is for no player."""
    kind = whose.type if isinstance(whose, Code) else None
    known = whose.value if isinstance(whose, Known) else None

    def message(detail: int, _: int) -> tuple[str, str | None]:
        nobody = known if kind is None else lowering.codes.value(detail, kind)
        return f"a reward for `{text_of(nobody)}`, who is no player", NO_PLAYER  # type: ignore[arg-type]

    site = lowering.site("E3005", statement.span, message, ("reward", kind, known))
    codes = [lowering.codes.code(player) for player in lowering.model.players]
    with lowering.builder.when(not_(lowering.among(held, codes))):
        lowering.builder.fault(site, held)

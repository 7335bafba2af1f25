"""Random picks of legal actions.

Where bodies decide whether actions are legal, `candidates` writes down a superset of the legal
actions without running bodies, and `allowed` runs the body of one candidate. A random legal action
can then be found without testing all actions. For other games with a walk, `pick` picks from the
sets that hold the legal actions.
Actions whose test may fail are tested at once, so that no error is missed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gamedsl.compiler.ir.values import FALSE, INT, TRUE, ZERO, Value, call, name, state
from gamedsl.compiler.lowering.bodies import (
    action_ids,
    dispatch,
    enumeration,
    legal_counts,
    state_functions,
    walks,
)
from gamedsl.compiler.lowering.bodies.action_ids import ACTION, Instance
from gamedsl.compiler.lowering.bodies.dispatch import NEXT, OUT
from gamedsl.compiler.lowering.bodies.enumeration import ActionSink
from gamedsl.compiler.lowering.bodies.walks import FIRST, PLACE, ActionSource
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.options import Strategy

STREAM, POSITION = name("stream", INT), name("position", INT)

"""Parameters: a stream of random numbers, and the position in the stream."""

RANDOM_BITS = 31

"""Bits of a random number."""


def write_pick(lowering: Lowering) -> None:
    """Write `pick`, which writes the id of the action to the front of the list, too."""
    more = (STREAM, POSITION, OUT)
    for player in range(len(lowering.model.players)):
        state_functions.state_function(
            lowering, f"pick_{player}", more, partial(_write_pick, lowering, player)
        )
    dispatch.dispatch(lowering, "pick", more)


def _write_pick(lowering: Lowering, player: int) -> None:
    builder = lowering.builder
    builder.assign(FIRST, 0)
    builder.assign(NEXT, 0)
    sources = walks.sources_of_all(lowering, player)
    total = ZERO
    for source in sources:
        total = total + source.count
    total = lowering.program.hold(total, "many")
    with builder.when(total.eq(0)):
        builder.fault(legal_counts.no_moves_site(lowering), player)
    random = call("mixed", (STREAM, POSITION), INT, can_fail=False)
    number = lowering.program.hold(random * total >> RANDOM_BITS, "number")
    for source in sources[:-1]:
        with builder.when(number.lt(source.count)):
            _write_picked(lowering, source, number)
        builder.assign(number, number - source.count)
    if sources:
        _write_picked(lowering, sources[-1], number)
    else:
        builder.give(state(), POSITION)


def _write_picked(lowering: Lowering, source: ActionSource, number: Value) -> None:
    place = number
    if source.bits is not None:
        place = call("nth_bit", (source.bits, number), INT, can_fail=False)
    lowering.builder.assign(PLACE, place)
    lowering.builder.store(OUT, 0, source.action_at(PLACE))
    if source.bits is None:
        lowering.builder.assign(PLACE, 0)
    lowering.builder.give(source.apply(PLACE), POSITION + 1)


def write_picking(lowering: Lowering, listing: ActionSink) -> bool:
    """Write both functions; False, with nothing written, where the functions gain nothing."""
    if not lowering.does(Strategy.PICKING):
        return False
    if len(state_functions.groups(lowering)) != 1:
        return False
    if (
        state_functions.has_draws(lowering)
        or lowering.model.facts.is_simultaneous
        or lowering.bodies.measured
    ):
        return False
    if all(
        enumeration.is_safe(lowering, move) or () in enumeration.risks(lowering, move).paths
        for move in lowering.model.moves
    ):
        return False
    for player in range(len(lowering.model.players)):
        state_functions.state_function(
            lowering,
            f"candidates_{player}",
            (OUT, NEXT),
            partial(_write_candidates, lowering, player, replace(listing, is_unchecked=True)),
        )
        state_functions.state_function(
            lowering, f"allowed_{player}", (ACTION,), partial(_write_allowed, lowering, player)
        )
    dispatch.dispatch(lowering, "candidates", (OUT, NEXT))
    dispatch.dispatch(lowering, "allowed", (ACTION,))
    return True


def _write_candidates(lowering: Lowering, player: int, listing: ActionSink) -> None:
    enumeration.all_instances(lowering, lowering.model.moves, player, listing)
    lowering.builder.give(NEXT)


def _write_allowed(lowering: Lowering, player: int) -> None:
    """Write the test whether a candidate is legal."""
    sink = ActionSink(lambda _: lowering.builder.give(TRUE))
    for move in lowering.model.moves:
        with lowering.builder.when(ACTION.lt(move.first_id + move.size)):
            if enumeration.is_safe(lowering, move):
                lowering.builder.give(TRUE)
                continue
            scope = action_ids.arguments(lowering, move, player)
            enumeration.if_allowed(lowering, Instance(move, (), ACTION), scope, sink)
            lowering.builder.give(FALSE)
    lowering.builder.give(FALSE)

"""Forward data flow over typed statements: the walk that analyses of paths share."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeVar

from gamedsl.model import nodes
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.walk import blocks_of

S = TypeVar("S")


def forward(
    block: nodes.Block,
    state: S,
    step: Callable[[nodes.Statement, S], S],
    join: Callable[[S, S], S],
) -> S:
    """The state at the end of a block, given the state at the start.

    Args:
        step: the state after a statement alone, before the blocks below the statement; may report.
        join: the state where two paths meet. A loop is entered at most twice, as `join` reaches a
            fixed point after one round in a lattice of flags.
    """
    for statement in block:
        state = step(statement, state)
        inner = blocks_of(statement)
        if facts_of(statement).over is not None:
            again = join(state, forward(inner[0], state, step, join))
            if again != state:
                again = join(again, forward(inner[0], step(statement, again), step, join))
            state = again
        elif inner:
            state = reduce(join, [forward(body, state, step, join) for body in inner])
    return state

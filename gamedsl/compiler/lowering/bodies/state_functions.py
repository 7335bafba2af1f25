"""Functions of a state: written in terms of its fields, which `passes.pack` finds in its words.

In: what writes the body of a function. Out: the function.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.ir.values import Value, state
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.lowering.bodies import blocks
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Scope
from gamedsl.model import nodes
from gamedsl.model.types import Scalar


def groups(lowering: Lowering) -> tuple[tuple[nodes.Move, ...], ...]:
    """The moves between `otherwise` lines that have instances."""
    return tuple(group for group in lowering.model.groups if group)


def state_function(
    lowering: Lowering,
    title: str,
    more: tuple[Value, ...],
    write: Callable[[], None],
    gives_state: bool = False,
) -> None:
    """A function of a state and `more`, which works on the fields it mentions; `gives_state`:
    it ends by giving back the state that they make up."""

    def whole() -> None:
        write()
        if gives_state:
            lowering.builder.give_state()

    lowering.program.function(title, (state(), *more), lowering.program.body(whole).body)


def anybody(lowering: Lowering) -> Code:
    """Whoever is to move, known only during play."""
    return Code(lowering.field(TURN), Scalar(atoms=frozenset(lowering.model.players)))


def scope_of(lowering: Lowering, player: int, block: nodes.Block = ()) -> Scope:
    """The scope in which a player is to move; `turn` is not known where it is assigned."""
    if blocks.sets_turn(block):
        return Scope(anybody(lowering))
    return Scope(Known(lowering.model.players[player]))

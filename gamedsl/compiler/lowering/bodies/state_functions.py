"""Functions of a state, written in terms of the fields of the state.

`passes.pack` finds the fields in the words of the state.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.ir.values import Value, state
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Scope
from gamedsl.model import nodes
from gamedsl.model.statement_facts import draws_in, sets_turn
from gamedsl.model.types import Scalar


def groups(lowering: Lowering) -> tuple[tuple[nodes.Move, ...], ...]:
    """The moves between `otherwise` lines that have instances."""
    return tuple(group for group in lowering.model.groups if group)


def has_draws(lowering: Lowering) -> bool:
    """Whether a body has a chance event."""
    bodies = (lowering.model.setup, *(move.body for move in lowering.model.moves))
    return any(draws_in(body) for body in bodies)


def state_function(
    lowering: Lowering,
    title: str,
    more: tuple[Value, ...],
    write: Callable[[], None],
    gives_state: bool = False,
) -> None:
    """Add a function of a state and `more`, working on the fields it mentions; `gives_state`: the
    function ends by returning the state made up of the fields.
    """

    def whole() -> None:
        write()
        if gives_state:
            lowering.builder.give_state()

    lowering.program.function(title, (state(), *more), lowering.program.body(whole).body)


def anybody(lowering: Lowering) -> Code:
    """The player to move, known only during play."""
    place, first = lowering.field(TURN), lowering.codes.first_player
    kind = Scalar(atoms=frozenset(lowering.model.players))
    return Code(place + first if first else place, kind)


def scope_of(lowering: Lowering, player: int, block: nodes.Block = ()) -> Scope:
    """The scope in which a player is to move; `turn` is unknown in bodies that assign `turn`."""
    if sets_turn(block):
        return Scope(anybody(lowering))
    return Scope(Known(lowering.model.players[player]))


def scope_of_move(lowering: Lowering, move: nodes.Move, player: int) -> Scope:
    """The scope in which a player makes a move, alone or together with the others."""
    if move.is_simultaneous:
        return Scope(anybody(lowering), Known(lowering.model.players[player]))
    return scope_of(lowering, player, move.body)

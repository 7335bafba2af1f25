"""Functions of a state: written in terms of its fields, which `passes.pack` finds in its words.

In: what writes the body of a function. Out: the function.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.flow import Flow
from gamedsl.compiler.ir.values import Value, state
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.model import nodes
from gamedsl.model.types import Scalar


class StateFunctions(Flow):
    """The functions of a state of one game."""

    has_draws: bool = False

    @property
    def groups(self) -> tuple[tuple[nodes.Move, ...], ...]:
        """The moves between `otherwise` lines that have instances."""
        return tuple(group for group in self.model.groups if group)

    def state_function(
        self,
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
                self.builder.give_state()

        self.program.function(title, (state(), *more), self.program.body(whole).body)

    @property
    def anybody(self) -> Code:
        """Whoever is to move, known only during play."""
        return Code(self.field(TURN), Scalar(atoms=frozenset(self.model.players)))

    def scope_of(self, player: int, block: nodes.Block = ()) -> Scope:
        """The scope in which a player is to move; `turn` is not known where it is assigned."""
        if self.sets_turn(block):
            return Scope(self.anybody)
        return Scope(Known(self.model.players[player]))

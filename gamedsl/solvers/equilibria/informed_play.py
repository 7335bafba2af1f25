"""What players do after a play, by what each has seen of it.

In: an extensive form, behaviour, histories. Out: the `LocalStrategy` of the information set that a
history belongs to. It solves nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy, local_strategies
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.information import History


class InformedPlay:
    """Behaviour of all players, to be looked up when play is there."""

    def __init__(self, form: ExtensiveForm, profile: Sequence[Behaviour]) -> None:
        self.game = form.game
        self._form = form
        self._profile = profile

    def at(self, history: History, player: int) -> LocalStrategy | None:
        """With what probabilities a player chooses after a history, among the legal actions in
        their order; None if no history of the game looks like it."""
        return self._by_sight.get((player, self.game.information_state(history, player)))

    @cached_property
    def _by_sight(self) -> dict[tuple[int, Hashable], LocalStrategy]:
        sights = [
            (player, self.game.information_state(one.history, player))
            for player, sets in enumerate(self._form.sets)
            for one in sets
        ]
        return dict(zip(sights, local_strategies(self._form, self._profile), strict=True))

"""The number of nodes of a game tree below a state, without drawing.

None if the number is too large to count quickly, or infinite because play can return to a state.
Equal states are counted once and multiplied.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import choices_at
from gamedsl.model.state import SIMULTANEOUS, TERMINAL, State

MOST_RESULTS = 20_000
"""Actions carried out at most for a tree."""
FEW_RESULTS = 200
"""Actions carried out at most if the rules allow very many states."""
VERY_MANY = 10**7
DEEPEST = 400
"""Plies; deeper trees are not counted."""


class TreeSize:
    """Counts nodes below states of a game, with memory."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.left = FEW_RESULTS if game.facts.state_bound > VERY_MANY else MOST_RESULTS
        self.known: dict[State, int | None] = {}

    def below(self, state: State, chosen: tuple[Action, ...] = ()) -> int | None:
        """Nodes strictly below; `chosen` are the actions already chosen in simultaneous moves."""
        whole = self._below(state, 0)
        if whole is None or not chosen:
            return whole
        return self._after_choices(state, chosen, 0)

    def _below(self, state: State, depth: int) -> int | None:
        if state in self.known:
            return self.known[state]
        if self.left <= 0 or depth > DEEPEST:
            return None
        self.known[state] = None
        mover = self.game.current_player(state)
        total: int | None = 0
        if mover == SIMULTANEOUS:
            total = self._after_choices(state, (), depth)
        elif mover != TERMINAL:
            total = self._sum(state, choices_at(self.game, state), depth)
        self.known[state] = total
        return total

    def _sum(self, state: State, actions: Sequence[Action | JointAction], depth: int) -> int | None:
        total = len(actions)
        for action in actions:
            self.left -= 1
            below = self._below(self.game.result(state, action), depth + 1)
            if below is None:
                return None
            total += below
        return total

    def _after_choices(self, state: State, chosen: tuple[Action, ...], depth: int) -> int | None:
        """Nodes of the remaining choices, one player after another, and the nodes below."""
        legal = [self.game.legal_actions(state, player) for player in self.game.players]
        open_players = range(len(chosen), len(legal))
        between = sum(
            prod(len(legal[player]) for player in range(len(chosen), last))
            for last in open_players
            if last > len(chosen)
        )
        joint: list[JointAction] = [chosen]
        for player in open_players:
            joint = [(*some, action) for some in joint for action in legal[player]]
        below = self._sum(state, joint, depth)
        return None if below is None else below + between

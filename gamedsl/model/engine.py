"""Methods shared by all engines of rules, derived from the outcome and the legal moves.

An engine implements `_outcome`, `_raw_legal` and `_drawn_here`; the class adds the derived methods
of the Game contract and the names of actions. The meaning of rules is not defined here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from fractions import Fraction

from gamedsl.model import messages
from gamedsl.model.action_names import joined_name, move_of, name_of, name_of_outcome
from gamedsl.model.errors import GameRuleError
from gamedsl.model.model import Model
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, Player, State
from gamedsl.model.values import Domain

Payoffs = tuple[Fraction, ...]
Legal = tuple[int, ...] | tuple[tuple[int, ...], ...]
"""Ids of the player to move, or, if all choose at once, the ids of each player."""


class RulesEngine(ABC):
    """An engine of a game of rules."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.players = tuple(Player(n, atom.name) for n, atom in enumerate(model.players))

    @abstractmethod
    def _outcome(self, state: State) -> Payoffs | None:
        """The payoffs if the game is over, else None; not called at a chance node."""

    @abstractmethod
    def _raw_legal(self, state: State) -> Legal:
        """Legal actions by the moves alone, whether or not the game is over."""

    @abstractmethod
    def view(self, state: State, player: int) -> Hashable:
        """The part of a state that a player sees: public cells and the player's own cells."""

    @abstractmethod
    def _drawn_here(self, state: State) -> tuple[str, Domain]:
        """At a chance node: the name of the drawn target, `die[2]`, and every possible outcome."""

    # --- PLAYER, TERMINAL, UTILITY ---------------------------------------------------------

    def current_player(self, state: State) -> Player:
        """PLAYER(s)."""
        if state.pending is not None:
            return CHANCE
        if self._outcome(state) is not None:
            return TERMINAL
        if self.model.facts.is_simultaneous and is_joint(self._raw_legal(state)):
            return SIMULTANEOUS
        return self.players[state.turn]

    def is_terminal(self, state: State) -> bool:
        """TERMINAL-TEST(s)."""
        return state.pending is None and self._outcome(state) is not None

    def utilities(self, state: State) -> Payoffs:
        """UTILITY(s, p) of every player."""
        payoffs = None if state.pending is not None else self._outcome(state)
        if payoffs is None:
            raise ValueError("only a terminal state has utilities")
        return payoffs

    def digits_held(self, states: Sequence[State]) -> list[set[int | None]]:
        """The digits of each cell in the given states."""
        return [set(digits) for digits in zip(*(s.cells for s in states), strict=True)]

    # --- ACTIONS ---------------------------------------------------------------------------

    def legal_actions(self, state: State, player: int | None = None) -> tuple[int, ...]:
        """ACTIONS(s), ascending; at a simultaneous node the actions of `player`."""
        if state.pending is not None or self._outcome(state) is not None:
            return ()
        legal = self._raw_legal(state)
        if is_joint(legal):
            if player is None:
                raise ValueError("all players choose at once here: name the player")
            return legal[player]  # type: ignore[return-value]
        if not legal:
            said = messages.no_moves(self.players[state.turn].name)
            raise GameRuleError.of("E3003", said, state=state)
        return legal  # type: ignore[return-value]

    def can_move(self, state: State) -> bool:
        """Whether an action is legal by the moves alone, whether or not the game is over."""
        return bool(self._raw_legal(state))

    # --- names and secrets -----------------------------------------------------------------

    def action_name(self, state: State, action: int | tuple[int, ...]) -> str:
        """`mark(a1)`, `roll`; `die=3` at a chance node; `throw(rock)+throw(paper)` for joint
        actions."""
        if isinstance(action, tuple):
            return joined_name([self.action_name(state, choice) for choice in action])
        if state.pending is not None:
            return name_of_outcome(*self._drawn_here(state), action)
        return self._name_of(action)

    def _name_of(self, action: int) -> str:
        return name_of(move_of(self.model.moves, action), action)

    def _name_or_id(self, state: State, action: int | tuple[int, ...]) -> str:
        try:
            return self.action_name(state, action)
        except (TypeError, ValueError):
            return f"action {action!r}"

    def is_secret(self, action: int) -> bool:
        """Whether other players see only the move's name of this action."""
        return move_of(self.model.moves, action).is_secret


def is_joint(legal: Legal) -> bool:
    """Whether all choose at once."""
    return bool(legal) and isinstance(legal[0], tuple)

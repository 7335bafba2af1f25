"""Methods shared by all engines of rules, derived from the outcome and the legal moves.

An engine implements `_outcome`, `_raw_legal` and `_drawn_here`; the class adds the derived methods
of the Game contract and the names of actions. The meaning of rules is not defined here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import compress

from gamedsl.model import messages
from gamedsl.model.action_names import joined_name, move_of, name_of, name_of_outcome
from gamedsl.model.errors import GameRuleError, IllegalActionError
from gamedsl.model.model import Model
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, Cells, Player, State
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
    def result(self, state: State, action: int | tuple[int, ...]) -> State:
        """RESULT(s, a)."""

    @abstractmethod
    def state_of(self, cells: Cells, turn: int) -> State:
        """A state from which play is resumed: its history starts here."""

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

    def _legal_for(self, state: State, action: int | tuple[int, ...]) -> Legal:
        """The legal actions of a state at which a player decides. Raises IllegalActionError if
        `action` is not among them; joint actions are checked by `_choices`."""
        if self._outcome(state) is not None:
            raise IllegalActionError("the game is over here", action, state)
        legal = self._raw_legal(state)
        if not is_joint(legal) and action not in legal:
            name = self._name_or_id(state, action)
            raise IllegalActionError(f"{name} is not legal here", action, state)
        return legal

    def _choices(
        self, state: State, actions: int | tuple[int, ...], legal: Legal
    ) -> Iterator[tuple[int, int]]:
        """Each player's choice. Raises IllegalActionError at the first illegal choice."""
        if not isinstance(actions, tuple) or len(actions) != len(self.players):
            raise IllegalActionError("one action a player is needed here", actions, state)
        for player, (action, choices) in enumerate(zip(actions, legal, strict=True)):
            if action not in choices:  # type: ignore[operator]
                name = self.players[player].name
                raise IllegalActionError(f"{name} cannot choose this here", actions, state)
            yield player, action

    def can_move(self, state: State) -> bool:
        """Whether an action is legal by the moves alone, whether or not the game is over."""
        return bool(self._raw_legal(state))

    # --- names and secrets -----------------------------------------------------------------

    @cached_property
    def _seen(self) -> list[list[bool]]:
        """For each player, whether the player sees each cell of a state."""
        return [
            [
                variable.is_seen(number, player)
                for variable in self.model.variables
                for number in range(variable.size)
            ]
            for player in range(len(self.players))
        ]

    def view(self, state: State, player: int) -> Hashable:
        """The part of a state that a player sees: public cells and the player's own cells."""
        return tuple(compress(state.cells, self._seen[player]))

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


def first_of_group(
    players: Sequence[Player], joint: tuple[tuple[int, ...], ...], moves: tuple[int, ...]
) -> Legal:
    """The legal actions of a group of moves: the choices of all players, or the moves of the player
    to move. Raises GameRuleError if only some players can choose, or if both exist."""
    if not any(joint):
        return moves
    if not all(joint):
        idle = next(player for player, choices in zip(players, joint, strict=True) if not choices)
        raise GameRuleError.of("E3003", messages.idle_player(idle.name))
    if moves:
        raise GameRuleError.of("E3009", messages.BOTH_KINDS)
    return joint


def is_joint(legal: Legal) -> bool:
    """Whether all choose at once."""
    return bool(legal) and isinstance(legal[0], tuple)

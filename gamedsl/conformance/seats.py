"""A game as another game tells it: players in another order, moves in the game's notation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.game import LoadedGame
from gamedsl.model.state import CHANCE, Player, State


class Retold:
    """A game whose player number `first` is number 0; the others follow in order.

    Only the methods that a comparison asks for are changed; all others are the game's own.
    """

    def __init__(self, game: Game, first: int = 0, *, in_notation: bool = False) -> None:
        """`in_notation`: names of moves are in the game's notation, where a move has one."""
        self._game, self._first = game, first
        self._notation = notation_of(game) if in_notation else None
        self.players = game.players[first:] + game.players[:first]
        self._seats = {
            int(player): Player(seat, player.name) for seat, player in enumerate(self.players)
        }

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def current_player(self, state: State) -> Player:
        """PLAYER(s)."""
        mover = self._game.current_player(state)
        return self._seats.get(int(mover), mover)

    def legal_actions(self, state: State, player: int | None = None) -> tuple[Action, ...]:
        """ACTIONS(s)."""
        theirs = None if player is None else int(self.players[player])
        return self._game.legal_actions(state, theirs)

    def utilities(self, state: State) -> tuple[Fraction, ...]:
        """The payoffs of all players."""
        paid = self._game.utilities(state)
        return (*paid[self._first :], *paid[: self._first])

    def rewards(self, state: State, action: Action | JointAction) -> tuple[Fraction, ...]:
        """The rewards of all players."""
        paid = self._game.rewards(state, action)
        return (*paid[self._first :], *paid[: self._first])

    def information_state(
        self, history: Sequence[tuple[State, Action | JointAction | None]], player: int
    ) -> tuple[object, ...]:
        """What a player knows at the end of a history."""
        return self._game.information_state(history, int(self.players[player]))

    def action_name(self, state: State, action: Action | JointAction) -> str:
        """The name of an action."""
        if self._notation is not None and isinstance(action, int):
            return self._notation.san(state, action) or self._game.action_name(state, action)
        return self._game.action_name(state, action)


def notation_of(game: Game) -> Any:
    """The notation of moves; None without one."""
    return game.notation if isinstance(game, LoadedGame) else None


def first_mover(game: Game) -> int:
    """The player who makes the first choice, if chance draws its first outcomes; 0 if all choose at
    once."""
    state = game.initial_state()
    while (mover := game.current_player(state)) == CHANCE:
        state = game.result(state, game.chance_outcomes(state)[0][0])
    return max(0, int(mover))


def in_order_of(game: Game, other: Game) -> Game:
    """The game with the players in the order of another game: as they are where names are equal,
    or choices are made at once; else the player who begins has the number as in the other game."""
    if {player.name for player in game.players} & {player.name for player in other.players}:
        return game
    if game.facts.is_simultaneous or other.facts.is_simultaneous:
        return game
    shift = (first_mover(game) - first_mover(other)) % len(game.players)
    return Retold(game, shift) if shift else game  # type: ignore[return-value]

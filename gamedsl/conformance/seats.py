"""A game as another game tells it: players in another order, moves by other names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.game import LoadedGame
from gamedsl.model.nodes import Variable
from gamedsl.model.state import CHANCE, Player, State
from gamedsl.model.values import text_of

Telling = Callable[[State, Action], str | None]
"""The name of an action in a state, if there is one."""


class Retold:
    """A game whose player number `first` is number 0; the others follow in order.

    Only the methods that a comparison asks for are changed; all others are the game's own.
    """

    def __init__(self, game: Game, first: int = 0, told: Telling | None = None) -> None:
        """`told` names actions; where it gives None, the game's own name stands."""
        self._game, self._first, self._told = game, first, told
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
        told = None
        if self._told is not None and isinstance(action, int):
            told = self._told(state, action)
        return told or self._game.action_name(state, action)


def tellings(game: Game) -> list[Game]:
    """The game with its moves told in every way: in the notation of the rules, if the rules have
    one; by the game's names; for rules with men on a board, by the squares that a man leaves and
    enters, `c3d4`."""
    if not isinstance(game, LoadedGame):
        return [game]
    model, notation = game.model, game.notation
    told: list[Any] = [game]
    if notation is not None:
        return [Retold(game, told=notation.san), game]
    squares = None if model.board is None else model.board.squares
    owners = [
        variable
        for variable in model.variables
        if any(player in variable.domain.digit for player in model.players)
        and [i.values for i in variable.indices] == [squares]
    ]
    if len(owners) == 1 and not game.facts.is_simultaneous:
        told.append(Retold(game, told=partial(_squares, game, owners[0])))
    return told


def _squares(game: LoadedGame, owner: Variable, state: State, action: Action) -> str | None:
    """The square that a man of the mover leaves, if one does, and the square that a man enters."""
    if state.pending is not None:
        return None
    mover, after = game.players[state.turn].name, game.result(state, action)
    names = [text_of(value) for value in owner.domain.values]

    def held(at: State) -> set[str]:
        digits = at.cells[owner.offset : owner.offset + owner.size]
        squares = zip(owner.indices[0].values, digits, strict=True)
        return {text_of(square) for square, digit in squares if names[digit or 0] == mover}

    was, now = held(state), held(after)
    left, come = was - now, now - was
    if len(come) != 1 or len(left) > 1:
        return None
    return "".join((*left, *come))


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
    return Retold(game, shift) if shift else game

"""A game as another game tells it: players in another order, other names, coarser steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import starmap
from typing import Any

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.game import LoadedGame
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.nodes import Variable
from gamedsl.model.state import CHANCE, SIMULTANEOUS, Player, State
from gamedsl.model.values import text_of

Telling = Callable[[State, Action], str | None]
"""The name of an action in a state, if there is one."""
MOST_OUTCOMES = 10_000
"""Outcomes of joined chance events."""
MOST_FORCED = 1_000
"""Plies without a choice in a row."""
KEPT_PLIES, KEPT_EVENTS = 4_096, 16
"""Steps, and joined chance events, of which the plies are kept."""

Ply = tuple[State, Action | JointAction]


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


class Coarse:
    """A game of coarser steps, for games that divide a step into different numbers of plies.

    A ply without a choice (a settlement, a forced pass) belongs to the step before the ply; with
    `joins_chance`, events of chance with no player's ply between them are one event; an outcome is
    then a number, in the order of the events.

    Only the methods that a comparison asks for are changed; all others are the game's own.
    """

    def __init__(self, game: Game, joins_chance: bool) -> None:
        self._game, self._joins = game, joins_chance
        self._before = self._settled(game.initial_state())
        """The plies before the first choice, and the state of this choice."""
        if game.facts.has_rewards and any(map(any, starmap(game.rewards, self._before[0]))):
            raise UnsupportedGameError("a step before the first choice pays")
        self._plies = lru_cache(KEPT_PLIES)(self._plies_of)
        self._events = lru_cache(KEPT_EVENTS)(self._joined)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def initial_state(self) -> State:
        """The first state with a choice."""
        return self._before[1]

    def result(self, state: State, action: Action | JointAction) -> State:
        """The next state with a choice, or the end."""
        return self._plies(state, action)[1]

    def rewards(self, state: State, action: Action | JointAction) -> tuple[Fraction, ...]:
        """The sum of the rewards of all plies of the step."""
        paid = [self._game.rewards(*ply) for ply in self._plies(state, action)[0]]
        return tuple(sum(amounts, Fraction(0)) for amounts in zip(*paid, strict=True))

    def chance_outcomes(self, state: State) -> tuple[tuple[Action, Fraction], ...]:
        """The outcomes of all events in a row."""
        if not self._joins:
            return self._game.chance_outcomes(state)
        return tuple((number, event[1]) for number, event in enumerate(self._events(state)))

    def action_name(self, state: State, action: Action | JointAction) -> str:
        """The names of the choice or of the events."""
        if self._joins and self._game.current_player(state) == CHANCE:
            return "; ".join(self._events(state)[int(action)][2])  # type: ignore[arg-type]
        return self._game.action_name(state, action)

    def information_state(
        self, history: Sequence[tuple[State, Action | JointAction | None]], player: int
    ) -> tuple[object, ...]:
        """What a player knows after all plies of the steps."""
        plies: list[tuple[State, Action | JointAction | None]] = [*self._before[0]]
        for state, action in history:
            plies += [(state, None)] if action is None else self._plies(state, action)[0]
        return self._game.information_state(plies, player)

    def _plies_of(
        self, state: State, action: Action | JointAction
    ) -> tuple[tuple[Ply, ...], State]:
        if self._joins and self._game.current_player(state) == CHANCE:
            plies = self._events(state)[int(action)][0]  # type: ignore[arg-type]
        else:
            plies = ((state, action),)
        more, after = self._settled(self._game.result(*plies[-1]))
        return (*plies, *more), after

    def _joined(self, state: State) -> list[tuple[tuple[Ply, ...], Fraction, tuple[str, ...]]]:
        """The plies of each outcome, the probability and the names of the events."""
        events: list[tuple[tuple[Ply, ...], Fraction, tuple[str, ...]]] = []
        waiting: list[tuple[tuple[Ply, ...], Fraction, tuple[str, ...], State]]
        waiting = [((), Fraction(1), (), state)]
        while waiting:
            plies, chance, names, here = waiting.pop()
            for outcome, part in reversed(self._game.chance_outcomes(here)):
                more, after = self._settled(self._game.result(here, outcome))
                name = self._game.action_name(here, outcome)
                way = ((*plies, (here, outcome)), chance * part, (*names, name))
                is_chance = all(self._game.current_player(ply[0]) == CHANCE for ply in more)
                if is_chance and self._game.current_player(after) == CHANCE:
                    waiting.append(((*way[0], *more), way[1], way[2], after))
                else:
                    events.append(way)
            if len(events) + len(waiting) > MOST_OUTCOMES:
                raise UnsupportedGameError(f"over {MOST_OUTCOMES:,} outcomes of chance in a row")
        return events

    def _settled(self, state: State) -> tuple[tuple[Ply, ...], State]:
        """The plies without a choice from a state on, and the state after these plies."""
        plies: list[Ply] = []
        while len(plies) < MOST_FORCED and (action := self._forced(state)) is not None:
            plies.append((state, action))
            state = self._game.result(state, action)
        return tuple(plies), state

    def _forced(self, state: State) -> Action | JointAction | None:
        game, mover = self._game, self._game.current_player(state)
        if mover == CHANCE:
            outcomes = game.chance_outcomes(state)
            return outcomes[0][0] if len(outcomes) == 1 else None
        if mover == SIMULTANEOUS:
            legal = [game.legal_actions(state, player) for player in game.players]
            is_forced = all(len(actions) == 1 for actions in legal)
            return tuple(actions[0] for actions in legal) if is_forced else None
        actions = game.legal_actions(state) if mover >= 0 else ()
        return actions[0] if len(actions) == 1 else None

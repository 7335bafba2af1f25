"""Games without parts on which nothing depends: solving works on the slice of a game.

In: a game, a state. Out: the slice, a game with the same actions and fewer positions, and the state
of the slice that stands for the given state. The rules are sliced by `gamedsl.model.slicing`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Protocol, TypeVar, runtime_checkable

from gamedsl.game.contract import Game
from gamedsl.model.state import State

G = TypeVar("G", bound=Game)
Payoffs = tuple[Fraction, ...]


class Slice:
    """The slice of a game.

    Attributes:
        game: the slice; `whole`: the game of all rules.
        first_values: per cell the digit in every state of the slice; None for a cell that varies.
    """

    def __init__(self, game: Game, whole: Game, first_values: tuple[int | None, ...]) -> None:
        self.game = game
        self.whole = whole
        self.first_values = first_values

    @cached_property
    def _first(self) -> State:
        return self.whole.initial_state()

    def state_of(self, state: State) -> State | None:
        """The state of the slice that stands for a state of the game; a state of the slice in which
        no chance event is due stands for itself.

        None for a state before a chance event, unless the state is S0 or the slice has no chance.
        """
        if state == self._first:
            return self.game.initial_state()
        while state.pending is not None:
            if self.game.facts.has_chance:
                return None
            state = self.whole.result(state, self.whole.chance_outcomes(state)[0][0])
        pairs = zip(state.cells, self.first_values, strict=True)
        cells = tuple(digit if first is None else first for digit, first in pairs)
        return State(cells, state.turn, None, state.history)

    def mean(self, state: State, value: Callable[[State], Payoffs | None]) -> Payoffs | None:
        """The expected payoffs at a chance event of the game, given the payoffs of best play from
        the states after the event, rewards and discount included; None if a payoff is not known."""
        game = self.whole
        total = (Fraction(0),) * len(game.players)
        for outcome, share in game.chance_outcomes(state):
            after = game.result(state, outcome)
            payoffs = value(after)
            if payoffs is None:
                return None
            is_within = after.pending is not None or state in self._opening
            lasting = Fraction(1) if is_within else game.facts.discount
            rows = zip(total, game.rewards(state, outcome), payoffs, strict=True)
            total = tuple(mean + share * (now + lasting * later) for mean, now, later in rows)
        return total

    @cached_property
    def _opening(self) -> frozenset[State]:
        """The chance events before the first ply; empty without a discount."""
        waiting = [self._first] if self.whole.facts.discount != 1 else []
        opening = set[State]()
        while waiting:
            state = waiting.pop()
            if state.pending is not None and state not in opening:
                opening.add(state)
                outcomes = self.whole.chance_outcomes(state)
                waiting += [self.whole.result(state, outcome) for outcome, _ in outcomes]
        return frozenset(opening)


@runtime_checkable
class OffersSlice(Protocol):
    """A game that knows its slice; the property is optional."""

    @property
    def slice(self) -> Slice | None:
        """The slice; None if the slice would be the whole game."""


def slice_of(game: Game) -> Slice | None:
    """The slice of a game; None if every part of the game matters, as far as known.

    A game that wraps another, or adds to its class, may hand on the other game's slice, where its
    own methods are lost: such a game has no slice.
    """
    part = game.slice if isinstance(game, OffersSlice) else None
    is_own = part is not None and part.whole is game and type(part.game) is type(game)
    return part if is_own else None


def in_slice(game: G, state: State) -> tuple[G, State]:
    """The slice of a game with the state that stands for a state; the game and the state where no
    slice is known."""
    part = slice_of(game)
    stands = None if part is None else part.state_of(state)
    if part is None or stands is None:
        return game, state
    assert isinstance(part.game, type(game)), "a game and its slice are of one class"
    return part.game, stands


def relevant_game(game: Game) -> Game:
    """The slice, or the game without a slice."""
    part = slice_of(game)
    return game if part is None else part.game


def game_for_search(game: Game) -> Game:
    """The game of a search with EVAL: the slice, unless only the whole game has a usable EVAL."""
    part, facts = relevant_game(game), game.facts
    is_seen = not (facts.has_secrets or facts.is_simultaneous)
    return game if is_seen and facts.has_evaluate and not part.facts.has_evaluate else part

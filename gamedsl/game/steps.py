"""Successors of states for searches over many states: all data of a state in one call.

The states of `Steps` are keys in the form that the game compares fastest. For a game without steps
of its own, the key is the state, and the contract is used (`PlainSteps`). Nothing is cached between
two calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Protocol, runtime_checkable

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, Player, State
from gamedsl.source.records import dataclass

Choices = tuple[Action, ...] | tuple[JointAction, ...]
Shares = tuple[Fraction, ...]
Moment = tuple[Player, Choices, Shares]
"""The player to move; the actions, joint actions or outcomes; shares as in `Following`."""
Following = tuple[Player, Choices, Sequence[Hashable], Shares]
"""The player to move; the actions, joint actions or outcomes; the key of the state after each; and
shares: the payoffs at the end, the probability of each outcome at a chance event, else nothing.
"""


class Steps(Protocol):
    """The states of one game as keys; equal states have equal keys."""

    def key(self, state: State) -> Hashable:
        """The key of a state."""

    def state(self, key: Hashable) -> State:
        """The state of a key."""

    def at(self, key: Hashable) -> Moment:
        """The player to move and the choices, without executing them. Raises the errors of
        `after`.
        """

    def result(self, key: Hashable, choice: Action) -> Hashable:
        """The key of the state after one of the choices. Raises the errors of `after`."""

    def after(self, key: Hashable) -> Following:
        """All successors. Raises GameRuleError where the rules fail, E3003 where there are no
        choices.
        """

    def paid(self, key: Hashable, choices: Choices) -> list[Shares]:
        """The immediate rewards of every player for each of the given legal choices. Raises the
        errors of `after`.
        """


@runtime_checkable
class OffersSteps(Protocol):
    """A game with steps of its own; the method is optional."""

    def steps(self) -> Steps | None:
        """The steps; None if there are none."""


def steps_of(game: Game) -> Steps:
    """The game's own steps, or steps by the contract."""
    steps = game.steps() if isinstance(game, OffersSteps) else None
    return PlainSteps(game) if steps is None else steps


@dataclass(frozen=True, slots=True)
class PlainSteps:
    """Steps by the contract alone: the key of a state is the state."""

    game: Game

    def key(self, state: State) -> State:
        """The state."""
        return state

    def state(self, key: Hashable) -> State:
        """The key."""
        assert isinstance(key, State)
        return key

    def at(self, key: Hashable) -> Moment:
        """As `Steps.at`."""
        game, state = self.game, self.state(key)
        mover = game.current_player(state)
        if mover == TERMINAL:
            return mover, (), tuple(game.utilities(state))
        if mover == CHANCE:
            outcomes = game.chance_outcomes(state)
            shares = tuple(chance for _, chance in outcomes)
            return mover, tuple(outcome for outcome, _ in outcomes), shares
        return mover, actions_at(game, state), ()

    def result(self, key: Hashable, choice: Action | JointAction) -> State:
        """As `Steps.result`."""
        return self.game.result(self.state(key), choice)

    def after(self, key: Hashable) -> Following:
        """As `Steps.after`."""
        mover, choices, shares = self.at(key)
        return mover, choices, [self.result(key, choice) for choice in choices], shares

    def paid(self, key: Hashable, choices: Choices) -> list[Shares]:
        """As `Steps.paid`."""
        state = self.state(key)
        return [tuple(self.game.rewards(state, choice)) for choice in choices]


def numbered(
    successors: Sequence[Hashable],
    before: int,
    number: dict[Hashable, int],
    keys: list[Hashable],
    parents: list[int],
) -> list[int]:
    """The numbers of the successors of a state; new states get the next numbers, and are added to
    `number`, `keys` and `parents`.
    """
    numbers = []
    for key in successors:
        known = number.setdefault(key, len(keys))
        if known == len(keys):
            keys.append(key)
            parents.append(before)
        numbers.append(known)
    return numbers


def can_be_wider_than(game: Game, most: int) -> bool:
    """Whether a position may have more than `most` (joint) actions, judged by the declarations."""
    sides = len(game.players) if game.facts.is_simultaneous else 1
    return bool(game.facts.action_count**sides > most)


def count_of_actions(game: Game, state: State) -> int:
    """The number of (joint) actions of the choosers of a position; 0 where nobody chooses."""
    mover = game.current_player(state)
    if mover == SIMULTANEOUS:
        return prod(len(game.legal_actions(state, player)) for player in game.players)
    return len(game.legal_actions(state)) if mover >= 0 else 0


def is_wider_than(game: Game, state: State, most: int) -> bool:
    """Whether a position has more than `most` (joint) actions, tested before executing any."""
    return count_of_actions(game, state) > most


def drawn_outcome(game: Game, state: State, rng: Random) -> Action:
    """An outcome of a chance event, drawn by its probability."""
    outcomes, shares = zip(*game.chance_outcomes(state), strict=True)
    drawn: Action = rng.choices(outcomes, [float(share) for share in shares])[0]
    return drawn


def choosers(game: Game, state: State) -> tuple[int, ...]:
    """The players who choose in a state: the player to move, or all players; () where none does."""
    mover = game.current_player(state)
    if mover == SIMULTANEOUS:
        return tuple(map(int, game.players))
    return (int(mover),) if mover >= 0 else ()


def step_of(
    game: Game, state: State, rng: Random, choose: Callable[[int], Action]
) -> Action | JointAction:
    """The step that the choosers of a state take, each by `choose`, or that chance takes."""
    mover = game.current_player(state)
    if mover == CHANCE:
        return drawn_outcome(game, state, rng)
    chosen = tuple(map(choose, choosers(game, state)))
    return chosen if mover == SIMULTANEOUS else chosen[0]


def names_along(game: Game, state: State, line: Iterable[Action | JointAction]) -> tuple[str, ...]:
    """The names of the actions of a line of play from a state on."""
    names = []
    for action in line:
        names.append(game.action_name(state, action))
        state = game.result(state, action)
    return tuple(names)


def choices_at(game: Game, state: State) -> Choices:
    """The outcomes of a chance event, else as `actions_at`; () at the end of play."""
    mover = game.current_player(state)
    if mover == CHANCE:
        return tuple(outcome for outcome, _ in game.chance_outcomes(state))
    return () if mover == TERMINAL else actions_at(game, state)


def actions_at(game: Game, state: State) -> Choices:
    """The legal actions of the player to move; joint actions where all players choose
    simultaneously.

    Raises:
        GameRuleError: the game is not over, but there are no legal actions.
    """
    if game.current_player(state) == SIMULTANEOUS:
        return tuple(product(*(game.legal_actions(state, p) for p in game.players)))
    actions = game.legal_actions(state)
    if not actions:
        raise GameRuleError(
            "E3003", "the game is not over, but the player to move has no legal move", state=state
        )
    return actions

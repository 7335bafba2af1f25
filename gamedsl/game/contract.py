"""The Game contract: AIMA's functions in OpenSpiel's words, over immutable states.

The games of all engines implement the contract; algorithms use nothing else. No method changes a
state. Native code of a game is optional (`accelerator`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from gamedsl.model.facts import Facts
from gamedsl.model.state import Player, State

Action = int
"""An action id: its position in the enumeration of all actions, 0 .. facts.action_count - 1."""
JointAction = tuple[int, ...]
"""One action id per player, in turn order, where all players choose simultaneously."""
History = tuple[tuple[State, Action | JointAction | None], ...]
"""A play: every state with the action taken in the state; the last action is None."""


def settings_of(game: Game) -> tuple[tuple[str, str], ...]:
    """The parameters that differ from the file's values; all parameters for a game without
    `settings`.
    """
    settings: Mapping[str, str] = getattr(game, "settings", game.parameters)
    return tuple(settings.items())


class Game(Protocol):
    """A game: S0, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY (AIMA 3rd ed., section 5.1).

    Every method that takes a state may raise `GameRuleError` where the rules themselves fail
    (a value out of its domain, no legal move, chances that do not add up to one).
    """

    @property
    def name(self) -> str:
        """The title of the game."""

    @property
    def players(self) -> tuple[Player, ...]:
        """The players in turn order; `players[i] == i`."""

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters as bound, values in the language's notation."""

    @property
    def facts(self) -> Facts:
        """Consequences of the rules alone."""

    def initial_state(self) -> State:
        """S0; a chance node if `setup` begins with a chance event."""

    def current_player(self, state: State) -> Player:
        """PLAYER(s): a player, or CHANCE, SIMULTANEOUS, TERMINAL."""

    def legal_actions(self, state: State, player: int | None = None) -> tuple[Action, ...]:
        """ACTIONS(s), ascending ids; `()` exactly at terminals and chance nodes.

        At a SIMULTANEOUS state `player` is required: the actions are the player's choices. At all
        other states `player` is the player to move, or left out.
        """

    def result(self, state: State, action: Action | JointAction) -> State:
        """RESULT(s, a); at a chance node the action is an outcome, at a SIMULTANEOUS state a
        `JointAction`. Raises `IllegalActionError`."""

    def rewards(self, state: State, action: Action | JointAction) -> tuple[Fraction, ...]:
        """R(s, a, s') of every player (AIMA 4th ed., section 17.1): the immediate payment for an
        action of `legal_actions`, or an outcome at a chance node.

        The payoff of a play is the sum of its rewards and its outcome: rewards of the n-th ply,
        chance included, times `facts.discount` to the power n - 1, an outcome after n plies to the
        power n. Called only where `facts.has_rewards`.
        """

    def is_terminal(self, state: State) -> bool:
        """TERMINAL-TEST(s)."""

    def utilities(self, state: State) -> tuple[Fraction, ...]:
        """UTILITY(s, p) of every player in turn order, without rewards; only at terminals (else
        ValueError)."""

    def utility(self, state: State, player: int) -> Fraction:
        """UTILITY(s, p)."""

    def chance_outcomes(self, state: State) -> tuple[tuple[Action, Fraction], ...]:
        """(outcome, probability) at a chance node; the probabilities add up to one exactly."""

    def action_name(self, state: State, action: Action | JointAction) -> str:
        """The action as written: `mark(a1)`, `roll`, `die=3` at a chance node."""

    def action_named(
        self, state: State, name: str, player: int | None = None
    ) -> Action | JointAction:
        """The legal action that a text fits: its name, or, if unambiguous, its arguments alone
        (`a1` for `mark(a1)`); see `game.reading`. At a SIMULTANEOUS state the action of `player`,
        or without `player` a `JointAction`. Raises `IllegalActionError`.
        """

    def information_state(
        self, history: Sequence[tuple[State, Action | JointAction | None]], player: int
    ) -> tuple[object, ...]:
        """The observations of `player` along `history` (states with the action taken in each; the
        last action is None): equal exactly where the player cannot tell histories apart.
        """

    def evaluate(self, state: State, player: int) -> Fraction:
        """EVAL(s, p) of the file, in the units of its formula; ValueError for a game without
        `evaluate`.
        """

    def is_quiescent(self, state: State, player: int) -> bool:
        """Whether EVAL(s, p) can be trusted: the condition after `where` in `evaluate`, if any."""

    def show(self, state: State, viewer: int | None = None, *, in_words: bool = False) -> str:
        """The state as text: the boards drawn, then the other variables, then the player to move;
        as a player sees the state, or everything (None). Viewers occur only where
        `facts.has_secrets`. `in_words`: variables other than boards (cards, dice, heaps, ...) are
        written on lines, not drawn.
        """

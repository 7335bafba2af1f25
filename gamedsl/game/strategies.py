"""The protocol of searches for strategies: where information is hidden, or all choose at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from gamedsl.game.contract import Action, JointAction
from gamedsl.model.state import State
from gamedsl.source.records import dataclass

History = tuple[tuple[State, Action | JointAction | None], ...]
"""A play: every state with the action taken in the state; the last action is None."""


@dataclass(frozen=True, slots=True)
class SampledStrategy:
    """A strategy after a play, from simulated plays.

    Attributes:
        player: the player.
        shares: probabilities of the legal actions, in order; () where nothing is known.
        worths: mean payoffs of the simulated plays with the action, to the player; None for an
            action that was never tried.
        visits: simulated plays from here.
    """

    player: int
    shares: tuple[Fraction, ...]
    worths: tuple[Fraction | None, ...]
    visits: int


class StrategySearch(Protocol):
    """A search for strategies by simulated plays.

    Attributes:
        is_reached: whether plays were found that agree with what the player has observed.
    """

    is_reached: bool

    def start(self, history: History, player: int, seed: int, longest: int) -> None:
        """Makes what a player knows after a play the goal of the search; the player is to choose.
        A simulated play is broken off after `longest` plies."""
        ...

    def run(self, plays: int) -> int:
        """Simulates plays; returns their number."""
        ...

    def report(self) -> tuple[SampledStrategy, ...]:
        """The strategies after the play: of the player, or of all players where all choose."""
        ...

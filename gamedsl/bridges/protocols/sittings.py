"""The play that the programs of a protocol have before them."""

from __future__ import annotations

from gamedsl.game.game import LoadedGame
from gamedsl.game.paid import payoffs_of
from gamedsl.game.reading import Step, read_play
from gamedsl.model.state import State
from gamedsl.solvers.graphs.information import History

LONGEST_LINE = 1_000_000
"""Limit on the characters of a line."""


class Sitting:
    """A play of one game, from a position on.

    Attributes:
        game: the game.
        root: the first position.
        steps: the moves since, each with the position before.
        state: the position now.
    """

    def __init__(self, game: LoadedGame, root: State | None = None) -> None:
        self.game = game
        self.root = self.state = game.initial_state() if root is None else root
        self.steps: list[Step] = []

    @property
    def history(self) -> History:
        """The play, as algorithms take it."""
        return (*self.steps, (self.state, None))

    def play(self, moves: str) -> None:
        """Make moves, as typed after `--at`. Raises IllegalActionError; then none is made."""
        steps, state = read_play(self.game, self.state, moves)
        self.steps += steps
        self.state = state

    def make(self, action: int | tuple[int, ...]) -> None:
        """Make a move, by number."""
        self.steps.append((self.state, action))
        self.state = self.game.result(self.state, action)

    def undo(self) -> None:
        """Take the last move back. Raises IndexError at the first position."""
        self.state = self.steps.pop()[0]

    def payoffs(self) -> list[str] | None:
        """What the play has paid, rewards included; None before the end."""
        payoffs = payoffs_of(self.game, self.steps, self.state)
        return None if payoffs is None else [str(payoff) for payoff in payoffs]

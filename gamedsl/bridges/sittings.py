"""A play that a learner steps through: chance events are drawn, actions come by number.

Shared by the environments of PettingZoo and Gymnasium. Vectors and masks are NumPy's arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from gamedsl.bridges.chances import Chances
from gamedsl.bridges.moments import Moment, Numbered, numbered
from gamedsl.bridges.telling import observation
from gamedsl.game.game import LoadedGame
from gamedsl.game.loading import find_source, setting
from gamedsl.model.errors import GameSourceError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamedsl.source import Diagnostic


def numbered_game(
    game: LoadedGame | str | Path, longest: int | None, parameters: dict[str, object]
) -> Numbered:
    """The numbers of a game as accepted by `load`; a loaded game has its parameters already.

    Raises:
        GameSourceError: the text is not a valid game.
        ValueError: parameters for a loaded game, or `longest` below 1.
    """
    if isinstance(game, LoadedGame):
        if parameters:
            raise ValueError(f"{game!r} is loaded: give its parameters to `load`")
        return Numbered(game, longest)
    source = find_source(game)
    if isinstance(source, Diagnostic):
        raise GameSourceError((source,))
    settings = tuple((name, setting(value)) for name, value in parameters.items())
    return numbered(source, settings, longest)


RENDER_MODES = ("ansi", "human")
PLAY = "play"
"""The option of `reset` with the number of a play of a batch, whose chance events are drawn."""
MOST_BEGINNINGS = 1000
"""Beginnings of a play, as of `batch_kernel`."""


def refuse_render_mode(render_mode: str | None) -> None:
    """Raise ValueError for an unknown way to render."""
    if render_mode not in (None, *RENDER_MODES):
        modes = ", ".join(RENDER_MODES)
        raise ValueError(f"`render_mode` is {modes} or None, not {render_mode!r}")


class Sitting:
    """A play under way.

    Attributes:
        moment: the present moment; never before a chance event.
        chances: the random numbers of chance events; None before the first play.
    """

    def __init__(self, game: Numbered, np: Any) -> None:
        self.numbered = game
        self._np = np
        self.moment: Moment = game.first
        self.chances: Chances | None = None
        self._paid: Sequence[Fraction] = ()

    def begin(self, seed: int | None, rng: Any, options: dict[str, Any] | None) -> None:
        """Begin a play, the first of a seed, or the next play; without any seed a NumPy generator
        gives a seed. Plays that chance ends before the first choice are left out."""
        if seed is not None or self.chances is None:
            chosen = int(rng.integers(1 << 62)) if seed is None else seed
            self.chances = Chances(chosen, int((options or {}).get(PLAY, 0)))
        self._paid = (Fraction(0),) * len(self.numbered.game.players)
        for _ in range(MOST_BEGINNINGS):
            self.moment = self._drawn(self.numbered.first)
            if not self.is_over or self.numbered.first.mover != CHANCE:
                break

    @property
    def is_over(self) -> bool:
        """Whether the play has ended or is broken off."""
        return bool(self.moment.mover == TERMINAL)

    def take(self, choices: Sequence[int]) -> list[float]:
        """Carry out the choices of the movers, in turn order; what every player is paid since the
        last choice."""
        joint = tuple(choices)
        action = joint if self.moment.mover == SIMULTANEOUS else joint[0]
        self.moment = self._drawn(self.moment.after(action))
        before, self._paid = self._paid, self.moment.returns
        return [float(now - then) for now, then in zip(self._paid, before, strict=True)]

    def _drawn(self, moment: Moment) -> Moment:
        assert self.chances is not None, "a play has begun"
        while moment.mover == CHANCE:
            moment = moment.after(self.chances.draw(moment.shares()))
        return moment

    def vector(self, player: int) -> Any:
        """float32[planes.size]: the state as a player sees it."""
        ones, shares = observation(self.moment, player)
        vector = self._np.zeros(self.numbered.planes.size, self._np.float32)
        vector[ones] = 1
        for place, share in shares:
            vector[place] = share
        return vector

    def mask(self, player: int, extra: int = 0) -> Any:
        """int8[action_count + extra]: 1 for the legal actions of a player."""
        mask = self._np.zeros(self.numbered.action_count + extra, self._np.int8)
        mask[list(self.moment.legal(player))] = 1
        return mask

    def rendered(self, render_mode: str | None) -> str | None:
        """The state as text: returned ("ansi") or printed ("human")."""
        if render_mode is None:
            return None
        text = self.numbered.game.show(self.moment.state)
        if render_mode == "human":
            print(text)
            return None
        return text

"""Random plays by machine code, as soon as compiled.

In: a game, a first position, a generator of random numbers. Out: a `Simulation` for UCT, which
plays in Python until a thread has compiled the kernels, or found them in the cache. Machine code
plays carefully where wins can be foreseen (see `playout_kernel`), and several plays per call.
"""

from __future__ import annotations

from random import Random
from threading import Thread

from gamedsl.game.accelerator import Accelerator, PlayoutOptions, Refusal, machine_code_of
from gamedsl.game.contract import Game
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo.playouts import Payoffs, Place, Playouts

AT_A_TIME = 8
"""Plays from one position per call, to share the overhead of a call."""


class MachinePlayouts:
    """Random plays of one game.

    Attributes:
        is_ready: whether machine code plays.
    """

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.is_ready = False
        self._rng = rng
        self._playouts = Playouts(game, rng)
        self._accelerator: Accelerator | None = None
        self._maker: Thread | None = None

    def prepare(self, state: State, seconds: float = 0) -> None:
        """Compiles machine code on a thread; waits at most the given number of seconds."""
        accelerator = self._accelerator or machine_code_of(self.game)
        if self._maker is None and not isinstance(accelerator, Refusal):
            self._accelerator = accelerator
            self._maker = Thread(target=self._make, args=(accelerator, state), daemon=True)
            self._maker.start()
        if self._maker is not None and seconds > 0:
            self._maker.join(seconds)

    def _make(self, accelerator: Accelerator, state: State) -> None:
        try:
            self._play(accelerator, state, 1)
        except (UnsupportedGameError, GameRuleError):
            return  # playouts in Python raise the error again
        self.is_ready = True

    @property
    def plays(self) -> int:
        """Of how many plays the payoffs are the mean."""
        return AT_A_TIME if self.is_ready else 1

    def __call__(self, place: Place) -> Payoffs:
        """The average payoffs of random plays."""
        if not self.is_ready or self._accelerator is None:
            return self._playouts.play(place)
        payoffs = self._play(self._accelerator, place.state, AT_A_TIME)
        return self._playouts.play(place) if payoffs is None else payoffs

    def _play(self, accelerator: Accelerator, state: State, count: int) -> Payoffs | None:
        seed, longest = self._rng.getrandbits(30), self._playouts.longest
        options = PlayoutOptions(seed, longest, foresees=True)
        counts = accelerator.playouts(state, count, options, is_machine=True)
        endless = self.game.facts.endless
        if counts.unfinished and endless is None:
            return None
        totals = [0.0] * len(self.game.players)
        endings = [*counts.endings, *([(endless, counts.unfinished)] if endless else [])]
        for payoffs, times in endings:
            for player, payoff in enumerate(payoffs):
                totals[player] += float(payoff) * times
        return tuple(total / count for total in totals)

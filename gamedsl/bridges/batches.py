"""Thousands of plays of one game side by side: one call steps all, in machine code.

The arrays of a `Batch` are views of the memory that machine code writes: they are read before the
next step, or copied. A play that ends, or becomes too long, begins again in the same step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamedsl.bridges.chances import SEEDS
from gamedsl.bridges.extras import needed
from gamedsl.bridges.moments import LONGEST
from gamedsl.bridges.planes import MOST_VALUES, Planes
from gamedsl.game.accelerator import PlayBatch, Refusal
from gamedsl.game.game import LoadedGame
from gamedsl.game.loading import load
from gamedsl.model.errors import UnsupportedGameError


def batch(
    game: LoadedGame | str | Path,
    count: int,
    *,
    seed: int = 0,
    longest: int = LONGEST,
    **parameters: object,
) -> Batch:
    """Plays of a game side by side.

    Args:
        game: a game, or a path, text or name as accepted by `load`, with `parameters`.
        count: number of plays.
        seed: decides chance events; each play has random numbers of its own.
        longest: plies after which a play is broken off.

    Raises:
        GameSourceError: the text is not a valid game.
        MissingExtraError: NumPy is not installed.
        UnsupportedGameError: a cell has more than 64 values, an observation too many numbers; or
            no machine code.
        ValueError: `count`, `longest` or `seed` is no whole number, or too small (`count` and
            `longest` are at least 1, `seed` at least 0); or parameters for a loaded game.
    """
    (np,) = needed("gymnasium", "numpy")
    if not all(isinstance(number, int) for number in (count, seed, longest)):
        said = f"not {count!r}, {longest!r} and {seed!r}"
        raise ValueError(f"`count`, `longest` and `seed` are whole numbers, {said}")
    if count < 1 or longest < 1 or seed < 0:
        said = f"not {count}, {longest} and {seed}"
        raise ValueError(f"`count` and `longest` are at least 1, and `seed` at least 0, {said}")
    if isinstance(game, LoadedGame):
        if parameters:
            raise ValueError(f"{game!r} is loaded: give its parameters to `load`")
        loaded = game
    else:
        loaded = load(game, **parameters)  # type: ignore[arg-type]  # parameters of the file
    if any(len(v.domain) > MOST_VALUES for v in loaded.model.variables if not v.is_constant):
        raise UnsupportedGameError(f"a cell has more than {MOST_VALUES} values", ONE_BY_ONE)
    accelerator = loaded.accelerator()
    kernel = accelerator if isinstance(accelerator, Refusal) else accelerator.batch(
        count, seed % SEEDS, longest
    )  # fmt: skip
    if isinstance(kernel, Refusal):
        raise UnsupportedGameError(kernel.reason, ONE_BY_ONE)
    return Batch(loaded, kernel, np)


ONE_BY_ONE = "step through plays one by one: gamedsl.pettingzoo, gamedsl.gymnasium"


class Batch:
    """Plays side by side.

    The arrays have a seat for the player to move; in a game with choices at once, a seat for each
    player: then `seats` below is the number of players, else the axis is missing. The mask of a
    player without a choice has no ones.

    Attributes:
        game: the game.
        count: number of plays.
        observations: int8[count, seats, planes.size], as the player sees each state; the vector of
            `gamedsl.bridges.planes`.
        pieces: the parts of the observations by name, int8[count, seats, *shape].
        masks: int8[count, seats, action_count]: 1 for each legal action.
        movers: int64[count]: the players to move; -2 where all choose.
        ended, cut: bool[count]: whether the last step ended a play, or broke it off.
        finished: int64[n]: the plays that the last step ended or broke off.
        rewards: float64[count, players]: what the last step paid, and the payoffs of finished
            plays.
    """

    def __init__(self, game: LoadedGame, kernel: PlayBatch, np: Any) -> None:
        self.game, self.count = game, kernel.count
        self._kernel, self._np = kernel, np
        arrays, planes = kernel.arrays, Planes(game)
        players = len(game.players)
        lead = (self.count, players) if game.facts.is_simultaneous else (self.count,)
        rows = np.frombuffer(arrays.planes, np.int8).reshape(*lead, 8 * kernel.plane_words)
        self.observations = rows[..., : planes.size]
        self.pieces = {
            piece.name: rows[..., piece.start : piece.start + piece.size].reshape(
                *lead, *piece.shape, copy=False
            )
            for piece in planes.pieces
        }
        masks = np.frombuffer(arrays.masks, np.int8).reshape(*lead, 8 * kernel.mask_words)
        self.masks = masks[..., : game.facts.action_count]
        self._chosen = np.frombuffer(arrays.chosen, np.int64).reshape(lead)
        plays = np.frombuffer(arrays.plays.row, np.int64).reshape(self.count, arrays.plays.width)
        fields = arrays.plays.record.FIELDS
        self.movers, self._before = (plays[:, fields.index(name)] for name in ("mover", "before"))
        self._payoffs, self._paid = (
            np.frombuffer(row, np.int64).reshape(self.count, players + 1)
            for row in (arrays.payoffs, arrays.paid)
        )
        self.ended, self.cut = (
            np.frombuffer(row, bool)[: self.count] for row in (arrays.ended, arrays.cut)
        )
        self._finished = np.frombuffer(arrays.finished, np.int64)
        self.rewards = np.zeros((self.count, players))
        self.finished = self._finished[:0]

    def reset(self, seed: int = 0) -> None:
        """Begin all plays again."""
        self._kernel.begin(seed % SEEDS)
        self.finished = self._finished[:0]
        for told in (self.ended, self.cut, self.rewards):
            told[...] = 0

    def random_actions(self, seed: int) -> Any:
        """Legal actions, int64[count, seats], each with the same probability. The seed and the
        number of the play decide; 0 for players without a choice. The array is read, or copied,
        before the next call."""
        self._kernel.choose(seed % SEEDS)
        return self._chosen

    def step(self, actions: Any) -> None:
        """Take an action in each play, int[count, seats], and update all arrays. The actions of
        players without a choice are not read.

        Raises:
            ValueError: another number of actions, or an illegal action; then no play takes a step.
            GameRuleError: the rules fail; the batch has to be reset.
        """
        np = self._np
        chosen, shape = np.asarray(actions), self._chosen.shape
        if chosen is not self._chosen:
            if chosen.shape != shape or not np.issubdtype(chosen.dtype, np.integer):
                each = "play" if len(shape) == 1 else "player of each play"
                needed = f"{self._chosen.size} whole numbers are needed"
                raise ValueError(f"{needed}, one action for each {each}")
            self._chosen[...] = chosen
        wrong = self._kernel.step()
        if wrong >= 0:
            play, seat = divmod(wrong, self._chosen.size // self.count)
            who = "" if len(shape) == 1 else f" for {self.game.players[seat]!r}"
            raise ValueError(f"action {chosen.flat[wrong]} is not legal{who} in play {play}")
        count = self._kernel.arrays.notes.finished
        self.finished = self._finished[:count]
        self._pay(self._payoffs[:count])

    def _pay(self, payoffs: Any) -> None:
        """The rewards and payoffs of the last step, at their time."""
        np, facts, earned = self._np, self.game.facts, self.rewards
        earned.fill(0)
        if len(payoffs):
            earned[self.finished] = payoffs[:, 1:] / payoffs[:, :1]
        if facts.discount != 1:
            earned *= float(facts.discount)
        if facts.has_rewards:
            earned += self._paid[:, 1:] / self._paid[:, :1]
        if facts.discount != 1:
            earned *= float(facts.discount) ** self._before[:, np.newaxis]

"""Games of one player as environments of Gymnasium: `gymnasium.make("gamedsl/frozen_lake-v0")`.

An observation is the vector of `gamedsl.bridges.planes`; `info["action_mask"]` has a 1 for each
legal action. An illegal action changes nothing, pays nothing, and counts as a step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.bridges.moments import LONGEST
from gamedsl.bridges.sittings import (
    RENDER_MODES,
    Sitting,
    numbered_game,
    refuse_render_mode,
)
from gamedsl.game.game import LoadedGame
from gamedsl.game.library import further_games, shipped_games

gymnasium, np = needed("gymnasium", "gymnasium", "numpy")
Env: Any = gymnasium.Env


class PuzzleEnvironment(Env):
    """A game of one player.

    Args:
        game: a game, or a path, text or name as accepted by `load`, with `parameters`.
        longest: steps after which a play is truncated; None: 1000 unless plays end sooner.
        render_mode: "ansi" (`render` returns text), "human" (prints the text) or None.

    Raises:
        GameSourceError: the text is not a valid game.
        ValueError: a game of several players, an unknown `render_mode`, or `longest` is below 1.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: LoadedGame | str | Path,
        *,
        longest: int | None = None,
        render_mode: str | None = None,
        **parameters: object,
    ) -> None:
        refuse_render_mode(render_mode)
        numbered = numbered_game(game, longest, parameters)
        if len(numbered.game.players) != 1:
            said = f"{numbered.game.name} has {len(numbered.game.players)} players"
            raise ValueError(f"{said}: gamedsl.pettingzoo has environments for several")
        self.numbered = numbered
        self.render_mode = render_mode
        self.sitting = Sitting(numbered, np)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (numbered.planes.size,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(numbered.action_count)
        self._steps, self._most_steps = 0, LONGEST if longest is None else longest

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a play: the observation, and `info`. `seed` seeds the chance events, which are
        those of a play of a batch: by default of play 0, else of play `options["play"]`."""
        super().reset(seed=seed)
        self._steps = 0
        self.sitting.begin(seed, self.np_random, options)
        return self.sitting.vector(0), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The observation, the reward, whether the play has ended, whether it is truncated, and
        `info`, with `illegal` after an illegal action."""
        reward, info = 0.0, {}
        if int(action) in self.sitting.moment.legal(0):
            (reward,) = self.sitting.take([int(action)])
        else:
            info = {"illegal": True}
        self._steps += 1
        is_cut = self.sitting.moment.is_cut
        is_over = self.sitting.is_over and not is_cut
        is_late = not is_over and self._steps >= self._most_steps
        info = {**self._info(), **info}
        return self.sitting.vector(0), reward, is_over, is_cut or is_late, info

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.sitting.mask(0)}

    def render(self) -> str | None:
        """The state as text: returned ("ansi") or printed ("human")."""
        return self.sitting.rendered(self.render_mode)


def register_all() -> None:
    """Register `gamedsl/NAME-v0` for each shipped game; an environment of a game of
    several players is refused when made."""
    place = f"{PuzzleEnvironment.__module__}:{PuzzleEnvironment.__name__}"
    for path in (*shipped_games(), *further_games()):
        gymnasium.register(f"gamedsl/{path.stem}-v0", place, kwargs={"game": path.stem})

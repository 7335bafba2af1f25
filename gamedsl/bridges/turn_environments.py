"""Games as environments of PettingZoo: agents that take turns, or that act in parallel.

An observation is a dictionary of `observation` (the vector of `gamedsl.bridges.planes`) and
`action_mask`. Players are the agents `player_0`, `player_1`, ... in turn order. An illegal action
ends the play: the agent is paid `illegal_reward`, all further agents nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.bridges.moments import Numbered
from gamedsl.bridges.sittings import (
    RENDER_MODES,
    Sitting,
    numbered_game,
    refuse_render_mode,
)
from gamedsl.game.game import LoadedGame

pettingzoo, spaces, error, seeding, np = needed(
    "pettingzoo",
    "pettingzoo",
    "gymnasium.spaces",
    "gymnasium.error",
    "gymnasium.utils.seeding",
    "numpy",
)
AECEnv: Any = pettingzoo.AECEnv
ParallelEnv: Any = pettingzoo.ParallelEnv
ILLEGAL = -1.0


def env(
    game: LoadedGame | str | Path,
    *,
    longest: int | None = None,
    illegal_reward: float = ILLEGAL,
    render_mode: str | None = None,
    **parameters: object,
) -> TurnEnvironment:
    """The game as an AEC environment; where all players choose at once, they are asked in turn
    order, and nobody sees the choices of others before the last.

    Args:
        game: a game, or a path, text or name as accepted by `load`, with `parameters`.
        longest: plies after which a play is truncated; None: 1000 unless plays end sooner.
        illegal_reward: pay for an illegal action.
        render_mode: "ansi" (`render` returns text), "human" (prints the text) or None.

    Raises:
        GameSourceError: the text is not a valid game.
        ValueError: an unknown `render_mode`, or `longest` is below 1.
    """
    return TurnEnvironment(numbered_game(game, longest, parameters), illegal_reward, render_mode)


def parallel_env(
    game: LoadedGame | str | Path,
    *,
    longest: int | None = None,
    illegal_reward: float = ILLEGAL,
    render_mode: str | None = None,
    **parameters: object,
) -> ParallelEnvironment:
    """The game as a parallel environment. If players take turns, the last action is to wait, the
    only legal action of players without a choice. Arguments as in `env`."""
    numbered = numbered_game(game, longest, parameters)
    return ParallelEnvironment(numbered, illegal_reward, render_mode)


class _Table:
    """What both kinds of environments share: agents, spaces, observations, rendering.

    Attributes:
        numbered: the game with the numbers of actions, observations and plies.
        player_names: the names of the agents in the rules.
    """

    waits = 0
    """Further actions: 1 if agents may have to wait."""

    def _set_up(self, game: Numbered, illegal_reward: float, render_mode: str | None) -> None:
        refuse_render_mode(render_mode)
        self.numbered = game
        self.render_mode = render_mode
        self.illegal_reward = illegal_reward
        self.sitting = Sitting(game, np)
        count = len(game.game.players)
        self.possible_agents = [f"player_{number}" for number in range(count)]
        self.agents: list[str] = []
        self._has_begun = False
        self.player_names = {
            agent: player.name
            for agent, player in zip(self.possible_agents, game.game.players, strict=True)
        }
        actions = game.action_count + self.waits
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        vector = spaces.Box(0.0, 1.0, (game.planes.size,), np.float32)
        mask = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": vector, "action_mask": mask})
            for agent in self.possible_agents
        }
        self._rng, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> Any:
        """The space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of the actions of an agent."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of an agent; after the end every action has a 1 in the mask."""
        player = self.possible_agents.index(agent)
        mask = self.sitting.mask(player, self.waits)
        if self.waits and not mask.any():
            mask[-1] = 1
        elif self._is_over():
            mask[:] = 1
        return {"observation": self.sitting.vector(player), "action_mask": mask}

    def _refuse_before_reset(self) -> None:
        """Raises ResetNeeded before the first `reset`."""
        if not self._has_begun:
            raise error.ResetNeeded("no play has begun: call `reset` first")

    def _is_over(self) -> bool:
        return self.sitting.is_over

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self._has_begun = True
        self.agents = list(self.possible_agents)
        self.sitting.begin(seed, self._rng, options)

    def render(self) -> str | None:
        """The state as text: returned ("ansi") or printed ("human")."""
        return self.sitting.rendered(self.render_mode)

    def close(self) -> None:
        """Nothing has to be released."""


def _metadata(kind: str) -> dict[str, Any]:
    return {
        "name": f"gamedsl_{kind}_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }


class TurnEnvironment(_Table, AECEnv):
    """A game whose agents act one after another."""

    metadata = _metadata("turns")

    def __init__(self, game: Numbered, illegal_reward: float, render_mode: str | None) -> None:
        super().__init__()
        self._set_up(game, illegal_reward, render_mode)
        self._chosen: list[int] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play; `seed` seeds the chance events, which are those of a play of a batch: by
        default of play 0, else of play `options["play"]`."""
        self._begin(seed, options)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self._chosen = []
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of an agent; the mask is empty for agents who are not to act."""
        observation = super().observe(agent)
        if agent != self.agent_selection and not self._is_over():
            observation["action_mask"][:] = 0
        return observation

    def step(self, action: int | None) -> None:
        """The action of the selected agent. Raises ResetNeeded before the first `reset`."""
        self._refuse_before_reset()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        moment = self.sitting.moment
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        player = self.possible_agents.index(agent)
        if action is None or int(action) not in moment.legal(player):
            self.rewards[agent] = self.illegal_reward
            self.infos[agent]["illegal"] = True
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._chosen.append(int(action))
            if len(self._chosen) == len(moment.movers):
                paid = self.sitting.take(self._chosen)
                self._chosen = []
                self.rewards = dict(zip(self.agents, paid, strict=True))
                is_cut = self.sitting.moment.is_cut
                self.terminations = dict.fromkeys(self.agents, self._is_over() and not is_cut)
                self.truncations = dict.fromkeys(self.agents, is_cut)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """Select the next agent to act; after the end the first agent."""
        movers = self.sitting.moment.movers
        number = movers[len(self._chosen)] if movers else 0
        self.agent_selection = self.possible_agents[number]
        if any(self.terminations.values()):
            self.agent_selection = self.agents[0]


class ParallelEnvironment(_Table, ParallelEnv):
    """A game whose agents act at the same time."""

    metadata = _metadata("parallel")

    def __init__(self, game: Numbered, illegal_reward: float, render_mode: str | None) -> None:
        super().__init__()
        self.waits = int(game.waits)
        self._set_up(game, illegal_reward, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a play; observations and infos by agent. `seed` and `options` as in
        `TurnEnvironment`."""
        self._begin(seed, options)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """The actions of all agents; observations, rewards, terminations, truncations and infos by
        agent. Actions of agents who do not choose are not read. Raises ResetNeeded before the first
        `reset`."""
        self._refuse_before_reset()
        agents, moment = self.agents, self.sitting.moment
        rewards = dict.fromkeys(agents, 0.0)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        chosen = [actions.get(agents[mover]) for mover in moment.movers]
        is_over = is_cut = False
        for mover, action in zip(moment.movers, chosen, strict=True):
            if action is None or int(action) not in moment.legal(mover):
                is_over = True
                rewards[agents[mover]] = self.illegal_reward
                infos[agents[mover]] = {"illegal": True}
        if not is_over:
            paid = self.sitting.take([int(action) for action in chosen if action is not None])
            rewards = dict(zip(agents, paid, strict=True))
            is_cut = self.sitting.moment.is_cut
            is_over = self._is_over()
        seen = self._observed()
        if is_over:
            self.agents = []
        ended = dict.fromkeys(agents, is_over and not is_cut)
        return seen, rewards, ended, dict.fromkeys(agents, is_cut), infos

    def _observed(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in self.agents}

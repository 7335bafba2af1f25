"""Plays between agents: functions from the view of a position to an action.

A game and an agent for every player give a `Play`. Chance events are drawn at random. An agent gets
the position as its player sees it, and returns the name or number of an action.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

from gamedsl.game.contract import Action, History, JointAction
from gamedsl.game.notebook import Shown, StateView
from gamedsl.game.paid import Paid
from gamedsl.game.reading import Step
from gamedsl.game.steps import drawn_outcome
from gamedsl.model.errors import IllegalActionError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source.records import dataclass

Agent = Callable[[StateView], Action | str]
"""Chooses an action: `view.viewer` is the player to choose, `view.action_names` the legal
actions.
"""


@dataclass(frozen=True, slots=True)
class Play:
    """A play.

    Attributes:
        steps: every state with the action taken in it, chance events included.
        names: names of the actions, in order; `str(play)` joins them, for `game.position`.
        state: the final state.
        payoffs: of all players in turn order, rewards included; None if the play was broken off.
    """

    steps: tuple[Step, ...]
    names: tuple[str, ...]
    state: State
    payoffs: tuple[Fraction, ...] | None

    def __str__(self) -> str:
        return " ".join(self.names)


def play_out(
    game: Shown, agents: Sequence[Agent], start: State, *, rng: Random, longest: int
) -> Play:
    """The play of the agents from a state on, broken off after `longest` steps.

    Raises:
        ValueError: the numbers of agents and players differ.
        IllegalActionError: an agent returns an illegal action; a note names the player.
        GameRuleError: the rules fail during the play.
    """
    if len(agents) != len(game.players):
        players = ", ".join(map(repr, game.players))
        raise ValueError(f"an agent is needed for each of {players}; there are {len(agents)}")
    state, paid = start, Paid(game)
    steps: list[Step] = []
    while not game.is_terminal(state) and len(steps) < longest:
        action = choice_of(game, agents, (*steps, (state, None)), rng)
        steps.append((state, action))
        state = game.result(state, action)
        paid.add(*steps[-1], state)
    payoffs = paid.total(game.utilities(state)) if game.is_terminal(state) else None
    names = tuple(game.action_name(*step) for step in steps)
    return Play(tuple(steps), names, state, payoffs)


def choice_of(
    game: Shown, agents: Sequence[Agent], history: History, rng: Random
) -> Action | JointAction:
    """The step that the agents take after a play, or that chance takes. Raises
    IllegalActionError."""
    state = history[-1][0]
    mover = game.current_player(state)
    if mover == CHANCE:
        return drawn_outcome(game, state, rng)
    if mover == SIMULTANEOUS:
        return tuple(_answer(game, agents[player], history, player) for player in game.players)
    return _answer(game, agents[mover], history, mover)


def _answer(game: Shown, agent: Agent, history: History, player: int) -> Action:
    state = history[-1][0]
    answer = agent(StateView(game, state, player, history))
    try:
        action = game.action_named(state, answer, player) if isinstance(answer, str) else answer
        if isinstance(action, int) and action in game.legal_actions(state, player):
            return action
        message = f"an agent answers with the name or the number of a legal action, not {answer!r}"
        raise IllegalActionError(message, answer, state)
    except IllegalActionError as error:
        error.add_note(f"it was for {game.players[player]!r} to answer")
        raise

"""Plays: under way (`Sitting`), and as a whole (`Play`).

An agent is a function from the view of a position to an action. A game and an agent for every
player give a `Play`. Chance events are drawn at random. An agent gets
the position as its player sees it, and returns the name or number of an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from random import Random

from gamedsl.game.contract import Action, Game, History, JointAction
from gamedsl.game.notebook import Shown, StateView
from gamedsl.game.paid import payoffs_of, payoffs_without_end
from gamedsl.game.reading import Step, read_play
from gamedsl.game.steps import step_of
from gamedsl.model.errors import IllegalActionError
from gamedsl.model.state import State
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


class Sitting:
    """A play under way.

    Attributes:
        game: the game.
        root: the first position; default: the initial state.
        steps: the steps since, each with the state before; `state`: the state now.
    """

    def __init__(self, game: Game, root: State | None = None, steps: Iterable[Step] = ()) -> None:
        self.game = game
        self.root = self.state = game.initial_state() if root is None else root
        self.steps: list[Step] = []
        for _, action in steps:
            self.make(action)

    @property
    def history(self) -> History:
        """The play, as algorithms take it."""
        return (*self.steps, (self.state, None))

    @property
    def play(self) -> Play:
        """The play so far."""
        names = tuple(self.game.action_name(*step) for step in self.steps)
        return Play(tuple(self.steps), names, self.state, self.payoffs)

    @property
    def payoffs(self) -> tuple[Fraction, ...] | None:
        """What the play has paid, rewards included; None before the end."""
        return payoffs_of(self.game, self.steps, self.state)

    @property
    def payoffs_so_far(self) -> tuple[Fraction, ...]:
        """What the play counts if it is broken off here."""
        return payoffs_without_end(self.game, self.steps, self.state)

    def make(self, action: Action | JointAction) -> None:
        """Carry out an action, or an outcome of chance."""
        self.steps.append((self.state, action))
        self.state = self.game.result(self.state, action)

    def read(self, moves: str) -> None:
        """Make moves, as typed after `--at`. Raises IllegalActionError; then none is made."""
        steps, state = read_play(self.game, self.state, moves)
        self.steps += steps
        self.state = state

    def back_to(self, count: int) -> None:
        """Keep the first `count` steps alone; -1: all but the last."""
        if count < len(self.steps):
            self.state = self.steps[count][0]
            del self.steps[count:]


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
    sitting = Sitting(game, start)
    while not game.is_terminal(sitting.state) and len(sitting.steps) < longest:
        sitting.make(choice_of(game, agents, sitting.history, rng))
    return sitting.play


def choice_of(
    game: Shown, agents: Sequence[Agent], history: History, rng: Random
) -> Action | JointAction:
    """The step that the agents take after a play, or that chance takes. Raises
    IllegalActionError."""
    return step_of(
        game, history[-1][0], rng, lambda player: _answer(game, agents[player], history, player)
    )


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

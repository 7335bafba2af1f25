"""Ready-made agents for `game.play`.

An `Agent` is a function from a view of a position to an action. Agents with random choices have a
private generator, initialized by the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from gamedsl.bridges.protocols.client import EngineAgent
from gamedsl.game.contract import Action, Game
from gamedsl.game.notebook import StateView
from gamedsl.game.play import Agent
from gamedsl.model import IllegalActionError
from gamedsl.python.evaluations import ViewEvaluation, evaluation_of
from gamedsl.solvers.advice.counsel import Counsel
from gamedsl.solvers.textbook.algorithms import Algorithm, search
from gamedsl.source.keywords import answering


@answering
def random_agent(seed: int = 0) -> Agent:
    """An agent that plays legal actions uniformly at random."""
    rng = Random(seed)
    return lambda view: rng.choice(view.action_names)


@answering
def person_agent(read: Callable[[str], str] = input) -> Agent:
    """A human player: sees the position and is asked until an action is legal.

    Args:
        read: called with the prompt; returns the answer.
    """

    def agent(view: StateView) -> str:
        assert view.viewer is not None, "an agent looks for a player"
        print(view)
        while True:
            answer = read(f"{view.game.players[view.viewer]!r}> ")
            try:
                view.game.action_named(view.state, answer, view.viewer)
            except IllegalActionError as error:
                print(error)
            else:
                return answer

    return agent


@answering
def search_agent(
    limit: int,
    evaluation: ViewEvaluation | None = None,
    algorithm: Algorithm | str = Algorithm.AUTO,
) -> Agent:
    """An agent that plays the decision of a depth-limited search.

    Args:
        limit: depth of the search in plies.
        evaluation: EVAL as in `gamedsl.search`.
        algorithm: name of the search algorithm, as in `gamedsl.search`.
    """
    chosen = Algorithm(algorithm)

    def agent(view: StateView) -> Action:
        state_evaluation = None if evaluation is None else evaluation_of(view.game, evaluation)
        decision = search(chosen, view.game, view.state, limit=limit, evaluation=state_evaluation)
        assert decision.action is not None, "a player is to move"
        return decision.action

    return agent


@answering
def best_agent(seconds: float = 1, seed: int = 0) -> Agent:
    """An agent that plays a best move, proved or estimated; in games with secrets or simultaneous
    moves an action drawn from an equilibrium, or from sampled strategies.

    The first answer tries to solve the game within `seconds`; if unsolved, moves are estimated,
    with `seconds` for a move. In games with secrets the agent needs the play that led to the
    position (`view.history`, as in `game.play`), of which it uses what its player has observed.

    The agent raises UnsupportedGameError if nothing is advised.
    """
    advisers: dict[Game, Counsel] = {}

    def agent(view: StateView) -> Action:
        history = view.history or ((view.state, None),)
        if view.game not in advisers:
            advisers.clear()
            advisers[view.game] = Counsel(view.game, Random(seed), seconds)
            advisers[view.game].prepare(history, seconds)
        player = view.viewer
        if player is None:
            player = view.game.current_player(view.state)
        return advisers[view.game].advise(history).of(player)

    return agent


@answering
def engine_agent(
    command: str | Sequence[str], seconds: float = 1, protocol: str = "json"
) -> EngineAgent:
    """An agent that is another program, started by a command line: `gamedsl engine GAME`, or an
    engine of chess. The program ends with `agent.close()`, or at the end of a `with` block.

    Args:
        seconds: the time for a move.
        protocol: `"json"` for the JSON lines of `gamedsl engine`, or `"uci"`.

    Raises:
        EngineError: the program cannot be started.
        ValueError: the protocol is unknown.
    """
    return EngineAgent(command, seconds, protocol)

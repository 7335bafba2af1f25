"""The strategies of a solution as a policy of OpenSpiel."""

from __future__ import annotations

from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.bridges.spiel_contract import SpielGame
from gamedsl.bridges.spiel_games import load
from gamedsl.game.contract import Game, History
from gamedsl.game.game import LoadedGame
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.graphs.information import information_sets, play_names
from gamedsl.solvers.solution import Solution

(pyspiel,) = needed("openspiel", "pyspiel")

MOST_HISTORIES = 300_000
"""Most histories of a game whose strategies are listed."""


def policy(solution: Solution) -> tuple[Any, Any]:
    """The game of a solution as a `pyspiel.Game`, and the strategies of all players as a
    `pyspiel.TabularPolicy` of that game: `pyspiel.exploitability(*policy(solution))`.

    The game of a file is the game of `load`; a game of `from_openspiel` is OpenSpiel's own. Where
    the solution does not mix, its best action has probability 1.

    Raises:
        UnsupportedGameError: the game has more than `MOST_HISTORIES` histories, or the solution
            has no strategy in a position.
    """
    game: Game = solution.rules if solution.part is None else solution.part.whole
    peer = game.peer if isinstance(game, SpielGame) else _loaded(game)
    try:
        sets = information_sets(game, max_histories=MOST_HISTORIES)
    except OutOfBudgetError:
        raise UnsupportedGameError(
            f"{game.name} has more than {MOST_HISTORIES:,} histories, or plays without end",
            "smaller parameters may have few enough",
        ) from None
    table = {}
    for information_set in sets:
        history, player = information_set.members[0].history, information_set.player
        play = peer.new_initial_state()
        for _, action in history[:-1]:
            play.apply_actions(action) if isinstance(action, tuple) else play.apply_action(action)
        table[play.information_state_string(player)] = _chances(solution, game, history, player)
    return peer, pyspiel.TabularPolicy(table)


def _loaded(game: Game) -> Any:
    if not isinstance(game, LoadedGame):
        raise UnsupportedGameError(f"{game.name} is neither a file nor a game of OpenSpiel")
    return load(game)


def _chances(
    solution: Solution, game: Game, history: History, player: int
) -> list[tuple[int, float]]:
    """A player's actions at the end of a history, with probabilities."""
    state = history[-1][0]
    mine = player if game.current_player(state) == SIMULTANEOUS else None
    actions = game.legal_actions(state, mine)
    for local in solution.strategies_at(history):
        if local.player == player:
            chances = (float(chance) for _, chance in local.choices)
            return list(zip(actions, chances, strict=True))
    if state not in solution:
        names = ", ".join(play_names(game, history)) or "the first position"
        raise UnsupportedGameError(
            f"the solution of {game.name} has no strategy after {names}",
            '`goal="all"` asks for the value of every position',
        )
    choice = solution.choice(state)
    chosen = choice[player] if isinstance(choice, tuple) else choice
    return [(action, float(action == chosen)) for action in actions]

"""Strategies of players, position by position, in solved graphs with randomised choices.

Local strategies are listed for every position in which a player has a choice, nearest first, or for
all players in a position with simultaneous choices. No game is solved in the module.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gamedsl.game.contract import Action
from gamedsl.model.state import State
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.exact.solved import Solved, SolvedGraph

MOST_POSITIONS = 200
"""Greatest number of positions listed per player; the nearest come first."""
Weights = dict[Action, Fraction]


def stage_strategies(solved: SolvedGraph) -> tuple[LocalStrategy, ...]:
    """Local strategies of every player, player by player.

    Covers positions that the player's own choices can reach. Empty if no player randomises.
    """
    if not solved.mixtures:
        return ()
    players = range(len(solved.game.players))
    return tuple(strategy for player in players for strategy in _of(solved, player))


def stage_choices(solved: Solved, state: State, seen: tuple[str, ...]) -> tuple[LocalStrategy, ...]:
    """Each player's strategy in a state of simultaneous choices; () elsewhere. `seen` are the
    names of the actions that led to the state."""
    game = solved.game
    mixtures, joint = solved.mixture(state), solved.choice(state)
    if mixtures is None and not isinstance(joint, tuple):
        return ()
    strategies = []
    for player in game.players:
        if mixtures is not None:
            weights = dict(mixtures[player])
        else:
            assert isinstance(joint, tuple), "all choose at once"
            weights = {joint[player]: Fraction(1)}
        legal = game.legal_actions(state, player)
        choices = (
            (game.action_name(state, action), weights.get(action, Fraction(0))) for action in legal
        )
        strategies.append(LocalStrategy(int(player), (), seen, tuple(choices)))
    return tuple(strategies)


def _of(solved: SolvedGraph, player: int) -> Iterator[LocalStrategy]:
    graph, game = solved.graph, solved.game
    reached, known, listed = [0], {0}, 0
    for node in reached:
        weights = _weights(solved, node, player)
        if len(weights) > 1 and listed < MOST_POSITIONS:
            listed += 1
            state = graph.states[node]
            choices = ((game.action_name(state, move), chance) for move, chance in weights.items())
            yield LocalStrategy(player, (), tuple(graph.play_to(node)), tuple(choices))
        for edge, child in enumerate(graph.successors[node]):
            action = _action_of(solved, node, edge, player)
            if child not in known and (action is None or weights[action]):
                known.add(child)
                reached.append(child)


def _action_of(solved: SolvedGraph, node: int, edge: int, player: int) -> Action | None:
    """The player's own action on an edge; None if only opponents decide."""
    action, mover = solved.graph.actions[node][edge], solved.graph.movers[node]
    if isinstance(action, tuple):
        return action[player]
    return action if mover == player else None


def _weights(solved: SolvedGraph, node: int, player: int) -> Weights:
    """Probability of every legal action of a player; empty if only opponents decide."""
    if node in solved.mixtures:
        return dict(solved.mixtures[node][player])
    edges = range(len(solved.graph.successors[node]))
    actions = [_action_of(solved, node, edge, player) for edge in edges]
    if solved.choices[node] < 0 or actions[0] is None:
        return {}
    chosen = actions[solved.choices[node]]
    return {action: Fraction(action == chosen) for action in actions if action is not None}

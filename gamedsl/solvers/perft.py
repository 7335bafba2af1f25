"""Perft: how many plays of a given length there are, counted by carrying out every one.

In: a game, a state, a depth. Out: counts. Different ways to one position are counted apart; equal
positions of one depth are expanded once. The measure by which move generators are compared (the
name comes from Crafty, "performance test, move path enumeration").

Conventions: a leaf is a position at exactly that depth, so a game that ends earlier counts only
at the depth where it ends. (Othello tables often count a finished game at every later depth; the
two differ from the depth on where some game is over.) A chance event is not a ply: its outcomes
multiply the count. Where all players choose at once, every joint action counts and is one ply.
"""

from __future__ import annotations

from math import prod

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.solvers.graph import actions_at

Level = dict[State, int]
"""Positions with the number of plays that lead to each."""


def perft(
    game: Game, state: State | None = None, depth: int = 1, *, turns: bool = False
) -> tuple[int, ...]:
    """The number of plays at each depth from 0 to `depth`, from `state` (default: S0).

    Depth counts plies, or, with `turns`, changes of the player to move (a game that ends
    completes the turn), so that the jumps of one capture in draughts count as one.

    Raises:
        UnsupportedGameError: `turns`, but one turn can go on for ever.
        ValueError: the depth is negative.
    """
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    level = _settled(game, {game.initial_state() if state is None else state: 1})
    counts = [sum(level.values())]
    for ply in range(1, depth + 1):
        if ply == depth and not turns and not game.facts.has_chance:
            counts.append(sum(n * _count_actions(game, s) for s, n in level.items()))
        else:
            level = _turn(game, level) if turns else _ply(game, level)
            counts.append(sum(level.values()))
    return tuple(counts)


def divide(
    game: Game, state: State | None = None, depth: int = 1, *, turns: bool = False
) -> tuple[tuple[str, int], ...]:
    """For every action in `state` its name and the number of plays at `depth` that begin so.

    Where the game begins with a chance event the outcomes are listed instead, each with the
    plays at `depth` after it. The counts add up to `perft(...)[depth]`.

    Raises: as `perft`; ValueError too if the depth is 0.
    """
    if depth < 1:
        raise ValueError(f"depth {depth} divides nothing; it must be at least 1")
    root = game.initial_state() if state is None else state
    is_chance = game.current_player(root) == CHANCE
    rows = []
    for action in _branches(game, root):
        level = _settled(game, {game.result(root, action): 1})
        if is_chance:
            left = depth
        elif turns:
            level = _rest_of_turn(game, root, level)
            left = depth - 1
        else:
            left = depth - 1
        for _ in range(left):
            level = _turn(game, level) if turns else _ply(game, level)
        rows.append((game.action_name(root, action), sum(level.values())))
    return tuple(rows)


def _branches(game: Game, state: State) -> tuple[Action, ...] | tuple[JointAction, ...]:
    if game.current_player(state) == CHANCE:
        return tuple(outcome for outcome, _ in game.chance_outcomes(state))
    return () if game.is_terminal(state) else actions_at(game, state)


def _count_actions(game: Game, state: State) -> int:
    if game.is_terminal(state):
        return 0
    if game.current_player(state) == SIMULTANEOUS:
        return prod(len(game.legal_actions(state, player)) for player in game.players)
    return len(actions_at(game, state))


def _settled(game: Game, level: Level) -> Level:
    """The level with every chance event replaced by its outcomes."""
    while game.facts.has_chance:
        events = [state for state in level if game.current_player(state) == CHANCE]
        if not events:
            break
        for state in events:
            plays = level.pop(state)
            for outcome, _ in game.chance_outcomes(state):
                child = game.result(state, outcome)
                level[child] = level.get(child, 0) + plays
    return level


def _ply(game: Game, level: Level) -> Level:
    following: Level = {}
    for state, plays in level.items():
        for action in _branches(game, state):
            child = game.result(state, action)
            following[child] = following.get(child, 0) + plays
    return _settled(game, following)


def _turn(game: Game, level: Level) -> Level:
    """The positions after one whole turn, each state's mover playing on until the turn passes."""
    finished: Level = {}
    for state, plays in level.items():
        if not game.is_terminal(state):
            _add(finished, _rest_of_turn(game, state, _ply(game, {state: plays})))
    return finished


def _rest_of_turn(game: Game, start: State, level: Level) -> Level:
    """Play on from `level`, reached by a move in `start`, until somebody else is to move."""
    mover = game.current_player(start)
    finished: Level = {}
    seen = {start}
    rounds = 0
    while level:
        going_on = {}
        for state, plays in level.items():
            if game.current_player(state) == mover:
                going_on[state] = plays
            else:
                _add(finished, {state: plays})
        seen.update(going_on)
        rounds += 1
        if rounds > len(seen):
            raise UnsupportedGameError(
                f"one turn of {game.name} can go on for ever, so turns cannot be counted",
                "count plies instead",
            )
        level = _ply(game, going_on)
    return finished


def _add(level: Level, more: Level) -> None:
    for state, plays in more.items():
        level[state] = level.get(state, 0) + plays

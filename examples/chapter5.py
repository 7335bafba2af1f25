"""Searches of chapter 5 of Russell and Norvig, "Artificial Intelligence", 4th edition, in Python.

`python examples/chapter5.py` shows what each search finds. Change a line, or write your own search.
A game comes from `gamedsl.load`. What the book calls ACTIONS, RESULT, TO-MOVE, IS-TERMINAL and
UTILITY are its methods `legal_actions`, `result`, `current_player`, `is_terminal` and `utility`.
An action is a number; `game.action_name(state, action)` is its name.

MAX is the player to move where a search begins, and values are payoffs of MAX. A player may move
twice in a row, so MAX-VALUE and MIN-VALUE do not call each other, as they do in the book, but a
function that asks TO-MOVE. Where play can go round in circles, Python ends a search with a
RecursionError; `heuristic_alpha_beta_search` alone stops by itself.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gamedsl import CHANCE, Game, LoadedGame, Player, State, UnsupportedGameError, load

Value = Fraction | float  # a payoff of MAX, or infinity
Payoffs = tuple[Fraction, ...]  # of all players, in turn order
INFINITY: Value = float("inf")


def searching_player(game: Game, state: State, *, chance: bool, many_players: bool) -> Player:
    """TO-MOVE(state); a game that the search does not take is refused in a sentence."""
    facts = game.facts
    if facts.has_secrets or facts.is_simultaneous:
        trait = "hidden information" if facts.has_secrets else "simultaneous moves"
        raise UnsupportedGameError(f"{game.name} has {trait}, which no search of this file takes")
    if not facts.pays_at_the_end:
        raise UnsupportedGameError(f"{game.name} does not pay by the end of a play alone")
    if facts.has_chance and not chance:
        raise UnsupportedGameError(f"{game.name} has chance nodes: use expectiminimax_search")
    is_opposed = len(game.players) == 2 and facts.payoff_sum != "general"
    if not (many_players or is_opposed or len(game.players) == 1):
        raise UnsupportedGameError(f"players of {game.name} are not MAX and MIN: use max_n_search")
    if game.is_terminal(state) or game.current_player(state) == CHANCE:
        raise ValueError("no player is to move in this state")
    return game.current_player(state)


def minimax_search(game: Game, state: State) -> tuple[Value, Any]:
    """MINIMAX-SEARCH (figure 5.3): the value of the state for the player to move, and a move."""
    player = searching_player(game, state, chance=False, many_players=False)
    return max_value(game, state, player)


def minimax_value(game: Game, state: State, player: Player) -> tuple[Value, Any]:
    """The value of the state for `player`, who is MAX, and a move that leads to it."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if game.current_player(state) == player:
        return max_value(game, state, player)
    return min_value(game, state, player)


def max_value(game: Game, state: State, player: Player) -> tuple[Value, Any]:
    """MAX-VALUE (figure 5.3): MAX takes the move with the greatest value for himself."""
    v, move = -INFINITY, None
    for a in game.legal_actions(state):
        v2, _ = minimax_value(game, game.result(state, a), player)
        if v2 > v:
            v, move = v2, a
    return v, move


def min_value(game: Game, state: State, player: Player) -> tuple[Value, Any]:
    """MIN-VALUE (figure 5.3): MIN takes the move with the least value for MAX."""
    v, move = INFINITY, None
    for a in game.legal_actions(state):
        v2, _ = minimax_value(game, game.result(state, a), player)
        if v2 < v:
            v, move = v2, a
    return v, move


def alpha_beta_search(game: Game, state: State) -> tuple[Value, Any]:
    """ALPHA-BETA-SEARCH (figure 5.7): the value of MINIMAX-SEARCH, mostly from fewer states."""
    player = searching_player(game, state, chance=False, many_players=False)
    return alpha_beta_max_value(game, state, player, -INFINITY, INFINITY, INFINITY)


def heuristic_alpha_beta_search(game: Game, state: State, limit: int = 3) -> tuple[Value, Any]:
    """The same with EVAL for what comes after `limit` plies, at least 1 (section 5.3)."""
    player = searching_player(game, state, chance=False, many_players=False)
    return alpha_beta_max_value(game, state, player, -INFINITY, INFINITY, limit)


def alpha_beta_value(
    game: Game, state: State, player: Player, alpha: Value, beta: Value, plies: Value
) -> tuple[Value, Any]:
    """The value of the state for `player`, who is MAX, or a bound outside of alpha and beta."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if is_cutoff(game, state, player, plies):
        return evaluation(game, state, player), None
    if game.current_player(state) == player:
        return alpha_beta_max_value(game, state, player, alpha, beta, plies)
    return alpha_beta_min_value(game, state, player, alpha, beta, plies)


def alpha_beta_max_value(
    game: Game, state: State, player: Player, alpha: Value, beta: Value, plies: Value
) -> tuple[Value, Any]:
    """MAX-VALUE (figure 5.7): elsewhere MAX is sure of alpha, and MIN of beta."""
    v, move = -INFINITY, None
    for a in game.legal_actions(state):
        v2, _ = alpha_beta_value(game, game.result(state, a), player, alpha, beta, plies - 1)
        if v2 > v:
            v, move = v2, a
            alpha = max(alpha, v)
        if v >= beta:
            return v, move
    return v, move


def alpha_beta_min_value(
    game: Game, state: State, player: Player, alpha: Value, beta: Value, plies: Value
) -> tuple[Value, Any]:
    """MIN-VALUE (figure 5.7): elsewhere MAX is sure of alpha, and MIN of beta."""
    v, move = INFINITY, None
    for a in game.legal_actions(state):
        v2, _ = alpha_beta_value(game, game.result(state, a), player, alpha, beta, plies - 1)
        if v2 < v:
            v, move = v2, a
            beta = min(beta, v)
        if v <= alpha:
            return v, move
    return v, move


def is_cutoff(game: Game, state: State, player: Player, plies: Value) -> bool:
    """IS-CUTOFF (section 5.3): no plies are left, and the state is quiescent or 8 plies beyond."""
    return plies <= -8 or (plies <= 0 and game.is_quiescent(state, player))


def evaluation(game: Game, state: State, player: Player) -> Value:
    """EVAL (section 5.3): `evaluate` of the game file for `player`, brought between the worst and
    the best payoff, so that no guess equals a win. For an EVAL of your own change `guess`."""
    guess = game.evaluate(state, player)
    worst, best = game.facts.utility_bounds
    middle, half = (worst + best) / 2, (best - worst) / 2
    x = (guess - middle) / (half or 1)
    if abs(x) > Fraction(1, 2):
        x = x / abs(x) - 1 / (4 * x)
    return middle + x * half


def max_n_search(game: Game, state: State) -> tuple[Payoffs, Any]:
    """The payoffs of all players, and a best move of the player to move (section 5.2.2)."""
    player = searching_player(game, state, chance=True, many_players=True)
    values = {a: max_n(game, game.result(state, a)) for a in game.legal_actions(state)}
    move = max(values, key=lambda a: values[a][player])
    return values[move], move


def max_n(game: Game, state: State) -> Payoffs:
    """The payoffs of all players, where each takes the first move that is best for himself."""
    if game.is_terminal(state):
        return game.utilities(state)
    player = game.current_player(state)
    if player == CHANCE:
        outcomes = [(p, max_n(game, game.result(state, r))) for r, p in game.chance_outcomes(state)]
        return tuple(sum((p * v[i] for p, v in outcomes), Fraction(0)) for i in game.players)
    values = [max_n(game, game.result(state, a)) for a in game.legal_actions(state)]
    return max(values, key=lambda payoffs: payoffs[player])


def expectiminimax_search(game: Game, state: State) -> tuple[Value, Any]:
    """The expected payoff of the player to move, and a best move (section 5.5)."""
    player = searching_player(game, state, chance=True, many_players=False)
    moves = game.legal_actions(state)
    values = {a: expectiminimax(game, game.result(state, a), player) for a in moves}
    move = max(values, key=lambda a: values[a])
    return values[move], move


def expectiminimax(game: Game, state: State, player: Player) -> Value:
    """EXPECTIMINIMAX (section 5.5): the expected payoff of `player`, who is MAX."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if game.current_player(state) == CHANCE:
        outcomes = game.chance_outcomes(state)
        return sum(p * expectiminimax(game, game.result(state, r), player) for r, p in outcomes)
    moves = game.legal_actions(state)
    values = [expectiminimax(game, game.result(state, a), player) for a in moves]
    return max(values) if game.current_player(state) == player else min(values)


class Counted:
    """A game that counts the states a search looks at: each is asked IS-TERMINAL once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = 0

    def is_terminal(self, state: State) -> bool:
        """IS-TERMINAL, counted."""
        self.states += 1
        return self.game.is_terminal(state)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


def show(game: LoadedGame, moves: str, *searches: Callable[..., tuple[Any, Any]]) -> None:
    """Print what searches find after these moves: a value, a move, and how many states it took."""
    state = game.position(moves)
    print(f"\n{game.name}{moves and f', after {moves}'}: {game.current_player(state)!r} to move")
    for search in searches:
        counted = Counted(game)
        value, move = search(counted, state)
        payoffs = f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)
        name = game.action_name(state, move)
        print(f"  {search.__name__:<28}{payoffs:>10}  {name:<12}{counted.states:>8,} states")


def main() -> None:
    """Show each search at work on a game that comes with gamedsl."""
    show(load("aima_fig_5_2"), "", minimax_search, alpha_beta_search)
    show(load("tic_tac_toe"), "a1 b1", minimax_search, alpha_beta_search)
    show(load("aima_three_player"), "", max_n_search)
    show(load("expectiminimax"), "", expectiminimax_search)
    show(load("othello_small"), "b1", alpha_beta_search, heuristic_alpha_beta_search)


if __name__ == "__main__":
    main()

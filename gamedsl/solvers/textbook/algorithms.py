"""The depth-first textbook algorithms, by name.

In: a name, a game, a state, an order of moves, and optionally a depth limit. Out: the decision,
with every step reported to the observer. For user interfaces with a choice of algorithm; each
algorithm is in a separate module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.alpha_beta import alpha_beta_search
from gamedsl.solvers.textbook.cutoff import alpha_beta_cutoff_search, h_minimax_decision
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.evaluation import file_evaluation
from gamedsl.solvers.textbook.expectiminimax import expectiminimax_decision
from gamedsl.solvers.textbook.leaves import Evaluation
from gamedsl.solvers.textbook.maxn import maxn_decision
from gamedsl.solvers.textbook.minimax import minimax_decision
from gamedsl.solvers.textbook.ordering import (
    Ordering,
    declared_order,
    evaluated_order,
    reversed_order,
    solved_order,
    worst_order,
)
from gamedsl.solvers.textbook.paranoid import paranoid_decision
from gamedsl.solvers.textbook.star import star1_decision, star2_decision
from gamedsl.solvers.textbook.trace import Observer
from gamedsl.source.choices import Choice
from gamedsl.source.plurals import count


class Algorithm(Choice):
    """Algorithms that can be watched; AUTO is the algorithm that fits the game."""

    AUTO = "auto"
    MINIMAX = "minimax"
    ALPHA_BETA = "alpha-beta"
    MAXN = "maxn"
    PARANOID = "paranoid"
    EXPECTIMINIMAX = "expectiminimax"
    STAR1 = "star1"
    STAR2 = "star2"


class Order(Choice):
    """Orders of visiting moves."""

    DECLARED = "declared"
    REVERSED = "reversed"
    EVALUATE = "evaluate"
    """The best by the file's `evaluate` first."""
    BEST = "best"
    """The truly best first: the order with the most cuts by alpha-beta."""
    WORST = "worst"


DECISIONS: Mapping[Algorithm, Callable[..., Decision]] = {
    Algorithm.MINIMAX: minimax_decision,
    Algorithm.ALPHA_BETA: alpha_beta_search,
    Algorithm.PARANOID: paranoid_decision,
    Algorithm.EXPECTIMINIMAX: expectiminimax_decision,
    Algorithm.STAR1: star1_decision,
    Algorithm.STAR2: star2_decision,
}
"""The searches of whole plays that take an order of moves."""
LIMITED: Mapping[Algorithm, Callable[..., Decision]] = {
    Algorithm.MINIMAX: h_minimax_decision,
    Algorithm.EXPECTIMINIMAX: h_minimax_decision,
    Algorithm.ALPHA_BETA: alpha_beta_cutoff_search,
}
"""The searches with a depth limit."""


def search(
    algorithm: Algorithm,
    game: Game,
    state: State | None = None,
    *,
    limit: int | None = None,
    evaluation: Evaluation | None = None,
    ordering: Ordering = declared_order,
    observer: Observer | None = None,
) -> Decision:
    """Runs an algorithm with the first player as MAX (paranoid: the player to move); AUTO runs the
    algorithm given by `fitting`.

    Max^n is defined by the declared order (ties go to the first action), and accepts no different
    order. At the limit `evaluation` is EVAL; None means the file's `evaluate`.

    Raises:
        UnsupportedGameError: the algorithm does not apply to the game, or has no depth limit.
        ValueError: an evaluation is given without a limit.
    """
    if algorithm is Algorithm.AUTO:
        algorithm = fitting(game)
    if limit is not None:
        if algorithm not in LIMITED:
            raise UnsupportedGameError(
                f"{algorithm} looks at whole plays and has no depth limit",
                "use minimax, expectiminimax or alpha-beta with a limit"
                if game.facts.is_opposed or len(game.players) == 1
                else "search without a limit, or ask `mcts` for an estimate",
            )
        return LIMITED[algorithm](
            game, limit, state, evaluation=evaluation, ordering=ordering, observer=observer
        )
    if evaluation is not None:
        raise ValueError("an evaluation is asked at a depth limit, and there is none")
    if algorithm is Algorithm.MAXN:
        return maxn_decision(game, state, observer=observer)
    return DECISIONS[algorithm](game, state, ordering=ordering, observer=observer)


def fitting(game: Game) -> Algorithm:
    """The textbook's search for games of this kind.

    Alpha-beta for two players with opposed interests, minimax (with MAX alone) for one player,
    expectiminimax with chance, and max^n where a single number does not describe a position's
    value.
    """
    players = len(game.players)
    if players > 1 and not game.facts.is_opposed:
        return Algorithm.MAXN
    if game.facts.has_chance:
        return Algorithm.EXPECTIMINIMAX
    return Algorithm.ALPHA_BETA if players > 1 else Algorithm.MINIMAX


def ordering_of(order: Order, game: Game, root: State, *, max_positions: int) -> Ordering:
    """An order by name; the best and the worst are found by solving the game from `root`.

    Raises:
        UnsupportedGameError: the file has no `evaluate`; or the game cannot be solved, or not
            within `max_positions`.
    """
    match order:
        case Order.DECLARED:
            return declared_order
        case Order.REVERSED:
            return reversed_order
        case Order.EVALUATE:
            evaluations = tuple(file_evaluation(game, player) for player in game.players)
            return evaluated_order(lambda state, player: evaluations[player](state))
        case Order.BEST | Order.WORST:
            solution = solve(game, root, SolveOptions(max_positions=max_positions))
            if solution.solved is None:
                raise UnsupportedGameError(
                    f"the {order} order has to be found by solving, and {game.name} has more than "
                    f"{count(max_positions, 'position')} from here on",
                    "use the declared order",
                )
            by_value = solved_order if order is Order.BEST else worst_order
            return by_value(solution.moves_at)
        case _:
            assert_never(order)

"""Values, best moves and counts in one call each.

Games and positions are given as described in `coerce`.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from gamedsl.game.accelerator import PlayoutCounts
from gamedsl.model import State
from gamedsl.python.coerce import GivenGame, GivenState, game_of, history_of, state_of
from gamedsl.python.evaluations import ViewEvaluation, evaluation_of
from gamedsl.reports.trees.search import Visits
from gamedsl.solvers import perft as counting
from gamedsl.solvers import planner, sums
from gamedsl.solvers.advice import best_moves
from gamedsl.solvers.advice.best_moves import BestMoves
from gamedsl.solvers.feasibility import estimate as feasibility
from gamedsl.solvers.feasibility.estimate import Estimate
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.memory import usable_processors
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.montecarlo import random_plays
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.solution import Goal, Solution
from gamedsl.solvers.sums import SumValue
from gamedsl.solvers.textbook import algorithms
from gamedsl.solvers.textbook.algorithms import Algorithm, Order
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.trace import Observer
from gamedsl.source.keywords import answering

MOST_ORDERED = 100_000
"""Limit on the positions solved to order moves from best to worst."""
MOST_VISITED = 1_000_000
"""Default limit on the nodes of a search of whole plays."""


@answering
def solve(
    game: GivenGame,
    state: GivenState = None,
    *,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    max_bytes: int | None = None,
    progress: Progress | None = None,
    solver: SolverName | str | None = None,
    goal: Goal | str = Goal.PLAY,
    uses_symmetry: bool = True,
    uses_turns: bool = True,
    rounds: int | None = None,
    seed: int = 0,
    rationality: Fraction | int = 1,
    threads: int = 0,
) -> Solution:
    """The value of a position and best play; `solution.status` states the extent of the proof.

    Arguments and exceptions as in `gamedsl.solvers.planner.solve`.
    """
    loaded = game_of(game)
    return planner.solve(
        loaded,
        state_of(loaded, state),
        SolveOptions(
            max_positions=max_positions,
            max_seconds=max_seconds,
            max_bytes=max_bytes,
            progress=progress,
            solver=None if solver is None else SolverName(solver),
            goal=Goal(goal),
            uses_symmetry=uses_symmetry,
            uses_turns=uses_turns,
            rounds=rounds,
            seed=seed,
            rationality=Fraction(rationality),
            threads=threads,
        ),
    )


@answering
def sum_value(
    game: GivenGame,
    state: GivenState = None,
    *,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | None = None,
) -> SumValue:
    """The value of a normal-play position in a sum of games.

    The result holds the Grundy value of an impartial game (`value.grundy`), and the outcome class
    of any normal-play game (`value.outcome`).

    Arguments and exceptions as in `gamedsl.solvers.sums.sum_value`.
    """
    loaded = game_of(game)
    return sums.sum_value(
        loaded,
        loaded.model,
        state_of(loaded, state),
        max_positions=max_positions,
        max_seconds=max_seconds,
        progress=progress,
    )


@answering
def estimate(
    game: GivenGame,
    state: GivenState = None,
    *,
    seconds: float = feasibility.USUAL_SECONDS,
    seed: int = 0,
    max_bytes: int | None = None,
) -> Estimate:
    """An estimate of the cost of solving a position, computed in some seconds.

    Arguments and exceptions as in `gamedsl.solvers.feasibility.estimate.estimate`.
    """
    loaded = game_of(game)
    return feasibility.estimate(
        loaded, state_of(loaded, state), seconds=seconds, seed=seed, max_bytes=max_bytes
    )


@answering
def best(
    game: GivenGame,
    state: GivenState = None,
    *,
    seconds: float = 5,
    max_positions: int | None = None,
    budget: int | None = None,
    seed: int = 0,
) -> BestMoves:
    """The best moves of a position, proved if `is_proved`, else estimated.

    In games of several players with hidden information or simultaneous moves, `mixed` holds the
    probabilities of an equilibrium, or of strategies by simulated plays (`sampled`).
    In games with secrets a position is given by the moves that lead to the position.

    Arguments and exceptions as in `gamedsl.solvers.advice.best_moves.best_moves` and
    `gamedsl.solvers.advice.best_moves.equilibrium_moves`; `seed` is the seed of simulated plays.
    """
    loaded = game_of(game)
    limits: dict[str, Any] = {"seconds": seconds, "max_positions": max_positions, "budget": budget}
    if best_moves.asks_for_chances(loaded):
        history = history_of(loaded, state)
        return best_moves.equilibrium_moves(loaded, history, **limits, rng=Random(seed))
    position = state_of(loaded, state)
    return best_moves.best_moves(loaded, position, **limits, rng=Random(seed))


@answering
def search(
    game: GivenGame,
    algorithm: Algorithm | str = Algorithm.AUTO,
    state: GivenState = None,
    *,
    limit: int | None = None,
    evaluation: ViewEvaluation | None = None,
    order: Order | str = Order.DECLARED,
    observer: Observer | None = None,
    max_visits: int | None = None,
) -> Decision:
    """The decision of a textbook algorithm, with the first player as MAX.

    Args:
        algorithm: a name of `gamedsl.solvers.textbook.algorithms.Algorithm`: `"minimax"`,
            `"alpha-beta"`, `"maxn"`, `"paranoid"`, `"expectiminimax"`, `"star1"`, `"star2"`;
            `"auto"`: an algorithm that fits the game.
        limit: plies after which EVAL replaces the rest of the tree; None searches whole plays, for
            small games only (minimax needs 549,946 nodes for tic-tac-toe).
        evaluation: EVAL: from a view of a position (`game.view(state)`) to the position's value
            for the first player, any finite number. None uses the file's `evaluate`.
        order: a name of `Order`: the order of moves.
        observer: called with every step; an exception raised by the observer ends the search.
        max_visits: limit on visited nodes; None: 1,000,000 without a depth limit, no bound
            with a depth limit.

    Raises:
        UnsupportedGameError: the algorithm does not apply to the game, or has no depth limit.
        SearchLimitError: the search visits more than `max_visits` nodes.
        ValueError: the algorithm or order is unknown, an evaluation is given without a limit, or
            an evaluation returns no finite number.
    """
    loaded = game_of(game)
    root: State = state_of(loaded, state)
    ordering = algorithms.ordering_of(Order(order), loaded, root, max_positions=MOST_ORDERED)
    most = MOST_VISITED if max_visits is None and limit is None else max_visits
    return algorithms.search(
        Algorithm(algorithm),
        loaded,
        root,
        limit=limit,
        evaluation=None if evaluation is None else evaluation_of(loaded, evaluation),
        ordering=ordering,
        observer=observer
        if most is None
        else Visits(most, observer, advice="give a `limit` of plies, or `max_visits`"),
    )


@answering
def perft(
    game: GivenGame, depth: int, state: GivenState = None, *, turns: bool = False
) -> tuple[int, ...]:
    """The number of plays at each depth from 0 to `depth`: `int[depth + 1]`.

    Depth counts plies, or, with `turns`, changes of the player to move. Exceptions as in
    `gamedsl.solvers.perft.perft`.
    """
    loaded = game_of(game)
    return counting.perft(loaded, state_of(loaded, state), depth, turns=turns)


@answering
def playouts(
    game: GivenGame,
    count: int = 1000,
    state: GivenState = None,
    *,
    seed: int = 0,
    threads: int = 0,
    longest: int = 10_000,
) -> PlayoutCounts:
    """Results of `count` random plays, each cut off after `longest` plies.

    `threads` is the number of threads, 0 for one per processor; the tally does not depend on
    `threads`. Exceptions as in `gamedsl.solvers.montecarlo.random_plays.playouts`.
    """
    loaded = game_of(game)
    return random_plays.playouts(
        loaded,
        state_of(loaded, state),
        count,
        seed=seed,
        threads=threads or usable_processors(),
        longest=longest,
    )

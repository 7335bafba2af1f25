"""Values, best moves and counts in one call each.

In: a game and a position as a caller has them (`given`). Out: what the solvers answer.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from gamedsl.game.native import Tally
from gamedsl.model import State
from gamedsl.python.evaluations import ViewEvaluation, evaluation_of
from gamedsl.python.given import GivenGame, GivenState, game_of, history_of, state_of
from gamedsl.reports.trees.search import SearchLimitError
from gamedsl.solvers import best_moves, planner, sums
from gamedsl.solvers import perft as counting
from gamedsl.solvers.best_moves import BestMoves
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.memory import usable_processors
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.montecarlo import random_plays
from gamedsl.solvers.outlook import estimate as outlook
from gamedsl.solvers.outlook.estimate import Estimate
from gamedsl.solvers.solution import Goal, Solution
from gamedsl.solvers.sums import SumValue
from gamedsl.solvers.textbook import algorithms
from gamedsl.solvers.textbook.algorithms import Algorithm, Order
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.trace import Event, EventKind, Observer
from gamedsl.source.keywords import answering
from gamedsl.source.records import dataclass

MOST_ORDERED = 100_000
"""Positions of a game that is solved to put moves into the best order."""
MOST_VISITED = 1_000_000
"""Nodes of a search of whole plays, unless others are asked for."""


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
    """The value of a position and how to play it; `solution.status` says how much is proved.

    Arguments as `gamedsl.solvers.planner.solve`, which says what is raised.
    """
    given = game_of(game)
    return planner.solve(
        given,
        state_of(given, state),
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
    """What a position of normal play is worth in a sum: the Grundy value of an impartial game
    (`found.grundy`), the outcome class of any (`found.outcome`).

    Arguments as `gamedsl.solvers.sums.sum_value`, which says what is raised.
    """
    given = game_of(game)
    return sums.sum_value(
        given,
        given.model,
        state_of(given, state),
        max_positions=max_positions,
        max_seconds=max_seconds,
        progress=progress,
    )


@answering
def estimate(
    game: GivenGame,
    state: GivenState = None,
    *,
    seconds: float = outlook.USUAL_SECONDS,
    seed: int = 0,
    max_bytes: int | None = None,
) -> Estimate:
    """What solving a position would take, found out in some seconds.

    Arguments as `gamedsl.solvers.outlook.estimate.estimate`, which says what is raised.
    """
    given = game_of(game)
    return outlook.estimate(
        given, state_of(given, state), seconds=seconds, seed=seed, max_bytes=max_bytes
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
    """The best moves of a position, proved where `is_proved`, else estimated. Where several
    players do not see everything, or choose at once, `mixed` has what an equilibrium does there;
    in games with secrets a position is given by the moves that lead to it.

    Arguments as `gamedsl.solvers.best_moves.best_moves`, and `equilibrium_moves` there, which say
    what is raised; `seed` is of the plays that an estimate simulates.
    """
    given = game_of(game)
    if best_moves.asks_for_chances(given):
        return best_moves.equilibrium_moves(
            given,
            history_of(given, state),
            seconds=seconds,
            max_positions=max_positions,
            rng=Random(seed),
        )
    return best_moves.best_moves(
        given,
        state_of(given, state),
        seconds=seconds,
        max_positions=max_positions,
        budget=budget,
        rng=Random(seed),
    )


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
    """The decision of an algorithm of the textbook, with the first player as MAX.

    Args:
        algorithm: a name of `gamedsl.solvers.textbook.algorithms.Algorithm`: `"minimax"`,
            `"alpha-beta"`, `"maxn"`, `"paranoid"`, `"expectiminimax"`, `"star1"`, `"star2"`;
            `"auto"`: the one that fits the game.
        limit: plies after which EVAL stands for what follows; None searches whole plays: for small
            games alone (tic-tac-toe takes minimax 549,946 nodes).
        evaluation: EVAL: what a position, given as a view (`game.view(state)`), is worth to the
            first player: any finite number. None takes the file's `evaluate`.
        order: a name of `Order`: which moves come first.
        observer: told of every step; an error that it raises ends the search.
        max_visits: nodes that may be visited; None: 1,000,000 where whole plays are searched, any
            number up to a limit.

    Raises:
        UnsupportedGameError: the algorithm does not apply to the game, or has no depth limit.
        SearchLimitError: the search visits more than `max_visits` nodes.
        ValueError: there is no such algorithm or order; an evaluation without a limit, or one that
            gives no finite number.
    """
    given = game_of(game)
    root: State = state_of(given, state)
    ordering = algorithms.ordering_of(Order(order), given, root, max_positions=MOST_ORDERED)
    most = MOST_VISITED if max_visits is None and limit is None else max_visits
    return algorithms.search(
        Algorithm(algorithm),
        given,
        root,
        limit=limit,
        evaluation=None if evaluation is None else evaluation_of(given, evaluation),
        ordering=ordering,
        observer=observer if most is None else _Visits(most, observer),
    )


@dataclass(slots=True)
class _Visits:
    """The observer of a search that may visit so many nodes; another one is told as well."""

    most: int
    observer: Observer | None
    count: int = 0

    def __call__(self, event: Event) -> None:
        """Count a visit. Raises `SearchLimitError`."""
        if event.kind is EventKind.ENTER:
            self.count += 1
            if self.count > self.most:
                raise SearchLimitError(self.most, "give a `limit` of plies, or `max_visits`")
        if self.observer is not None:
            self.observer(event)


@answering
def perft(
    game: GivenGame, depth: int, state: GivenState = None, *, turns: bool = False
) -> tuple[int, ...]:
    """The number of plays at each depth from 0 to `depth`: `int[depth + 1]`.

    Depth counts plies, or, with `turns`, changes of the player to move. Raises as
    `gamedsl.solvers.perft.perft`.
    """
    given = game_of(game)
    return counting.perft(given, state_of(given, state), depth, turns=turns)


@answering
def playouts(
    game: GivenGame,
    count: int = 1000,
    state: GivenState = None,
    *,
    seed: int = 0,
    threads: int = 0,
    longest: int = 10_000,
) -> Tally:
    """How `count` random plays end, each broken off after `longest` plies.

    `threads`: how many at a time, 0 for one a processor; the tally does not depend on it. Raises
    as `gamedsl.solvers.montecarlo.random_plays.playouts`.
    """
    given = game_of(game)
    return random_plays.playouts(
        given,
        state_of(given, state),
        count,
        seed=seed,
        threads=threads or usable_processors(),
        longest=longest,
    )

"""A game tree, and the formal definition of a game, in one call each.

`print` writes a `GameTree` or an `Explanation`, a notebook draws the object, and `gamedsl.reports`
has further formats. Games and positions are given as described in `coerce`.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.python.coerce import GivenGame, GivenState, game_of, history_of, state_of
from gamedsl.reports.explanations import definition
from gamedsl.reports.explanations.names import Edition
from gamedsl.reports.explanations.sections import Explanation, StateCounts
from gamedsl.reports.trees.data import GameTree
from gamedsl.reports.trees.growth import ALL_PLIES, grow
from gamedsl.reports.trees.plays import tree_of_plays
from gamedsl.reports.trees.search import SearchLog, with_search
from gamedsl.reports.trees.size import VERY_MANY
from gamedsl.reports.trees.states import with_states
from gamedsl.reports.trees.strategies import with_strategies
from gamedsl.reports.trees.values import with_values
from gamedsl.solvers.advice.best_moves import asks_for_chances
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.feasibility.form_size import estimate_form
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Progress, explore
from gamedsl.solvers.graphs.images import images_of
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.montecarlo.uct import SimulatedPlay, uct_search
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.textbook.algorithms import Algorithm, Order, ordering_of, search
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.source.keywords import answering

MCTS = "mcts"
"""Name of the search that grows a tree of simulated plays."""
FEW_PLAYS = 30
MOST_SOLVED, FEW_SOLVED = 50_000, 1_000
"""Positions solved for the values of a tree; the smaller limit if the rules allow very many states.
"""
MOST_COUNTED = 10**9
"""Bound on the states allowed by the rules, beyond which reachable states are not counted."""


@answering
def tree(
    game: GivenGame,
    state: GivenState = None,
    *,
    depth: int | None = None,
    algorithm: Algorithm | str | None = None,
    equilibrium: int | None = None,
    order: Order | str = Order.DECLARED,
    cutoff: int | None = None,
    max_nodes: int = 250,
    width: int | None = None,
    states: bool = False,
    symmetry: bool = False,
    max_visits: int = 200_000,
    plays: int = FEW_PLAYS,
    seed: int = 0,
    progress: Progress | None = None,
) -> GameTree:
    """The game tree below a position, with values of best play if quickly solved, or with a search.

    Args:
        depth: plies drawn; None: as many as fit.
        algorithm: a search to show (see `gamedsl.search`); `"mcts"`: simulated plays; None: best
            play.
        equilibrium: number of the equilibrium, as found by `solve`, whose probabilities label the
            branches: 1 for the first; None: no equilibrium.
        order: order of the moves in the search and in the drawing.
        cutoff: plies after which the search uses the file's `evaluate`; None: to the end.
        max_nodes, max_visits: at most so many nodes are drawn, or visited by the search.
        width: children drawn per node, the first in the order; None: all.
        states: whether nodes describe the states in words.
        symmetry: whether to draw a single move of each set of moves with symmetric results.
        plays, seed: for `"mcts"`: number of simulated plays, and seed of the random choices.
        progress: called with (explored, waiting) at intervals.

    Raises:
        UnsupportedGameError: the algorithm does not apply to the game, or no symmetry is proved.
        SearchLimitError: the search visits more than `max_visits` nodes.
        ValueError: the algorithm, order or equilibrium is unknown; or options exclude each other.
    """
    _refuse_unlike_options(algorithm, equilibrium, cutoff, depth)
    loaded = game_of(game)
    root = state_of(loaded, state)
    if algorithm == MCTS:
        grown = tree_of_plays(loaded, simulated_plays(loaded, root, plays, seed)[1], max_nodes)
        return with_states(grown, loaded) if states else grown
    ordering = ordering_of(Order(order), loaded, root, max_positions=MOST_SOLVED)
    images, plies = (
        images_of(loaded.model) if symmetry else None,
        ALL_PLIES if depth is None else depth,
    )
    grown = grow(loaded, root, plies, max_nodes, ordering, width, images)
    grown = with_states(grown, loaded) if states else grown
    if equilibrium is not None:
        return _in_equilibrium(loaded, history_of(loaded, state), grown, equilibrium, progress)
    if algorithm is None:
        return _solved(loaded, root, grown, progress)
    is_paranoid = Algorithm(algorithm) is Algorithm.PARANOID
    log = SearchLog(grown.depth, max_visits, max(loaded.current_player(root), 0) * is_paranoid)
    decision = search(
        Algorithm(algorithm), loaded, root, limit=cutoff, ordering=ordering, observer=log
    )
    return with_search(grown, log, decision.algorithm, decision.ties)


def _refuse_unlike_options(
    algorithm: str | None, equilibrium: int | None, cutoff: int | None, depth: int | None
) -> None:
    """Raises ValueError where options of `tree` exclude each other."""
    if equilibrium is not None and algorithm is not None:
        raise ValueError("a tree shows an equilibrium or a search")
    if cutoff is not None and algorithm is None:
        raise ValueError("a cutoff needs an algorithm")
    if algorithm == MCTS and (cutoff is not None or depth is not None):
        raise ValueError("the tree of simulated plays has neither a depth nor a cutoff")


def simulated_plays(
    game: LoadedGame, root: State, plays: int, seed: int
) -> tuple[Decision, list[SimulatedPlay]]:
    """The decision of Monte-Carlo tree search (UCT), and the simulated plays.

    Exceptions as in `gamedsl.solvers.montecarlo.uct.uct_search`.
    """
    told: list[SimulatedPlay] = []
    decision = uct_search(game, root, iterations=plays, rng=Random(seed), observer=told.append)
    return decision, told


def _solved(game: LoadedGame, state: State, grown: GameTree, progress: Progress | None) -> GameTree:
    """The tree with the values of best play.

    Unchanged if the game is not solved within the limit, or if nodes have no value of their own:
    after one of several simultaneous choices, or with hidden information.
    """
    if game.facts.has_secrets or game.facts.is_simultaneous:
        return grown
    most = FEW_SOLVED if game.facts.state_bound > VERY_MANY else MOST_SOLVED
    try:
        solution = solve(
            game, state, SolveOptions(max_positions=most, uses_slice=False, progress=progress)
        )
    except UnsupportedGameError:
        return grown
    if solution.status is not Status.STRONG:
        return grown
    return with_values(grown, solution.value_at, solution.choice, "best play", solution.ties)


def _in_equilibrium(
    game: LoadedGame, history: History, grown: GameTree, number: int, progress: Progress | None
) -> GameTree:
    """The tree with the probabilities of an equilibrium.

    In games with secrets the probabilities depend on the play that led to the root.
    """
    start = history[0 if game.facts.has_secrets else -1][0]
    options = SolveOptions(uses_slice=False, progress=progress, searches=False)
    solution = solve(game, start, options)
    if solution.solved is None and solution.informed is None:
        raise UnsupportedGameError(f"no equilibrium of {game.name} is known: {solution.outcome}")
    listed = () if solution.equilibria is None else solution.equilibria.equilibria
    if not 1 <= number <= max(1, len(listed)):
        known = f"1 to {len(listed)}" if len(listed) > 1 else "1 alone"
        raise ValueError(f"equilibria of {game.name} are known by the numbers {known}")
    if listed:
        title = f"equilibrium {number} of {len(listed)}" if len(listed) > 1 else "equilibrium"
        name = ", ".join([title, *listed[number - 1].labels])
    elif len(game.players) == 1 or not asks_for_chances(game):
        name = "best play"
    else:
        name = "nearly an equilibrium" if solution.status is Status.OPEN else "equilibrium"
    value = listed[number - 1].value if listed else solution.value
    return with_strategies(
        grown,
        history[:-1],
        lambda play: solution.strategies_at(play, number - 1) or _chosen(solution, game, play),
        name=name,
        value=value if history[-1][0] == start else None,
        pays_at_the_end=game.facts.pays_at_the_end,
    )


def _chosen(solution: Solution, game: LoadedGame, play: History) -> tuple[LocalStrategy, ...]:
    """The choice of a fully informed player to move, as probabilities."""
    state = play[-1][0]
    if state not in solution:
        return ()
    chosen, player = solution.choice(state), int(game.current_player(state))
    shares = (
        (game.action_name(state, action), Fraction(action == chosen))
        for action in game.legal_actions(state)
    )
    return (LocalStrategy(player, (), (), tuple(shares)),)


@answering
def explain(
    game: GivenGame,
    state: GivenState = None,
    *,
    edition: Edition | str = Edition.THIRD,
    max_positions: int = 20_000,
    progress: Progress | None = None,
) -> Explanation:
    """The formal definition of a game, with values at a position.

    `edition` selects the edition of AIMA for the names, `"3"` or `"4"`; states are counted if there
    are at most `max_positions`.
    """
    loaded = game_of(game)
    counts = _counts(loaded, max_positions, progress)
    form = None
    if counts is not None:
        form = estimate_form(loaded, max_histories=max_positions, progress=progress)
    chosen = state_of(loaded, state)
    return definition.explain(loaded, chosen, counts, Edition(str(edition)), form)


def _counts(game: LoadedGame, max_positions: int, progress: Progress | None) -> StateCounts | None:
    """The numbers of reachable states; None if the rules allow too many states."""
    if game.facts.state_bound > MOST_COUNTED:
        return None
    try:
        graph = explore(game, max_positions=max_positions, progress=progress)
    except OutOfBudgetError:
        return StateCounts(max_positions, 0, 0, False)
    return StateCounts(graph.positions, len(graph.payoffs), len(graph.chances), True)

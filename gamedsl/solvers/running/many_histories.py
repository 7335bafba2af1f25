"""Solves games of two players with opposed interests and too many histories to list."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from time import perf_counter

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.decimals import DisplayedValues
from gamedsl.solvers.equilibria.belief_learning import (
    EVERYTHING,
    MOST_ROUNDS,
    BeliefLearning,
    BeliefPlay,
)
from gamedsl.solvers.equilibria.form import FormSize
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.graphs.graph import OutOfMemoryError, OutOfTimeError
from gamedsl.solvers.histories.observed_graph import ObservedGraph
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import count_instead
from gamedsl.solvers.running.forms import refuse_unless_initial
from gamedsl.solvers.solution import Profile, Solution, Status
from gamedsl.solvers.verdicts import Answer, Outcome

SECONDS = 60.0
"""Time of learning where no time was given."""
FOR_LEARNING = 0.6
"""Part of the time for learning; the rest is for the best replies, which take as long as a few of
the longest rounds."""
MEMORY_FOR_LEARNING = 2
"""Divisor of the memory for learning: best replies meet further information sets."""
RARER = (600, 2_400, 10_000, 40_000)
"""Least probabilities of actions in the judged strategies, in units of 1 / `SHARES`."""
A_MEMBER = 4e-6
"""Greatest time for a member of a belief, in seconds; in short learning, code is compiled, too."""
PART_OF_REST = 0.25
"""Part of the time left for each player's best response, before rarer actions are left out."""
Responses = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]


def by_beliefs(problem: Problem) -> Solution:
    """Learned strategies, with proven bounds of the value by best responses.

    Raises UnsupportedGameError for other games; OutOfMemoryError if the best responses do not fit
    in memory.
    """
    refuse_unless_initial(problem, "players know")
    graph = problem.form_analysis.graph
    total = None if graph is None else constant_sum(graph.outcomes, len(problem.game.players))
    if graph is None or total is None or len(problem.game.players) != 2:
        raise UnsupportedGameError(
            f"{problem.game.name} is not a game of two players with opposed interests in which "
            "kernels apply: no choices at once, no rewards on the way, an end to every play",
            count_instead(problem.game),
        )
    most = problem.options.max_bytes or usable_bytes()
    learning = BeliefLearning(graph, most)
    started = perf_counter()
    _learn(problem, learning)
    seconds = (perf_counter() - started) / max(1, learning.members)
    responses = _judged(problem, learning, min(seconds, A_MEMBER))
    if responses is None:
        raise OutOfMemoryError(graph.histories, most)
    (_, first), (_, second) = responses
    return _solution(learning, graph, (total - second, first), total, problem)


def _judged(problem: Problem, learning: BeliefLearning, seconds: float) -> Responses | None:
    """The best responses to the mean, without its rarest actions; with limited time, without so
    many that there is time for them. `seconds`: time for a member of a belief."""
    for rare in RARER if problem.ends is not None else RARER[:1]:
        left = 0.0 if problem.ends is None else problem.ends - perf_counter()
        is_last = problem.ends is None or rare == RARER[-1]
        most = EVERYTHING if is_last else max(0, int(left * PART_OF_REST / seconds))
        responses = learning.best_responses(rare, most)
        if responses is not None or learning.is_full:
            return responses
    return None


def _learn(problem: Problem, learning: BeliefLearning) -> None:
    """Play rounds until the time for learning, the rounds or the memory are used up."""
    options, started = problem.options, perf_counter()
    ends = started + SECONDS
    if problem.ends is not None:
        ends = started + (problem.ends - started) * FOR_LEARNING
    rounds = min(options.rounds or MOST_ROUNDS, MOST_ROUNDS)
    timed = options.rounds is None or problem.ends is not None
    with suppress(OutOfTimeError):
        while learning.rounds < rounds and not learning.is_full:
            if timed and learning.rounds and perf_counter() > ends:
                return
            learning.play_round()
            if options.progress is not None:
                options.progress(learning.members, 0)


def _solution(
    learning: BeliefLearning,
    graph: ObservedGraph,
    bounds: tuple[Fraction, Fraction],
    total: Fraction,
    problem: Problem,
) -> Solution:
    """The solution from bounds of the first player's payoff."""
    least, most = bounds
    middle, bound = (least + most) / 2, (most - least) / 2
    value, _, error = DisplayedValues(bound, graph.outcomes).of((middle, total - middle), ())
    movers = graph.arrays.movers
    play = BeliefPlay(learning)
    sets, actions = learning.information_sets
    size = FormSize(
        graph.histories, (sets,), (actions,), len(movers) - movers.count(CHANCE),
        movers.count(TERMINAL), movers.count(CHANCE),
    )  # fmt: skip
    return Solution(
        problem.game,
        Status.WEAK if error <= problem.options.tolerance else Status.OPEN,
        size.positions,
        size.terminals,
        size.chance_nodes,
        value,
        error,
        Outcome.BOUNDS,
        answer=(Answer.LEARNED_BELIEFS,),
        solver=SolverName.BELIEFS,
        evidence=Profile(size, play, play.first),
    )

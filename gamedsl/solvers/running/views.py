"""Solves games of two players with opposed interests and too many histories to list."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from time import perf_counter

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.decimals import DisplayedValues
from gamedsl.solvers.equilibria.form import FormSize
from gamedsl.solvers.equilibria.view_learning import (
    EVERYTHING,
    MOST_ROUNDS,
    RARE,
    ViewLearning,
    ViewPlay,
)
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.exact.outcomes import outcome_by_chance
from gamedsl.solvers.graphs.graph import OutOfTimeError
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
FOR_LEARNING = 0.8
"""Part of the time for learning; the rest is for the last best replies."""
EARLIEST = 8
"""Rounds before the first best replies; further best replies follow when rounds have doubled."""
MEMBERS_A_SECOND = 500_000
"""Members of beliefs visited by a best reply in a second, at least."""
FEWEST_MEMBERS = 100_000


class Judged:
    """The best strategies so far: for each player the least bound of the opponent's best reply.

    Attributes:
        most: the most that each player can get against the opponent's best strategy so far.
        means: each player's best strategy so far, as `ViewLearning.take_mean` has it.
    """

    def __init__(self, learning: ViewLearning) -> None:
        self.learning = learning
        self.most = [max(paid[n] for paid in learning.graph.outcomes) for n in (0, 1)]
        mean = learning.take_mean(0)
        self.means = [mean, mean]

    def judge(self, most_members: int) -> None:
        """Judge the present means by best replies; those of too many members do not count."""
        for rare in RARE:
            mean = self.learning.take_mean(rare)
            for player in (0, 1):
                bounds = self.learning.best_response(player, most_members)
                if bounds is not None and bounds[1] < self.most[player]:
                    self.most[player] = bounds[1]
                    self.means[1 - player] = mean


def by_views(problem: Problem) -> Solution:
    """Learned strategies, with proven bounds of the value by best responses.

    Raises UnsupportedGameError for other games.
    """
    refuse_unless_initial(problem, "players know")
    graph = problem.form_analysis.graph
    total = None if graph is None else constant_sum(graph.outcomes, problem.game.facts.sides)
    is_opposed = total is not None and len(problem.game.players) == 2
    if graph is None or total is None or not is_opposed or not ViewLearning.suits(graph):
        raise UnsupportedGameError(
            f"{problem.game.name} is not a game of two players with opposed interests in which "
            "kernels apply: no rewards on the way, an end to every play, payoffs of few bits",
            count_instead(problem.game),
        )
    learning = ViewLearning(graph, problem.options.max_bytes or usable_bytes())
    judged = Judged(learning)
    _learn(problem, learning, judged, total)
    return _solution(judged, graph, total, problem)


def _learn(problem: Problem, learning: ViewLearning, judged: Judged, total: Fraction) -> None:
    """Play rounds until the bounds meet, or the time or the rounds are used up."""
    options, started = problem.options, perf_counter()
    ends = started + SECONDS
    if problem.ends is not None:
        ends = started + (problem.ends - started) * FOR_LEARNING
    rounds = min(options.rounds or MOST_ROUNDS, MOST_ROUNDS)
    timed = options.rounds is None or problem.ends is not None
    at, is_over = EARLIEST, False
    while not is_over:
        with suppress(OutOfTimeError):
            learning.play_round()
            if options.progress is not None:
                options.progress(learning.rounds * len(learning.graph.arrays.movers), 0)
        is_over = learning.rounds >= rounds or (timed and perf_counter() > ends)
        if is_over or learning.rounds >= at:
            judged.judge(_most_members(problem))
            is_over = is_over or sum(judged.most) - total <= 2 * options.tolerance
            at = 2 * learning.rounds


def _most_members(problem: Problem) -> int:
    """Greatest number of members of a best reply, by the time that is left."""
    if problem.ends is None:
        return EVERYTHING
    left = max(0.0, problem.ends - perf_counter())
    return max(FEWEST_MEMBERS, int(left * MEMBERS_A_SECOND / (2 * len(RARE))))


def _solution(judged: Judged, graph: ObservedGraph, total: Fraction, problem: Problem) -> Solution:
    """The solution from the bounds of the players' payoffs."""
    least, most = total - judged.most[1], judged.most[0]
    middle, bound = (least + most) / 2, (most - least) / 2
    value, _, error = DisplayedValues(bound, graph.outcomes).of((middle, total - middle), ())
    movers, learning = graph.arrays.movers, judged.learning
    play = ViewPlay(learning, judged.means)
    size = FormSize(
        graph.histories, (learning.sets,), (learning.actions,), len(movers) - movers.count(CHANCE),
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
        Outcome.BOUNDS
        if error
        else outcome_by_chance(problem.game.facts, value, error, graph.outcomes, lambda: True),
        answer=(Answer.LEARNED_VIEWS if error else Answer.SEQUENCES,),
        solver=SolverName.VIEWS,
        evidence=Profile(size, play, play.first),
    )

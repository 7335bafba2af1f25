"""Solves games of two players with opposed interests and too many histories to list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from time import perf_counter
from typing import Protocol

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.decimals import DisplayedValues
from gamedsl.solvers.equilibria.form import FormSize
from gamedsl.solvers.equilibria.informed_play import GraphPlay
from gamedsl.solvers.equilibria.view_learning import (
    EVERYTHING,
    MOST_ROUNDS,
    ViewLearning,
)
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.exact.outcomes import outcome_by_chance
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.histories.observed_graph import ObservedGraph
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.merged.learning import (
    MOST_SYMMETRIES,
    MergedHistories,
    MergedLearning,
)
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
FOR_WALK = 1 / 3
"""Part of the time for the walk of merged histories, at most."""
HISTORIES_A_SECOND = 1_500_000
"""Merged histories walked in a second, at least."""
BYTES_A_HISTORY = 16
MEMBERS_A_SECOND = 500_000
"""Members of beliefs visited by a best reply in a second, at least."""
REPLIES = 6
"""Best replies of a judgement: to three means, by both players."""
FEWEST_MEMBERS = 100_000
Mean = Sequence[int]
"""The probabilities of all actions, by the numbers of the learner."""


class Learner(Protocol):
    """Both players learning."""

    @property
    def rounds(self) -> int:
        """Number of rounds played."""

    def play_round(self) -> None:
        """Play the next round."""

    def take_mean(self, rare: int) -> Mean:
        """The mean behaviour, without actions rarer than `rare`."""

    def judged(self, most_members: int) -> Iterator[tuple[int, Fraction, Mean]]:
        """For means without their rare actions and each player: the player, the most that the
        player gets against the mean, and the mean; best replies of more members are left out."""


class Judged:
    """The best strategies so far: for each player the least bound of the opponent's best reply.

    Attributes:
        most: the most that each player can get against the opponent's best strategy so far.
        means: each player's best strategy so far, as `Learner.take_mean` has it.
        outcomes: the payoffs of endings. states: number of states.
    """

    def __init__(self, learning: Learner, graph: ObservedGraph) -> None:
        self.learning, self.outcomes = learning, graph.outcomes
        self.states = len(graph.arrays.movers)
        self.most = [max(paid[n] for paid in graph.outcomes) for n in (0, 1)]
        mean = learning.take_mean(0)
        self.means = [mean, mean]

    def judge(self, most_members: int) -> None:
        """Judge the present means by best replies."""
        for player, most, mean in self.learning.judged(most_members):
            if most < self.most[player]:
                self.most[player] = most
                self.means[1 - player] = mean


def by_merged_histories(problem: Problem) -> Solution | None:
    """Learned strategies that remember everything, with proven bounds of the value; None if the
    merged histories do not fit in the memory, or in a part of the time.

    Raises UnsupportedGameError for other games.
    """
    graph, total = _opposed_graph(problem)
    is_named = problem.options.solver is SolverName.MERGED
    merged = None
    if MergedHistories.suits(graph):
        until = problem.ends if is_named else perf_counter() + FOR_WALK * _seconds(problem)
        merged = MergedHistories(graph, partial(_goes_on, until))
    if merged is None or not (is_named or _fits(problem, merged)) or not merged.certain:
        if is_named:
            raise _unsuited(problem)
        return None
    memory = problem.options.max_bytes or usable_bytes()
    learning = MergedLearning(merged, memory, partial(_goes_on, problem.ends))
    if not learning.is_whole:
        return None if not is_named else by_views(problem)
    judged = Judged(learning, graph)
    _learn(problem, judged, total)
    sets, sequences, _ = learning.sizes
    play = GraphPlay(learning, judged.means)
    solution = _solution(
        judged, total, problem, Profile(_size(graph, sets, sequences), play, play.first)
    )
    answer = Answer.LEARNED_MERGED if solution.error_bound else Answer.SEQUENCES
    return replace(solution, answer=(answer,), solver=SolverName.MERGED)


def _fits(problem: Problem, merged: MergedHistories) -> bool:
    """Whether the merged histories fit in the memory, and their walk in a part of the time."""
    memory = problem.options.max_bytes or usable_bytes()
    most = min(memory / BYTES_A_HISTORY, _seconds(problem) * FOR_WALK * HISTORIES_A_SECOND)
    return merged.histories < most * MOST_SYMMETRIES and merged.histories < most * merged.order


def _seconds(problem: Problem) -> float:
    """The time left, or the usual time of learning."""
    return SECONDS if problem.ends is None else problem.ends - perf_counter()


def _goes_on(ends: float | None) -> bool:
    return ends is None or perf_counter() < ends


def _opposed_graph(problem: Problem) -> tuple[ObservedGraph, Fraction]:
    """The graph of two players with opposed interests, and the sum of their payoffs; raises
    UnsupportedGameError for other games."""
    refuse_unless_initial(problem, "players know")
    graph = problem.form_analysis.graph
    total = None if graph is None else constant_sum(graph.outcomes, problem.game.facts.sides)
    if graph is None or total is None or len(problem.game.players) != 2:
        raise _unsuited(problem)
    return graph, total


def _unsuited(problem: Problem) -> UnsupportedGameError:
    return UnsupportedGameError(
        f"{problem.game.name} is not a game of two players with opposed interests in which "
        "kernels apply: no rewards on the way, an end to every play, payoffs of few bits",
        count_instead(problem.game),
    )


def by_views(problem: Problem) -> Solution:
    """Learned strategies, with proven bounds of the value by best responses.

    Raises UnsupportedGameError for other games.
    """
    graph, total = _opposed_graph(problem)
    if not ViewLearning.suits(graph):
        raise _unsuited(problem)
    learning = ViewLearning(graph, problem.options.max_bytes or usable_bytes())
    judged = Judged(learning, graph)
    _learn(problem, judged, total)
    play = GraphPlay(learning, judged.means)
    size = _size(graph, learning.sets, learning.actions)
    return _solution(judged, total, problem, Profile(size, play, play.first))


def _learn(problem: Problem, judged: Judged, total: Fraction) -> None:
    """Play rounds until the bounds meet, or the time or the rounds are used up."""
    options, started, learning = problem.options, perf_counter(), judged.learning
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
                options.progress(learning.rounds * judged.states, 0)
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
    return max(FEWEST_MEMBERS, int(left * MEMBERS_A_SECOND / REPLIES))


def _size(graph: ObservedGraph, sets: int, actions: int) -> FormSize:
    movers = graph.arrays.movers
    return FormSize(
        graph.histories, (sets,), (actions,), len(movers) - movers.count(CHANCE),
        movers.count(TERMINAL), movers.count(CHANCE),
    )  # fmt: skip


def _solution(judged: Judged, total: Fraction, problem: Problem, profile: Profile) -> Solution:
    """The solution from the bounds of the players' payoffs."""
    size, outcomes = profile.form, judged.outcomes
    least, most = total - judged.most[1], judged.most[0]
    middle, bound = (least + most) / 2, (most - least) / 2
    value, _, error = DisplayedValues(bound, outcomes).of((middle, total - middle), ())
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
        else outcome_by_chance(problem.game.facts, value, error, outcomes, lambda: True),
        answer=(Answer.LEARNED_VIEWS if error else Answer.SEQUENCES,),
        solver=SolverName.VIEWS,
        evidence=profile,
    )

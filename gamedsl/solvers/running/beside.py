"""Weighs an attempt to solve all positions, once it has become long.

In: a `Problem` whose positions native code is solving, and what has been done. Out: nothing, where
the attempt is to go on; otherwise an error that ends the attempt. First a short search for the
value of the root, with its first moves, keeps what it proves as `Problem.known`: with this answer
only few further positions are worth solving, and a limit met later loses nothing.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter

from gamedsl.solvers.graphs.graph import OutOfReachError, OutOfTimeError, Progress
from gamedsl.solvers.problem import BEFORE_VALUE, Problem
from gamedsl.solvers.reach import A_WHILE, rounded
from gamedsl.solvers.running.proof_search import HALF
from gamedsl.solvers.running.value_search import by_value_search
from gamedsl.solvers.solution import Solution

WORTH = 100_000_000
"""Positions that are solved although the answer is known."""
LATER = 4
"""Factor of the positions after which an answer that is not known is searched for again, with half
as many positions as then are solved."""
LEAST_BYTES = 1 << 23
"""Memory without which no value is searched for."""
SURELY = 4
"""Factor of the positions that memory holds at best beyond which an attempt leaves the time to the
value: estimates are rather too small."""
FOR_PLAYS = 0.1
"""Share of the time for an estimate of the positions."""


def weigh(problem: Problem, explored: int, waiting: int, seconds: float) -> float:
    """The number of positions after which the attempt is to be weighed again, with so many explored
    and waiting after `seconds`.

    Raises:
        OutOfReachError: the answer is known, and there seem to be too many positions; or there seem
            to be far more, or are very probably more, than memory holds.
        OutOfTimeError: the value needs the time, which all positions seem to exceed.
        GameRuleError: the rules fail in a position.
    """
    is_first, problem.given_up = not problem.given_up, explored + waiting
    known = problem.known
    is_answered = known is not None and bool(known.moves)
    result = _value(problem) if problem.seeks_value and not is_answered else known
    if result is not None:
        problem.keep(result)
    if result is not None and result.moves:
        if is_answered or problem.likely_size.exceeds(WORTH):
            many = f"more than {WORTH:,} positions"
            raise OutOfReachError(f"as its value is known, and there seem to be {many}")
    elif result is not None and problem.ends is not None:
        left = problem.ends - perf_counter()
        most = int(explored / max(seconds, 1e-3) * max(left, 0))
        if problem.likely_size.exceeds(most, min(A_WHILE, left * FOR_PLAYS)):
            raise OutOfTimeError(explored, waiting)
    elif problem.seeks_value or problem.given_up > BEFORE_VALUE:
        _refuse_far_beyond_memory(problem)
    if is_first and problem.beyond_memory is not None:
        raise problem.beyond_memory
    if result is None:
        return BEFORE_VALUE if problem.given_up <= BEFORE_VALUE else inf
    return max(WORTH, problem.given_up) if result.moves else LATER * problem.given_up


def _refuse_far_beyond_memory(problem: Problem) -> None:
    """Raises OutOfReachError where the attempt would fill the memory in vain, by an estimate; where
    a search for the value is left, also without an estimate."""
    is_limited = problem.options.max_positions is not None or problem.ends is not None
    if is_limited or problem.room is None or problem.is_puzzle or problem.returns:
        return
    most = SURELY * problem.room
    if problem.likely_size.exceeds(most, unmet=problem.seeks_value):
        many = rounded(most)
        raise OutOfReachError(f"as there seem to be more than {many} positions", most)


def _value(problem: Problem) -> Solution | None:
    """The value of the root, or facts about it, by a search of limited length in the memory left;
    None where the search does not apply."""
    options, each = problem.options, problem.bytes_each
    left = None if options.max_bytes is None else options.max_bytes - each * problem.given_up
    if left is not None and left < LEAST_BYTES:
        return None
    limited = replace(
        options,
        max_bytes=left,
        progress=_beyond(problem.given_up, options.progress),
    )
    most = max(problem.in_doubt, problem.given_up // 2)
    return by_value_search(problem.with_options(limited).within_part(HALF), most=most)


def _beyond(done: int, progress: Progress | None) -> Progress | None:
    """Progress that counts positions done before."""
    if progress is None:
        return None
    listener = progress
    return lambda explored, waiting: listener(done + explored, waiting)

"""Solves a game with a suitable algorithm.

In: a game, a state, a budget. Out: a `Solution`, with the strength of the proof as status. The
planner raises an error for games that no algorithm here can solve, explores the graph, and takes
the first applicable method of `methods.METHODS`; the algorithms are in separate modules.
Large graphs are left to native code, if the game has native code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter, process_time
from typing import TypeAlias

from gamedsl.game.contract import Game
from gamedsl.game.slices import in_slice, slice_of
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.facts import PayoffSum
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import (
    EndlessHistoriesError,
    OutOfBudgetError,
    OutOfHistoriesError,
    OutOfMemoryError,
    OutOfReachError,
    OutOfTimeError,
    until,
)
from gamedsl.solvers.memory import usable_bytes, usable_processors
from gamedsl.solvers.methods import METHOD, METHODS, SolveMethod, required_to_begin
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.reach import out_of_reach
from gamedsl.solvers.requirements import SEARCH, Requirement, meets, refuse_unless
from gamedsl.solvers.running.native import by_depth_first_search, by_guesses
from gamedsl.solvers.running.proof_search import (
    HALF,
    USUALLY,
    by_forced_win,
    by_forced_win_in_graph,
    by_proof_search,
)
from gamedsl.solvers.running.proved import BUDGETS
from gamedsl.solvers.running.puzzles import by_longer_guided_play
from gamedsl.solvers.running.repetitions import by_endless_variant
from gamedsl.solvers.running.value_search import by_value_search
from gamedsl.solvers.solution import Limit, Solution, Status
from gamedsl.solvers.verdicts import Advice, Obstacle
from gamedsl.source.stopwatch import COMPILING

ENDLESS = "E3006"
"""The code of play without end and without a payoff, which does not lower the best payoff of a
puzzle."""
USUAL = SolveOptions()
"""Options without wishes or limits."""
Search: TypeAlias = Callable[[Problem], Solution | None]

GIGABYTE = 10**9
A_MOMENT = 2.0
"""Seconds to find out whether a game with secrets or rewards is unsupported."""
AT_ONCE = 20_000
"""Positions searched for the value alone where the value alone was not requested, and solving was
not begun."""
PATIENCE = 180.0
"""Seconds of processor time for the value alone, where solving was begun, and ended at a limit that
was not requested."""
FOR_ALL = 2 / 3
"""Share of the time for solving everything where the value alone is an acceptable result."""
FOR_SAMPLE = 0.25
"""Share of the time for random plays that test hopelessness."""
ENDLESS_HISTORIES = (
    "play can return to an earlier position and players do not see everything, so that what they "
    "have seen has no end",
    "a variable that counts plies, and an outcome when there are too many, give it one",
)


def solve(game: Game, state: State | None = None, options: SolveOptions = USUAL) -> Solution:
    """Solves the game from `state` (default: S0).

    The slice of the game is solved, where the slice is smaller (`gamedsl.game.slices`). Games out
    of reach are not begun (see `reach`), unless positions or a solver are given.

    Raises:
        UnsupportedGameError: the algorithms here do not apply, with the reason.
        GameRuleError: the rules fail in some reachable state; E3006 where play can go on for ever
            and the file defines no payoff of endless play.
        ValueError: the solver is native code, which only the engine of the game may choose; or the
            number of rounds is too large; or the rationality is negative.
    """
    if options.solver is not None and options.solver.is_native:
        raise ValueError(f"{options.solver} is up to the engine of the game")
    root = game.initial_state() if state is None else state
    if game.facts.repeats and (solution := by_endless_variant(game, root, options, solve)):
        return solution
    solved, stands = in_slice(game, root) if solves_slice(options) else (game, root)
    solution = _solve(solved, stands, options)
    return solution if solved is game else replace(solution, part=slice_of(game))


def solves_slice(options: SolveOptions) -> bool:
    """Whether `solve` works on the slice of a game: not where an algorithm for hidden information
    is named, since the slice may have none."""
    hidden = Requirement.HIDDEN_FROM_ONE, Requirement.HIDDEN_OR_SIMULTANEOUS
    requires = frozenset() if options.solver is None else METHOD[options.solver].requires
    return options.uses_slice and requires.isdisjoint(hidden)


def _solve(game: Game, root: State, options: SolveOptions) -> Solution:
    """The solution of a game whose every part matters; errors as in `solve`."""
    refuse_unless(game, required_to_begin(options.solver))
    started, compiled = perf_counter(), COMPILING.seconds
    ends = None if options.max_seconds is None else started + options.max_seconds
    problem = Problem(game, root, _with_usual_limits(options, ends), ends)
    may_search = options.searches and options.solver is None
    is_part = (
        may_search
        and ends is not None
        and (problem.may_find_best_play or (not options.wants_value and problem.suits_search))
    )
    begun = problem.within_part(FOR_ALL if is_part else 1.0)
    try:
        solution = _within_limits(begun)
    except (GameRuleError, UnsupportedGameError) as error:
        despite = _despite(error, begun) if may_search else None
        if despite is None:
            raise
        solution = despite
    if may_search and _is_unknown(solution) and problem.suits_search:
        problem.plays_return = begun.returns
        problem.known, problem.proved = begun.known, begun.proved
        solution = _searched(problem, solution)
    if solution.limit is Limit.MEMORY and _goes_on(options, solution.positions):
        may_search = False
    if may_search and _is_unknown(solution) and problem.may_find_best_play:
        solution = _one_play(problem) or solution
    if solution.limit is Limit.POSITIONS and options.max_positions is None:
        solution = replace(solution, limit=Limit.USUAL_POSITIONS)
    if _is_unknown(solution):
        solution = replace(solution, advice=_advice(problem))
    return replace(
        solution,
        seconds=perf_counter() - started,
        compiling=COMPILING.seconds - compiled,
    )


def _despite(error: GameRuleError | UnsupportedGameError, problem: Problem) -> Solution | None:
    """The value that does not depend on a failure of the rules elsewhere, or on positions for which
    there is no algorithm; None if not known."""
    is_play_enough = isinstance(error, UnsupportedGameError) or error.code == ENDLESS
    if is_play_enough and problem.may_find_best_play:
        return _one_play(problem)
    if not (problem.options.wants_value and problem.may_search):
        return None
    with suppress(GameRuleError):
        if (solution := by_forced_win(problem)) is not None:
            return solution
    return by_forced_win_in_graph(problem)


def _with_usual_limits(options: SolveOptions, ends: float | None) -> SolveOptions:
    """The options, with positions, memory and threads where no number was requested."""
    most = options.max_bytes
    return replace(
        options,
        max_bytes=usable_bytes() if most is None else most,
        threads=options.threads or usable_processors(),
        progress=options.progress if ends is None else until(ends, options.progress),
    )


def _goes_on(options: SolveOptions, least: int) -> bool:
    """Whether the caller goes on elsewhere with at least so many positions."""
    return options.beyond is not None and options.beyond(least)


def _is_unknown(solution: Solution) -> bool:
    """Whether neither a value nor bounds on the value are known."""
    return solution.status is Status.OPEN and solution.value is None


def _within_limits(problem: Problem) -> Solution:
    """The result of `_solved_by_methods`; OPEN if not begun, or ended at a limit."""
    game, options = problem.game, problem.options
    try:
        if options.solver is None and options.max_positions is None:
            _refuse_out_of_reach(problem)
        return _solved_by_methods(problem)
    except (OutOfBudgetError, OutOfTimeError) as limit:
        return _open(game, limit.explored + limit.frontier, limit=options.met(limit))
    except EndlessHistoriesError as endless:
        raise UnsupportedGameError(*ENDLESS_HISTORIES) from endless
    except OutOfHistoriesError as limit:
        return _open(game, limit.positions, Obstacle.HISTORIES, str(limit))
    except OutOfReachError as refusal:
        goes_on = refusal.least is not None and _goes_on(options, refusal.least)
        reached = Limit.MEMORY if goes_on else None
        return _open(game, problem.given_up, Obstacle.OUT_OF_REACH, str(refusal), reached)
    except OutOfMemoryError as limit:
        size = f"{limit.used_bytes / GIGABYTE:.2g} GB"
        return _open(game, limit.explored, Obstacle.MEMORY, size, Limit.MEMORY)


def _refuse_out_of_reach(problem: Problem) -> None:
    """Raises OutOfReachError where solving is hopeless, except for a value search with a time
    limit."""
    if problem.options.wants_value and problem.ends is not None:
        return
    seconds = None if problem.ends is None else (problem.ends - perf_counter()) * FOR_SAMPLE
    reason = out_of_reach(problem.game, problem.root, seconds=seconds)
    if reason is not None:
        raise OutOfReachError(reason)


def _searched(problem: Problem, solution: Solution) -> Solution:
    """Searches for the value of the position alone, if not all later positions were solved.

    Prefers a result with a move that keeps the value; otherwise returns the known value, or
    `solution`, with the facts proved. The positions of an answer are those of all attempts.
    """
    options, ends, known = problem.options, problem.ends, problem.known
    spent = solution.positions + (known.positions if known else 0)
    is_late = ends is not None and ends < perf_counter()
    is_over = is_late or (options.wants_value and bool(solution.positions))
    if not is_over and (known is None or not known.moves):
        for search, limited in _searches(_patient(problem, solution)):
            result = search(limited)
            if result is None:
                continue
            spent += result.positions
            problem.keep(result)
            if result.moves:
                break
            if result.status is Status.OPEN and not solution.positions:
                solution = replace(solution, positions=result.positions)
    if problem.known is not None:
        return replace(problem.known, positions=spent)
    return replace(solution, facts_proved=problem.proved or solution.facts_proved)


def _patient(problem: Problem, solution: Solution) -> Problem:
    """The problem with limits on a search for the value, where none were requested: few positions
    if solving was not begun, much time if it was."""
    options = problem.options
    if problem.ends is not None:
        return problem
    if not solution.positions:
        most = USUALLY if options.wants_value else AT_ONCE
        return problem.with_options(
            replace(options, max_positions=min(most, options.max_positions or most))
        )
    if options.max_positions is not None:
        return problem
    ends = process_time() + PATIENCE
    progress = until(ends, options.progress, process_time)
    return problem.with_options(replace(options, progress=progress))


def _one_play(problem: Problem) -> Solution | None:
    """The value by any play that pays every player the most; None if none is met in time, or, for
    several players without a time limit, within few positions."""
    options = problem.options
    if len(problem.game.players) > 1 and problem.ends is None:
        most = min(AT_ONCE, options.max_positions or AT_ONCE)
        problem = problem.with_options(replace(options, max_positions=most))
    searches: list[Search] = [partial(by_guesses, in_python=by_longer_guided_play)]
    if not options.wants_value:  # else depth-first search was asked before
        searches.append(by_depth_first_search)
    for search in searches:
        with suppress(*BUDGETS):
            solution = search(problem)
            if solution is not None:
                return solution
    return None


def _searches(problem: Problem) -> Iterator[tuple[Search, Problem]]:
    """Searches for the value of the position, each with limits: a short search for a win with the
    winning play; a search for the value; a long search for a win."""
    options = problem.options
    is_short = options.max_positions is not None and options.max_positions <= AT_ONCE
    if not options.wants_value:
        most = min(AT_ONCE, options.max_positions or AT_ONCE)
        yield by_proof_search, problem.with_options(replace(options, max_positions=most))
    yield partial(by_value_search, part=HALF), problem
    if options.wants_value or not is_short:
        yield by_proof_search, problem


def _advice(problem: Problem) -> tuple[Advice, ...]:
    """Suggestions for further attempts; empty with secrets, where the outcome has the advice."""
    game, advice = problem.game, list[Advice]()
    if game.facts.has_secrets:
        return ()
    if problem.suits_search and not (problem.options.wants_value and problem.ends is not None):
        advice.append(Advice.SEARCH_LONGER)
    if meets(game, SEARCH):
        advice.append(Advice.ESTIMATE)
    advice.append(Advice.SMALLER_OR_LATER if game.parameters else Advice.LATER)
    return (*advice, Advice.MORE)


def why_refused(game: Game, *, returns: bool, is_small: bool) -> str | None:
    """The reason why `solve` refuses a game, as far as cheaply known; None if not refused.

    `returns`: play is known to return to an earlier state; `is_small`: a trial costs little.
    """
    facts = game.facts
    may_diverge = facts.has_rewards and facts.discount == 1
    is_doubtful = facts.is_simultaneous or (returns and (len(facts.players) > 2 or may_diverge))
    if facts.has_secrets and len(facts.players) > 1:
        is_general = facts.payoff_sum is PayoffSum.GENERAL
        is_doubtful = is_general or len(facts.players) > 2 or returns
    try:
        if is_small and is_doubtful:
            seconds = A_MOMENT if facts.has_secrets or may_diverge else None
            solve(game, options=SolveOptions(max_seconds=seconds, rounds=1))
    except UnsupportedGameError as refusal:
        return refusal.reason
    return None


def _solved_by_methods(problem: Problem) -> Solution:
    """The result of the named method, or of the first applicable method that succeeds.

    Methods are tried after a look at a part of the graph and, if necessary, at the whole graph.
    With secrets, positions are not explored first.
    """
    solver, tried = problem.options.solver, list[SolveMethod]()
    for method in METHODS:
        is_first = method.name is solver
        if solver is None and problem.game.facts.has_secrets:
            is_first = not method.needs_graph and method.applies(problem)
        if is_first:
            tried.append(method)
            if method.needs_graph:
                problem.explore(problem.most_in_python)
            if (solution := _run(method, problem)) is not None:
                return solution
    waiting = [method for method in METHODS if method not in tried]
    for most in (problem.most_in_python if tried else problem.first_look, problem.most_in_python):
        problem.explore(most)
        for method in tuple(waiting):
            if (problem.is_whole or not method.needs_graph) and method.applies(problem):
                waiting.remove(method)
                if (solution := _run(method, problem)) is not None:
                    return solution
    raise AssertionError("value iteration applies to every graph, or refuses")


def _run(method: SolveMethod, problem: Problem) -> Solution | None:
    """Solves the game by a method; None where the method fails."""
    solution: Solution | None = method.entry_function()(problem)
    return solution


def _open(
    game: Game,
    positions: int,
    obstacle: Obstacle | None = None,
    told: str = "",
    limit: Limit | None = None,
) -> Solution:
    if game.facts.repeats and obstacle is None:
        obstacle = Obstacle.REPEATS
    return Solution(
        game, Status.OPEN, positions, limit=limit, obstacle=obstacle, obstacle_words=told
    )

"""Solves a game with a suitable algorithm.

In: a game, a state, a budget. Out: a `Solution`, with the strength of the proof as status. The
planner raises an error for games that no algorithm here can solve, explores the graph, and takes
the first applicable strategy of `strategies.STRATEGIES`; the algorithms are in separate modules.
Large graphs are left to native code, if the game has native code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import TypeAlias

from gamedsl.game.contract import Game
from gamedsl.game.native import Checkpoints
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.facts import PayoffSum
from gamedsl.model.state import State
from gamedsl.solvers.chance.value_iteration import DEFAULT_TOLERANCE
from gamedsl.solvers.equilibria.extensive_form import EndlessHistoriesError, OutOfHistoriesError
from gamedsl.solvers.graphs.graph import (
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfReachError,
    OutOfTimeError,
    Progress,
    until,
    usual_limit,
)
from gamedsl.solvers.memory import usable_bytes, usable_processors
from gamedsl.solvers.methods import SolverName, required_to_begin
from gamedsl.solvers.proof_search import USUALLY, by_proof_search
from gamedsl.solvers.reach import out_of_reach
from gamedsl.solvers.requirements import SEARCH, meets, refuse_unless
from gamedsl.solvers.solution import Goal, Limit, Solution, Status
from gamedsl.solvers.solution_parts import SolutionParts
from gamedsl.solvers.strategies import HALF, STRATEGIES, Strategy
from gamedsl.solvers.survey import Limits, Survey
from gamedsl.solvers.value_search import by_value_search
from gamedsl.source.stopwatch import COMPILING

Search: TypeAlias = Callable[[Survey], SolutionParts | None]

GIGABYTE = 10**9
MOST_TOGETHER = 100_000
"""Default limit on positions in games with simultaneous choices, where every stage is a game to
solve and stages with unopposed interests are slow."""
A_MOMENT = 2.0
"""Seconds to find out whether a game with secrets or rewards is unsupported."""
AT_ONCE = 20_000
"""Positions searched for the value alone where the value alone was not requested."""
FOR_ALL = 2 / 3
"""Share of the time for solving everything where the value alone is an acceptable result."""
FOR_SAMPLE = 0.25
"""Share of the time for random plays that test hopelessness."""
MORE: dict[Limit | None, str] = {
    None: "--max-positions N tries it all the same",
    Limit.TIME: "--time allows more time",
    Limit.MEMORY: "--memory allows more memory",
    Limit.POSITIONS: "--max-positions allows more positions",
    Limit.USUAL_POSITIONS: "--max-positions N allows more positions",
}
"""Advice for removing a limit, by the limit; without a limit the search was not begun."""
INSTEAD_OF_HISTORIES = (
    "; where something is hidden every play counts by itself: smaller parameters (-D) or shorter "
    "play may be solved, --max-positions N allows so many"
)
ENDLESS_HISTORIES = (
    "play can return to an earlier position and players do not see everything, so that what they "
    "have seen has no end",
    "a variable that counts plies, and an outcome when there are too many, give it one",
)


def solve(
    game: Game,
    state: State | None = None,
    *,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    max_bytes: int | None = None,
    progress: Progress | None = None,
    solver: SolverName | None = None,
    tolerance: Fraction = DEFAULT_TOLERANCE,
    goal: Goal = Goal.PLAY,
    checkpoints: Checkpoints | None = None,
    uses_symmetry: bool = True,
    uses_turns: bool = True,
    rounds: int | None = None,
    seed: int = 0,
    lengths: bool = True,
    rationality: Fraction = Fraction(1),
    threads: int = 1,
    tell: Callable[[str], None] | None = None,
    searches: bool = True,
) -> Solution:
    """Solves the game from `state` (default: S0).

    Games out of reach are not begun (see `reach`), unless positions or a solver are given.

    Args:
        max_positions: greatest number of states to explore, chance events included; beyond, the
            status is OPEN. None: `usual_limit`, and for native code as many as memory holds.
        max_seconds: time limit of the exploration.
        max_bytes: memory limit; None: a good part of the free memory.
        progress: called with (explored, waiting) from time to time.
        solver: the algorithm, in Python; None takes the first applicable strategy of
            `strategies.STRATEGIES`, native code included.
        tolerance: the greatest error of iterated values, in payoff.
        goal: the least result wanted. A value alone is searched for even in games out of reach, if
            the time is limited.
        checkpoints: where native code saves intermediate results and resumes from them.
        uses_symmetry: whether native code identifies positions that are images under proved
            symmetries of the rules.
        uses_turns: whether native code looks for turns of equal form.
        rounds: rounds of regret minimisation; None: as many as take some seconds.
        seed: seed of the samples of external sampling.
        lengths: whether to compute the length of play in games with chance, and the best actions
            that make progress.
        rationality: the precision lambda of quantal responses; at 0 all actions are equally likely.
        threads: number of threads of native code in large games without chance; 0: the number of
            usable processors. Answers do not depend on the number.
        tell: called with facts proved so far, in words, during a search for a value.
        searches: whether to search for the value of the position alone if not all later positions
            are solved.

    Raises:
        UnsupportedGameError: the algorithms here do not apply, with the reason.
        GameRuleError: the rules fail in some reachable state; E3006 where play can go on for ever
            and the file defines no payoff of endless play.
        ValueError: the solver is native code, which only the engine of the game may choose; or the
            number of rounds is too large; or the rationality is negative.
    """
    if solver is not None and solver.is_native:
        raise ValueError(f"{solver} is up to the engine of the game")
    refuse_unless(game, required_to_begin(solver))
    started, compiled = perf_counter(), COMPILING.seconds
    root = game.initial_state() if state is None else state
    ends = None if max_seconds is None else started + max_seconds
    if ends is not None:
        progress = until(ends, progress)
    is_asked = max_positions is not None
    if not is_asked and game.facts.is_simultaneous:
        max_positions = usual_limit(root, MOST_TOGETHER)
    most = usable_bytes() if max_bytes is None else max_bytes
    wants_all, wants_value = goal is Goal.ALL, goal is Goal.VALUE
    limits = Limits(
        max_positions,
        tolerance,
        progress,
        most,
        ends,
        wants_all,
        wants_value,
        checkpoints,
        uses_symmetry,
        rounds,
        seed,
        lengths,
        rationality,
        samples_tree=solver is SolverName.EXTERNAL_SAMPLING,
        uses_turns=uses_turns,
        threads=threads or usable_processors(),
        tell=tell,
    )
    survey = Survey(game, root, limits)
    searches = searches and solver is None
    is_first = searches and not wants_value and ends is not None and survey.suits_search
    begun = survey.within_part(FOR_ALL if is_first else 1.0)
    found = _within_limits(begun, solver)
    if searches and _is_unknown(found) and survey.suits_search:
        survey.plays_return = begun.returns
        found = _searched(survey, found)
    if found.limit is Limit.POSITIONS and not is_asked:
        found = replace(found, limit=Limit.USUAL_POSITIONS)
    if _is_unknown(found):
        found = replace(found, ways=_ways(survey, found))
    solution = found.solution(game, perf_counter() - started)
    return replace(solution, compiling=COMPILING.seconds - compiled)


def _is_unknown(found: SolutionParts) -> bool:
    """Whether neither a value nor bounds on the value are known."""
    return found.status is Status.OPEN and found.value is None


def _within_limits(survey: Survey, solver: SolverName | None) -> SolutionParts:
    """The result of `_found`; OPEN if not begun, or ended at a limit."""
    game, limits = survey.game, survey.limits
    try:
        if solver is None and limits.positions is None:
            _refuse_out_of_reach(survey)
        return _found(survey, solver)
    except (OutOfBudgetError, OutOfTimeError) as reached:
        return _open(game, reached.explored + reached.frontier, limit=limits.met(reached))
    except EndlessHistoriesError as endless:
        raise UnsupportedGameError(*ENDLESS_HISTORIES) from endless
    except OutOfHistoriesError as reached:
        return _open(game, reached.positions, f", as there are {reached}{INSTEAD_OF_HISTORIES}")
    except OutOfReachError as refusal:
        return _open(game, 0, f", {refusal}")
    except OutOfMemoryError as reached:
        size = f"{reached.used_bytes / GIGABYTE:.2g} GB"
        is_hidden = game.facts.has_secrets
        what = "histories" if is_hidden else "positions"
        full = f", as its {what} fill {size} and there is no memory for more"
        full += INSTEAD_OF_HISTORIES if is_hidden else ""
        return _open(game, reached.explored, full, Limit.MEMORY)


def _refuse_out_of_reach(survey: Survey) -> None:
    """Raises OutOfReachError where solving is hopeless, except for a value search with a time
    limit."""
    ends = survey.limits.ends
    if survey.limits.wants_value and ends is not None:
        return
    seconds = None if ends is None else (ends - perf_counter()) * FOR_SAMPLE
    reason = out_of_reach(survey.game, survey.root, seconds=seconds)
    if reason is not None:
        raise OutOfReachError(reason)


def _searched(survey: Survey, found: SolutionParts) -> SolutionParts:
    """Searches for the value of the position alone, if not all later positions were solved.

    Prefers a result with a move that keeps the value; otherwise returns `found`, with the facts
    proved.
    """
    limits = survey.limits
    is_late = limits.ends is not None and limits.ends < perf_counter()
    if is_late or (limits.wants_value and found.positions):
        return found
    if limits.ends is None and found.limit is not Limit.MEMORY:
        most = USUALLY if limits.wants_value else AT_ONCE
        limits = replace(limits, positions=min(most, limits.positions or most))
    decided: SolutionParts | None = None
    for search, within in _searches(survey.with_limits(limits)):
        parts = search(within)
        if parts is not None and parts.status is not Status.OPEN:
            if parts.moves:
                return parts
            decided = parts
        elif parts is not None:
            found = replace(
                found,
                proved=parts.proved or found.proved,
                positions=found.positions or parts.positions,
            )
    return decided or found


def _searches(survey: Survey) -> Iterator[tuple[Search, Survey]]:
    """Searches for the value of the position, each with limits: a short search for a win with the
    winning play; a search for the value; a long search for a win."""
    limits = survey.limits
    is_short = limits.positions is not None and limits.positions <= AT_ONCE
    if not limits.wants_value:
        most = min(AT_ONCE, limits.positions or AT_ONCE)
        yield by_proof_search, survey.with_limits(replace(limits, positions=most))
    yield by_value_search, survey.within_part(HALF)
    if limits.wants_value or not is_short:
        yield by_proof_search, survey


def _ways(survey: Survey, found: SolutionParts) -> tuple[str, ...]:
    """Suggestions for further attempts, in words; empty with secrets, where the outcome has the
    advice."""
    game, may_be_solved = survey.game, []
    if game.facts.has_secrets:
        return ()
    ways, limits = [], survey.limits
    if survey.suits_search and not (limits.wants_value and limits.ends is not None):
        ways.append("`gamedsl solve --goal value --time 10m` looks longer for a win, or the value")
    if meets(game, SEARCH):
        ways.append("`gamedsl best` estimates the best move within seconds")
    if game.parameters:
        may_be_solved.append("smaller parameters (-D)")
    may_be_solved.append("a later position (--at)")
    ways.append(f"{' or '.join(may_be_solved)} may be solved")
    ways.append(MORE[found.limit])
    return tuple(ways)


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
            solve(game, max_seconds=A_MOMENT if facts.has_secrets or may_diverge else None)
    except UnsupportedGameError as refusal:
        return refusal.reason
    return None


def _found(survey: Survey, solver: SolverName | None) -> SolutionParts:
    """The result of the given solver, or of the first applicable strategy that succeeds.

    Strategies are tried after a look at a part of the graph and, if necessary, at the whole graph.
    With secrets, positions are not explored first.
    """
    tried: list[Strategy] = []
    for strategy in STRATEGIES:
        is_asked = solver is not None and strategy.name is solver
        if solver is None and survey.game.facts.has_secrets:
            is_asked = not strategy.needs_graph and strategy.applies(survey)
        if is_asked:
            tried.append(strategy)
            if strategy.needs_graph:
                survey.explore(survey.most_in_python)
            if (found := strategy.run(survey)) is not None:
                return found
    waiting = [strategy for strategy in STRATEGIES if strategy not in tried]
    for most in (survey.most_in_python if tried else survey.first_look, survey.most_in_python):
        survey.explore(most)
        for strategy in tuple(waiting):
            if (survey.is_whole or not strategy.needs_graph) and strategy.applies(survey):
                waiting.remove(strategy)
                if (found := strategy.run(survey)) is not None:
                    return found
    raise AssertionError("value iteration applies to every graph, or refuses")


def _open(
    game: Game, positions: int, reason: str = "", limit: Limit | None = None
) -> SolutionParts:
    outcome = f"not solved{reason}"
    if game.facts.repeats and not reason:
        outcome += ", as the `repeat` rule makes the history part of every position"
    return SolutionParts(Status.OPEN, positions, outcome=outcome, limit=limit)

"""Estimates the cost of solving a game in a few seconds, without solving the game.

In: a game, a state, a time limit. Out: an `Estimate`: the number of positions, as far as counted,
probable or proved; breadth and length of play; the applicable algorithms with the cost of each, and
the algorithm chosen by `solve`. Every number is marked as counted, proved, measured, or a range.
Uncounted layers are sampled (`sampled_layers`), not extrapolated from counted layers: growing
numbers of positions do not show the turning point.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from time import process_time
from typing import TypeVar

from gamedsl.game.accelerator import (
    UNWANTED,
    Capability,
    Needs,
    Refusal,
    SearchLimits,
    SolvedPositions,
    accelerator_of,
)
from gamedsl.game.contract import Game, settings_of
from gamedsl.game.notebook import drawn
from gamedsl.game.slices import in_slice
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.equilibria.extensive_form import DEFAULT_MAX_HISTORIES
from gamedsl.solvers.feasibility.form_size import FormEstimate, estimate_form
from gamedsl.solvers.graphs.graph import (
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfTimeError,
    Progress,
)
from gamedsl.solvers.graphs.layers import Layers, count_layers
from gamedsl.solvers.graphs.sampled_layers import estimated_positions
from gamedsl.solvers.graphs.visits import Visits, at_least, met, met_returning
from gamedsl.solvers.interruptible import Answer, interruptible
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.methods import (
    BY_PLAYS,
    IN_NATIVE_CODE,
    LEARNING,
    METHOD,
    METHODS,
    SolverName,
    refusal,
)
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import why_refused
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.reach import FOR_LENGTH, out_of_reach
from gamedsl.solvers.running.repetitions import endless_variant
from gamedsl.source.records import dataclass

USUAL_SECONDS = 10.0
FOR_REACH, FOR_PLAYS, FOR_LAYERS, FOR_LOOK, FOR_MEMORY, FOR_TRIAL = 0.1, 0.15, 0.25, 0.1, 0.1, 0.15
"""Shares of the time for the test of hopelessness, for random plays, for counting of positions and
of histories, for exploration of the graph, for the test of memory, and for a trial of native code.
After a trial, counting in Python tells little more, and takes the share of exploration."""
LEAST = 0.1
"""Share of the time always left for work that cannot be stopped."""
SAMPLED_A_SECOND = 2_000
"""States to expand in sampled layers for each second of the whole time; they take a fifth."""
LEAST_SECONDS = 4.0
"""Least time of an estimate whose layers are sampled."""
WITHIN = 10
"""Factor within which the number of positions probably lies: docs/engines.md has the table."""
MOST_PLAYS, MOST_SEEN, LONGEST = 4096, 8_000_000, 1_000
TRIAL_BYTES = 1 << 30
MOST_STATES = 10**200
"""Greatest number of states in cost estimates."""
SMALL = 100_000
"""Greatest number of declared states for which the refusal of `solve` is tested by a trial."""
NATIVE = {
    SolverName.NATIVE_INDUCTION: (0.7, 4),
    SolverName.NATIVE_RETROGRADE: (1.5, 8),
    SolverName.NATIVE_VALUE_ITERATION: (1.5, 40),
    SolverName.NATIVE_EXPECTIMINIMAX: (0.7, 4),
    SolverName.NATIVE_STAGES: (0.7, 4),
    SolverName.NATIVE_EQUILIBRIA: (0.7, 4),
}
"""Algorithms of native code, with the ratio of their time to the trial search's time.

Tables beyond the processor's caches are slower, and some algorithms do more work than the search.
"""
NOT_TOLD = Refusal("what it takes was not told in the time (--time)")
UNFORESEEN = (*LEARNING, SolverName.MERGED, SolverName.VIEWS, SolverName.QUANTAL_RESPONSE)
"""Algorithms whose time is up to the caller."""
IN_PYTHON = (1.2, 12)
"""The time ratio in Python, where the trial only counts."""
COMPILING_BYTES, COMPILING_SECONDS = 150_000_000, 5.0
"""Usual upper bounds on memory and time for compiling machine code."""
A_STATE_IN_PYTHON = (200, 3_000)
"""Range of bytes per position in Python, measured over several games."""

Range = tuple[float, float | None]
"""The minimum and the maximum; None: no known bound."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The estimated cost of one algorithm.

    Attributes:
        why_not: the reason why the algorithm does not apply; None if applicable, as far as known.
        bytes_each: minimum and maximum bytes per position.
        rate: positions per second, measured; None where not measured.
        bytes: memory in all; seconds: time in all.
        is_known_before: whether the cost can be known before the algorithm runs.
    """

    solver: SolverName
    why_not: str | None
    bytes_each: tuple[int, int] | None = None
    rate: float | None = None
    bytes: Range | None = None
    seconds: Range | None = None
    is_known_before: bool = True


@dataclass(frozen=True, slots=True)
class Estimate:
    """Facts known about a game before solving.

    Attributes:
        game, parameters: the title, and names and values as text; players: in turn order.
        settings: the entries of `parameters` that differ from the file.
        layers: positions by depth, as far as counted.
        counted: number of positions seen: a lower bound.
        probable: a very probable lower bound on the number of positions (`graphs.visits`).
        proved: the greatest number of states allowed by the declarations; None where the history
            is part of a state.
        positions: number of positions, if all were counted; else None.
        about: the estimated number of positions; None if too little was seen.
        lengths: plies of random plays; cut: number of random plays stopped before their end.
        branching: mean number of actions per position; widest, narrowest: the maximum and minimum.
        usable: bytes of memory that `solve` may use.
        refused: the reason why `solve` refuses the game; None if accepted, as far as known.
        out_of_reach: the reason why `solve` does not begin, as a clause; None if `solve` begins.
        taken: the algorithm that `solve` takes first; None where the choice only shows on the way.
        forecasts: forecasts of every algorithm.
        symmetries: renamings of squares, players and values that leave the rules unchanged, in
            words; empty if none is proved, None if time ran out.
        form: the size of the extensive form, with imperfect information or simultaneous choices;
            else None.
    """

    game: str
    parameters: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    seed: int
    layers: Layers
    counted: int
    probable: int
    proved: int | None
    positions: int | None
    lengths: tuple[int, ...]
    cut: int
    branching: float
    narrowest: int
    widest: int
    usable: int
    refused: str | None
    out_of_reach: str | None
    taken: SolverName | None
    forecasts: tuple[Forecast, ...]
    symmetries: tuple[str, ...] | None = ()
    form: FormEstimate | None = None
    players: tuple[str, ...] = ()
    about: int | None = None

    @property
    def likely(self) -> tuple[int, int]:
        """The least and the greatest likely number of positions; proved bounds without estimate."""
        if self.positions is not None:
            return self.positions, self.positions
        least, most = max(self.counted, self.probable), self.proved or MOST_STATES
        if self.about is None:
            return least, most
        return max(least, self.about // WITHIN), min(most, self.about * WITHIN)

    def __str__(self) -> str:
        return drawn("estimate_words", self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return drawn("estimate_html", self)


@dataclass(frozen=True, slots=True)
class _Trial:
    """Result of a short run of native code: states per second; and the number of states, if all
    were found."""

    rate: float | None
    positions: int | None
    seen: int


NO_TRIAL = _Trial(None, None, 0)
Other = TypeVar("Other")


def estimate(
    game: Game,
    state: State | None = None,
    *,
    seconds: float = USUAL_SECONDS,
    seed: int = 0,
    max_bytes: int | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Estimates the cost of solving a game, or its slice, from `state` on (default: S0).

    `seconds`: processor time to spend; `seed`: of the random plays; `max_bytes`: memory of solving,
    None: a good part of the free memory. Raises GameRuleError where the rules fail.
    """
    root = game.initial_state() if state is None else state
    if variant := endless_variant(game, root):  # `solve` solves this game
        game, root = variant, root.position()
    game, root = in_slice(game, root)
    usable = usable_bytes() if max_bytes is None else max_bytes
    in_time = _InTime(seconds)
    visits = _plays(game, root, seed, seconds * FOR_PLAYS)
    is_small = game.facts.state_bound <= SMALL
    refused = why_refused(game, returns=visits.return_somewhere, is_small=is_small)
    hopeless = None if refused else out_of_reach(game, root, seconds=seconds * FOR_REACH)
    options = SolveOptions(max_bytes=usable, progress=progress)
    problem = Problem(game, root, options, a_while=seconds * FOR_MEMORY)
    problem.plays_return = visits.return_somewhere
    if refused is None and hopeless is None:
        _look(problem, seconds * FOR_LOOK)
    needs = in_time(lambda: _needs(problem, visits.branching), NOT_TOLD)
    if refused is None and hopeless is None and needs != NOT_TOLD:
        hopeless = _beyond_memory(problem)
    has_speed = refused is None and hopeless is None and needs != NOT_TOLD
    tried = partial(_tried, problem, seconds * FOR_TRIAL)
    trial = in_time(tried, NO_TRIAL) if has_speed else NO_TRIAL
    in_python = FOR_LAYERS if trial.rate is None else FOR_LOOK
    layers = _layers(game, root, options, seconds * in_python)
    if refused is None and hopeless is None:
        _look_at_all(problem, layers)
    (whole, seen), form = _counted(game, layers, trial), _form(game, root, seconds * in_python)
    is_known = refused is None and hopeless is None and _is_seen(game, form)
    counted = whole or max(seen, trial.seen)
    plain = Estimate(
        game=game.name,
        parameters=tuple(game.parameters.items()),
        settings=settings_of(game),
        seed=seed,
        layers=layers,
        counted=counted,
        probable=max(at_least(visits.plays), seen),
        proved=None if game.facts.repeats else game.facts.state_bound,
        positions=whole,
        lengths=tuple(visits.lengths),
        cut=visits.cut,
        branching=visits.branching,
        narrowest=min(visits.widths, default=0),
        widest=max(visits.widths, default=0),
        usable=usable,
        refused=refused,
        out_of_reach=hopeless,
        taken=_taken(problem, needs) if is_known else None,
        forecasts=(),
        form=form,
        players=tuple(game.facts.players),
        about=whole or _sampled(game, root, visits, seed, in_time, counted),
    )
    symmetries = in_time(lambda: _symmetries(problem), None)
    return replace(plain, forecasts=_forecasts(plain, problem, needs, trial), symmetries=symmetries)


def _plays(game: Game, root: State, seed: int, seconds: float) -> Visits:
    """Random plays, to learn lengths and branching."""
    visits = Visits(game, root, Random(seed), LONGEST)
    visits.play(MOST_PLAYS, MOST_SEEN, process_time() + seconds)
    return visits


def _sampled(
    game: Game, root: State, visits: Visits, seed: int, in_time: _InTime, seen: int
) -> int | None:
    """The estimate by layers, or by meetings if greater: both sooner miss positions; of play that
    returns by meetings alone, unless far fewer than the positions `seen`.

    None in less than `LEAST_SECONDS`: the few members of a layer miss nearly all its positions then
    (connect four: 10^7 in two seconds, 10^13 in four).
    """
    if in_time.seconds < LEAST_SECONDS or game.facts.repeats:
        return None
    if visits.return_somewhere:
        about = None if game.facts.has_chance else met_returning(visits.plays)
        return max(about, seen) if about is not None and about * WITHIN >= seen else None
    by_layers = estimated_positions(
        game, root, seed=seed, work=round(in_time.seconds * SAMPLED_A_SECOND),
        plies=max(visits.lengths[:FOR_LENGTH], default=0), deadline=in_time.deadline,
    )  # fmt: skip
    return max(by_layers or 0, met(visits.plays) or 0) or None


def _counted(game: Game, layers: Layers, trial: _Trial) -> tuple[int | None, int]:
    """The number of positions, if known, and the number of positions met."""
    whole = layers.positions if layers.is_whole else trial.positions
    return whole, layers.positions if game.facts.has_chance else layers.states_found


def _layers(game: Game, root: State, options: SolveOptions, seconds: float) -> Layers:
    assert options.max_bytes is not None, "the memory is limited"
    limit, progress = options.max_bytes, options.progress
    layers = count_layers(game, root, seconds=seconds, max_bytes=limit, progress=progress)
    if progress is not None:
        progress(0, 0)  # the next step is not counted
    return layers


class _InTime:
    """Runs uninterruptible work for the rest of `seconds`, at least for the share `LEAST`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = process_time() + seconds

    @property
    def deadline(self) -> float:
        """The end in `process_time`, if work begins now."""
        return max(self._ends, process_time() + self.seconds * LEAST)

    def __call__(self, work: Callable[[], Answer], otherwise: Other) -> Answer | Other:
        """The result of the work, or `otherwise` after a timeout."""
        try:
            return interruptible(work, self.deadline - process_time(), process_time)
        except TimeoutError:
            return otherwise


def _form(game: Game, root: State, seconds: float) -> FormEstimate | None:
    """The size of the extensive form of the whole game; None for later positions."""
    if root != game.initial_state():
        return None
    return estimate_form(game, max_histories=DEFAULT_MAX_HISTORIES, progress=spending(seconds))


def _is_seen(game: Game, form: FormEstimate | None) -> bool:
    """Whether the choice of algorithm can be made without an unexplored extensive form.

    In games of several players with secrets, the form has to be explored completely.
    """
    if not game.facts.has_secrets or len(game.players) == 1:
        return True
    return form is not None and form.size is not None


def spending(seconds: float) -> Progress:
    """Progress that ends work after the given seconds of processor time."""
    ends = process_time() + seconds

    def listen(explored: int, waiting: int) -> None:
        if process_time() > ends:
            raise OutOfTimeError(explored, waiting)

    return listen


def _look(problem: Problem, seconds: float) -> None:
    """Explores as much as `solve` does before choosing a method, within the time limit."""
    if problem.game.facts.has_secrets:
        return
    with suppress(OutOfTimeError):
        problem.explore(problem.first_look, spending(seconds))


def _look_at_all(problem: Problem, layers: Layers) -> None:
    """Explores all positions that `solve` explores, where all positions have been counted."""
    if problem.game.facts.has_secrets or problem.is_whole or not layers.is_whole:
        return
    problem.explore(problem.first_look)
    if not problem.is_whole and not problem.suits_native:
        with suppress(OutOfBudgetError, OutOfMemoryError):
            problem.explore(problem.most_in_python)


def _beyond_memory(problem: Problem) -> str | None:
    if problem.is_whole or not problem.suits_native:
        return None
    reason = problem.beyond_memory
    return None if reason is None else str(reason)


def _tried(problem: Problem, seconds: float) -> _Trial:
    """Measures the speed of native code by the time between progress reports, without compile
    time."""
    accelerator, times, last = problem.accelerator, list[tuple[float, int]](), 0
    if problem.is_whole or isinstance(accelerator, Refusal) or not problem.suits_native:
        return NO_TRIAL

    def listen(explored: int, waiting: int) -> None:
        nonlocal last
        times.append((process_time(), explored))
        last = explored + waiting
        if times[-1][0] - times[0][0] > seconds:
            raise OutOfTimeError(explored, waiting)

    solved: tuple[str, SolvedPositions] | Refusal = NOT_TOLD
    with suppress(OutOfTimeError, OutOfBudgetError, OutOfMemoryError):
        solved = accelerator.solve(
            problem.root,
            returns=problem.returns,
            limits=SearchLimits(
                bytes=min(TRIAL_BYTES, problem.options.max_bytes or TRIAL_BYTES), progress=listen
            ),
        )
    rate = None
    if len(times) > 2 and times[-1][0] > times[0][0]:
        rate = (times[-1][1] - times[0][1]) / (times[-1][0] - times[0][0])
    if isinstance(solved, Refusal):
        return _Trial(rate, None, last if not problem.game.facts.has_chance else 0)
    return _Trial(rate, solved[1].positions, solved[1].positions)


def _taken(problem: Problem, needs: Needs | Refusal) -> SolverName | None:
    """The first applicable method, as in `planner.solve`; None where too little is known."""
    for method in METHODS:
        if problem.game.facts.has_secrets and method.needs_graph:
            break
        if method.needs_graph and not problem.is_whole:
            continue
        try:
            if not method.applies(problem):
                continue
        except UnsupportedGameError:
            return None
        if not method.name.is_native:
            return method.name
        if isinstance(needs, Needs):
            return SolverName(needs.algorithm)
    return None


def _needs(problem: Problem, branching: float) -> Needs | Refusal:
    accelerator = accelerator_of(problem.game)
    if isinstance(accelerator, Refusal):
        return accelerator
    needs = accelerator.needs(returns=problem.returns, branching=branching)
    if isinstance(needs, Needs):
        needs.images()  # the proof is kept, and takes none of the time after this step
    return needs


def _symmetries(problem: Problem) -> tuple[str, ...]:
    accelerator = problem.accelerator
    return () if isinstance(accelerator, Refusal) else accelerator.symmetries()


def _forecasts(
    plain: Estimate, problem: Problem, needs: Needs | Refusal, trial: _Trial
) -> tuple[Forecast, ...]:
    forecasts = [_forecast_of_native(plain, solver, needs, problem, trial) for solver in NATIVE]
    is_seen = problem.is_whole or (plain.taken is not None and problem.game.facts.has_secrets)
    why_not = partial(
        refusal,
        problem.game,
        returns=problem.returns,
        is_team=not is_seen or problem.team is not None,
    )
    for solver in SolverName:
        if solver in NATIVE or solver in UNFORESEEN:
            continue
        reason = why_not(solver)
        if reason is None and problem.root != problem.game.initial_state():
            reason = why_not(solver, is_begun=True)
        if reason is not None:
            forecasts.append(Forecast(solver, str(reason)))
            continue
        if solver.is_native:
            reason = _native_refusal(problem, solver, needs)
            said = None if reason is None else str(reason)
            forecasts.append(Forecast(solver, said, is_known_before=False))
            continue
        if METHOD[solver].requires >= BY_PLAYS:
            forecasts.append(Forecast(solver, None, is_known_before=False))
            continue
        rate = plain.layers.rate
        forecasts.append(_forecast(plain, solver, A_STATE_IN_PYTHON, rate, IN_PYTHON))
    return tuple(forecasts)


def _native_refusal(problem: Problem, solver: SolverName, needs: Needs | Refusal) -> Refusal | None:
    if solver is SolverName.NATIVE_TURNS:
        accelerator = accelerator_of(problem.game)
        if isinstance(accelerator, Refusal):
            return accelerator
        return accelerator.refusal(Capability.TURN_SOLVING)
    if isinstance(needs, Refusal) and solver is not SolverName.NATIVE_PROOF_NUMBERS:
        return needs
    return Refusal(UNWANTED) if isinstance(problem.accelerator, Refusal) else None


def _forecast_of_native(
    plain: Estimate,
    solver: SolverName,
    needs: Needs | Refusal,
    problem: Problem,
    trial: _Trial,
) -> Forecast:
    reason = refusal(problem.game, solver, returns=problem.returns)
    if reason is not None:
        return Forecast(solver, str(reason))
    if isinstance(needs, Refusal):
        return Forecast(solver, needs.reason)
    if isinstance(problem.accelerator, Refusal):
        return Forecast(solver, UNWANTED)
    if needs.algorithm != solver:
        return Forecast(solver, _reason_against(solver, needs.algorithm, problem))
    return _forecast(plain, solver, (needs.least, needs.most), trial.rate, NATIVE[solver])


def _reason_against(solver: SolverName, taken: str, problem: Problem) -> str:
    """Why native code does not take an algorithm of `NATIVE`, but `taken`, for a game that it can
    solve."""
    facts = problem.game.facts
    is_for_chance = solver in {
        SolverName.NATIVE_VALUE_ITERATION,
        SolverName.NATIVE_EXPECTIMINIMAX,
    }
    if is_for_chance != facts.has_chance:
        return "there is no chance in it" if is_for_chance else "there is chance in it"
    if facts.is_simultaneous:
        return f"machine code takes {taken.removesuffix(IN_NATIVE_CODE)}"
    return (
        "play can return to an earlier position"
        if problem.returns
        else "play is not known to return to an earlier position"
    )


def _forecast(
    plain: Estimate,
    solver: SolverName,
    each: tuple[int, int],
    rate: float | None,
    times: tuple[float, float],
) -> Forecast:
    """Forecast of memory and time, for the counted or the likely numbers of positions."""
    least, most = plain.likely
    most = min(most, MOST_STATES)
    is_native = solver in NATIVE
    more_bytes, more = (COMPILING_BYTES, COMPILING_SECONDS) if is_native else (0, 0.0)
    held = (least * each[0], most * each[1] + more_bytes)
    seconds = None if not rate else (least / rate * times[0], most / rate * times[1] + more)
    return Forecast(solver, None, each, rate, held, seconds)

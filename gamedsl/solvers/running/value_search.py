"""Finds the value of a single position by the native value search of a game.

In: a `Problem`. Out: the value; the first actions that keep the value, in the given time, or
at no more than twice the cost of the value (where the value alone is wanted, a quarter, unless the
cost is little); or, if the budget ends first, the facts proved so far. None if the search does not
apply, for example if play can return. Facts proved during the search are reported at once.

In a long search for a game without draws a search for forced wins takes turns with the value
search, with half of its positions, which take about as long: in hex the search for wins is by far
the faster, in domineering the slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from gamedsl.game.accelerator import Payoffs, PositionSearch, ProofSearch, Refusal, ValueSearch
from gamedsl.game.contract import Action
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running.proved import BUDGETS, keeps, proved_value
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.verdicts import NO_BOUNDS, Bounds, FirstMoves

PART = 4
"""Divisor of the positions of the value: so many may be searched to compare first actions; and of
the memory, for a search for a forced win."""
FOR_MOVES = 2
"""Factor of the positions of the value: so many may be searched to compare first actions where they
are a part of the question."""
PROOFS = 2
"""Divisor of the positions of the value: so many may be searched to look for a forced win."""
AT_LEAST, FREELY = 250_000, 2_000_000
"""Positions that may always be searched to compare first actions, however few the value needed; and
as many as the value needed, up to a limit."""
A_FEW = 1_000
"""Positions to compare each first action where no limit is requested."""
ALONE = 1_000_000
"""Positions searched for the value before a forced win is looked for, too, and in each turn."""
NAMED = 3
"""Greatest number of first actions named in a progress report."""


def by_value_search(
    problem: Problem, part: float = 1.0, most: int | None = None
) -> Solution | None:
    """The result of the value search; None where the search does not apply.

    `part`, `most`: of the time, and positions, for the value; the first actions have all of the
    time, and the positions of the problem.
    """
    accelerator = problem.accelerator
    if isinstance(accelerator, Refusal) or problem.returns or not problem.suits_search:
        return None
    watch = _Watch(problem.within_part(part))
    given = [limit for limit in (most, problem.options.max_positions) if limit is not None]
    limits = replace(
        problem.options.search_limits(),
        positions=min(given, default=None),
        progress=watch.report,
    )
    search = accelerator.value_search(limits)
    if isinstance(search, Refusal):
        return None
    watch.search = search
    try:
        value, decided = _value_or_win(problem, search, watch)
    except UnsupportedGameError:
        return None
    except BUDGETS as reached:
        bounds = Bounds(*search.bounds(problem.root))
        return Solution(
            problem.game,
            Status.OPEN,
            search.looked_at,
            facts_proved=None if bounds == NO_BOUNDS else bounds,
            solver=SolverName.NATIVE_ALPHA_BETA,
            limit=problem.options.met(reached),
        )
    watch.problem = problem
    solution = _with_moves(problem, decided, value)
    if decided is search:
        return solution
    positions = search.looked_at + solution.positions
    return replace(solution, solver=SolverName.NATIVE_PROOF_NUMBERS, positions=positions)


def _value_or_win(
    problem: Problem, search: ValueSearch, watch: _Watch
) -> tuple[Payoffs, PositionSearch]:
    """The value, and the search with the result: the value search, or from `ALONE` positions on the
    search for forced wins, which takes turns with the value search. Raises the errors of
    both."""
    root, most = problem.root, search.max_positions
    proof, turn = None, ALONE
    while most is None or turn < most:
        search.max_positions = turn
        try:
            return search.value(root), search
        except OutOfBudgetError:
            proof = proof or _proof_search(problem, search, watch)
        if proof is None:
            break
        proof.max_positions = turn // PROOFS
        try:
            return proof.value(root), proof
        except OutOfBudgetError:
            turn += ALONE
        except (OutOfMemoryError, UnsupportedGameError):
            break
    search.max_positions = most
    return search.value(root), search


def _proof_search(problem: Problem, search: ValueSearch, watch: _Watch) -> ProofSearch | None:
    """A search for forced wins beside the value search, with a part of its memory; None where a
    position may be worth a draw, or the search does not apply."""
    assert not isinstance(problem.accelerator, Refusal)
    if len(search.payoffs) != 2:
        return None

    def report(explored: int, waiting: int) -> None:
        watch.report(search.looked_at + explored, waiting)

    limits = replace(problem.options.search_limits(), progress=report)
    proof = problem.accelerator.proof_search(replace(limits, bytes=search.leave_bytes(PART)))
    return None if isinstance(proof, Refusal) else proof


def _with_moves(problem: Problem, search: PositionSearch, value: Payoffs) -> Solution:
    """The value, and the first actions known to keep the value. First all actions get equal shares
    of a part of the positions, so that a hard action leaves room for the others; in the end each
    has twice a few, since the proof for an image of its position may be known. Where only the value
    is wanted, an action after which the rules fail somewhere stays undecided."""
    failures = (GameRuleError,) if problem.options.wants_value else ()
    root, spent = problem.root, search.looked_at
    most = requested = problem.options.max_positions
    if problem.ends is None:
        share = spent // PART if problem.options.wants_value else FOR_MOVES * spent
        allowed = spent + max(share, min(spent + AT_LEAST, FREELY))
        most = min(allowed, most or allowed)
    actions = problem.game.legal_actions(root)
    best, waiting = list[Action](), list(actions)
    for is_shared in (True, False, False) if most is not None else (False,):
        for number, action in enumerate(tuple(waiting)):
            _tell_of_moves(problem, value, best, len(actions) - len(waiting), len(actions))
            search.max_positions = most
            if most is not None and is_shared:
                left = max(0, most - search.looked_at)
                search.max_positions = search.looked_at + left // PART // (len(actions) - number)
            elif most is not None:
                least = search.looked_at + A_FEW
                search.max_positions = max(most, least if requested is None else 0)
            if search.max_positions is not None and search.looked_at >= search.max_positions:
                break
            with suppress(*BUDGETS, UnsupportedGameError, *failures):
                if keeps(problem.game, root, search, action, value):
                    best.append(action)
                waiting.remove(action)
    return proved_value(problem.game, root, search.looked_at, value, sorted(best), waiting)


def _tell_of_moves(
    problem: Problem, value: Payoffs, best: Sequence[Action], asked: int, count: int
) -> None:
    if problem.options.tell is None:
        return
    game = problem.game
    names = tuple(game.action_name(problem.root, action) for action in best[:NAMED])
    problem.options.tell(FirstMoves(value, names, len(best) > NAMED, asked, count))


class _Watch:
    """Progress of a value search, which reports proved bounds whenever they improve."""

    def __init__(self, problem: Problem) -> None:
        self.search: ValueSearch | None = None
        self.problem = problem
        self._told = NO_BOUNDS

    def report(self, explored: int, waiting: int) -> None:
        """Reports the progress."""
        problem, tell = self.problem, self.problem.options.tell
        if tell is not None and self.search is not None:
            bounds = Bounds(*self.search.bounds(problem.root))
            if bounds.low != bounds.high and bounds != self._told:
                self._told = bounds
                tell(bounds)
        if problem.options.progress is not None:
            problem.options.progress(explored, waiting)

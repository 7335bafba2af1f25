"""Options of `solve`: one record, made by the command line, Python and the playground alike."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.game.accelerator import Checkpoints, SearchLimits
from gamedsl.game.contract import Game
from gamedsl.solvers.graphs.graph import (
    DEFAULT_TOLERANCE,
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfTimeError,
    Progress,
)
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import Goal, Limit
from gamedsl.solvers.verdicts import Progressed
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """Limits, wishes and observers of one call of `solve`.

    Attributes:
        max_positions: greatest number of states to explore, chance events included; beyond, the
            status is OPEN. None: `usual_limit`, and for native code as many as memory holds.
        max_seconds: time limit of the exploration; None: no limit.
        max_bytes: memory limit; None: a good part of the free memory.
        solver: the algorithm, in Python; None takes the first applicable row of `methods.METHODS`,
            native code included.
        goal: the least result wanted. A value alone is searched for even in games out of reach, if
            the time is limited.
        tolerance: the greatest error of iterated values, in payoff; of values in native code a
            share of the greatest payoff, if that is above 1 (`tolerance_of`).
        uses_symmetry: whether native code identifies positions that are images under proved
            symmetries of the rules.
        uses_turns: whether native code looks for turns of equal form.
        uses_slice: whether variables and chance events on which nothing depends are left out.
        rounds: rounds of regret minimisation; None: as many as take some seconds.
        seed: seed of the samples of external sampling; None: 0.
        rationality: the precision lambda of quantal responses; at 0 all actions are equally likely.
            None: 1.
        threads: number of threads of native code in large games without chance; 0: the number of
            usable processors. Answers do not depend on the number.
        lengths: whether to compute the length of play in games with chance, and the best actions
            that make progress.
        searches: whether to search for the value of the position alone if not all later positions
            are solved.
        beyond: asked where memory does not hold all positions, of which there are at least so many:
            whether the caller goes on elsewhere, so that no value of the position alone is searched
            for.
        checkpoints: where native code saves intermediate results and resumes from them.
        progress: called with (explored, waiting) from time to time.
        tell: called with facts proved so far during a search for a value.
    """

    max_positions: int | None = None
    max_seconds: float | None = None
    max_bytes: int | None = None
    solver: SolverName | None = None
    goal: Goal = Goal.PLAY
    tolerance: Fraction = DEFAULT_TOLERANCE
    uses_symmetry: bool = True
    uses_turns: bool = True
    uses_slice: bool = True
    rounds: int | None = None
    seed: int | None = None
    rationality: Fraction | None = None
    threads: int = 1
    lengths: bool = True
    searches: bool = True
    beyond: Callable[[int], bool] | None = None
    checkpoints: Checkpoints | None = None
    progress: Progress | None = None
    tell: Callable[[Progressed], None] | None = None

    @property
    def wants_all(self) -> bool:
        """Whether the value of every reachable position is wanted."""
        return self.goal is Goal.ALL

    @property
    def wants_value(self) -> bool:
        """Whether the value of the position alone is wanted."""
        return self.goal is Goal.VALUE

    def tolerance_of(self, game: Game) -> Fraction:
        """The greatest error of a value in native code, where a value has a number of digits."""
        return self.tolerance * max(Fraction(1), *map(abs, game.facts.utility_bounds))

    def met(self, error: OutOfBudgetError | OutOfTimeError | OutOfMemoryError) -> Limit:
        """The limit at which a search has ended."""
        match error:
            case OutOfTimeError():
                return Limit.TIME
            case OutOfMemoryError():
                return Limit.MEMORY
            case _:
                return Limit.POSITIONS if self.max_positions else Limit.USUAL_POSITIONS

    def search_limits(self) -> SearchLimits:
        """The limits for native code."""
        return SearchLimits(
            self.max_positions, self.max_bytes, self.progress, self.uses_symmetry, self.threads
        )

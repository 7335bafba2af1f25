"""Iterative deepening: alpha-beta to depth 1, 2, 3, ... while the budget lasts (AIMA 3rd ed.,
sections 5.3.1 and 5.4.2: "when time runs out, the program returns the move selected by the
deepest completed search").

In: a game with EVAL and a budget of nodes or seconds. Out: the decision of the deepest search
that was completed. The best move of each depth is looked at first at the next.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.textbook import minimax
from gamedsl.solvers.textbook.cutoff import alpha_beta_cutoff_search
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.leaves import Evaluation
from gamedsl.solvers.textbook.ordering import Ordering, declared_order, first_of_all
from gamedsl.solvers.textbook.trace import Event, EventKind

REQUIRES = minimax.REQUIRES
DEEPEST = 200
"""No search goes deeper than this many plies."""
Clock = Callable[[], float]


def iterative_deepening_search(
    game: Game,
    state: State | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    deepest: int = DEEPEST,
    evaluation: Evaluation | None = None,
    clock: Clock = perf_counter,
    until: Callable[[], bool] | None = None,
) -> Decision:
    """The decision of the deepest completed alpha-beta search within the budget.

    Stops early where the value is proved. The first ply is always completed, at any cost, to have a
    decision.

    Args:
        nodes: the most nodes to visit, over all depths.
        seconds: the most wall-clock time, by `clock`; results then depend on the machine.
        deepest: the last depth, in plies.
        until: called at every node after the first ply; True ends the search.

    Raises:
        UnsupportedGameError: as `alpha_beta_cutoff_search`.
    """
    root = game.initial_state() if state is None else state
    budget = _Budget(nodes, seconds, clock, until)
    decision: Decision | None = None
    for limit in range(1, deepest + 1):
        try:
            decision = alpha_beta_cutoff_search(
                game, limit, root, evaluation=evaluation,
                ordering=_best_so_far(decision, root), observer=budget,
            )  # fmt: skip
        except _OutOfBudgetError:
            break
        budget.is_binding = True
        if decision.is_exact:
            break
    assert decision is not None, "the search of the first ply is always completed"
    return decision


def _best_so_far(decision: Decision | None, root: State) -> Ordering:
    if decision is None or decision.action is None:
        return declared_order
    return first_of_all(decision.action, declared_order, root)


class _OutOfBudgetError(RuntimeError):
    """The budget is spent; the search under way is given up."""


class _Budget:
    """An observer that stops the search when the budget is spent."""

    def __init__(
        self,
        nodes: int | None,
        seconds: float | None,
        clock: Clock,
        until: Callable[[], bool] | None,
    ) -> None:
        self.is_binding = False
        self._nodes_left = nodes
        self._clock = clock
        self._deadline = None if seconds is None else clock() + seconds
        self._until = until

    def __call__(self, event: Event) -> None:
        if event.kind is not EventKind.ENTER:
            return
        if self._nodes_left is not None:
            self._nodes_left -= 1
        if not self.is_binding:
            return
        is_spent = self._nodes_left is not None and self._nodes_left < 0
        if is_spent or (self._deadline is not None and self._clock() > self._deadline):
            raise _OutOfBudgetError
        if self._until is not None and self._until():
            raise _OutOfBudgetError

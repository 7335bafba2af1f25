"""Solutions of a single position: the value, and the first actions proved to keep the value."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.game.accelerator import Payoffs, PositionSearch
from gamedsl.game.contract import Action, Game
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, OutOfTimeError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import MoveValue, Solution, Status
from gamedsl.solvers.verdicts import Outcome

BUDGETS = (OutOfBudgetError, OutOfTimeError, OutOfMemoryError)
"""The errors of a search at its limits."""


def proved_value(
    game: Game,
    root: State,
    looked_at: int,
    value: Payoffs,
    best: Sequence[Action],
    undecided: Sequence[Action],
) -> Solution:
    """The value of a position after a look at so many positions, the actions that keep the value,
    and the undecided actions."""
    return Solution(
        game,
        Status.ULTRA_WEAK,
        looked_at,
        value=value,
        outcome_form=Outcome.CERTAIN,
        moves=tuple(
            MoveValue(action, game.action_name(root, action), value, None, True, False)
            for action in best
        ),
        undecided=tuple(game.action_name(root, action) for action in undecided),
        solver=SolverName.NATIVE_ALPHA_BETA,
    )


def keeps(game: Game, root: State, search: PositionSearch, action: Action, value: Payoffs) -> bool:
    """Whether an action gives the mover the position's value; raises the errors of the search."""
    mover = game.current_player(root)
    after = game.result(root, action)
    if game.is_terminal(after):
        return game.utilities(after)[mover] == value[mover]
    return search.gives(after, mover, value)

"""H-minimax, and alpha-beta with CUTOFF-TEST and EVAL (AIMA 3rd ed., sections 5.4 and 5.4.2).

In: a game with `evaluate`, or an evaluation given by the caller, and a depth limit in plies. Out:
the decision of minimax or alpha-beta with EVAL in place of UTILITY at the limit. Where the file
defines quiescent states (`evaluate p where ...`), all remaining states are searched further.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.requirements import refuse_unless
from gamedsl.solvers.textbook import expectiminimax, minimax
from gamedsl.solvers.textbook.alpha_beta import AlphaBeta
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.evaluation import file_evaluation
from gamedsl.solvers.textbook.expectiminimax import Expectiminimax
from gamedsl.solvers.textbook.leaves import CutOffs, Endings, Evaluation
from gamedsl.solvers.textbook.ordering import Ordering, declared_order
from gamedsl.solvers.textbook.search_context import UNBOUNDED, SearchContext
from gamedsl.solvers.textbook.trace import Observer

REQUIRES = expectiminimax.REQUIRES
"""Requirements of H-minimax; alpha-beta has the requirements of minimax."""


def h_minimax_decision(
    game: Game,
    limit: int,
    state: State | None = None,
    *,
    maximizer: int = 0,
    evaluation: Evaluation | None = None,
    ordering: Ordering = declared_order,
    observer: Observer | None = None,
) -> Decision:
    """The action with the best H-MINIMAX(RESULT(s, a), 1) (section 5.4).

    H-MINIMAX(s, d) is EVAL(s) if CUTOFF-TEST(s, d), else the greatest or least H-MINIMAX of the
    results at depth d + 1, as in minimax; at chance nodes the average (section 5.5.1).

    Args:
        limit: depth limit in plies, chance events included; beyond, only successors of states that
            are not quiescent are searched; at least 1.
        evaluation: EVAL for MAX, of all states; None takes the file's `evaluate` and the file's
            definition of quiescent states.

    Raises:
        UnsupportedGameError: as `expectiminimax_decision` (but play may return), or EVAL is
            missing.
    """
    refuse_unless(game, REQUIRES)
    root = game.initial_state() if state is None else state
    context = SearchContext(game, observer, limit)
    leaves = cut_offs(game, limit, maximizer, evaluation)
    search = Expectiminimax(game, maximizer, ordering, leaves, context)
    backed_up = search.value(root)
    return proved_at_extremes(
        game, context.decision("h-minimax", root, backed_up.value, backed_up.line)
    )


def alpha_beta_cutoff_search(
    game: Game,
    limit: int,
    state: State | None = None,
    *,
    maximizer: int = 0,
    evaluation: Evaluation | None = None,
    ordering: Ordering = declared_order,
    observer: Observer | None = None,
) -> Decision:
    """ALPHA-BETA-SEARCH with `if CUTOFF-TEST(state, depth) then return EVAL(state)`.

    Arguments and value as `h_minimax_decision`; errors as `minimax_decision`, but play may return.
    """
    refuse_unless(game, minimax.REQUIRES, instead=minimax.INSTEAD)
    root = game.initial_state() if state is None else state
    context = SearchContext(game, observer, limit)
    leaves = cut_offs(game, limit, maximizer, evaluation)
    backed_up = AlphaBeta(game, maximizer, ordering, leaves, context).value(root, UNBOUNDED)
    decision = context.decision("alpha-beta", root, backed_up.value, backed_up.line)
    return proved_at_extremes(game, decision)


def cut_offs(game: Game, limit: int, maximizer: int, evaluation: Evaluation | None) -> CutOffs:
    """CUTOFF-TEST and EVAL; ValueError for a limit below 1."""
    if limit < 1:
        raise ValueError(f"a depth limit is at least 1 ply, not {limit}")
    endings = Endings(game, maximizer)
    if evaluation is not None:
        return CutOffs(endings, limit, evaluation, lambda _: True)
    return CutOffs(
        endings,
        limit,
        file_evaluation(game, maximizer),
        lambda state: game.is_quiescent(state, maximizer),
    )


def proved_at_extremes(game: Game, decision: Decision) -> Decision:
    """The decision, marked exact if the value is the best or worst payoff: estimates never reach
    the extremes."""
    is_proved = decision.is_exact or decision.value in game.facts.utility_bounds
    return replace(decision, is_exact=is_proved)

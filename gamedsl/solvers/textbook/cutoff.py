"""H-minimax, and alpha-beta with CUTOFF-TEST and EVAL (AIMA 3rd ed., sections 5.4 and 5.4.2).

In: a game with `evaluate`, or an evaluation given by the caller, and a depth limit in plies. Out:
the decision of minimax or alpha-beta with EVAL in place of UTILITY at the limit. Where the file
defines quiescent states (`evaluate p where ...`), all remaining states are searched further.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.requirements import refuse_unless
from gamedsl.solvers.textbook import expectiminimax, minimax
from gamedsl.solvers.textbook.alpha_beta import AlphaBeta
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.evaluation import file_evaluation
from gamedsl.solvers.textbook.expectiminimax import Expectiminimax
from gamedsl.solvers.textbook.leaves import CutOffs, Endings, Evaluation
from gamedsl.solvers.textbook.minimax import Minimax, SearchOptions, decide

REQUIRES = expectiminimax.REQUIRES
"""Requirements of H-minimax; alpha-beta has the requirements of minimax."""


def h_minimax_decision(
    game: Game,
    limit: int,
    state: State | None = None,
    *,
    evaluation: Evaluation | None = None,
    **options: Unpack[SearchOptions],
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
    return _decide("h-minimax", Expectiminimax, game, limit, state, evaluation, **options)


def alpha_beta_cutoff_search(
    game: Game,
    limit: int,
    state: State | None = None,
    *,
    evaluation: Evaluation | None = None,
    **options: Unpack[SearchOptions],
) -> Decision:
    """ALPHA-BETA-SEARCH with `if CUTOFF-TEST(state, depth) then return EVAL(state)`.

    Arguments and value as `h_minimax_decision`; errors as `minimax_decision`, but play may return.
    """
    refuse_unless(game, minimax.REQUIRES, instead=minimax.INSTEAD)
    return _decide("alpha-beta", AlphaBeta, game, limit, state, evaluation, **options)


def _decide(
    name: str,
    kind: Callable[..., Minimax],
    game: Game,
    limit: int,
    state: State | None,
    evaluation: Evaluation | None,
    **options: Unpack[SearchOptions],
) -> Decision:
    """The decision at a depth limit, marked exact if the value is the best or worst payoff:
    estimates never reach the extremes. Raises ValueError for a limit below 1."""
    if limit < 1:
        raise ValueError(f"a depth limit is at least 1 ply, not {limit}")
    decision = decide(
        name, kind, game, state, limit=limit,
        leaves_of=lambda _, maximizer: _cut_offs(game, limit, maximizer, evaluation), **options,
    )  # fmt: skip
    is_proved = decision.is_exact or decision.value in game.facts.utility_bounds
    return replace(decision, is_exact=is_proved)


def _cut_offs(game: Game, limit: int, maximizer: int, evaluation: Evaluation | None) -> CutOffs:
    """CUTOFF-TEST and EVAL."""
    endings = Endings(game, maximizer)
    if evaluation is not None:
        return CutOffs(endings, limit, evaluation, lambda _: True)
    return CutOffs(
        endings,
        limit,
        file_evaluation(game, maximizer),
        lambda state: game.is_quiescent(state, maximizer),
    )

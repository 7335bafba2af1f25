"""Forced wins by native code, in positions that are published with their solution."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, Status
from tests.chess_positions import state_of_fen

IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
"""P. Morphy."""
IN_THREE = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"
IN_EIGHT = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 0 11"
"""Ed. Lasker - G. A. Thomas, London 1912: 11. Qxh7+ and mate at the eighteenth move."""


@pytest.mark.parametrize(
    ("fen", "positions", "best", "last", "plies"),
    [
        (IN_TWO, 62, "go(a1, a6)", None, 3),
        (IN_THREE, 40, "go(f6, a6)", None, 5),
        (IN_EIGHT, 18, "go(h5, h7)", "go(e1, d2)", 15),
    ],
)
def test_mates_follow_from_the_rules_of_chess(
    fen: str, positions: int, best: str, last: str | None, plies: int
) -> None:
    game = gamedsl.load("chess")
    found = solve(game, state_of_fen(game, fen), SolveOptions(goal=Goal.VALUE))
    assert (found.outcome, found.best) == ("White wins", (best,))
    assert (found.status, found.solver) == (Status.WEAK, SolverName.NATIVE_PROOF_NUMBERS)
    assert (found.positions, len(found.principal_variation)) == (positions, plies)
    assert last in {None, found.principal_variation[-1]}

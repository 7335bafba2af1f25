"""Forced wins by native code, in positions that are published with their solution."""

from __future__ import annotations

import gamedsl
from gamedsl.game.encoding import state_from_json
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, SolverName, Status


def test_mate_in_eight_follows_from_the_rules_of_chess() -> None:
    """Ed. Lasker - G. A. Thomas, London 1912: 11. Qxh7+ and mate at the eighteenth move."""
    rows = [
        "rn...rk.",
        "pbppq.pp",
        ".p..pb..",
        "....N..Q",
        "...PN...",
        "...B....",
        "PPP..PPP",
        "R...K..R",
    ]
    names = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
    men = {
        f"{'abcdefgh'[x]}{8 - y}": man for y, row in enumerate(rows) for x, man in enumerate(row)
    }
    game = gamedsl.load("chess")
    data = {
        "turn": "White",
        "variables": {
            "man": {
                s: "empty" if m == "." else "White" if m.isupper() else "Black"
                for s, m in men.items()
            },
            "kind": {s: "nothing" if m == "." else names[m.lower()] for s, m in men.items()},
            "fresh": {s: s in {"a1", "e1", "h1"} for s in men},
        },
    }
    found = solve(game, state_from_json(game, data), goal=Goal.VALUE)
    assert (found.outcome, found.best) == ("White wins", ("go(h5, h7)",))
    assert found.solver is SolverName.NATIVE_PROOF_NUMBERS
    assert (found.status, len(found.principal_variation), found.principal_variation[-1]) == (
        Status.WEAK,
        15,
        "go(e1, d2)",
    )

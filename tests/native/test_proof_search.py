"""Forced wins by native code, in positions that are published with their solution."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.encoding import state_from_json
from gamedsl.model import State
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, SolverName, Status

KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
IN_TWO = "kbK..... pp...... .P...... ........ ........ ........ ........ R......."
"""P. Morphy."""
IN_THREE = "r.....rk .....p.p .....R.. ....B... ........ ........ .......P .......K"
IN_EIGHT = "rn...rk. pbppq.pp .p..pb.. ....N..Q ...PN... ...B.... PPP..PPP R...K..R"
"""Ed. Lasker - G. A. Thomas, London 1912: 11. Qxh7+ and mate at the eighteenth move."""


def position(game: LoadedGame, rows: str, *fresh: str) -> State:
    """A position of chess with White to move; kings and rooks on `fresh` have not moved."""
    men = {
        f"{'abcdefgh'[x]}{8 - y}": man
        for y, row in enumerate(rows.split())
        for x, man in enumerate(row)
    }
    owners = {s: "White" if m.isupper() else "Black" for s, m in men.items()}
    variables = {
        "man": {s: "empty" if m == "." else owners[s] for s, m in men.items()},
        "kind": {s: "nothing" if m == "." else KINDS[m.lower()] for s, m in men.items()},
        "fresh": {s: s in fresh for s in men},
    }
    return state_from_json(game, {"turn": "White", "variables": variables})


@pytest.mark.parametrize(
    ("rows", "fresh", "positions", "best", "last", "plies"),
    [
        (IN_TWO, (), 63, "go(a1, a6)", None, 3),
        (IN_THREE, (), 40, "go(f6, a6)", None, 5),
        (IN_EIGHT, ("a1", "e1", "h1"), 18, "go(h5, h7)", "go(e1, d2)", 15),
    ],
)
def test_mates_follow_from_the_rules_of_chess(
    rows: str, fresh: tuple[str, ...], positions: int, best: str, last: str | None, plies: int
) -> None:
    game = gamedsl.load("chess")
    found = solve(game, position(game, rows, *fresh), goal=Goal.VALUE)
    assert (found.outcome, found.best) == ("White wins", (best,))
    assert (found.status, found.solver) == (Status.WEAK, SolverName.NATIVE_PROOF_NUMBERS)
    assert (found.positions, len(found.principal_variation)) == (positions, plies)
    assert last in {None, found.principal_variation[-1]}

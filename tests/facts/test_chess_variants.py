"""What the variants of chess change: positions in which their rules decide.

The numbers of legal moves and the results are those of python-chess.
"""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.game import state_from_json, state_to_json
from tests.native.tables import position_of_chess


@pytest.mark.parametrize(
    ("name", "board", "given", "moves", "best", "payoffs"),
    [
        ("king_of_the_hill", "4k3/8/8/8/8/3K4/8/8", {}, 8, "go(d3, d4)", (1, -1)),
        (
            "atomic",
            "rnbqkbnr/pppppppp/8/8/8/5Q2/PPPPPPPP/RNB1KBNR",
            {},
            35,
            "go(f3, f7)",
            (1, -1),
        ),
        (
            "three_check",
            "4k3/8/8/8/8/8/8/R3K2R",
            {"checks": {"White": "2", "Black": "0"}},
            26,
            "go(a1, a8)",
            (1, -1),
        ),
        ("horde", "8/8/8/2k5/8/8/3Pr3/8", {"turn": "Black"}, 19, "go(e2, d2)", (-1, 1)),
    ],
)
def test_a_variant_ends_where_its_own_rule_says(
    name: str,
    board: str,
    given: dict[str, object],
    moves: int,
    best: str,
    payoffs: tuple[int, ...],
) -> None:
    game = gamedsl.load(name, "interpreter")
    data = state_to_json(game, position_of_chess(game, board))
    data["turn"] = given.pop("turn", "White")
    data["variables"] = {**data["variables"], **given}  # type: ignore[dict-item]
    state = state_from_json(game, data)
    assert len(game.legal_actions(state)) == moves
    after = game.result(state, game.action_named(state, best))
    assert game.is_terminal(after)
    assert game.utilities(after) == payoffs


def test_in_antichess_who_can_take_must() -> None:
    game = gamedsl.load("antichess", "interpreter")
    state = game.initial_state()
    numbers = []
    for move in ("go(e2, e4)", "go(d7, d5)", "take(e4, d5)", "take(d8, d5)", "go(e1, e2)"):
        state = game.result(state, game.action_named(state, move))
        numbers.append(len(game.legal_actions(state)))
    assert numbers == [20, 1, 1, 29, 3]

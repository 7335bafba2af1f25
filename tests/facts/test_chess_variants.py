"""What the variants of chess change: positions in which their rules decide.

The numbers of legal moves and the results are those of python-chess.
"""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.solvers.perft import perft
from tests.chess_positions import KIWIPETE, state_of_fen

COUNTS = [
    # Chess Programming Wiki, "Perft results", positions 2 to 6
    ("chess", KIWIPETE, (48, 2039)),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812)),
    (
        "chess",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        (6, 264, 9467),
    ),
    ("chess", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1", (44, 1486)),
    (
        "chess",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
        (46, 2079),
    ),
    # python-chess, examples/perft
    ("chess", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", (6, 121, 711)),
    ("chess", "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6 0 1", (5, 100, 555)),
    (
        "chess",
        "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1",
        (2, 92, 2528),
    ),
    ("three_check", KIWIPETE.replace(" - 0 ", " - 1+1 0 "), (48, 2039)),
    ("three_check", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 1+1 0 1", (26, 562, 13410)),
    ("atomic", "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", (40, 1238)),
    ("atomic", "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", (28, 833)),
    ("antichess", "8/2p5/8/8/8/8/P7/8 w - - 0 1", (2, 4, 4, 4, 4, 4, 4, 4, 12, 36, 312, 2557)),
    ("horde", "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1", (30, 241, 6633)),
    ("horde", "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1", (13, 172, 2205)),
    ("racing_kings", "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", (6, 33, 178, 3151)),
    # recomputed with python-chess
    ("atomic", "r3k2r/8/8/3nq3/4Q3/5N2/8/R3K2R b KQkq - 0 1", (37, 1289)),
    ("antichess", "N3kb1r/1p1n4/4pp1p/pP6/3P4/8/P1P1PPP1/RN1QKB2 w - a6 0 13", (1, 1, 20)),
    ("king_of_the_hill", "8/8/2k2p2/8/1P3p2/4K3/4P3/8 w - - 0 1", (7, 43, 324)),
    ("racing_kings", "8/3k4/1K6/8/8/8/8/8 w - - 0 1", (6, 42, 130, 849)),
    ("racing_kings", "8/1K3k1r/8/8/8/2N5/8/4r1B1 w - - 0 1", (23, 506, 8587)),
]
"""Game, position, perft."""


@pytest.mark.parametrize(
    ("name", "fen", "moves", "best", "payoffs"),
    [
        ("king_of_the_hill", "4k3/8/8/8/8/3K4/8/8 w - - 0 1", 8, "go(d3, d4)", (1, -1)),
        (
            "atomic",
            "rnbqkbnr/pppppppp/8/8/8/5Q2/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
            35,
            "go(f3, f7)",
            (1, -1),
        ),
        ("three_check", "4k3/8/8/8/8/8/8/R3K2R w KQ - 1+3 0 1", 26, "go(a1, a8)", (1, -1)),
        ("horde", "8/8/8/2k5/8/8/3Pr3/8 b - - 0 1", 19, "go(e2, d2)", (-1, 1)),
        ("racing_kings", "8/1K1k4/8/8/8/8/8/8 w - - 0 1", 5, "go(b7, b8)", None),
        ("racing_kings", "8/1K6/3k4/8/8/8/8/8 w - - 0 1", 6, "go(b7, b8)", (1, -1)),
        ("racing_kings", "8/K2k4/B1N5/8/8/8/8/4R3 w - - 0 1", 27, "go(a7, a8)", (1, -1)),
        ("racing_kings", "1K6/3k4/8/8/8/8/8/8 b - - 0 1", 6, "go(d7, d8)", (0, 0)),
        ("racing_kings", "1K6/3k4/8/8/8/8/8/8 b - - 0 1", 6, "go(d7, d6)", (1, -1)),
    ],
)
def test_a_variant_ends_where_its_own_rule_says(
    name: str, fen: str, moves: int, best: str, payoffs: tuple[int, ...] | None
) -> None:
    game = gamedsl.load(name, "interpreter")
    state = state_of_fen(game, fen)
    assert len(game.legal_actions(state)) == moves
    after = game.result(state, game.action_named(state, best))
    assert (game.utilities(after) if game.is_terminal(after) else None) == payoffs


@pytest.mark.parametrize(("name", "fen", "counts"), COUNTS)
def test_perft_counts_are_those_of_python_chess(
    name: str, fen: str, counts: tuple[int, ...]
) -> None:
    game = gamedsl.load(name)
    assert perft(game, state_of_fen(game, fen), depth=len(counts)) == (1, *counts)


def test_in_antichess_who_can_take_must() -> None:
    game = gamedsl.load("antichess", "interpreter")
    state = game.initial_state()
    numbers = []
    for move in ("go(e2, e4)", "go(d7, d5)", "take(e4, d5)", "take(d8, d5)", "go(e1, e2)"):
        state = game.result(state, game.action_named(state, move))
        numbers.append(len(game.legal_actions(state)))
    assert numbers == [20, 1, 1, 29, 3]

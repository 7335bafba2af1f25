"""What is right: the numbers of plays of each depth, with their sources.

A leaf is a play of exactly that many plies. To the depths used here no play of Othello is over
early, so that the convention for games that end early does not matter.
"""

from __future__ import annotations

PERFT: dict[str, tuple[int, ...]] = {
    # OEIS A212693's plays; recomputed by unrelated programs.
    "connect_four": (
        1,
        7,
        49,
        343,
        2401,
        16807,
        117649,
        823536,
        5673234,
        39394572,
        268031646,
    ),
    # A. Bik, 2009; a pass is a ply.
    "othello": (
        1,
        4,
        12,
        56,
        244,
        1396,
        8200,
        55092,
        390216,
        3005288,
        24571284,
        212258800,
    ),
    # To depth 4 Fairy-Stockfish; beyond, the hand-written code here and gamedsl agree.
    "breakthrough": (1, 22, 484, 11132, 256036, 6182818, 149264638),
    # A. Bik's to depth 6; then plies and not turns (each jump is one), which gamedsl alone counts.
    "checkers": (1, 7, 49, 302, 1469, 7361, 36768, 179255, 838248, 3866526, 17570330),
    # 25 * 24 * 23 * ...: men are dropped on vacant squares.
    "teeko": (1, 25, 600, 13800, 303600, 6375600, 127512000),
    # chessprogramming.org, "Perft results".
    "chess": (1, 20, 400, 8902, 197281, 4865609),
    # To depth 6 Fairy-Stockfish's variant dobutsu; beyond, gamedsl alone.
    "dobutsu_shogi": (1, 4, 17, 123, 976, 8122, 71677, 635117, 5684459, 50503579),
    # gamedsl's; to depth 4 by the interpreter too. Go on five by five points, hex on five by five.
    "kalah": (
        1,
        6,
        35,
        185,
        942,
        4690,
        23233,
        114430,
        563055,
        2763490,
        13519607,
        65870758,
    ),
    "go": (1, 26, 651, 15650, 361041, 7984104),
    "peg_solitaire": (
        1,
        4,
        12,
        60,
        400,
        2960,
        24600,
        221072,
        2076744,
        20123080,
        197757768,
    ),
    # 25 * 24 * 23 * ...
    "hex": (1, 25, 600, 13800, 303600, 6375600, 127512000),
    "tic_tac_toe": (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
}

POSITIONS: dict[tuple[int, int], int] = {
    # J. Tromp's table of connect four on small boards (width, height): positions.
    (4, 4): 161029,
    (4, 5): 1706255,
}

VALUES = {
    "connect_small": 0,
    "mnk": 0,
    "cubic_tic_tac_toe": 1,
    "hex": 1,
    "kalah": 1,
    "dots_and_boxes": -2,
    "domineering": -1,
    "cram": -1,
    "hexapawn": 1,
    "breakthrough": -1,
}
"""Payoffs of the first player on the boards of `benchmarks.ablation`, where both play best."""

MORRIS = 47_957_097
"""Positions of six men's morris, images counted each, by gamedsl without threads."""

CFR_PLUS_CURVE = {10: 0.6104389, 30: 0.0817693, 100: 0.0134160}
"""Exploitability of Leduc poker after so many rounds of CFR+, by OpenSpiel 2.0.2."""

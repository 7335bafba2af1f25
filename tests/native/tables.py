"""Counts of plays that others have published, or that were recomputed by a program of its own.

In: nothing. Out: rows of a game, how to load it, where to begin, what a depth means, the counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State
from tests.chess_positions import KIWIPETE, state_of_fen


@dataclass(frozen=True, slots=True)
class Row:
    """The counts of one position, for depths from 1 on; the first `quick` are for every run."""

    name: str
    counts: tuple[int, ...]
    quick: int
    turns: bool = False
    fen: str = ""
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the row is called."""
        given = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        return " ".join(part for part in (self.name, given, self.fen.split("/")[0]) if part)

    def load(self) -> tuple[LoadedGame, State]:
        """The game and the position."""
        game = gamedsl.load(self.name, "python", **self.parameters)
        return game, state_of_fen(game, self.fen) if self.fen else game.initial_state()


ROWS = (
    Row("connect_four", (7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646), 7),
    Row("othello", (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288), 7),
    Row(
        "checkers",
        (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680),
        0,
        turns=True,
    ),
    Row("international_draughts", (9, 81, 658, 4265, 27117, 167140, 1049442), 0, turns=True),
    Row(
        "international_draughts",
        (7, 49, 302, 1469, 7473, 37628, 187302, 907836),
        0,
        turns=True,
        parameters={"size": "8"},
    ),
    Row("chess", (20, 400, 8902, 197281, 4865609), 0),
    Row("chess", (48, 2039, 97862, 4085603), 0, fen=KIWIPETE),
    Row("antichess", (20, 400, 8067, 153299, 2732672), 0),
    Row("atomic", (20, 400, 8902, 197326, 4864979), 0),
    Row("atomic", (48, 1939, 88298), 0, fen=KIWIPETE),
    Row("horde", (8, 128, 1274, 23310, 265223), 0),
    Row("king_of_the_hill", (20, 400, 8902, 197281, 4865609), 0),
    Row("knightmate", (18, 324, 6765, 139774), 0),
    Row("racing_kings", (21, 421, 11264, 296242, 9472927), 0),
    Row("three_check", (20, 400, 8902, 197281, 4865609), 0),
    Row("breakthrough", (22, 484, 11132, 256036), 4, parameters={"width": "8", "height": "8"}),
    Row("nine_mens_morris", (24, 552, 12144, 255024, 5100480), 0),
    Row("hexapawn", (3, 10, 28, 56, 70, 64, 20), 7),
    Row("kalah", (6, 35, 185), 3),
    Row("eight_puzzle", (4, 12, 32, 96, 256), 4),
    Row("dobutsu_shogi", (4, 17, 123, 976, 8122, 71677, 635117, 5684459), 7),
    Row("go", (5, 21, 68, 156), 0, parameters={"size": "2"}),
    Row("go", (26, 651, 15650, 361041), 4, parameters={"size": "5"}),
    Row("go", (82, 6643), 2, parameters={"size": "9"}),
)

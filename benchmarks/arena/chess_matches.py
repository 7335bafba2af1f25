"""Chess against Stockfish and alpha-beta on python-chess, with processor time on both sides.

In: `skill_0`, Stockfish with this skill level, or `python_chess`. Out: a function that plays the
pair of a number. Stockfish gets a number of positions for each move, since its own clock is the
wall's; its processor time is read from the system.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from time import process_time, thread_time
from typing import Any

import chess
import chess.engine

import gamedsl
from benchmarks.arena.series import Play, result_of
from gamedsl.game.contract import Action, History
from gamedsl.solvers.matches.match import play_pair
from gamedsl.solvers.matches.players import AdvisedPlayer, player_settings

STOCKFISH = "/usr/games/stockfish"
POSITIONS = 600_000
"""Positions of Stockfish for a second."""
CHESS = ("python_chess", "skill_0", "skill_1", "skill_2", "skill_3")
"""The opponents."""
LONGEST = 200
"""Plies after which a game is drawn."""
MATE = 10_000
WORTH = {
    chess.PAWN: 10, chess.KNIGHT: 30, chess.BISHOP: 30, chess.ROOK: 50, chess.QUEEN: 90,
    chess.KING: 0,
}  # fmt: skip
"""Men in tenths of a pawn; a man in the middle counts 1, as in the file."""
MIDDLE = (chess.D4, chess.E4, chess.D5, chess.E5)


class OurPlayer(AdvisedPlayer):
    """The adviser by processor time, which is counted."""

    def __init__(self, game: gamedsl.LoadedGame, seconds: float, seed: int) -> None:
        super().__init__(player_settings(f"search:cpu={seconds:g}"), game, Random(seed))
        self.seconds, self.moves = 0.0, 0

    def choose(self, history: History, player: int) -> Action:
        """As advised."""
        began = process_time()
        action = super().choose(history, player)
        self.seconds += process_time() - began
        self.moves += 1
        return action


class BoardPlayer:
    """A player on a board of python-chess."""

    def __init__(self, game: gamedsl.LoadedGame) -> None:
        self.unadvised, self.seconds, self.moves = 0, 0.0, 0
        self._game = game

    def prepare(self, history: History) -> None:
        """Nothing."""

    def choose(self, history: History, player: int) -> Action:
        """The action of the board's move."""
        notation = self._game.notation
        assert notation is not None, "the game is chess"
        board = chess.Board()
        for state, action in history[:-1]:
            assert isinstance(action, int), "one player moves at a time"
            board.push_uci(notation.uci(state, action) or "")
        self.moves += 1
        return notation.actions(history[-1][0])[self.move(board).uci()]

    def move(self, board: chess.Board) -> chess.Move:
        """The move on a board."""
        raise NotImplementedError


class Stockfish(BoardPlayer):
    """Stockfish on one thread."""

    def __init__(self, game: gamedsl.LoadedGame, skill: int, seconds: float) -> None:
        super().__init__(game)
        self._engine = chess.engine.SimpleEngine.popen_uci(STOCKFISH)
        self._engine.configure({"Threads": 1, "Hash": 16, "Skill Level": skill})
        self._limit = chess.engine.Limit(nodes=int(POSITIONS * seconds))

    def move(self, board: chess.Board) -> chess.Move:
        """As `BoardPlayer`."""
        before = self._used()
        move = self._engine.play(board, self._limit).move
        self.seconds += self._used() - before
        assert move is not None, "the game is not over"
        return move

    def _used(self) -> float:
        """Processor seconds of the program so far."""
        pid = self._engine.transport.get_pid()
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class OutOfTimeError(Exception):
    """The time of a move is over."""


class AlphaBeta(BoardPlayer):
    """Deeper and deeper alpha-beta with the file's evaluation, captures first, without a table."""

    def __init__(self, game: gamedsl.LoadedGame, seconds: float) -> None:
        super().__init__(game)
        self._budget = seconds

    def move(self, board: chess.Board) -> chess.Move:
        """As `BoardPlayer`."""
        began = thread_time()
        self._ends = began + self._budget
        best = next(iter(board.legal_moves))
        try:
            for depth in range(1, 30):
                best = self._best(board.copy(stack=8), depth)
        except OutOfTimeError:
            pass
        self.seconds += thread_time() - began
        return best

    def _best(self, board: chess.Board, depth: int) -> chess.Move:
        best, low = None, -2 * MATE
        for move in _ordered(board):
            board.push(move)
            value = -self._value(board, depth - 1, -2 * MATE, -low)
            board.pop()
            if value > low:
                best, low = move, value
        assert best is not None, "there is a move"
        return best

    def _value(self, board: chess.Board, depth: int, low: int, high: int) -> int:
        if thread_time() > self._ends:
            raise OutOfTimeError
        if depth == 0:
            return _worth(board)
        moves = _ordered(board)
        if not moves:
            return -MATE - depth if board.is_check() else 0
        for move in moves:
            board.push(move)
            low = max(low, -self._value(board, depth - 1, -high, -low))
            board.pop()
            if low >= high:
                break
        return low


def _ordered(board: chess.Board) -> list[chess.Move]:
    return sorted(board.legal_moves, key=board.is_capture, reverse=True)


def _worth(board: chess.Board) -> int:
    """Men and the middle, for the player to move."""
    total = 0
    for colour, sign in ((board.turn, 1), (not board.turn, -1)):
        mine = board.occupied_co[colour]
        total += sign * sum(
            worth * chess.popcount(board.pieces_mask(kind, colour)) for kind, worth in WORTH.items()
        )
        total += sign * sum(mine >> square & 1 for square in MIDDLE)
    return total


def open_chess(name: str, seconds: float, seed: int) -> Play:
    """The pairs against an opponent."""
    game = gamedsl.load("chess", "auto")
    kind, _, level = name.partition("_")
    ours = OurPlayer(game, seconds, seed)
    theirs = Stockfish(game, int(level), seconds) if kind == "skill" else AlphaBeta(game, seconds)

    def play(number: int) -> dict[str, Any]:
        before = [(player.seconds, player.moves) for player in (ours, theirs)]
        pair = play_pair(game, (ours, theirs), number, seed, LONGEST)
        efforts = [
            {"seconds": round(player.seconds - used, 3), "moves": player.moves - moves}
            for player, (used, moves) in zip((ours, theirs), before, strict=True)
        ]
        return result_of(pair) | {"ours": efforts[0], "theirs": efforts[1]}

    return play

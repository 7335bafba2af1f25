"""Chess and its variants, played in lockstep with python-chess.

In: a variant and a number, which decides the first position, the moves that are preferred and
their order. Out: the play, and where the two first differ, if they do. Compared in every position:
what stands where, who may castle, the clock of fifty moves, the checks given, who is in check, the
legal moves, whether the game is over and what it pays; so the reason of an end is compared, too.

python-chess ends a game by itself at the fifth repetition and after 75 moves, for these need no
claim. The files end it where a claim is first possible, so that python-chess is asked for that.
Neither is asked whether mate is still possible at all: the files leave dead positions out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import chess
import chess.variant

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State
from tests.chess_positions import Placed, PositionReader, state_of_fen
from tests.peers.played import Played

REPETITION = "third repetition"
WITH_CHECKS = """\
include "{name}.game"
game "{name}, where a position is worth 1 to who is in check"
evaluate p: 1 if in_check(p) else 0
"""


class Variant(NamedTuple):
    """A shipped file, python-chess's board for it, and positions to begin with besides the first:
    castling, pawns about to take in passing or to be promoted, kings that may meet."""

    name: str
    board: Callable[[str], chess.Board]
    positions: tuple[str, ...]


CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8"
PAWNS = "4k3/1P3p2/8/2pPp1P1/1p1PpP2/8/P1P3p1/4K3 w - c6 0 1"
ENDGAME = "8/2k5/3r4/8/8/4R3/5K2/8 w - - 0 1"
MEN = (CASTLING, PAWNS, ENDGAME)
VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("chess", chess.Board, MEN),
        Variant(
            "antichess", chess.variant.AntichessBoard, (PAWNS, "8/3k4/8/8/8/8/4K3/R6r w - - 0 1")
        ),
        Variant(
            "atomic",
            chess.variant.AtomicBoard,
            (*MEN, "r3k2r/8/8/3nq3/4Q3/5N2/8/R3K2R b KQkq - 0 1"),
        ),
        Variant(
            "horde",
            chess.variant.HordeBoard,
            (
                "r3k2r/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2PP2P1 w kq - 0 1",
                "4k3/7r/8/8/8/P7/8/1P6 w - - 0 1",
            ),
        ),
        Variant("king_of_the_hill", chess.variant.KingOfTheHillBoard, MEN),
        Variant(
            "racing_kings",
            chess.variant.RacingKingsBoard,
            ("4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", "8/3k4/1K6/8/8/8/8/8 w - - 0 1"),
        ),
        Variant(
            "three_check",
            chess.variant.ThreeCheckBoard,
            tuple(position.replace(" - 0 ", " - 1+2 0 ") for position in MEN),
        ),
    )
}


class Ending(NamedTuple):
    """Why a game is over, and what it pays White and Black."""

    reason: str
    payoffs: tuple[int, int]


def ending(board: chess.Board) -> Ending | None:
    """How the game ends by its rules where a player claims whatever can be claimed."""
    to_move = (1, -1) if board.turn else (-1, 1)
    to_other = (-to_move[0], -to_move[1])
    if board.is_variant_draw():
        return Ending("draw of the variant", (0, 0))
    if board.is_variant_win():
        return Ending("win of the variant", to_move)
    if board.is_variant_loss():
        return Ending("win of the variant", to_other)
    if board.is_checkmate():
        return Ending("checkmate", to_other)
    if board.is_stalemate():
        return Ending("stalemate", (0, 0))
    if board.halfmove_clock >= 100:
        return Ending("fifty moves", (0, 0))
    if board.is_repetition(3):
        return Ending(REPETITION, (0, 0))
    return None


def placed(board: chess.Board) -> Placed:
    """What stands on python-chess's board."""
    signs = ["."] * 64
    for square, piece in board.piece_map().items():
        signs[square] = piece.symbol()
    left = getattr(board, "remaining_checks", (3, 3))
    return Placed(
        signs="".join(signs),
        turn="w" if board.turn else "b",
        rights=board.castling_xfen().replace("-", ""),
        clock=board.halfmove_clock,
        checks=(3 - left[chess.WHITE], 3 - left[chess.BLACK]),
    )


class Uci:
    """The actions of a game as python-chess writes moves."""

    def __init__(self, game: LoadedGame) -> None:
        self._game = game
        self._texts: dict[int, str] = {}

    def moves(self, state: State) -> dict[str, int]:
        """Move -> the number of its action, for all that are legal."""
        return {self._move(state, action): action for action in self._game.legal_actions(state)}

    def _move(self, state: State, action: int) -> str:
        if action not in self._texts:
            name, _, rest = self._game.action_name(state, action).partition("(")
            self._texts[action] = _uci(name, rest.rstrip(")").split(", "))
        return self._texts[action].replace("?", "18"[state.turn])


def _uci(name: str, values: list[str]) -> str:
    if name == "castle":
        return {"E": "e?g?", "W": "e?c?"}[values[0]]
    start, end, *kind = values
    return start + end + "".join(_letter(one) for one in kind)


def _letter(kind: str) -> str:
    return chess.PIECE_SYMBOLS[chess.PIECE_NAMES.index(kind)] or ""


def uniform(board: chess.Board, move: chess.Move) -> float:
    """All moves alike."""
    return 1


def back(board: chess.Board, move: chess.Move) -> float:
    """Moves that take back the last but one; no pawns, no captures."""
    last = board.move_stack[-2] if len(board.move_stack) > 1 else None
    if last and (move.from_square, move.to_square) == (last.to_square, last.from_square):
        return 50
    return 0.1 if board.is_zeroing(move) else 1


def special(board: chess.Board, move: chess.Move) -> float:
    """Castling, captures in passing, promotions, and double steps of pawns."""
    if move.promotion or board.is_castling(move) or board.is_en_passant(move):
        return 20
    is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
    return 3 if is_pawn and abs(move.to_square - move.from_square) == 16 else 1


def capture(board: chess.Board, move: chess.Move) -> float:
    """Captures."""
    return 5 if board.is_capture(move) else 1


STYLES = (uniform, back, special, capture)


@cache
def _loaded(name: str) -> tuple[LoadedGame, Uci, PositionReader]:
    game = gamedsl.load(WITH_CHECKS.format(name=name), "python")
    return game, Uci(game), PositionReader(game)


def endings(name: str, fen: str, moves: Sequence[str]) -> Iterator[tuple[str, bool, bool]]:
    """For every position of a play up to its end: the moves before it, and whether the game is
    over, here and by python-chess."""
    game, uci, _ = _loaded(name)
    board = VARIANTS[name].board(fen) if fen else VARIANTS[name].board()
    state = state_of_fen(game, fen) if fen else game.initial_state()
    for number, move in enumerate(moves):
        is_over = game.is_terminal(state), ending(board) is not None
        yield (" ".join(moves[:number]), *is_over)
        if any(is_over):
            return
        state = game.result(state, uci.moves(state)[move])
        board.push_uci(move)
    yield " ".join(moves), game.is_terminal(state), ending(board) is not None


def play(name: str, number: int) -> Played:
    """The game with this number."""
    variant = VARIANTS[name]
    game, uci, reader = _loaded(name)
    style, begin = (
        STYLES[number % len(STYLES)],
        number // len(STYLES) % (len(variant.positions) + 1),
    )
    rng = Random(number)
    board = variant.board(variant.positions[begin - 1]) if begin else variant.board()
    state = state_of_fen(game, board.fen(en_passant="fen")) if begin else game.initial_state()
    notes: Counter[str] = Counter()

    def played(reason: str, difference: str = "") -> Played:
        if difference:
            moves = " ".join(move.uci() for move in board.move_stack)
            difference = (
                f"{name}, game {number}: {difference}\n"
                f"    from {board.root().fen()}\n    by {moves}\n    at {board.fen()}"
            )
        return Played(len(board.move_stack), reason, notes, difference)

    while True:
        end = ending(board)
        ours, theirs = reader.position(state), placed(board)
        if end is not None:  # an exploded king keeps his rights to castle; nobody can use them
            ours, theirs = ours._replace(rights=""), theirs._replace(rights="")
        if ours != theirs:
            return played("", f"{ours} here, {theirs} there")
        if end is not None or game.is_terminal(state):
            paid = game.utilities(state) if game.is_terminal(state) else None
            if end is None or paid != end.payoffs:
                return played("", f"pays {paid} here, {end} there")
            return played(end.reason)
        if bool(game.evaluate(state, state.turn)) != board.is_check():
            return played("", f"check: {board.is_check()} there")
        moves = uci.moves(state)
        legal = {move.uci(): move for move in board.legal_moves}
        if moves.keys() != legal.keys():
            return played(
                "", difference=f"legal on one side alone: {sorted(moves.keys() ^ legal.keys())}"
            )
        choices = sorted(legal)
        chosen = rng.choices(choices, [style(board, legal[move]) for move in choices])[0]
        move = legal[chosen]
        notes["castled"] += board.is_castling(move)
        notes["taken in passing"] += board.is_en_passant(move)
        notes["promoted"] += move.promotion is not None
        board.push(move)
        state = game.result(state, moves[chosen])


def plays(name: str, count: int) -> list[Played]:
    """The first games of a variant."""
    return [play(name, number) for number in range(count)]

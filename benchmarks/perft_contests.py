"""Contests in perft: plays of a given depth, with the last ply carried out, or counted in bulk.

The two kinds are never mixed: whoever counts the last ply by its number of moves does a fraction
of the work. Slow subjects count less deep; what is compared is leaves a second.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import ours
from benchmarks.answers import PERFT
from benchmarks.contender import Contender, Contest, Ready, need
from benchmarks.opponents import easyai, openspiel, python_chess

HAND_WRITTEN, OPEN_SPIEL, PYTHON_CHESS = "hand-written numba", "OpenSpiel", "python-chess"
NATIVE, PYTHON = "gamedsl native", "gamedsl python"


def perft_contests() -> tuple[Contest, ...]:
    """The contests in the order in which they are run."""
    return (
        _contest("connect_four", False, {NATIVE: 9, HAND_WRITTEN: 9, OPEN_SPIEL: 6, PYTHON: 5}),
        _contest("connect_four", True, {NATIVE: 9, HAND_WRITTEN: 9, OPEN_SPIEL: 7, PYTHON: 6}),
        _contest("othello", False, {NATIVE: 8, HAND_WRITTEN: 8, OPEN_SPIEL: 5, PYTHON: 4}),
        _contest("othello", True, {NATIVE: 8, HAND_WRITTEN: 8, OPEN_SPIEL: 6, PYTHON: 4}),
        _contest("breakthrough", False, {NATIVE: 5, HAND_WRITTEN: 5, OPEN_SPIEL: 3, PYTHON: 3}),
        _contest("breakthrough", True, {NATIVE: 6, HAND_WRITTEN: 6, OPEN_SPIEL: 4, PYTHON: 3}),
        _contest("chess", True, {NATIVE: 4, PYTHON_CHESS: 4, OPEN_SPIEL: 4, PYTHON: 2}),
    )


def _contest(game: str, is_bulk: bool, depths: dict[str, int]) -> Contest:
    contenders = [
        Contender(subject, _maker(subject, game, depth, is_bulk))
        for subject, depth in depths.items()
    ]
    if game == "connect_four" and not is_bulk:
        contenders.append(Contender("easyAI", _easyai))
    name = f"perft_{game}{'_bulk' if is_bulk else ''}"
    references = (HAND_WRITTEN, PYTHON_CHESS, OPEN_SPIEL)
    return Contest(name, "leaves", references, tuple(contenders))


def _maker(subject: str, game: str, depth: int, is_bulk: bool) -> Callable[[], Ready]:
    """What makes a subject ready for perft of a depth."""

    def prepare() -> Ready:
        return _ready(game, depth, _counter(subject, game, is_bulk))

    return prepare


def _ready(game: str, depth: int, count: Callable[[int], int]) -> Ready:
    right = PERFT[game][depth]
    return Ready(f"depth {depth}", lambda: count(depth), lambda found: found == right, float)


def _counter(subject: str, game: str, is_bulk: bool) -> Callable[[int], int]:
    if subject == HAND_WRITTEN:
        need("numba", "numba")
        from benchmarks.handwritten import GAMES

        by_hand = GAMES[game]
        return lambda depth: int(by_hand.perft(depth, is_bulk))
    if subject == OPEN_SPIEL:
        state = openspiel.start(game)
        return lambda depth: openspiel.perft(state, depth, is_bulk=is_bulk)
    if subject == PYTHON_CHESS:
        board = python_chess.start()
        return lambda depth: python_chess.perft(board, depth)
    own = ours.Ours(game, "native" if subject == NATIVE else "python")
    return lambda depth: own.perft(depth, is_bulk=is_bulk)


def _easyai() -> Ready:
    game = easyai.connect_four()
    return _ready("connect_four", 3, lambda depth: easyai.perft(game, depth))

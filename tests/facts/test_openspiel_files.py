"""The files of games/openspiel: each is formatted, and its rules can be played.

How they play is compared with OpenSpiel in `tests/peers`; `gamedsl check` verifies the claims.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.game.encoding import state_from_json
from gamedsl.source.files import read_source
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program

FOLDER = Path(__file__).resolve().parents[2] / "games" / "openspiel"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.game")), ids=lambda path: path.stem)
def test_a_file_is_formatted_and_has_a_first_position(path: Path) -> None:
    program, diagnostics = parse(read_source(path))
    assert not diagnostics
    assert format_program(program) == path.read_text("utf-8")
    game = gamedsl.load(path, "interpreter")
    assert not game.is_terminal(game.initial_state())


MEN = {"e1": ("Sente", "king"), "e9": ("Gote", "king"), "e7": ("Sente", "gold")}
LANCES = {"d9": ("Gote", "lance"), "f9": ("Gote", "lance")}


def shogi_drops(*, men: dict[str, tuple[str, str]]) -> set[str]:
    """The drops on e8, in front of Gote's king, with a pawn and a silver in hand."""
    game = gamedsl.load(FOLDER / "shogi.game", "interpreter")
    squares = [square.name for square in game.model.board.squares]
    placed = {square: men.get(square, ("empty", "nothing")) for square in squares}
    variables = {
        "man": {square: owner for square, (owner, _) in placed.items()},
        "kind": {square: kind for square, (_, kind) in placed.items()},
        "hand": {"Sente, pawn": 1, "Sente, silver": 1},
    }
    state = state_from_json(game, {"turn": "Sente", "variables": variables})
    names = {game.action_name(state, action) for action in game.legal_actions(state)}
    return {name for name in names if name.endswith("e8)") and name.startswith("drop")}


def test_a_pawn_of_shogi_is_not_dropped_to_mate_and_another_man_is() -> None:
    assert shogi_drops(men=MEN | LANCES) == {"drop(silver, e8)"}
    assert shogi_drops(men=MEN | {"d9": LANCES["d9"]}) == {"drop(silver, e8)", "drop_pawn(e8)"}
    capturer = MEN | {"d9": ("Gote", "silver"), "f9": LANCES["f9"]}
    assert shogi_drops(men=capturer) == {"drop(silver, e8)", "drop_pawn(e8)"}


def test_shogi_has_the_published_numbers_of_plays() -> None:
    """Fairy-Stockfish; chessprogramming.org, "Shogi"."""
    game = gamedsl.load(FOLDER / "shogi.game", "native")
    assert gamedsl.perft(game, 4) == (1, 30, 900, 25_470, 719_731)

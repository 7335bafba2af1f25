"""The files of games/openspiel: each is formatted, and its rules can be played.

How they play is compared with OpenSpiel in `tests/peers`; `gamedsl check` verifies the claims.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
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

"""Everything that happens to a text on its way to a played game, tried on a text of any kind.

In: a text. Out: how far it came. Whatever the text, the only things ever raised are mistakes of
ours: what a user wrote ends in diagnostics, which can be shown.
"""

from __future__ import annotations

import json
from enum import StrEnum

from gamedsl.conformance import explore
from gamedsl.game import LoadedGame, read_program
from gamedsl.model import check
from gamedsl.source import Diagnostic
from gamedsl.source.render import render, render_concise, to_json
from gamedsl.source.text import source_from_text
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from tests.comparing import same

MOST_SHOWN = 12


class Reached(StrEnum):
    """The last stage that a text came to."""

    UNREADABLE = "unreadable"
    MEANINGLESS = "meaningless"
    PLAYED = "played"


def trial(text: str) -> Reached:
    """Parse, format, check, load and play a little; all findings are rendered."""
    source = source_from_text(text)
    program, _ = parse(source)
    whole, diagnostics = read_program(source)
    shown(diagnostics)
    model, more = check(whole)
    shown(more)
    if any(found.is_error for found in diagnostics):
        return Reached.UNREADABLE
    again, none = parse(source_from_text(format_program(program)))
    assert none == ()
    assert same(program.declarations, again.declarations)
    if model is None:
        assert any(found.is_error for found in more)
        return Reached.MEANINGLESS
    assert not any(found.is_error for found in more)
    found = explore(LoadedGame(model), max_positions=60, plays=1)
    shown(found.diagnostics)
    return Reached.PLAYED


def shown(diagnostics: tuple[Diagnostic, ...]) -> None:
    """All findings (of many the first) in all forms."""
    for found in diagnostics[:MOST_SHOWN]:
        assert found.code
        assert found.message
        assert render(found)
        assert render(found, colour=True, width=30)
        assert render_concise(found)
        json.dumps(to_json(found))

"""A failure of the rules in play as a diagnostic: the place, the state, and the action."""

from __future__ import annotations

from gamedsl.game import LoadedGame
from gamedsl.model import GameRuleError, State
from gamedsl.source import Diagnostic, Label


def rule_error_diagnostic(error: GameRuleError, game: LoadedGame) -> Diagnostic:
    """The error with the state and the notes added during propagation."""
    notes = []
    if error.action is not None:
        notes.append(f"while carrying out {error.action}")
    if isinstance(error.state, State):
        notes.append("in the state\n" + game.show(error.state))
    notes += getattr(error, "__notes__", [])
    return Diagnostic(
        error.code,
        error.message,
        None if error.span is None else Label(error.span),
        game.source,
        notes=tuple(notes),
        hint=error.hint,
        file=game.source.name,
    )

"""An error of the rules met in play, as a diagnostic: where, in which state, after which action.

In: a `GameRuleError`, and the game. Out: a `Diagnostic`. Draws nothing.
"""

from __future__ import annotations

from gamedsl.game import LoadedGame
from gamedsl.model import GameRuleError, State
from gamedsl.source import Diagnostic, Label


def rule_error_diagnostic(error: GameRuleError, game: LoadedGame) -> Diagnostic:
    """The error with the state shown and whatever notes were added on its way up."""
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

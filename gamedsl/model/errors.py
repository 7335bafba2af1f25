"""Exceptions of loading and playing games, with fields."""

from __future__ import annotations

from gamedsl.source import Diagnostic, Span
from gamedsl.source.records import dataclass


class GameSourceError(ValueError):
    """The text is not a valid game; `diagnostics` give the reasons."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        errors = [diagnostic for diagnostic in diagnostics if diagnostic.is_error]
        super().__init__("; ".join(map(_in_a_line, errors[:3])))

    def __reduce__(self) -> tuple[type[GameSourceError], tuple[object, ...]]:
        return GameSourceError, (self.diagnostics,)


@dataclass(eq=False)
class GameRuleError(RuntimeError):
    """An error in the game, met in play: a value out of range, no legal move, ...

    Attributes:
        code: the diagnostic code whose page explains the error (E3001, ...).
        message: description of the error, with the names, values and bounds involved.
        span: place in the rules, if known.
        hint: a suggestion.
        state: the state of the error (for an error inside a body: before the action).
        action: name of the action that was being carried out, or None.
    """

    code: str
    message: str
    span: Span | None = None
    hint: str | None = None
    state: object = None
    action: str | None = None

    def __str__(self) -> str:
        return self.message

    @classmethod
    def of(
        cls,
        code: str,
        said: tuple[str, str | None],
        span: Span | None = None,
        state: object = None,
    ) -> GameRuleError:
        """The error with a message and hint of `gamedsl.model.messages`."""
        message, hint = said
        return cls(code, message, span, hint, state)


class IllegalActionError(ValueError):
    """The action `action` is not legal in the state `state`."""

    def __init__(self, message: str, action: object, state: object) -> None:
        super().__init__(message)
        self.action = action
        self.state = state

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[object, ...]]:
        return IllegalActionError, (str(self), self.action, self.state)


class UnsupportedGameError(ValueError):
    """An algorithm does not apply to this game; `reason` names the trait that forbids the
    algorithm."""

    def __init__(self, reason: str, instead: str | None = None) -> None:
        super().__init__(reason if instead is None else f"{reason}; {instead}")
        self.reason = reason
        self.instead = instead

    def __reduce__(self) -> tuple[type[UnsupportedGameError], tuple[object, ...]]:
        return type(self), (self.reason, self.instead)


class UndefinedValueError(UnsupportedGameError):
    """The game, or a position that is asked for, is proved to have no value, or no finite value, so
    that no algorithm has one."""


def _in_a_line(diagnostic: Diagnostic) -> str:
    """A finding for a traceback: with its line and hint."""
    place = "" if diagnostic.position is None else f"line {diagnostic.position[0]}: "
    hint = "" if diagnostic.hint is None else f" ({diagnostic.hint})"
    return f"{place}{diagnostic.message}{hint}"

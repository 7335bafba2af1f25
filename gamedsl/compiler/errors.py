"""Why a game cannot be compiled: a value for the caller, who falls back to the interpreter."""

from __future__ import annotations

from gamedsl.source import Span


class CannotCompileError(ValueError):
    """The compiler does not know a construct yet; `construct` names it, `span` says where."""

    def __init__(self, construct: str, span: Span | None = None) -> None:
        super().__init__(f"not compiled yet: {construct}")
        self.construct = construct
        self.span = span

    def __reduce__(self) -> tuple[type[CannotCompileError], tuple[object, ...]]:
        return CannotCompileError, (self.construct, self.span)

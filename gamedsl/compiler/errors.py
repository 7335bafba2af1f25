"""Reasons why a game cannot be compiled, or not to machine code, for callers that fall back."""

from __future__ import annotations

from importlib.util import find_spec

from gamedsl.source import SourceFile, Span

NO_LLVM = "llvmlite, which makes machine code, is not installed here"


def has_llvm() -> bool:
    """Whether machine code can be made on this installation."""
    return find_spec("llvmlite") is not None


class CannotCompileError(ValueError):
    """The compiler does not support a construct, or would generate too much code for it;
    `construct` names the construct, `span` is its place, and `place` the place in words.
    """

    def __init__(self, construct: str, span: Span | None = None, place: str = "") -> None:
        super().__init__(f"not compiled yet: {construct}{f' ({place})' if place else ''}")
        self.construct = construct
        self.span = span
        self.place = place

    def __reduce__(self) -> tuple[type[CannotCompileError], tuple[object, ...]]:
        return CannotCompileError, (self.construct, self.span, self.place)

    def placed(self, source: SourceFile) -> CannotCompileError:
        """The error with its place in a text."""
        place = "" if self.span is None else source.place(self.span.start)
        return type(self)(self.construct, self.span, place)

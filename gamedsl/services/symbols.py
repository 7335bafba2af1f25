"""Symbols and occurrences: the meaning and the place of every name in a text. Data alone."""

from __future__ import annotations

from enum import StrEnum

from gamedsl.source import SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


class SymbolKind(StrEnum):
    """Kinds of symbols; the text is the kind's name in messages."""

    PARAM = "parameter of the game"
    TYPE = "type"
    PLAYER = "player"
    VALUE = "value"
    SQUARE = "square"
    VARIABLE = "state variable"
    MOVE = "move"
    DEFINITION = "definition"
    EFFECT = "effect"
    PARAMETER = "parameter"
    LOCAL = "local name"
    INFORMATION_SET = "information set"
    FUNCTION = "builtin function"
    DIRECTION = "direction"
    WORD = "word of the language"


@dataclass(frozen=True, slots=True)
class Symbol:
    """The meaning of a name.

    Attributes:
        declared: the name in its declaration, as a span of the whole text; None for names without a
            declaration (builtins, directions, squares of a grid).
        node: the declaration.
        owner: the declaration to which a local name belongs: `move go` for a parameter of that
            move, else "".
    """

    kind: SymbolKind
    name: str
    declared: Span | None = None
    node: ast.Node | None = None
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name in a text.

    Attributes:
        span: the place in the whole text, that is, with the included files.
        file: the file in which the name was written.
        place: the place in `file`.
        is_written: whether the symbol's value is changed here.
    """

    symbol: Symbol
    span: Span
    file: SourceFile
    place: Span
    is_written: bool = False

    @property
    def is_declaration(self) -> bool:
        """Whether the name stands in the symbol's declaration."""
        return self.span == self.symbol.declared

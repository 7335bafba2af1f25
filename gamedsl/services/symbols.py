"""What a name in a text stands for, and where: `Symbol` and `Occurrence`. Data alone."""

from __future__ import annotations

from enum import StrEnum

from gamedsl.source import SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


class SymbolKind(StrEnum):
    """What kinds of things names stand for; the text is what a reader calls them."""

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
    """Something that a name stands for.

    Attributes:
        declared: the name where it is declared, in the whole text; None where nothing declares it
            (builtins, directions, squares of a grid).
        node: its declaration.
        owner: what it belongs to: `move go` for a parameter of it, or "".
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
        span: where it stands in the whole text, that is, with what is included.
        file: the file that it was written in.
        place: where it stands there.
        is_written: whether what it stands for is changed here.
    """

    symbol: Symbol
    span: Span
    file: SourceFile
    place: Span
    is_written: bool = False

    @property
    def is_declaration(self) -> bool:
        """Whether this is the name in its declaration."""
        return self.span == self.symbol.declared

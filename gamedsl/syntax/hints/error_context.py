"""The context of a syntax error, in terms of the text: the input of the hint rules.

In: filled by recovery from the parser's error. Out: properties of the place. A rule returns a
`Mistake`, or None if the rule does not know the mistake.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax.scan import Kind, Lexeme, LogicalLine


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake: the content of a diagnostic, without the source."""

    code: str
    message: str
    span: Span
    hint: str | None = None
    secondary: tuple[Label, ...] = ()

    def diagnostic(self, source: SourceFile) -> Diagnostic:
        """The mistake as a diagnostic about a source."""
        label = Label(self.span)
        return Diagnostic(self.code, self.message, label, source, self.secondary, hint=self.hint)


@dataclass(frozen=True, slots=True)
class ErrorContext:
    """An error of the parser.

    Attributes:
        lines: all logical lines of the text.
        row: the index of the faulty line.
        at: the index of the lexeme that did not fit; the number of lexemes at the end of the line.
        place: the offset in the text; inside the lexeme if only the rest of the lexeme did not fit.
        terminal: the terminal that did not fit; for a word, this tells whether the word is a
            keyword there.
        accepts: the terminals that would have fitted.
    """

    source: SourceFile
    lines: tuple[LogicalLine, ...]
    row: int
    at: int
    place: int
    terminal: str
    accepts: frozenset[str]

    @property
    def line(self) -> LogicalLine:
        """The faulty line."""
        return self.lines[self.row]

    @property
    def starter(self) -> str:
        """The first word of the line."""
        return self.line.first.text

    @property
    def begin(self) -> int:
        """The start of the statement around the place: behind the last colon before the place."""
        return min(self.last_colon() + 1, len(self.line.lexemes) - 1)

    def is_below(self, starter: str) -> bool:
        """Whether the line stands in a block whose header begins with the word `starter`."""
        above = reversed(self.lines[: self.row])
        header = next((line for line in above if line.indent < self.line.indent), None)
        return header is not None and header.first.text == starter

    @property
    def is_at_end(self) -> bool:
        """Whether the line ended too early."""
        return self.at >= len(self.line.lexemes)

    @property
    def lexeme(self) -> Lexeme | None:
        """The lexeme that did not fit, or None at the end of the line."""
        return None if self.is_at_end else self.line.lexemes[self.at]

    @property
    def is_inside(self) -> bool:
        """Whether the first characters of the lexeme did fit."""
        return self.lexeme is not None and self.place > self.lexeme.start

    @property
    def text(self) -> str:
        """The text of the lexeme that did not fit; empty at the end of the line."""
        return self.text_at(0)

    @property
    def span(self) -> Span:
        """The span of the lexeme that did not fit; at the end of the line, the point behind the
        line."""
        if self.lexeme is None:
            return Span(self.line.last.end, self.line.last.end)
        return self.lexeme.span

    def text_at(self, offset: int) -> str:
        """The text of the lexeme `offset` places further on; empty outside of the line."""
        i = self.at + offset
        return self.line.lexemes[i].text if 0 <= i < len(self.line.lexemes) else ""

    def kind_at(self, offset: int) -> Kind | None:
        """The kind of the lexeme `offset` places further on."""
        i = self.at + offset
        return self.line.lexemes[i].kind if 0 <= i < len(self.line.lexemes) else None

    def touches(self, offset: int) -> bool:
        """Whether no space precedes the lexeme `offset` places further on."""
        i = self.at + offset
        return self.line.lexemes[i - 1].end == self.line.lexemes[i].start

    def last_colon(self) -> int:
        """The last colon outside of brackets before the place; -1 if there is no such colon."""
        level = 0
        colon = -1
        for i, lexeme in enumerate(self.line.lexemes[: self.at]):
            level += (lexeme.text in {"(", "[", "{"}) - (lexeme.text in {")", "]", "}"})
            if lexeme.text == ":" and level == 0:
                colon = i
        return colon

    def texts_before(self) -> list[str]:
        """The texts of the line before the lexeme that did not fit."""
        return [lexeme.text for lexeme in self.line.lexemes[: self.at]]

    def open_brackets(self) -> list[Lexeme]:
        """The brackets that are open at the place, outermost first."""
        stack: list[Lexeme] = []
        for lexeme in self.line.lexemes[: self.at]:
            if lexeme.text in {"(", "[", "{"}:
                stack.append(lexeme)
            elif lexeme.text in {")", "]", "}"} and stack:
                stack.pop()
        return stack

    def written(self, first: int, last: int) -> str:
        """The text from one lexeme of the line to another, both included."""
        lexemes = self.line.lexemes
        return self.source.text[lexemes[first].start : lexemes[last].end]


HintRule = Callable[[ErrorContext], Mistake | None]

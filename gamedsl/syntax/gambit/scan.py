"""The lexemes of a Gambit file: words, texts in quotes, numbers, braces.

In: a source. Out: lexemes with their places, and a reader that takes lexemes one by one. The format
is defined by Gambit's documentation ("The extensive game (.efg) file format", "The strategic game
(.nfg) file format"); commas separate and mean nothing.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction
from typing import NoReturn

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.source.records import dataclass

CODE = "E0127"
MOST_LEXEMES = 500_000
_LEXEME = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]|[^\s,{}"]+|"', re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?")


class Kind(StrEnum):
    """Kinds of lexemes."""

    WORD = "a word"
    NUMBER = "a number"
    TEXT = "a text in quotes"
    OPEN = "`{`"
    CLOSE = "`}`"
    END = "the end of the file"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A part of the file; for a text in quotes, `text` is the content between the quotes."""

    kind: Kind
    text: str
    span: Span
    number: Fraction = Fraction(0)


class GambitError(Exception):
    """An error in a Gambit file; never leaves `gamedsl.syntax`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Reader:
    """Takes the lexemes of a source one by one."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.lexemes = [
            _lexeme(match.group(), match.start()) for match in _LEXEME.finditer(source.text)
        ]
        end = len(source.text)
        self.lexemes.append(Lexeme(Kind.END, "", Span(end, end)))
        self._place = 0
        if len(self.lexemes) > MOST_LEXEMES:
            self.refuse(f"a file has at most {MOST_LEXEMES:,} words and numbers", self.lexemes[0])

    @property
    def next(self) -> Lexeme:
        """The next lexeme."""
        return self.lexemes[self._place]

    def take(self) -> Lexeme:
        """Take the next lexeme; at the end of the file, the reader stays."""
        lexeme = self.next
        self._place = min(self._place + 1, len(self.lexemes) - 1)
        return lexeme

    def is_at(self, kind: Kind) -> bool:
        """Whether the next lexeme is of a kind."""
        return self.next.kind is kind

    @property
    def last_end(self) -> int:
        """The end of the last lexeme taken."""
        return self.lexemes[max(self._place - 1, 0)].span.end

    def expect(self, kind: Kind, subject: str) -> Lexeme:
        """Take the next lexeme, of the required kind; `subject` names the lexeme in messages.
        Raises GambitError for another kind."""
        if self.next.kind is not kind:
            wanted = f"{subject}, {kind}, is expected here"
            self.refuse(f"{wanted}; this is {told(self.next)}", self.next)
        return self.take()

    def whole(self, subject: str, least: int) -> Lexeme:
        """Take a whole number that is at least `least`. Raises GambitError otherwise."""
        lexeme = self.expect(Kind.NUMBER, subject)
        if lexeme.number.denominator != 1 or lexeme.number < least:
            self.refuse(f"{subject} is a whole number from {least} on, not {lexeme.text}", lexeme)
        return lexeme

    def refuse(self, message: str, at: Lexeme, hint: str | None = None) -> NoReturn:
        """Raise GambitError: the file is wrong at a lexeme."""
        raise GambitError(Diagnostic(CODE, message, Label(at.span), self.source, hint=hint))


def told(lexeme: Lexeme) -> str:
    """A lexeme's name in messages."""
    match lexeme.kind:
        case Kind.END:
            return str(lexeme.kind)
        case Kind.TEXT:
            return f'the text "{lexeme.text[:30]}"'
        case _:
            return f"`{lexeme.text[:30]}`"


def _lexeme(text: str, start: int) -> Lexeme:
    span = Span(start, start + len(text))
    if text == "{":
        return Lexeme(Kind.OPEN, text, span)
    if text == "}":
        return Lexeme(Kind.CLOSE, text, span)
    if text[0] == '"' and len(text) > 1:
        inner = re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        return Lexeme(Kind.TEXT, " ".join(inner.split()), span)
    number = number_of(text)
    if number is None:
        return Lexeme(Kind.WORD, text, span)
    return Lexeme(Kind.NUMBER, text, span, number)


def number_of(text: str) -> Fraction | None:
    """`3`, `-1/2`, `0.25`, `1e-3` as an exact number; None for anything else."""
    above, slash, below = text.partition("/")
    if not _NUMBER.fullmatch(above) or (slash and not _NUMBER.fullmatch(below)):
        return None
    try:
        divisor = Fraction(Decimal(below)) if slash else Fraction(1)
        return Fraction(Decimal(above)) / divisor if divisor else None
    except InvalidOperation:
        return None

"""The tree of a formula: words, signs, groups, indices, fractions, sums and cases.

`row` joins parts into a formula. A part given as a string is the textbook's own notation
(`ACTIONS(s) = `), read by `read`; names of a game come as `Word`, so that no name of a file is
taken for a word of the textbook. The printers are `as_text`, `as_latex` and `as_mathml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto

from gamedsl.source.records import dataclass


class Kind(Enum):
    """The role of a word, which decides the typeface."""

    VARIABLE = auto()
    VALUE = auto()
    OPERATOR = auto()
    FUNCTION = auto()
    NUMBER = auto()
    PROSE = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """A name, a number, or a word of prose."""

    text: str
    kind: Kind = Kind.VARIABLE


@dataclass(frozen=True, slots=True)
class Sign:
    """A mathematical sign or a punctuation mark."""

    text: str


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the text form; the other forms have spaces by their own rules."""


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A formula between brackets: `( )`, `{ }`, `[ ]`, `| |`, `⌊ ⌋`."""

    opening: str
    body: Formula
    closing: str


@dataclass(frozen=True, slots=True)
class Indexed:
    """`base[indices]` as text, a subscript in typeset forms."""

    base: Formula
    indices: Formula


@dataclass(frozen=True, slots=True)
class Numbered:
    """`S0` as text, a subscript in typeset forms."""

    base: Word
    number: str


@dataclass(frozen=True, slots=True)
class Power:
    """`10^23` as text."""

    base: Formula
    exponent: Formula


@dataclass(frozen=True, slots=True)
class Fraction:
    """`above / below`; the text form has the bar of the source, with or without spaces."""

    above: Formula
    below: Formula
    bar: str = " / "


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of `body` over bound names: `Σ(body : over)` as text."""

    over: Formula
    body: Formula


@dataclass(frozen=True, slots=True)
class Cases:
    """The value of the first branch whose condition holds: `a if c, else b` as text."""

    value: Formula
    condition: Formula
    otherwise: Formula

    @property
    def in_words(self) -> Row:
        """`a if c, else b`, for places where a brace is too wide."""
        words = row(self.value, " if ", self.condition, ", else ", self.otherwise)
        return Row(words.parts if isinstance(words, Row) else (words,))


Formula = (
    Word | Sign | Space | Row | Group | Indexed | Numbered | Power | Fraction | Total | Cases
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A formula on a line of its own; `depth`: steps of indentation below the line above."""

    formula: Formula
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Nest:
    """A line with the lines below that belong to the line."""

    line: Line
    below: tuple[Nest, ...] = ()

    @property
    def is_braced(self) -> bool:
        """Whether a brace holds the lines below: cases or steps that a colon announces."""
        formula = self.line.formula
        last = formula.parts[-1] if isinstance(formula, Row) and formula.parts else formula
        return last == Sign(":") and 2 <= self.height - 1 <= MOST_BRACED

    @property
    def height(self) -> int:
        """The number of lines."""
        return 1 + sum(nest.height for nest in self.below)


MOST_BRACED = 10
"""Lines that a brace holds; more lines might not fit a page and are indented."""


def nested(lines: Sequence[Line]) -> tuple[Nest, ...]:
    """The lines by their depth: deeper lines belong to the line above."""
    nests: list[Nest] = []
    start = 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and lines[end].depth > lines[start].depth:
            end += 1
        nests.append(Nest(lines[start], nested(lines[start + 1 : end])))
        start = end
    return tuple(nests)


_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<fraction>-?\d+/\d+(?![\w/]))|(?P<state>[Ss]\d(?!\w))"
    r"|(?P<power>\d+\^\d+)|(?P<dots>\.\.\.)"
    r"|(?P<number>\d[\d,]*\d(?:\.\d+)?|\d(?:\.\d+)?)|(?P<function>[A-Z]{2,}(?:-[A-Z]+)*(?!\w))"
    r"|(?P<variable>(?:(?<![*+])S(?![*+])|[PIb-z]|[A-Z](?=\()|(?:a|state)(?=[,)'])|γ|σ)(?!\w))"
    r"|(?P<word>\w[\w'-]*\w|\w)|(?P<sign>.)",
    re.DOTALL,
)
_KINDS = {"number": Kind.NUMBER, "function": Kind.FUNCTION, "variable": Kind.VARIABLE,
          "word": Kind.PROSE}  # fmt: skip


def read(notation: str) -> Formula:
    """The textbook's notation: functions in capitals, single letters, signs, words of prose."""
    parts: list[Formula] = []
    for token in _TOKEN.finditer(notation):
        text = token.group()
        match token.lastgroup:
            case "space":
                parts.append(Space())
            case "sign" | "dots":
                parts.append(Sign(text))
            case "state":
                parts.append(Numbered(Word(text[0]), text[1:]))
            case "power":
                base, exponent = text.split("^")
                parts.append(Power(_number(base), _number(exponent)))
            case "fraction":
                above, below = text.split("/")
                parts.append(Fraction(_number(above), _number(below), "/"))
            case kind:
                parts.append(Word(text, _KINDS[str(kind)]))
    return parts[0] if len(parts) == 1 else Row(tuple(parts))


def _number(text: str) -> Formula:
    number = Word(text.removeprefix("-"), Kind.NUMBER)
    return Row((Sign("-"), number)) if text.startswith("-") else number


def row(*parts: str | Formula) -> Formula:
    """The parts side by side; strings are the textbook's notation."""
    formulas: list[Formula] = []
    for part in map(_formula, parts):
        formulas += part.parts if isinstance(part, Row) else (part,)
    return formulas[0] if len(formulas) == 1 else Row(tuple(formulas))


def _formula(part: str | Formula) -> Formula:
    return read(part) if isinstance(part, str) else part


def prose(words: str) -> Formula:
    """Words as they stand, even single letters."""
    return Word(words, Kind.PROSE)


def joined(separator: str, formulas: Iterable[Formula]) -> Formula:
    """The formulas with a separator between."""
    parts: list[str | Formula] = []
    for formula in formulas:
        parts += [separator, formula] if parts else [formula]
    return row(*parts)


def parenthesized(formula: Formula) -> Group:
    """The formula in round brackets."""
    return Group("(", formula, ")")


def parts_words(before: Formula | None, after: Formula | None) -> bool:
    """Whether a space is seen in typeset forms: beside prose, between two words, and beside a named
    operator unless a sign, which keeps its own distance, stands on the other side."""
    around = [part.kind for part in (before, after) if isinstance(part, Word)]
    if len(around) == 2 or Kind.PROSE in around:
        return True
    return Kind.OPERATOR in around and not any(isinstance(part, Sign) for part in (before, after))


def without_parentheses(formula: Formula) -> Formula:
    """The formula inside round brackets, or the formula: for places that bracket by themselves."""
    if isinstance(formula, Group) and formula.opening == "(":
        return formula.body
    return formula

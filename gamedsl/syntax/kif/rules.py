"""The rules of a file in GDL as values: terms, literals, rules.

`read` makes the values, for `validity` and `ground`.
"""

from __future__ import annotations

import re
from typing import NoReturn

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.source.records import dataclass

Term = str | tuple["Term", ...]
"""A constant, a variable (`?x`), or a function with its arguments: `("cell", "1", "?n")`."""

FORM = "E0128"
UNSAFE = "E0129"
UNSTRATIFIED = "E0130"
MISFIT = "E0131"
TOO_LARGE = "E0132"
NEVER_TRUE = "W0133"
SEVERAL_GOALS = "W0151"
NO_MOVE = "W0152"
_NUMBER = re.compile(r"0|[1-9]\d{0,8}")


@dataclass(frozen=True, slots=True)
class Literal:
    """`predicate(arguments)`, or its negation; `distinct` holds of different terms."""

    span: Span
    predicate: str
    arguments: tuple[Term, ...]
    is_positive: bool = True


@dataclass(frozen=True, slots=True)
class Rule:
    """`head` holds where all literals of the body hold."""

    span: Span
    head: Literal
    body: tuple[Literal, ...]


class KifError(Exception):
    """An error in a file in GDL; never leaves `gamedsl.syntax`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def refuse(
    source: SourceFile, code: str, message: str, span: Span, hint: str | None = None
) -> NoReturn:
    """Raise KifError: the file is wrong at a place."""
    raise KifError(Diagnostic(code, message, Label(span), source, hint=hint))


def is_variable(term: Term) -> bool:
    """Whether a term is a variable."""
    return isinstance(term, str) and term.startswith("?")


def variables_of(terms: Term | tuple[Term, ...]) -> frozenset[str]:
    """The variables in a term, or in several terms."""
    if isinstance(terms, str):
        return frozenset({terms}) if is_variable(terms) else frozenset()
    return frozenset().union(*map(variables_of, terms))


def replaced(term: Term, values: dict[str, Term]) -> Term:
    """A term with variables replaced by terms."""
    if isinstance(term, str):
        return values.get(term, term)
    return tuple(replaced(part, values) for part in term)


def text_of(term: Term) -> str:
    """A term as written."""
    return term if isinstance(term, str) else f"({' '.join(map(text_of, term))})"


def is_number(term: Term) -> bool:
    """Whether a constant is a natural number in the language, too."""
    return isinstance(term, str) and _NUMBER.fullmatch(term) is not None


def numbered(word: str) -> tuple[str, int]:
    """The beginning and the number at the end of a word; -1 if there is none."""
    stem = word.rstrip("0123456789")
    digits = word[len(stem) :]
    is_plain = digits.isascii() and digits == str(int(digits or "-1"))
    return (stem, int(digits)) if is_plain else (word, -1)


def order(term: Term) -> tuple[object, ...]:
    """A key to sort terms: numbers by size, then words, then functions; words by the beginning,
    then by the number at the end: `s2` before `s10`."""
    if isinstance(term, str):
        return (0, int(term), "") if is_number(term) else (1, 0, *numbered(term), term)
    return (2, len(term), *map(order, term))

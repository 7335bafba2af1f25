"""Formulas as text in Unicode: `cell[s] = empty`, `Σ(n : p ∈ players)`."""

from __future__ import annotations

from typing import assert_never

from gamedsl.reports.formulas.tree import (
    Cases,
    Formula,
    Fraction,
    Group,
    Indexed,
    Line,
    Numbered,
    Power,
    Row,
    Sign,
    Space,
    Total,
    Word,
    without_parentheses,
)


def line_text(line: Line) -> str:
    """The line, indented by two spaces a step."""
    return "  " * line.depth + text_of(line.formula)


WIDEST_CASE = 75
"""Characters of a case that a brace holds."""


def is_braced(cases: Cases) -> bool:
    """Whether every case is short enough to stand on a line of a brace."""
    otherwise = without_parentheses(cases.otherwise)
    rest = is_braced(otherwise) if isinstance(otherwise, Cases) else (
        len(text_of(otherwise)) <= WIDEST_CASE
    )  # fmt: skip
    return rest and len(text_of(cases.value)) + len(text_of(cases.condition)) <= WIDEST_CASE


def text_of(formula: Formula) -> str:
    """The formula as text."""
    match formula:
        case Word(text=text) | Sign(text=text):
            return text
        case Space():
            return " "
        case Row(parts=parts):
            return "".join(map(text_of, parts))
        case Group(opening=opening, body=body, closing=closing):
            return f"{opening}{text_of(body)}{closing}"
        case Indexed(base=base, indices=indices):
            return f"{text_of(base)}[{text_of(indices)}]"
        case Numbered(base=word, number=number):
            return f"{word.text}{number}"
        case Power(base=base, exponent=exponent):
            return f"{text_of(base)}^{text_of(exponent)}"
        case Fraction(above=above, below=below, bar=bar):
            return f"{text_of(above)}{bar}{text_of(below)}"
        case Total(over=over, body=body):
            return f"Σ({text_of(body)} : {text_of(over)})"
        case Cases():
            return text_of(formula.in_words)
        case _:
            assert_never(formula)

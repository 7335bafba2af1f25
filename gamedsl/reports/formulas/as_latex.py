"""Formulas as LaTeX for `$...$`, with `amsmath` and `amssymb`.

Only short brackets are groups, so that TeX may break a long formula at every other relation, at
every binary sign, and after every comma.
"""

from __future__ import annotations

from typing import assert_never

from gamedsl.reports.formulas.as_text import is_braced, text_of
from gamedsl.reports.formulas.tree import (
    Cases,
    Formula,
    Fraction,
    Group,
    Indexed,
    Kind,
    Numbered,
    Power,
    Row,
    Sign,
    Space,
    Total,
    Word,
    parts_words,
    without_parentheses,
)
from gamedsl.reports.latex import latex

_SIGNS = {
    "≠": r"\ne", "∉": r"\notin", "∈": r"\in", "⊆": r"\subseteq", "≤": r"\le", "≥": r"\ge",
    "∧": r"\land", "∨": r"\lor", "¬": r"\lnot", "∪": r"\cup", "∖": r"\setminus", "×": r"\times",
    "→": r"\to", "←": r"\gets", "⇔": r"\Leftrightarrow", "∃": r"\exists", "∀": r"\forall",
    "·": r"\cdot", "*": r"\cdot", "∝": r"\propto", "^": r"\text{\textasciicircum}",
    "{": r"\{", "}": r"\}", "⌊": r"\lfloor", "⌋": r"\rfloor", "%": r"\%", "#": r"\#", "_": r"\_",
    "&": r"\&", "$": r"\$", "~": r"\sim", "∼": r"\sim", "∞": r"\infty", "...": r"\dots",
    "\\": r"\backslash", "`": r"\text{`}",
}  # fmt: skip
_FENCES = {"{": r"\{", "}": r"\}", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "|": "|"}
_APART, _CLOSE = {":": ":", "|": r"\mid "}, {":": r"\colon ", "|": "|"}
"""A colon or bar after a space is a relation; else punctuation, or a bracket."""
_SHORTEST_BROKEN = 16
"""The length of text in brackets from which TeX may break the line there."""
_BREAK = r"\ \allowbreak "
"""A space at which a line may end."""
_LETTERS = {"γ": r"\gamma", "σ": r"\sigma"}


def formula_latex(formula: Formula) -> str:
    """The formula, to stand between dollars."""
    return "".join(_parts(formula)).strip()


def _parts(formula: Formula) -> list[str]:
    match formula:
        case Row(parts=parts):
            return _spaced(parts)
        case Word():
            return [_word(formula)]
        case Sign(text=text):
            return [_sign(text)]
        case Space():
            return [r"\ "]
        case Group(opening="(", body=Cases() as cases) if is_braced(cases):
            return [r"\left(", *_parts(cases), r"\right)"]
        case Group(opening=opening, body=body, closing=closing):
            inside = [_FENCES.get(opening, opening), *_parts(body), _FENCES.get(closing, closing)]
            is_kept = opening in "({" and len(text_of(body)) < _SHORTEST_BROKEN
            return ["{", *inside, "}"] if is_kept else inside
        case Indexed(base=base, indices=indices):
            return [*_parts(base), f"_{{{formula_latex(indices)}}}"]
        case Numbered(base=word, number=number):
            return [f"{_word(word)}_{{{number}}}"]
        case Power(base=base, exponent=exponent):
            return [*_parts(base), f"^{{{formula_latex(exponent)}}}"]
        case Fraction(above=above, below=below):
            over, under = map(formula_latex, map(without_parentheses, (above, below)))
            return [rf"\tfrac{{{over}}}{{{under}}}"]
        case Total(over=over_, body=body):
            return [rf"\sum_{{{formula_latex(over_)}}} ", *_parts(body)]
        case Cases() if not is_braced(formula):
            return _parts(formula.in_words)
        case Cases(value=value, condition=condition, otherwise=otherwise):
            return [r"\begin{cases}", _case(value, condition), *_otherwise(otherwise),
                    r"\end{cases}"]  # fmt: skip
        case _:
            assert_never(formula)


def _case(value: Formula, condition: Formula) -> str:
    return rf"{formula_latex(value)} & \text{{if }} {formula_latex(condition)}\\"


def _otherwise(formula: Formula) -> list[str]:
    """Branches behind `else` are further cases of the same brace."""
    formula = without_parentheses(formula)
    if isinstance(formula, Cases):
        return [_case(formula.value, formula.condition), *_otherwise(formula.otherwise)]
    return [rf"{formula_latex(formula)} & \text{{otherwise}}"]


def _spaced(parts: tuple[Formula, ...]) -> list[str]:
    r"""The parts of a row: `\ ` where words meet, a permitted break after a comma."""
    written: list[str] = []
    for number, part in enumerate(parts):
        if isinstance(part, Space):
            before = parts[number - 1] if number else None
            after = parts[number + 1] if number + 1 < len(parts) else None
            if isinstance(before, Sign) and before.text in ",;":
                written.append(r"\allowbreak\ ")
            elif parts_words(before, after):
                written.append(_BREAK)
            else:
                written.append(" ")
        elif isinstance(part, Sign) and part.text in ":|":
            is_apart = number > 0 and isinstance(parts[number - 1], Space)
            is_apart &= part.text == ":" or parts[number + 1 : number + 2] == (Space(),)
            written.append(_APART[part.text] if is_apart else _CLOSE[part.text])
        elif number == 0 and part in (Sign("∪"), Sign("∨")):
            written += ["{}", *_parts(part)]
        elif part == Sign("-") and parts[number + 1 : number + 2] != (Space(),):
            written.append("{-}")
        else:
            written += _parts(part)
    return written


def _word(word: Word) -> str:
    text = word.text
    match word.kind:
        case Kind.PROSE:
            return _BREAK.join(rf"\text{{{latex(part)}}}" for part in text.split(" "))
        case Kind.FUNCTION:
            return rf"\textsc{{{latex(text.lower())}}}" if text[1:] else text
        case Kind.OPERATOR | Kind.VALUE:
            return rf"\mathrm{{{_letters(text)}}}"
        case Kind.NUMBER:
            return text.replace(",", "{,}")
        case Kind.VARIABLE if len(text) == 1 and text.isascii():
            return text
        case Kind.VARIABLE if text in _LETTERS:
            return f"{_LETTERS[text]} "
        case Kind.VARIABLE:
            return rf"\mathit{{{_letters(text)}}}"


def _letters(text: str) -> str:
    """Letters and digits as they are, other characters in a text box."""
    if text.replace("_", "").isalnum() and text.isascii():
        return text.replace("_", r"\_")
    return rf"\text{{{latex(text)}}}"


def _sign(text: str) -> str:
    sign = _SIGNS.get(text, text)
    return f"{sign} " if sign.startswith("\\") else sign

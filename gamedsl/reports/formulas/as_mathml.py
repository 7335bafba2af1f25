"""Formulas as MathML in HTML: no script, no fonts beyond the browser's.

Browsers do not break lines inside `<math>`. `formula_html` therefore writes a formula as several
`<math>` elements with spaces between: the browser breaks where TeX would, at relations and at
commas. Prose stands between the elements as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
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

_BREAKING = ",;:∧∨∪∖=≠←⇔≤≥+-·∈"
"""Signs after which a line may end."""
_LONGEST_WHOLE = 30
"""Characters of a group in brackets that stays on one line."""


def formula_html(formula: Formula) -> str:
    """The formula as text and `<math>` elements; lines may be broken between the elements."""
    written: list[str] = []
    chunk: list[Formula] = []

    def close() -> None:
        if chunk:
            before = " " if isinstance(chunk[0], Space) else ""
            after = " " if isinstance(chunk[-1], Space) and chunk[1:] else ""
            inner = "".join(_spaced(_trimmed(chunk)))
            written.append(f"{before}<math>{inner}</math>{after}" if inner else before)
            chunk.clear()

    for part in _pieces(formula):
        if isinstance(part, Word) and part.kind is Kind.PROSE:
            close()
            written.append(escape(part.text))
            continue
        is_break = isinstance(part, Space) and _breaks(chunk)
        chunk.append(part)
        if is_break:
            close()
    close()
    return "".join(written)


def _breaks(chunk: list[Formula]) -> bool:
    """Whether a line may end at a space after these parts."""
    return not chunk or (isinstance(chunk[-1], Sign) and chunk[-1].text in _BREAKING)


def _pieces(formula: Formula) -> list[Formula]:
    """The parts of rows and of long groups, side by side."""
    match formula:
        case Row(parts=parts):
            return [piece for part in parts for piece in _pieces(part)]
        case Group(opening=opening, body=body, closing=closing) if (
            len(text_of(formula)) > _LONGEST_WHOLE
        ):
            return [Sign(opening), *_pieces(body), Sign(closing)]
        case Cases() if not is_braced(formula):
            return _pieces(formula.in_words)
        case Total(over=over, body=body) if len(text_of(body)) > _LONGEST_WHOLE:
            return [Total(over, Row(())), *_pieces(body)]
        case _:
            return [formula]


def _mathml(formula: Formula) -> str:
    match formula:
        case Row(parts=parts):
            return f"<mrow>{''.join(_spaced(parts))}</mrow>"
        case Word():
            return _word(formula)
        case Sign(text=text):
            return _sign(text)
        case Space():
            return '<mspace width=".25em"/>'
        case Group(opening=opening, body=body, closing=closing):
            return f"<mrow>{_sign(opening)}{_mathml(body)}{_sign(closing)}</mrow>"
        case Indexed(base=base, indices=indices):
            return f"<msub>{_mathml(base)}{_mathml(indices)}</msub>"
        case Numbered(base=word, number=number):
            return f"<msub>{_word(word)}<mn>{escape(number)}</mn></msub>"
        case Power(base=base, exponent=exponent):
            return f"<msup>{_mathml(base)}{_mathml(exponent)}</msup>"
        case Fraction(above=above, below=below):
            over, under = map(_mathml, map(without_parentheses, (above, below)))
            return f"<mfrac>{over}{under}</mfrac>"
        case Total(over=over_, body=body):
            return f"<mrow><munder><mo>∑</mo>{_mathml(over_)}</munder>{_mathml(body)}</mrow>"
        case Cases() if not is_braced(formula):
            return _mathml(formula.in_words)
        case Cases():
            return f'<mrow><mo stretchy="true">{{</mo><mtable>{_cases(formula)}</mtable></mrow>'
        case _:
            assert_never(formula)


def _trimmed(chunk: list[Formula]) -> list[Formula]:
    start, end = 0, len(chunk)
    while start < end and isinstance(chunk[start], Space):
        start += 1
    while start < end and isinstance(chunk[end - 1], Space):
        end -= 1
    return chunk[start:end]


def _spaced(parts: Sequence[Formula]) -> Iterator[str]:
    """The parts of a row; a sign has spaces on its sides as in the text form."""
    for number, part in enumerate(parts):
        before = parts[number - 1] if number else None
        after = parts[number + 1] if number + 1 < len(parts) else None
        match part:
            case Sign(text=text):
                yield _sign(text, isinstance(before, Space), isinstance(after, Space))
            case Space() if not parts_words(before, after):
                pass
            case _:
                yield _mathml(part)


def _cases(formula: Formula) -> str:
    """The rows of a brace; branches behind `else` are further rows."""
    formula = without_parentheses(formula)
    if not isinstance(formula, Cases):
        return _table_row(_mathml(formula), "<mtext>otherwise</mtext>")
    condition = f"<mtext>if&nbsp;</mtext>{_mathml(formula.condition)}"
    return _table_row(_mathml(formula.value), condition) + _cases(formula.otherwise)


def _table_row(value: str, condition: str) -> str:
    left = ' style="text-align: left"'
    return f"<mtr><mtd{left}>{value}</mtd><mtd{left}>{condition}</mtd></mtr>"


def _word(word: Word) -> str:
    text = escape(word.text)
    match word.kind:
        case Kind.PROSE:
            return f"<mtext>{text}</mtext>"
        case Kind.NUMBER:
            return f"<mn>{text}</mn>"
        case Kind.FUNCTION if len(word.text) > 1:
            return f'<mi class="function">{escape(word.text.lower())}</mi>'
        case Kind.VARIABLE | Kind.FUNCTION if len(word.text) == 1:
            return f"<mi>{text}</mi>"
        case Kind.VARIABLE | Kind.FUNCTION:
            return f'<mi class="variable">{text}</mi>'
        case Kind.VALUE | Kind.OPERATOR:
            return f'<mi mathvariant="normal">{text}</mi>'


def _sign(text: str, is_apart: bool = False, is_followed: bool = False) -> str:
    text = {"'": "\N{PRIME}", "-": "\N{MINUS SIGN}", "...": "…"}.get(text, text)
    left, right = (".25em" if space else "0" for space in (is_apart, is_followed))
    return f'<mo stretchy="false" lspace="{left}" rspace="{right}">{escape(text)}</mo>'

"""Mistakes about signs: `=` and `==`, brackets, ranges, what is written where something else goes.

In: a trouble. Out: a finding, or None.
"""

from __future__ import annotations

from gamedsl.source import Label, Span
from gamedsl.syntax.scan import OPENERS, Kind
from gamedsl.syntax.trouble import Finding, Recogniser, Trouble
from gamedsl.syntax.vocabulary import is_comparison, is_operator, is_value


def bracket_unclosed(trouble: Trouble) -> Finding | None:
    """A line that goes on below only because a bracket was left open."""
    brackets = trouble.open_brackets()
    if not brackets or trouble.lexeme is None or is_value(trouble.accepts):
        return None
    before = trouble.line.lexemes[trouble.at - 1]
    if "\n" not in trouble.source.text[before.end : trouble.lexeme.start]:
        return None
    opener = brackets[-1]
    message = f"`{opener.text}` is not closed before this line"
    label = (Label(opener.span, "opened here"),)
    return Finding("E0111", message, trouble.span, f"add `{OPENERS[opener.text]}`", label)


def equals_for_comparison(trouble: Trouble) -> Finding | None:
    """`if x = 3:`"""
    if trouble.text != "=" or not is_comparison(trouble.accepts):
        return None
    message = "`=` changes a variable; to compare, write `==`"
    return Finding("E0102", message, trouble.span)


def comparison_for_equals(trouble: Trouble) -> Finding | None:
    """`let x == 3`, `x == 3` as a statement, `def f(x) == 3`."""
    if trouble.text != "==" or not ("EQUAL" in trouble.accepts or trouble.is_inside):
        return None
    message = "`==` compares; to give a value, write `=`"
    return Finding("E0103", message, trouble.span)


def other_assignment(trouble: Trouble) -> Finding | None:
    """`let x += 1`, `x -= 1` where only `=` goes."""
    if trouble.text not in {"+=", "-="} or "EQUAL" not in trouble.accepts:
        return None
    message = f"a new name is given a value with `=`, not with `{trouble.text}`"
    return Finding("E0103", message, trouble.span)


def equals_for_in(trouble: Trouble) -> Finding | None:
    """`for i = 1..3:`, `chance die = 1..6`, `move f(s: square)`, `move f(s)`."""
    if trouble.accepts & {"IN", "COLON"} != {"IN"} or is_operator(trouble.accepts):
        return None
    name = trouble.text_at(-1)
    if trouble.text in {"=", ":", "from", "of", "over", "<-"} and trouble.text:
        example = f"`{name} in ...`" if trouble.kind_at(-1) is Kind.NAME else "`in`"
        message = f"what `{name}` ranges over is written {example}, not with `{trouble.text}`"
        return Finding("E0125", message, trouble.span)
    if trouble.starter in {"move", "simultaneous"} and trouble.text in {")", ","}:
        message = f"what does `{name}` range over? A parameter has a domain: `{name} in ...`"
        span = trouble.line.lexemes[trouble.at - 1].span
        return Finding("E0125", message, span, f"for a square: `{name} in square`")
    return None


def variable_without_domain(trouble: Trouble) -> Finding | None:
    """`pot = 0` in `state:`"""
    if trouble.text != "=" or not trouble.accepts & {"COLON", "LSQB"}:
        return None
    if trouble.accepts - {"COLON", "LSQB"} or trouble.at != 1:
        return None
    name = trouble.starter
    message = f"`{name}` needs a domain, all the values that it can have"
    return Finding("E0125", message, trouble.span, f"for example `{name}: 0..9 = 0`")


def parameters_without_brackets(trouble: Trouble) -> Finding | None:
    """`move mark s in square:`"""
    if trouble.starter not in {"move", "simultaneous"} or trouble.at != 2:
        return None
    if "LPAR" not in trouble.accepts or trouble.kind_at(0) is not Kind.NAME:
        return None
    message = "the parameters of a move stand in parentheses"
    name = trouble.text_at(-1)
    return Finding("E0111", message, trouble.span, f"`move {name}({trouble.text} in ...):`")


def condition_with_if(trouble: Trouble) -> Finding | None:
    """`any(x for x in S if c)`, `for x in S if c:`, `a if c` without `else`."""
    if "ELSE" not in trouble.accepts:
        return None
    texts = trouble.texts_before()
    last_if = max((i for i, text in enumerate(texts) if text == "if"), default=0)
    if last_if == 0:
        return None
    span = trouble.line.lexemes[last_if].span
    level = trouble.open_brackets()
    start = next((i for i, one in enumerate(trouble.line.lexemes) if level and one is level[-1]), 0)
    if "for" in texts[start:last_if]:
        message = "a condition on what `for` runs over is written with `where`, not with `if`"
        return Finding("E0115", message, span)
    message = "a conditional value needs an `else`: `b if a else c`"
    return Finding("E0115", message, span)


def condition_first(trouble: Trouble) -> Finding | None:
    """`x = if a then b else c`"""
    if trouble.text != "if" or not is_value(trouble.accepts):
        return None
    message = "a conditional value begins with the value: `b if a else c`"
    return Finding("E0115", message, trouble.span)


def generator_without_function(trouble: Trouble) -> Finding | None:
    """`(x for x in S)`"""
    brackets = trouble.open_brackets()
    if trouble.text != "for" or not brackets or brackets[-1].text != "(":
        return None
    message = "a `for` inside parentheses belongs to a function that stands before them"
    hint = "`any(...)`, `all(...)`, `count(...)`, `sum(...)`; a set is built inside `{}`"
    return Finding("E0115", message, brackets[-1].span, hint)


def range_with_words(trouble: Trouble) -> Finding | None:
    """`1 to 6`, `0 .. < 6`"""
    if not is_operator(trouble.accepts) or trouble.text not in {"to", "upto", "until", "through"}:
        return None
    if trouble.starter == "repeat":
        return None
    message = "a range is written `1..6`; it includes both ends"
    return Finding("E0117", message, trouble.span)


def product_without_sign(trouble: Trouble) -> Finding | None:
    """`2x`"""
    if trouble.lexeme is None or not trouble.at or trouble.kind_at(-1) is not Kind.NUMBER:
        return None
    before = trouble.line.lexemes[trouble.at - 1]
    if trouble.kind_at(0) is not Kind.NAME or before.end != trouble.lexeme.start:
        return None
    span = Span(before.start, trouble.lexeme.end)
    written = f"{before.text}{trouble.text}"
    if not is_operator(trouble.accepts):
        return Finding("E0116", f"`{written}` is no name: a name begins with a letter", span)
    message = f"`{written}` is neither a number nor a name"
    return Finding("E0116", message, span, f"a product is written `{before.text}*{trouble.text}`")


def name_of_digits(trouble: Trouble) -> Finding | None:
    """`players 1, 2`, `type T = ...` with numbers where names go."""
    if trouble.kind_at(0) is not Kind.NUMBER or is_value(trouble.accepts):
        return None
    if not trouble.accepts & {"NAME", "WORD"} or "NUMBER" in trouble.accepts:
        return None
    written = trouble.text
    if trouble.kind_at(1) is Kind.NAME and trouble.touches(1):
        written += trouble.text_at(1)
    span = Span(trouble.span.start, trouble.span.start + len(written))
    hint = "name every player: `players A, B`" if trouble.starter == "players" else None
    return Finding("E0116", f"`{written}` is no name: a name begins with a letter", span, hint)


RECOGNISERS: tuple[Recogniser, ...] = (
    bracket_unclosed,
    equals_for_comparison,
    comparison_for_equals,
    other_assignment,
    equals_for_in,
    variable_without_domain,
    parameters_without_brackets,
    condition_first,
    condition_with_if,
    generator_without_function,
    range_with_words,
    product_without_sign,
    name_of_digits,
)

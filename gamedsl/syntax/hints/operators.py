"""Hint rules for mistakes about operators and brackets: `=` for `==`, an open bracket, `1 to 6`.

In: the context of a syntax error. Out, from each rule: the `Mistake` that explains the error, or
None if the error has another cause. The docstring of a rule shows lines with the mistake; in a name
such as `equals_for_comparison`, the first sign was written where the second was meant. The first
rule of `RULES` that finds its mistake wins.
"""

from __future__ import annotations

from gamedsl.source import Label, Span
from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import OPENERS, Kind
from gamedsl.syntax.vocabulary import is_comparison, is_operator, is_value

EVENLY = "`in 1..6`: all are equally likely; `in {1: 1/3, 2: 2/3}`: by weights"
"""The hint for a `chance` event without `in`."""


def bracket_unclosed(context: ErrorContext) -> Mistake | None:
    """A bracket that was left open, so that the line continues in the line below."""
    brackets = context.open_brackets()
    if not brackets or context.lexeme is None or is_value(context.accepts):
        return None
    previous = context.line.lexemes[context.at - 1]
    if "\n" not in context.source.text[previous.end : context.lexeme.start]:
        return None
    opener = brackets[-1]
    message = f"`{opener.text}` is not closed before this line"
    label = (Label(opener.span, "opened here"),)
    return Mistake("E0111", message, context.span, f"add `{OPENERS[opener.text]}`", label)


def equals_for_comparison(context: ErrorContext) -> Mistake | None:
    """`if x = 3:`"""
    if context.text != "=" or not is_comparison(context.accepts):
        return None
    message = "`=` changes a variable; to compare, write `==`"
    return Mistake("E0102", message, context.span)


def comparison_for_equals(context: ErrorContext) -> Mistake | None:
    """`let x == 3`, `x == 3` as a statement, `def f(x) == 3`"""
    if context.text != "==" or not ("EQUAL" in context.accepts or context.is_inside):
        return None
    message = "`==` compares; to give a value, write `=`"
    return Mistake("E0103", message, context.span)


def change_in_a_condition(context: ErrorContext) -> Mistake | None:
    """`if left -= 1 > 0:`, `require pot += 1`"""
    if context.text not in {"+=", "-="} or context.starter not in {
        "if", "elif", "require", "ensure",
    } or context.last_colon() >= 0:  # fmt: skip
        return None
    message = f"`{context.text}` changes a variable; a condition only asks"
    return Mistake("E0102", message, context.span, "put the change on a line of its own")


def other_assignment(context: ErrorContext) -> Mistake | None:
    """`let x += 1`, or `x -= 1` in places that only allow `=`"""
    if context.text not in {"+=", "-="} or "EQUAL" not in context.accepts:
        return None
    message = f"a new name is given a value with `=`, not with `{context.text}`"
    return Mistake("E0103", message, context.span)


def names_in_one_let(context: ErrorContext) -> Mistake | None:
    """`let a, b = 1, 2`"""
    if context.text != "," or context.text_at(-2) != "let" or context.kind_at(1) is not Kind.NAME:
        return None
    first, second = context.text_at(-1), context.text_at(1)
    hint = f"`let {first} = ...`, and `let {second} = ...` on a line below it"
    return Mistake("E0120", "a `let` gives one name", context.span, hint)


def equals_for_in(context: ErrorContext) -> Mistake | None:
    """`for i = 1..3:`, `chance die[1] = uniform(1..6)`, `move f(s: square)`, `move f(s)`"""
    if context.accepts & {"IN", "COLON"} != {"IN"} or is_operator(context.accepts):
        return None
    name = _variable_before(context)
    if context.text in {"=", ":", "from", "of", "over", "<-"} and context.text:
        example = f"`{name} in ...`" if name[0].isalpha() else "`in`"
        message = f"what `{name}` ranges over is written {example}, not with `{context.text}`"
        hint = EVENLY if context.starter == "chance" else None
        return Mistake("E0125", message, context.span, hint)
    if context.starter in {"move", "simultaneous"} and context.text in {")", ","}:
        message = f"what does `{name}` range over? A parameter has a domain: `{name} in ...`"
        span = context.line.lexemes[context.at - 1].span
        return Mistake("E0125", message, span, f"for a square: `{name} in square`")
    return None


def _variable_before(context: ErrorContext) -> str:
    """The name before the mistake, with its indices, as written: `i`, `die[1]`."""
    before = context.line.lexemes[: context.at]
    first, depth = len(before) - 1, 0
    while first > 0:
        depth += (before[first].text == "]") - (before[first].text == "[")
        if not depth and before[first].text != "[":
            break
        first -= 1
    return context.source.text[before[first].start : before[-1].end]


def variable_without_domain(context: ErrorContext) -> Mistake | None:
    """`pot = 0` in `state:`"""
    if context.text != "=" or not context.accepts & {"COLON", "LSQB"}:
        return None
    if context.accepts - {"COLON", "LSQB"} or context.at != 1:
        return None
    name = context.starter
    message = f"`{name}` needs a domain, all the values that it can have"
    return Mistake("E0125", message, context.span, f"for example `{name}: 0..9 = 0`")


def parameters_without_brackets(context: ErrorContext) -> Mistake | None:
    """`move mark s in square:`"""
    if context.starter not in {"move", "simultaneous"} or context.at != 2:
        return None
    if "LPAR" not in context.accepts or context.kind_at(0) is not Kind.NAME:
        return None
    message = "the parameters of a move stand in parentheses"
    name = context.text_at(-1)
    return Mistake("E0111", message, context.span, f"`move {name}({context.text} in ...):`")


def condition_with_if(context: ErrorContext) -> Mistake | None:
    """`any(x for x in S if c)`, `for x in S if c:`, `a if c` without `else`"""
    if "ELSE" not in context.accepts:
        return None
    texts = context.texts_before()
    last_if = max((i for i, text in enumerate(texts) if text == "if"), default=0)
    if last_if == 0:
        return None
    span = context.line.lexemes[last_if].span
    brackets = context.open_brackets()
    innermost = next(
        (i for i, lexeme in enumerate(context.line.lexemes) if brackets and lexeme is brackets[-1]),
        0,
    )
    if "for" in texts[innermost:last_if]:
        message = "a condition on what `for` runs over is written with `where`, not with `if`"
        return Mistake("E0115", message, span)
    message = "a conditional value needs an `else`: `b if a else c`"
    hint, first, last = None, context.begin, context.at - 1
    is_change = any(text in {"=", "+=", "-="} for text in texts[first:last_if])
    if is_change and context.is_at_end and last_if < last:
        condition, change = context.written(last_if + 1, last), context.written(first, last_if - 1)
        hint = f"a change under a condition is `if {condition}: {change}`"
    return Mistake("E0115", message, span, hint)


def condition_first(context: ErrorContext) -> Mistake | None:
    """`x = if a then b else c`"""
    if context.text != "if" or not is_value(context.accepts):
        return None
    message = "a conditional value begins with the value: `b if a else c`"
    return Mistake("E0115", message, context.span)


def generator_without_function(context: ErrorContext) -> Mistake | None:
    """`(x for x in S)`"""
    brackets = context.open_brackets()
    if context.text != "for" or not brackets or brackets[-1].text != "(":
        return None
    message = "a `for` inside parentheses belongs to a function that stands before them"
    hint = "`any(...)`, `all(...)`, `count(...)`, `sum(...)`; a set is built inside `{}`"
    return Mistake("E0115", message, brackets[-1].span, hint)


def range_with_words(context: ErrorContext) -> Mistake | None:
    """`1 to 6`, `0 .. < 6`"""
    if not is_operator(context.accepts) or context.text not in {"to", "upto", "until", "through"}:
        return None
    if context.starter == "repeat":
        return None
    message = "a range is written `1..6`; it includes both ends"
    return Mistake("E0117", message, context.span)


def range_without_end(context: ErrorContext) -> Mistake | None:
    """`x: 0.. = 0`, `0..` at the end of a line"""
    if context.text_at(-1) != ".." or not is_value(context.accepts):
        return None
    low_end = context.text_at(-2)
    message = "this range has no end: every variable has finitely many values"
    hint = (
        f"`{low_end}..20` with the most that it can come to; `check` shows a play that goes beyond"
    )
    return Mistake("E0117", message, context.line.lexemes[context.at - 1].span, hint)


def product_without_sign(context: ErrorContext) -> Mistake | None:
    """`2x`"""
    if context.lexeme is None or not context.at or context.kind_at(-1) is not Kind.NUMBER:
        return None
    factor = context.line.lexemes[context.at - 1]
    if context.kind_at(0) is not Kind.NAME or factor.end != context.lexeme.start:
        return None
    span = Span(factor.start, context.lexeme.end)
    written = f"{factor.text}{context.text}"
    if not is_operator(context.accepts):
        return Mistake("E0116", f"`{written}` is no name: a name begins with a letter", span)
    message = f"`{written}` is neither a number nor a name"
    return Mistake("E0116", message, span, f"a product is written `{factor.text}*{context.text}`")


def name_of_digits(context: ErrorContext) -> Mistake | None:
    """`players 1, 2`, or `type T = ...` with numbers in the place of names"""
    if context.kind_at(0) is not Kind.NUMBER or is_value(context.accepts):
        return None
    if not context.accepts & {"NAME", "WORD"} or "NUMBER" in context.accepts:
        return None
    written = context.text
    if context.kind_at(1) is Kind.NAME and context.touches(1):
        written += context.text_at(1)
    span = Span(context.span.start, context.span.start + len(written))
    hint = "name every player: `players A, B`" if context.starter == "players" else None
    return Mistake("E0116", f"`{written}` is no name: a name begins with a letter", span, hint)


def stuck_in_words(context: ErrorContext) -> Mistake | None:
    """`opponent is stuck`, `opponent stuck`, `stuck opponent`"""
    before, after = context.text_at(-1), context.text_at(1)
    is_word = context.text == "stuck" or (context.text == "is" and after == "stuck")
    if is_word and context.kind_at(-1) is Kind.NAME:
        player = before
    elif before == "stuck" and context.kind_at(0) is Kind.NAME:
        player = context.text
    else:
        return None
    message = "the player who is asked about stands in brackets behind `stuck`"
    return Mistake("E0136", message, context.span, f"write `stuck({player})`")


RULES: tuple[HintRule, ...] = (
    bracket_unclosed,
    stuck_in_words,
    equals_for_comparison,
    comparison_for_equals,
    change_in_a_condition,
    other_assignment,
    names_in_one_let,
    equals_for_in,
    variable_without_domain,
    parameters_without_brackets,
    condition_first,
    condition_with_if,
    generator_without_function,
    range_with_words,
    range_without_end,
    product_without_sign,
    name_of_digits,
)

"""Mistakes about forms: what the language has, written as another language writes it.

In: a trouble. Out: a finding, or None.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from gamedsl.syntax.scan import Kind
from gamedsl.syntax.trouble import Finding, Recogniser, Trouble
from gamedsl.syntax.vocabulary import is_operator, is_value

_QUANTIFIERS = frozenset({"any", "all", "count", "sum", "min", "max", "first", "last"})
_CONDITIONAL = frozenset({"require", "ensure", "if", "elif"})


def comment_of_another_language(trouble: Trouble) -> Finding | None:
    """`x = 1  // so it begins`, `/* so it begins */`"""
    lexemes = trouble.line.lexemes
    if trouble.starter == "/" and trouble.line.lexemes[1:2] and lexemes[1].text == "*":
        return Finding("E0114", "a comment begins with `#`, not with `/*`", lexemes[0].span)
    if trouble.kind_at(0) is not Kind.NAME or trouble.kind_at(-1) is not Kind.NAME:
        return None
    slashes = next((one for one in lexemes[: trouble.at] if one.text == "//"), None)
    if slashes is None or trouble.open_brackets():
        return None
    return Finding("E0114", "a comment begins with `#`; `//` is a division", slashes.span)


def annotated_definition(trouble: Trouble) -> Finding | None:
    """`def f(a: Card)`, `def f(s in square)`, `def f(x) -> int`"""
    if trouble.starter != "def" or "=" in trouble.texts_before() or trouble.at < 2:
        return None
    head = f"def {trouble.line.lexemes[1].text}({', '.join(_parameters(trouble))})"
    if trouble.text == "->":
        message = "a `def` does not say what kind of value it has"
        return Finding("E0115", message, trouble.span, f"write `{head} = ...`")
    if not trouble.open_brackets() or trouble.text not in {":", "in"}:
        return None
    hint = f"write `{head} = ...`"
    if trouble.text == "in" and trouble.line.last.text == ":":
        hint = "what a player can do is a `move`; a formula is `def f(x) = ...`"
    message = "the parameters of a `def` are names and nothing else"
    return Finding("E0115", message, trouble.span, hint)


def _parameters(trouble: Trouble) -> list[str]:
    lexemes = trouble.line.lexemes
    closing = next((i for i, one in enumerate(lexemes) if one.text == ")"), len(lexemes))
    return [
        one.text
        for before, one in pairwise(lexemes[:closing])
        if before.text in {"(", ","} and one.kind is Kind.NAME
    ]


def conditions_in_a_list(trouble: Trouble) -> Finding | None:
    """`require a, b`, `type T = a, b`"""
    if trouble.text != "," or trouble.open_brackets():
        return None
    if trouble.starter in _CONDITIONAL and trouble.last_colon() < 0:
        message = "conditions are joined by `and` or `or`, not by `,`"
        return Finding("E0114", message, trouble.span)
    if trouble.starter == "type":
        message = "the values of a type are joined by `|`, not by `,`"
        return Finding("E0114", message, trouble.span, "as in `type Card = J | Q | K`")
    return None


def condition_on_a_move(trouble: Trouble) -> Finding | None:
    """`move f(s in square) if c:`"""
    if trouble.starter not in {"move", "simultaneous"} or "COLON" not in trouble.accepts:
        return None
    if trouble.text not in {"if", "when", "where", "require", "requires"}:
        return None
    message = "when a move is legal is said in its block"
    return Finding("E0115", message, trouble.span, "write `require ...` on the line below")


def loop_of_another_language(trouble: Trouble) -> Finding | None:
    """`for each p in players:`, `for (i = 0; ...)`"""
    if trouble.starter != "for":
        return None
    if trouble.at == 2 and trouble.text_at(-1) in {"each", "all", "every"}:
        word, name = trouble.text_at(-1), trouble.text
        message = f"`for {word} {name} in` is written `for {name} in` here"
        return Finding("E0115", message, trouble.line.lexemes[1].span)
    if trouble.at == 1 and trouble.text == "(":
        message = "a loop has no brackets and runs over a set: `for i in 1..3:`"
        return Finding("E0115", message, trouble.span)
    return None


def chance_as_a_value(trouble: Trouble) -> Finding | None:
    """`die = chance 1..6`"""
    if trouble.text_at(-1) != "chance" or trouble.text_at(-2) != "=" or trouble.at < 3:
        return None
    span = trouble.line.lexemes[trouble.at - 1].span
    name = trouble.text_at(-3)
    message = "`chance` is no value: it begins a statement of its own"
    return Finding("E0115", message, span, f"write `chance {name} in ...`")


def payoff_in_another_form(trouble: Trouble) -> Finding | None:
    """`payoff [1, -1]`, `payoff 1, -1`, `payoff A = 1`"""
    is_list = trouble.text_at(-1) == "payoff" and trouble.kind_at(0) is not Kind.NAME
    is_set = trouble.text_at(-2) == "payoff" and trouble.text == "="
    if not (is_list or is_set) or trouble.is_at_end:
        return None
    message = "payoffs say whose they are, with `:`"
    hint = "`payoff A: 1, B: -1`, or one formula for every player: `payoff p: ...`"
    return Finding("E0104", message, trouble.span, hint)


def secret_in_front(trouble: Trouble) -> Finding | None:
    """`secret card: Card`"""
    if trouble.starter != "secret" or trouble.at != 1 or trouble.kind_at(0) is not Kind.NAME:
        return None
    message = "`secret` stands at the end of the line"
    hint = f"as in `{trouble.text}[p in players]: ... = ... secret to p`"
    return Finding("E0100", message, trouble.line.first.span, hint)


def secret_before_the_value(trouble: Trouble) -> Finding | None:
    """`card: 0..3 secret to p = 0`"""
    texts = trouble.texts_before()
    if trouble.text != "=" or ":" not in texts or "secret" not in texts:
        return None
    behind = texts[texts.index("secret") + 1 :]
    if behind and behind[0] != "to":
        return None
    whose = " ".join(["secret", *behind])
    message = f"the first value stands before `secret`: `= ... {whose}`"
    return Finding("E0100", message, trouble.span)


def brackets_side_by_side(trouble: Trouble) -> Finding | None:
    """`cell[1..3][1..3]: bool`"""
    if trouble.text != "[" or trouble.text_at(-1) != "]" or "LSQB" in trouble.accepts:
        return None
    if "COLON" not in trouble.accepts or is_operator(trouble.accepts):
        return None
    message = "several indices stand in one pair of brackets"
    hint = f"as in `{trouble.starter}[1..3, 1..3]`"
    return Finding("E0111", message, trouble.span, hint)


def quantifier_without_brackets(trouble: Trouble) -> Finding | None:
    """`all cell[s] == X for s in square`"""
    word = trouble.text_at(-1)
    if word not in _QUANTIFIERS or trouble.kind_at(0) is not Kind.NAME:
        return None
    if not is_operator(trouble.accepts):
        return None
    span = trouble.line.lexemes[trouble.at - 1].span
    hint = f"as in `{word}(... for s in square)`"
    return Finding("E0111", f"what belongs to `{word}` stands in parentheses", span, hint)


def share_in_percent(trouble: Trouble) -> Finding | None:
    """`{heads: 50%, tails: 50%}`"""
    if trouble.text_at(-1) != "%" or trouble.kind_at(-2) is not Kind.NUMBER:
        return None
    if not is_value(trouble.accepts):
        return None
    number = trouble.text_at(-2)
    span = trouble.line.lexemes[trouble.at - 1].span
    share = Fraction(number) / 100
    message = "`%` is the remainder of a division, not a share of 100"
    return Finding("E0114", message, span, f"write a fraction: `{share}`")


RECOGNISERS: tuple[Recogniser, ...] = (
    comment_of_another_language,
    annotated_definition,
    conditions_in_a_list,
    condition_on_a_move,
    loop_of_another_language,
    chance_as_a_value,
    payoff_in_another_form,
    secret_in_front,
    secret_before_the_value,
    brackets_side_by_side,
    quantifier_without_brackets,
    share_in_percent,
)

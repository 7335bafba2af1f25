"""Mistakes about subsets, as parameters or drawn: `s subset of 1..9` in another notation."""

from __future__ import annotations

from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind

_WORDS = frozenset({"subset", "subsets", "set", "sets"})
_HEADS = frozenset({"move", "simultaneous", "def", "chance"})


def subset_in_another_form(context: ErrorContext) -> Mistake | None:
    """`s in subset of 1..9`, `s subset 1..9`, `s: set of 1..9`; `x: subset of 1..9` in `state:`."""
    texts = [lexeme.text for lexeme in context.line.lexemes]
    word = next((i for i in _near(context) if texts[i] in _WORDS), None)
    if word is None or not (context.text == "of" or "of" in texts[word + 1 : word + 2]):
        return None
    span = context.line.lexemes[word].span
    if context.starter in _HEADS:
        name = texts[word - 1] if context.at == word else texts[word - 2]
        return Mistake("E0125", f"{_subject(context)} is written `{name} subset of ...`", span)
    if texts[1:2] == [":"] or texts[1:2] == ["["]:
        message = "a variable holds a single value, no set"
        hint = f"keep whether each element is in it: `{_membership(context, texts, word)}`"
        return Mistake("E0125", message, span, hint)
    message = "only a parameter of a move or of a `def`, or what chance draws, can be a subset"
    if "for" in texts[: context.at]:
        hint = (
            "no expression goes through all subsets; a `def` that calls itself can: "
            "`def makes(n in 0..9, most in 0..9) = n == 0 or any(makes(n - k, k - 1) "
            "for k in 1..most where k <= n)`"
        )
        return Mistake("E0125", message, span, hint)
    return Mistake("E0125", message, span, "`move take(s subset of 1..9):`")


def _subject(context: ErrorContext) -> str:
    return "a set" if context.starter == "chance" else "a parameter that is a set"


def _near(context: ErrorContext) -> range:
    """The indices around the place: the lexeme before, the place itself, and the lexeme behind a
    `:` or `=` at the place."""
    last = len(context.line.lexemes) - 1
    return range(max(context.at - 1, 1), min(context.at + (context.text in {":", "="}), last) + 1)


def of_forgotten(context: ErrorContext) -> Mistake | None:
    """`s subset 1..9`, `s subset in 1..9`"""
    if context.text_at(-1) != "subset" or context.accepts != {"OF"}:
        return None
    message = f"{_subject(context)} is written `{context.text_at(-2)} subset of ...`"
    return Mistake("E0125", message, context.span)


def size_in_words(context: ErrorContext) -> Mistake | None:
    """`s subset of size 3 of 1..9`, `s subset of 3 of 1..9`"""
    before = context.texts_before()
    if "subset" not in before or context.starter not in _HEADS:
        return None
    place = len(before) - 1 - before[::-1].index("subset")
    inside = before[place + 1 :]
    if context.text == "of" and context.kind_at(-1) is Kind.NUMBER and len(inside) == 2:
        size = before[-1]
    elif context.kind_at(0) is Kind.NUMBER and inside == ["of", "size"]:
        size = context.text
    else:
        return None
    name = before[place - 1]
    message = "how many elements a subset has stands behind `where`"
    hint = f"`{name} subset of ... where count({name}) == {size}`"
    return Mistake("E0125", message, context.span, hint)


def _membership(context: ErrorContext, texts: list[str], word: int) -> str:
    """`hand[p in players]: set of Card secret to p` as a variable for each element."""
    lexemes, text = context.line.lexemes, context.source.text
    begin = word + 1 + (texts[word + 1 : word + 2] == ["of"])
    ends = (i for i, told in enumerate(texts) if i >= begin and told in {"=", "secret"})
    end = next(ends, len(texts))
    elements = text[lexemes[begin].start : lexemes[end - 1].end] if begin < end else "1..9"
    colon = texts.index(":") if ":" in texts else 1
    head = text[lexemes[0].start : lexemes[colon - 1].end].removesuffix("]")
    joined = f"{head}, {elements}]" if colon > 1 else f"{head}[{elements}]"
    secret = texts.index("secret") if "secret" in texts else None
    hidden = "" if secret is None else f" {text[lexemes[secret].start : context.line.last.end]}"
    return f"{joined}: bool = false{hidden}"


RULES: tuple[HintRule, ...] = (subset_in_another_form, of_forgotten, size_in_words)

"""Mistakes about words: outcomes, the size of a board, titles, keywords in the place of names.

In: a trouble. Out: a finding, or None.
"""

from __future__ import annotations

from gamedsl.source import Span, nearest
from gamedsl.syntax.scan import Kind
from gamedsl.syntax.trouble import Finding, Recogniser, Trouble
from gamedsl.syntax.vocabulary import accepted_words, is_operator, is_value, literals

OUTCOMES = "an outcome is `p wins`, `p loses`, `draw` or `payoff ...`"

_WON = frozenset({"win", "won", "winner", "winning", "lose", "lost", "loose", "looses", "loss",
                  "loser", "losing", "wins", "loses", "victory"})  # fmt: skip
_DRAWN = frozenset({"draws", "drawn", "tie", "tied", "ties", "stalemate", "remis"})

_FORBIDDEN = frozenset({"illegal", "invalid", "forbidden", "forbid", "reject", "cancel"})

_COMPARISONS = {"is": "==", "equals": "==", "eq": "==", "isnt": "!=", "contains": "in"}
_OPERATORS = {"mod": "%", "div": "//", "times": "*", "plus": "+", "minus": "-", "xor": "!=",
              "unless": "or"}  # fmt: skip


def outcome_misspelt(trouble: Trouble) -> Finding | None:
    """`p win`, `winner p`, `tie`, `X wins, O loses`."""
    if "WINS" in trouble.accepts and "EQUAL" in trouble.accepts:
        if trouble.text in _WON:
            return Finding("E0104", OUTCOMES, trouble.span)
        if trouble.starter in _WON | _DRAWN and trouble.at == 1:
            return Finding("E0104", OUTCOMES, trouble.line.first.span)
        if trouble.is_at_end and trouble.text_at(-1) in _DRAWN | _WON:
            return Finding("E0104", OUTCOMES, trouble.line.last.span)
        return None
    follows = {"wins", "loses", "draw"} & set(trouble.texts_before())
    if trouble.text == "," and follows and trouble.starter != "expect":
        message = "one outcome says it all: when one of two players wins, the other loses"
        hint = "payoffs of several players: `payoff A: 1, B: -1`"
        return Finding("E0104", message, trouble.span, hint)
    return None


def outcome_expected(trouble: Trouble) -> Finding | None:
    """`endless: tie`, `repeat state 3 times: win`."""
    if trouble.starter not in {"endless", "repeat"} or "WINS" not in trouble.accepts:
        return None
    span = trouble.line.last.span if trouble.is_at_end else trouble.span
    return Finding("E0104", OUTCOMES, span)


def board_size(trouble: Trouble) -> Finding | None:
    """`board 3x3`, `board 8 by 8`, `board 8, 8`."""
    if trouble.starter != "board" or len(trouble.line.lexemes) < 2:
        return None
    if not trouble.accepts & {"WIDE", "HIGH"} and not is_value(trouble.accepts):
        return None
    words = trouble.line.lexemes[1:]
    text = trouble.source.text[words[0].start : words[-1].end]
    digits = "".join(c if c.isdigit() else " " for c in text).split()
    width, height = (digits * 2)[:2] if digits else ("3", "3")
    message = f"write `board {width} wide {height} high`"
    return Finding("E0113", message, Span(words[0].start, words[-1].end))


def title_without_quotes(trouble: Trouble) -> Finding | None:
    """`game Nim`"""
    if "TITLE" not in trouble.accepts:
        return None
    if trouble.is_at_end:
        return Finding("E0112", 'a title is missing: `game "Nim"`', trouble.span)
    title = trouble.written(trouble.at, len(trouble.line.lexemes) - 1)
    span = Span(trouble.span.start, trouble.line.last.end)
    return Finding("E0112", f'put the title in quotes: `game "{title}"`', span)


def keyword_as_name(trouble: Trouble) -> Finding | None:
    """`let if = 3`, `for in in S`."""
    if "NAME" not in trouble.accepts or is_value(trouble.accepts):
        return None
    if trouble.kind_at(0) is not Kind.NAME or literals().get(trouble.found) != trouble.text:
        return None
    message = f"`{trouble.text}` is a word of the language and cannot be used as a name here"
    return Finding("E0110", message, trouble.span, "choose another name")


def operator_in_words(trouble: Trouble) -> Finding | None:
    """`x is y`, `a mod b`, `x is not y`."""
    if not is_operator(trouble.accepts):
        return None
    if trouble.text == "is" and trouble.text_at(1) == "not":
        span = trouble.span.to(trouble.line.lexemes[trouble.at + 1].span)
        return Finding("E0114", "`is not` is written `!=` here", span)
    sign = _COMPARISONS.get(trouble.text) or _OPERATORS.get(trouble.text)
    if sign is None:
        return None
    return Finding("E0114", f"`{trouble.text}` is written `{sign}` here", trouble.span)


def statement_without_effect(trouble: Trouble) -> Finding | None:
    """`cell[s]` alone on a line."""
    if not trouble.is_at_end or not {"EQUAL", "WINS"} <= trouble.accepts:
        return None
    statement = trouble.line.lexemes[trouble.last_colon() + 1 :]
    span = Span(statement[0].start, statement[-1].end)
    message = "this does nothing: a statement changes something, or requires it"
    if len(statement) > 1:
        return Finding("E0120", message, span)
    if statement[0].text in _FORBIDDEN:
        message = f"`{statement[0].text}` is no statement"
        return Finding("E0115", message, span, "say when the move is legal: `require ...`")
    near = nearest(statement[0].text, ("again", "draw"))
    if near is not None:
        message = f"`{statement[0].text}` is no statement; did you mean `{near}`?"
        return Finding("E0109", message, span)
    return Finding("E0120", message, span, f"an effect is called `{statement[0].text}()`")


def word_misspelt(trouble: Trouble) -> Finding | None:
    """`board 3 wid 3 high`, `repeat state 3 time: draw`."""
    if trouble.kind_at(0) is not Kind.NAME or is_value(trouble.accepts):
        return None
    words = [word for word in accepted_words(trouble.accepts) if len(word) > 3]
    near = nearest(trouble.text, words)
    if near is None:
        return None
    message = f"`{trouble.text}` does not fit here; did you mean `{near}`?"
    return Finding("E0109", message, trouble.span)


FIRST: tuple[Recogniser, ...] = (
    outcome_misspelt,
    outcome_expected,
    board_size,
    title_without_quotes,
)
LAST: tuple[Recogniser, ...] = (
    operator_in_words,
    statement_without_effect,
    keyword_as_name,
    word_misspelt,
)

"""Mistakes about words: outcomes, the size of a board, titles, keywords in the place of names.

In: an error context. Out: a finding, or None.
"""

from __future__ import annotations

from gamedsl.source import Span, nearest
from gamedsl.syntax.hints.characters import MOVES_QUOTED
from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind
from gamedsl.syntax.vocabulary import accepted_words, is_operator, is_value, literals

OUTCOMES = "an outcome is `p wins`, `p loses`, `draw` or `payoff ...`"

_WINS = frozenset({"win", "won", "winner", "winning", "wins", "victory"})
_LOSES = frozenset({"lose", "lost", "loose", "looses", "loss", "loser", "losing", "loses"})
_WON = _WINS | _LOSES
_DRAWN = frozenset({"draws", "drawn", "tie", "tied", "ties", "stalemate", "remis"})

_FORBIDDEN = frozenset({"illegal", "invalid", "forbidden", "forbid", "reject", "cancel"})

_LOGIC = frozenset({"and", "or", "not", "in", "if", "else", "where", "for"})

_PASSING = frozenset(
    {"nextplayer", "nextturn", "endturn", "passturn", "changeturn", "changeplayer", "switchturn",
     "switchplayer", "switchplayers", "endofturn"}
)  # fmt: skip

_SUPERLATIVES = frozenset({"greatest", "most", "largest", "maximal", "least", "smallest"})
_COMPARISONS = {"is": "==", "equals": "==", "eq": "==", "isnt": "!=", "contains": "in"}
_REMAINDERS = {"even": 0, "odd": 1}
_OPERATORS = {"mod": "%", "div": "//", "times": "*", "plus": "+", "minus": "-", "xor": "!=",
              "unless": "or"}  # fmt: skip


def outcome_misspelt(context: ErrorContext) -> Mistake | None:
    """`p win`, `winner p`, `tie`, `X wins, O loses`."""
    if "WINS" in context.accepts and "EQUAL" in context.accepts:
        if context.text in _WON:
            name, verb = context.text_at(-1), "wins" if context.text in _WINS else "loses"
            hint = f"a team too: `{name} {verb}`" if name.endswith("s") else None
            return Mistake("E0104", OUTCOMES, context.span, hint)
        first = context.line.lexemes[context.begin]
        if first.text in _WON | _DRAWN and context.at == context.begin + 1:
            return Mistake("E0104", OUTCOMES, first.span)
        if context.is_at_end and context.text_at(-1) in _DRAWN | _WON:
            return Mistake("E0104", OUTCOMES, context.line.last.span)
        return None
    follows = {"wins", "loses", "draw"} & set(context.texts_before())
    if context.text == "," and follows and context.starter != "expect":
        message = "one outcome says it all: when one of two players wins, the other loses"
        hint = "payoffs of several players: `payoff A: 1, B: -1`"
        return Mistake("E0104", message, context.span, hint)
    return None


def outcome_expected(context: ErrorContext) -> Mistake | None:
    """`endless: tie`, `repeat state 3 times: win`."""
    if context.starter not in {"endless", "repeat"} or "WINS" not in context.accepts:
        return None
    span = context.line.last.span if context.is_at_end else context.span
    return Mistake("E0104", OUTCOMES, span)


def board_size(context: ErrorContext) -> Mistake | None:
    """`board 3x3`, `board 8 by 8`, `board 8, 8`."""
    if context.starter != "board" or len(context.line.lexemes) < 2:
        return None
    if not context.accepts & {"WIDE", "HIGH"} and not is_value(context.accepts):
        return None
    words = context.line.lexemes[1:]
    text = context.source.text[words[0].start : words[-1].end]
    digits = "".join(c if c.isdigit() else " " for c in text).split()
    width, height = (digits * 2)[:2] if digits else ("3", "3")
    size = f"board {width} wide {height} high"
    span = Span(words[0].start, words[-1].end)
    if any(word.text == "wrap" for word in words):
        hint = "`wrap wide` joins left and right, `wrap high` top and bottom, `wrap` alone both"
        return Mistake("E0113", f"write `{size} wrap`, or `wrap wide`, `wrap high`", span, hint)
    return Mistake("E0113", f"write `{size}`", span)


def title_without_quotes(context: ErrorContext) -> Mistake | None:
    """`game Nim`, `game: Nim`, `expect value after e2e4: draw`"""
    if "TITLE" not in context.accepts:
        return None
    if context.starter == "expect":
        return Mistake("E0112", MOVES_QUOTED, context.span)
    if context.is_at_end:
        return Mistake("E0112", 'a title is missing: `game "Nim"`', context.span)
    title = context.written(context.at, len(context.line.lexemes) - 1).lstrip(":= ") or "Nim"
    span = Span(context.span.start, context.line.last.end)
    return Mistake("E0112", f'put the title in quotes: `game "{title}"`', span)


def keyword_as_name(context: ErrorContext) -> Mistake | None:
    """`let if = 3`, `for in in S`."""
    if "NAME" not in context.accepts or is_value(context.accepts):
        return None
    if context.kind_at(0) is not Kind.NAME or literals().get(context.terminal) != context.text:
        return None
    message = f"`{context.text}` is a word of the language and cannot be used as a name here"
    return Mistake("E0110", message, context.span, "choose another name")


def operator_in_words(context: ErrorContext) -> Mistake | None:
    """`x is y`, `a mod b`, `x is not y`, `x is even`."""
    adjective = context.text if "GREATEST" in context.accepts else context.text_at(1)
    if adjective in _REMAINDERS:
        hint = f"the remainder by two tells, as in `n % 2 == {_REMAINDERS[adjective]}`"
        return Mistake("E0114", f"the language has no word `{adjective}`", context.span, hint)
    if "GREATEST" in context.accepts:
        word = context.line.lexemes[context.at - 1].span
        if context.text == "not":
            return Mistake("E0114", "`is not` is written `!=` here", word.to(context.span))
        hint = "as in `require e is greatest`, `is` stands before `greatest` alone"
        return Mistake("E0114", "`is` is written `==` here", word, hint)
    if not is_operator(context.accepts):
        return None
    before = context.line.lexemes[context.at - 1] if context.at else None
    if context.starter == "require" and before is not None and before.text in _SUPERLATIVES:
        hint = "as in `require e is greatest`; for the least `require -e is greatest`"
        message = f"`{before.text}` stands behind the value that is compared"
        return Mistake("E0114", message, before.span, hint)
    if context.text != context.text.lower() and context.text.lower() in _LOGIC:
        message = f"`{context.text}` is written `{context.text.lower()}` here"
        return Mistake("E0114", message, context.span)
    if context.text == "is" and context.text_at(1) == "not":
        span = context.span.to(context.line.lexemes[context.at + 1].span)
        return Mistake("E0114", "`is not` is written `!=` here", span)
    sign = _COMPARISONS.get(context.text) or _OPERATORS.get(context.text)
    if sign is None:
        return None
    return Mistake("E0114", f"`{context.text}` is written `{sign}` here", context.span)


def statement_without_effect(context: ErrorContext) -> Mistake | None:
    """`cell[s]` alone on a line."""
    if not context.is_at_end or not {"EQUAL", "WINS"} <= context.accepts:
        return None
    statement = context.line.lexemes[context.last_colon() + 1 :]
    span = Span(statement[0].start, statement[-1].end)
    message = "this does nothing: a statement changes something, or requires it"
    if len(statement) > 1:
        return Mistake("E0120", message, span)
    if statement[0].text in _FORBIDDEN:
        message = f"`{statement[0].text}` is no statement"
        return Mistake("E0115", message, span, "say when the move is legal: `require ...`")
    if statement[0].text.replace("_", "").lower() in _PASSING:
        message = f"`{statement[0].text}` is no statement: the turn passes by itself"
        hint = "`again` keeps it, `turn = p` gives it to p"
        return Mistake("E0115", message, span, hint)
    near = nearest(statement[0].text, ("again", "draw"))
    if near is not None:
        message = f"`{statement[0].text}` is no statement; did you mean `{near}`?"
        return Mistake("E0109", message, span)
    return Mistake("E0120", message, span, f"an effect is called `{statement[0].text}()`")


def word_misspelt(context: ErrorContext) -> Mistake | None:
    """`board 3 wid 3 high`, `repeat state 3 time: draw`."""
    if context.kind_at(0) is not Kind.NAME or is_value(context.accepts):
        return None
    words = [word for word in accepted_words(context.accepts) if len(word) > 3]
    near = nearest(context.text, words)
    if near is None:
        return None
    message = f"`{context.text}` does not fit here; did you mean `{near}`?"
    return Mistake("E0109", message, context.span)


FIRST: tuple[HintRule, ...] = (
    outcome_misspelt,
    outcome_expected,
    board_size,
    title_without_quotes,
)
LAST: tuple[HintRule, ...] = (
    operator_in_words,
    statement_without_effect,
    keyword_as_name,
    word_misspelt,
)

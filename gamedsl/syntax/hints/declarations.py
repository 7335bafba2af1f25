"""Mistakes in declarations: variables, parameters, edges, claims."""

from __future__ import annotations

from gamedsl.source import Span
from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind


def values_in_a_list(context: ErrorContext) -> Mistake | None:
    """`cell[square]: empty, players = empty`"""
    if context.text != "," or context.open_brackets() or context.last_colon() < 0:
        return None
    if not {"EQUAL", "SECRET"} <= context.accepts:
        return None
    message = "the values of a variable are joined by `|`, not by `,`"
    hint = "as in `empty | players`; each variable has a line of its own"
    return Mistake("E0114", message, context.span, hint)


def number_of_players(context: ErrorContext) -> Mistake | None:
    """`players 3`, `players 1..n`, `players n: Ann, Bob`, `players n of`"""
    if context.starter != "players" or context.at < 2:
        return None
    is_number = ".." in context.texts_before() or context.line.lexemes[1].text.isdigit()
    is_from = context.text in {":", "from", "among", "in", "out"}
    is_unnamed = context.is_at_end and context.text_at(-1) == "of"
    if not (("OF" in context.accepts and (is_number or is_from)) or is_unnamed):
        return None
    if context.text == ",":
        first = context.line.lexemes[1]
        message = f"`{first.text}` is no name: a name begins with a letter"
        return Mistake("E0116", message, first.span, "name every player: `players A, B`")
    words = [lexeme.text for lexeme in context.line.lexemes[1:] if lexeme.text != "of"]
    names = ", ".join(word for word in words if word[0].isupper())
    number = next((word for word in reversed(words) if word[0].islower() or word.isdigit()), "n")
    if is_number or not names:
        names = "Ann, Bob, Cid"
    elif is_from:
        number = context.written(1, context.at - 1)
    span = Span(context.line.lexemes[1].start, context.line.last.end)
    message = "the players are named, and in front of `of` stands how many of the names play"
    hint = f"`players {number} of {names}`: the first {number} of them"
    return Mistake("E0134", message, span, hint)


def product_in_a_type(context: ErrorContext) -> Mistake | None:
    """`type Deck = Rank of Suit of Back`, `type Pack = joker | (Rank of Suit)`"""
    if context.starter != "type" or context.text != "of":
        return None
    message = "`of` joins two types by their names, and a product has a line of its own"
    hint = "as in `type Card = Rank of Suit`; then `Card` is part of other types"
    return Mistake("E0142", message, context.span, hint)


def parameter_with_a_colon(context: ErrorContext) -> Mistake | None:
    """`param n: 5`"""
    if context.starter != "param" or context.text != ":" or context.at != 2:
        return None
    message = "a parameter is given its value with `=`, not with `:`"
    hint = f"`param {context.text_at(-1)} = {context.text_at(1) or '3'}`"
    return Mistake("E0103", message, context.span, hint)


def outcome_in_a_block(context: ErrorContext) -> Mistake | None:
    """`endless:` with the outcome below, `repeat state 3 times:` too"""
    if context.starter not in {"endless", "repeat"} or not context.is_at_end:
        return None
    if context.text_at(-1) != ":":
        return None
    head = context.written(0, context.at - 1)
    message = f"what play is worth stands behind `{head}`, on the same line"
    return Mistake("E0108", message, context.span, f"as in `{head} draw`")


def simultaneous_behind(context: ErrorContext) -> Mistake | None:
    """`move show(h in Hand) simultaneous:`"""
    if context.starter != "move" or context.text != "simultaneous":
        return None
    message = "`simultaneous` stands in the place of `move`"
    name = context.text_at(1) if context.at == 1 else context.line.lexemes[1].text
    return Mistake("E0115", message, context.span, f"write `simultaneous {name}`")


def claim_without_a_colon(context: ErrorContext) -> Mistake | None:
    """`expect value A wins`, `expect best move: a1`"""
    if context.starter != "expect" or context.at != 2 or "COLON" not in context.accepts:
        return None
    if context.kind_at(0) not in {Kind.NAME, Kind.NUMBER}:
        return None
    end = context.line.lexemes[1].end
    hint = "a claim is written as in `expect value: draw`"
    fact = context.written(0, 1)
    return Mistake("E0105", f"put `:` after `{fact}`", Span(end, end), hint)


def edges_of_a_graph(context: ErrorContext) -> Mistake | None:
    """`a -> b`, `edges: (a, b), (b, c)`, `a b`, in `board graph:`"""
    if not context.is_below("board") or context.is_at_end:
        return None
    first = [lexeme.text for lexeme in context.line.lexemes[: context.at]]
    if first[1:2] == ["at"] and "(" not in first:
        message = "the place of a point is a pair in brackets"
        return Mistake("E0113", message, context.span, f"as in `{first[0]} at (0, 2)`")
    message = "points of a graph are joined by `-`"
    hint = "`a-b-c` is a line of three points; `a: b, c` joins a to b and to c"
    return Mistake("E0113", message, context.span, hint)


def branches_below_a_line_of_them(context: ErrorContext) -> Mistake | None:
    """`A: stop -> 1, go -> B:`, and the branches of B on the lines below, in `tree:`"""
    texts = context.texts_before()
    is_a_row = "->" in texts and ":" in texts[: texts.index("->")]
    if not (context.is_below("tree") and context.is_at_end and texts[-1:] == [":"] and is_a_row):
        return None
    message = "a node on a line of branches has its own branches on that line"
    hint = "to go on below, write one branch a line"
    return Mistake("E0100", message, context.line.last.span, hint)


def events_in_a_list(context: ErrorContext) -> Mistake | None:
    """`chance one in 1..6, two in 1..6`"""
    if context.starter != "chance" or context.text != "," or context.open_brackets():
        return None
    message = "each chance event stands on a line of its own"
    return Mistake("E0114", message, context.span, "`chance x in S`, and `chance y in T` below it")


def weights_in_other_words(context: ErrorContext) -> Mistake | None:
    """`chance k in S by w`, `weighted by w`, `with weights w`, `weighted w where c`"""
    if context.starter != "chance" or "in" not in context.texts_before():
        return None
    is_word = "WEIGHTED" in context.accepts and context.text in {"by", "with", "weights", "weight"}
    is_late = context.text == "where" and "weighted" in context.texts_before()
    if not (is_word or is_late or context.written(0, context.at - 1).endswith("weighted by")):
        return None
    texts = context.texts_before()
    last = next(n for n, text in enumerate([*texts, "by"]) if text in {"by", "weighted", "where"})
    message = "chances in proportion to numbers: the set, `where` if needed, `weighted`, the number"
    hint = f"`{context.written(0, last - 1)} weighted ...`"
    return Mistake("E0114", message, context.span, hint)


def otherwise_in_a_block(context: ErrorContext) -> Mistake | None:
    """`otherwise:` in the place of `else:`, `otherwise` within a move"""
    if context.starter != "otherwise" or not context.line.indent or context.at != 1:
        return None
    message = "`otherwise` stands between moves, at the left margin"
    hint = (
        "the other branch of an `if` is `else:`; between moves write `otherwise` alone in a "
        "line, and below it, for example, `move pass_on:`"
    )
    return Mistake("E0123", message, context.line.first.span, hint)


RULES: tuple[HintRule, ...] = (
    values_in_a_list,
    number_of_players,
    product_in_a_type,
    parameter_with_a_colon,
    outcome_in_a_block,
    simultaneous_behind,
    claim_without_a_colon,
    edges_of_a_graph,
    branches_below_a_line_of_them,
    events_in_a_list,
    weights_in_other_words,
    otherwise_in_a_block,
)

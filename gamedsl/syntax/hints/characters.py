"""Faults visible in a line without parsing: strange characters, foreign signs, quotes, brackets.

In: a logical line. Out: a diagnostic for the first fault, or None. Only called for texts refused by
the parser; valid notation must never be called a fault.
"""

from __future__ import annotations

import unicodedata

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.syntax.depth import DEEPEST_BRACKETS
from gamedsl.syntax.grammar import GAP
from gamedsl.syntax.scan import CLOSERS, OPENERS, Kind, Lexeme, LogicalLine
from gamedsl.syntax.words import HEADERS

_ALIKE = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "−": "-", "–": "-",
    "—": "-", "‐": "-", "‑": "-", "×": "*", "·": "*", "∙": "*", "⋅": "*", "÷": "/", "∕": "/",
    "→": "->", "⟶": "->", "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=", "≠": "!=", "∧": "and",
    "∨": "or", "¬": "not", "∈": "in", "∉": "not in", "∪": "|", "…": "..", "‥": "..", "\u00a0": " ",
    "⊆": "subset of", "⊂": "subset of",
    "\u2009": " ", "\u202f": " ", "\u3000": " ", "∅": "{}", "∞": "a number",
}  # fmt: skip
"""Characters of word processors and textbooks -> the notation of the language."""

POWER = "write `x * x`, or `def power(n in 0..9) = 1 if n == 0 else 2 * power(n - 1)`"
_FOREIGN = {
    "&&": ("`&&` is written `and` here", None),
    "||": ("`||` is written `or` here", None),
    "&": ("`&` is written `and` here", None),
    "!": ("`!` is written `not` here", None),
    "===": ("`===` is written `==` here", None),
    "!==": ("`!==` is written `!=` here", None),
    "<>": ("`<>` is written `!=` here", None),
    "=>": ("`=>` is written `>=` here", "in a `tree:` an arrow is `->`"),
    "=<": ("`=<` is written `<=` here", None),
    "++": ("there is no `++`", "write `x += 1`"),
    "*=": ("there is no `*=`", "write `x = x * 2`"),
    "/=": ("there is no `/=`", "write `x = x // 2`"),
    "**": ("there is no power operator", POWER),
    "^": ("there is no power operator", POWER),
    ";": ("a statement ends with its line; there is no `;`", "put each statement on its own line"),
    "?": ("`?` means nothing here", "a conditional value is `b if a else c`"),
    "\\": ("`\\` means nothing here", "a line goes on by itself inside brackets"),
}
"""Signs of other languages -> message and hint."""

BRACES = "its lines are indented by 4 spaces; nothing closes it"
"""The hint in place of braces."""


def fault_in(line: LogicalLine, source: SourceFile) -> Diagnostic | None:
    """The first fault of a line visible without the parser."""
    if line.is_drawn:
        strange = next((lexeme for lexeme in line.lexemes if lexeme.text == GAP), None)
        return _strange(strange, source) if strange else None
    if line.first.text == "include" and line.indent == 0:
        return _file_name_fault(line, source)
    stack: list[Lexeme] = []
    for i, lexeme in enumerate(line.lexemes):
        fault = _sign_fault(line, i, source) or _bracket_fault(lexeme, stack, source)
        if fault is not None:
            return fault
    if line.unclosed is not None:
        opener = line.unclosed
        if opener.text == "{" and opener is line.last and line.first.text in HEADERS:
            message = "a block begins with `:`, not with `{`"
            return _at(source, opener.span, "E0115", message, BRACES)
        message = f"`{opener.text}` is never closed"
        return _at(source, opener.span, "E0111", message, f"add `{OPENERS[opener.text]}`")
    return None


MOVES_QUOTED = 'the moves behind `after` stand in double quotes: `after "e2e4 e7e5"`'


def look_alike(text: str) -> str | None:
    """The notation of the language that a character resembles, or None."""
    plain = unicodedata.normalize("NFKC", text)
    return _ALIKE.get(text) or (plain if plain != text and plain.isascii() else None)


def _sign_fault(line: LogicalLine, i: int, source: SourceFile) -> Diagnostic | None:
    lexeme = line.lexemes[i]
    if lexeme.kind is Kind.STRING:
        return _string_fault(line, i, source)
    if lexeme.kind is Kind.OTHER:
        return _strange(lexeme, source)
    if lexeme.kind is not Kind.SIGN:
        return None
    if lexeme.text == ";" and line.first.text == "for":
        message = "a loop runs over a set: `for i in 1..3:`"
        return _at(source, lexeme.span, "E0115", message)
    if lexeme.text in _FOREIGN:
        message, hint = _FOREIGN[lexeme.text]
        return _at(source, lexeme.span, "E0114", message, hint)
    if lexeme.text == ":=":
        message = "`:=` is written `=` here"
        return _at(source, lexeme.span, "E0103", message)
    if lexeme.text == "=" and _is_plus(line, i + 1) and _touches(line, i + 1):
        span = lexeme.span.to(line.lexemes[i + 1].span)
        return _at(source, span, "E0103", "`=+` is written `+=` here")
    if lexeme.text == "...":
        message = "a range has two points, and includes both ends: `1..6`"
        return _at(source, lexeme.span, "E0117", message)
    if lexeme.text in {".", "@", "$", "~"}:
        return _lone_sign(line, i, source)
    return None


def _lone_sign(line: LogicalLine, i: int, source: SourceFile) -> Diagnostic:
    lexeme = line.lexemes[i]
    before = line.lexemes[i - 1] if i else None
    if lexeme.text == "." and before and before.kind is Kind.NUMBER and before.end == lexeme.start:
        span = before.span.to(lexeme.span)
        return _at(source, span, "E0116", "a number has digits on both sides of its point")
    message = f"`{lexeme.text}` means nothing here"
    hint = _without_point(line, i) if lexeme.text == "." else None
    return _at(source, lexeme.span, "E0101", message, hint)


def _without_point(line: LogicalLine, i: int) -> str:
    """The hint in place of `x.y`."""
    before, after = (
        line.lexemes[j].text if 0 <= j < len(line.lexemes) else "" for j in (i - 1, i + 1)
    )
    if before in {"self", "this", "state", "game"} and after.isidentifier():
        return f"write `{after}`, without `{before}.`"
    return "what is asked of a thing is `row(s)`; a cell is `cell[s]`"


def _strange(lexeme: Lexeme, source: SourceFile) -> Diagnostic:
    character = lexeme.text
    alike = look_alike(character)
    if alike == " ":
        message = "this is not an ordinary space"
        return _at(source, lexeme.span, "E0101", message, "type the space again")
    if alike is not None:
        message = f"`{character}` is not a character of the language; write `{alike}`"
        return _at(source, lexeme.span, "E0101", message)
    if character.isprintable():
        return _at(source, lexeme.span, "E0101", f"the character `{character}` means nothing here")
    message = f"there is an invisible character here (U+{ord(character):04X})"
    return _at(source, lexeme.span, "E0101", message, "delete it")


def _string_fault(line: LogicalLine, i: int, source: SourceFile) -> Diagnostic | None:
    lexeme = line.lexemes[i]
    quote = lexeme.text[0]
    is_ended = len(lexeme.text) > 1 and lexeme.text.endswith(quote)
    if line.first.text != "game":
        if i and line.lexemes[i - 1].text in {"as", "after"}:
            if is_ended and quote == '"':
                return None
            is_glyph = line.lexemes[i - 1].text == "as"
            message = 'a glyph stands in double quotes: `king as "K"`' if is_glyph else MOVES_QUOTED
            return _at(source, lexeme.span, "E0112", message)
        message = "there are no texts in quotes; values are names and numbers"
        is_blank = not lexeme.text.strip("\"' \t")
        hint = "nothing is written `empty`" if is_blank else "leave the quotes out"
        return _at(source, lexeme.span, "E0112", message, hint)
    if i == 1 and quote == '"':
        if is_ended:
            return None
        message = "the title has no closing quote"
        return _at(source, lexeme.span, "E0112", message, 'write `"` behind the title')
    message = 'a title stands in double quotes: `game "Nim"`'
    span = line.lexemes[1].span.to(line.last.span)
    return _at(source, span, "E0112", message)


def _file_name_fault(line: LogicalLine, source: SourceFile) -> Diagnostic | None:
    message = 'the file stands in double quotes, alone: `include "chess.game"`'
    match line.lexemes:
        case (only,):
            return _at(source, Span(only.end, only.end), "E0112", message)
        case (_, name) if name.text[0] == name.text[-1] == '"' and len(name.text) > 1:
            return None
        case (_, name, *_):
            return _at(source, name.span.to(line.last.span), "E0112", message)
    return None


def _bracket_fault(lexeme: Lexeme, stack: list[Lexeme], source: SourceFile) -> Diagnostic | None:
    if lexeme.kind is not Kind.SIGN:
        return None
    if lexeme.text in OPENERS:
        stack.append(lexeme)
        if len(stack) > DEEPEST_BRACKETS:
            message = f"brackets are nested more than {DEEPEST_BRACKETS} deep"
            return _at(source, lexeme.span, "E0118", message, "name a part of it with `def`")
        return None
    if lexeme.text not in CLOSERS:
        return None
    if not stack:
        message = f"`{lexeme.text}` closes nothing: no `{CLOSERS[lexeme.text]}` is open"
        return _at(source, lexeme.span, "E0111", message)
    opener = stack.pop()
    if opener.text == CLOSERS[lexeme.text]:
        return None
    message = f"`{lexeme.text}` cannot close `{opener.text}`"
    label = (Label(opener.span, "opened here"),)
    hint = f"write `{OPENERS[opener.text]}`, or close `{opener.text}` before"
    return Diagnostic("E0111", message, Label(lexeme.span), source, label, hint=hint)


def _is_plus(line: LogicalLine, i: int) -> bool:
    return i < len(line.lexemes) and line.lexemes[i].text == "+"


def _touches(line: LogicalLine, i: int) -> bool:
    return line.lexemes[i - 1].end == line.lexemes[i].start


def _at(
    source: SourceFile, span: Span, code: str, message: str, hint: str | None = None
) -> Diagnostic:
    return Diagnostic(code, message, Label(span), source, hint=hint)

"""Text to AST: the entry of floor 1.

In: a source. Out: a Program, and diagnostics of all unreadable parts; no text raises an exception.
The meaning of words is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from lark import TextSlice, UnexpectedCharacters, UnexpectedToken

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.source.screen import HIDDEN
from gamedsl.syntax.ast import Declaration, Expression, Program
from gamedsl.syntax.builders.extent import BuildError
from gamedsl.syntax.depth import DEEPEST_BRACKETS, DEEPEST_TREE, too_deep
from gamedsl.syntax.grammar import GAP, PARSE_ERRORS, accepted, parser
from gamedsl.syntax.words import SECTIONS

Readable = tuple[tuple[Declaration, ...], tuple[Diagnostic, ...], frozenset[str]]
"""The readable declarations, diagnostics, and the words of the dropped lines."""

GAMBIT_ENDINGS = (".efg", ".nfg", ".gbt")
KIF_ENDINGS = (".kif", ".gdl")

_GAMBIT_HEAD = re.compile(r"\s*(?:EFG|NFG)\s+\S+\s+[RD]\b")

_KIF_HEAD = re.compile(r"(?:\s|;[^\n]*\n)*\(\s*(?:role|init|<=)\s", re.IGNORECASE)

_INDENTED = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]+[^\s#]")
"""A text whose first line is indented."""

_SPACE = " \t\n"

_LEXEME = re.compile(r"#[^\n]*|\w+|[^\w\s]")

MOST_LEXEMES = 100_000
"""Words, numbers and signs of a text, without comments."""

_BRACKETS = re.compile(r"#[^\n]*|[(\[{]|[)\]}]")


def parse(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The program of a source, and diagnostics about the text.

    With errors, the program holds all readable declarations, statements and lines. What explains
    errors is imported where there are errors.
    """
    if is_gambit(source):
        return _of_gambit(source)
    if is_kif(source):
        return _of_kif(source)
    if _is_too_long(source.text):
        return Program(source, (), frozenset(SECTIONS)), (_too_long(source),)
    declarations, diagnostics, broken = _read(source)
    diagnostics = _without_echoes(source, diagnostics)
    diagnostics = (*diagnostics, *_hidden(source, diagnostics))
    shallow, deep, words = _shallow(source, declarations)
    if not declarations and not diagnostics and not broken:
        diagnostics, broken = (_empty(source),), frozenset(SECTIONS)
    return Program(source, shallow, broken | words), (*diagnostics, *deep)


def is_gambit(source: SourceFile) -> bool:
    """Whether a source is a Gambit file: by the name, or by the first words."""
    is_named_so = source.name.lower().endswith(GAMBIT_ENDINGS)
    return is_named_so or _GAMBIT_HEAD.match(source.text) is not None


def is_kif(source: SourceFile) -> bool:
    """Whether a source is a file in GDL: by the name, or by the first words."""
    is_named_so = source.name.lower().endswith(KIF_ENDINGS)
    return is_named_so or _KIF_HEAD.match(source.text) is not None


def foreign_kind(source: SourceFile) -> str | None:
    """The words for a file in another language, which is converted to a program; None for rules."""
    if is_gambit(source):
        return "a file of Gambit's"
    return "a file in GDL" if is_kif(source) else None


def _of_gambit(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    from gamedsl.syntax.gambit.program import read_gambit

    declarations, diagnostics = read_gambit(source)
    return Program(source, declarations, frozenset(SECTIONS if diagnostics else ())), diagnostics


def _of_kif(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    from gamedsl.syntax.kif.program import read_kif

    read = read_kif(source)
    broken = frozenset() if read.declarations else frozenset(SECTIONS)
    return Program(source, read.declarations, broken), read.diagnostics


def parse_expression(text: str, name: str) -> tuple[Expression | None, tuple[Diagnostic, ...]]:
    """The expression of a text, or None and diagnostics; `name` is the name for messages."""
    source = SourceFile(name, text)
    try:
        parsed: Any = parser().parse(_solid(text), start="lone_expression")
    except PARSE_ERRORS as error:
        return None, (_expression_error(source, error),)
    if (node := too_deep(parsed)) is not None:
        return None, (_nested(source, node.span),)
    return parsed, ()


def _read(source: SourceFile) -> Readable:
    text = source.text
    if not (GAP in text or _INDENTED.match(text) or _has_deep_brackets(text)):
        with suppress(*PARSE_ERRORS):
            parsed: Any = parser().parse(text + "\n", start="program")
            return parsed, (), frozenset()
    from gamedsl.syntax.recover import recover

    return recover(source)


def _has_deep_brackets(text: str) -> bool:
    """Whether brackets are nested more than `DEEPEST_BRACKETS` deep, and a scan of the lines finds
    a fault."""
    level = 0
    for match in _BRACKETS.finditer(text):
        level = max(level + (match.group() in "([{") - (match.group() in ")]}"), 0)
        if level > DEEPEST_BRACKETS:
            from gamedsl.syntax.hints.characters import fault_in
            from gamedsl.syntax.scan import scan

            return any(fault_in(line, SourceFile("", text)) for line in scan(text))
    return False


def _shallow(
    source: SourceFile, declarations: tuple[Declaration, ...]
) -> tuple[tuple[Declaration, ...], tuple[Diagnostic, ...], frozenset[str]]:
    """The declarations within the limit on nesting, diagnostics for the deeper declarations, and
    the words of the deeper declarations."""
    shallow: list[Declaration] = []
    diagnostics: list[Diagnostic] = []
    words: set[str] = set()
    for declaration in declarations:
        node = too_deep(declaration)
        if node is None:
            shallow.append(declaration)
            continue
        diagnostics.append(_nested(source, node.span))
        from gamedsl.syntax.scan import lexemes_of

        start, end = declaration.span
        words.update(lexeme.text for lexeme in lexemes_of(source.text, start, end))
    return tuple(shallow), tuple(diagnostics), frozenset(words)


def _without_echoes(
    source: SourceFile, diagnostics: tuple[Diagnostic, ...]
) -> tuple[Diagnostic, ...]:
    """Leave out the calls of a definition whose name is a word of the language (E0110)."""

    def text_of(diagnostic: Diagnostic) -> str:
        return "" if diagnostic.primary is None else source.text[slice(*diagnostic.primary.span)]

    words = tuple(text_of(diagnostic) for diagnostic in diagnostics if diagnostic.code == "E0110")

    def is_call(diagnostic: Diagnostic) -> bool:
        if diagnostic.code != "E0100" or text_of(diagnostic) != "(" or diagnostic.primary is None:
            return False
        before = source.text[: diagnostic.primary.span.start].split("\n")[-1]
        return any(before.split()[-1:] == [word] for word in words)

    return tuple(diagnostic for diagnostic in diagnostics if not is_call(diagnostic))


def _hidden(source: SourceFile, known: tuple[Diagnostic, ...]) -> Iterator[Diagnostic]:
    """Diagnostics for invisible characters in free text: in comments and titles."""
    reported = [diagnostic.primary.span for diagnostic in known if diagnostic.primary is not None]
    for match in HIDDEN.finditer(source.text):
        span = Span(*match.span())
        if any(reported_span.start <= span.start < reported_span.end for reported_span in reported):
            continue
        message = f"the character U+{ord(match.group()):04X} cannot be seen; it may hide something"
        yield Diagnostic("E0101", message, Label(span), source, hint="delete it")


def _is_too_long(text: str) -> bool:
    if len(text) <= MOST_LEXEMES:
        return False
    lexemes = (match for match in _LEXEME.finditer(text) if match[0][0] != "#")
    return next(islice(lexemes, MOST_LEXEMES, None), None) is not None


def _too_long(source: SourceFile) -> Diagnostic:
    message = f"`{source.name}` has more than {MOST_LEXEMES:,} words, numbers and signs"
    return Diagnostic("E0003", message, None, source, hint="is it a file of rules?")


def _nested(source: SourceFile, span: Span) -> Diagnostic:
    message = f"this is nested more than {DEEPEST_TREE} levels deep"
    return Diagnostic("E0118", message, Label(span), source, hint="name a part of it with `def`")


def _empty(source: SourceFile) -> Diagnostic:
    return Diagnostic(
        "E0119",
        "this file holds no game",
        None,
        source,
        hint="a game has at least `players`, `state:`, a `move` and `end:`, or a `tree:`",
    )


def _expression_error(source: SourceFile, error: Exception) -> Diagnostic:
    """The diagnostic for a text that is not an expression."""
    from gamedsl.syntax.hints.characters import fault_in
    from gamedsl.syntax.hints.error_context import ErrorContext
    from gamedsl.syntax.hints.explain import explain
    from gamedsl.syntax.scan import LogicalLine, lexemes_of

    lexemes = tuple(lexemes_of(source.text, 0, len(source.text)))
    whole = Label(Span(0, len(source.text)))
    if not lexemes:
        return Diagnostic("E0100", "a value is expected here", whole, source)
    line = LogicalLine(0, len(source.text), 0, lexemes)
    if (fault := fault_in(line, source)) is not None:
        return fault
    if isinstance(error, BuildError):
        return Diagnostic(error.code, error.message, whole, source, hint=error.hint)
    if not isinstance(error, UnexpectedToken | UnexpectedCharacters):
        return Diagnostic("E0100", "this is not one expression", whole, source)
    place = error.pos_in_stream or 0
    at = next((i for i, lexeme in enumerate(lexemes) if lexeme.end > place), len(lexemes))
    terminal = error.token.type if isinstance(error, UnexpectedToken) else error.char
    if terminal in {"$END", "_NL"}:
        at = len(lexemes)
    accepts = accepted(_solid(source.text), "lone_expression", error)
    return explain(ErrorContext(source, (line,), 0, at, place, terminal, accepts))


def _solid(text: str) -> TextSlice[str]:
    """A text without leading and trailing space."""
    start = len(text) - len(text.lstrip(_SPACE))
    return TextSlice(text, start, max(start, len(text.rstrip(_SPACE))))

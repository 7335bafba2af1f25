"""Completions at a place: the words that the grammar allows, and the names in force.

In: an `Analysis` and an offset. Out: `Completion`s, the best first. The analysis may be of a text
with mistakes; a line being written usually is a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from gamedsl.game.library import shipped_games
from gamedsl.model.board import Board
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.elaborate.declarations.claims import ABOUT_ACTIONS, FACTS
from gamedsl.model.nodes import Variable
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.keywords import BUILTIN_VALUES
from gamedsl.model.values import COMPASS, Domain, Square, Value, text_of
from gamedsl.services.analysis import Analysis
from gamedsl.services.lines import brackets, in_comment, locals_at, word_start
from gamedsl.services.reference import entry_for, fact_entry
from gamedsl.services.symbols import SymbolKind
from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.continuing import fitting
from gamedsl.syntax.grammar import indent_width
from gamedsl.syntax.scan import Kind, LogicalLine
from gamedsl.syntax.vocabulary import accepted_words, is_value

MOST_SQUARES = 400
"""Boards with more squares are not listed square by square."""

NOT_IN = {
    "end": frozenset({"again", "chance", "ensure", "require", "reward"}),
    "setup": frozenset({"again", "draw", "ensure", "payoff", "require"}),
    "move": frozenset({"draw", "payoff"}),
    "effect": frozenset({"draw", "payoff"}),
    "simultaneous": frozenset({"again", "chance", "draw", "payoff"}),
}
"""Statements that make no sense in the bodies of a section."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A word or name that can be written.

    Attributes:
        kind: the kind of the name; None for a keyword of the grammar.
        detail: the type or the use, in a few words.
        documentation: the explanation of the reference page, in Markdown.
        rank: 0 for the likeliest, then 1, 2, ...
        span: the stretch to replace: the word being written.
    """

    label: str
    kind: SymbolKind | None
    span: Span
    detail: str = ""
    documentation: str = ""
    rank: int = 1

    @property
    def order(self) -> str:
        """The rank, with values before other names of the same rank."""
        return f"{self.rank}{0 if self.kind is SymbolKind.VALUE else 1}"


def completions(analysis: Analysis, offset: int) -> tuple[Completion, ...]:
    """The completions at a place, each label once, by rank and then by name."""
    text = analysis.source.text
    if in_comment(text, offset):
        return ()
    by_label: dict[str, Completion] = {}
    for completion in _Place(analysis, offset).all():
        known = by_label.get(completion.label)
        if known is None or completion.rank < known.rank:
            by_label[completion.label] = completion
    return tuple(sorted(by_label.values(), key=lambda entry: (entry.order, entry.label)))


class _Place:
    """A place of a text at which a word is to be written."""

    def __init__(self, analysis: Analysis, offset: int) -> None:
        text = analysis.source.text
        self.analysis = analysis
        self.start = word_start(text, offset)
        self.span = Span(self.start, offset)
        begin = text.rfind("\n", 0, offset) + 1
        self.before = text[begin : self.start]
        self.line = analysis.line_at(self.start) if self.before.strip() else None
        self.indent = indent_width(self.before) if self.line is None else self.line.indent
        self.board: Board | None = None
        if analysis.symbols is not None:
            self.board = analysis.symbols.board

    def all(self) -> Iterator[Completion]:
        if self.before.lstrip().startswith("include") and '"' in self.before:
            yield from self._files()
            return
        if self.line is not None and (self.line.is_drawn or self._in_title()):
            return
        accepts = fitting(self.analysis.source.text, self.start, self.analysis.lines)
        first = "" if self.line is None else self.line.first.text
        special = self._special(first)
        if special is not None:
            yield from special
        elif is_value(accepts):
            yield from self._values()
        elif {"LET", "REQUIRE"} <= accepts:
            yield from self._targets()
        elif self._in_section("tree") and "WORD" in accepts:
            yield from self._of_kinds(SymbolKind.PLAYER)
        elif not accepts and self.line is not None:
            yield from self._values()
        left_out = self._senseless() if {"LET", "REQUIRE"} <= accepts else frozenset()
        for word in accepted_words(set(accepts)):
            if word not in left_out:
                yield self._word(word, None, rank=2 if is_value(accepts) else 1)

    # --- where the place is ----------------------------------------------------------------

    def _senseless(self) -> frozenset[str]:
        """Statements that the grammar allows at the place although they make no sense in the
        section."""
        is_variant = any(
            isinstance(declaration, ast.IncludeDecl)
            for declaration in self.analysis.program.declarations
        )
        never = frozenset() if is_variant else frozenset({"included"})
        return NOT_IN.get(self._section(), frozenset()) | never

    def _section(self) -> str:
        """The first word of the section around the place."""
        heads = [
            line for line in self.analysis.lines if line.start < self.start and line.indent == 0
        ]
        return heads[-1].first.text if heads and self.indent > 0 else ""

    def _in_section(self, word: str) -> bool:
        return self._section() == word

    def _in_title(self) -> bool:
        return self.before.count('"') % 2 == 1

    def _special(self, first: str) -> Iterable[Completion] | None:
        """The completions of lines in which only certain names make sense; None for all other
        lines."""
        words = self.before.split()
        match first:
            case "directions":
                return [self._word(name, SymbolKind.DIRECTION) for name in COMPASS]
            case "repeat" if words[-1] in {"repeat", "without"} or words[-1].endswith(","):
                parts = [self._word("turn", None), *self._of_kinds(SymbolKind.VARIABLE)]
                return [self._word("state", None), *parts] if len(words) == 1 else parts
            case "expect" if len(words) == 1:
                return self._facts()
            case "expect" if ":" not in self.before and "with" in words:
                return self._of_kinds(SymbolKind.PARAM)
            case "expect" if ":" in self.before and words[1].rstrip(":") in ABOUT_ACTIONS:
                return [*self._moves(), *self._squares()]
            case "without" if len(words) > 1:
                return self._included(words[1])
            case "game" | "players" | "include":
                return ()
            case "let" | "param" | "def" | "effect" | "type" | "move" | "simultaneous" if (
                len(words) == 1
            ):
                return ()
            case _:
                return None

    # --- what there is ---------------------------------------------------------------------

    def _word(
        self, label: str, kind: SymbolKind | None, detail: str = "", rank: int = 1
    ) -> Completion:
        entry = entry_for(label)
        text = "" if entry is None else f"`{entry.usage}`\n\n{entry.text}"
        return Completion(label, kind, self.span, detail, text, rank)

    def _name(self, label: str, kind: SymbolKind, detail: str = "", rank: int = 1) -> Completion:
        return Completion(label, kind, self.span, detail or kind.value, "", rank)

    def _values(self) -> Iterator[Completion]:
        """The words that an expression can begin with."""
        likely = self._likely()
        is_place = bool(likely) and all(isinstance(value, Square) for value in likely)
        for value in likely:
            rank = 1 if is_place else 0
            yield self._name(text_of(value), SymbolKind.VALUE, "one of its values", rank)
        yield from self._locals()
        for name, symbol in self.analysis.globals.items():
            if symbol.kind is not SymbolKind.EFFECT:
                yield self._name(name, symbol.kind, self._header(name))
        for name in (*BUILTINS, *REDUCTIONS):
            usage = BUILTINS[name].usage if name in BUILTINS else f"{name}(... for ... in ...)"
            yield self._word(name, SymbolKind.FUNCTION, usage, rank=2)
        yield self._word("stuck", SymbolKind.FUNCTION, "stuck(p, moves)", rank=2)
        for word in (*BUILTIN_VALUES, "turn", "opponent", *self._words_of_section()):
            yield self._word(word, SymbolKind.WORD, rank=2)
        yield from self._squares()
        if self.board is not None and self.board.is_grid:
            for name in COMPASS:
                yield self._name(name, SymbolKind.DIRECTION, rank=3)

    def _words_of_section(self) -> tuple[str, ...]:
        if self._in_section("end"):
            return ("stuck",)
        return ("me",) if self._in_section("simultaneous") else ()

    def _targets(self) -> Iterator[Completion]:
        """The words that a statement can begin with: variables, effects, winners."""
        yield self._word("turn", SymbolKind.WORD)
        if self._in_section("end"):
            yield self._word("opponent", SymbolKind.WORD)
            yield from self._of_kinds(SymbolKind.PLAYER)
            yield from self._locals()
        else:
            yield from self._of_kinds(SymbolKind.VARIABLE, SymbolKind.EFFECT)

    def _locals(self) -> Iterator[Completion]:
        for name in locals_at(self.analysis.lines, self.start, self.indent):
            yield self._name(name, SymbolKind.LOCAL, rank=0)

    def _of_kinds(self, *kinds: SymbolKind) -> Iterator[Completion]:
        for name, symbol in self.analysis.globals.items():
            if symbol.kind in kinds:
                yield self._name(name, symbol.kind, self._header(name))

    def _header(self, name: str) -> str:
        """The declaration of a name, in a line."""
        node = self.analysis.globals[name].node
        kind = self.analysis.globals[name].kind.value
        match node:
            case ast.DefDecl() | ast.EffectDecl():
                return f"{kind}: {name}({', '.join(one.text for one in node.parameters)})"
            case ast.VariableDecl():
                text = self.analysis.whole.source.text
                domain = " ".join(text[node.domain.span.start : node.domain.span.end].split())
                return f"{kind}: {domain}"
            case _:
                return kind

    def _moves(self) -> Iterator[Completion]:
        for declared in self.analysis.whole.declarations:
            if isinstance(declared, ast.MoveDecl):
                yield self._name(declared.name.text, SymbolKind.MOVE)

    def _squares(self) -> Iterator[Completion]:
        if self.board is not None and len(self.board.squares) <= MOST_SQUARES:
            for square in self.board.squares:
                yield self._name(square.name, SymbolKind.SQUARE, rank=3)

    def _facts(self) -> Iterator[Completion]:
        for fact in FACTS:
            entry = fact_entry(fact)
            text = "" if entry is None else entry.text
            yield Completion(fact, SymbolKind.WORD, self.span, "", text)

    def _files(self) -> Iterator[Completion]:
        """The files that can be included: the files beside the text's own file, and the shipped
        games."""
        quote = self.analysis.source.text.rfind('"', 0, self.span.end) + 1
        span = Span(quote, self.span.end)
        path = self.analysis.source.path
        neighbours: Iterable[Path] = () if path is None else path.absolute().parent.glob("*.game")
        for file in sorted(neighbours):
            if file.name != (path.name if path else ""):
                yield Completion(file.name, None, span, "beside this file")
        for file in shipped_games():
            yield Completion(file.name, None, span, "a shipped game", rank=2)

    def _included(self, kind: str) -> Iterator[Completion]:
        """The declarations of the included file that `without` can leave out."""
        if kind == "move":
            yield from self._moves()
        kinds = {
            "param": SymbolKind.PARAM,
            "type": SymbolKind.TYPE,
            "state": SymbolKind.VARIABLE,
            "def": SymbolKind.DEFINITION,
            "effect": SymbolKind.EFFECT,
        }
        if kind in kinds:
            yield from self._of_kinds(kinds[kind])

    # --- what is likely --------------------------------------------------------------------

    def _likely(self) -> list[Value]:
        """The values of the cell that is compared or assigned, or of the index to be written,
        except numbers and truth values."""
        if self.line is None or self.analysis.symbols is None:
            return []
        domain = self._index_domain(self.line) or self._compared_domain(self.line)
        if domain is None or len(domain) > MOST_SQUARES:
            return []
        return [value for value in domain.values if not isinstance(value, int | bool)]

    def _variable_domains(self, name: str) -> tuple[tuple[Domain, ...], Domain] | None:
        assert self.analysis.symbols is not None
        symbol = self.analysis.symbols.find(name)
        return (symbol.indices, symbol.domain) if isinstance(symbol, Variable) else None

    def _index_domain(self, line: LogicalLine) -> Domain | None:
        around = brackets(line, self.start)
        if not around or around[-1].sign != "[" or around[-1].head is None:
            return None
        domains = self._variable_domains(around[-1].head.text)
        if domains is None or around[-1].number >= len(domains[0]):
            return None
        return domains[0][around[-1].number]

    def _compared_domain(self, line: LogicalLine) -> Domain | None:
        before = [lexeme for lexeme in line.lexemes if lexeme.start < self.start]
        if len(before) < 2 or before[-1].text not in {"==", "!=", "="}:
            return None
        at = len(before) - 2
        depth = 0
        while at > 0 and (depth or before[at].text == "]"):
            depth += (before[at].text == "]") - (before[at].text == "[")
            at -= 1
        if before[at].kind is not Kind.NAME:
            return None
        domains = self._variable_domains(before[at].text)
        return None if domains is None else domains[1]

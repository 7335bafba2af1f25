"""Elaborate `show:` into `Looks`, and check the look of every name.

Errors are reported as E1501.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.expressions.names import unknown_name
from gamedsl.model.nodes.looks import (
    COLOURS,
    LONGEST_GLYPH,
    BoardLook,
    Looks,
    VariableLook,
    lacks,
)
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.values import Atom, Square, Vector
from gamedsl.source import Label, Span, nearest
from gamedsl.syntax import ast

CODE = "E1501"
BOARD = "board"


def elaborate_looks(elaborator: Elaborator, written: ast.ShowDecl) -> Looks:
    """The looks that the section declares."""
    reading = _Reading(elaborator)
    for line in written.lines:
        for name in line.names:
            reading.read(name, line.look)
    return reading.looks()


class _Reading:
    """Reads the lines of the section and keeps the valid looks."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.board: BoardLook | None = None
        self.board_colour: str | None = None
        self.variables: dict[str, VariableLook] = {}
        self.glyphs: dict[Atom, str] = {}
        self.colours: dict[Atom, str] = {}
        self.edges: dict[Vector, Atom] = {}
        self.seen: dict[tuple[str, bool], Span] = {}

    def looks(self) -> Looks:
        """The looks read by now."""
        return Looks(
            self.board,
            self.board_colour,
            tuple(self.variables.items()),
            tuple(self.glyphs.items()),
            tuple(self.colours.items()),
            tuple(self.edges.items()),
        )

    def read(self, name: ast.Name, look: ast.Name | ast.Glyph) -> None:
        """Read a name and a look; names left out by `without` and players who do not play are
        ignored. A value may have a glyph and a colour, all other names a single look."""
        symbols = self.elaborator.symbols
        if name.text in symbols.program.left_out or symbols.is_idle(name.text):
            return
        key = (name.text, isinstance(look, ast.Glyph))
        if key in self.seen:
            first = Label(self.seen[key], "first here")
            self.elaborator.reporter.report(
                CODE, name.span, f"`{name.text}` has a look already", secondary=(first,)
            )
            return
        self.seen[key] = name.span
        if name.text == BOARD and self.elaborator.symbols.find(BOARD) is None:
            self._read_board(name, look)
            return
        match self.elaborator.symbols.find(name.text):
            case nodes.Variable() as variable:
                self._read_variable(name, variable, look)
            case nodes.Const(value=Vector() as way):
                self._read_edge(name, way, look)
            case nodes.Const(value=Atom() as value) if not isinstance(value, Square):
                self._read_value(value, look)
            case None:
                unknown_name(self.elaborator, name, Scope(RuleContext.CONSTANT))
            case _:
                self._wrong(
                    name.span,
                    f"`{name.text}` is nothing that `show:` draws",
                    "it draws `board`, variables of the state, players and other values, and "
                    "directions, which are edges of the board",
                )

    def _read_board(self, name: ast.Name, look: ast.Name | ast.Glyph) -> None:
        if self.elaborator.symbols.board is None:
            self._wrong(name.span, "this game has no board")
        elif not self._is_one_of(look, (*BoardLook, *COLOURS), "the board"):
            return
        elif look.text in COLOURS:
            self.board_colour = look.text
        else:
            self.board = BoardLook(look.text)

    def _read_variable(
        self, name: ast.Name, variable: nodes.Variable, look: ast.Name | ast.Glyph
    ) -> None:
        if not self._is_one_of(look, VariableLook, f"`{name.text}`"):
            return
        variable_look = VariableLook(look.text)
        needed = lacks(variable_look, variable, self._squares())
        if needed is not None:
            self._wrong(look.span, f"`{name.text}` cannot be shown as {variable_look}: {needed}")
            return
        self.variables[name.text] = variable_look

    def _squares(self) -> tuple[Square, ...]:
        board = self.elaborator.symbols.board
        return () if board is None else board.squares

    def _read_edge(self, name: ast.Name, way: Vector, look: ast.Name | ast.Glyph) -> None:
        board = self.elaborator.symbols.board
        players = {player.name: player for player in self.elaborator.symbols.players}
        if board is None or not board.is_grid or abs(way.across) + abs(way.up) != 1:
            self._wrong(name.span, f"`{name.text}` is no edge of the board", "edges: N, E, S, W")
        elif self._is_one_of(look, players, f"the edge `{name.text}`"):
            self.edges[way] = players[look.text]

    def _read_value(self, value: Atom, look: ast.Name | ast.Glyph) -> None:
        if isinstance(look, ast.Name):
            if self._is_one_of(look, COLOURS, f"`{value.name}`"):
                self.colours[value] = look.text
            return
        if not 0 < len(look.text) <= LONGEST_GLYPH or not look.text.isprintable():
            self._wrong(look.span, "a glyph is one or two characters", 'as in `pawn as "P"`')
        else:
            self.glyphs[value] = look.text

    def _is_one_of(self, look: ast.Name | ast.Glyph, words: Iterable[str], subject: str) -> bool:
        known = [str(word) for word in words]
        if isinstance(look, ast.Name) and look.text in known:
            return True
        actual = f"`{look.text}`" if isinstance(look, ast.Name) else "a glyph"
        near = nearest(look.text, known) if isinstance(look, ast.Name) else None
        listed = f"{', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else "".join(known)
        hint = f"did you mean `{near}`?" if near else None
        self._wrong(look.span, f"{subject} can be shown as {listed}; this is {actual}", hint)
        return False

    def _wrong(self, span: Span, message: str, hint: str | None = None) -> None:
        self.elaborator.reporter.report(CODE, span, message, hint=hint)

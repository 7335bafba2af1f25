"""The names of a whole file: players, atoms, parameters, types, the board, state variables.

In: a `Program` and the parameters bound from outside. Out: what each global name stands for,
worked out when it is first asked for, so that declarations may come in any order. Constant
expressions are elaborated by `expressions`, which asks back here for names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from gamedsl.model import nodes
from gamedsl.model.board import Board, all_directions, grid_squares
from gamedsl.model.fold import as_collection
from gamedsl.model.limits import MOST_SQUARES, MOST_VALUES
from gamedsl.model.scope import Place, Reporter, Scope
from gamedsl.model.types import ListType, Scalar, SetType, Type, describe, set_of, type_of
from gamedsl.model.unknown import OTHER_LANGUAGES
from gamedsl.model.values import (
    COMPASS,
    EMPTY,
    NONE,
    Atom,
    Domain,
    Square,
    Value,
    Vector,
    text_of,
    unique,
)
from gamedsl.source import Label, Span, nearest
from gamedsl.source.files import source_from_text
from gamedsl.source.nearest import MISSPELT
from gamedsl.syntax import ast, parse_expression

if TYPE_CHECKING:
    from gamedsl.model.expressions import Expressions

KEYWORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "if",
        "elif",
        "else",
        "for",
        "where",
        "while",
        "let",
        "require",
        "ensure",
        "again",
        "chance",
        "true",
        "false",
        "none",
        "empty",
        "turn",
        "opponent",
        "me",
        "stuck",
        "square",
        "columns",
        "rows",
        "directions",
        "players",
        "chains",
        "bool",
        "draw",
        "payoff",
    ]
)
"""Words that nothing may be named."""

BUILTIN_VALUES = [
    "true",
    "false",
    "none",
    "empty",
    "bool",
    "square",
    "columns",
    "rows",
    "directions",
    "players",
    "chains",
]

Found = nodes.Const | nodes.Variable | ast.DefDecl | ast.EffectDecl
Decl = TypeVar("Decl", bound=ast.Node)


class World:
    """Global names of one file. Declarations are looked up lazily and remembered."""

    def __init__(
        self, program: ast.Program, overrides: Mapping[str, str], reporter: Reporter
    ) -> None:
        self.program = program
        self.reporter = reporter
        self.overrides = dict(overrides)
        self.expressions: Expressions
        self.declared: dict[str, ast.Name] = {}
        self.suspects: set[str] = set()
        """Names in domains that look like known ones mistyped."""
        self._params = self._named(ast.ParamDecl)
        self._types = self._named(ast.TypeDecl)
        self.defs = self._named(ast.DefDecl)
        self.effects = self._named(ast.EffectDecl)
        self._constants: dict[str, nodes.Const | None] = {}
        self._variables: dict[str, nodes.Variable | None] = {}
        self._variable_decls: dict[str, ast.VariableDecl] = {}
        self._working_on: list[str] = []
        self._board: Board | None = None
        self._board_done = False
        self.is_making_board = False
        """Whether the size of the board is being worked out, so that nothing on it is known."""
        self.cells = 0
        self.players = self._players()
        self.atoms: dict[str, Atom] = {"none": NONE, "empty": EMPTY}
        self.atoms.update({player.name: player for player in self.players})
        for state in self.all(ast.StateDecl):
            for variable in state.variables:
                self._declare(variable.name)
                self._variable_decls.setdefault(variable.name.text, variable)

    def start(self, expressions: Expressions) -> None:
        """Give the world its elaborator of constants; find the board and the new atoms."""
        self.expressions = expressions
        _ = self.board
        for kind, declared in self._types.items():
            for name in _union_names(declared.value):
                self._new_atom(name, kind)
        for kind, variable in self._variable_decls.items():
            for name in _union_names(variable.domain):
                if self._looks_misspelt(name.text):
                    self.suspects.add(name.text)
                else:
                    self._new_atom(name, kind)

    # --- declarations ----------------------------------------------------------------------

    def all(self, kind: type[Decl]) -> Iterator[Decl]:
        """All declarations of one kind, in order."""
        return (found for found in self.program.declarations if isinstance(found, kind))

    def only(self, kind: type[Decl], words: str) -> Decl | None:
        """The one declaration of a kind; a second one is reported."""
        found = list(self.all(kind))
        for extra in found[1:]:
            self.reporter.report(
                "E1002",
                extra.span,
                f"a second {words}",
                secondary=(Label(found[0].span, "the first one"),),
                hint="keep one",
            )
        return found[0] if found else None

    def _named(self, kind: type[Decl]) -> dict[str, Decl]:
        named: dict[str, Decl] = {}
        for found in self.all(kind):
            name: ast.Name = found.name  # type: ignore[attr-defined]
            self._declare(name)
            named.setdefault(name.text, found)
        return named

    def _declare(self, name: ast.Name) -> None:
        if name.text in KEYWORDS:
            self.reporter.report(
                "E1002", name.span, f"`{name.text}` is a word of the language, not a free name"
            )
        elif name.text in self.declared:
            self.reporter.report(
                "E1002",
                name.span,
                f"`{name.text}` is declared twice",
                secondary=(Label(self.declared[name.text].span, "first here"),),
            )
        else:
            self.declared[name.text] = name

    def _players(self) -> tuple[Atom, ...]:
        found = self.only(ast.PlayersDecl, "line `players`")
        if found is None:
            if not self.program.broken:
                self.reporter.report(
                    "E2001",
                    Span(0, 0),
                    "a game needs players",
                    hint="write a line such as `players X, O`",
                )
            return ()
        for name in found.names:
            self._declare(name)
        texts = list(dict.fromkeys(name.text for name in found.names))
        return tuple(Atom(text, "player", 2 + number) for number, text in enumerate(texts))

    def _new_atom(self, name: ast.Name, kind: str) -> None:
        """In `type` and in the domains of `state:` an unknown name is a new atom."""
        if not self.knows(name.text) and name.text not in KEYWORDS:
            self.atoms[name.text] = Atom(name.text, kind, 100 + len(self.atoms))
            self.declared[name.text] = name

    def _looks_misspelt(self, name: str) -> bool:
        """Whether a name in a domain is rather a known one mistyped than a new atom."""
        if name in OTHER_LANGUAGES:
            return True
        if len(name) < 3:
            return any(name.lower() == known.lower() for known in self.atoms if known != name)
        return not self.knows(name) and nearest(name, self.names(), MISSPELT) is not None

    # --- the board -------------------------------------------------------------------------

    @property
    def board(self) -> Board | None:
        """The board, if the game has one."""
        if not self._board_done:
            self._board_done = True
            grid = self.only(ast.BoardGrid, "board")
            graph = self.only(ast.BoardGraph, "board")
            if grid and graph:
                self.reporter.report("E1002", graph.span, "a second board", hint="keep one")
            if grid:
                self.is_making_board = True
                self._board = self._grid(grid)
                self.is_making_board = False
            elif graph:
                self._board = self._graph(graph)
            chosen = self.only(ast.DirectionsDecl, "line `directions`")
            if chosen and (self._board is None or not self._board.is_grid):
                self.reporter.report(
                    "E1106",
                    chosen.span,
                    "`directions` belong to a board of squares",
                    hint="declare the board: `board 8 wide 8 high`",
                )
            if self._board:
                for square in self._board.squares:
                    self._name_square(square, grid or graph)
        return self._board

    def _name_square(self, square: Square, board: ast.Node | None) -> None:
        other = self.declared.get(square.name)
        if other is not None:
            self.reporter.report(
                "E1002",
                other.span,
                f"`{square.name}` is a square of the board",
                secondary=() if board is None else (Label(board.span, "this board"),),
                hint="choose another name",
            )

    def _grid(self, declared: ast.BoardGrid) -> Board | None:
        self._board_done = True
        width = self._dimension(declared.width, "wide")
        height = self._dimension(declared.height, "high")
        if width is None or height is None:
            return None
        if width * height > MOST_SQUARES:
            self.reporter.report(
                "E1203",
                declared.span,
                f"a board of {width * height:,} squares; at most {MOST_SQUARES:,} are possible",
            )
            return None
        squares = grid_squares(width, height, 10_000)
        if declared.condition is not None:
            squares = tuple(s for s in squares if self._is_on_board(s, declared.condition))
        return Board(squares, self._directions(), width=width, height=height)

    def _is_on_board(self, square: Square, condition: ast.Expression) -> bool:
        assert square.column is not None
        assert square.row is not None
        scope = Scope(Place.CONSTANT)
        for name, number in (("column", square.column), ("row", square.row)):
            scope = scope.having(name, nodes.Const(condition.span, type_of(number), number))
        found = self.expressions.constant(condition, scope)
        if found is not None and not isinstance(found.value, bool):
            self.reporter.report(
                "E1103",
                condition.span,
                f"`where` needs true or false, and this is {describe(found.type)}",
            )
        return found is not None and found.value is True

    def _dimension(self, written: ast.Expression, word: str) -> int | None:
        found = self.expressions.constant(written, Scope(Place.CONSTANT))
        if found is None:
            return None
        if isinstance(found.value, bool) or not isinstance(found.value, int) or found.value < 1:
            self.reporter.report(
                "E1203",
                written.span,
                f"a board is a whole number of squares {word}, at least 1;"
                f" this is {text_of(found.value)}",
            )
            return None
        return found.value

    def _directions(self) -> tuple[Vector, ...]:
        chosen = next(self.all(ast.DirectionsDecl), None)
        if chosen is None:
            return all_directions()
        for name in chosen.names:
            if name.text not in COMPASS:
                near = nearest(name.text, COMPASS)
                self.reporter.report(
                    "E1001",
                    name.span,
                    f"unknown direction `{name.text}`; the directions are {', '.join(COMPASS)}",
                    hint=f"did you mean `{near}`?" if near else None,
                )
        return tuple(
            dict.fromkeys(COMPASS[name.text] for name in chosen.names if name.text in COMPASS)
        )

    def _graph(self, declared: ast.BoardGraph) -> Board:
        names = list(dict.fromkeys(n.text for chain in declared.chains for n in chain))
        squares = {n: Square(n, 10_000 + i, None, None) for i, n in enumerate(names)}
        chains = tuple(tuple(squares[name.text] for name in chain) for chain in declared.chains)
        return Board(tuple(squares.values()), (), chains)

    # --- names -----------------------------------------------------------------------------

    def find(self, name: str) -> Found | None:
        """What a global name stands for, or None if there is no such name (or it is in error)."""
        if name in self._constants:
            return self._constants[name]
        builtin = self._builtin(name)
        if builtin is not None:
            return builtin
        if name in self._params or name in self._types:
            return self._resolve_constant(name)
        if name in self._variable_decls:
            return self._resolve_variable(name)
        return self.defs.get(name) or self.effects.get(name)

    def knows(self, name: str) -> bool:
        """Whether the name is declared, in error or not."""
        return name in self.declared or name in self.atoms or self._builtin(name) is not None

    def names(self) -> list[str]:
        """All global names, for "did you mean"."""
        squares = [square.name for square in self.board.squares] if self.board else []
        compass = list(COMPASS) if self.board and self.board.is_grid else []
        words = [*BUILTIN_VALUES, "turn", "opponent", "stuck"]
        return [*self.declared, *self.atoms, *squares, *compass, *words]

    def _builtin(self, name: str) -> nodes.Const | None:
        value: Value
        match name:
            case "true" | "false":
                value = name == "true"
            case "players":
                return _set(self.players)
            case "bool":
                return _set((False, True))
            case _ if name in self.atoms:
                value = self.atoms[name]
            case _:
                return self._geometry(name)
        return nodes.Const(Span(0, 0), type_of(value), value)

    def _geometry(self, name: str) -> nodes.Const | None:
        if name in self.declared:
            return None
        board = self.board
        if board is None:
            return None
        match name:
            case "square":
                return _set(board.squares)
            case "columns" if board.is_grid:
                return _set(tuple(range(1, board.width + 1)))
            case "rows" if board.is_grid:
                return _set(tuple(range(1, board.height + 1)))
            case "directions" if board.is_grid:
                return _set(board.directions)
            case "chains" if not board.is_grid:
                longest = max((len(chain) for chain in board.chains), default=0)
                element = SetType(set_of(board.squares).element, longest)
                return nodes.Const(Span(0, 0), ListType(element, len(board.chains)), board.chains)
            case _ if name in COMPASS and board.is_grid:
                return nodes.Const(Span(0, 0), type_of(COMPASS[name]), COMPASS[name])
        square = board.named.get(name)
        return None if square is None else nodes.Const(Span(0, 0), type_of(square), square)

    def _enter(self, name: str, span: Span) -> bool:
        if name in self._working_on:
            circle = " -> ".join([*self._working_on[self._working_on.index(name) :], name])
            self.reporter.report(
                "E1304", span, f"`{name}` is defined by itself: {circle}", hint="break the circle"
            )
            return False
        self._working_on.append(name)
        return True

    def _resolve_constant(self, name: str) -> nodes.Const | None:
        declared = self._params.get(name) or self._types[name]
        if not self._enter(name, declared.name.span):
            self._constants[name] = None
            return None
        found = self.expressions.constant(declared.value, Scope(Place.CONSTANT))
        if found is not None and isinstance(declared, ast.ParamDecl):
            found = self._override(declared, found)
        elif found is not None:
            values = unique(as_collection(found.value))
            found = nodes.Const(found.span, set_of(values), values)
        self._working_on.pop()
        self._constants[name] = found
        return found

    def _override(self, declared: ast.ParamDecl, default: nodes.Const) -> nodes.Const | None:
        name = declared.name.text
        text = self.overrides.get(name)
        if text is None:
            return default
        written, diagnostics = parse_expression(text, f"value of {name}")
        if written is None:
            why = diagnostics[0].message if diagnostics else "not an expression"
            self.reporter.report(
                "E1401", declared.span, f"the value given for `{name}`, `{text}`: {why}"
            )
            return default
        outer = self.reporter
        self.reporter = self.expressions.reporter = Reporter(source_from_text(text))
        found = self.expressions.constant(written, Scope(Place.CONSTANT))
        inner, self.reporter = self.reporter, outer
        self.expressions.reporter = outer
        if found is None or inner.diagnostics:
            why = inner.diagnostics[0].message if inner.diagnostics else "not a constant"
            outer.report("E1401", declared.span, f"the value given for `{name}`, `{text}`: {why}")
            return default
        if not _same_shape(default.type, found.type):
            outer.report(
                "E1401",
                declared.span,
                f"parameter `{name}` is {_shape(default.type)} such as {text_of(default.value)};"
                f" the value given is {describe(found.type)}",
            )
            return default
        return found

    def is_parameter(self, name: str) -> bool:
        """Whether the file has a `param` of this name."""
        return name in self._params

    def parameters(self) -> tuple[tuple[str, Value], ...]:
        """All parameters with their values, in order of declaration."""
        found = ((name, self.find(name)) for name in self._params)
        return tuple((name, c.value) for name, c in found if isinstance(c, nodes.Const))

    def check_overrides(self) -> None:
        """Report values given for parameters that the file does not have."""
        for name in self.overrides:
            if name not in self._params:
                near = nearest(name, self._params)
                has = ", ".join(f"`{p}`" for p in self._params)
                self.reporter.report(
                    "E1402",
                    None,
                    f"this game has no parameter `{name}`; "
                    + (f"it has {has}" if has else "it has none"),
                    hint=f"did you mean `{near}`?" if near else None,
                )

    # --- state variables -------------------------------------------------------------------

    def variables(self) -> tuple[nodes.Variable, ...]:
        """All state variables in order of declaration; those in error are left out."""
        found = (self._resolve_variable(name) for name in self._variable_decls)
        return tuple(sorted((v for v in found if v is not None), key=lambda v: v.offset))

    def variable_decls(self) -> Mapping[str, ast.VariableDecl]:
        """The declarations of the state variables."""
        return self._variable_decls

    def _resolve_variable(self, name: str) -> nodes.Variable | None:
        if name in self._variables:
            return self._variables[name]
        declared = self._variable_decls[name]
        if not self._enter(name, declared.name.span):
            self._variables[name] = None
            return None
        from gamedsl.model.variables import elaborate_variable

        found = elaborate_variable(self, declared)
        self._working_on.pop()
        self._variables[name] = found
        return found

    def domain(self, written: ast.Expression, scope: Scope, what: str) -> Domain | None:
        """The finite set that a domain expression stands for."""
        found = self.expressions.constant(written, scope)
        if found is None:
            return None
        if isinstance(found.type, Scalar) and not isinstance(found.value, Atom):
            self.reporter.report(
                "E1105",
                written.span,
                f"{what} needs a set of values; this is {describe(found.type)}",
                hint=f"write a range: `0..{text_of(found.value)}`"
                if isinstance(found.value, int)
                else None,
            )
            return None
        values = unique(as_collection(found.value))
        kinds = {type(value) for value in values}
        if (bool in kinds and int in kinds) or tuple in kinds:
            self.reporter.report(
                "E1105", written.span, f"{what} cannot mix these values: {text_of(values)}"
            )
            return None
        if not values or len(values) > MOST_VALUES:
            problem = "is empty" if not values else f"has {len(values):,} values, too many"
            self.reporter.report("E1203", written.span, f"the set for {what} {problem}")
            return None
        return Domain(values)


def _set(values: tuple[Value, ...]) -> nodes.Const:
    return nodes.Const(Span(0, 0), set_of(values), values)


def _union_names(written: ast.Expression) -> Iterator[ast.Name]:
    pending = [written]
    while pending:
        match pending.pop():
            case ast.Name() as name:
                yield name
            case ast.Binary(operator="|") as union:
                pending += [union.right, union.left]
            case ast.SetLiteral() as literal:
                pending += reversed(literal.items)
            case _:
                pass


def _shape(found: Type) -> str:
    match found:
        case Scalar() if found.has_numbers:
            return "a number" if found.rational else "a whole number"
        case Scalar():
            return describe(found)
        case _:
            return "a list"


def _same_shape(left: Type, right: Type) -> bool:
    match left, right:
        case Scalar(), Scalar():
            return left.kinds == right.kinds and (left.rational or not right.rational)
        case ((ListType() | SetType()), (ListType() | SetType())):
            return left.size == 0 or right.size == 0 or _same_shape(left.element, right.element)
        case _:
            return type(left) is type(right)

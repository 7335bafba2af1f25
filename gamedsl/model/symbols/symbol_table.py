"""Global names of a file: players, atoms, parameters, types, the board, state variables.

`Meanings` elaborates the declarations of the `Program`. Each name is resolved on first use, so that
declarations may come in any order. Local names are in a `Scope`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Protocol, TypeVar

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.symbols.foreign_words import NUMBER_TYPES, OTHER_LANGUAGES
from gamedsl.model.symbols.keywords import (
    BUILTIN_VALUES,
    KEYWORDS,
    constant,
    value_in_every_game,
    value_on_board,
)
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.values import COMPASS, EMPTY, NONE, Atom, Pair, Table, Value
from gamedsl.source import Label, Span, nearest
from gamedsl.source.nearest import MISSPELT
from gamedsl.syntax import ast

Symbol = nodes.Const | nodes.Variable | ast.DefDecl | ast.EffectDecl
"""The meaning of a global name."""
Decl = TypeVar("Decl", bound=ast.Node)
MOST_COMPARED = 200_000
"""Limit on the pairs of names compared for suggestions, in a file."""


class Meanings(Protocol):
    """Meanings of declarations. A declaration in error has been reported, and its meaning is
    None."""

    def player_count(self, declared: ast.PlayersDecl, count: ast.Expression) -> int | None:
        """The number of players that a line `players count of A, B, ...` asks for."""

    def board(self) -> Board | None:
        """The board that the file declares, if any."""

    def parameter(self, declared: ast.ParamDecl) -> nodes.Const | None:
        """The value of a parameter."""

    def type(self, declared: ast.TypeDecl) -> nodes.Const | None:
        """The values of a type."""

    def variable(self, declared: ast.VariableDecl) -> nodes.Variable | None:
        """A state variable; its cells are placed behind the cells of earlier variables."""


class SymbolTable:
    """Global names of a file. Declarations are resolved lazily and cached."""

    def __init__(self, program: ast.Program, reporter: Reporter) -> None:
        self.program = program
        self.reporter = reporter
        self._meanings: Meanings
        self.declared: dict[str, ast.Name] = {}
        self.suspects: set[str] = set()
        """Names that may be intended as new values, but declare none or are misspelt."""
        self.params = self._named(ast.ParamDecl)
        self.types = self._named(ast.TypeDecl)
        self.defs = self._named(ast.DefDecl)
        self.effects = self._named(ast.EffectDecl)
        self.assigned = assigned_names(program.declarations)
        """Names that are assigned."""
        self.setup_may_draw = _may_draw(self.all(ast.SetupDecl))
        """Whether chance may decide while `setup` has not set all cells."""
        self.looked_up: set[str] = set()
        """Names of tables read before the game starts."""
        self.tables = self._tables()
        """Functions by their names: parts of products, products of parts."""
        self.orders: dict[str, tuple[Table, Table]] = {}
        """Places of the values of types that mix numbers and names, and the values at places."""
        self._constants: dict[str, nodes.Const | None] = {}
        self._variables: dict[str, nodes.Variable | None] = {}
        self.variable_decls: dict[str, ast.VariableDecl] = {}
        self._working_on: list[str] = []
        self._board: Board | None = None
        self._is_board_known = False
        self.is_making_board = False
        """Whether the size of the board is being computed, so that no square is known yet."""
        self._compared = 0
        self.cells = 0
        """Number of state cells placed so far."""
        self.named_players = self._named_players()
        """The players of the line `players`, all of whom play unless a number stands in front."""
        self.players: tuple[Atom, ...] = ()
        self.atoms: dict[str, Atom] = {"none": NONE, "empty": EMPTY}
        for state in self.all(ast.StateDecl):
            for variable in state.variables:
                self._declare(variable.name)
                self.variable_decls.setdefault(variable.name.text, variable)

    def start(self, meanings: Meanings) -> None:
        """Set the elaborator of declarations; find the players, the board and the new atoms."""
        self._meanings = meanings
        self.players = self._players()
        self.atoms.update({player.name: player for player in self.players})
        _ = self.board
        for kind, declared in self.types.items():
            for name in _union_names(declared.value) if declared.owner is None else ():
                self._new_atom(name, kind)
        self.has_failed_product()  # names all values of products
        for kind, variable in self.variable_decls.items():
            for name in _union_names(variable.domain):
                is_alone = isinstance(variable.domain, ast.Name)
                is_type = name.text in NUMBER_TYPES and is_alone
                if is_type or self._looks_misspelt(name.text):
                    self.suspects.add(name.text)
                else:
                    self._new_atom(name, kind)

    def all(self, kind: type[Decl]) -> Iterator[Decl]:
        """All declarations of a kind, in order."""
        return iter(self._of_kind.get(kind, []))

    @cached_property
    def _of_kind(self) -> dict[type[ast.Node], list[Any]]:
        declarations: dict[type[ast.Node], list[Any]] = {}
        for declaration in self.program.declarations:
            declarations.setdefault(type(declaration), []).append(declaration)
        return declarations

    @property
    def place_of_missing(self) -> Span:
        """Where a section that is missing would stand: the end of the file's last rule."""
        is_own = self.program.source.is_own
        ends = [
            declaration.span.end
            for declaration in self.program.declarations
            if is_own(declaration.span) and not isinstance(declaration, ast.ExpectDecl)
        ]
        text = self.program.source.text[: max(ends, default=0)].rstrip()
        return Span(max(len(text) - 1, 0), len(text))

    def only(self, kind: type[Decl], words: str) -> Decl | None:
        """The only declaration of a kind; further declarations are reported."""
        declarations = list(self.all(kind))
        for extra in declarations[1:]:
            self.reporter.report(
                "E1002",
                extra.span,
                f"a second {words}",
                secondary=(Label(declarations[0].span, "the first one"),),
                hint="keep one",
            )
        return declarations[0] if declarations else None

    def _named(self, kind: type[Decl]) -> dict[str, Decl]:
        named: dict[str, Decl] = {}
        for declaration in self.all(kind):
            name: ast.Name = declaration.name  # type: ignore[attr-defined]
            self._declare(name)
            named.setdefault(name.text, declaration)
        return named

    def is_word(self, name: ast.Name) -> bool:
        """Whether a name is a reserved word; if so, an error is reported."""
        if name.text not in KEYWORDS:
            return False
        self.reporter.report(
            "E1002", name.span, f"`{name.text}` is a word of the language, not a free name"
        )
        return True

    def _declare(self, name: ast.Name, hint: str | None = None) -> None:
        """Enter a name; `hint` is for a name that is a parameter already."""
        if self.is_word(name):
            return
        if name.text in self.declared:
            self.reporter.report(
                "E1002",
                name.span,
                f"`{name.text}` is declared twice",
                secondary=(Label(self.declared[name.text].span, "first here"),),
                hint=hint if hint is not None and name.text in self.params else None,
            )
        else:
            self.declared[name.text] = name

    def _named_players(self) -> tuple[Atom, ...]:
        declaration = self.only(ast.PlayersDecl, "line `players`")
        if declaration is None:
            if not self.program.broken:
                self.reporter.report(
                    "E2001",
                    Span(0, 0),
                    "a game needs players",
                    hint="write a line such as `players X, O`",
                )
            return ()
        for name in declaration.names:
            hint = f"a number of players: `players {name.text} of Ann, Bob, Cid`"
            self._declare(name, hint if len(declaration.names) == 1 else None)
        texts = list(dict.fromkeys(name.text for name in declaration.names))
        return tuple(Atom(text, "player", 2 + number) for number, text in enumerate(texts))

    def _players(self) -> tuple[Atom, ...]:
        declaration = next(self.all(ast.PlayersDecl), None)
        if declaration is None or declaration.count is None:
            return self.named_players
        return self.named_players[: self._meanings.player_count(declaration, declaration.count)]

    @property
    def next_order(self) -> int:
        """The order of the next new atom."""
        return 100 + len(self.atoms)

    def _new_atom(self, name: ast.Name, kind: str) -> None:
        """Declare an unknown name in a `type` or in a domain of `state:` as a new atom."""
        if name.text not in BUILTIN_VALUES and not self.is_word(name) and not self.knows(name.text):
            self.atoms[name.text] = Atom(name.text, kind, self.next_order)
            self.declared[name.text] = name

    def enter_pair(self, product: ast.Name, pair: Pair) -> bool:
        """Declare a value of a product type; a name with another meaning is reported."""
        if self.knows(pair.name) or pair.name in KEYWORDS:
            first = self.declared.get(pair.name)
            self.reporter.report(
                "E1002",
                product.span,
                f"`{product.text}` has a value `{pair.name}`, which already means something",
                secondary=() if first is None else (Label(first.span, "first here"),),
            )
            return False
        self.atoms[pair.name] = pair
        self.declared[pair.name] = ast.Name(product.span, pair.name)
        return True

    def _tables(self) -> dict[str, Table]:
        """The functions of product types, without rows."""
        written = ((d.name, d.value, d.owner) for d in self.types.values() if d.owner is not None)
        names = [name.text for names in written for name in names if isinstance(name, ast.Name)]
        return {name: Table(name) for name in names}

    def _looks_misspelt(self, name: str) -> bool:
        """Whether a name in a domain is more likely a misspelling of a known name than a new
        atom. The name of a move is written on purpose, and no domain contains what changes."""
        if name in OTHER_LANGUAGES and name not in NUMBER_TYPES:
            return True
        if len(name) < 3:
            return any(name.lower() == known.lower() for known in self.atoms if known != name)
        if self.knows(name) or any(name == move.name.text for move in self.all(ast.MoveDecl)):
            return False
        known = [other for other in self.names() if other not in self.assigned]
        return nearest(name, known, MISSPELT) is not None

    @property
    def board(self) -> Board | None:
        """The board, if the game has one."""
        if not self._is_board_known:
            self._is_board_known = self.is_making_board = True
            self._board = self._meanings.board()
            self.is_making_board = False
        return self._board

    def has_failed_board(self) -> bool:
        """Whether a board is declared but in error; the error is reported at the declaration."""
        declared = [*self.all(ast.BoardGrid), *self.all(ast.BoardGraph)]
        return self.board is None and bool(declared)

    def has_failed_product(self) -> bool:
        """Whether a product type is in error; the values of all product types are named."""
        return None in [self.find(name) for name, declared in self.types.items() if declared.owner]

    def find(self, name: str) -> Symbol | None:
        """The meaning of a global name, or None if the name is unknown or in error."""
        if name in self._constants:
            return self._constants[name]
        predefined = self._predefined(name)
        if predefined is not None:
            return predefined
        if name in self.params or name in self.types:
            return self._resolve_constant(name)
        if name in self.variable_decls:
            return self._resolve_variable(name)
        return self.defs.get(name) or self.effects.get(name)

    def _predefined(self, name: str) -> nodes.Const | None:
        """The meaning of a name without a declaration of its own, or None."""
        meaning = value_in_every_game(name, self.players)
        if meaning is not None:
            return meaning
        if name in self.atoms:
            return constant(self.atoms[name])
        if name in self.declared or self.board is None:
            return None
        return value_on_board(name, self.board)

    def knows(self, name: str) -> bool:
        """Whether the name is declared, with or without an error."""
        return name in self.declared or name in self.atoms or self._predefined(name) is not None

    def is_idle(self, name: str) -> bool:
        """Whether the name is a player's who does not play: the number of players is smaller."""
        return name not in self.atoms and any(name == player.name for player in self.named_players)

    def names(self) -> list[str]:
        """All global names, for "did you mean"."""
        squares = [square.name for square in self.board.squares] if self.board else []
        compass = list(COMPASS) if self.board and self.board.is_grid else []
        words = [*BUILTIN_VALUES, "turn", "opponent", "stuck"]
        return [*self.declared, *self.atoms, *squares, *compass, *words]

    def nearest(self, name: str, candidates: Iterable[str]) -> str | None:
        """The candidate most similar to a misspelt name, or None if no candidate is similar.

        In a file of thousands of errors the last names get no suggestion: each comparison is with
        all names.
        """
        if self._compared > MOST_COMPARED:
            return None
        several = list(candidates)
        self._compared += len(several)
        return nearest(name, several)

    @cached_property
    def variables_by_index(self) -> dict[str, str]:
        """The first variable with an index of each name."""
        return {
            index.name.text: variable.name.text
            for variable in reversed(self.variable_decls.values())
            for index in variable.indices
            if index.name is not None
        }

    @cached_property
    def moves_by_parameter(self) -> dict[str, str]:
        """The first move with a parameter of each name."""
        return {
            parameter.name.text: move.name.text
            for move in reversed([*self.all(ast.MoveDecl)])
            for parameter in move.parameters
        }

    def is_begun(self, name: str) -> bool:
        """Whether the meaning of a name is being worked out."""
        return name in self._working_on

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
        parameter = self.params.get(name)
        declared = parameter or self.types[name]
        if not self._enter(name, declared.name.span):
            self._constants[name] = None
            return None
        with self.reporter.unreachable(False):
            if parameter is not None:
                meaning = self._meanings.parameter(parameter)
            else:
                meaning = self._meanings.type(self.types[name])
        self._working_on.pop()
        self._constants[name] = meaning
        return meaning

    def parameters(self) -> tuple[tuple[str, Value], ...]:
        """All parameters with their values, in order of declaration."""
        meanings = ((name, self.find(name)) for name in self.params)
        return tuple((name, c.value) for name, c in meanings if isinstance(c, nodes.Const))

    def variables(self) -> tuple[nodes.Variable, ...]:
        """All state variables in order of declaration, without variables in error."""
        variables = (self._resolve_variable(name) for name in self.variable_decls)
        return tuple(sorted((v for v in variables if v is not None), key=lambda v: v.offset))

    def variables_so_far(self) -> Iterator[nodes.Variable]:
        """The state variables that are elaborated already, in order of declaration: for hints,
        which must not elaborate."""
        met = (self._variables.get(name) for name in self.variable_decls)
        return (variable for variable in met if variable is not None)

    def _resolve_variable(self, name: str) -> nodes.Variable | None:
        if name in self._variables:
            return self._variables[name]
        declared = self.variable_decls[name]
        if not self._enter(name, declared.name.span):
            self._variables[name] = None
            return None
        with self.reporter.unreachable(False):
            variable = self._meanings.variable(declared)
        self._working_on.pop()
        self._variables[name] = variable
        return variable


def words_used(program: ast.Program) -> Counter[str]:
    """The number of occurrences of each word in a file, comments excluded."""
    text = re.sub(r"#[^\n]*", "", program.source.text)
    return Counter(re.findall(r"[^\W\d]\w*", text))


def _union_names(written: ast.Expression) -> Iterator[ast.Name]:
    pending = [written]
    while pending:
        match pending.pop():
            case ast.Name() as name:
                yield name
            case ast.Binary(operator="|") as union:
                pending += [union.right, union.left]
            case ast.Series(operators=("|", *_), operands=operands):
                pending += reversed(operands)
            case ast.SetLiteral() as literal:
                pending += reversed(literal.items)
            case _:
                pass


def assigned_names(nodes: Iterable[ast.Node]) -> frozenset[str]:
    """The names that, in some nodes, are assigned, drawn, or passed to an `effect`; other variables
    keep their initial values and are tables."""
    names: set[str] = set()
    for node in ast.nodes_in(tuple(nodes)):
        match node:
            case ast.Assign(target=target) | ast.Chance(target=target):
                names.add(_base(target))
            case ast.AssignAll(targets=targets):
                names.update(map(_base, targets))
            case ast.CallEffect(arguments=arguments):
                names.update(map(_base, arguments))
    return frozenset(names)


def _may_draw(setups: Iterable[ast.SetupDecl]) -> bool:
    """Whether there may be chance events in `setup`, or in what `setup` calls or includes."""
    events = ast.Chance | ast.CallEffect | ast.Included
    return any(isinstance(node, events) for node in ast.nodes_in(tuple(setups)))


def _base(written: ast.Expression) -> str:
    while isinstance(written, ast.Index):
        written = written.base
    return written.text if isinstance(written, ast.Name) else ""

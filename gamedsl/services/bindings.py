"""Name resolution: the declaration of each name of a program, in texts with mistakes too.

In: a program with its included files, and its global names. Out: `Occurrence`s. The rule is the
rule of the language: a name means the innermost `let`, loop or parameter around it, else a global
name, and no name hides another. Elaboration resolves names in the same way (a law compares the two)
but stops at mistakes; this module resolves names wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gamedsl.model.builtins import BUILTINS
from gamedsl.model.elaborate.declarations.claims import ABOUT_ACTIONS
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.values import COMPASS
from gamedsl.services.symbols import Occurrence, Symbol, SymbolKind
from gamedsl.source import Span
from gamedsl.syntax import ast

Names = Mapping[str, Symbol]
"""Names in force at a place."""

CELL_WORDS = ("column", "row")
"""Names of a square's column and row in the declaration of the board."""


def bindings(program: ast.Program, symbols: SymbolTable) -> tuple[Occurrence, ...]:
    """All names of a program that have a meaning, in order of place, each place once."""
    resolver = _Resolver(program, symbols)
    resolver.run()
    return tuple(sorted(resolver.occurrences.values(), key=lambda occurrence: occurrence.span))


def global_symbols(program: ast.Program, symbols: SymbolTable) -> dict[str, Symbol]:
    """The meanings of global names; the first declaration of a name counts."""
    meanings: dict[str, Symbol] = {}

    def add(kind: SymbolKind, name: ast.Name, node: ast.Node) -> None:
        meanings.setdefault(name.text, Symbol(kind, name.text, name.span, node))

    for declared in program.declarations:
        match declared:
            case ast.ParamDecl():
                add(SymbolKind.PARAM, declared.name, declared)
            case ast.TypeDecl():
                add(SymbolKind.TYPE, declared.name, declared)
            case ast.DefDecl():
                add(SymbolKind.DEFINITION, declared.name, declared)
            case ast.EffectDecl():
                add(SymbolKind.EFFECT, declared.name, declared)
            case ast.PlayersDecl():
                for name in declared.names:
                    add(SymbolKind.PLAYER, name, declared)
            case ast.StateDecl():
                for variable in declared.variables:
                    add(SymbolKind.VARIABLE, variable.name, variable)
    for text, name in symbols.declared.items():
        if text in symbols.atoms:
            add(SymbolKind.VALUE, name, name)
    for declared in program.declarations:
        if isinstance(declared, ast.BoardGraph):
            for point in points_of(declared):
                add(SymbolKind.SQUARE, point, declared)
    return meanings


def points_of(board: ast.BoardGraph) -> Iterable[ast.Name]:
    """The names of points in a graph, in order, with repeats."""
    for line in board.lines:
        match line:
            case ast.Chain():
                yield from line.points
            case ast.Joined():
                yield line.point
                yield from line.neighbours
            case ast.Placed():
                yield line.point


def meaning(text: str, known: Names, symbols: SymbolTable) -> Symbol | None:
    """The meaning of a name that is not local; `known` are the global names of the file."""
    if text in known:
        return known[text]
    if text in KEYWORDS:
        return Symbol(SymbolKind.WORD, text)
    board = symbols.board
    if board is not None and board.is_grid and text in COMPASS:
        return Symbol(SymbolKind.DIRECTION, text)
    if board is not None and text in board.named:
        return Symbol(SymbolKind.SQUARE, text)
    return None


def called(text: str, known: Names) -> Symbol | None:
    """The meaning of a name in front of `(`."""
    if text in known:
        return known[text]
    return Symbol(SymbolKind.FUNCTION, text) if text in BUILTINS or text in REDUCTIONS else None


class _Resolver:
    def __init__(self, program: ast.Program, symbols: SymbolTable) -> None:
        self._program = program
        self._symbols = symbols
        self._globals = global_symbols(program, symbols)
        self._moves: dict[str, Symbol] = {}
        for move in symbols.all(ast.MoveDecl):
            name = move.name
            self._moves.setdefault(name.text, Symbol(SymbolKind.MOVE, name.text, name.span, move))
        self._infosets: dict[str, Symbol] = {}
        self._owner = ""
        self.occurrences: dict[Span, Occurrence] = {}

    def run(self) -> None:
        for declared in self._program.declarations:
            self._declaration(declared)

    # --- names ---------------------------------------------------------------------------------

    def _put(self, name: ast.Node, symbol: Symbol, is_written: bool = False) -> None:
        if name.span not in self.occurrences:
            file, place = self._program.source.local(name.span)
            self.occurrences[name.span] = Occurrence(symbol, name.span, file, place, is_written)

    def _declare(self, name: ast.Name) -> None:
        """Enter the name of a global declaration or of a variable."""
        symbol = self._globals.get(name.text)
        if symbol is not None:
            self._put(name, symbol)

    def _new(self, kind: SymbolKind, name: ast.Name, node: ast.Node, names: Names) -> Names:
        """The names in force with one local name added."""
        symbol = Symbol(kind, name.text, name.span, node, self._owner)
        self._put(name, symbol)
        return {**names, name.text: symbol}

    def _meaning(self, text: str, names: Names) -> Symbol | None:
        return names[text] if text in names else meaning(text, self._globals, self._symbols)

    def _refer(self, name: ast.Name, names: Names, is_written: bool = False) -> None:
        symbol = self._meaning(name.text, names)
        if symbol is not None:
            self._put(name, symbol, is_written)

    def _function(self, name: ast.Name) -> None:
        symbol = called(name.text, self._globals)
        if symbol is not None:
            self._put(name, symbol)

    # --- expressions ---------------------------------------------------------------------------

    def _read(self, node: object, names: Names) -> None:
        """Enter all names in an expression, in several, or in a node without scopes of its own."""
        match node:
            case ast.Name():
                self._refer(node, names)
            case ast.Call(function=ast.Name(text="stuck")):
                self._refer(node.function, names)
                self._read(node.arguments[:1], names)
                for move in node.arguments[1:]:
                    self._action(move)
            case ast.Call():
                self._function(node.function)
                self._read(node.arguments, names)
            case ast.Quantifier():
                self._function(node.function)
                self._read(node.arguments, names)
                self._read(node.element, self._clauses(node.clauses, names))
            case ast.SetBuild() | ast.ListBuild():
                self._read(node.element, self._clauses(node.clauses, names))
            case ast.WeightsBuild():
                inner = self._clauses(node.clauses, names)
                self._read((node.key, node.weight), inner)
            case ast.Reward(shares=pairs) | ast.Payoff(entries=pairs):
                self._shares(pairs, names)
            case tuple():
                for part in node:
                    self._read(part, names)
            case ast.Node():
                self._read(ast.children(node), names)

    def _clauses(self, clauses: tuple[ast.Clause, ...], names: Names) -> Names:
        for clause in clauses:
            self._read(clause.domain, names)
            names = self._targets(clause.name, clause, names)
            self._read(clause.condition, names)
        return names

    def _targets(self, target: ast.Name | ast.TupleOfNames, node: ast.Node, names: Names) -> Names:
        many = (target,) if isinstance(target, ast.Name) else target.names
        for name in many:
            names = self._new(SymbolKind.LOCAL, name, node, names)
        return names

    def _write(self, target: ast.Expression, names: Names) -> None:
        """Enter the target of an assignment: the name is written, the indices are read."""
        base = target
        while isinstance(base, ast.Index):
            self._read(base.indices, names)
            base = base.base
        if isinstance(base, ast.Name):
            self._refer(base, names, is_written=True)
        else:
            self._read(base, names)

    # --- statements ----------------------------------------------------------------------------

    def _block(self, block: ast.Block, names: Names) -> None:
        for statement in block:
            names = self._statement(statement, names)

    def _statement(self, node: ast.Statement, names: Names) -> Names:
        """The names in force behind a statement."""
        match node:
            case ast.Assign():
                self._write(node.target, names)
                self._read(node.value, names)
            case ast.AssignAll():
                for target in node.targets:
                    self._write(target, names)
                self._read(node.values, names)
            case ast.Let():
                self._read(node.value, names)
                return self._new(SymbolKind.LOCAL, node.name, node, names)
            case ast.If():
                for condition, block in node.branches:
                    self._read(condition, names)
                    self._block(block, names)
                self._block(node.otherwise or (), names)
            case ast.For():
                self._read(node.domain, names)
                inner = self._targets(node.name, node, names)
                self._read((node.condition, node.going), inner)
                self._block(node.body, inner)
            case ast.CallEffect():
                self._function(node.name)
                self._read(node.arguments, names)
            case ast.Chance():
                return self._chance(node, names)
            case _:
                self._read(node, names)
        return names

    def _chance(self, node: ast.Chance, names: Names) -> Names:
        self._read(node.domain, names)
        if isinstance(node.target, ast.Name) and self._meaning(node.target.text, names) is None:
            names = self._new(SymbolKind.LOCAL, node.target, node, names)
        else:
            self._write(node.target, names)
        self._read((node.condition, node.weight), names)
        return names

    def _shares(
        self, pairs: tuple[tuple[ast.Expression, ast.Expression], ...], names: Names
    ) -> None:
        """`p: e`, in which a single name without a meaning stands for every player."""
        for key, amount in pairs:
            is_new = (
                len(pairs) == 1
                and isinstance(key, ast.Name)
                and self._meaning(key.text, names) is None
            )
            if is_new and isinstance(key, ast.Name):
                self._read(amount, self._new(SymbolKind.LOCAL, key, key, names))
            else:
                self._read((key, amount), names)

    # --- declarations --------------------------------------------------------------------------

    def _declaration(self, node: ast.Declaration) -> None:
        self._owner = ""
        match node:
            case ast.BoardGrid():
                self._read((node.width, node.height), {})
                cell_functions = {word: Symbol(SymbolKind.FUNCTION, word) for word in CELL_WORDS}
                self._read(node.condition, cell_functions)
            case ast.BoardGraph():
                for point in points_of(node):
                    self._declare(point)
            case ast.StateDecl():
                for variable in node.variables:
                    self._variable(variable)
            case ast.SetupDecl() | ast.EndDecl():
                self._block(node.body, {})
            case ast.MoveDecl():
                self._move(node)
            case ast.DefDecl() | ast.EffectDecl():
                self._definition(node)
            case ast.EvaluateDecl():
                self._owner = "evaluate"
                names = self._new(SymbolKind.PARAMETER, node.player, node, {})
                self._read((node.condition, node.value), names)
            case ast.ShowDecl():
                for line in node.lines:
                    self._shown(line)
            case ast.TreeDecl():
                self._tree(node.root)
            case ast.ExpectDecl():
                self._expect(node)
            case ast.WithoutDecl():
                pass  # names of what is left out, in another file
            case _:
                self._read(node, {})

    def _shown(self, node: ast.Shown) -> None:
        """Enter the names drawn by a `show` line; for an edge of the board, the player who owns the
        edge."""
        self._read(node.names, {})
        symbol = self._meaning(node.look.text, {})
        if isinstance(node.look, ast.Name) and symbol and symbol.kind is SymbolKind.PLAYER:
            self._put(node.look, symbol)

    def _variable(self, node: ast.VariableDecl) -> None:
        self._declare(node.name)
        self._owner = node.name.text
        names: Names = {}
        for index in node.indices:
            self._read(index.domain, names)
            if index.name is not None:
                names = self._new(SymbolKind.PARAMETER, index.name, index, names)
            self._read(index.condition, names)
        self._read(node.domain, names)
        if isinstance(node.initial, ast.Diagram):
            for row in node.initial.rows:
                for token in row:
                    self._refer(token, {})
        else:
            self._read(node.initial, names)
        if node.secret is not None:
            self._read(node.secret.owner, names)

    def _move(self, node: ast.MoveDecl) -> None:
        self._put(node.name, self._moves[node.name.text])
        self._owner = f"move {node.name.text}"
        names: Names = {}
        for parameter in node.parameters:
            self._read(parameter.domain, names)
            names = self._new(SymbolKind.PARAMETER, parameter.name, parameter, names)
            self._read(parameter.condition, names)
        self._block(node.body, names)

    def _definition(self, node: ast.DefDecl | ast.EffectDecl) -> None:
        self._declare(node.name)
        word = "def" if isinstance(node, ast.DefDecl) else "effect"
        self._owner = f"{word} {node.name.text}"
        names: Names = {}
        for parameter in node.parameters:
            names = self._new(SymbolKind.PARAMETER, parameter, node, names)
        if isinstance(node, ast.DefDecl):
            self._read(tuple(bound and bound.domain for bound in node.bounds), {})
            self._read(node.value, names)
        else:
            self._block(node.body, names)

    def _tree(self, node: ast.TreeChoice | ast.TreeLeaf) -> None:
        if isinstance(node, ast.TreeLeaf):
            self._read(node.value, {})
            return
        if node.player is not None:
            self._refer(node.player, {})
        label = node.information_set
        if label is not None:
            known = Symbol(SymbolKind.INFORMATION_SET, label.text, label.span, node)
            self._put(label, self._infosets.setdefault(label.text, known))
        for branch in node.branches:
            self._read(branch.weight, {})
            self._tree(branch.subtree)

    def _expect(self, node: ast.ExpectDecl) -> None:
        for name, value in node.settings:
            self._refer(name, {})
            self._read(value, {})
        for claim in node.claims:
            if node.fact.text in ABOUT_ACTIONS:
                self._action(claim)
            else:
                self._read(claim, {})

    def _action(self, node: object) -> None:
        """Enter the names of an action: moves, and the values in their brackets."""
        match node:
            case ast.Call():
                move = self._moves.get(node.function.text)
                if move is not None:
                    self._put(node.function, move)
                self._read(node.arguments, {})
            case ast.Binary():
                self._action(node.left)
                self._action(node.right)
            case ast.Series():
                for operand in node.operands:
                    self._action(operand)
            case ast.Name() if node.text in self._moves:
                self._put(node, self._moves[node.text])
            case _:
                self._read(node, {})
